// Which fields are private: by what the markup declares and by the words around them, both ways.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/site.js'
import { call, open } from '../../../support/page/page-tools-call.js'

test.describe('private fields', () => {
  let page: Page
  test.beforeAll(async ({ browser, site }) => {
    page = await browser.newPage()
    await open(page, `${site}/test/pages/session/blank.html`)
  })
  test.afterAll(() => page.close())

  const kindsOf = async (markup: string): Promise<(string | undefined)[]> => {
    await page.evaluate((markup) => {
      document.body.innerHTML = markup
    }, markup)
    const { fields } = await call<{ fields: { private?: string }[] }>(page, 'form_read')
    return fields.map((field) => field.private)
  }

  for (const [name, markup, kinds] of [
    [
      'new-password on an e-mail box is none, on a text box it is one',
      '<input type="email" autocomplete="new-password" aria-label="E-mail"><input autocomplete="new-password" aria-label="Word">',
      [undefined, 'password'],
    ],
    [
      'other names of secrets are private, wherever they stand',
      '<label>CID (4 digits) <input></label><label>Card # <input></label><label>P a s s w o r d <input></label>' +
        '<label>P\u0430ssword <input></label><input aria-label="Verification"><input placeholder="Secret answer">' +
        '<input title="Kod SMS"><input name="p\u200bassword" aria-label="Word">',
      ['security-code', 'card', 'password', 'password', 'one-time-code', 'password', 'one-time-code', 'password'],
    ],
    [
      'a title or a hint that only mentions a secret is no name, one that names it is one',
      '<label>E-mail address <input title="We send a link to this address, and after that you choose a password for the account"></label>' +
        '<label>E-mail address <input title="Your password will be sent here"></label>' +
        '<label>Nickname <input placeholder="You can choose a password later"></label>' +
        '<label>Phone (we never ask for your card number here) <input></label>' +
        '<label>Word <input title="Your password must have at least 8 characters"></label>' +
        '<label>E-mail address <input title="Enter your password here"></label>' +
        '<input title="Your password for the account that you had before">',
      [undefined, undefined, undefined, undefined, 'password', 'password', 'password'],
    ],
    [
      'the name on a card and its kind are none, its number, date and code are',
      [
        'cc-name',
        'cc-given-name',
        'cc-additional-name',
        'cc-family-name',
        'cc-type',
        'billing cc-name',
        'cc-number',
        'cc-exp',
        'cc-exp-month',
        'cc-exp-year',
        'cc-csc',
      ]
        .map(
          (token) =>
            `<input autocomplete="${token}" aria-label="${token.replaceAll('-', ' ').replace('cc', 'Field')}">`,
        )
        .join(''),
      [
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        undefined,
        'card',
        'card',
        'card',
        'card',
        'security-code',
      ],
    ],
    [
      'a billing address in a form about cards is none',
      '<form><input name="cardNumber.billingAddress.city" aria-label="City"><input id="card-number-billing-zip" aria-label="Zip"><input autocomplete="billing street-address" aria-label="Street"><input name="cardNumber" aria-label="Number"></form>',
      [undefined, undefined, undefined, 'card'],
    ],
    [
      'a long title that mentions a new password is none',
      '<label>E-mail <input title="A valid e-mail address. All e-mails from the system will be sent to this address. It will only be used if you wish to receive a new password."></label><label>Word <input title="Your password"></label>',
      [undefined, 'password'],
    ],
    [
      'a code to copy from an image is none, a code that was sent is one',
      '<div><input name="captcha" placeholder="验证码"></div><div><input name="code" placeholder="验证码"><img src="/captcha.png" alt="" width="80" height="30"></div><div><input name="smsCaptcha" placeholder="短信验证码"></div><div><input name="code2" placeholder="验证码"></div>',
      [undefined, undefined, 'one-time-code', 'one-time-code'],
    ],
    [
      'a code that was sent is one, although its form has an image to copy from as well',
      '<form><label>Verification code <input name="code"></label><input name="captcha" aria-label="Letters"><img src="/captcha.png" alt="" width="80" height="30"></form>',
      ['one-time-code', undefined],
    ],
    [
      'a pincode is a postal code in English and a PIN in Dutch',
      '<div lang="en-IN"><input aria-label="Pincode"></div><div lang="nl"><input aria-label="Pincode"></div>',
      [undefined, 'password'],
    ],
    [
      'a PIN code beside a city is a postal code, a PIN code alone is a secret',
      '<form><label>City <input name="city"></label><label>PIN code <input name="p"></label></form><form><label>PIN code <input name="q"></label><label>SIM PIN code <input name="r"></label></form>',
      [undefined, undefined, 'password', 'password'],
    ],
  ] as const) {
    test(name, async () => {
      expect(await kindsOf(markup)).toEqual(kinds)
    })
  }
})
