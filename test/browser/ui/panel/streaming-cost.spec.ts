// What a piece of a streamed answer costs while no tool runs. Counted and not timed: what the browser matches, what
// the page is asked for, and what is written outside of the answer.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/panel.js'

interface SelectorStats {
  readonly name: string
  readonly args: {
    readonly selector_stats?: {
      readonly selector_timings: readonly { readonly selector: string; readonly match_attempts: number }[]
    }
  }
}

const pieces = 40
const windows = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
  'low window': { width: 640, height: 260 },
}

/** How often the browser tried to match each selector. */
function attemptsIn(trace: Buffer): ReadonlyMap<string, number> {
  const { traceEvents } = JSON.parse(trace.toString()) as { readonly traceEvents: readonly SelectorStats[] }
  const attempts = new Map<string, number>()
  for (const { name, args } of traceEvents)
    for (const one of name === 'SelectorStats' ? (args.selector_stats?.selector_timings ?? []) : [])
      attempts.set(one.selector, (attempts.get(one.selector) ?? 0) + one.match_attempts)
  return attempts
}

/** What the page is asked for and what is written while so many paragraphs arrive, each in a frame of its own. */
const stream = (page: Page): Promise<{ readonly asked: Record<string, number>; readonly written: readonly string[] }> =>
  page.evaluate(async (count) => {
    const section = window.element.shadowRoot!.querySelector('section.panel')!
    const asked: Record<string, number> = {}
    const replaced: (() => void)[] = []
    const watch = (owner: object, name: string, label: (args: readonly unknown[]) => string) => {
      const scope = owner as Record<string, (...args: unknown[]) => unknown>
      const real = scope[name]!
      scope[name] = function (...args) {
        const key = label(args)
        asked[key] = (asked[key] ?? 0) + 1
        return real.apply(this, args)
      }
      replaced.push(() => (scope[name] = real))
    }
    for (const name of ['matchMedia', 'getComputedStyle']) watch(window, name, () => name)
    for (const { prototype } of [Element, ShadowRoot, Document])
      for (const name of ['querySelector', 'querySelectorAll']) watch(prototype, name, ([selector]) => String(selector))
    const written: string[] = []
    const observer = new MutationObserver((records) => {
      for (const { target, attributeName } of records) written.push(`${target.nodeName} ${attributeName}`)
    })
    observer.observe(section, { attributes: true })
    const frame = () => new Promise(requestAnimationFrame)
    for (let piece = 0; piece < count; piece++) {
      window.fake.emit({ type: 'text-delta', delta: `\n\nParagraph ${piece}` })
      await frame()
      await frame()
    }
    observer.disconnect()
    for (const restore of replaced) restore()
    return { asked, written }
  }, pieces)

test('a piece of an answer looks at nothing but the answer', async ({ panel, page, browser, browserName }) => {
  test.skip(browserName !== 'chromium', 'Only Chromium traces what it does')
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.open = true
  })
  await panel.stream()
  const section = panel.element.locator('section.panel:popover-open')
  await expect(section).toBeVisible()
  // A panel grows with its first paragraphs, up to its limit.
  await panel.emit({ type: 'text-delta', delta: Array.from({ length: 40 }, (_, at) => `\n\nFirst ${at}`).join('') })
  const isFull = () =>
    section.evaluate((node) => {
      const wanted = parseFloat((node as HTMLElement).style.getPropertyValue('--_fit'))
      return wanted > (node as HTMLElement).offsetHeight && node.getAnimations().length === 0
    })
  await expect.poll(isFull).toBe(true)
  for (const [name, size] of Object.entries(windows))
    await test.step(name, async () => {
      await page.setViewportSize(size)
      // Everything is styled for the new size.
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))))
      await browser.startTracing(page, { categories: ['disabled-by-default-blink.debug'] })
      const { asked, written } = await stream(page)
      const attempts = attemptsIn(await browser.stopTracing())
      await expect(panel.element.locator('.text').last()).toContainText(`Paragraph ${pieces - 1}`)
      const styled = attempts.get('*') ?? 0
      expect(styled, 'elements that were styled').toBeGreaterThan(0)
      // The new paragraph, the one before it, and what is around them.
      expect(styled, 'elements that were styled').toBeLessThanOrEqual(6 * pieces)
      expect(attempts.get('.panel') ?? 0, 'times that the panel was styled').toBeLessThan(pieces / 4)
      // Found at once: nothing looks through the answer.
      expect(Object.keys(asked).sort()).toEqual(['.launcher', '.log', '.messages', '.messages, .approvals', '.panel'])
      expect(written).toEqual([])
    })
})
