// What a tool says itself in the question before its call: it is stored, the approval is bound to it and to the tool
// context, and without it nothing runs.
import { toolCallsOf } from '../../../../src/core/data/message.js'
import type { Tool } from '../../../../src/page/tools/tool.js'
import { expect, test, until } from '../../../support/lab/lab.js'
import { resultsOf } from '../../../support/lab/requests.js'

const call = { name: 'check_out', arguments: { gift: true }, id: 'c-1' }
const asked = (agent: { status: string }) => () => agent.status === 'awaiting-approval'

function checkOut(runs: unknown[], question: NonNullable<Tool['question']>, more: Partial<Tool> = {}): Tool {
  return {
    name: 'check_out',
    description: 'Buys what is in the cart',
    inputSchema: { type: 'object', properties: { gift: { type: 'boolean' } } },
    question,
    execute(input, { toolContext }) {
      runs.push([input, toolContext])
      return 'bought'
    },
    ...more,
  }
}

test('a question of rows or text asks by itself, is part of the session, and the call runs as it was shown', async ({
  lab,
}) => {
  const rows = [{ label: 'Total\u202e', value: '€ 24.00 ' }]
  for (const [made, shown] of [
    [rows, [{ label: 'Total', value: '€ 24.00' }]],
    ['Buy 2 teapots for € 24.00?', 'Buy 2 teapots for € 24.00?'],
    [Promise.resolve('Later'), 'Later'],
  ] as const) {
    const runs: unknown[] = []
    const seen: unknown[] = []
    const { agent } = await lab.start([{ calls: [call] }, { text: 'Done' }])
    agent.registerTool(
      checkOut(runs, (input, run) => {
        seen.push([input, run.toolCallId])
        return made
      }),
    )
    const turn = agent.send('Buy it')
    await until(agent, asked(agent))
    const [part] = toolCallsOf(agent.messages.at(-1))
    expect(part?.approval?.preview).toEqual({ question: shown })
    // The words are about the arguments of the model.
    await expect(agent.approve('c-1', { input: { gift: false } })).rejects.toMatchObject({ code: 'invalid-option' })
    // The next question says something else.
    expect((await agent.approvalTool('c-1'))?.offers).toEqual([])
    await expect(agent.approve('c-1', { remember: 'session' })).rejects.toMatchObject({ code: 'invalid-option' })
    expect([seen, runs]).toEqual([[[{ gift: true }, 'c-1']], []])
    await agent.approve('c-1')
    await turn
    expect(runs).toEqual([[{ gift: true }, {}]])
  }
})

test('needsApproval decides whether the question is asked', async ({ lab }) => {
  const runs: unknown[] = []
  const { agent } = await lab.start([{ calls: [call] }, { text: 'Done' }])
  agent.registerTool(
    checkOut(
      runs,
      () => {
        throw new Error('not needed')
      },
      { needsApproval: ({ gift }) => gift !== true },
    ),
  )
  await agent.send('Buy it')
  expect(runs).toHaveLength(1)
})

test('a tool context that changed before the answer asks again, also if the words stay the same', async ({ lab }) => {
  const runs: unknown[] = []
  const { agent, events } = await lab.start([{ calls: [call] }, { text: 'Done' }], {
    toolContext: { total: 24, buyer: 'ada' },
  })
  agent.registerTool(checkOut(runs, (_input, { toolContext }) => `Pay € ${String(toolContext['total'])}?`))
  const questions = () =>
    events.flatMap((event) => (event.type === 'approval-request' ? [event.approval.preview?.question] : []))
  const turn = agent.send('Buy it')
  await until(agent, asked(agent))
  agent.configure({ ...agent.options, toolContext: { total: 36, buyer: 'ada' } })
  await agent.approve('c-1')
  await expect.poll(questions).toEqual(['Pay € 24?', 'Pay € 36?'])
  agent.configure({ ...agent.options, toolContext: { total: 36, buyer: 'bob' } })
  await agent.approve('c-1')
  await expect.poll(questions).toEqual(['Pay € 24?', 'Pay € 36?', 'Pay € 36?'])
  expect(runs).toEqual([])
  await agent.approve('c-1')
  await turn
  expect(runs).toEqual([[{ gift: true }, { total: 36, buyer: 'bob' }]])
})

test('a context that the tool does not read changes nothing', async ({ lab }) => {
  const runs: unknown[] = []
  const { agent, events } = await lab.start([{ calls: [call] }, { text: 'Done' }], { toolContext: { total: 24 } })
  const contextSchema = { type: 'object', properties: { total: { type: 'number' } } }
  agent.registerTool(checkOut(runs, () => 'Pay?', { contextSchema }))
  const turn = agent.send('Buy it')
  await until(agent, asked(agent))
  agent.configure({ ...agent.options, toolContext: { total: 24, theme: 'dark' } })
  await agent.approve('c-1')
  await turn
  expect(events.filter(({ type }) => type === 'approval-request')).toHaveLength(1)
  expect(runs).toEqual([[{ gift: true }, { total: 24 }]])
})

test('after a reload the question is asked again, with what holds then', async ({ lab }) => {
  const runs: unknown[] = []
  let total = 24
  const question = () => [{ label: 'Total', value: `€ ${total}` }]
  const first = await lab.start([{ calls: [call] }, { text: 'Done' }], { sessionId: 'shop' })
  first.agent.registerTool(checkOut(runs, question))
  void first.agent.send('Buy it').catch(() => undefined)
  await until(first.agent, asked(first.agent))
  first.kill()
  total = 36
  const { store, endpoint: endpointServer } = first
  const second = await lab.start([], { sessionId: 'shop', store, endpointServer })
  second.agent.registerTool(checkOut(runs, question))
  await second.agent.connect()
  await until(second.agent, asked(second.agent))
  // The stored one is shown until then.
  await expect
    .poll(() => toolCallsOf(second.agent.messages.at(-1))[0]?.approval?.preview)
    .toEqual({ question: [{ label: 'Total', value: '€ 36' }] })
  await second.agent.approve('c-1')
  await until(second.agent, () => second.agent.status === 'idle')
  expect(runs).toHaveLength(1)
})

test('without words that can be shown, the call is refused, and the model reads why', async ({ lab }) => {
  const cases: [question: () => unknown, why: RegExp][] = [
    [() => Promise.reject(new Error('The cart is empty')), /The cart is empty/],
    [
      () => {
        throw new Error('No price')
      },
      /No price/,
    ],
    // The signal of the run ends, too.
    [() => new Promise(() => {}), /time/i],
    [() => ' \u202e', /received an empty one/],
    [() => [], /received an empty one/],
    [() => 'x'.repeat(2001), /at most 2000 characters, received 2001/],
    [() => [{ label: 'Total', value: 24 }], /both of them texts/],
    [() => undefined, /received undefined/],
  ]
  for (const [question, why] of cases) {
    const runs: unknown[] = []
    const { agent, endpoint, events } = await lab.start([{ calls: [call] }, { text: 'Sorry' }], { logErrors: false })
    agent.registerTool(checkOut(runs, question as never, { needsApproval: true }))
    await agent.send('Buy it')
    const [result] = resultsOf(endpoint.requests[1])
    expect(result).toMatch(why)
    expect(result).toContain('The user could not be asked')
    expect([runs, events.filter(({ type }) => type === 'approval-request')]).toEqual([[], []])
  }
})
