// What a question shows about the arguments, the form to change them, and the ways to allow or to refuse.
import type { Locator } from 'playwright/test'
import type { AssistantPart } from '../../../../src/core/data/message.js'
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const bookTable = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    guests: { type: 'integer', minimum: 1, maximum: 12, title: 'How many' },
    day: { type: 'string', format: 'date' },
    seating: { enum: ['inside', 'outside', 'bar'] },
    quiet: { type: 'boolean', title: 'A quiet table' },
    wishes: { type: 'array', items: { type: 'string' } },
    contact: { title: 'Contact', type: 'object', properties: { phoneNumber: { type: 'string' } } },
    extra: { type: 'array', items: { type: 'object' } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['name', 'guests'],
}
const input = {
  name: 'Ada',
  guests: 4,
  day: '2026-03-02',
  seating: 'outside',
  quiet: true,
  wishes: ['high chair', 'no nuts'],
  contact: { phoneNumber: '040 123' },
  extra: [{ a: 1 }],
}
const tool = (inputSchema: object, more: object = {}) => ({
  inputSchema,
  annotations: {},
  isDiscovered: false,
  offers: ['session'],
  ...more,
})

/** Shows one question. `known`: the tool as the agent knows it. */
async function ask(
  panel: PanelPage,
  { name = 'book_table', title = 'Book a table', preview, given = input, known }: Asked = {},
): Promise<void> {
  await panel.page.evaluate(
    (one) => window.fake.approvalTools.set('c', one),
    known === undefined ? tool(bookTable) : known,
  )
  const approval = { hash: 'hash', title, input: given, at: 1, ...(preview && { preview }) }
  const part = call('c', name, { call: { id: 'c', name, input: given }, title, approval }) as AssistantPart
  await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Go on'), assistant('a', part)] })
  await expect(card(panel)).toHaveCount(1)
}

/** Opens the form as a user does, who has seen all arguments. */
async function change(panel: PanelPage): Promise<void> {
  await panel.read()
  await card(panel).getByRole('button', { name: 'Change' }).click()
}
/** Replaces a number as a user does: in Firefox, `fill` appends to the number that is there. */
async function typeNumber(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}
interface Asked {
  readonly name?: string
  readonly title?: string
  readonly preview?: object
  readonly given?: object
  readonly known?: object | null
}
const card = (panel: PanelPage) => panel.element.locator('tool-agent-approval')
const approve = (panel: PanelPage) => panel.element.locator('.approve')
const ready = (panel: PanelPage) => panel.element.locator('.decision[data-ready]')
const row = (panel: PanelPage, label: string) =>
  card(panel).locator('.arguments > dl > dt', { hasText: label }).locator('xpath=following-sibling::dd[1]')

test('shows labels of the schema or words made from the keys, and values for people', async ({ panel }) => {
  await ask(panel)
  await expect(card(panel).locator('.arguments > dl > dt')).toHaveText([
    'Name',
    'How many',
    'Day',
    'Seating',
    'A quiet table',
    'Wishes',
    'Contact',
    'Extra',
  ])
  await expect(row(panel, 'A quiet table')).toHaveText('yes')
  await expect(row(panel, 'Wishes')).toHaveText('high chair, no nuts')
  await expect(row(panel, 'Day')).toHaveText('March 2, 2026')
  await expect(row(panel, 'Contact')).toHaveText(/Phone number\s*040 123/)
  await expect(row(panel, 'Extra')).toHaveText(/A\s*1/)
})

test('a value with a comma never looks like two, and deep values are shown whole', async ({ panel }) => {
  const deep = { a: { b: { c: { d: { e: { f: { g: 'bottom' } } } } } } }
  await ask(panel, { given: { lists: ['a, b', 'c'], deep, IBAN: 'DE02', 'kebab-case': null, none: [] }, known: null })
  await expect(row(panel, 'Lists').locator('li')).toHaveText(['a, b', 'c'])
  await expect(row(panel, 'Deep')).toContainText('bottom')
  await expect(row(panel, 'IBAN')).toHaveText('DE02')
  await expect(row(panel, 'Kebab case')).toHaveText('empty')
  await expect(row(panel, 'None')).toHaveText('empty')
})

test('a discovered tool chooses neither the labels nor the words on the button', async ({ panel }) => {
  const schema = { type: 'object', properties: { amount: { type: 'number', title: 'Discount' } } }
  await ask(panel, { title: 'Cancel', given: { amount: 1000 }, known: tool(schema, { isDiscovered: true }) })
  await expect(card(panel).locator('dt')).toHaveText(['Amount'])
  await expect(approve(panel)).toHaveText('Allow')
  await card(panel).getByRole('button', { name: 'Change' }).click()
  await expect(card(panel).getByLabel('Amount')).toHaveValue('1000')
})

for (const [expected, asked] of [
  ['Book a table', {}],
  ['Send', { name: 'form_submit', preview: { does: 'submit', target: 'form "Order"' }, given: {} }],
  ['Send', { name: 'page_click', preview: { does: 'submit', target: 'button "Order"' } }],
  ['Open', { name: 'page_navigate', preview: { does: 'go', url: 'https://shop.example/a' } }],
  ['Fill in', { name: 'form_fill', title: 'Fill in a form' }],
  ['Allow', { known: null }],
  ['Allow', { title: 'A title that is much too long for any button of a question' }],
] as const) {
  test(`the button says "${expected}" for ${JSON.stringify(asked).slice(0, 60)}`, async ({ panel }) => {
    await ask(panel, asked)
    await expect(approve(panel)).toHaveText(expected)
    await expect(card(panel).locator('h3 code')).toHaveCount(0)
  })
}

test('the values of a filled form are shown by the names of its fields', async ({ panel }) => {
  const fields = [
    { field: 'Name', value: 'Ada' },
    { field: 'Newsletter', value: false },
  ]
  await ask(panel, { name: 'form_fill', title: 'Fill in a form', given: { fields }, known: null })
  await expect(row(panel, 'Fields').locator('dt')).toHaveText(['Name', 'Newsletter'])
  await expect(row(panel, 'Fields').locator('dd')).toHaveText(['Ada', 'no'])
})

test('changes every kind of argument in a form, and sends the changed input', { tag: '@R7.4' }, async ({ panel }) => {
  await ask(panel)
  await change(panel)
  const form = card(panel).locator('.form')
  await expect(form.getByLabel('Name')).toBeFocused()
  await form.getByLabel('Name').fill('Grace')
  await typeNumber(form.getByLabel('How many'), '6')
  await form.getByLabel('Day').fill('2026-04-05')
  await form.getByLabel('Seating').selectOption('bar')
  await form.getByLabel('A quiet table').uncheck()
  await form.getByLabel('Wishes').fill('window seat\n\nno nuts')
  await form.getByRole('group', { name: 'Contact' }).getByLabel('Phone number').fill('040 999')
  await expect(form.getByLabel('Extra')).toHaveAttribute('dir', 'ltr')
  await form.getByLabel('Extra').fill('[{ "a": 2 }]')
  await form.getByLabel('Note').fill('By the sea')
  await expect(card(panel)).toContainText('Changed by you')
  await card(panel).getByRole('button', { name: 'Done' }).click()
  await expect(row(panel, 'Name')).toHaveText('Grace')
  await expect(ready(panel)).toBeVisible()
  await approve(panel).click()
  expect(await panel.asked('approve')).toEqual([
    [
      'c',
      {
        input: {
          name: 'Grace',
          guests: 6,
          day: '2026-04-05',
          seating: 'bar',
          quiet: false,
          wishes: ['window seat', 'no nuts'],
          contact: { phoneNumber: '040 999' },
          extra: [{ a: 2 }],
          note: 'By the sea',
        },
      },
    ],
  ])
})

test('a form that is opened and not changed sends no input, and changes can be undone', async ({ panel }) => {
  await ask(panel)
  await change(panel)
  const name = card(panel).locator('.form').getByLabel('Name')
  await name.fill('Grace')
  await name.fill('Ada')
  await expect(card(panel)).not.toContainText('Changed by you')
  await name.fill('Grace')
  await card(panel).getByRole('button', { name: 'Undo the changes' }).click()
  await expect(name).toHaveValue('Ada')
  await expect(ready(panel)).toBeVisible()
  await approve(panel).click()
  expect(await panel.asked('approve')).toEqual([['c', {}]])
})

test('an optional field that is emptied is left out, and a required one must be filled', async ({ panel }) => {
  await ask(panel)
  await change(panel)
  const form = card(panel).locator('.form')
  await form.getByLabel('Day').fill('')
  await form.getByLabel('Wishes').fill('')
  await form.getByLabel('Name').fill('')
  await expect(form.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true')
  await expect(approve(panel)).toHaveAttribute('aria-disabled', 'true')
  await form.getByLabel('Name').fill('Grace')
  await expect(form.getByRole('alert')).toHaveCount(0)
  await expect(ready(panel)).toBeVisible()
  await approve(panel).click()
  const { day: _day, wishes: _wishes, ...rest } = input
  expect(await panel.asked('approve')).toEqual([['c', { input: { ...rest, name: 'Grace' } }]])
})

test('a user who scrolls on at once is led back to the beginning', async ({ panel }) => {
  // In the page, as soon as the card is drawn: a slow machine must not give the beginning time to count as read.
  await panel.page.evaluate(() => {
    const scroll = (): void => {
      const element = window.element.shadowRoot?.querySelector<HTMLElement>('.reading')
      element?.style.setProperty('scroll-behavior', 'auto')
      element?.scrollTo({ top: element.scrollHeight })
      if (!element || element.scrollTop === 0) requestAnimationFrame(scroll)
    }
    scroll()
  })
  await ask(panel, { given: { ...input, text: Array.from({ length: 80 }, (_, index) => `Line ${index}`) } })
  const reading = card(panel).locator('.reading')
  await expect(card(panel).locator('.below')).toHaveCount(0)
  // Longer than the reading time, by the clock of the page.
  await panel.page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const began = performance.now()
        const next = () => (performance.now() - began > 900 ? resolve() : requestAnimationFrame(next))
        next()
      }),
  )
  await expect(ready(panel)).toHaveCount(0)
  await approve(panel).click({ force: true })
  expect(await panel.asked('approve')).toEqual([])
  await expect.poll(() => reading.evaluate((element) => element.scrollTop)).toBe(0)
  await panel.read()
})

test('text that is no JSON or exceeds a limit is marked at its field and cannot be allowed', async ({ panel }) => {
  await ask(panel)
  await change(panel)
  const form = card(panel).locator('.form')
  await form.getByLabel('Extra').fill('[{ "a": ')
  await expect(form.getByRole('alert')).toHaveText('Check the quotes, commas and brackets.')
  await typeNumber(form.getByLabel('How many'), '50')
  await expect(form.getByRole('alert')).toHaveCount(2)
  await expect(ready(panel)).toHaveCount(0)
  await approve(panel).click({ force: true })
  expect(await panel.asked('approve')).toEqual([])
  await expect(form.locator('[aria-invalid=true]').first()).toBeFocused()
  await form.getByLabel('Extra').fill('[]')
  await typeNumber(form.getByLabel('How many'), '5')
  await approve(panel).click()
  expect(await panel.asked('approve')).toEqual([['c', { input: { ...input, guests: 5, extra: [] } }]])
})

test('the form begins at its first field, and a problem is visible at the field in which the user types', async ({
  panel,
  page,
}) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.open = true
  })
  await ask(panel)
  await change(panel)
  const form = card(panel).locator('.form')
  /** Whether an element is completely inside the part that scrolls, above the hint that there is more. */
  const isVisible = (element: Locator) =>
    element.evaluate((one) => {
      const { top, bottom } = one.closest('.reading')!.getBoundingClientRect()
      const hint = (one.getRootNode() as ShadowRoot).querySelector('.below .icon')?.getBoundingClientRect().top
      const box = one.getBoundingClientRect()
      return box.top >= top && box.bottom <= (hint ?? bottom)
    })
  await expect(form.getByLabel('Name')).toBeFocused()
  await expect.poll(() => isVisible(form.getByLabel('Name'))).toBe(true)
  await form.getByLabel('Extra').fill('[{ "a": ')
  await expect.poll(() => isVisible(form.getByRole('alert'))).toBe(true)
})

test(
  'what the schema of the tool rejects is shown at its field, and the question stays',
  { tag: '@R7.4' },
  async ({ panel, page }) => {
    await page.evaluate(() => {
      window.fake.failures.set('approve', {
        code: 'invalid-input',
        message: 'The arguments do not fit the tool.',
        details: [
          { path: 'name', message: 'Choose a guest of the house', forVisitors: true },
          { path: 'contact.phoneNumber', message: 'must match the pattern ^\\+' },
        ],
      })
    })
    await ask(panel)
    await change(panel)
    await card(panel).locator('.form').getByLabel('Name').fill('Grace')
    await card(panel).getByRole('button', { name: 'Done' }).click()
    await expect(ready(panel)).toBeVisible()
    await approve(panel).click()
    const name = card(panel).locator('.form').getByLabel('Name')
    await expect(name).toBeFocused()
    await expect(name).toHaveAccessibleDescription('Choose a guest of the house')
    await expect(card(panel).getByLabel('Phone number')).toHaveAccessibleDescription('This is not accepted.')
    await expect(card(panel).locator('> section > [role=alert]')).toHaveText('Check the marked fields.')
    await name.fill('Ada L')
    await card(panel).getByLabel('Phone number').fill('+49')
    await expect(ready(panel)).toBeVisible()
    await approve(panel).click()
    expect((await panel.asked('approve'))[1]).toEqual([
      'c',
      { input: { ...input, name: 'Ada L', contact: { phoneNumber: '+49' } } },
    ])
  },
)

test('what is rejected is shown at its field, whatever the name of the argument is', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.fake.failures.set('approve', {
      code: 'invalid-input',
      message: 'The arguments do not fit the tool.',
      details: [{ path: '["postal code"]', message: 'Five digits', forVisitors: true }],
    })
  })
  const property = { type: 'string', title: 'Postal code' }
  await ask(panel, {
    given: { 'postal code': '1234' },
    known: tool({ type: 'object', properties: { 'postal code': property } }),
  })
  await change(panel)
  const field = card(panel).locator('.form').getByLabel('Postal code')
  await field.fill('12345')
  await expect(ready(panel)).toBeVisible()
  await approve(panel).click()
  await expect(field).toHaveAccessibleDescription('Five digits')
})

test('another rejection is shown as a whole, and the edit is kept', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.fake.failures.set('approve', { code: 'unavailable', message: 'The tool is no longer available' })
  })
  await ask(panel)
  await change(panel)
  await card(panel).locator('.form').getByLabel('Name').fill('Grace')
  await expect(ready(panel)).toBeVisible()
  await approve(panel).click()
  await expect(card(panel).getByRole('alert')).toHaveText('The page no longer offers this. Say no, and ask again.')
  await expect(card(panel).locator('.form').getByLabel('Name')).toHaveValue('Grace')
})

test('the menu of the button allows for the conversation, with mouse and keyboard', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.element.layout = 'floating'
    window.element.open = true
  })
  await ask(panel)
  const button = card(panel).getByRole('button', { name: 'Ways to allow' })
  const menu = card(panel).getByRole('menu')
  const [once, remember] = [
    menu.getByRole('menuitem', { name: 'Allow only this time' }),
    menu.getByRole('menuitem', { name: /^Always allow .* in this conversation$/ }),
  ]
  await expect(button).toHaveAttribute('aria-haspopup', 'menu')
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(once).toBeFocused()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(remember).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(once).toBeFocused()
  await page.keyboard.press('End')
  await expect(remember).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()
  // Escape closed the menu alone.
  await expect(panel.element.locator('section.panel')).toBeVisible()
  await page.keyboard.press('ArrowUp')
  await expect(remember).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(menu).toHaveCount(0)
  await button.click()
  await card(panel).getByRole('heading').click()
  await expect(menu).toHaveCount(0)
  await panel.read()
  await button.click()
  await remember.click()
  expect(await panel.asked('approve')).toEqual([['c', { remember: 'session' }]])
})

test('a menu item is a trusted click after the reading time, as the button is', async ({ panel }) => {
  await ask(panel)
  await expect(ready(panel)).toBeVisible()
  await card(panel).getByRole('button', { name: 'Ways to allow' }).click()
  await card(panel)
    .getByRole('menuitem')
    .last()
    .evaluate((item: HTMLElement) => {
      item.click()
    })
  expect(await panel.asked('approve')).toEqual([])
})

test('another site is a warning with the host alone, without the way to allow it again', async ({ panel }) => {
  const preview = { does: 'click', target: 'link "Offer"', site: 'https://xn--pple-43d.example:8443' }
  await ask(panel, { name: 'page_click', given: { target: 'Offer' }, preview, known: tool({}, { offers: [] }) })
  const warning = card(panel).getByRole('note')
  await expect(warning.locator('strong')).toHaveText('xn--pple-43d.example:8443')
  await expect(card(panel).getByRole('button', { name: 'Ways to allow' })).toHaveCount(0)
  await ask(panel, { name: 'page_click', given: {}, preview: { does: 'click', site: 'mailto:' } })
  await expect(warning.locator('strong')).toHaveText('mailto:')
})

test('a reason is one click away, and goes with either decision', async ({ panel, page }) => {
  await ask(panel)
  await expect(card(panel).locator('.reason')).toHaveCount(0)
  await card(panel).getByRole('button', { name: 'Add a reason' }).click()
  await page.keyboard.type('Not today')
  await card(panel).getByRole('button', { name: 'Don’t allow' }).click()
  expect(await panel.asked('deny')).toEqual([['c', { reason: 'Not today' }]])
})

test('in forced colours the button has system colours, and waiting differs without opacity', async ({
  panel,
  page,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await page.emulateMedia({ forcedColors: 'active' })
  await ask(panel, {
    given: { ...input, more: Array.from({ length: 60 }, (_, index) => `Line ${index}`) },
    known: null,
  })
  const look = () =>
    approve(panel).evaluate((button) => {
      const probe = document.body.appendChild(document.createElement('i'))
      probe.style.forcedColorAdjust = 'none'
      const system = Object.fromEntries(
        ['ButtonText', 'ButtonFace', 'GrayText'].map((name) => {
          probe.style.color = name
          return [name, getComputedStyle(probe).color]
        }),
      )
      probe.remove()
      const { backgroundColor, color, opacity, borderStyle } = getComputedStyle(button)
      const name = (value: string) => Object.keys(system).find((key) => system[key] === value)
      return { background: name(backgroundColor), color: name(color), opacity, borderStyle }
    })
  expect(await look()).toEqual({ background: 'ButtonFace', color: 'GrayText', opacity: '1', borderStyle: 'dashed' })
  // Once the beginning is read, only the end is missing.
  await expect(async () => {
    await approve(panel).click({ force: true })
    await expect(card(panel).getByRole('alert')).toBeVisible({ timeout: 100 })
  }).toPass()
  await card(panel)
    .locator('.reading')
    .evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
  await expect(ready(panel)).toBeVisible()
  expect(await look()).toEqual({ background: 'ButtonText', color: 'ButtonFace', opacity: '1', borderStyle: 'solid' })
})

test('in forced colours a spinner is a broken ring, and the line of a card has the colour of text', async ({
  panel,
  page,
  browserName,
}) => {
  test.skip(browserName === 'firefox', 'Firefox takes media features only as preferences')
  await page.emulateMedia({ forcedColors: 'active' })
  await panel.show({
    status: 'running',
    messages: [
      user('u', 'Go on'),
      assistant('a', call('r', 'find', { started: { at: 1, hash: 'h', input: {}, repeatable: false } })),
    ],
  })
  const spinner = panel.element.locator('.call .spinner')
  await expect(spinner).toBeVisible()
  const edges = () =>
    spinner.evaluate((one) => {
      const { borderBlockStartColor, borderBlockEndColor } = getComputedStyle(one)
      return borderBlockStartColor !== borderBlockEndColor && borderBlockStartColor.endsWith(', 0)')
    })
  await expect.poll(edges).toBe(true)
  const color = (selector: string, forced: string) =>
    panel.element
      .locator(selector)
      .first()
      .evaluate((one, name) => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = name
        const system = getComputedStyle(probe).color
        probe.remove()
        return getComputedStyle(one).color === system
      }, forced)
  expect(await color('.call > summary .title', 'CanvasText')).toBe(true)
})

test('the question has roles that its elements may have, and a scroll area that keys reach', async ({ panel }) => {
  await ask(panel, {
    given: { ...input, text: Array.from({ length: 80 }, (_, index) => `Line ${index}`) },
    known: null,
  })
  const dialog = panel.element.getByRole('dialog', { name: 'Waiting for your decision' })
  await expect(dialog).toBeVisible()
  await expect(dialog).not.toHaveAttribute('role')
  await expect(card(panel).locator('.reading')).toHaveAttribute('tabindex', '0')
  expect(await card(panel).evaluate((element) => element.querySelectorAll('[style]').length)).toBe(0)
})

test.describe('what a running tool asks', () => {
  const order = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Your name', minLength: 2 },
      mail: { type: 'string', format: 'email', description: 'For the receipt' },
      guests: { type: 'integer', minimum: 1, default: 2 },
      news: { type: 'boolean', title: 'Newsletter' },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      at: { type: 'string', format: 'date-time', title: 'When' },
      extras: {
        type: 'array',
        items: {
          anyOf: [
            { const: 'ice', title: 'Ice' },
            { const: 'milk', title: 'Milk' },
          ],
        },
      },
    },
    required: ['name', 'size'],
  }
  async function askFor(panel: PanelPage, asks: object = {}): Promise<void> {
    const question = { hash: 'hash', message: 'Some <b>details</b>, please.', schema: order, ...asks }
    const approval = { hash: 'hash', title: 'Order tea', input: {}, asks: question, at: 1 }
    const started = { at: 1, hash: 'h', input: {}, repeatable: false }
    const one = call('c', 'order', { title: 'Order tea', approval, started, held: true }) as AssistantPart
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Go on'), assistant('a', one)] })
    await expect(card(panel)).toHaveCount(1)
  }
  const form = (panel: PanelPage) => card(panel).locator('.form')

  test('is a form, whose answer is sent once the user could read it', { tag: '@R2.15' }, async ({ panel, page }) => {
    await askFor(panel)
    await expect(card(panel).getByRole('heading')).toHaveText('Order tea')
    await expect(card(panel).locator('.from')).toContainText('The assistant needs an answer from you')
    await expect(card(panel).locator('.question')).toHaveText('Some <b>details</b>, please.')
    for (const name of ['Change', 'Add a reason', 'Details'])
      await expect(card(panel).getByText(name, { exact: true })).toHaveCount(0)
    // A script of the page, and a press before it was read, answer nothing.
    await approve(panel).evaluate((button: HTMLElement) => button.click())
    await panel.read()
    await form(panel).getByLabel('Your name').fill('A')
    await expect(form(panel).getByRole('alert')).toHaveCount(1)
    await approve(panel).click({ force: true })
    expect(await panel.asked('answer')).toEqual([])
    // What is missing is said at its field.
    await expect(form(panel).locator('[aria-invalid=true]')).toHaveCount(2)
    await expect(form(panel).getByLabel('Your name')).toBeFocused()
    const mail = form(panel).getByLabel('Mail')
    await expect(mail).toHaveAccessibleDescription('For the receipt')
    await mail.fill('no mail')
    const problem = await mail.evaluate((input: HTMLInputElement) => input.validationMessage)
    await expect(mail).toHaveAccessibleDescription(`For the receipt ${problem}`)
    await mail.fill('')
    await form(panel).getByLabel('Your name').fill('Ada')
    await form(panel).getByLabel('Size').selectOption('Large')
    await form(panel).getByLabel('Extras').selectOption(['Milk'])
    await form(panel).getByLabel('Newsletter').check()
    await form(panel).getByLabel('When').fill('2026-12-24T18:30')
    await panel.read()
    await expect(ready(panel)).toBeVisible()
    await expect(approve(panel)).toHaveText('Send')
    await approve(panel).click()
    const at = await page.evaluate(() => new Date('2026-12-24T18:30').toISOString())
    const content = { name: 'Ada', guests: 2, news: true, size: 'l', at, extras: ['milk'] }
    const [given] = await panel.asked('answer')
    expect(given).toEqual(['c', { action: 'accept', content: expect.any(Object) as object }])
    expect((given as [string, { content: object }])[1].content).toEqual(content)
  })

  test('can be declined at once, and names the server that asks', { tag: '@R2.15' }, async ({ panel }) => {
    await askFor(panel, { from: 'https://mcp.shop.example', schema: { type: 'object' } })
    await expect(card(panel).getByRole('heading')).toHaveText(/mcp\.shop\.example\W* asks you/)
    await expect(card(panel)).toContainText('Your answer is sent to this server.')
    await expect(form(panel)).toHaveCount(0)
    await card(panel).getByRole('button', { name: 'Decline' }).click()
    expect(await panel.asked('deny')).toEqual([['c', {}]])
  })

  test('shows what the schema of the author refuses at its field', { tag: '@R2.15' }, async ({ panel, page }) => {
    await page.evaluate(() => {
      const details = [{ path: 'name', message: 'Choose a guest of the house', forVisitors: true }]
      window.fake.failures.set('answer', { code: 'invalid-input', message: 'No', details })
    })
    await askFor(panel, { schema: { type: 'object', properties: { name: { type: 'string', default: 'Ada' } } } })
    await panel.read()
    await approve(panel).click()
    await expect(form(panel).getByRole('alert')).toHaveText('Choose a guest of the house')
  })
})
