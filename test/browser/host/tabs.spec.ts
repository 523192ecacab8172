// One session in several tabs: one drives, the others mirror it, and the tools of the tab in which the user acts run.
import type { BrowserContext, Page } from 'playwright/test'
import { deferred } from '../../support/lab/lab.js'
import { resultsOf } from '../../support/lab/requests.js'
import { isLong } from '../../support/project/long.js'
import { calls, expect, runs, send, test } from '../../support/page/session-page.js'

const shared = '&session=shared'
const role = (page: Page) => page.evaluate(() => window.agent?.role)
const becomes = (page: Page, wanted: 'driver' | 'mirror') =>
  page.waitForFunction((one) => window.agent?.role === one, wanted)
const status = (page: Page, wanted: string) => page.waitForFunction((one) => window.agent?.status === one, wanted)
const texts = (page: Page) =>
  page.evaluate(() =>
    window.agent.messages.map((message) =>
      message.role === 'summary' ? '' : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ),
  )

async function mirrorOf(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(url)
  await becomes(page, 'mirror')
  return page
}

test(
  'a second tab mirrors the session live and can stop it',
  { tag: ['@F21', '@C120'] },
  async ({ page, context, open, serveModel }) => {
    const hold = deferred()
    const endpoint = await serveModel([{ text: 'the first answer' }, { text: ['slow ', 'words'], hold: hold.promise }])
    await page.goto(open(endpoint, shared))
    await page.evaluate(() => window.agent.send('Hello'))
    const second = await mirrorOf(context, open(endpoint, shared))
    expect(await texts(second)).toEqual(['Hello', 'the first answer'])
    const ended = page.evaluate(() => window.agent.send('More').then(({ reason, text }) => ({ reason, text })))
    await second.waitForFunction(() => window.agent.session?.draft?.parts.some((part) => part.text === 'slow '))
    expect(await second.evaluate(() => window.agent.status)).toBe('running')
    await second.evaluate(() => window.agent.stop())
    expect(await ended).toEqual({ reason: 'stopped', text: 'slow ' })
    await status(second, 'idle')
    expect(await texts(second)).toEqual(['Hello', 'the first answer', 'More', 'slow '])
    expect([await role(page), await role(second)]).toEqual(['driver', 'mirror'])
    hold.resolve()
  },
)

test(
  'sending in a second tab takes over; the turn of the first is interrupted and its tools abort',
  { tag: '@F21' },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ id: 'b', name: 'buy', arguments: {} }] },
      { calls: [{ id: 'l', name: 'pay', arguments: {} }] },
      { text: 'from the second' },
    ])
    await page.goto(open(endpoint, shared))
    const first = page.evaluate(() => window.agent.send('Go').then(({ reason }) => reason))
    await expect.poll(() => runs(page, 'buy')).toBe(1)
    const second = await mirrorOf(context, open(endpoint, shared))
    const sent = second.evaluate(() => window.agent.send('Here').then(({ text }) => text))
    expect(await first).toBe('interrupted')
    await becomes(page, 'mirror')
    await status(second, 'awaiting-approval')
    await second.evaluate(() => window.agent.approve('l'))
    expect(await sent).toBe('from the second')
    expect(await calls(second)).toEqual(['buy:interrupted', 'pay:paid'])
    // The first tab has become the one that watches.
    await page.waitForFunction(() => window.agent.status === 'idle' && window.agent.messages.length === 5)
    expect(await calls(page)).toEqual(['buy:interrupted', 'pay:paid'])
    expect(await runs(page, 'buy')).toBe(1)
    expect(resultsOf(endpoint.requests[1])[0]).toMatch(/may still have happened/)
  },
)

test(
  'a question answered in the second tab, or in both at once, runs its call once',
  { tag: ['@one-engine', '@C100'] },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'p', name: 'pay', arguments: {} }] }, { text: 'paid it' }])
    await page.goto(open(endpoint, shared))
    const first = page.evaluate(() =>
      window.agent.send('Go').then(
        ({ reason }) => reason,
        (error: { code: string }) => error.code,
      ),
    )
    await status(page, 'awaiting-approval')
    const second = await mirrorOf(context, open(endpoint, shared))
    await status(second, 'awaiting-approval')
    await Promise.all([
      second.evaluate(() => window.agent.approve('p')),
      second.evaluate(() => window.agent.approve('p').catch(() => undefined)),
    ])
    await status(second, 'idle')
    expect(await calls(second)).toEqual(['pay:paid'])
    expect(await first).toBe('interrupted')
    expect(await runs(second, 'pay')).toBe(1)
    expect(await texts(second)).toEqual(['Go', '', 'paid it'])
  },
)

test('a question answered in two tabs at the same instant runs its call exactly once', async ({
  page,
  context,
  open,
  serveModel,
}) => {
  const rounds = isLong ? [1, 2, 3, 4, 5, 6] : [1, 2, 3]
  const endpoint = await serveModel(
    rounds.flatMap((round) => [{ calls: [{ id: `p${round}`, name: 'pay', arguments: {} }] }, { text: 'paid it' }]),
  )
  await page.goto(open(endpoint, shared))
  await becomes(page, 'driver')
  const second = await mirrorOf(context, open(endpoint, shared))
  for (const round of rounds) {
    // In turn the tab that drives and the one that watches ask.
    await send(round % 2 ? page : second, 'Go')
    for (const one of [page, second]) await status(one, 'awaiting-approval')
    const at = await page.evaluate(() => Date.now() + 200)
    await Promise.all(
      [page, second].map((one) =>
        one.evaluate(
          async ([callId, time]) => {
            while (Date.now() < time);
            await window.agent.approve(callId).catch(() => undefined)
          },
          [`p${round}`, at] as const,
        ),
      ),
    )
    for (const one of [page, second]) await status(one, 'idle')
    // The count of one tab reaches the storage of the other a moment later.
    await expect.poll(() => runs(page, 'pay')).toBe(round)
    expect(await calls(second)).toEqual(rounds.slice(0, round).map(() => 'pay:paid'))
  }
  expect(await Promise.all([page, second].map((one) => runs(one, 'pay')))).toEqual([rounds.length, rounds.length])
})

test(
  'messages sent in two tabs at the same instant end with an answer or a reason',
  { tag: '@one-engine' },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel(() => ({ text: 'an answer' }))
    await page.goto(open(endpoint, shared))
    await becomes(page, 'driver')
    const second = await mirrorOf(context, open(endpoint, shared))
    for (let round = 0; round < 5; round++) {
      const at = await page.evaluate(() => Date.now() + 200)
      const ends = await Promise.all(
        [page, second].map((one) =>
          one.evaluate((time) => {
            while (Date.now() < time);
            return window.agent.send('Hello').then(
              ({ reason }) => reason as string,
              (error: { code: string }) => error.code,
            )
          }, at),
        ),
      )
      expect(ends).toContain('stop')
      for (const end of ends) expect(['stop', 'interrupted', 'cancelled', 'lost-session']).toContain(end)
    }
  },
)

test(
  'after the driver crashes during a turn, the other tab shows it and can finish the turn',
  { tag: '@F22' },
  async ({ page, context, open, serveModel, browserName }) => {
    test.skip(browserName !== 'chromium', 'Only Chromium can be crashed on demand')
    const endpoint = await serveModel([{ calls: [{ id: 'b', name: 'buy', arguments: {} }] }, { text: 'on it goes' }])
    await page.goto(open(endpoint, shared))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'buy')).toBe(1)
    const second = await mirrorOf(context, open(endpoint, shared))
    await status(second, 'running')
    const cdp = await context.newCDPSession(page)
    void cdp.send('Page.crash').catch(() => undefined)
    await status(second, 'interrupted')
    expect(await role(second)).toBe('mirror')
    expect(await second.evaluate(() => window.agent.continue().then(({ text }) => text))).toBe('on it goes')
    expect(await calls(second)).toEqual(['buy:interrupted'])
    expect(await runs(second, 'buy')).toBe(1)
  },
)

test(
  'a reloading driver keeps the session, and the mirror sees the rest',
  { tag: ['@one-engine', '@R6.6'] },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'l', name: 'look', arguments: {} }] }, { text: 'looked again' }])
    await page.goto(open(endpoint, shared))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'look')).toBe(1)
    const second = await mirrorOf(context, open(endpoint, shared))
    await page.reload()
    await becomes(page, 'driver')
    await status(page, 'idle')
    await second.waitForFunction(() => window.agent.status === 'idle' && window.agent.messages.length === 3)
    expect(await role(second)).toBe('mirror')
    expect(await calls(second)).toEqual(['look:looked'])
  },
)

test(
  'a hanging driver is fenced: another tab takes the lock, and the old host writes nothing',
  { tag: '@F23' },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([{ text: 'one' }, { text: 'two' }])
    await page.goto(open(endpoint, `${shared}&rung=page`))
    await page.evaluate(() => window.agent.send('Hello'))
    const second = await mirrorOf(context, open(endpoint, shared))
    // The page and its host are blocked and do not answer the other tab.
    const hanging = page.evaluate(() => {
      const until = Date.now() + 4_000
      while (Date.now() < until);
    })
    expect(await second.evaluate(() => window.agent.send('Now me').then(({ text }) => text))).toBe('two')
    await hanging
    await becomes(page, 'mirror')
    await page.waitForFunction(() => window.agent.messages.length === 4)
  },
)

test(
  'a session deleted in another tab is reported, not busy and never written again',
  { tag: ['@one-engine', '@F25'] },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([{ text: 'one' }])
    await page.goto(open(endpoint, shared))
    await page.evaluate(() => window.agent.send('Hello'))
    const third = await mirrorOf(context, open(endpoint, shared))
    const second = await context.newPage()
    await second.goto(open(endpoint, '&session=other'))
    await second.evaluate(() => window.agent.sessions.delete('shared'))
    for (const one of [page, third]) {
      await one.waitForFunction(() => window.agent.error?.code === 'session-deleted')
      expect(
        await one.evaluate(() => window.agent.send('Still there?').catch((error: { code: string }) => error.code)),
      ).toBe('session-deleted')
      expect(await one.evaluate(() => window.agent.status)).toBe('idle')
    }
    expect(await second.evaluate(async () => (await window.agent.sessions.list()).map(({ id }) => id))).not.toContain(
      'shared',
    )
    // A new session can be created.
    expect(
      await page.evaluate(async () => {
        await window.agent.sessions.create()
        return window.agent.status
      }),
    ).toBe('idle')
  },
)

test(
  'validates channel messages of other scripts before showing them',
  { tag: ['@one-engine', '@S23'] },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([{ text: 'one' }])
    await page.goto(open(endpoint, shared))
    await page.evaluate(() => window.agent.send('Hello'))
    const second = await mirrorOf(context, open(endpoint, shared))
    const before = await second.evaluate(() => JSON.stringify(window.agent.session))
    await page.evaluate(() => {
      const channel = new BroadcastChannel('tool-agent:shared')
      const epoch = window.agent.session?.epoch ?? 0
      const events: unknown[] = [
        null,
        1,
        {},
        { type: 'step-end' },
        { type: 'step-end', message: { role: 'assistant', parts: 3 }, offered: [] },
        { type: 'tool-result', callId: 1 },
        { type: 'turn-start', turn: {} },
        { type: 'text-delta', delta: 5 },
      ]
      for (const event of events) channel.postMessage({ type: 'event', epoch, seq: 1_000, path: [], event })
      for (const other of [
        null,
        'x',
        { type: 'snapshot' },
        { type: 'snapshot', seq: 1, session: { id: 'shared', start: 0, epoch: 1, messages: [{}] } },
        { type: 'yield' },
        { type: 'ask', ask: { type: 'execute' } },
      ])
        channel.postMessage(other)
      channel.close()
    })
    // A valid message follows.
    await page.evaluate(() => window.agent.remember('note', 1))
    await second.waitForFunction(() => window.agent.session?.context['note'] === 1)
    const after = await second.evaluate(() => JSON.stringify(window.agent.session))
    const plain = (text: string): object => ({ ...(JSON.parse(text) as object), context: {}, updatedAt: 0 })
    expect(plain(after)).toEqual(plain(before))
    expect(await runs(page, 'buy')).toBe(0)
  },
)
