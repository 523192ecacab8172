// Reading while an answer streams: the user's own scrolling counts at once, however small it is.
import type { Locator } from 'playwright/test'
import { assistant, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0 ? user(`u${index}`, `Question ${index}`) : assistant(`a${index}`, `Answer **${index}**`),
  )
const long = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(`u${index}`, `Question ${index}`)
      : assistant(`a${index}`, `Answer ${index}\n\n${'Some words of an answer. '.repeat((index * 7) % 60)}`),
  )
const fromEnd = (log: Locator) =>
  log.evaluate((element) => Math.round(element.scrollHeight - element.clientHeight - element.scrollTop))

/** Shows a conversation, and a streaming answer that gets a token in each frame until `stopTokens`. */
async function streamTokens(panel: PanelPage): Promise<Locator> {
  await panel.show({ messages: many(60), status: 'running' })
  const log = panel.element.locator('.log')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'Start' })
  await panel.page.evaluate(() => {
    let tokens = 0
    const next = (): void => {
      window.fake.emit({ type: 'text-delta', delta: tokens++ % 6 === 0 ? ' word\n\n' : ' word' })
      document.body.dataset['tokens'] = String(tokens)
      if (document.body.dataset['stop'] === undefined) requestAnimationFrame(next)
    }
    next()
  })
  await expect.poll(() => tokens(panel)).toBeGreaterThan(20)
  await expect.poll(() => fromEnd(log)).toBeLessThan(60)
  return log
}
const tokens = (panel: PanelPage) => panel.page.evaluate(() => Number(document.body.dataset['tokens']))
/** Waits for some more tokens. */
async function moreTokens(panel: PanelPage, count: number): Promise<void> {
  const before = await tokens(panel)
  await expect.poll(() => tokens(panel)).toBeGreaterThan(before + count)
}

for (const [name, move] of [
  ['small steps of a trackpad', async (panel) => panel.page.mouse.wheel(0, -8)],
  ['a wheel', async (panel) => panel.page.mouse.wheel(0, -120)],
  ['arrow keys', async (panel) => panel.page.keyboard.press('ArrowUp')],
  ['Page Up', async (panel) => panel.page.keyboard.press('PageUp')],
] as [string, (panel: PanelPage) => Promise<void>][])
  test(
    `${name} leave the end while tokens arrive in each frame`,
    { tag: name === 'a wheel' ? [] : '@one-engine' },
    async ({ panel }) => {
      const log = await streamTokens(panel)
      await log.hover()
      await log.focus()
      for (let step = 0; step < 5; step++) await move(panel)
      const button = panel.element.getByRole('button', { name: 'Jump to the latest message' })
      await expect(button).toBeVisible()
      // A smooth scroll may still run.
      await moreTokens(panel, 40)
      const place = await log.evaluate((element) => element.scrollTop)
      await moreTokens(panel, 40)
      expect(Math.abs((await log.evaluate((element) => element.scrollTop)) - place)).toBeLessThan(3)
      await button.click()
      await expect.poll(() => fromEnd(log)).toBeLessThan(60)
      await moreTokens(panel, 20)
      await expect.poll(() => fromEnd(log)).toBeLessThan(60)
      await expect(button).toHaveCount(0)
    },
  )

test('stays at the end when something above shrinks in the frame of a new token', async ({ panel }) => {
  await panel.show({ messages: many(60), status: 'running' })
  const log = panel.element.locator('.log')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await panel.emit({ type: 'step-start', at: 1, step: 0, id: 'm' }, { type: 'text-delta', delta: 'Start' })
  await expect(panel.element.locator('article').last()).toContainText('Start')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  const distance = await log.evaluate(async (element) => {
    const frame = () => new Promise(requestAnimationFrame)
    const room = element.clientHeight
    const all = [...element.querySelectorAll<HTMLElement>('article')]
    // Above the visible part, and drawn: the browser keeps the place of what is visible.
    const above = all.findLast((one) => one.getBoundingClientRect().bottom < element.getBoundingClientRect().top)!
    above.style.contentVisibility = 'visible'
    above.style.minHeight = `${room / 2}px`
    for (let frames = 0; frames < 5; frames++) await frame()
    // In the frame that draws the token, before its layout.
    new MutationObserver((_, observer) => {
      observer.disconnect()
      above.style.minHeight = ''
    }).observe(all.at(-1)!, { childList: true, characterData: true, subtree: true })
    window.fake.emit({ type: 'text-delta', delta: '\n\nword'.repeat(100) })
    for (let frames = 0; frames < 10; frames++) await frame()
    return element.scrollHeight - element.clientHeight - element.scrollTop
  })
  expect(distance).toBeLessThan(2)
})

test('follows the answer to a message of the user, whose suggestions go as it is sent', async ({ panel, page }) => {
  const [asked, answered] = [user('u', 'Which?'), assistant('a', 'Some **words**.\n\n'.repeat(30))]
  await page.evaluate(() => {
    window.element.followUps = ['Show them', 'Sort them', 'Only the late ones']
  })
  await panel.show({ messages: [asked, answered], status: 'idle' })
  const log = panel.element.locator('.log')
  await expect(panel.element.locator('.follow-ups button')).toHaveCount(3)
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  const top = await log.evaluate((element) => element.scrollTop)
  await log.evaluate((element) => {
    // What a style, a font or another part of the panel does: a layout after the suggestions went, and before the message
    // of the user is drawn.
    const removed = element.querySelector<HTMLElement>('.follow-ups')!
    removed.style.display = 'none'
    element.getBoundingClientRect()
    const own = [...element.querySelectorAll<HTMLElement>('article')].at(-1)!
    own.style.paddingBottom = `${removed.offsetHeight + 200}px`
  })
  await expect.poll(() => log.evaluate((element) => element.scrollTop)).toBeGreaterThan(top)
  await panel.show({ messages: [asked, answered, user('u2', 'More')], status: 'running' })
  await panel.emit(
    { type: 'step-start', at: 1, step: 0, id: 'm' },
    { type: 'text-delta', delta: 'word\n\n'.repeat(40) },
  )
  await expect(panel.element.locator('article').last()).toContainText('word')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await expect(panel.element.locator('.latest')).toHaveCount(0)
})

test('a finger leaves the end while tokens arrive', async ({ panel, page, browserName }) => {
  test.skip(browserName !== 'chromium', 'touch input is simulated by the protocol of Chromium')
  const log = await streamTokens(panel)
  const box = (await log.boundingBox())!
  const session = await page.context().newCDPSession(page)
  const x = box.x + box.width / 2
  const point = (y: number) => [{ x, y: box.y + y }]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: point(100) })
  for (let y = 104; y <= 180; y += 4)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: point(y) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(panel.element.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible()
  await moreTokens(panel, 20)
  expect(await fromEnd(log)).toBeGreaterThan(40)
})

test('returns to the end within eight pixels while moving down, and not before', async ({ panel }) => {
  await panel.show({ messages: many(60), status: 'idle' })
  const log = panel.element.locator('.log')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  const button = panel.element.getByRole('button', { name: 'Jump to the latest message' })
  const scrollTo = (distance: number) =>
    log.evaluate((element, pixels) => {
      element.scrollTop = element.scrollHeight - element.clientHeight - pixels
    }, distance)
  await scrollTo(200)
  await expect(button).toBeVisible()
  await scrollTo(30)
  await panel.show({ messages: many(62), status: 'idle' })
  await expect(panel.element.locator('article').last()).toContainText('61')
  await expect.poll(() => fromEnd(log)).toBeGreaterThan(29)
  await scrollTo(6)
  await expect(button).toHaveCount(0)
  await panel.show({ messages: many(64), status: 'idle' })
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await expect(panel.element.locator('article').last()).toContainText('63')
})

test('says how many messages are new, in the middle of the list', async ({ panel, page }) => {
  await panel.show({ messages: many(60), status: 'idle' })
  const log = panel.element.locator('.log')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await log.evaluate((element) => {
    element.scrollTop -= 300
  })
  await panel.show({ messages: many(61), status: 'idle' })
  const button = panel.element.locator('.latest')
  await expect(button).toHaveText('1 new message')
  await panel.show({ messages: many(63), status: 'idle' })
  await expect(button).toHaveText('3 new messages')
  const [place, list] = [(await button.boundingBox())!, (await log.boundingBox())!]
  expect(Math.abs(place.x + place.width / 2 - (list.x + list.width / 2))).toBeLessThan(10)
  await page.getByRole('button', { name: '3 new messages' }).click()
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  await expect(button).toHaveCount(0)
  await expect(log).toBeFocused()
})

test('a fling to the top of a long conversation keeps the place when older messages appear', async ({ panel }) => {
  await panel.show({ messages: long(500) })
  const log = panel.element.locator('.log')
  await expect.poll(() => fromEnd(log)).toBeLessThan(2)
  for (let drawn = 100; drawn < 500; drawn += 100) {
    await expect(panel.element.locator('article')).toHaveCount(drawn)
    const before = await log.evaluate((element) => {
      element.scrollTop = 0
      const { top } = element.getBoundingClientRect()
      const first = element.querySelector('article')!
      return { text: first.textContent?.trim().slice(0, 12), place: first.getBoundingClientRect().top - top }
    })
    await expect(panel.element.locator('article')).toHaveCount(drawn + 100)
    const movement = () =>
      log.evaluate(
        (element, { text, place }) => {
          const found = [...element.querySelectorAll('article')].find((one) => one.textContent?.trim().startsWith(text))
          return Math.abs(found!.getBoundingClientRect().top - element.getBoundingClientRect().top - place)
        },
        { text: String(before.text), place: before.place },
      )
    await expect.poll(movement).toBeLessThan(1)
  }
})
