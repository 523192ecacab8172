// Menus, lists and popovers of component libraries, operated with questions: the visitor types a message, presses
// "Allow" with the mouse, and the option is chosen, because the press did not close the list.
import { mergeTests } from 'playwright/test'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { menus, serveFramework, test as withFrameworks } from '../../../support/page/frameworks.js'
import { allow, sendTyped } from '../../../support/page/visitor.js'
import { expect, settled, test as withSession } from '../../../support/page/session-page.js'

const test = mergeTests(withFrameworks, withSession)

/** Before the page's own script, as the documentation says. */
const first = `
await import('/src/index.ts')
const element = document.createElement('tool-agent')
const endpoint = new URLSearchParams(location.search).get('endpoint')
// Opening a menu does not ask by itself, and the press on a question is what may close the menu.
const options = { endpoint, model: 'm', pageTools: 'read fill act', approval: 'always' }
Object.assign(element, { ...options, layout: 'floating', open: true })
document.body.append(element)
window.agent = element.agent`

const script = (names: readonly string[]): ScriptItem[] => [
  ...names.flatMap((name) =>
    [`Open ${name}`, `Choose ${name}`].map((target, index) => ({
      calls: [{ id: `${name}-${index}`, name: 'page_click', arguments: { target } }],
    })),
  ),
  { text: 'Done.' },
]

// A sample of each library, so that one that changes is noticed; the others in the long run.
const sample = ['Radix menu', 'Headless list', 'Mui menu', 'Aria menu', 'Floating menu', 'Bootstrap menu']
const others = [
  'loose Radix menu',
  'Radix popover',
  'Radix select',
  'Headless menu',
  'Headless popover',
  'Mui select',
  'Aria popover',
  'slow Floating menu',
  'jQuery list',
]
const inShadow = ['loose Radix menu', 'Radix menu', 'Headless list', 'Floating menu', 'Aria menu', 'Mui menu']

for (const { title, names, place, tag } of [
  { title: 'one of each library', names: sample, place: 'document', tag: ['@one-engine', '@R7.8'] },
  { title: 'the others', names: others, place: 'document', tag: ['@R7.8', '@long'] },
  { title: 'in a shadow root', names: inShadow, place: 'shadow', tag: ['@R7.8', '@long'] },
])
  test(`an approved click chooses an option: ${title}`, { tag }, async ({ page, site, serveModel }) => {
    test.setTimeout(240_000)
    const endpoint = await serveModel(script(names))
    await serveFramework(page, site, menus, first)
    await page.goto(`${site}/framework?${new URLSearchParams({ in: place, endpoint: endpoint.url })}`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await sendTyped(page, 'Choose')
    await allow(page, 2 * names.length)
    await settled(page)
    expect(await page.evaluate(() => window.chosen)).toEqual(names)
  })
