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
