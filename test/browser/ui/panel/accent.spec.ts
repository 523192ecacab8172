// The main colour is that of the site, and it can be read whatever it is.
import { expect, test } from '../../../support/page/panel.js'

/** What the page names, and how: the element is put into it again. */
interface Site {
  readonly attribute?: string
  readonly accentColor?: string
  readonly themeColor?: string
}

test('the main colour is the one that the page names, within what can be read', async ({ panel, page }) => {
  const look = (site: Site, scheme: 'light' | 'dark' = 'light') =>
    panel.element.evaluate(
      (element, [{ attribute, accentColor, themeColor }, colors]) => {
        const root = document.documentElement
        root.style.accentColor = accentColor ?? ''
        document.querySelector('meta[name=theme-color]')?.remove()
        if (themeColor !== undefined) {
          const meta = document.head.appendChild(document.createElement('meta'))
          Object.assign(meta, { name: 'theme-color', content: themeColor })
        }
        if (attribute === undefined) element.removeAttribute('accent')
        else element.setAttribute('accent', attribute)
        element.style.colorScheme = colors
        const { parentNode: parent, nextSibling: next } = element
        parent?.insertBefore(element, next)
        const probe = element.appendChild(document.createElement('span'))
        probe.slot = 'footer'
        const rgb = (color: string): number[] => {
          probe.style.color = `color-mix(in srgb, ${color}, ${color})`
          return getComputedStyle(probe)
            .color.match(/[\d.]+/g)!
            .slice(0, 3)
            .map(Number)
        }
        const luminance = (color: string): number => {
          const [red = 0, green = 0, blue = 0] = rgb(color).map((share) =>
            share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4,
          )
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        const contrast = (one: string, other: string): number => {
          const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
          return (light + 0.05) / (dark + 0.05)
        }
        const color = 'var(--_accent)'
        element.style.setProperty('--tool-agent-bad', 'lightpink')
        const onDanger = contrast('var(--_danger)', '#fff')
        element.style.removeProperty('--tool-agent-bad')
        const hex = rgb(color)
          .map((share) =>
            Math.round(share * 255)
              .toString(16)
              .padStart(2, '0'),
          )
          .join('')
        const lowest = Math.min(
          ...['var(--_on-accent)', 'var(--_bg)', 'var(--_surface)'].map((other) => contrast(color, other)),
        )
        probe.remove()
        return { hex, lowest, onDanger }
      },
      [site, scheme] as const,
    )
  const { hex: ours, onDanger } = await look({})
  expect(onDanger, 'white text on the button that deletes').toBeGreaterThan(4.5)
  expect(ours).toBe('2f5bd0')
  // Hues are kept: a green stays green.
  const greens = [{ attribute: '#0a7d5c' }, { accentColor: '#0a7d5c' }, { themeColor: '#0a7d5c' }]
  const [first, ...others] = await Promise.all(greens.map((site) => look(site)))
  expect(others.map(({ hex }) => hex)).toEqual([first?.hex, first?.hex])
  expect(first?.hex).toMatch(/^[0-4].[6-9a-f].[3-7].$/)
  // The attribute wins over `accent-color`, and that over the colour of the browser's own bars.
  const all = { attribute: '#0a7d5c', accentColor: 'rebeccapurple', themeColor: '#c00' }
  expect((await look(all)).hex).toBe(first?.hex)
  expect((await look({ ...all, attribute: undefined! })).hex).not.toBe(first?.hex)
  // The white, the grey or the black of a background is no accent; as `accent` it is wanted.
  for (const themeColor of ['#ffffff', '#111', 'rgb(240 240 242)', 'no colour']) {
    expect((await look({ themeColor })).hex, themeColor).toBe(ours)
  }
  expect((await look({ attribute: 'black' })).hex).not.toBe(ours)
  const extreme = [
    'yellow',
    '#fff',
    'black',
    'cyan',
    'lime',
    'red',
    'blue',
    'hotpink',
    'oklch(.9 .3 190)',
    'color(display-p3 0 1 .4)',
  ]
  for (const attribute of extreme) {
    for (const scheme of ['light', 'dark'] as const) {
      expect((await look({ attribute }, scheme)).lowest, `${attribute}, ${scheme}`).toBeGreaterThan(4.5)
    }
  }
  await page.addStyleTag({ content: 'tool-agent { --tool-agent-accent: rgb(200 60 0) }' })
  expect((await look(all)).hex, 'a custom property is used as it is').toBe('c83c00')
  expect(panel.faults).toEqual([])
})

test('an accent that is no colour is a problem that says what to write', async ({ panel, page }) => {
  const messages = page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        window.element.addEventListener('tool-agent-error', (event) => resolve(event.error.message), { once: true })
        window.element.setAttribute('accent', 'bluish')
      }),
  )
  expect(await messages).toBe(`accent: expected a CSS colour, received "bluish"`)
  expect(await panel.element.evaluate((element) => element.shadowRoot?.querySelector('section') !== null)).toBe(true)
})
