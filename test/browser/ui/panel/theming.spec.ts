// What a page author can change: a whole brand by custom properties, parts and slots; texts; what is drawn below messages.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright/test'
import { fileURLToPath } from 'node:url'
import { assistant, call, expect, question, test, user } from '../../../support/page/panel.js'

const themes = fileURLToPath(new URL('../../../../themes', import.meta.url))

const brand = `
tool-agent {
  --tool-agent-background: rgb(255, 250, 240); --tool-agent-surface: rgb(250, 240, 220);
  --tool-agent-text: rgb(40, 20, 10); --tool-agent-muted: rgb(110, 80, 60); --tool-agent-border: rgb(200, 170, 140);
  --tool-agent-accent: rgb(200, 60, 0); --tool-agent-on-accent: rgb(255, 255, 254);
  --tool-agent-good: rgb(0, 100, 1); --tool-agent-warn: rgb(120, 80, 2); --tool-agent-bad: rgb(160, 0, 3);
  --tool-agent-user-background: rgb(90, 30, 4); --tool-agent-user-text: rgb(255, 240, 230);
  --tool-agent-code-background: rgb(30, 30, 35); --tool-agent-link: rgb(0, 60, 160);
  --tool-agent-focus-ring: rgb(0, 90, 255);
  --tool-agent-font: Georgia, serif; --tool-agent-font-mono: 'Courier New', monospace; --tool-agent-font-size: 17px;
  --tool-agent-radius: 6px; --tool-agent-radius-box: 3px; --tool-agent-radius-control: 2px; --tool-agent-density: 2;
  --tool-agent-shadow: rgb(1, 2, 3) 0px 1px 2px 0px;
  --tool-agent-width: 500px; --tool-agent-height: 600px;
  --tool-agent-offset-block: 40px; --tool-agent-offset-inline: 30px;
}
tool-agent::part(header) { background: rgb(200, 60, 0) }
tool-agent::part(header-button) { color: rgb(255, 255, 255) }
tool-agent::part(send) { background: rgb(1, 90, 60); border-radius: 5px }
tool-agent::part(stop) { color: rgb(1, 2, 200) }
tool-agent::part(greeting) { font-style: italic }
tool-agent::part(suggestion-1)::before { content: '🚚' }
tool-agent::part(suggestion-2)::before { content: '↩️' }
tool-agent::part(assistant-message)::before { content: 'A'; position: absolute; color: rgb(9, 9, 9) }
tool-agent::part(approval) { border-color: rgb(10, 20, 30) }
tool-agent::part(approve) { background: rgb(11, 21, 31) }
tool-agent::part(deny) { color: rgb(12, 22, 32) }
tool-agent::part(code) { color: rgb(230, 230, 231) }
tool-agent::part(inline-code) { color: rgb(231, 230, 230) }
tool-agent::part(table) { letter-spacing: 1px }
tool-agent::part(link) { text-decoration-style: dotted }
tool-agent::part(tool-call-title) { text-transform: uppercase }
tool-agent::part(spinner) { border-width: 5px }
tool-agent::part(progress) { height: 9px }
tool-agent::part(queue) { background: rgb(13, 23, 33) }
tool-agent::part(latest) { background: rgb(14, 24, 34) }
tool-agent::part(copy) { color: rgb(15, 25, 35) }
tool-agent::part(helpful) { color: rgb(16, 26, 36) }
`

/** One computed style of the first match. */
const styleOf = (locator: Locator, name: string, pseudo?: string): Promise<string> =>
  locator
    .first()
    .evaluate(
      (element, [property, part]) => getComputedStyle(element, part).getPropertyValue(property!),
      [name, pseudo],
    )

test('the brand test: every piece takes the look of the page', async ({ panel, page }) => {
  await page.addStyleTag({ content: brand })
  await page.evaluate(() => {
    const add = (slot: string, text: string) => {
      const child = document.createElement('strong')
      child.slot = slot
      child.textContent = text
      window.element.append(child)
    }
    window.element.layout = 'floating'
    window.element.suggestions = ['Where is my order?', 'Return something']
    window.element.words = { greeting: 'What are you looking for?', launcher: 'Ask Ada' }
    window.element.messageActions = (message) => {
      if (message.role !== 'assistant') return null
      const button = document.createElement('button')
      button.textContent = 'Helpful'
      button.part.add('helpful')
      return button
    }
    add('launcher', 'Ada, your guide')
    add('footer', 'Ada can be wrong.')
  })
  const { element } = panel
  const part = (name: string) => element.locator(`[part~="${name}"]`)

  // Launcher: colour, text and size.
  await expect(part('launcher')).toHaveAttribute('title', 'Ask Ada')
  expect(await styleOf(part('launcher'), 'background-color')).toBe('rgb(200, 60, 0)')
  expect(await styleOf(element.locator('[slot=launcher]'), 'color')).toBe('rgb(255, 255, 254)')
  await expect(element.locator('[slot=launcher]')).toBeVisible()
  const box = (await part('launcher').boundingBox())!
  const text = (await element.locator('[slot=launcher]').boundingBox())!
  expect(box.width).toBeGreaterThan(text.width)
  const size = page.viewportSize()!
  expect(size.width - box.x - box.width).toBeCloseTo(30)
  expect(size.height - box.y - box.height).toBeCloseTo(40)

  // The open panel: frame, header, greeting, suggestions, footer.
  await part('launcher').click()
  await expect(part('panel')).toBeVisible()
  await part('panel').evaluate((one) => Promise.all(one.getAnimations().map((animation) => animation.finished)))
  const frame = (await part('panel').boundingBox())!
  expect([frame.width, frame.height]).toEqual([500, 600])
  expect(Math.round(size.width - frame.x - frame.width)).toBe(30)
  expect(await styleOf(part('panel'), 'border-top-left-radius')).toBe('6px')
  expect(await styleOf(part('panel'), 'box-shadow')).toBe('rgb(1, 2, 3) 0px 1px 2px 0px')
  expect(await styleOf(part('panel'), 'font-family')).toContain('Georgia')
  expect(await styleOf(part('panel'), 'font-size')).toBe('17px')
  expect(await styleOf(part('header'), 'background-color')).toBe('rgb(200, 60, 0)')
  expect(await part('header-button').count()).toBe(3)
  for (const button of await part('header-button').all())
    expect(await styleOf(button, 'color')).toBe('rgb(255, 255, 255)')
  await expect(part('greeting')).toHaveText('What are you looking for?')
  expect(await styleOf(part('greeting'), 'font-style')).toBe('italic')
  expect(await styleOf(part('suggestion-1'), 'content', '::before')).toContain('🚚')
  expect(await styleOf(part('suggestion-2'), 'content', '::before')).toContain('↩️')
  expect(await styleOf(part('suggestion'), 'border-top-left-radius')).toBe('2px')
  await expect(element.locator('[slot=footer]')).toBeVisible()
  const footer = (await element.locator('[slot=footer]').boundingBox())!
  expect(footer.y).toBeGreaterThan((await part('composer').boundingBox())!.y)
  expect(footer.y + footer.height).toBeLessThanOrEqual(frame.y + frame.height)
  expect(await styleOf(part('composer'), 'border-top-left-radius')).toBe('2px')
  expect(await styleOf(part('send'), 'background-color')).toBe('rgb(1, 90, 60)')
  expect(await styleOf(part('send'), 'border-top-left-radius')).toBe('5px')

  // The transcript.
  await panel.show({
    status: 'running',
    messages: [
      user('u', 'Hi'),
      assistant('a', 'See `code` and [this](https://example.org/a).\n\n```js\nlet a\n```\n\n| A |\n|---|\n| 1 |'),
      user('u2', 'Go'),
      assistant('b', call('c', 'find_products', { started: { at: 1 } })),
    ],
  })
  await page.evaluate(() => {
    window.fake.progress.set('c', { fraction: 0.5, message: 'Half' })
    window.fake.wait({ turn: 't', text: 'Next' })
  })
  await expect(part('table')).toBeVisible()
  expect(await styleOf(part('user-message'), 'background-color')).toBe('rgb(90, 30, 4)')
  expect(await styleOf(part('user-message'), 'color')).toBe('rgb(255, 240, 230)')
  expect(await styleOf(part('code'), 'background-color')).toBe('rgb(30, 30, 35)')
  expect(await styleOf(part('code'), 'border-top-left-radius')).toBe('3px')
  expect(await styleOf(part('code').locator('code'), 'font-family')).toContain('Courier New')
  expect(await styleOf(part('inline-code'), 'color')).toBe('rgb(231, 230, 230)')
  expect(await styleOf(part('link'), 'color')).toBe('rgb(0, 60, 160)')
  expect(await styleOf(part('link'), 'text-decoration-style')).toBe('dotted')
  expect(await styleOf(part('table'), 'letter-spacing')).toBe('1px')
  expect(await styleOf(part('assistant-message'), 'content', '::before')).toBe('"A"')
  // The buttons of messages are loaded when the pointer is in the transcript.
  await part('assistant-message').first().hover()
  expect(await styleOf(part('copy'), 'color')).toBe('rgb(15, 25, 35)')
  expect(await styleOf(part('helpful'), 'color')).toBe('rgb(16, 26, 36)')
  expect(await styleOf(part('tool-call'), 'border-top-left-radius')).toBe('3px')
  expect(await styleOf(part('tool-call-title'), 'text-transform')).toBe('uppercase')
  expect(await styleOf(part('spinner'), 'border-left-width')).toBe('5px')
  await expect(part('progress')).toHaveCSS('height', '9px')
  await expect(part('queue')).toHaveCSS('background-color', 'rgb(13, 23, 33)')
  expect(await styleOf(part('stop'), 'color')).toBe('rgb(1, 2, 200)')

  // The question.
  await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('q'))] })
  await expect(part('approval')).toBeVisible()
  expect(await styleOf(part('approval'), 'border-top-color')).toBe('rgb(10, 20, 30)')
  expect(await styleOf(part('approval'), 'border-top-left-radius')).toBe('3px')
  expect(await styleOf(part('approve'), 'background-color')).toBe('rgb(11, 21, 31)')
  expect(await styleOf(part('deny'), 'color')).toBe('rgb(12, 22, 32)')
  expect(await styleOf(part('approval-title').locator('.icon'), 'color')).toBe('rgb(120, 80, 2)')
})

test('density scales the spacing, and the focus ring has its own colour', async ({ panel, page }) => {
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
  // Drawn by a part that is loaded with the first message.
  await expect(panel.element.locator('tool-agent-transcript').getByText('Hello')).toBeVisible()
  const gap = async () => parseFloat(await styleOf(panel.element.locator('.messages'), 'row-gap'))
  const before = await gap()
  await page.addStyleTag({ content: 'tool-agent { --tool-agent-density: .5; --tool-agent-focus-ring: rgb(1, 2, 3) }' })
  expect(await gap()).toBe(before / 2)
  const button = panel.element.locator('[part~="header-button"]').first()
  await button.focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  expect(await styleOf(button, 'outline-color')).toBe('rgb(1, 2, 3)')
})

test('slots replace the title and the empty conversation, and the page styles them', async ({ panel, page }) => {
  await page.evaluate(() => {
    for (const [slot, text] of [
      ['header', 'Ada'],
      ['empty', 'Pick a topic'],
    ] as const) {
      const child = document.createElement('p')
      child.slot = slot
      child.textContent = text
      window.element.append(child)
    }
    window.element.suggestions = ['One']
  })
  await page.addStyleTag({ content: 'tool-agent > p { color: rgb(1, 100, 1) }' })
  const title = panel.element.locator('[slot=header]')
  await expect(title).toBeVisible()
  expect(await styleOf(title, 'color')).toBe('rgb(1, 100, 1)')
  await expect(panel.element.locator('[part~="title"]')).toBeHidden()
  await expect(panel.element.locator('[slot=empty]')).toBeVisible()
  await expect(panel.element.locator('[part~="greeting"]')).toBeHidden()
  // The buttons of the header stay at the end.
  const button = (await panel.element.locator('[part~="header-button"]').first().boundingBox())!
  expect(button.x).toBeGreaterThan((await title.boundingBox())!.x + 50)
  await panel.show({ messages: [user('u', 'Hi')] })
  await expect(panel.element.locator('[slot=empty]')).toBeHidden()
})

test('texts of the page replace single texts, live and in every language', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.words = { placeholder: 'Ask Ada', approval: { approve: 'Yes, do it', acts: { yes: 'yep' } } }
  })
  await expect(panel.field).toHaveAttribute('placeholder', 'Ask Ada')
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
  await panel.show({
    status: 'awaiting-approval',
    messages: [user('u', 'Hi'), assistant('a', question('q'))],
  })
  await expect(panel.element.getByRole('button', { name: 'Yes, do it' })).toBeVisible()
  await expect(panel.element.getByRole('button', { name: 'Don’t allow' })).toBeVisible()
  await page.evaluate(() => {
    window.element.lang = 'fr'
  })
  await expect(panel.element.getByRole('button', { name: 'Ne pas autoriser' })).toBeVisible()
  await expect(panel.element.getByRole('button', { name: 'Yes, do it' })).toBeVisible()
  await page.evaluate(() => {
    window.element.words = {}
  })
  await expect(panel.element.getByRole('button', { name: 'Autoriser', exact: true })).toBeVisible()
  await expect(panel.field).toHaveAttribute('placeholder', 'Posez une question sur cette page')
  await page.evaluate(() => {
    window.element.words = 'Hello' as never
  })
  await expect.poll(() => panel.faults.splice(0).join()).toContain('words: expected an object, received "Hello"')
})

test('the launcher has its name in the language of the page', async ({ panel, page }) => {
  await page.evaluate(() => {
    document.documentElement.lang = 'ja'
    window.element.layout = 'floating'
  })
  const launcher = panel.element.locator('[part~="launcher"]')
  await expect(launcher).toHaveAttribute('title', 'アシスタントを開く')
  await page.evaluate(() => {
    window.element.words = { launcher: 'Ask Ada' }
  })
  await expect(launcher).toHaveAccessibleName('Ask Ada')
})

// --- Themes ------------------------------------------------------------------------------------------------------

/** Pairs of a text and its background, by part and style of a page that shows all of them. */
const pairs = [
  ['text', 'background'],
  ['text', 'surface'],
  ['muted', 'background'],
  ['muted', 'surface'],
  ['accent', 'background'],
  ['on-accent', 'accent'],
  ['good', 'background'],
  ['warn', 'background'],
  ['bad', 'background'],
  ['link', 'background'],
  ['user-text', 'user-background'],
] as const

for (const name of ['default', ...readdirSync(themes).map((file) => file.replace(/\.css$/, ''))]) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`the theme ${name} has enough contrast in ${scheme}`, async ({ panel, page }) => {
      const css = name === 'default' ? '' : readFileSync(join(themes, `${name}.css`), 'utf8')
      await page.addStyleTag({ content: `${css}\ntool-agent { color-scheme: ${scheme} }` })
      const ratios = await panel.element.evaluate((element, wanted) => {
        const fallback: Record<string, string> = {
          background: 'light-dark(#fff, #18191c)',
          surface: 'light-dark(#f4f5f7, #232529)',
          text: 'light-dark(#1c2027, #e6e8ed)',
          muted: 'light-dark(#5b6270, #a0a7b4)',
          accent: 'light-dark(#2f5bd0, #8fb0ff)',
          'on-accent': 'light-dark(#fff, #0e1526)',
          good: 'light-dark(#1b7f4b, #6fcf97)',
          warn: 'light-dark(#94600a, #e9b85c)',
          bad: 'light-dark(#b3261e, #ff9a90)',
          link: 'var(--tool-agent-accent, light-dark(#2f5bd0, #8fb0ff))',
          'user-background': 'var(--tool-agent-surface, light-dark(#f4f5f7, #232529))',
          'user-text': 'var(--tool-agent-text, light-dark(#1c2027, #e6e8ed))',
        }
        const luminance = (role: string): number => {
          const probe = element.appendChild(document.createElement('span'))
          // An element without a slot is not drawn and has no computed style.
          probe.slot = 'footer'
          probe.style.color = `var(--tool-agent-${role}, ${fallback[role] ?? ''})`
          const [red = 0, green = 0, blue = 0] = (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map((value) => {
            const share = Number(value) / 255
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
          })
          probe.remove()
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        return wanted.map(([front, back]) => {
          const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a) as [number, number]
          return { pair: `${front} on ${back}`, ratio: (light + 0.05) / (dark + 0.05) }
        })
      }, pairs)
      expect(ratios.filter(({ ratio }) => ratio < 4.5)).toEqual([])
    })
  }
}

/** What is different to the eye besides colours, of the panel with a conversation and of the launcher. */
const aspects = {
  radius: [['panel', 'border-top-left-radius']],
  density: [['transcript', 'row-gap', '.messages']],
  type: [
    ['panel', 'font-family'],
    ['panel', 'font-size'],
  ],
  launcher: [
    ['launcher', 'border-top-left-radius'],
    ['launcher', 'height'],
    ['launcher', 'border-top-width'],
  ],
  bubble: [
    ['user-message', 'border-top-left-radius'],
    ['user-message', 'border-bottom-right-radius'],
    ['user-message', 'border-left-width'],
  ],
  header: [
    ['header', 'background-image'],
    ['header', 'border-bottom-style'],
    ['header', 'border-bottom-width'],
  ],
} as const satisfies Record<string, readonly (readonly [part: string, property: string, inside?: string])[]>

test('each theme differs from each other in at least four of six aspects', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
  })
  const launcher = panel.element.locator('[part~="launcher"]')
  await expect(launcher).toBeVisible()
  const names = ['default', ...readdirSync(themes).map((file) => file.replace(/\.css$/, ''))]
  expect(names).toHaveLength(4)
  /** The aspect as each theme draws it, in the order of the names. */
  const looksOf = async (aspect: keyof typeof aspects): Promise<string[]> => {
    const looks: string[] = []
    for (const name of names) {
      const css = name === 'default' ? '/* None */' : readFileSync(join(themes, `${name}.css`), 'utf8')
      const style = await page.addStyleTag({ content: css })
      const values = []
      for (const [part, property, inside] of aspects[aspect] as readonly (readonly [string, string, string?])[]) {
        const all = panel.element.locator(`[part~="${part}"]${inside === undefined ? '' : ` ${inside}`}`)
        values.push(await styleOf(all, property))
      }
      looks.push(values.join(' '))
      await style.evaluate((element) => {
        element.parentNode?.removeChild(element)
      })
    }
    return looks
  }
  const found = new Map([['launcher', await looksOf('launcher')]])
  // An open panel has no launcher.
  await launcher.click()
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
  await expect(panel.element.locator('[part~="user-message"]')).toBeVisible()
  for (const aspect of ['radius', 'density', 'type', 'bubble', 'header'] as const)
    found.set(aspect, await looksOf(aspect))
  const alike: string[] = []
  for (const [index, one] of names.entries())
    for (const [offset, other] of names.slice(index + 1).entries()) {
      const same = [...found]
        .filter(([, looks]) => looks[index] === looks[index + 1 + offset])
        .map(([aspect]) => aspect)
      if (found.size - same.length < 4) alike.push(`${one} and ${other}: ${same.join(', ')}`)
    }
  expect(found.size).toBe(6)
  expect(alike).toEqual([])
})
