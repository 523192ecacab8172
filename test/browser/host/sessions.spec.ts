// Sessions in a real browser: IndexedDB, a worker, real reloads and navigations, a second tab.
import { isObject } from '../../../src/core/data/json.js'
import type { Handler } from '../../support/lab/endpoint.js'
import { messagesOf, resultsOf } from '../../support/lab/requests.js'
import { calls, expect, runs, send, settled, test } from '../../support/page/session-page.js'

/** Asks for tools once, then answers. */
const once =
  (...names: string[]): Handler =>
  (body) => {
    const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
    const last = messages.at(-1)
    if (last?.['role'] !== 'user') return { text: 'all done' }
    return last['content'] === 'next'
      ? { text: 'next answer' }
      : { calls: names.map((name) => ({ name, arguments: {}, id: `${name}-1` })) }
  }

test(
  'a reload while tools run repeats idempotent calls, interrupts the others and resumes the turn',
  { tag: ['@F2', '@R6.3', '@R6.5'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel(once('look', 'buy'))
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'buy')).toBe(1)
    await page.reload()
    await settled(page)
    expect(await calls(page)).toEqual(['look:looked', 'buy:interrupted'])
    expect([await runs(page, 'look'), await runs(page, 'buy')]).toEqual([2, 1])
    expect(await page.evaluate(() => window.agent.session?.context)).toEqual({ looked: 'secret-tenant' })
    expect(await page.evaluate(async () => (await window.agent.send('next')).text)).toBe('next answer')
    for (const request of endpoint.requests) expect(request.raw).not.toContain('secret-tenant')
  },
)

test(
  'a reload restores the transcript, todos and tool context',
  { tag: ['@R6.1', '@R6.2'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ name: 'todo_write', arguments: { items: [{ text: 'shop', status: 'completed' }] } }] },
      { text: 'ok' },
      { text: 'again' },
    ])
    await page.goto(open(endpoint))
    await page.evaluate(async () => {
      await window.agent.send('Go')
      window.agent.remember('city', 'Ulm')
    })
    await page.waitForFunction(() => window.agent.session?.context['city'] === 'Ulm')
    const before = await page.evaluate(() => window.agent.messages)
    await page.reload()
    await page.waitForFunction(() => window.agent?.status === 'idle')
    expect(await page.evaluate(() => window.agent.messages)).toEqual(before)
    expect(
      await page.evaluate(() => [window.agent.todos, window.agent.session?.context, window.agent.storage]),
    ).toEqual([[{ id: '1', text: 'shop', status: 'completed' }], { city: 'Ulm' }, 'indexeddb'])
    expect(await page.evaluate(async () => (await window.agent.send('More')).text)).toBe('again')
    expect(messagesOf(endpoint.requests[2]).filter((message) => message['role'] === 'user')).toHaveLength(2)
  },
)

test(
  'a reload while the model streams repeats the step and keeps one user message',
  { tag: ['@F1', '@R6.3'] },
  async ({ page, open, serveModel }) => {
    const half = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Half' } }] })}\n\n`
    const endpoint = await serveModel([{ raw: half, end: 'hang' }, { text: 'The whole answer' }])
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await page.waitForFunction(() => (window.agent.session?.draft?.parts.length ?? 0) > 0)
    await page.reload()
    await settled(page)
    expect(await page.evaluate(() => window.agent.messages.map(({ role }) => role))).toEqual(['user', 'assistant'])
    expect(messagesOf(endpoint.requests[1])).toHaveLength(2)
  },
)

test(
  'a tool that navigates gets its result on the next page and runs once',
  { tag: ['@F5', '@R6.3'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel(once('go'))
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await page.waitForURL(/there/)
    await settled(page)
    expect(await calls(page)).toEqual(['go:gone there'])
    expect(await runs(page, 'go')).toBe(1)
    expect(resultsOf(endpoint.requests[1])).toEqual(['gone there'])
  },
)

test(
  'an approval is requested again after a reload, and approving runs the call once',
  { tag: ['@F78', '@R6.3'] },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel(once('pay'))
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await page.waitForFunction(() => window.agent.status === 'awaiting-approval')
    await page.reload()
    await page.waitForFunction(() => window.agent?.status === 'awaiting-approval')
    await page.evaluate(async () => {
      // The question is asked again after the resumed turn has checked the call. An earlier decision is for the old
      // question.
      for (;;) {
        await window.agent.approve('pay-1').catch(() => undefined)
        if (window.agent.status === 'idle') return
        await new Promise((resolve) => requestAnimationFrame(resolve))
      }
    })
    expect(await calls(page)).toEqual(['pay:paid'])
    expect(await runs(page, 'pay')).toBe(1)
  },
)

test('creates, lists, opens, renames and deletes sessions', { tag: '@R6.2' }, async ({ page, open, serveModel }) => {
  const endpoint = await serveModel([{ text: 'one' }, { text: 'two' }])
  await page.goto(open(endpoint))
  const result = await page.evaluate(async () => {
    const { agent } = window
    await agent.send('The first question')
    const first = agent.session!.id
    const second = await agent.sessions.create({ toolContext: { from: 'here' } })
    await agent.send('The second question')
    const context = agent.session!.context
    await agent.sessions.rename(first, 'Renamed')
    const listed = (await agent.sessions.list()).map(({ id, title }) => [
      { [first]: 'first', [second]: 'second' }[id] ?? 'other',
      title,
    ])
    await agent.sessions.open(first)
    const opened = agent.messages.length
    await agent.sessions.delete(first)
    const left = (await agent.sessions.list()).length
    return { context, listed, opened, left, after: agent.messages.length }
  })
  expect(result).toEqual({
    context: { from: 'here' },
    listed: [
      ['second', 'The second question'],
      ['first', 'Renamed'],
    ],
    opened: 2,
    left: 1,
    after: 0,
  })
})
