// What a question about an action shows beside the control: the heading around it, and every value that the assistant
// has filled in since the visitor decided last. And what a question is bound to.
import type { Page } from 'playwright/test'
import { act, forecast, show } from '../../../support/page/effects.js'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-click.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
})

const value = { effect: 'value', by: 'rule' }
const allowed = { effect: 'send', by: 'user', approval: {} }
const fill = (page: Page, fields: Record<string, string | boolean>) =>
  act(page, 'form_fill', { fields: Object.entries(fields).map(([field, text]) => ({ field, value: text })) }, value)
const previewOf = async (page: Page, target: string, tool = 'page_click') =>
  (await forecast(page, tool, { target })).preview

test.describe('the heading', () => {
  for (const [heading, target, html] of [
    ['New invoice', 'Create', '<div role=dialog><h2>New invoice</h2><button>Create</button></div>'],
    ['Convert currency', 'Create', '<div role=dialog aria-label="Convert currency"><button>Create</button></div>'],
    // A modal of boxes: its first line.
    [
      'Void check 42',
      'Continue',
      '<p>A page with some text behind it, and more.</p><div style="position:fixed;inset:40px"><div>Void check 42</div><div><input aria-label=Why><div class=b>Continue</div></div></div>',
    ],
    ['Members', 'Add', '<section><h3>Members</h3><ul><li>Ann</li></ul><button>Add</button></section>'],
    [
      'Billing',
      'Save',
      '<div><div class=head><h2>Billing</h2><button>?</button></div><div><input aria-label=Iban><button>Save</button></div></div>',
    ],
    [
      'Danger zone',
      'Leave',
      '<div><div style="font-weight:700">Danger zone</div><p>Text.</p><button>Leave</button></div>',
    ],
    ['العناوين', 'Add', '<section dir=rtl><h3>العناوين</h3><button>Add</button></section>'],
    // The heading of another card is none of this one.
    [
      'Cards',
      'Hide',
      '<h2>Cards</h2><div class=card><h3>One</h3><p>a</p></div><div class=card><p>b</p><button>Hide</button></div>',
    ],
    [undefined, 'Save', '<button>Save</button>'],
  ] as const)
    test(`${heading} around ${target} of ${html.slice(0, 50)}`, async ({ page }) => {
      await show(
        page,
        html,
        `for (const one of document.querySelectorAll('.b')) one.onclick = () => 0, one.style.cursor = 'pointer'`,
      )
      expect((await previewOf(page, target))['heading']).toBe(heading)
    })

  test('a name that says nothing has a place or a heading, at least that of the page', async ({ page }) => {
    await page.evaluate(() => {
      document.title = 'Orders'
    })
    for (const name of ['⚙', '256', '▦', '', '+', '…']) {
      await show(page, `<p><button id=b>${name}</button></p>`)
      const found = await call(page, 'dom_query', { selector: '#b' })
      const [target = ''] = /\be\d+/.exec(JSON.stringify(found)) ?? []
      const preview = await previewOf(page, target)
      expect([name, preview['in'] ?? preview['heading']]).toEqual([name, 'Orders'])
    }
  })
})

test.describe('what the assistant has filled in', () => {
  test('is shown by the next question, wherever it is, until the visitor has decided', async ({ page }) => {
    await show(
      page,
      '<section><h2>Recipient</h2><label>To <input></label><label>Phone <input></label></section>' +
        '<section><h2>Message</h2><div id=r contenteditable role=textbox aria-label=Text></div></section>' +
        '<label>Gift <input type=checkbox></label><button id=b>Next</button>',
      `document.querySelector('#b').onclick = () => { document.title = 'pressed' }`,
    )
    expect((await previewOf(page, 'Next'))['filled']).toBeUndefined()
    await fill(page, { To: 'mallory@x.example', Text: 'All of it', Gift: true })
    const filled = [
      { field: 'To', value: 'mallory@x.example', group: 'Recipient' },
      { field: 'Text', value: 'All of it', group: 'Message' },
      { field: 'Gift', value: true },
    ]
    expect((await previewOf(page, 'Next'))['filled']).toMatchObject(filled)
    // A press that is not asked about decides nothing.
    await act(page, 'page_click', { target: 'Next' }, { effect: 'view', by: 'rule' })
    expect((await previewOf(page, 'Next'))['filled']).toMatchObject(filled)
    await act(page, 'page_click', { target: 'Next' }, { ...allowed, effect: 'unknown' })
    expect((await previewOf(page, 'Next'))['filled']).toBeUndefined()
  })

  test('is also what keys typed and a click chose, and what the page has taken away', async ({ page }) => {
    await show(
      page,
      '<div id=one><label>To <input></label> <label><input type=checkbox>Fast</label></div><button id=b>Pay</button>',
    )
    await forecast(page, 'page_press', { target: 'To', text: 'Mallory' })
    await act(page, 'page_press', { target: 'To', text: 'Mallory' }, value)
    await forecast(page, 'page_click', { target: 'Fast' })
    await act(page, 'page_click', { target: 'Fast' }, value)
    const filled = [
      { field: 'To', value: 'Mallory' },
      { field: 'Fast', value: true },
    ]
    expect((await previewOf(page, 'Pay'))['filled']).toMatchObject(filled)
    // The next step of a wizard.
    await page.evaluate(() => document.querySelector('#one')!.remove())
    expect((await previewOf(page, 'Pay'))['filled']).toMatchObject(filled)
  })

  test('is not shown twice, and is that of the visitor once they edit it', async ({ page }) => {
    await show(
      page,
      '<form method=post action=/x><label>To <input></label><label>Cc <input></label><button>Go</button></form>',
    )
    await fill(page, { To: 'Ann' })
    const preview = await previewOf(page, 'Go')
    expect(preview['values']).toEqual([
      { field: 'To', value: 'Ann' },
      { field: 'Cc', value: '' },
    ])
    expect(preview['filled']).toBeUndefined()
    await show(page, '<label>To <input></label><button>Next</button>')
    await fill(page, { To: 'Ann' })
    await page.getByLabel('To').pressSequentially('a')
    expect((await previewOf(page, 'Next'))['filled']).toBeUndefined()
  })

  test('long values are kept whole, and private ones are never shown', async ({ page }) => {
    await show(
      page,
      '<label>Text <textarea></textarea></label><label>Code <input type=password value=hunter22></label><button>Next</button>',
    )
    await fill(page, { Text: `${'a '.repeat(700)}then pay Mallory` })
    const { filled } = await previewOf(page, 'Next')
    expect(JSON.stringify(filled)).toContain('then pay Mallory')
    expect(JSON.stringify(filled)).not.toContain('hunter22')
  })
})

test.describe('what was asked is what runs:', () => {
  const pay = '<button id=x>Pay now</button>'
  /** A part of the page with too much text to be one card. */
  const long = `<p>${'Terms of the shop. '.repeat(40)}</p>`
  for (const [what, html, change, script = ''] of [
    [
      'a value in a shadow root',
      `<div role=dialog aria-label=Pay><x-to id=h></x-to>${pay}</div>`,
      "h.shadowRoot.querySelector('input').value = 'Mallory'",
      "h.attachShadow({ mode: 'open' }).innerHTML = '<label>To <input value=Ann></label>'",
    ],
    [
      'a value in a frame of this site',
      `<div role=dialog aria-label=Pay><iframe id=h srcdoc="<label>To <input value=Ann></label>"></iframe>${pay}</div>`,
      "h.contentDocument.querySelector('input').value = 'Mallory'",
    ],
    [
      'an amount in the other pane of the dialog',
      `<div role=dialog aria-label=Pay><div>${long}<b id=h>10 €</b></div><div>${pay}</div></div>`,
      "h.textContent = '9000 €'",
    ],
    [
      'an amount in the summary beside a long page',
      `<main><div>${long}${pay}</div><aside>Total <b id=h>USD 10.00</b></aside></main>`,
      "h.textContent = 'USD 9000.00'",
    ],
    [
      'a property without an attribute',
      `<div><label>To <input id=h></label>${pay}</div>`,
      "h.value = 'Mallory'",
      "h.value = 'Ann'",
    ],
    [
      'the value of a custom element',
      `<form><x-amount id=h></x-amount><button type=button id=x>Pay now</button></form>`,
      'h.value = 9000',
      'h.value = 10',
    ],
    ['a hidden field outside of a form', `<div><input type=hidden id=h value=ann>${pay}</div>`, "h.value = 'mallory'"],
    [
      'the text that the dialog is labelled by',
      `<h2 id=h>Invoice 1041</h2>${long}<div role=dialog aria-labelledby=h>${long}${pay}</div>`,
      "h.textContent = 'Invoice 9999'",
    ],
    [
      'the text that the button is described by',
      `<p id=h>To Ann</p>${long}<main>${long}<button id=x aria-describedby=h>Pay now</button></main>`,
      "h.textContent = 'To Mallory'",
    ],
    ['the heading of a long pane', `<main><h2 id=h>Ann Miller</h2>${long}${pay}</main>`, "h.textContent = 'Bob Stone'"],
    ['a long row', `<ul><li><b id=h>Ann</b>${long}${pay}</li><li>Bob</li></ul>`, "h.textContent = 'Mallory'"],
    [
      'rich text in the form',
      `<form method=post><div id=h contenteditable role=textbox aria-label=To>Ann</div><button id=x>Pay now</button></form>`,
      "h.textContent = 'Mallory'",
      "document.querySelector('form').onsubmit = (event) => event.preventDefault()",
    ],
    ['an editor without a role', `<div><div id=h contenteditable>Ann</div>${pay}</div>`, "h.textContent = 'Mallory'"],
    [
      'a field of a form whose button sends by script',
      `<form>${long}<label>To <input id=h value=Ann></label>${long}<button type=button id=x>Pay now</button></form>`,
      "h.value = 'Mallory'",
    ],
    ['a field that is gone', `<div><label>Only to <input id=h value=Ann></label>${pay}</div>`, 'h.remove()'],
    [
      'a value that the assistant filled elsewhere',
      `<section><h2>Recipient</h2>${long}<label>To <input id=h></label></section><section><h2>Amount</h2>${long}${pay}</section>`,
      "h.value = 'Mallory'",
      '',
      'To',
    ],
    [
      'a name beside the button of an unknown press',
      `<div><b id=h>Ann</b> <button id=x>Pay now</button></div>`,
      "h.textContent = 'Mallory'",
    ],
  ] as const as readonly (readonly [string, string, string, string?, string?])[])
    test(what, async ({ page }) => {
      await show(page, html, `const { h, x } = window; x.onclick = () => { document.title = 'pressed' }; ${script}`)
      await expect
        .poll(() => page.evaluate(() => document.querySelector('iframe')?.contentDocument?.readyState ?? 'complete'))
        .toBe('complete')
      await page.evaluate(() => {
        document.title = ''
      })
      await fill(page, what.includes('the assistant') ? { To: 'Ann' } : {})
      const input = { target: 'Pay now' }
      const permission = { effect: (await forecast(page, 'page_click', input)).effect, by: 'user', approval: {} }
      await page.evaluate(change)
      const answer = await act(page, 'page_click', input, permission)
      expect(answer).toMatchObject({ error: 'needs-approval', message: expect.stringContaining('Nothing was done') })
      expect(await page.title()).toBe('')
      // The next question says what changed, and what is allowed then runs.
      const next = (await previewOf(page, 'Pay now'))['changes'] as readonly object[]
      expect(next.length).toBeGreaterThan(0)
      await act(page, 'page_click', input, permission)
      expect(await page.title()).toBe('pressed')
    })

  test('what the visitor types meanwhile and what ticks is no change', async ({ page }) => {
    await show(
      page,
      `<div><label>To <input></label> <div contenteditable role=textbox aria-label=Text>a</div><time id=t>10:00</time>${pay}</div>`,
      `x.onclick = () => { document.title = 'pressed' }`,
    )
    const input = { target: 'Pay now' }
    const { effect } = await forecast(page, 'page_click', input)
    await page.getByLabel('To').pressSequentially('Ann')
    await page.getByLabel('Text').pressSequentially('b')
    await page.evaluate(() => {
      document.querySelector('#t')!.textContent = '10:01'
    })
    await act(page, 'page_click', input, { effect, by: 'user', approval: {} })
    expect(await page.title()).toBe('pressed')
  })
})
