// The states of one job on a page with real page tools: filling, asking, done, reviewed, undone. In each, axe-core finds
// nothing, no text of a button or title is cut or outside, and nothing of the page is moved by what is drawn above it.
import type { Page } from 'playwright/test'
import { languages } from '../../../../src/ui/i18n/languages/languages.js'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { violations } from '../../../support/page/axe.js'
import { card, click, fill, openHeld } from '../../../support/page/held-page.js'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { drawn, watchStage } from '../../../support/page/stage.js'
import { settle } from './show-state.js'

/** With landmarks, because axe-core wants all text to be in one. */
const checkout = `<form><section><h2>Delivery</h2>
    <p><label>Name <input name=name value=Lin></label></p>
    <p><label>Street <input name=street></label></p>
    <p><label>City <input name=city></label></p></section>
  <section><h2>Your order</h2><p>Total € 409.90</p><button type=button id=pay>Place order</button></section></form>`

interface Look {
  readonly language: string
  readonly width: 1280 | 390
  readonly scheme: 'light' | 'dark'
}
const nameOf = ({ language, width, scheme }: Look): string => `${language} ${width} ${scheme}`

/** The states in their order, each with what brings the page into it. */
const steps = (page: Page, next: () => void): Readonly<Record<string, () => Promise<void>>> => {
  const panel = page.locator('tool-agent section.panel')
  return {
    filling: async () => {
      await send(page, 'Order it')
      await expect(page.locator('[name=city]')).toHaveValue('Bergen')
    },
    asking: async () => {
      next()
      await expect(card(page).locator('.decision .deny')).toBeVisible()
      await expect.poll(async () => (await drawn(page)).map(({ name }) => name)).toContain('label')
    },
    done: async () => {
      // Waits until the panel, which makes room for the question, has come to rest.
      await card(page).locator('.deny').click()
      await settled(page)
      await expect(panel.locator('.receipt .undo')).toBeVisible()
      await expect.poll(async () => (await drawn(page)).map(({ name }) => name)).toContain('mark')
    },
    reviewed: async () => {
      await panel.locator('.receipt [part=review-button]').click()
      const review = page.locator('tool-agent .review')
      await expect(review).toBeVisible()
      await review.locator('button[aria-pressed=false]').click()
      await expect(review.locator('button[aria-pressed=true]:not(.after)')).toBeVisible()
    },
    undone: async () => {
      await page.keyboard.press('Escape')
      if (!(await panel.isVisible())) await page.locator('tool-agent .launcher').click()
      await panel.locator('.receipt .foot .undo').click()
      await expect(page.locator('[name=city]')).toHaveValue('')
      await expect(panel.locator('.receipt [part=undo]').first()).toBeVisible()
    },
  }
}

/** Buttons and titles of the panel and the review that are cut or outside of the window. */
const misfits = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const root = document.querySelector('tool-agent')!.shadowRoot!
    const all = root.querySelectorAll<HTMLElement>('button, h2, h3, .title, .left, .bar p, .review p')
    return [...all].flatMap((one) => {
      const { left, right, width } = one.getBoundingClientRect()
      if (width === 0 || !one.checkVisibility({ visibilityProperty: true })) return []
      // The names of steps are cut, with the whole in the open card.
      const mayBeCut = one.closest('.bar, summary') !== null
      const isCut = one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== 'visible'
      const isOutside = left < -1 || right > innerWidth + 1
      return (isCut && !mayBeCut) || isOutside ? [`${one.className} “${one.textContent.trim()}”`] : []
    })
  })

/** Adds up the layout shifts that a browser reports for the page, of whatever is drawn in it. */
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const scope = window as unknown as { shifts: number }
    scope.shifts = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean }
        if (!hadRecentInput) scope.shifts += value
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
const shifts = (page: Page): Promise<number> => page.evaluate(() => (window as unknown as { shifts: number }).shifts)
/** A text that scrolls in the panel. A panel that moves would be a hundred times as much. */
const smallShift = 0.02

const isUsual = (look: Look): boolean => ['en 390 light', 'ar 390 dark'].includes(nameOf(look))
const looks: Look[] = ['en', ...languages.keys()].flatMap((language) =>
  ([390, 1280] as const).flatMap((width) =>
    (['light', 'dark'] as const).map((scheme) => ({ language, width, scheme })),
  ),
)

for (const look of looks) {
  // Colours do not depend on the language, and a wide panel has room for any.
  const isEnough = !['en', 'ar'].includes(look.language) && nameOf(look) !== `${look.language} 390 light`
  if (isEnough) continue
  test(
    `one job, state by state: ${nameOf(look)}`,
    { tag: isUsual(look) ? [] : ['@long'] },
    async ({ page, site, serveModel, browserName }) => {
      let next = (): void => {}
      const filled = new Promise<void>((resolve) => (next = resolve))
      const script: ScriptItem[] = [
        fill({ Name: 'Kari', Street: 'Storgata 12', City: 'Bergen' }),
        async () => {
          await filled
          return click('Place order') as { readonly text?: string }
        },
        { text: 'The form is filled in. Place the order when you are ready.' },
      ]
      await watchStage(page)
      await watchShifts(page)
      await page.emulateMedia({ colorScheme: look.scheme })
      await openHeld(page, site, await serveModel(script), {
        html: checkout,
        script: `document.querySelector('main').insertAdjacentHTML('beforebegin', '<header>A shop</header>')
          document.documentElement.lang = '${look.language}'
          document.documentElement.dir = '${look.language === 'ar' ? 'rtl' : 'ltr'}'`,
        options: { layout: 'floating', open: true },
      })
      await page.setViewportSize({ width: look.width, height: look.width === 390 ? 844 : 800 })
      if (look.language !== 'en')
        await page.locator(`tool-agent .root[lang=${look.language}]`).waitFor({ state: 'attached' })
      const before = await shifts(page)
      const found: string[] = []
      for (const [state, enter] of Object.entries(steps(page, next)))
        await test.step(state, async () => {
          await enter()
          await settle(page)
          if (['en', 'ar'].includes(look.language))
            found.push(...(await violations(page)).map((one) => `${state}: ${one}`))
          found.push(...(await misfits(page)).map((one) => `${state}: ${one} does not fit`))
        })
      expect(found).toEqual([])
      // What the panel does counts for the page, and only this browser counts it.
      if (browserName === 'chromium') expect((await shifts(page)) - before).toBeLessThan(smallShift)
      await expect(card(page)).toHaveCount(0)
    },
  )
}

test('the same job by keyboard alone: answered, reviewed and undone, and each step is announced', async ({
  page,
  site,
  serveModel,
}) => {
  await openHeld(
    page,
    site,
    await serveModel([
      fill({ Name: 'Kari', Street: 'Storgata 12', City: 'Bergen' }),
      click('Place order'),
      { text: 'The form is filled in.' },
    ]),
    { html: checkout, script: '', options: { layout: 'floating', open: true } },
  )
  await page.setViewportSize({ width: 1280, height: 900 })
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said)
  await page.evaluate(() => {
    const scope = window as unknown as { said: string[] }
    scope.said = []
    const region = document.querySelector('tool-agent')!.shadowRoot!.querySelector('.unseen[role=status]')!
    new MutationObserver(() => {
      for (const line of region.querySelectorAll('p'))
        if (line.textContent && scope.said.at(-1) !== line.textContent) scope.said.push(line.textContent)
    }).observe(region, { subtree: true, childList: true, characterData: true })
  })
  const focused = page.locator('tool-agent :focus')
  /** Presses Tab until the focus is on what has this name. */
  const tabTo = async (name: RegExp, key = 'Tab'): Promise<void> => {
    await expect(async () => {
      await page.keyboard.press(key)
      await expect(focused).toHaveAccessibleName(name, { timeout: 200 })
    }).toPass({ intervals: [0] })
  }
  await page.locator('tool-agent .grow textarea').focus()
  await page.keyboard.type('Order it')
  await page.keyboard.press('Enter')
  await expect(card(page).locator('.approval')).toBeVisible()
  // What is asked about is free, and the focus has stayed where the visitor writes.
  await expect(focused).toHaveJSProperty('localName', 'textarea')
  await page.keyboard.press('F8')
  await expect(focused).toHaveAccessibleName(/Press “Place order”/)
  await tabTo(/I’ll press it myself/)
  await tabTo(/Don’t allow/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await settled(page)
  await expect(focused).toHaveJSProperty('localName', 'textarea')
  await tabTo(/Review on the page/, 'Shift+Tab')
  await page.keyboard.press('Enter')
  const review = page.locator('tool-agent .review')
  await expect(review).toMatchAriaSnapshot(`
    - dialog "Review on the page":
      - paragraph: 1 of 3 Name
      - button "Previous field"
      - button "Next field"
      - button "Before"
      - button "After" [pressed]
      - 'button "Undo: This field"'
      - button "Looks good"
  `)
  await page.keyboard.press('ArrowDown')
  await expect(review.locator('.where')).toHaveText('2 of 3 Street')
  await page.keyboard.press('Escape')
  await expect(focused).toHaveAccessibleName(/Review on the page/)
  await tabTo(/^Undo/)
  await page.keyboard.press('Enter')
  await expect(page.locator('[name=city]')).toHaveValue('')
  await expect(focused).toHaveAccessibleName(/^Redo/)
  await expect.poll(async () => (await said()).join(' | ')).toContain('Undone')
  const all = (await said()).join(' | ')
  expect(all).toContain('Press “Place order”')
  expect(all).toContain('3 changes')
})
