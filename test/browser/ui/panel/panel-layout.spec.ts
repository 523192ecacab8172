// The three layouts, keyboard use, and where the focus goes.
import type { Page } from 'playwright/test'
import { assistant, call, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'

test('buttons open and close the floating panel and move the focus', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  await expect(panel.element.locator('section.panel')).toBeHidden()
  await page.getByRole('button', { name: 'Open the assistant' }).click()
  await expect(panel.element.getByRole('dialog', { name: 'Assistant' })).toBeVisible()
  await expect(panel.field).toBeFocused()
  expect(await page.evaluate(() => [window.element.open, window.element.hasAttribute('open')])).toEqual([true, true])
  await page.keyboard.press('Escape')
  await expect(panel.element.locator('section.panel')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Open the assistant' })).toBeFocused()
  await page.evaluate(() => {
    window.element.setAttribute('open', '')
  })
  await expect(panel.element.locator('section.panel')).toBeVisible()
  await expect(panel.field).not.toBeFocused()
  await page.getByRole('button', { name: 'Close' }).click()
  expect(await page.evaluate(() => window.element.open)).toBe(false)
})

test('an open panel is above the page and inside the window at every width', async ({ panel, page }) => {
  await page.evaluate(() => {
    const bar = document.createElement('div')
    bar.textContent = 'Cookies!'
    Object.assign(bar.style, { position: 'fixed', inset: '0', zIndex: '2147483647', background: 'yellow' })
    document.body.append(bar)
    document.body.style.transform = 'translateX(0)'
  })
  for (const layout of ['floating', 'sidebar'] as const) {
    await page.evaluate((name) => {
      window.element.layout = name as 'floating'
      window.element.open = true
    }, layout)
    for (const width of [1280, 768, 390, 320]) {
      await page.setViewportSize({ width, height: 700 })
      await panel.element
        .locator('section.panel')
        .evaluate((element) => Promise.all(element.getAnimations().map((animation) => animation.finished)))
      const box = (await panel.element.locator('section.panel').boundingBox())!
      expect(box.x, `${layout} ${width}`).toBeGreaterThanOrEqual(0)
      expect(box.x + box.width, `${layout} ${width}`).toBeLessThanOrEqual(width)
      expect(box.y + box.height, `${layout} ${width}`).toBeLessThanOrEqual(700)
      expect(box.width, `${layout} ${width}`).toBeGreaterThan(width > 640 ? 360 : width - 2)
      expect(
        await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.localName, {
          x: box.x + box.width / 2,
          y: box.y + 20,
        }),
      ).toBe('tool-agent')
    }
  }
  const box = (await panel.element.locator('section.panel').boundingBox())!
  await page.setViewportSize({ width: 1280, height: 700 })
  const wide = (await panel.element.locator('section.panel').boundingBox())!
  expect([wide.y, wide.height, wide.x + wide.width]).toEqual([0, 700, 1280])
  expect(box.y + box.height).toBe(700)
})

test('an open panel stays open when its element is moved', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.open = true
  })
  await expect(panel.element.locator('section.panel')).toBeVisible()
  await page.evaluate(() => {
    document.querySelector('main')!.append(window.element)
  })
  await expect(panel.element.locator('section.panel')).toBeVisible()
})

test('a closed panel with a question shows that it waits', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('c'))] })
  await expect(page.getByRole('button', { name: 'Assistant: waiting for you' })).toBeVisible()
})

test('everything works with the keyboard alone', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.heading = 'Help'
    const tool = { inputSchema: {}, annotations: {}, isDiscovered: true, offers: ['session'] }
    window.fake.approvalTools.set('c', tool)
  })
  await panel.show({
    status: 'awaiting-approval',
    messages: [user('u', 'Hi'), assistant('a', 'Look: [link](/x)', question('c'))],
  })
  const focused = () =>
    page.evaluate(() => {
      const element = window.element.shadowRoot?.activeElement
      return (
        element?.getAttribute('aria-label') ||
        element?.getAttribute('title') ||
        element?.textContent?.trim().split('\n')[0] ||
        element?.localName ||
        ''
      )
    })
  await page.getByRole('button', { name: 'Help: waiting for you' }).focus()
  await page.keyboard.press('Enter')
  await expect(panel.field).toBeFocused()
  await page.keyboard.type('a question')
  const path: string[] = []
  for (let step = 0; step < 20 && !(path.at(-1) === 'Conversations'); step++) {
    await page.keyboard.press('Shift+Tab')
    path.push(await focused())
  }
  // Shift+Tab from the field: the menu, approve, deny, the details, the transcript, the header.
  for (const name of ['Allow', 'Don’t allow', 'Details', 'Change', 'Conversation', 'Close', 'New conversation'])
    expect(path).toContain(name)
  expect(path.at(-1)).toBe('Conversations')
  expect(path.indexOf('Allow')).toBeLessThan(path.indexOf('Don’t allow'))
  await page.keyboard.press('Enter')
  await expect(panel.element.getByRole('dialog', { name: 'Conversations' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel.field).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Ways to allow')
  await page.keyboard.press('Shift+Tab')
  expect(await focused()).toBe('Allow')
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toEqual([['c', {}]])
  // The button was removed with its question; the focus stays in the panel.
  await expect(panel.field).toBeFocused()
})

test.describe('what is new appears quietly', () => {
  test.skip(({ browserName }) => browserName === 'firefox', 'Firefox takes media features only as preferences')

  /** Notes each animation that begins in the panel from now on, with what its first frame sets. */
  async function watch(panel: PanelPage): Promise<() => Promise<Motion[]>> {
    const handle = await panel.element.evaluateHandle((element) => {
      const root = element.shadowRoot!
      const noted: Motion[] = []
      root.addEventListener('animationstart', (event) => {
        const { animationName: name } = event as AnimationEvent
        const target = event.target as Element
        if (name !== 'enter' && name !== 'ask') return
        // On a slow machine it is over already, so what the style sheets say is read.
        const keyframes = root.adoptedStyleSheets
          .flatMap(({ cssRules }) => [...cssRules])
          .findLast((rule) => rule instanceof CSSKeyframesRule && rule.name === name) as CSSKeyframesRule
        noted.push({
          of: target.classList[0]!,
          seconds: parseFloat(getComputedStyle(target).animationDuration),
          from: keyframes.cssText.replaceAll(/\s+/g, ' '),
        })
      })
      return noted
    })
    return () => handle.evaluate((noted) => noted)
  }
  const frames = (page: Page) =>
    page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  interface Motion {
    readonly of: string
    readonly seconds: number
    readonly from: string
  }
  const steps: Record<string, (panel: PanelPage) => Promise<void>> = {
    call: async (panel) => {
      const started = call('c', 'find', { started: { at: 1 } })
      await panel.show({ status: 'running', messages: [user('u', 'Hi'), assistant('a', started)] })
      await expect(panel.element.locator('.call')).toBeVisible()
    },
    approval: async (panel) => {
      await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('c'))] })
      await expect(panel.element.locator('.approval')).toBeVisible()
    },
    notice: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.report({ code: 'server', message: '500' })
      })
      await expect(panel.element.locator('.notice')).toBeVisible()
    },
  }

  test('cards, questions and notices, each once, and nothing else moves for it', async ({ panel, page }) => {
    await panel.show({ messages: [user('u', 'Hi')] })
    const motions = await watch(panel)
    for (const step of Object.values(steps)) await step(panel)
    await expect.poll(async () => (await motions()).map(({ of }) => of)).toEqual(Object.keys(steps))
    const found = await motions()
    for (const { of, seconds, from } of found) {
      expect(seconds, of).toBeLessThanOrEqual(0.2)
      // A question is read from its first frame, and its buttons do not move.
      if (of === 'approval') expect(from).toMatch(/^@keyframes ask \{ 0% \{ box-shadow: [^;]*; \} \}$/)
      else expect(from).toBe('@keyframes enter { 0% { opacity: 0; translate: 0px 8px; } }')
    }
    // Decided and done, a card does not appear again.
    await steps['call']!(panel)
    await panel.show({
      messages: [
        user('u', 'Hi'),
        assistant('a', call('c', 'find', { result: { output: 1, startedAt: 1, endedAt: 2, attempts: 1 } })),
      ],
    })
    await expect(panel.element.locator('.call[data-state=done]')).toBeVisible()
    await frames(page)
    expect(await motions()).toHaveLength(found.length)
  })

  test('not for who wants no motion, and not what an older conversation shows', async ({ panel, page }) => {
    const motions = await watch(panel)
    const done = call('c', 'find', { result: { output: 1, startedAt: 1, endedAt: 2, attempts: 1 } })
    await panel.show({ messages: [user('u', 'Hi'), assistant('a', done)] })
    await expect(panel.element.locator('.call')).toBeVisible()
    await frames(page)
    expect(await motions()).toEqual([])
    await page.emulateMedia({ reducedMotion: 'reduce' })
    for (const step of Object.values(steps)) await step(panel)
    await frames(page)
    expect(await motions()).toEqual([])
  })
})

test('respects reduced motion and shows a focus outline', async ({ panel, page, browserName }) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await panel.show({ status: 'running', messages: [user('u', 'Hi')] })
  const animation = () =>
    panel.element.locator('.pulse').evaluate((element) => getComputedStyle(element, '::after').animationName)
  expect(await animation()).toBe('none')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await animation()).toBe('pulse')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Conversations' }).focus()
  await page.keyboard.press('Tab')
  const outline = await page
    .getByRole('button', { name: 'New conversation' })
    .evaluate((element) => getComputedStyle(element).outlineStyle)
  expect(outline).toBe('solid')
})

test('text has enough contrast in light and dark', async ({ panel, page, browserName }) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await page.evaluate(() => {
    window.fake.show(window.richSession())
  })
  await expect(panel.element.locator('.approval')).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const poor = await panel.element.evaluate((element) => {
      // Converts any CSS colour to red, green and blue from 0 to 1.
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
      const rgb = (color: string): number[] => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).map((value) => value / 255)
      }
      const luminance = (color: string): number => {
        const [r = 0, g = 0, b = 0] = rgb(color).map((value) =>
          value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
        )
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const backgroundOf = (node: Element | null): string => {
        for (let one = node; one !== null; one = one.parentElement) {
          const { backgroundColor } = getComputedStyle(one)
          if (backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent') return backgroundColor
        }
        return 'white'
      }
      const found: string[] = []
      for (const node of element.shadowRoot?.querySelectorAll('.panel *') ?? []) {
        if (
          ![...node.childNodes].some((child) => child.nodeType === 3 && child.textContent?.trim()) ||
          node.closest('[aria-disabled=true], :disabled, .unseen')
        )
          continue
        const [one, other] = [luminance(getComputedStyle(node).color), luminance(backgroundOf(node))]
        const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
        if (contrast < 4.5)
          found.push(
            `${node.localName}.${node.className} ${contrast.toFixed(2)}: ${node.textContent?.trim().slice(0, 30)}`,
          )
      }
      return found
    })
    expect(poor, colorScheme).toEqual([])
  }
})

test('from two lines on, the text has the width of the field, and less text is beside the buttons again', async ({
  panel,
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const widths = () =>
    panel.field.evaluate((field) => {
      const style = getComputedStyle(field.closest('.field')!)
      const inner =
        field.closest('.field')!.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
      return inner - (field as HTMLElement).offsetWidth
    })
  await panel.field.fill('Short')
  expect(await widths()).toBeGreaterThan(30)
  await panel.field.fill('A text that is long enough for more than one line of a phone')
  await expect.poll(widths).toBeLessThan(1)
  const send = (await panel.element.locator('.send').boundingBox())!
  const field = (await panel.field.boundingBox())!
  expect(send.y).toBeGreaterThanOrEqual(field.y + field.height - 1)
  expect(send.x + send.width).toBeGreaterThan(field.x + field.width - 12)
  // A text that fits beside the buttons has one line there, and one that only fits above them stays above.
  await panel.field.fill('Short')
  await expect.poll(widths).toBeGreaterThan(30)
  await panel.field.fill('one\ntwo')
  await expect.poll(widths).toBeLessThan(1)
  await panel.field.press('Enter')
  await expect(panel.field).toHaveValue('')
  await expect.poll(widths).toBeGreaterThan(30)
})
