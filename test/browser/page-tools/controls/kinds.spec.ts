// Which kind of control an element is taken for, and as which kind it is read and written: the
// claims of src/page-tools/controls, whose order counts.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { open } from '../../../support/page/page-tools-call.js'

/** The controls of the page: their types and, of one that another kind writes, the first type of that kind. */
const claimsOf = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { writingKindOf, kindOf, typeOf } = (await import(
      `${location.origin}/src/page-tools/controls/kinds.ts`
    )) as typeof import('../../../../src/page-tools/controls/kinds.js')
    const { elementsUnder } = (await import(
      `${location.origin}/src/page-tools/dom/dom.ts`
    )) as typeof import('../../../../src/page-tools/dom/dom.js')
    return [...elementsUnder(document.body)].flatMap((element) => {
      const type = typeOf(element)
      if (type === undefined) return []
      const writes = writingKindOf({ element, type })
      return writes === kindOf({ type }) ? [type] : [`${type}, written as ${writes.types[0]}`]
    })
  })

const options = '<div role="option">One</div>'
const toggles = '<button aria-pressed="true">A</button><button aria-pressed="false">B</button>'
const part = (min: number, max: number): string =>
  `<i role="spinbutton" contenteditable="true" aria-valuemin="${min}" aria-valuemax="${max}">1</i>`

const claims: readonly (readonly [name: string, html: string, ...types: string[]])[] = [
  [
    'inputs of text',
    '<input><input type=search><input type=TEL><textarea></textarea>',
    'text',
    'search',
    'tel',
    'textarea',
  ],
  [
    'inputs with a format',
    '<input type=date><input type=color><input type=number><input type=range>',
    'date',
    'color',
    'number',
    'range',
  ],
  ['inputs that hold nothing of a user', '<input type=hidden><input type=submit><input type=image><input type=reset>'],
  ['files', '<input type=file>', 'file'],
  [
    'boxes',
    '<input type=checkbox><input type=checkbox role=switch><b role=switch></b><b role=checkbox></b>',
    'checkbox',
    'checkbox',
    'switch',
    'checkbox',
  ],
  ['the box of an option', '<div role=listbox><div role=option><input type=checkbox>A</div></div>', 'listbox'],
  [
    'choices',
    '<select></select><input type=radio><div role=radiogroup><b role=radio>A</b></div>',
    'select',
    'radio',
    'radio',
  ],
  ['a group of no radio buttons', '<div role=radiogroup></div>'],
  ['a list of its own', `<div role=listbox>${options}</div>`, 'listbox'],
  [
    'the list of another control',
    `<button aria-haspopup=listbox aria-controls=l>A</button><div role=listbox id=l>${options}</div>`,
    'combobox',
  ],
  ['toggle buttons', `<div role=group>${toggles}</div>`, 'listbox'],
  ['a toolbar of commands', `<div role=toolbar>${toggles}</div>`],
  [
    'a box that opens a list',
    '<div role=combobox></div><div role=button aria-haspopup=listbox></div>',
    'combobox',
    'combobox',
  ],
  ['the field inside a combobox', '<div role=combobox><input></div>', 'text'],
  ['a text field with a list', '<input role=combobox>', 'text'],
  ['a text field that only a list fills', '<input role=combobox readonly>', 'text, written as combobox'],
  ['a text field that only a calendar fills', '<input aria-haspopup=dialog readonly>', 'text, written as combobox'],
  ['a field that must not be changed', '<input aria-haspopup=dialog readonly aria-readonly=true>', 'text'],
  ['a button that opens a calendar', '<label>Day <button aria-haspopup=dialog>1 May</button></label>', 'combobox'],
  ['a button that opens a dialog', '<button aria-haspopup=dialog>More</button>'],
  [
    'sliders',
    '<b role=slider></b><b role=spinbutton></b><b role=spinbutton contenteditable></b>',
    'slider',
    'spinbutton',
    'spinbutton',
  ],
  ['a text field of a number', '<input role=spinbutton>', 'text, written as number'],
  [
    'editors',
    '<div contenteditable></div><div contenteditable=plaintext-only role=textbox></div>',
    'editable',
    'editable',
  ],
  ['an editor with a role', '<div contenteditable role=slider></div><div contenteditable=false></div>', 'editable'],
  ['a box with the role of a text field', '<div role=textbox></div><div role=searchbox></div>', 'custom', 'custom'],
  [
    'a date in parts',
    `<div role=group>${part(1, 12)}${part(1, 31)}${part(1, 9999)}</div>`,
    'date',
    'spinbutton',
    'spinbutton',
    'spinbutton',
  ],
  ['an element of the page’s own', '<own-field></own-field><own-box></own-box>', 'custom'],
  ['what only looks alike', '<div role=group></div><div role="textbox2"></div><a href="#" role=button>A</a>'],
]

test('the first kind that claims an element has it', async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => {
    customElements.define(
      'own-field',
      class extends HTMLElement {
        static formAssociated = true
        value = ''
      },
    )
    customElements.define('own-box', class extends HTMLElement {})
  })
  for (const [name, html, ...types] of claims) {
    await page.evaluate((markup) => void (document.body.innerHTML = markup), html)
    expect(await claimsOf(page), name).toEqual(types)
  }
})

/** How many controls of a page each kind claims. */
const counts = async (page: Page): Promise<Record<string, number>> => {
  const found: Record<string, number> = {}
  for (const type of (await claimsOf(page)).sort()) found[type] = (found[type] ?? 0) + 1
  return found
}

const pages: Readonly<Record<string, Record<string, number>>> = {
  form: {
    checkbox: 4,
    color: 1,
    date: 1,
    'datetime-local': 1,
    editable: 1,
    email: 1,
    month: 1,
    number: 1,
    radio: 3,
    range: 1,
    search: 1,
    select: 2,
    tel: 1,
    text: 5,
    textarea: 1,
    time: 1,
    url: 1,
    week: 1,
  },
  'form-widgets': { combobox: 1, custom: 1, listbox: 1, radio: 1, slider: 1, switch: 1, text: 2 },
  'form-private': { checkbox: 2, editable: 1, email: 1, file: 1, password: 2, text: 17 },
  'form-secrets': {
    checkbox: 1,
    custom: 1,
    editable: 4,
    file: 1,
    password: 3,
    select: 4,
    spinbutton: 1,
    text: 7,
    textarea: 1,
  },
  webmcp: { checkbox: 3, date: 1, file: 1, number: 1, password: 2, radio: 2, select: 1, text: 11, textarea: 1 },
  act: { checkbox: 2, email: 1, file: 1, password: 1, select: 1, text: 5 },
  'fill/form-radios': { checkbox: 3, radio: 11, select: 1 },
}

test('the controls of the test pages are of the same kinds as ever', async ({ page, site }) => {
  for (const [file, expected] of Object.entries(pages)) {
    await open(page, `${site}/test/pages/page-tools/${file}.html`)
    expect(await counts(page), file).toEqual(expected)
  }
})
