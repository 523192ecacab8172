// The places of controls in small applications of some twenty UI libraries, as a person would say them.
import type { Page } from 'playwright/test'
import { expect, openFramework, placeApps, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'
import { markPlaces, placesSaid, refOf, wrongPlaces } from '../../../support/page/places-said.js'

interface App {
  readonly wait: string
  readonly press?: readonly string[]
  readonly says: Readonly<Record<string, readonly string[]>>
}

/**
 * What is known to be wrong: the letters of an avatar in a shadow root join the name beside it, and an overlay is taken
 * for a part of the page, whose text is its place.
 */
const missed = [
  'shoelace: button "⋯" in "An Ann Miller" instead of "Ann Miller"',
  'shoelace: button "⋯" in "Bo Bo Chen" instead of "Bo Chen"',
  'shoelace: menuitem "Edit" in "Bo Bo Chen" instead of "Bo Chen"',
  'shoelace: menuitem "Void" in "Bo Bo Chen" instead of "Bo Chen"',
  'shoelace: button "⋯" in "Ci Cid Ray" instead of "Cid Ray"',
  'vaadin menu bar: menuitem "Share" in "Share Archive" instead of "Bo Chen"',
  'vaadin menu bar: menuitem "Archive" in "Share Archive" instead of "Bo Chen"',
]

/** Custom elements have drawn themselves, and the page is painted. */
const drawn = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const all = [...document.querySelectorAll<Element & { updateComplete?: Promise<unknown> }>('*')]
    await Promise.all(all.flatMap((one) => one.updateComplete ?? []))
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  })

for (const bundle of placeApps)
  test(`the place of a control is the one that a person would say: ${bundle}`, async ({ page, site }) => {
    test.slow()
    await openFramework(page, site, bundle)
    const apps = await page.evaluate(() => (window as unknown as { apps: Record<string, App> }).apps)
    const wrong: string[] = []
    let all = 0
    for (const [name, { wait, press = [], says }] of Object.entries(apps)) {
      await page.evaluate((name) => (window as unknown as { showApp(name: string): void }).showApp(name), name)
      await page
        .locator(wait)
        .first()
        .waitFor({ state: 'attached', timeout: 8000 })
        .catch(() => wrong.push(`${name}: no ${wait}`))
      await drawn(page)
      for (const selector of press) {
        expect(await markPlaces(page, { [selector]: ['pressed'] })).toEqual([])
        const target = await refOf(page, '[says=pressed]')
        const pressed = await call<{ error?: string; message?: string }>(page, 'page_click', { target })
        if (pressed.error) wrong.push(`${name}: ${pressed.message}`)
        await page.evaluate(() => document.querySelector('[says=pressed]')?.removeAttribute('says'))
        await drawn(page)
      }
      wrong.push(...(await markPlaces(page, says)).map((line) => `${name}: ${line}`))
      const said = await placesSaid(page)
      all += said.length
      wrong.push(...wrongPlaces(said).map((line) => `${name}: ${line}`))
    }
    expect.soft(wrong, `${wrong.length} of ${all}`).toEqual(bundle === 'Places' ? missed : [])
  })
