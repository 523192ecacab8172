// What is left for the visitor after a fill: private fields that are empty, and the button that sends. Many pages have
// no form.
import type { FieldChanges } from '../../../../src/page/tools/tool.js'
import { show } from '../../../support/page/effects.js'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

const name = '<label>Name <input></label>'
const card = '<label>Card number <input autocomplete="cc-number"></label>'
const pages: readonly (readonly [what: string, html: string, left: readonly string[]])[] = [
  ['a form', `<form>${name}${card}<button>Place order</button></form>`, ['Card number', 'Place order']],
  ['a part without a form', `<section><div>${name}</div><div>${card}</div></section>`, ['Card number']],
  ['a group, right to left', `<div role=group dir=rtl>${name}${card}<button>حفظ</button></div>`, ['Card number']],
  // No form says which fields a button sends.
  ['a button of boxes', `<section>${name}<p>Total € 40.00</p><button>Remove</button></section>`, []],
  ['a page of boxes', `<main>${name}<div>${card}</div><button>Log out</button></main>`, []],
  ['a button of another form', `<main>${name}<form><button>Subscribe</button></form></main>`, []],
  ['a private field elsewhere', `<main><section>${name}</section><section>${card}</section></main>`, []],
  [
    'a private field that is filled',
    `<section>${name}<label>Card number <input autocomplete="cc-number" value="4111"></label></section>`,
    [],
  ],
]

test('what is left after a fill is named with and without a form', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  for (const [at, [what, html, left]] of pages.entries()) {
    await show(page, html)
    const toolCallId = `left-${at}`
    await call(page, 'form_fill', { fields: [{ field: 'Name', value: `Ada ${at}` }] }, { toolCallId })
    const named = await page.evaluate(async (id) => {
      const { pageTools } = window as unknown as {
        pageTools: Map<string, Record<symbol, { fieldChanges: FieldChanges }>>
      }
      const review = await pageTools.get('form_fill')![Symbol.for('tool-agent.internals')]!.fieldChanges.review!()
      return review.left('session', [id])
    }, toolCallId)
    expect([what, named]).toEqual([what, left])
  }
})
