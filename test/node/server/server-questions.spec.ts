// Questions about tools of a server: what a page knows of the tool, changed arguments, and what is allowed for the
// conversation. A page is not believed in any of it.
import { expect, test } from 'playwright/test'
import { z } from 'zod'
import { allToolCalls } from '../../../src/core/data/message.js'
import { agentTool } from '../../../src/page/tools/agent-tool.js'
import { defineTool, type AnyTool, type ToolRun } from '../../../src/page/tools/tool.js'
import type { Agent } from '../../../src/page/agent.js'
import { parseQuestion } from '../../../src/page/client/remote/question-tool.js'
import { scriptedModel, type ScriptedStep } from '../../../src/testing/scripted-model.js'
import { deferred } from '../../support/lab/lab.js'
import { anAgent } from '../../support/server/pages.js'
import { aServer, Page, runs } from '../../support/server/sockets.js'

/** A tool that asks before it refunds an order, and what it was called with. */
function refunds(more: Partial<AnyTool> = {}) {
  const ran: unknown[] = []
  const refund = defineTool({
    name: 'refund',
    description: 'Pays the price of an order back',
    inputSchema: z.object({ order: z.number().max(9).meta({ title: 'Order number' }) }),
    needsApproval: true,
    execute: (input) => void ran.push(input),
    ...(more as object),
  })
  return { ran, refund }
}

const refundOf = (order: number): ScriptedStep => ({ calls: [{ name: 'refund', id: `c${order}`, input: { order } }] })

/** A server whose model refunds these orders, one after another. */
const withRefunds = (orders: readonly number[], tool: AnyTool, more: object = {}) =>
  aServer(scriptedModel([...orders.map(refundOf), 'Done']), { tools: [tool], ...more })

const approvalOf = (agent: Agent, callId: string) =>
  allToolCalls(agent.session?.messages ?? []).find(({ part }) => part.call.id === callId)?.part.approval
const asked = async (agent: Agent, callId: string) => {
  await expect.poll(() => approvalOf(agent, callId)).toBeDefined()
  return approvalOf(agent, callId)!
}

test('each page knows the schema and the hints of the tool, also one that comes while the question waits', async () => {
  const { ran, refund } = refunds()
  const { host, close } = await withRefunds([1], refund)
  // The page has a tool of the same name, which is not the one that is asked about.
  const mine = defineTool({ name: 'refund', description: 'Another tool of that name', execute: () => ran.push('mine') })
  const { agent: desk } = anAgent(host, 'anna', { options: { sessionId: 's', tools: [mine] } })
  const turn = desk.send('Go')
  await asked(desk, 'c1')
  const { agent: phone } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  await phone.connect()
  for (const agent of [desk, phone])
    expect(await agent.approvalTool('c1')).toMatchObject({
      inputSchema: { properties: { order: { title: 'Order number', maximum: 9 } }, required: ['order'] },
      annotations: {},
      offers: ['session'],
      isDiscovered: false,
    })
  await phone.approve('c1')
  await turn
  expect(ran).toEqual([{ order: 1 }])
  await Promise.all([desk.close(), phone.close()])
  await close()
})

test('after a restart, a page knows the tool of a question that an earlier server has asked', async () => {
  const { refund } = refunds()
  const first = await withRefunds([1], refund)
  const page = new Page(first.host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('approval-request')
  await first.close()
  const second = await withRefunds([1], refund, { store: first.disks })
  const { agent } = anAgent(second.host, 'anna', { options: { sessionId: 's' } })
  await agent.connect()
  await asked(agent, 'c1')
  expect(await agent.approvalTool('c1')).toMatchObject({ inputSchema: { required: ['order'] } })
  await agent.close()
  await second.close()
})

test('the tool of an agent that runs on the server is known, and its changed arguments are validated', async () => {
  const { ran, refund } = refunds()
  const helper = agentTool({
    name: 'helper',
    description: 'Pays orders back for the user',
    instructions: 'Pay it back.',
    tools: [refund],
  })
  const model = scriptedModel([{ calls: [{ name: 'helper', input: { task: 'Go' } }] }, refundOf(1), 'Paid', 'Done'])
  const { host, close } = await aServer(model, { tools: [helper] })
  const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  const turn = agent.send('Go')
  await asked(agent, 'c1')
  expect(await agent.approvalTool('c1')).toMatchObject({ inputSchema: { required: ['order'] } })
  await expect(agent.approve('c1', { input: { order: 10 } })).rejects.toMatchObject({ code: 'invalid-input' })
  await agent.approve('c1', { input: { order: 2 } })
  await turn
  expect(ran).toEqual([{ order: 2 }])
  await agent.close()
  await close()
})

test('the server validates changed arguments, and the question stays until they are right', async () => {
  const inputSchema = z.object({
    order: z.number().refine((order) => order !== 13, { error: 'Order 13 was paid back already.' }),
  })
  const { ran, refund } = refunds({ inputSchema })
  const { host, close } = await withRefunds([1], refund)
  const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  const turn = agent.send('Go')
  const { hash } = await asked(agent, 'c1')
  for (const [input, issue] of [
    [{ order: 'x' }, { path: 'order' }],
    [{ order: 13 }, { path: 'order', message: 'Order 13 was paid back already.', forVisitors: true }],
  ] as const)
    await expect(agent.approve('c1', { input })).rejects.toMatchObject({
      code: 'invalid-input',
      details: [expect.objectContaining(issue)],
    })
  // Nor does a page that validates nothing get them in.
  const page = new Page(host, 'anna')
  await page.open('phone', 's')
  page.say({ type: 'decide', id: 'd1', callId: 'c1', hash, decision: 'approve', input: { order: 13 } })
  expect(await page.until((message) => message.type === 'refused')).toMatchObject({
    id: 'd1',
    error: { code: 'invalid-input' },
  })
  expect(approvalOf(agent, 'c1')?.hash).toBe(hash)
  await agent.approve('c1', { input: { order: 5 } })
  await turn
  expect(ran).toEqual([{ order: 5 }])
  await agent.close()
  await close()
})

test('what throws while arguments are checked is not told to a page', async () => {
  const inputSchema = z.object({
    order: z.number().refine((order) => {
      if (order > 9) throw new Error('connect ECONNREFUSED 10.0.0.3:5432')
      return true
    }),
  })
  const { refund } = refunds({ inputSchema })
  const { host, close } = await withRefunds([1], refund)
  const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  void agent.send('Go').catch(() => undefined)
  await asked(agent, 'c1')
  const thrown: unknown = await agent.approve('c1', { input: { order: 10 } }).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'invalid-input', message: 'These arguments could not be checked.' })
  await agent.close()
  await close()
})

test('what is allowed for the conversation is kept by the server: for all pages, and for this conversation alone', async () => {
  const { ran, refund } = refunds()
  const { host, close } = await aServer(
    scriptedModel([refundOf(1), refundOf(2), 'Done', refundOf(3), 'Done', refundOf(4)]),
    { tools: [refund] },
  )
  const { agent: desk } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  const turn = desk.send('Go')
  await asked(desk, 'c1')
  await desk.approve('c1', { remember: 'session' })
  await turn
  expect(ran).toEqual([{ order: 1 }, { order: 2 }])
  const { agent: phone } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  await phone.send('Again')
  expect(ran).toHaveLength(3)
  const { agent: other } = anAgent(host, 'anna', { options: { sessionId: 't' } })
  void other.send('Go').catch(() => undefined)
  await asked(other, 'c4')
  await Promise.all([desk.close(), phone.close(), other.close()])
  await close()
})

for (const [title, tool, remember] of [
  ['a destructive tool', { annotations: { destructiveHint: true } }, 'session'],
  ['a tool with a question of its own', { question: () => 'Pay it back?' }, 'session'],
  ['consequences, while a page describes tools', { annotations: { consequentialHint: true } }, 'session'],
  ['the task, which is for actions on a page', {}, 'task'],
] as const)
  test(`no page allows for longer what the question does not offer: ${title}`, async () => {
    const { ran, refund } = refunds(tool as Partial<AnyTool>)
    const { host, disks, close } = await withRefunds([1], refund)
    const page = new Page(host, 'anna', { answers: runs })
    await page.open('desk', 's')
    page.send('m1')
    await page.event('approval-request')
    const { part } = allToolCalls((await disks.forUser('anna').read('s', 9))!.messages)[0]!
    const { hash } = part.approval!
    const question = page.seen.find((message) => message.type === 'question')
    expect(question).toMatchObject({ hash, tool: { offers: remember === 'task' ? ['session'] : [] } })
    page.say({ type: 'decide', id: 'd1', callId: 'c1', hash, decision: 'approve', remember })
    expect(await page.until((message) => message.type === 'refused')).toMatchObject({
      id: 'd1',
      error: { code: 'invalid-option' },
    })
    expect(ran).toEqual([])
    page.say({ type: 'decide', id: 'd2', callId: 'c1', hash, decision: 'approve' })
    await page.event('turn-end')
    expect([ran.length, (await disks.forUser('anna').read('s', 9))!.grants]).toEqual([1, []])
    await close()
  })

test('a schema that is very long is not sent', async () => {
  const order = { type: 'integer', enum: Array.from({ length: 20_000 }, (_, at) => at) }
  const inputSchema = { type: 'object', properties: { order } }
  const { refund } = refunds({ inputSchema } as never)
  const { host, close } = await withRefunds([1], refund)
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('approval-request')
  expect(page.seen.find((message) => message.type === 'question')).toMatchObject({ tool: { inputSchema: {} } })
  await close()
})

test('a page takes of a question what it knows, and draws no schema that is too deep', () => {
  const tool = {
    inputSchema: { type: 'object' },
    annotations: { destructiveHint: true, consequentialHint: 'yes', other: true },
    offers: ['task', 'session', 'for ever'],
  }
  expect(parseQuestion({ type: 'question', hash: 'h', tool: { ...tool, execute: 'x' } })).toEqual({
    type: 'question',
    hash: 'h',
    tool: { inputSchema: { type: 'object' }, annotations: { destructiveHint: true }, offers: ['session'] },
  })
  let deep: object = {}
  for (let level = 0; level < 5_000; level += 1) deep = { items: deep }
  for (const inputSchema of [deep, 'x', ['x'], null, undefined])
    expect(parseQuestion({ hash: 'h', tool: { inputSchema, annotations: ['x'], offers: 'session' } })?.tool).toEqual({
      inputSchema: {},
      annotations: {},
      offers: [],
    })
  for (const given of [undefined, { hash: 1, tool }, { hash: 'h', tool: 'x' }])
    expect(parseQuestion(given)).toBeUndefined()
})

test('a message that follows a decision with changed arguments does not overtake it', async () => {
  const { ran, refund } = refunds()
  const { host, disks, close } = await aServer(scriptedModel([refundOf(1), 'Done', 'Done']), { tools: [refund] })
  const page = new Page(host, 'anna', { answers: runs })
  await page.open('desk', 's')
  page.send('m1')
  await page.event('approval-request')
  const stored = await disks.forUser('anna').read('s', 9)
  const { hash } = allToolCalls(stored!.messages)[0]!.part.approval!
  page.say({ type: 'decide', id: 'd1', callId: 'c1', hash, decision: 'approve', input: { order: 2 } })
  page.send('m2')
  await page.until((message) => message.type === 'acknowledged' && message.id === 'd1')
  await expect.poll(() => ran).toEqual([{ order: 2 }])
  await close()
})

test('arguments that no server reads are refused, and the question can be answered after that', async () => {
  const { ran, refund } = refunds()
  const { host, close } = await withRefunds([1], refund)
  const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
  const turn = agent.send('Go')
  await asked(agent, 'c1')
  const deep = Array.from({ length: 80 }).reduce<object>((inner) => ({ inner }), {})
  await expect(agent.approve('c1', { input: { order: deep } } as never)).rejects.toMatchObject({
    code: 'invalid-option',
  })
  await agent.deny('c1')
  await turn
  expect(ran).toEqual([])
  await agent.close()
  await close()
})

test.describe('a tool asks while it runs', () => {
  const schema = z.object({ size: z.enum(['S', 'L']).refine((size) => size !== 'S', { error: 'S is sold out.' }) })
  const ask = (run: ToolRun, message = 'Which size?') => run.ask({ message, schema })
  /** A tool of a server that asks, and how often it began. */
  function orders(more: Partial<AnyTool> = {}) {
    const began: string[] = []
    const order = {
      name: 'order',
      description: 'Orders a shirt',
      execute: (_: never, run: ToolRun) => {
        began.push(run.sessionId)
        return ask(run)
      },
      ...more,
    } as AnyTool
    return { began, order }
  }
  const calls = { calls: [{ name: 'order', id: 'c1', input: {} }] } satisfies ScriptedStep
  const accept = (size: string) => ({ action: 'accept', content: { size } }) as const
  const resultOf = (agent: Agent) => allToolCalls(agent.session?.messages ?? [])[0]?.part.result

  test('of the server: any page answers, and the server validates', async () => {
    const { began, order } = orders()
    const { host, close } = await aServer(scriptedModel([calls, 'Done']), { tools: [order] })
    const { agent: desk } = anAgent(host, 'anna', { options: { sessionId: 's' } })
    const turn = desk.send('Go')
    const { hash, asks } = await asked(desk, 'c1')
    expect(asks).toMatchObject({ message: 'Which size?', schema: { required: ['size'] } })
    const page = new Page(host, 'anna')
    await page.open('raw', 's')
    for (const [id, input] of [
      ['d1', { size: 'M' }],
      ['d2', { size: 'S' }],
      ['d3', { size: 'L', from: 'me' }],
      ['d4', undefined],
    ] as const) {
      page.say({ type: 'decide', id, callId: 'c1', hash, decision: 'approve', ...(input ? { input } : {}) })
      const refused = await page.until((message) => message.type === 'refused' && message.id === id)
      expect(refused).toMatchObject({ error: { code: 'invalid-input' } })
    }
    const { agent: phone } = anAgent(host, 'anna', { options: { sessionId: 's' } })
    await phone.connect()
    await asked(phone, 'c1')
    await expect(phone.answer('c1', accept('S'))).rejects.toMatchObject({
      details: [expect.objectContaining({ path: 'size', message: 'S is sold out.' })],
    })
    await phone.answer('c1', accept('L'))
    await turn
    expect(resultOf(desk)?.output).toEqual(accept('L'))
    expect(began).toEqual(['s'])
    await Promise.all([desk.close(), phone.close()])
    await close()
  })

  test('of the server: one that ends or withdraws its question goes on', async () => {
    const ending = orders({
      execute: async (_: never, run: ToolRun) => {
        const withdrawn = new AbortController()
        const first = run.ask({ message: 'First?', schema, signal: withdrawn.signal })
        setTimeout(() => withdrawn.abort(), 20)
        const { action } = await first
        return Promise.race([ask(run), new Promise((resolve) => setTimeout(() => resolve(`${action}, late`), 20))])
      },
    } as Partial<AnyTool>)
    const { host, close } = await aServer(scriptedModel([calls, 'Done']), { tools: [ending.order] })
    const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
    await agent.send('Go')
    expect(resultOf(agent)?.output).toBe('cancel, late')
    expect(agent.questions).toEqual([])
    await agent.close()
    await close()
  })

  test('of the server: Stop ends it', async () => {
    const ended = deferred<string>()
    const { order } = orders({
      execute: (_: never, run: ToolRun) => ask(run).catch((reason: Error) => ended.resolve(reason.message)),
    } as Partial<AnyTool>)
    const { host, close } = await aServer(scriptedModel([calls]), { tools: [order] })
    const { agent } = anAgent(host, 'anna', { options: { sessionId: 's' } })
    const turn = agent.send('Go')
    await asked(agent, 'c1')
    agent.stop()
    await turn
    expect(await ended.promise).toBe('The call was settled')
    await agent.close()
    await close()
  })

  for (const mayRepeat of [true, false])
    test(`of the server: after a restart one that ${mayRepeat ? 'reads asks again' : 'may not run twice is interrupted'}`, async () => {
      const two = (began: string[]) =>
        orders({
          annotations: { readOnlyHint: mayRepeat },
          execute: async (_: never, run: ToolRun) => {
            began.push('ran')
            return [await ask(run), await ask(run, 'Which colour?')]
          },
        } as Partial<AnyTool>).order
      const began: string[] = []
      const first = await aServer(scriptedModel([calls]), { tools: [two(began)] })
      const { agent: desk } = anAgent(first.host, 'anna', { options: { sessionId: 's' } })
      void desk.send('Go').catch(() => undefined)
      await asked(desk, 'c1')
      await desk.answer('c1', accept('L'))
      await expect.poll(() => approvalOf(desk, 'c1')?.asks?.message).toBe('Which colour?')
      await desk.close()
      await first.close()
      const second = await aServer(scriptedModel(['Done']), { tools: [two(began)], store: first.disks })
      const { agent } = anAgent(second.host, 'anna', { options: { sessionId: 's' } })
      await agent.connect()
      if (mayRepeat) {
        await expect.poll(() => approvalOf(agent, 'c1')?.asks?.message).toBe('Which size?')
        await agent.answer('c1', accept('L'))
        await expect.poll(() => approvalOf(agent, 'c1')?.asks?.message).toBe('Which colour?')
        await agent.answer('c1', { action: 'decline' })
        await expect.poll(() => resultOf(agent)?.output).toEqual([accept('L'), { action: 'decline' }])
      } else {
        await expect.poll(() => resultOf(agent)?.error?.code).toBe('interrupted')
        expect(resultOf(agent)?.error?.message).toContain('The server was restarted while the tool asked the user.')
        expect(resultOf(agent)?.modelOutput).toContain('Which size?')
        expect(resultOf(agent)?.modelOutput).toContain('{"size":"L"}')
      }
      expect(began).toHaveLength(mayRepeat ? 2 : 1)
      await agent.close()
      await second.close()
    })

  test('of a page: it is asked by the server, and the page validates', async () => {
    const { began, order } = orders()
    const { host, close } = await aServer(scriptedModel([calls, 'Done']))
    const { agent: desk } = anAgent(host, 'anna', { options: { sessionId: 's', tools: [order] } })
    let questions = 0
    desk.subscribe(({ type }) => {
      if (type === 'approval-request') questions += 1
    })
    const turn = desk.send('Go')
    const { asks } = await asked(desk, 'c1')
    expect(asks?.message).toBe('Which size?')
    // Another page has only the JSON Schema. What the author refuses is asked again.
    const { agent: phone } = anAgent(host, 'anna', { options: { sessionId: 's' } })
    await phone.connect()
    await asked(phone, 'c1')
    await expect(phone.answer('c1', accept('M'))).rejects.toMatchObject({ code: 'invalid-input' })
    await phone.answer('c1', accept('S'))
    await expect.poll(() => questions).toBe(2)
    await expect(desk.answer('c1', accept('S'))).rejects.toMatchObject({ code: 'invalid-input' })
    await desk.answer('c1', accept('L'))
    await turn
    expect(resultOf(desk)?.output).toEqual(accept('L'))
    expect(began).toEqual(['s'])
    await Promise.all([desk.close(), phone.close()])
    await close()
  })

  test('of a page: what is no form is no question', async () => {
    const fields = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, { type: 'string' }]))
    const question = { hash: 'h', message: 'All of it?', schema: { type: 'object', properties: fields } }
    const error = { code: 'needs-approval', message: 'Asks', details: { question } } as const
    const { host, close } = await aServer(scriptedModel([{ calls: [{ name: 'buy' }] }, 'Done']))
    const page = new Page(host, 'anna', {
      answers: (ask) =>
        ask.type === 'execute'
          ? ({ callId: ask.callId, attempts: 1, startedAt: 1, endedAt: 2, error, stopped: [], held: true } as never)
          : runs(ask),
    })
    await page.open('desk', 's')
    page.send('m1')
    await page.event('turn-end')
    expect(page.seen.some((message) => message.type === 'event' && message.event.type === 'approval-request')).toBe(
      false,
    )
    await close()
  })
})
