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
  [
    'boxes',
    `<main><div>${name}</div><div>${card}</div><div><button>Save</button></div></main>`,
    ['Card number', 'Save'],
  ],
  [
    'boxes without roles, in another language',
    `<main dir=rtl lang=ar><label>Name <input></label><div style="cursor:pointer" tabindex=0 onclick="0">حفظ</div></main>`,
    ['حفظ'],
  ],
  [
    'what pays, beside its amount',
    `<div>${name}<p>Total € 40.00</p><button>Place order</button></div>`,
    ['Place order'],
  ],
  ['saving and deleting', `<div>${name}<button>Delete</button><button>Save address</button></div>`, ['Save address']],
  // It may delete the address.
  ['a word that may also delete', `<div>${name}<button>Remove address</button></div>`, []],
  [
    'the button of another field',
    `<main><section>${name}</section><div><label>Coupon <input></label><button>Send</button></div></main>`,
    [],
  ],
  ['a button of another form', `<main>${name}<form><button>Subscribe</button></form></main>`, []],
  ['what goes on', `<main><section>${name}${card}</section><button>Continue</button></main>`, ['Card number']],
  ['a private field elsewhere', `<main><section>${name}</section><section>${card}</section></main>`, []],
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
