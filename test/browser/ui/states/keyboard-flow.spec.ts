// The whole way of a visitor with the keyboard alone, with the accessibility tree of each step. The focus is never lost.
import type { AssistantPart } from '../../../../src/core/data/message.js'
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

/** Where the focus is: the name of the element inside the panel; fails the test if the page has it. */
async function focus(panel: PanelPage): Promise<string> {
  const name = await panel.page.evaluate(() => {
    if (document.activeElement !== window.element) return undefined
    const one = window.element.shadowRoot?.activeElement
    return (
      one?.getAttribute('aria-label') ||
      one?.getAttribute('title') ||
      one?.textContent?.trim().replace(/\s+/g, ' ') ||
      one?.localName
    )
  })
  expect(name, 'the focus is in the panel').toBeTruthy()
  return name!
}

/** Presses a key until the focus is on the element with this name. */
async function pressUntil(panel: PanelPage, key: string, name: string): Promise<void> {
  const path: string[] = []
  for (let step = 0; step < 30; step++) {
    await panel.page.keyboard.press(key)
    path.push(await focus(panel))
    if (path.at(-1)!.startsWith(name)) return
  }
  throw new Error(`${name} does not get the focus; these elements do: ${path.join(', ')}`)
}

/** A question about booking a table. */
const booking = (id: string): AssistantPart =>
  call(id, 'book_table', {
    title: 'Book a table',
    call: { id, name: 'book_table', input: { name: 'Ada', guests: 4 } },
    approval: { hash: id, title: 'Book a table', input: { name: 'Ada', guests: 4 }, at: 1 },
  })
const asking = (id: string) =>
  ({ status: 'awaiting-approval', messages: [user('u', 'A table'), assistant(`a${id}`, booking(id))] }) as const
const idle = { messages: [user('u', 'A table'), assistant('a', 'It is booked.')] }

test('open, write, approve, change, refuse, conversations, close: by keyboard', async ({ panel, page }) => {
  const section = panel.element.locator('section.panel')
  await page.evaluate(() => {
    Object.assign(window.element, { layout: 'floating', shortcut: 'Control+Shift+K' })
    const inputSchema = {
      type: 'object',
      properties: { name: { type: 'string' }, guests: { type: 'integer' } },
      required: ['name'],
    }
    for (const id of ['c1', 'c2', 'c3'])
      window.fake.approvalTools.set(id, { inputSchema, annotations: {}, isDiscovered: false, offers: ['session'] })
    const now = Date.now()
    window.fake.stored = ['Teapots', 'A table', 'My order'].map((title, index) => ({
      id: index === 0 ? 'session-1' : `s${index}`,
      scope: '',
      title,
      createdAt: 1,
      updatedAt: now - index,
      messages: 2,
    }))
  })

  // Open. The shortcut is loaded with its option.
  await expect(async () => {
    await page.keyboard.press('Control+Shift+K')
    await expect(panel.field).toBeFocused({ timeout: 500 })
  }).toPass()
  await expect(section).toMatchAriaSnapshot(`
    - dialog "Assistant":
      - heading "Assistant" [level=2]
      - button "Conversations"
      - button "New conversation"
      - button "Close"
      - paragraph: How can I help?
      - textbox "Ask anything about this page"
      - button "Send" [disabled]
      - button "Resize (arrow keys)"
  `)

  // Write and send.
  await page.keyboard.type('A table')
  await page.keyboard.press('Enter')
  expect(await panel.asked('send')).toEqual([['A table']])
  expect(await focus(panel)).toBe('Ask anything about this page')

  // Approve.
  await panel.show(asking('c1'))
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await expect(panel.element.locator('.approvals')).toMatchAriaSnapshot(`
    - dialog "Waiting for your decision":
      - group "Book a table":
        - paragraph: The assistant asks for your permission
        - heading "Book a table" [level=3]
        - term: Name
        - definition: Ada
        - term: Guests
        - definition: "4"
        - button "Change"
        - button "Add a reason"
        - button "Don’t allow"
        - button "Book a table"
        - button "Ways to allow"
  `)
  expect(await focus(panel)).toBe('Ask anything about this page')
  await pressUntil(panel, 'Shift+Tab', 'Book a table')
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toEqual([['c1', {}]])
  await panel.show(idle)
  expect(await focus(panel)).toBe('Ask anything about this page')

  // Change an argument.
  await panel.show(asking('c2'))
  await expect(panel.element.locator('.decision[data-ready]')).toBeVisible()
  await pressUntil(panel, 'Shift+Tab', 'Change')
  await page.keyboard.press('Enter')
  await expect(panel.element.locator('.form input').first()).toBeFocused()
  await expect(panel.element.locator('.form')).toMatchAriaSnapshot(`
    - textbox "Name": Ada
    - spinbutton "Guests": "4"
  `)
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Grace')
  await pressUntil(panel, 'Tab', 'Book a table')
  await page.keyboard.press('Enter')
  expect(await panel.asked('approve')).toHaveLength(2)
  expect((await panel.asked('approve'))[1]).toEqual(['c2', { input: { name: 'Grace', guests: 4 } }])
  await panel.show(idle)
  expect(await focus(panel)).toBe('Ask anything about this page')

  // Refuse with a reason.
  await panel.show(asking('c3'))
  await expect(panel.element.locator('.approval')).toBeVisible()
  await pressUntil(panel, 'Shift+Tab', 'Add a reason')
  await page.keyboard.press('Enter')
  await expect(panel.element.locator('.reason')).toBeFocused()
  await page.keyboard.type('Not tonight')
  await pressUntil(panel, 'Tab', 'Don’t allow')
  await page.keyboard.press('Enter')
  expect(await panel.asked('deny')).toEqual([['c3', { reason: 'Not tonight' }]])
  await panel.show(idle)
  expect(await focus(panel)).toBe('Ask anything about this page')
  await expect(panel.element.locator('.log')).toMatchAriaSnapshot(`
    - log "Conversation":
      - article "You":
        - paragraph: A table
      - article "Assistant":
        - paragraph: It is booked.
  `)

  // Conversations: rename, delete, undo.
  await pressUntil(panel, 'Shift+Tab', 'Conversations')
  await page.keyboard.press('Enter')
  const list = panel.element.getByRole('dialog', { name: 'Conversations' })
  await expect(list.getByText('My order')).toBeVisible()
  expect(await focus(panel)).toBe('Back')
  await expect(list).toMatchAriaSnapshot(`
    - dialog "Conversations":
      - button "Back"
      - heading "Conversations" [level=2]
      - button "New conversation"
      - button "Close"
      - heading [level=3]
      - list:
        - listitem:
          - button /Teapots/
          - 'button "Options: Teapots"'
        - listitem:
          - button /A table/
        - listitem:
          - button /My order/
  `)
  await pressUntil(panel, 'Tab', 'Options: A table')
  await page.keyboard.press('Enter')
  expect(await focus(panel)).toBe('Rename: A table')
  await page.keyboard.press('Enter')
  expect(await focus(panel)).toBe('Rename')
  await page.keyboard.type('Tonight')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: 'Options: Tonight' })).toBeFocused()
  await page.keyboard.press('Enter')
  await pressUntil(panel, 'Tab', 'Delete: Tonight')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: /^My order/ })).toBeFocused()
  await pressUntil(panel, 'Tab', 'Undo')
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button', { name: /^Tonight/ })).toBeFocused()
  expect(await panel.asked('delete')).toEqual([])

  // Back and close.
  await page.keyboard.press('Escape')
  await expect(panel.field).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panel.element.locator('.launcher')).toBeFocused()
  await expect(section).toBeHidden()
})
