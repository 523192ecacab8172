// One turn whose host, or whole page, is killed: continues as a page or its user does, and checks I1 to I5. The specs
// decide when it dies.
import { allToolCalls } from '../../../src/core/data/message.js'
import { openToolCalls } from '../../../src/core/data/session.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import type { Agent } from '../../../src/page/agent.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import type { AgentOptions } from '../../../src/page/options.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'
import type { Endpoint, Handler } from '../lab/endpoint.js'
import { losses, misruns } from '../lab/invariants.js'
import { until, type Bench, type Lab, type LabOptions } from '../lab/lab.js'
import { FakeOrigin } from '../lab/tabs.js'
import { repeatable } from './kill-model.js'

/** The tools of both pages. They share their counters, because both pages act on the same data. */
export class Tools {
  readonly runs = { read: 0, write: 0, pay: 0, find: 0, order: 0, list: 0 }
  register(agent: Agent): void {
    const count = (name: keyof Tools['runs']) => `${name} ${++this.runs[name]}`
    const hint = { readOnlyHint: true }
    agent.registerTool([
      { name: 'read', description: 'Reads', annotations: hint, execute: () => count('read') },
      { name: 'list', description: 'Lists', annotations: hint, execute: () => count('list') },
      {
        name: 'write',
        description: 'Writes',
        execute: (_: unknown, run: ToolRun) => {
          run.remember('written', true)
          return count('write')
        },
      },
      { name: 'pay', description: 'Pays', needsApproval: true, execute: () => count('pay') },
      agentTool({
        name: 'research',
        description: 'Finds and orders',
        instructions: 'You research.',
        tools: [
          { name: 'find', description: 'Finds', annotations: hint, execute: () => count('find') },
          { name: 'order', description: 'Orders', execute: () => count('order') },
        ],
      }),
    ])
    // Who only watches and agrees would take over.
    agent.subscribe((event) => {
      if (event.type === 'approval-request' && agent.role !== 'mirror')
        void agent.approve(event.callId).catch(() => undefined)
    })
  }
}

/** Who dies, and who watches. */
export interface Kill {
  readonly dies: 'host' | 'page'
  /** A second tab mirrors the session. If the page is killed, the user continues there. */
  readonly mirror: boolean
  /** Of all pages. */
  readonly options?: AgentOptions
  /** When the first host dies. */
  readonly moment: Pick<LabOptions, 'killAfter' | 'killBefore' | 'killAt' | 'diskTakes'>
}

/** How the turn ended. */
export interface Killed {
  readonly end: string
  readonly calls: string
  readonly runs: string
  /** The laws that do not hold. */
  readonly broken: readonly string[]
  /** What had happened when the host died: see `LabOptions.killAt`. */
  readonly moments: readonly string[]
}

let number = 0

/** Plays the turn until the fault, continues as a page or its user does, and checks the invariants. */
export async function killed(lab: Lab, model: Handler, { dies, mirror, moment, options }: Kill): Promise<Killed> {
  const broken: string[] = []
  const sessionId = `killed-${++number}`
  const disk: MemoryDisk = new Map()
  const origin = new FakeOrigin()
  const tools = new Tools()
  let endpointServer: Endpoint | undefined
  const page = async (more: LabOptions & AgentOptions = {}): Promise<Bench> => {
    const shared = endpointServer ? { endpointServer } : {}
    const bench = await lab.start(model, { sessionId, disk, origin, ...shared, ...options, ...more })
    endpointServer = bench.endpoint
    tools.register(bench.agent)
    return bench
  }
  const first = await page({ worker: true, ...moment })
  await first.agent.connect()
  const second = mirror ? await page() : undefined
  await second?.agent.connect()
  const sent = first.agent.send('Go').then(
    ({ text, reason }) => `${reason} ${text}`,
    (error: { code: string }) => error.code,
  )
  // A moment that the turn does not reach is one after its end.
  await Promise.race([first.dead, sent])
  const seen = first.agent.session
  const moments = [...first.moments]
  let last = first
  if (dies === 'host') {
    first.killHost()
    const said = await sent
    if (said !== 'stop answer') broken.push(`I2 the send came to ${said}`)
  } else if (second) {
    last = second
    const stored = await memoryStore(disk).read(sessionId, Infinity)
    // Without a stored session there is nothing to report. With an open turn the panel offers to continue.
    await until(second.agent, () => second.agent.status === (stored?.turn ? 'interrupted' : 'idle'))
    if (stored?.turn) {
      const { reason } = await second.agent.continue()
      if (reason !== 'stop') broken.push(`I2 going on came to ${reason}`)
    }
  } else {
    last = await page()
    await last.agent.connect()
  }
  await until(last.agent, () => last.agent.status === 'idle')
  const { session } = last.agent
  const { end } = session ?? {}
  if (end?.reason !== 'stop' && session?.messages.length !== 0) broken.push(`I2 it rests as ${end?.reason}`)
  if (session && openToolCalls(session).length > 0) broken.push(`I3 ${openToolCalls(session).join()} open`)
  broken.push(
    ...misruns(session, tools.runs, repeatable).map((what) => `I4 ${what}`),
    ...losses(seen, session).map((what) => `I5 ${what}`),
  )
  // An open page keeps the outcomes of its tools. Only the run of an agent, and a start that it never received, can be
  // lost.
  const failed = allToolCalls(session?.messages ?? []).filter(
    ({ part, path }) => part.result?.error && part.call.name !== 'research' && path.length === 0,
  )
  if (dies === 'host')
    for (const {
      part: { call, result },
    } of failed)
      if (tools.runs[call.name as 'write'] > 0)
        broken.push(`I5 ${call.name} failed though the page lives: ${result?.error?.message}`)
  const next = await last.agent.send('next').then(
    ({ text }) => text,
    (error: Error) => String(error),
  )
  if (next !== 'next answer') broken.push(`I3 the next message came to ${next}`)
  const after = last.sent.findLast((message) => message.type === 'open')
  await last.agent.sessions.open(sessionId)
  const opened = last.sent.findLast((message) => message.type === 'open')
  if (opened === after || !opened) broken.push('it was not opened anew')
  else if (opened.running.length + opened.outcomes.length > 0)
    broken.push(
      `the page still holds ${[...opened.running, ...opened.outcomes.map((one) => one.callId)].join()}, which are settled`,
    )
  if (second && last === first) {
    const messages = () => JSON.stringify(second.agent.messages)
    await until(second.agent, () => messages() === JSON.stringify(first.agent.messages))
    if (second.agent.role !== 'mirror') broken.push('the mirror drives')
  }
  const codes = allToolCalls(session?.messages ?? []).map(
    ({ part: { call, result } }) => `${call.id}:${result?.error?.code ?? 'ok'}`,
  )
  for (const bench of [first, second, last]) {
    void bench?.agent.close()
    bench?.kill()
  }
  return {
    end: end?.reason ?? 'nothing stored',
    calls: codes.join(' '),
    runs: Object.values(tools.runs).join('/'),
    broken,
    moments,
  }
}
