// What views of frameworks read of an agent: `agentState`, on which useAgentState is built as well.
import type { Agent } from '../../../src/page/agent.js'
import { AgentSelection, agentState, isShallowEqual } from '../../../src/page/agent-selection.js'
import { deferred, expect, test, until } from '../../support/lab/lab.js'

test.beforeEach(() => {
  console.error = console.warn = () => undefined
})

/** Everything that an agent shows. */
const shown = {
  session: (agent: Agent) => agent.session,
  messages: (agent: Agent) => agent.messages,
  todos: (agent: Agent) => agent.todos,
  usage: (agent: Agent) => agent.usage,
  status: (agent: Agent) => agent.status,
  host: (agent: Agent) => agent.host,
  role: (agent: Agent) => agent.role,
  storage: (agent: Agent) => agent.storage,
  error: (agent: Agent) => agent.error,
  progress: (agent: Agent) => agent.progress,
  renderers: (agent: Agent) => agent.renderers,
  questions: (agent: Agent) => agent.questions,
  queue: (agent: Agent) => agent.queue.map(({ turn, text }) => `${turn} ${text}`),
  tools: (agent: Agent) => agent.tools.map(({ name }) => name),
  options: (agent: Agent) => agent.options,
} satisfies Partial<Record<keyof Agent, unknown>>

test('no change of an agent is missed, and nothing is announced that did not change', async ({ lab }) => {
  const hold = deferred()
  const { agent } = await lab.start(
    [
      { calls: [{ name: 'todo_write', arguments: { items: [{ text: 'Pay', status: 'completed' }] } }] },
      { calls: [{ name: 'pay', arguments: {} }] },
      { text: ['Half of it', ' and the rest.'], hold: hold.promise },
      { text: 'Two.' },
      { status: 400, body: { error: { message: 'no' } } },
    ],
    { sessionId: 's1' },
  )
  const wrong: string[] = []
  const stores = Object.entries(shown).map(([name, select]: [string, (agent: Agent) => unknown]) => {
    const one = { name, select, value: undefined as unknown, announced: 0 }
    const stop = agentState(agent, select).subscribe((value) => {
      if (one.announced > 0 && isShallowEqual(one.value, value)) wrong.push(`${name} was announced without a change`)
      one.value = value
      one.announced += 1
    })
    return Object.assign(one, { stop })
  })
  /** After each task: all that happened in its microtasks is announced. */
  const check = (): void => {
    for (const { name, select, value } of stores)
      if (!isShallowEqual(value, select(agent))) wrong.push(`${name} was not announced`)
  }
  const timer = setInterval(check, 0)

  const remove = agent.registerTool({
    name: 'pay',
    needsApproval: true,
    execute: (_input, { report }) => {
      report({ message: 'Paying', fraction: 0.5 })
      return 'paid'
    },
  })
  agent.registerToolRenderer('pay', () => 'Paid')
  agent.configure({ ...agent.options, instructions: 'Be short' })
  const first = agent.send('Pay')
  await until(agent, () => agent.questions.length === 1)
  check()
  expect(agent.questions[0]?.approval?.title).toBe('Pay')
  await agent.approve(agent.questions[0]!.call.id)
  await until(agent, () => agent.session?.draft?.parts.length === 1)
  const second = agent.send('And two?')
  await until(agent, () => agent.queue.length === 1)
  hold.resolve()
  await Promise.all([first, second])
  await expect(agent.send('Fail')).rejects.toThrow()
  remove()
  await agent.sessions.create()
  agent.dismissError()
  await new Promise((resolve) => setTimeout(resolve))
  check()
  clearInterval(timer)
  expect([...new Set(wrong)]).toEqual([])
  const rarely = new Map(stores.map(({ name, announced }) => [name, announced]))
  expect(rarely.get('options')).toBe(2)
  expect(rarely.get('tools')).toBe(3)
  expect(rarely.get('todos')).toBe(3)
  expect(rarely.get('messages')! < rarely.get('session')!).toBe(true)
  for (const { stop } of stores) stop()
  const before = stores.map(({ announced }) => announced)
  agent.registerToolRenderer('pay', () => 'Paid again')
  await new Promise((resolve) => setTimeout(resolve))
  expect(stores.map(({ announced }) => announced)).toEqual(before)
})

test('a selector may return a new object each time, and is called again only after a change', async ({ lab }) => {
  const { agent } = await lab.start([{ text: 'Yes.' }])
  const selection = new AgentSelection<{ status: string; count: number }>()
  let calls = 0
  const select = ({ status, messages }: Agent) => {
    calls += 1
    return { status, count: messages.length }
  }
  const first = selection.read(agent, select)
  expect(selection.read(agent, select)).toBe(first)
  expect(calls).toBe(1)
  // Written inline, it is another function at each render.
  expect(selection.read(agent, ({ status, messages }) => ({ status, count: messages.length }))).toBe(first)
  const stop = selection.observe(agent, () => undefined)
  await agent.send('Really?')
  expect(selection.read(agent, select)).toEqual({ status: 'idle', count: 2 })
  stop()
  const always = new AgentSelection<number[]>()
  const list = always.read(
    agent,
    () => [1],
    () => false,
  )
  expect(
    always.read(
      agent,
      () => [1],
      () => false,
    ),
  ).not.toBe(list)
})

test('a change before the subscription is seen by the first reading after it', ({}) => {
  const listeners = new Set<() => void>()
  const agent = { status: 'ready', observe: (one: () => void) => (listeners.add(one), () => listeners.delete(one)) }
  const selection = new AgentSelection<string>()
  const select = ({ status }: Agent) => status
  expect(selection.read(agent as never, select)).toBe('ready')
  agent.status = 'idle'
  const stop = selection.observe(agent as never, () => undefined)
  expect(selection.read(agent as never, select)).toBe('idle')
  stop()
  expect(listeners.size).toBe(0)
})

test('several changes of one task are announced once', async ({ lab }) => {
  const { agent } = await lab.start([])
  const values: number[] = []
  const stop = agentState(agent, ({ tools }) => tools.length).subscribe((count) => values.push(count))
  for (const name of ['a', 'b', 'c']) agent.registerTool({ name, execute: () => 1 })
  expect(values).toEqual([0])
  await Promise.resolve()
  expect(values).toEqual([0, 3])
  stop()
})

test('equal are arrays and plain objects with the same members, and nothing else', () => {
  const same = {}
  expect(isShallowEqual([same, 1], [same, 1])).toBe(true)
  expect(isShallowEqual({ a: same }, { a: same })).toBe(true)
  expect(isShallowEqual(NaN, NaN)).toBe(true)
  for (const [one, other] of [
    [[{}], [{}]],
    [[1], [1, 2]],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    [new Map(), new Map()],
    [null, {}],
    [1, '1'],
  ])
    expect(isShallowEqual(one, other), JSON.stringify([one, other])).toBe(false)
})
