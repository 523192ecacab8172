// Size and place of a floating panel and a sidebar: handle, memory, shortcut, fields below it, room beside the page.
import { assistant, expect, question, test, user, type PanelPage } from '../../../support/page/panel.js'

const section = (panel: PanelPage) => panel.element.locator('section.panel')
const box = async (panel: PanelPage) => (await section(panel).boundingBox())!

async function open(panel: PanelPage, layout: 'floating' | 'sidebar' = 'floating'): Promise<void> {
  await panel.page.evaluate((name) => {
    window.element.layout = name
    window.element.open = true
  }, layout)
  await expect(panel.element.locator('.grip')).toBeAttached()
  await section(panel).evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))
}

/** Opens a floating panel that has the height of its content: the style sheet of the page sets one. */
async function openFitted(panel: PanelPage): Promise<void> {
  await panel.page.addStyleTag({ content: 'tool-agent { --tool-agent-height: initial !important }' })
  await open(panel)
}

test('the handle resizes a floating panel with the pointer and the keyboard', async ({ panel, page }) => {
  await open(panel)
  const before = await box(panel)
  const handle = panel.element.getByRole('button', { name: 'Resize' })
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(async () => (await box(panel)).width).toBe(before.width + 16)
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(async () => (await box(panel)).height).toBe(before.height - 64)
  await page.keyboard.press('Home')
  await expect.poll(() => box(panel)).toEqual(before)
  await page.mouse.move(before.x + 8, before.y + 8)
  await page.mouse.down()
  // Heights are whole multiples of four pixels.
  await page.mouse.move(before.x - 92, before.y + 60)
  await page.mouse.up()
  await page.mouse.move(before.x, before.y)
  await expect
    .poll(() => box(panel))
    .toEqual({
      x: before.x - 100,
      y: before.y + 52,
      width: before.width + 100,
      height: before.height - 52,
    })
})

test('a floating panel is as high as what it shows, and never lower within a conversation', async ({ panel, page }) => {
  const height = async () => (await box(panel)).height
  const lines = (count: number) => Array.from({ length: count }, (_, index) => `Line ${index + 1}`).join('\n\n')
  const isCut = () => panel.element.locator('.log').evaluate((log) => log.scrollHeight > log.clientHeight)
  const say = (id: string, count: number) =>
    panel.show({ id, messages: [user('u', 'Tell me'), assistant('a', lines(count))] })
  await page.setViewportSize({ width: 1280, height: 1000 })
  await openFitted(panel)
  await test.step('empty: the lower limit', async () => {
    expect(await height()).toBe(352)
  })
  await test.step('it grows with the answer, so that nothing is cut', async () => {
    await say('one', 9)
    await expect(panel.element.getByText('Line 9', { exact: true })).toBeVisible()
    await expect.poll(isCut).toBe(false)
    const grown = await height()
    expect(grown).toBeGreaterThan(380)
    expect(grown).toBeLessThan(704)
    await say('one', 1)
    await expect(panel.element.getByText('Line 2', { exact: true })).toHaveCount(0)
    expect(await height()).toBe(grown)
    await page.reload()
    await panel.ready()
    await openFitted(panel)
    expect(await height()).toBe(grown)
  })
  await test.step('up to the upper limit', async () => {
    await say('one', 60)
    await expect.poll(height).toBe(704)
    await page.setViewportSize({ width: 1280, height: 600 })
    await expect.poll(height).toBe(560)
    await page.setViewportSize({ width: 1280, height: 1000 })
    await expect.poll(height).toBe(704)
  })
  await test.step('another conversation begins anew', async () => {
    await say('two', 1)
    await expect.poll(height).toBe(352)
  })
  await test.step('the height of the visitor stays, and so does that of the page', async () => {
    await panel.element.getByRole('button', { name: 'Resize' }).focus()
    await page.keyboard.press('ArrowUp')
    await expect.poll(height).toBe(368)
    await say('two', 60)
    await expect(panel.element.getByText('Line 60', { exact: true })).toBeVisible()
    expect(await height()).toBe(368)
    await page.keyboard.press('Home')
    await expect.poll(height).toBe(704)
    await page.evaluate(() => {
      window.element.style.setProperty('--tool-agent-height', '500px', 'important')
    })
    await expect.poll(height).toBe(500)
  })
})

test('a panel grows in a moment, and at once for who wants no motion or is asked something', async ({
  panel,
  page,
  browserName,
}) => {
  await openFitted(panel)
  const animated = () =>
    section(panel).evaluate((one) => {
      const all = one as HTMLElement & { animated?: number[] }
      return all.animated ?? []
    })
  await section(panel).evaluate((one) => {
    const animated: unknown[] = []
    const { animate } = Element.prototype
    Object.assign(one, {
      animated,
      animate(frames: PropertyIndexedKeyframes, options: KeyframeAnimationOptions) {
        animated.push(options.duration)
        return animate.call(one, frames, options)
      },
    })
  })
  const answer = (id: string) => assistant(id, Array.from({ length: 9 }, () => 'A line').join('\n\n'))
  await panel.show({ id: 'one', messages: [user('u', 'Tell me'), answer('a')] })
  await expect.poll(animated).toEqual([160])
  await panel.show({ id: 'two', messages: [user('u', 'Do it'), assistant('a', question('c'))] })
  await expect(panel.element.locator('tool-agent-approval')).toBeVisible()
  await panel.show({ id: 'two', messages: [user('u', 'Do it'), answer('b'), assistant('a', question('c'))] })
  await expect.poll(async () => (await box(panel)).height).toBeGreaterThan(400)
  expect(await animated()).toEqual([160])
  // A Firefox of the system cannot be told by Playwright.
  if (browserName === 'firefox') return
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await panel.show({ id: 'three', messages: [user('u', 'Tell me'), answer('a')] })
  await expect.poll(async () => (await box(panel)).height).toBeGreaterThan(400)
  expect(await animated()).toEqual([160])
})

test('a conversation that is loading is outlined where its end will be, and nothing moves when it is there', async ({
  panel,
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  await openFitted(panel)
  const outline = () =>
    panel.element.locator('.messages').evaluate((one) =>
      ['::before', '::after'].flatMap((part) => {
        const { content, animationName, opacity } = getComputedStyle(one, part)
        return content === 'none' ? [] : [[content, animationName, opacity]]
      }),
    )
  const frame = async () => [await box(panel), await panel.element.locator('.field').boundingBox()]
  const show = async () => {
    const answer = Array.from({ length: 30 }, (_, index) => `Line ${index + 1}`).join('\n\n')
    await panel.show({ id: 'one', messages: [user('u', 'Tell me'), assistant('a', answer)] })
    await expect(panel.element.getByText('Line 30', { exact: true })).toBeInViewport()
  }
  expect(await outline()).toEqual([])
  await show()
  await expect.poll(async () => (await box(panel)).height).toBe(704)
  const before = await frame()
  await page.reload()
  await panel.ready()
  await page.evaluate(() => {
    window.fake.show(undefined)
  })
  await openFitted(panel)
  await expect(panel.element.locator('.greeting')).toHaveCount(0)
  // Not at once: it rarely takes as long.
  expect((await outline()).map(([content, animation]) => [content, animation])).toEqual([
    ['"…"', 'enter'],
    ['"…"', 'enter'],
  ])
  await expect.poll(outline).toEqual([
    ['"…"', 'enter', '1'],
    ['"…"', 'enter', '1'],
  ])
  expect(await frame()).toEqual(before)
  expect(await panel.element.locator('.log').evaluate((log) => log.scrollHeight - log.clientHeight)).toBe(0)
  await show()
  expect(await outline()).toEqual([])
  expect(await frame()).toEqual(before)
})

test('the tab remembers size and state of a floating panel', async ({ panel, page }) => {
  await open(panel)
  const { width } = await box(panel)
  await panel.element.getByRole('button', { name: 'Resize' }).focus()
  await page.keyboard.press('Shift+ArrowLeft')
  await expect.poll(async () => (await box(panel)).width).toBe(width + 64)
  await page.reload()
  await panel.ready()
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  await expect(section(panel)).toBeVisible()
  expect(await page.evaluate(() => window.element.open)).toBe(true)
  expect((await box(panel)).width).toBe(width + 64)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.reload()
  await panel.ready()
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  await expect(panel.element.locator('.grip')).toBeAttached()
  await expect(section(panel)).toBeHidden()
})

test('a panel moves away from the field that gets a value', async ({ panel, page }) => {
  await open(panel)
  await page.evaluate(() => {
    document.body.insertAdjacentHTML(
      'beforeend',
      `<input id="left" style="position: fixed; inset: 50% auto auto 50px">
       <input id="right" style="position: fixed; inset: 50% 100px auto auto">
       <input id="wide" style="position: fixed; inset: 60% 0 auto 0; width: 100%">`,
    )
  })
  const isLeft = async () => (await box(panel)).x < 400
  const fill = (id: string) =>
    page.evaluate((name) => {
      const field = document.querySelector<HTMLInputElement>(`#${name}`)!
      field.value = 'x'
      field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true }))
    }, id)
  await fill('left')
  expect(await isLeft()).toBe(false)
  await fill('right')
  expect(await isLeft()).toBe(true)
  await fill('left')
  expect(await isLeft()).toBe(false)
  await fill('wide')
  expect(await isLeft()).toBe(false)
})

test('a shortcut opens and closes the panel', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.setAttribute('shortcut', 'Control+Shift+K')
  })
  const launcher = panel.element.locator('.launcher')
  await expect(launcher).toHaveAttribute('aria-keyshortcuts', 'Control+Shift+K')
  await page.keyboard.press('Control+K')
  await page.keyboard.press('K')
  await expect(section(panel)).toBeHidden()
  await page.keyboard.press('Control+Shift+K')
  await expect(panel.field).toBeFocused()
  await page.keyboard.press('Control+Shift+K')
  await expect(section(panel)).toBeHidden()
  await expect(launcher).toBeFocused()
  // Also that of an element which begins with one.
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<tool-agent layout=floating shortcut="Alt+L" id=other></tool-agent>')
  })
  await expect(page.locator('#other .launcher')).toHaveAttribute('aria-keyshortcuts', 'Alt+L')
})

test('a sidebar covers the page, or makes room beside it', async ({ panel, page }) => {
  const room = () => page.evaluate(() => innerWidth - document.documentElement.getBoundingClientRect().right)
  await open(panel, 'sidebar')
  expect(await room()).toBe(0)
  await page.evaluate(() => {
    window.element.sidebar = 'push'
  })
  const { width } = await box(panel)
  await expect.poll(room).toBe(width)
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(room).toBe(0)
  await page.evaluate(() => {
    window.element.open = true
  })
  await expect.poll(room).toBe(width)
  await page.setViewportSize({ width: 390, height: 700 })
  await expect.poll(room).toBe(0)
  await page.setViewportSize({ width: 1280, height: 700 })
  await expect.poll(room).toBe(width)
  await page.evaluate(() => {
    window.element.remove()
  })
  await expect.poll(room).toBe(0)
  expect(await page.evaluate(() => document.documentElement.getAttribute('style') ?? '')).toBe('')
})

test('an empty conversation shows greeting, icon, suggestions and disclaimer of the page', async ({ panel, page }) => {
  await page.evaluate(() => {
    const { element } = window
    element.setAttribute('greeting', 'Hello from the shop')
    element.setAttribute('icon', '/playground/public/icon.svg')
    element.setAttribute('disclaimer', 'Answers may be wrong.')
    element.suggestions = ['Find my order', 'Return something']
  })
  const empty = panel.element.locator('.empty')
  await expect(empty.locator('.greeting')).toHaveText('Hello from the shop')
  await expect(empty.getByRole('button')).toHaveText(['Find my order', 'Return something'])
  const header = panel.element.locator('header')
  await expect(header.locator('.mark img')).toHaveAttribute('src', '/playground/public/icon.svg')
  // Below the field, also when it is needed: with an answer.
  const disclaimer = panel.element.locator('.disclaimer')
  await expect(disclaimer).toHaveText('Answers may be wrong.')
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
  await expect(empty).toHaveCount(0)
  await expect(disclaimer).toBeVisible()
  // Without an icon, the first letter of the title.
  await page.evaluate(() => {
    window.element.removeAttribute('icon')
    window.element.heading = 'shop'
  })
  await expect(header.locator('.mark')).toHaveText('S')
  await page.evaluate(() => {
    window.element.setAttribute('icon', '/playground/public/icon.svg')
  })
  await expect(header.locator('.mark img')).toHaveAttribute('alt', '')
})

test('an empty conversation offers what the tools can do, until the page says what', async ({ panel, page }) => {
  const offered = panel.element.locator('.empty').getByRole('button')
  const addFields = (html: string) =>
    page.evaluate((text) => {
      document.querySelector('main')!.insertAdjacentHTML('beforeend', text)
      window.fake.set({})
    }, html)
  await test.step('nothing without tools', async () => {
    await expect(panel.element.locator('.greeting')).toBeVisible()
    await expect(offered).toHaveCount(0)
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
  })
  await test.step('titles of tools, not names, and nothing that deletes', async () => {
    await page.evaluate(() => {
      const tool = (name: string, title?: string, annotations = {}) =>
        ({ name, title: title ?? name, annotations, tool: { name, title } }) as never
      window.fake.set({
        tools: [
          tool('find_shop'),
          tool('empty', 'Empty the cart', { destructiveHint: true }),
          tool('page_wait', 'Wait for the page'),
          tool('track', 'Track a parcel'),
          tool('gift', 'Wrap as a gift'),
        ],
      })
    })
    await expect(offered).toHaveText(['Track a parcel', 'Wrap as a gift'])
    await expect(panel.field).toHaveAttribute('placeholder', 'What would you like to do?')
  })
  await test.step('page tools: a form is offered where there is one', async () => {
    await page.evaluate(() => {
      window.element.pageTools = 'read fill'
    })
    const general = ['Track a parcel', 'Wrap as a gift', 'What can I do here?']
    await expect(offered).toHaveText(general)
    await expect(panel.field).toHaveAttribute('placeholder', 'Ask anything about this page')
    await addFields(
      `<form role="search"><input name="q"><input name="place"></form><form><input type="email"><input type="password">
      <label><input type="checkbox">Red</label><textarea hidden></textarea></form>`,
    )
    await expect(offered).toHaveText(general)
    await addFields('<input name="city">')
    await expect(offered).toHaveText(['Track a parcel', 'Fill in this form', 'What can I do here?'])
  })
  await test.step('in the language of the page', async () => {
    await page.evaluate(() => {
      document.documentElement.lang = 'de'
    })
    await expect(offered).toHaveText(['Track a parcel', 'Dieses Formular ausfüllen', 'Was kann ich hier tun?'])
  })
  await test.step('the page decides, and an empty list is none', async () => {
    await page.evaluate(() => {
      window.element.setAttribute('suggestions', '[]')
    })
    await expect(panel.element.locator('.greeting')).toBeVisible()
    await expect(offered).toHaveCount(0)
    await page.evaluate(() => {
      window.element.removeAttribute('suggestions')
    })
    await offered.getByText('Was kann ich hier tun?').click()
    expect((await panel.asked('send'))[0]).toEqual(['Was kann ich hier tun?'])
  })
})

test('fields, buttons and cards that wait or have failed have a boundary of 3:1', async ({
  panel,
  page,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await page.evaluate(() => {
    window.fake.show(window.richSession())
  })
  await expect(panel.element.locator('.call').first()).toBeVisible()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const poor = await panel.element.evaluate((element) => {
      const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
      const luminance = (color: string): number => {
        canvas.clearRect(0, 0, 1, 1)
        canvas.fillStyle = color
        canvas.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
          value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
        )
        return 0.2126 * r + 0.7152 * g + 0.0722 * b
      }
      const backgroundOf = (node: Element | null): string => {
        for (let one = node; one !== null; one = one.parentElement) {
          const { backgroundColor } = getComputedStyle(one)
          if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor
        }
        return 'white'
      }
      const found: string[] = []
      for (const one of element.shadowRoot?.querySelectorAll(
        '.field, .call:is([data-state=asking], [data-state=failed]), .approval, .deny',
      ) ?? []) {
        const values = [getComputedStyle(one).borderTopColor, backgroundOf(one.parentElement)].map(luminance)
        const contrast = (Math.max(...values) + 0.05) / (Math.min(...values) + 0.05)
        if (contrast < 3) found.push(`${one.className} ${contrast.toFixed(2)}`)
      }
      return found
    })
    expect(poor, colorScheme).toEqual([])
  }
})
