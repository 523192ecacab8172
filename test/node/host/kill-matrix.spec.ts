// A turn with parallel calls, an approval, a todo write and an agent inside it. The host is killed directly before or
// after each event, with or without the page, with or without a second tab: I1 to I5 hold. One table per combination.
// The default run plays every third point of each table, so that each point is part of two or more of the eight tables.
import { allToolCalls } from '../../../src/core/data/message.js'
import { openToolCalls } from '../../../src/core/data/session.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import type { Agent } from '../../../src/page/agent.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'
import type { Endpoint } from '../../support/lab/endpoint.js'
import { losses, misruns } from '../../support/lab/invariants.js'
import { callsWithAgent, killModel, plainCalls, repeatable } from '../../support/faults/kill-model.js'
import { expect, test, until, type Bench, type Lab } from '../../support/lab/lab.js'
import { isLong } from '../../support/project/long.js'
import { FakeOrigin } from '../../support/lab/tabs.js'
import { hurry } from '../../support/lab/timers.js'

/** The tools of both pages. They share their counters, because both pages act on the same data. */
class Tools {
  readonly runs = { read: 0, write: 0, pay: 0, find: 0, order: 0 }
  register(agent: Agent): void {
    const count = (name: keyof Tools['runs']) => `${name} ${++this.runs[name]}`
    const hint = { readOnlyHint: true }
    agent.registerTool([
      { name: 'read', description: 'Reads', annotations: hint, execute: () => count('read') },
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

interface Case {
  readonly dies: 'host' | 'page'
  readonly when: 'before' | 'behind'
  readonly fact: number
  readonly calls: typeof plainCalls | typeof callsWithAgent
  /** A second tab mirrors the session. If the page is killed, the user continues there. */
  readonly mirror: boolean
}

interface Row {
  readonly end: string
  readonly calls: string
  readonly runs: string
  readonly broken: readonly string[]
}

let number = 0

/** Plays the turn until the fault, continues as a page or its user does, and checks the invariants. */
async function killed(lab: Lab, endpointServer: Endpoint, { dies, when, fact, mirror }: Case): Promise<Row> {
  const broken: string[] = []
  const sessionId = `matrix-${++number}`
  const disk: MemoryDisk = new Map()
  const origin = new FakeOrigin()
  const tools = new Tools()
  const page = async (more: { killAfter?: number; killBefore?: number; worker?: boolean } = {}): Promise<Bench> => {
    const bench = await lab.start([], { sessionId, disk, origin, endpointServer, ...more })
    tools.register(bench.agent)
    return bench
  }
  const first = await page({ worker: true, ...(when === 'before' ? { killBefore: fact } : { killAfter: fact }) })
  await first.agent.connect()
  const second = mirror ? await page() : undefined
  await second?.agent.connect()
  const sent = first.agent.send('Go').then(
    ({ text, reason }) => `${reason} ${text}`,
    (error: { code: string }) => error.code,
  )
  await first.dead
  const seen = first.agent.session
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
  }
}

/** Facts of the undisturbed turn. */
async function factsOf(lab: Lab, calls: Case['calls']): Promise<number> {
  const tools = new Tools()
  const { agent, log } = await lab.start(killModel(calls))
  tools.register(agent)
  await agent.send('Go')
  return log.filter((line) => line.startsWith('commit:head')).length
}

test.beforeEach(() => {
  console.error = () => undefined
})

let tables = 0
for (const calls of [plainCalls, callsWithAgent]) {
  const kind = calls === plainCalls ? 'parallel calls, an approval and a todo write' : 'an agent inside it as well'
  for (const dies of ['host', 'page'] as const) {
    for (const mirror of [false, true]) {
      const table = tables++
      const who = dies === 'host' ? 'the host alone dies, the page lives' : 'the whole page dies'
      test(
        `kill matrix: ${who}${mirror ? ', another tab mirrors' : ''}, at each event of a turn with ${kind}`,
        { tag: ['@F2', '@F15'] },
        async ({ lab }) => {
          test.setTimeout(120_000)
          const timers = hurry(600)
          try {
            const facts = await factsOf(lab, calls)
            expect(facts).toBeGreaterThanOrEqual(12)
            const endpoint = (await lab.start(killModel(calls))).endpoint
            const points = Array.from({ length: facts }, (_, index) =>
              (['before', 'behind'] as const).map((when) => ({ when, fact: index + 1 })),
            )
              .flat()
              .filter((_, place) => isLong || place % 3 === table % 3)
            // Side by side: most of their time is waiting for locks.
            const rows = await Promise.all(
              points.map((point) => killed(lab, endpoint, { dies, calls, mirror, ...point })),
            )
            const lines = rows.map(({ end, runs, calls: results, broken }, place) => {
              const { when, fact } = points[place]!
              return `${when.padEnd(6)} ${String(fact).padStart(2)}  ${end.padEnd(14)}  runs ${runs}  ${results}  ${broken.length === 0 ? 'I1–I5 hold' : `BROKEN ${broken.join('; ')}`}`
            })
            console.log(
              `${who}${mirror ? ', another tab watches' : ''} (runs: read/write/pay/find/order)\n${lines.join('\n')}`,
            )
            expect(lines.filter((line) => line.includes('BROKEN'))).toEqual([])
          } finally {
            timers.stop()
          }
        },
      )
    }
  }
}
