// The file with the rare parts of the host cannot be loaded for some time. Nothing is lost, nothing runs twice, and
// everything works as soon as the file can be loaded.
import { toolCallsOf } from '../../../src/core/data/message.js'
import { bundledFiles } from '../../../src/host/bundled-files.js'
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import type { Agent } from '../../../src/page/agent.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { expect, test as base } from '../../support/lab/lab.js'
import { hurry } from '../../support/lab/timers.js'

interface Files {
  /** Lets every load of the parts fail, except the first `allowed` ones, until `restore`. */
  block(allowed?: number): void
  restore(): void
  /** How many loads failed. */
  failed(): number
}

const test = base.extend<{ files: Files }>({
  files: async ({}, use) => {
    const { parts } = bundledFiles
    if (parts === undefined) throw new Error('A host in Node contains the parts')
    // The pause before the second try.
    const timers = hurry(1_000)
    let failed = 0
    const set = (load: typeof parts) => Object.assign(bundledFiles, { parts: load })
    await use({
      block(allowed = 0) {
        let left = allowed
        set(() => {
          if (left-- > 0) return parts()
          failed++
          return Promise.reject(new TypeError('Failed to fetch'))
        })
      },
      // Another function, because a host remembers a file by the function that loads it.
      restore: () => set(() => parts()),
      failed: () => failed,
    })
    timers.stop()
    set(parts)
  },
})

const call = (id: string, name: string, args: object | string = {}) => ({ id, name, arguments: args as never })

/** A tool that must not run twice. */
function pay(agent: Agent): { readonly runs: number } {
  const counter = { runs: 0 }
  agent.registerTool({ name: 'pay', description: 'Pays the invoice', execute: () => `paid ${++counter.runs}` })
  return counter
}

test('a session with an open turn does not open without the recovery, and stays as it is', async ({ lab, files }) => {
  const first = await lab.start([{ calls: [call('p', 'pay')] }], { sessionId: 'crashed', killAfter: 3 })
  const counter = pay(first.agent)
  void first.agent.send('Go')
  await first.dead
  const before = await first.store.read('crashed', Infinity)
  expect(toolCallsOf(before?.messages.at(-1))).toMatchObject([{ started: { repeatable: false } }])

  files.block()
  const again = { store: first.store, sessionId: 'crashed', endpointServer: first.endpoint }
  const second = await lab.start([], again)
  const failed = await second.agent.connect().catch((error: ToolAgentError) => error)
  expect(failed).toMatchObject({ code: 'network', message: expect.stringContaining('Could not load') })
  // A failure is not reported before the second try.
  expect(files.failed()).toBe(2)
  // Only the claim has changed it.
  expect(await first.store.read('crashed', Infinity)).toEqual({ ...before, epoch: (before?.epoch ?? 0) + 1 })

  files.restore()
  await second.agent.connect()
  await expect
    .poll(() => toolCallsOf(second.agent.session?.messages.at(-1))[0]?.result?.error?.code)
    .toBe('interrupted')
  expect(counter.runs).toBe(0)
})

test('an agent as a tool that cannot be loaded fails as a call that did not start', async ({ lab, files }) => {
  const { agent, events } = await lab.start([
    { calls: [call('a', 'research', { task: 'Find teas' })] },
    { text: 'It failed.' },
  ])
  agent.registerTool(agentTool({ name: 'research', description: 'Finds out', instructions: 'You research.' }))
  await agent.connect()
  files.block()
  const { text, toolExecutions } = await agent.send('Go')
  expect(text).toBe('It failed.')
  expect(toolExecutions).toMatchObject([{ attempts: 0, error: { code: 'execution-failed' } }])
  expect(events.map(({ type }) => type)).not.toContain('tool-start')
})

test('calls that cannot be read do not run, and the text of their answer is kept', async ({ lab, files }) => {
  const { agent } = await lab.start([
    { text: 'I pay.', calls: [call('p', 'pay'), call('q', 'PAY')] },
    { text: 'Continued.' },
  ])
  const counter = pay(agent)
  await agent.connect()
  files.block()
  const failed = await agent.send('Go').catch((error: ToolAgentError) => error)
  expect(failed).toMatchObject({ code: 'network', turn: { text: 'I pay.', toolExecutions: [] } })
  expect(counter.runs).toBe(0)
  files.restore()
  expect(await agent.continue()).toMatchObject({ text: 'Continued.' })
})

test('a call that needs a question fails without the question', async ({ lab, files }) => {
  const { agent } = await lab.start([{ calls: [call('p', 'delete')] }, { text: 'ok' }])
  let runs = 0
  agent.registerTool({ name: 'delete', description: 'Deletes', needsApproval: true, execute: () => ++runs })
  await agent.connect()
  files.block()
  const { toolExecutions } = await agent.send('Go')
  expect(toolExecutions).toMatchObject([{ attempts: 0, error: { code: 'execution-failed' } }])
  expect(runs).toBe(0)
})

test('markup of a call is displayed if its filter cannot be loaded', async ({ lab, files }) => {
  const markup = 'See <tool_call>{"name":"pay"}</tool_call>'
  const { agent } = await lab.start([{ text: markup }, { text: markup }])
  pay(agent)
  await agent.connect()
  files.block()
  expect(await agent.send('Go')).toMatchObject({ text: markup, reason: 'stop' })
  files.restore()
  expect(await agent.send('Go')).toMatchObject({ text: 'See ', reason: 'stop' })
})

test('a disk that fills up while the parts cannot be loaded ends the turn, and loses nothing', async ({
  lab,
  files,
}) => {
  let isFull = false
  const full = () => {
    if (isFull) throw new Error('The disk is full')
  }
  const first = await lab.start([{ calls: [call('p', 'pay')] }], { sessionId: 'full', onCommit: full })
  let runs = 0
  first.agent.registerTool({
    name: 'pay',
    description: 'Pays the invoice',
    execute() {
      isFull = true
      return `paid ${++runs}`
    },
  })
  await first.agent.connect()
  files.block()
  const failed = await first.agent.send('Go').catch((error: ToolAgentError) => error)
  expect(failed).toMatchObject({
    code: 'storage',
    message: expect.stringMatching(/The disk is full.*Could not load/),
  })
  // Nothing that cannot be stored is accepted.
  const next = await first.agent.send('Again').catch((error: ToolAgentError) => error)
  expect(next).toMatchObject({ code: 'storage', message: expect.stringContaining('Start a new one') })
  await first.agent.close()

  isFull = false
  files.restore()
  const second = await lab.start([], { store: first.store, sessionId: 'full', endpointServer: first.endpoint })
  await second.agent.connect()
  await expect
    .poll(() => toolCallsOf(second.agent.session?.messages.at(-1))[0]?.result?.error?.code)
    .toBe('interrupted')
  expect(runs).toBe(1)
})

test('a usual turn does not load the parts', async ({ lab, files }) => {
  const { agent } = await lab.start([
    { calls: [call('p1', 'pay')] },
    { text: 'Done, call me, [see](https://shop.example).' },
  ])
  const counter = pay(agent)
  files.block()
  expect(await agent.send('Go')).toMatchObject({ reason: 'stop' })
  expect(counter.runs).toBe(1)
  expect(files.failed()).toBe(0)
})
