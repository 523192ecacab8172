// The places of controls on pages of boxes, as a person would say them. The question, the outline and the answer say
// the same place, and a target may have it.
import type { Page } from 'playwright/test'
import { placeCss, placePages, type PlacePage } from '../../../support/page/place-pages.js'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'
import { placesSaid, refOf, wrongPlaces, type SaidPlace } from '../../../support/page/places-said.js'

async function show(page: Page, { html, css = '', setup, press = [] }: PlacePage): Promise<void> {
  await page.evaluate(
    ([html, css]) => {
      document.querySelector('style')!.textContent = css
      document.body.innerHTML = html
    },
    [html, placeCss + css] as const,
  )
  if (setup) await page.evaluate(setup)
  for (const selector of press) await call(page, 'page_click', { target: await refOf(page, selector) })
}

test('the place of a control is the one that a person would say', async ({ page, site }) => {
  test.slow()
  await openMarkup(page, site, '', 'a{}')
  const wrong: string[] = []
  let all = 0
  const half = [0, 0]
  for (const [at, one] of placePages.entries()) {
    await show(page, one)
    const said: readonly SaidPlace[] = await placesSaid(page)
    all += said.length
    const bad = wrongPlaces(said)
    half[at % 2]! += bad.length
    wrong.push(...bad.map((line) => `${at} ${one.name}: ${line}`))
  }
  expect.soft(wrong, `${wrong.length} of ${all} (halves: ${half.join(' and ')})`).toEqual([])
})
