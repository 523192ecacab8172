// The amount of money beside a control, which the question about it quotes.
import { forecast, show } from '../../../support/page/effects.js'
import { expect, test } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'

const cases: readonly (readonly [name: string, html: string, amount: string | undefined])[] = [
  [
    'a total in two boxes above the button',
    `<section><p>Jacket <b>€ 289.00</b></p><div><span>Total</span> <span>€ 409.90</span></div>
      <button id=go>Place order</button></section>`,
    'Total € 409.90',
  ],
  [
    'boxes without roles, in another language and currency',
    `<div><div>商品 <i>￥1,200</i></div><div><div>合計 <b>3,480円</b></div></div><div><a href="#" id=go role=button>注文する</a></div></div>`,
    '合計 3,480円',
  ],
  [
    'beside it',
    `<table><tr><td>Plan A</td><td><button id=go>Buy now</button></td><td>12,50 EUR</td></tr></table>`,
    '12,50 EUR',
  ],
  ['right to left', `<form dir=rtl><p>المجموع 120 SAR</p><button id=go>ادفع الآن</button></form>`, 'المجموع 120 SAR'],
  [
    'none in its part of the page',
    `<p>€ 10.00</p><section><h2>Team</h2><button id=go>Delete member</button></section>`,
    undefined,
  ],
  [
    'a number that is no money',
    `<section><p>3 members, 2026</p><button id=go>Delete all</button></section>`,
    undefined,
  ],
  ['the button says it', `<section><p>Total € 9.00</p><button id=go>Pay € 9.00</button></section>`, undefined],
]

test('the line with an amount of money nearest to a control is quoted', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  for (const [name, html, amount] of cases) {
    await show(page, html)
    const target = await page.locator('#go').innerText()
    const { preview } = await forecast(page, 'page_click', { target })
    expect([name, preview['amount']]).toEqual([name, amount])
  }
})

test('what a control costs is not what it is in', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  const button = '<button id=go>Place order</button>'
  const bold = 'style="font-weight:700"'
  for (const [html, name] of [
    [`<section><dl><dt>Total</dt><dd>€ 409.90</dd></dl>${button}</section>`, 'Checkout'],
    [
      `<section><h3>Your order</h3><dl><dt>Tent</dt><dd>€ 389.90</dd><dt ${bold}>Total</dt><dd>€ 9</dd></dl>${button}</section>`,
      'Your order',
    ],
    [`<div><table><tr><th>Order total (incl. VAT)</th><td>€ 409.90</td></tr></table>${button}</div>`, 'Checkout'],
    [`<div><div><b>Gesamtbetrag:</b> <span>409,90 €</span></div><div>${button}</div></div>`, 'Checkout'],
    [
      `<div style="display:flex"><div ${bold}>合計</div><div>3,480円</div></div><div id=go role=button>注文する</div>`,
      'Checkout',
    ],
    // A number with letters that are no currency is a name.
    [`<div><b>INV-0042</b> ${button}</div>`, 'INV-0042'],
    [`<div><b>BMW 320</b> <p>Fast and blue</p> ${button}</div>`, 'BMW 320'],
    // A name that stands before a price stays one.
    [`<div><p><b>Total War</b> <span>€ 40.00</span></p>${button}</div>`, 'Total War'],
  ] as const) {
    await show(page, `<h1>Shop</h1><main><h2>Checkout</h2><form><label>Name <input></label></form>${html}</main>`)
    const { preview } = await forecast(page, 'page_click', { target: await page.locator('#go').innerText() })
    expect([html, preview['in']]).toEqual([html, name])
    expect([html, preview['heading']]).toEqual([html, name])
  }
})
