// Undoing what the assistant has changed for one message: in reverse order, once, after a reload, and what the model
// learns of it. Page tools are stand-ins that keep two values; their own part is tested in a browser.
import { allToolCalls } from '../../../../src/core/data/message.js'
import { internals } from '../../../../src/core/data/tool.js'
import { memoryStore } from '../../../../src/host/store/memory-store.js'
import type { Agent } from '../../../../src/page/agent.js'
import type { AnyTool, FieldsPutBack } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test, type Bench } from '../../../support/lab/lab.js'

const call = (name: string, input: Record<string, string> = {}) => ({ id: `call_${name}`, name, arguments: input })
const schema = { type: 'object', properties: { text: { type: 'string' } } } as const

let errors: string[]
test.beforeEach(() => {
  errors = []
  console.error = (...values: unknown[]) => void errors.push(values.join(' '))
  console.warn = () => undefined
})

/** What is offered: the newest call of the task, and how many calls its button is about. */
const offered = ({ undoable: task }: Agent) =>
  task && {
    callId: task.lines.at(-1)?.callId,
    calls: task.lines.filter(({ can }) => can !== undefined).length,
    can: task.can,
  }

/** A tool that undoes, and notes that it has. */
const undoable = (name: string, did: unknown[], more: Partial<AnyTool> = {}): AnyTool => ({
  name,
  description: `Does ${name} for the visitor`,
  inputSchema: schema,
  execute: ({ text = name }: { text?: string }) => ({ made: text }),
  undo: (input: object, output: object, run: { toolCallId: string }) => {
    did.push([name, input, output, run.toolCallId])
  },
  ...more,
})

/** A page tool that changes fields. `back`: what it puts back. */
const filling = (name: string, did: unknown[], back: Partial<FieldsPutBack> = { done: ['Name'] }): AnyTool => {
  let holds: 'before' | 'after' = 'after'
  return {
    name,
    description: `Fills the form as ${name}`,
    execute: () => [{ field: 'Name', ok: true }],
    [internals]: {
      fieldChanges: {
        holds: () => holds,
        valuesBefore: () => new Map(),
        putBack: async (run, to) => {
          did.push([name, to, run.toolCallId])
          if (back.done || back.kept) holds = to
          return { done: [], kept: [], lost: [], ...back }
        },
      },
    },
  }
}

const parts = ({ agent }: Bench) => allToolCalls(agent.messages).map(({ part }) => part)
const states = (bench: Bench) => parts(bench).map(({ undone }) => undone?.state)

test(
  'the fields and calls of one message are undone in reverse order, and the fields put back in order',
  { tag: '@R2.14' },
  async ({ lab }) => {
    const did: unknown[] = []
    const bench = await lab.start([
      { calls: [call('earlier')] },
      { text: 'ok' },
      { calls: [call('fill'), call('add', { text: 'tea' })] },
      { calls: [call('tick'), call('look')] },
      { text: 'Done.' },
    ])
    const { agent } = bench
    agent.registerTool([
      undoable('earlier', did),
      filling('fill', did),
      undoable('add', did),
      filling('tick', did, { done: ['Gift'], kept: ['Date'] }),
      { name: 'look', description: 'Looks at it', annotations: { readOnlyHint: true }, execute: () => 1 },
    ])
    await agent.send('One')
    expect(offered(agent)).toEqual({ callId: 'call_earlier', calls: 1, can: 'undo' })
    await agent.send('Two')
    expect(offered(agent)).toEqual({ callId: 'call_tick', calls: 3, can: 'undo' })
    expect(await agent.undoTask('undo')).toMatchObject({
      done: 3,
      kept: ['Date'],
      lost: [],
      failed: [],
      late: [],
      stays: [],
    })
    expect(did).toEqual([
      ['tick', 'before', 'call_tick'],
      ['add', { text: 'tea' }, { made: 'tea' }, 'call_add'],
      ['fill', 'before', 'call_fill'],
    ])
    expect(states(bench)).toEqual([undefined, 'done', 'done', 'done', undefined])
    expect(parts(bench)[3]?.undone?.kept).toEqual(['Date'])
    // Only the values of fields can be put back.
    expect(offered(agent)).toEqual({ callId: 'call_tick', calls: 2, can: 'redo' })
    did.length = 0
    expect(await agent.undoTask('redo')).toMatchObject({ did: 'redo', done: 2 })
    expect(did).toEqual([
      ['fill', 'after', 'call_fill'],
      ['tick', 'after', 'call_tick'],
    ])
    expect(states(bench)).toEqual([undefined, undefined, 'done', undefined, undefined])
    expect(offered(agent)).toMatchObject({ calls: 2, can: 'undo' })
  },
)

test('a press while another change runs begins after it, and the same press again has its outcome', async ({ lab }) => {
  const did: unknown[] = []
  const { agent } = await lab.start([{ calls: [call('fill'), call('add'), call('tick')] }, { text: 'Done.' }])
  const [begun, gate] = [deferred(), deferred()]
  const add = undoable('add', did, {
    undo: async () => {
      begun.resolve()
      await gate.promise
      did.push('add')
    },
  })
  agent.registerTool([filling('fill', did), add, filling('tick', did)])
  await agent.send('Go')
  const undo = agent.undoTask('undo')
  await begun.promise
  // What is undone already can be put back, while the rest is still being undone.
  const redo = agent.undoTask('redo')
  const again = agent.undoTask('undo', 'call_fill')
  const repeated = agent.undoTask('undo', 'call_fill')
  gate.resolve()
  expect(await undo).toMatchObject({ did: 'undo', done: 3 })
  expect(await redo).toMatchObject({ did: 'redo', done: 2 })
  expect(await again).toMatchObject({ did: 'undo', done: 1 })
  expect(await repeated).toBe(await again)
  expect(did).toEqual([
    ['tick', 'before', 'call_tick'],
    'add',
    ['fill', 'before', 'call_fill'],
    ['fill', 'after', 'call_fill'],
    ['tick', 'after', 'call_tick'],
    ['fill', 'before', 'call_fill'],
  ])
})

test('is not offered while a turn runs, for a failed call, and without `undo`', async ({ lab }) => {
  const hold = deferred()
  const { agent } = await lab.start([
    { calls: [call('plain'), call('fails')] },
    { text: 'ok' },
    { calls: [call('add')] },
    { text: ['Wait', '.'], hold: hold.promise },
  ])
  const fails = () => {
    throw new Error('no')
  }
  agent.registerTool([
    { name: 'plain', description: 'Cannot be undone', execute: () => 1 },
    undoable('fails', [], { execute: fails }),
    undoable('add', []),
  ])
  await agent.send('One')
  expect(agent.undoable).toBeUndefined()
  const sent = agent.send('Two')
  await expect.poll(() => agent.session?.draft?.parts.length).toBe(1)
  expect(agent.undoable).toBeUndefined()
  hold.resolve()
  await sent
  expect(agent.undoable?.can).toBe('undo')
})

test(
  'after a reload it is offered as soon as the tool is registered again, and runs at most once',
  { tag: '@R2.14' },
  async ({ lab }) => {
    const store = memoryStore()
    const did: unknown[] = []
    const long = { text: 'x'.repeat(90_000) }
    const first = await lab.start([{ calls: [call('add', long)] }, { text: 'ok' }], { store, sessionId: 's' })
    first.agent.registerTool(undoable('add', did))
    await first.agent.send('Go')
    await first.agent.close()
    const { agent } = await lab.start([], { store, sessionId: 's' })
    await agent.connect()
    expect(agent.undoable).toBeUndefined()
    const unregister = agent.registerTool(undoable('add', did))
    expect(offered(agent)).toEqual({ callId: 'call_add', calls: 1, can: 'undo' })
    // Two presses in one task.
    await Promise.all([agent.undoTask('undo'), agent.undoTask('undo')])
    // A result that is too long for the message is read from the store.
    expect(did).toEqual([['add', long, { made: long.text }, 'call_add']])
    expect(offered(agent)).toEqual({ callId: 'call_add', calls: 0, can: undefined })
    await agent.undoTask('undo')
    await agent.undoTask('redo')
    expect(did).toHaveLength(1)
    unregister()
    expect(agent.undoable).toBeUndefined()
  },
)

test(
  'an undo that throws is told and may be tried again; the others are undone nevertheless',
  { tag: '@R2.14' },
  async ({ lab }) => {
    const did: unknown[] = []
    const bench = await lab.start([{ calls: [call('one'), call('two')] }, { text: 'ok' }])
    const { agent } = bench
    let isBroken = true
    const undo = async () => {
      did.push('two')
      if (isBroken) throw new Error('The shop is closed')
    }
    agent.registerTool([undoable('one', did), undoable('two', did, { undo })])
    await agent.send('Go')
    const outcome = await agent.undoTask('undo')
    expect(outcome).toMatchObject({ done: 1, late: [] })
    expect(outcome.failed.map((part) => part.call.name)).toEqual(['two'])
    expect(states(bench)).toEqual(['done', 'failed'])
    expect(errors.join()).toContain('The undo of tool "two" failed in call call_two: The shop is closed')
    expect(offered(agent)).toEqual({ callId: 'call_two', calls: 1, can: 'undo' })
    isBroken = false
    expect(await agent.undoTask('undo')).toMatchObject({ done: 1, failed: [] })
    expect(states(bench)).toEqual(['done', 'done'])
    expect(did).toEqual(['two', ['one', {}, { made: 'one' }, 'call_one'], 'two'])
  },
)

test(
  'an undo that is not over in time is not called again, and its beginning is stored before it runs',
  { tag: '@R2.14' },
  async ({ lab }) => {
    const bench = await lab.start([{ calls: [call('slow')] }, { text: 'ok' }, { text: 'I see.' }])
    const { agent, endpoint } = bench
    const seen: unknown[] = []
    const undo = (_input: object, _output: object, run: { signal: AbortSignal }) => {
      seen.push(states(bench)[0])
      return new Promise((_resolve, reject) => {
        run.signal.onabort = reject
      })
    }
    agent.registerTool(
      undoable('slow', [], { undo, timeout: 20, maxRetries: 3, annotations: { idempotentHint: true } }),
    )
    await agent.send('Go')
    const outcome = await agent.undoTask('undo')
    expect([outcome.done, outcome.failed, outcome.late.map((part) => part.call.name)]).toEqual([0, [], ['slow']])
    expect(seen).toEqual(['begun'])
    expect(states(bench)).toEqual(['begun'])
    expect(agent.undoable?.can).toBeUndefined()
    await agent.send('And now?')
    expect(endpoint.requests.at(-1)?.raw).toContain('(whether that took effect is not known)')
  },
)

test(
  'the model learns with the next message what the user has undone, and that they took it back',
  { tag: '@R2.14' },
  async ({ lab }) => {
    const { agent, endpoint } = await lab.start([
      { calls: [call('fill', { text: 'Ada' }), call('add', { text: 'tea' })] },
      { text: 'ok' },
      { text: 'I see.' },
      { text: 'Fine.' },
      { text: 'Fine.' },
    ])
    agent.registerTool([filling('fill', [], { done: ['Name'], kept: ['Date'] }), undoable('add', [])])
    await agent.send('Go')
    await agent.undoTask('undo')
    const said = () => {
      // The lab leaves facts out of the parsed body.
      const { messages } = JSON.parse(endpoint.requests.at(-1)?.raw ?? '') as {
        messages: { role: string; content: string }[]
      }
      return messages
        .filter(({ role }) => role === 'user')
        .map(({ content }) => /Undone by the user: .*/.exec(content)?.[0])
    }
    await agent.send('And?')
    const fact = 'Undone by the user: fill {"text":"Ada"} (left as they are now: Date); add {"text":"tea"}'
    expect(said()).toEqual([undefined, fact])
    await agent.undoTask('redo')
    await agent.send('And now?')
    expect(said()).toEqual([undefined, fact, 'Undone by the user: add {"text":"tea"}'])
    await agent.send('Still?')
    expect(said()).toEqual([undefined, fact, 'Undone by the user: add {"text":"tea"}', undefined])
  },
)

test('fields that cannot be put back are named, and count as not undone', async ({ lab }) => {
  const bench = await lab.start([{ calls: [call('fill')] }, { text: 'ok' }])
  bench.agent.registerTool(filling('fill', [], { lost: ['Name'] }))
  await bench.agent.send('Go')
  expect(await bench.agent.undoTask('undo')).toMatchObject({ done: 0, lost: ['Name'] })
  expect(states(bench)).toEqual(['failed'])
  expect(bench.agent.undoable?.can).toBe('undo')
})

test('what cannot be undone is listed by its effect', async ({ lab }) => {
  const { agent } = await lab.start([
    { calls: ['add', 'order', 'remove', 'look', 'todo_read'].map((name) => call(name)) },
    { text: 'ok' },
  ])
  const plain = (name: string, annotations = {}): AnyTool => ({
    name,
    description: `Does ${name} for the visitor`,
    annotations,
    needsApproval: false,
    execute: () => name,
  })
  agent.registerTool([
    undoable('add', []),
    plain('order'),
    plain('remove', { destructiveHint: true }),
    plain('look', { readOnlyHint: true }),
  ])
  await agent.send('Go')
  const { stays } = await agent.undoTask('undo')
  expect(stays.map(({ part, effect }) => [part.call.name, effect])).toEqual([
    ['order', 'other'],
    ['remove', 'destroy'],
  ])
})

test('calls that a file claims are not undone', { tag: '@R2.14' }, async ({ lab }) => {
  const did: unknown[] = []
  const { agent } = await lab.start([
    { calls: [call('add')] },
    { text: 'ok' },
    { calls: [{ ...call('add'), id: 'call_own' }] },
    { text: 'ok' },
  ])
  agent.registerTool(undoable('add', did))
  await agent.send('Go')
  const id = await agent.sessions.import(await agent.sessions.export())
  await agent.sessions.open(id)
  expect([agent.messages.length, agent.undoable]).toEqual([3, undefined])
  await agent.send('Again')
  expect(offered(agent)).toMatchObject({ callId: 'call_own', calls: 1 })
})

test('`undo` must be a function', async ({ lab }) => {
  const { agent } = await lab.start([])
  expect(() => agent.registerTool(undoable('add', [], { undo: 'no' as never }))).toThrow(/undo: expected a function/)
})
