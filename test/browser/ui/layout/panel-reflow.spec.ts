// The panel in small windows: a page at 200 % and 400 % zoom, and a phone.
import type { Locator } from 'playwright/test'
import { assistant, expect, question, tasks, test, user, type PanelPage } from '../../../support/page/panel.js'

const list = tasks(
  't',
  ['one', 'two', 'three'].map((text) => ({ text, status: 'pending' })),
)
const asking = (...parts: Parameters<typeof assistant>[1][]) =>
  ({ status: 'awaiting-approval', messages: [user('u', 'Use the coupon'), assistant('a', list, ...parts)] }) as const

async function open(panel: PanelPage, layout: 'floating' | 'sidebar' = 'floating'): Promise<Locator> {
  await panel.page.evaluate((name) => {
    window.element.layout = name
    window.element.open = true
  }, layout)
  const section = panel.element.locator('section.panel')
  await expect(section).toBeVisible()
  await section.evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))
  return section
}

/** Whether an element is on top at its middle, inside the window. */
const isReachable = (locator: Locator) =>
  locator.evaluate((element) => {
    element.scrollIntoView({ block: 'center' })
    const { left, right, top, bottom } = element.getBoundingClientRect()
    const hit = (element.getRootNode() as ShadowRoot).elementFromPoint((left + right) / 2, (top + bottom) / 2)
    return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight + 1 && element.contains(hit)
  })

for (const [zoom, width, height] of [
  ['200 %', 640, 380],
  ['400 %', 320, 256],
] as const) {
  test(`at ${zoom} zoom the panel fills the window, and nothing of it is cut off`, async ({ panel, page }) => {
    await page.setViewportSize({ width, height })
    const section = await open(panel)
    expect(await section.boundingBox()).toEqual({ x: 0, y: 0, width, height })
    expect(await isReachable(panel.field)).toBe(true)
    await panel.show(asking('See: this is the question.', question('c', { code: 'TEA10', iban: 'DE00', cart: [1, 2] })))
    const card = panel.element.locator('tool-agent-approval')
    // At 400 % the box of the arguments is lower than the list in the last one.
    for (const part of ['.deny', '.approve', 'dd >> nth=0', ...(height > 288 ? ['dd >> nth=2'] : [])])
      expect(await isReachable(card.locator(part)), part).toBe(true)
    // At 400 % the text field is below the question, and the panel scrolls to it.
    expect(await isReachable(panel.field)).toBe(true)
    expect(await isReachable(panel.element.getByRole('button', { name: 'Close' }))).toBe(true)
    expect(await section.evaluate((one) => one.scrollWidth <= one.clientWidth)).toBe(true)
    await card.locator('.deny').click()
    expect(await panel.asked('deny')).toHaveLength(1)
    await panel.show({ status: 'idle', messages: [user('u', 'Use the coupon'), assistant('a', 'See: not used.')] })
    expect(await isReachable(panel.field)).toBe(true)
    expect(await isReachable(panel.element.locator('.log'))).toBe(true)
  })
}

test('at 400 % zoom a question leaves the focus in the text field, and can be allowed by keyboard', async ({
  panel,
  page,
  browserName,
}) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await open(panel)
  await panel.show({ status: 'running', messages: [user('u', 'Use the coupon')] })
  await panel.field.fill('And ')
  await panel.field.focus()
  await page.evaluate(() => {
    window.fake.approvalTools.set('c', { inputSchema: {}, annotations: {}, isDiscovered: false, offers: ['session'] })
  })
  await panel.show(asking(question('c')))
  const card = panel.element.locator('tool-agent-approval')
  const approval = card.locator('.approval')
  await expect(approval).toBeInViewport({ ratio: 1 })
  await expect(panel.field).toBeFocused()
  await page.keyboard.type('a cup')
  await expect(panel.field).toHaveValue('And a cup')
  await expect(panel.field).toBeInViewport({ ratio: 0.7 })
  // A part of the question is above the window now. The focus brings all of it back. Firefox scrolls less for the caret.
  if (browserName !== 'firefox') await expect(card.locator('.decision[data-ready]')).toHaveCount(0)
  await card.locator('.approve').evaluate((button) => {
    button.focus()
  })
  await expect(approval).toBeInViewport({ ratio: 1 })
  await expect(card.locator('.decision[data-ready]')).toBeVisible()
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toEqual([['c', {}]])
})

test('a question that hides the transcript takes the focus that was in it', async ({ panel, page }) => {
  await page.setViewportSize({ width: 640, height: 380 })
  await open(panel)
  await panel.show({ status: 'running', messages: [user('u', 'Hi'), assistant('a', 'See **this**.')] })
  await expect(panel.element.locator('strong')).toBeVisible()
  await panel.element.locator('.log').focus()
  await panel.show(asking(question('c')))
  await expect(panel.element.locator('.approval')).toBeFocused()
})

test('the text field stays in view while a long conversation is read in a low window', async ({ panel, page }) => {
  await page.setViewportSize({ width: 320, height: 256 })
  await open(panel)
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', list, 'A long answer. '.repeat(200))] })
  await expect(panel.element.locator('.receipt')).toBeVisible()
  await expect
    .poll(() =>
      panel.element
        .locator('.field')
        .evaluate((field) => innerHeight - field.getBoundingClientRect().bottom < 20 && field.clientHeight > 0),
    )
    .toBe(true)
})

test('a panel on a phone fills the window, also above the on-screen keyboard', async ({ panel, page }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  for (const layout of ['floating', 'sidebar'] as const) {
    const section = await open(panel, layout)
    await expect.poll(() => section.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 664 })
  }
  // Playwright has no on-screen keyboard, so the visual viewport reports one.
  await page.evaluate(() => {
    for (const [name, value] of [
      ['height', 300],
      ['offsetTop', 40],
    ] as const)
      Object.defineProperty(visualViewport, name, { value, configurable: true })
    visualViewport?.dispatchEvent(new Event('resize'))
  })
  expect(await panel.element.locator('section.panel').boundingBox()).toEqual({ x: 0, y: 40, width: 390, height: 300 })
  expect(await isReachable(panel.field)).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  const wide = await panel.element.locator('section.panel').boundingBox()
  expect(wide?.height).toBe(800)
})

/** The targets that a finger misses. */
function tooSmall(panel: PanelPage): Promise<string[]> {
  return panel.element.evaluate((element) =>
    [...(element.shadowRoot?.querySelectorAll('.panel :is(button, summary, textarea)') ?? [])].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect()
      const needed = target.localName === 'textarea' ? 24 : 44
      return height > 0 && (width < needed || height < needed) ? [`${target.outerHTML} ${width}x${height}`] : []
    }),
  )
}

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 664 } })
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox does not emulate phones')

  test('the field has text of 16 px, and every target has 44 px', async ({ panel }) => {
    await open(panel)
    await panel.show({ messages: [user('u', 'Hi'), assistant('a', list, '# Title\n\ntext', 'more')] })
    await expect(panel.element.locator('.receipt')).toBeVisible()
    expect(await panel.field.evaluate((field) => parseFloat(getComputedStyle(field).fontSize))).toBeGreaterThanOrEqual(
      16,
    )
    expect(await tooSmall(panel)).toEqual([])
  })

  test('each conversation of the list has one button beside it, and every target has 44 px', async ({ panel }) => {
    await open(panel)
    await panel.page.evaluate(() => {
      window.fake.stored = ['Tea', 'A table'].map((title) => ({
        id: title,
        scope: '',
        title,
        createdAt: 1,
        updatedAt: 1,
        messages: 2,
      }))
    })
    await panel.element.getByRole('button', { name: 'Conversations' }).tap()
    await expect(panel.element.locator('.sessions li')).toHaveCount(2)
    await expect(panel.element.locator('.sessions li button:not(.session)')).toHaveCount(2)
    await panel.element.getByRole('button', { name: 'Options: Tea' }).tap()
    await expect(panel.element.locator('.tools button')).toHaveText(['Rename', 'Save as a file', 'Delete'])
    expect(await tooSmall(panel)).toEqual([])
  })

  test('only the newest answer has buttons, until a finger taps another message', async ({ panel, page }) => {
    await open(panel)
    const table = '| Item | Price |\n|---|--:|\n| Tea | 4 |'
    const talk = [user('u', 'What does it cost?'), assistant('a', table), user('v', 'And now?'), assistant('b', table)]
    await panel.show({ messages: talk })
    const shown = () =>
      panel.element.evaluate((element) =>
        [...element.shadowRoot!.querySelectorAll('.message')].map((message) =>
          [...message.querySelectorAll('button')]
            .filter((button) => button.checkVisibility({ opacityProperty: true }))
            .map(({ title }) => title),
        ),
      )
    const newest = ['Copy', 'Answer again']
    await expect.poll(shown).toEqual([[], [], [], newest])
    await panel.element.locator('.user').first().tap()
    await expect.poll(shown).toEqual([['Copy'], [], [], newest])
    await panel.element.locator('td').first().tap()
    await expect.poll(shown).toEqual([[], ['Copy the table: Item, Price', 'Copy'], [], newest])
    // A screen reader and a keyboard reach them all.
    await page.keyboard.press('Shift+Tab')
    expect(await panel.element.getByRole('button', { name: 'Copy' }).count()).toBe(6)
  })
})

test('the panel leaves the safe area of a phone free', async ({ panel, page, browserName }) => {
  test.skip(browserName !== 'chromium', 'safe areas are simulated by the protocol of Chromium')
  await page.setViewportSize({ width: 390, height: 664 })
  const session = await page.context().newCDPSession(page)
  // The type in Playwright is older than the method.
  const send = session.send.bind(session) as (method: string, parameters: object) => Promise<unknown>
  await send('Emulation.setSafeAreaInsetsOverride', { insets: { top: 47, bottom: 34 } })
  await open(panel)
  const edges = () =>
    panel.element.evaluate((element) => {
      const at = (name: string) => element.shadowRoot!.querySelector(name)!.getBoundingClientRect()
      return [at('header h2').top, innerHeight - at('tool-agent-composer').bottom]
    })
  await expect.poll(async () => (await edges())[0]).toBeGreaterThanOrEqual(47)
  expect((await edges())[1]).toBeGreaterThanOrEqual(34)
})

test('every target has 24 px with a mouse', async ({ panel }) => {
  await panel.page.evaluate(() => {
    window.fake.set({ storage: 'memory' })
    window.fake.show(window.richSession())
  })
  await expect(panel.element.locator('.approval')).toBeVisible()
  const small = await panel.element.evaluate((element) =>
    [...(element.shadowRoot?.querySelectorAll('.panel :is(button, summary)') ?? [])].flatMap((target) => {
      const { width, height } = target.getBoundingClientRect()
      return height > 0 && (width < 24 || height < 24) ? [`${target.className} ${width}x${height}`] : []
    }),
  )
  expect(small).toEqual([])
})
