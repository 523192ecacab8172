// axe-core finds nothing in any state of the panel, in light and dark, wide and narrow, English and Arabic. The long run
// checks every state in every look; the default run a tenth of them.
import type { Page } from 'playwright/test'
import { violations } from '../../../support/page/axe.js'
import { expect, test } from '../../../support/page/site.js'
import { changeLook, lookName, looks, showState, type Look } from './show-state.js'
import { states, type PanelState } from './states.js'

/** What axe-core finds in a state, in looks of one language. */
async function check(page: Page, site: string, state: PanelState, inLooks: readonly Look[]): Promise<string[]> {
  const found: string[] = []
  const [first, ...others] = inLooks
  if (first === undefined) return found
  const panel = await showState(page, site, state, first)
  for (const look of [first, ...others]) {
    if (look !== first) await changeLook(panel, state, look)
    found.push(...(await violations(page)).map((violation) => `${state.name}, ${lookName(look)}: ${violation}`))
  }
  return found
}

const inLanguage = (language: string) => looks.filter((look) => look.language === language)

test('axe-core looks into the shadow root', async ({ page, site }) => {
  const state = states.find(({ name }) => name === 'empty')!
  const panel = await showState(page, site, state, looks[0]!)
  expect(await violations(page)).toEqual([])
  await panel.element.evaluate((element) => {
    element.shadowRoot!.querySelector('.panel')!.append(document.createElement('button'))
  })
  expect((await violations(page)).join()).toContain('button-name')
})

test('every state has a name of its own', () => {
  expect(new Set(states.map(({ name }) => name)).size).toBe(states.length)
  expect(states.length).toBeGreaterThan(40)
})

// An eighth of the states, each in the four looks of one language.
for (const [index, state] of states.entries()) {
  if (index % 8 !== 0) continue
  const language = index % 16 === 0 ? 'en' : 'ar'
  test(`axe-core finds nothing: ${state.name}, ${language}`, async ({ page, site }) => {
    expect(await check(page, site, state, inLanguage(language))).toEqual([])
  })
}

for (const state of states) {
  test(`axe-core finds nothing in any look: ${state.name}`, { tag: '@long' }, async ({ page, site }) => {
    const found = [
      ...(await check(page, site, state, inLanguage('en'))),
      ...(await check(page, site, state, inLanguage('ar'))),
    ]
    expect(found).toEqual([])
  })
}
