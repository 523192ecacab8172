// The question about an action on the page: in words what will happen, to what, and with which values; what it offers
// beside allowing once; and what must be read before a press counts.
import type { TaskGrant } from '../../../../src/core/data/effect.js'
import type { Session } from '../../../../src/core/data/session.js'
import type { NamedPart, Preview } from '../../../../src/core/data/action.js'
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

type Offers = readonly ('session' | 'task')[]

const approvalOf = (preview: Preview, at = 1) => ({
  hash: JSON.stringify(preview),
  title: 'Form fill',
  input: { target: 'e12' },
  at,
  preview,
})

/** A session in which one call of a page tool waits. */
const asking = (preview: Preview, name = 'page_click'): Partial<Session> => ({
  status: 'awaiting-approval',
  messages: [
    user('u', 'Go on'),
    assistant(
      'a',
      call('c', name, { call: { id: 'c', name, input: { target: 'e12' } }, approval: approvalOf(preview) }),
    ),
  ],
})

/** Shows the question of one call of a page tool. */
async function ask(panel: PanelPage, preview: Preview, offers: Offers = [], name = 'page_click'): Promise<void> {
  await panel.page.evaluate((given) => {
    window.fake.approvalTools.set('c', {
      inputSchema: { type: 'object', properties: { target: { type: 'string' } } },
      annotations: {},
      isDiscovered: false,
      offers: given,
    })
  }, offers as string[])
  await panel.show(asking(preview, name))
  await expect(card(panel)).toHaveCount(1)
}
const card = (panel: PanelPage) => panel.element.locator('tool-agent-approval')
const heading = (panel: PanelPage) => card(panel).getByRole('heading')
const approve = (panel: PanelPage) => panel.element.locator('.approve')
const forTask = (panel: PanelPage) => card(panel).getByRole('button', { name: 'Allow for this task' })
const ready = (panel: PanelPage) => panel.element.locator('.decision[data-ready]')
const rows = (panel: PanelPage) =>
  card(panel)
    .locator('.preview dt')
    .evaluateAll((terms) => terms.map((term) => [term.textContent, term.nextElementSibling?.textContent.trim()]))
/** Waits by the clock of the page. */
const wait = (panel: PanelPage, time: number) =>
  panel.page.evaluate(
    (ms) =>
      new Promise<void>((resolve) => {
        const began = performance.now()
        const next = () => (performance.now() - began > ms ? resolve() : requestAnimationFrame(next))
        next()
      }),
    time,
  )
/** Presses with the real pointer, whatever the state of the button. */
async function press(panel: PanelPage, selector: string): Promise<void> {
  const box = (await panel.element.locator(selector).boundingBox())!
  await panel.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

const archive: Preview = {
  effect: 'unknown',
  does: 'click',
  target: 'button "Archive"',
  in: 'Slack',
  task: { covers: 'unknown' },
}
const order: Preview = {
  effect: 'send',
  does: 'submit',
  target: 'form "Order"',
  url: '/orders',
  method: 'POST',
  values: [
    { field: 'Tea', value: 'Assam' },
    { field: 'Gift', value: true },
    { field: 'Card number', value: 'filled', private: true },
  ],
  task: { covers: 'send', method: 'POST', url: '/orders', control: 'button "Order"' },
}

// The sentences of all kinds of actions are tested in Node.
for (const [preview, title, verb, warning] of [
  [archive, 'Press “Archive” in “Slack”?', 'Press'],
  [order, 'Send the form “Order”?', 'Send'],
  // An address of this site is a path.
  [{ effect: 'go', does: 'click', target: 'link "Order 7"', url: '/orders/7', loses: true }, 'Open /orders/7?', 'Open'],
  [{ effect: 'unknown', does: 'go', url: '/search?q=tea' }, 'Open /search?q=tea?', 'Open'],
  [
    { effect: 'destroy', does: 'click', target: 'button "Revoke access"', in: 'Slack' },
    'Press “Revoke access” in “Slack”?',
    'Press “Revoke access”',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    { ...archive, stopped: [{ effect: 'send', does: 'submit', method: 'POST', url: '/items' }] },
    'Send the form with “Archive” in “Slack”?',
    'Send',
    'The page was about to do this. It was stopped first.',
  ],
] as [Preview, string, string, string?][]) {
  test(`asks: ${title} ${warning ?? ''} (${preview.target ?? preview.url})`, async ({ panel }) => {
    await ask(panel, preview)
    await expect(heading(panel)).toHaveText(title)
    await expect(approve(panel)).toHaveText(verb)
    await expect(card(panel).locator('.warning:not(.loses)')).toHaveText(warning === undefined ? [] : [warning])
    // The question is on the screen once.
    await expect(panel.element.locator('details.call > summary .title')).toHaveText('Click on the page')
    // What only a programmer or the model reads is behind "Details".
    const text = await card(panel).evaluate((element) => {
      const copy = element.cloneNode(true) as Element
      copy.querySelector('.raw')?.remove()
      return copy.textContent
    })
    expect(text).not.toMatch(/Click on the page|e12|page_click|\b(?:button|link|span|clickable|form) "|POST|DELETE/)
    await card(panel).locator('.raw summary').click()
    await expect(card(panel).locator('.raw')).toContainText('page_click')
    await expect(card(panel).locator('.raw')).toContainText(preview.target ?? 'e12')
  })
}

test('an action whose values are not known yet has the title of its tool', async ({ panel }) => {
  await ask(panel, { effect: 'value' }, [], 'form_fill')
  await expect(heading(panel)).toHaveText('Form fill')
  await expect(approve(panel)).toHaveText('Fill in')
})

test('below the title is what it does not say: the values, the place, and what would be lost', async ({ panel }) => {
  await ask(panel, order)
  await expect
    .poll(() => rows(panel))
    .toEqual([
      ['Sent to', '/orders'],
      ['Tea', 'Assam'],
      ['Gift', 'yes'],
      ['Card number', 'filled in (kept private)'],
    ])
  await ask(panel, {
    ...archive,
    stopped: [{ effect: 'send', does: 'request', method: 'POST', url: '/graphql', operation: 'archiveItem' }],
  })
  await expect
    .poll(() => rows(panel))
    .toEqual([
      ['Sent to', '/graphql'],
      ['Request', 'archiveItem'],
    ])
  await ask(panel, { effect: 'go', does: 'click', target: 'link "Order 7"', url: '/orders/7', loses: true })
  await expect(card(panel).locator('.loses')).toHaveText('What you entered here and did not send would be lost.')
  await expect.poll(() => rows(panel)).toEqual([['Presses', 'Order 7']])
})

test('a text that is typed is shown, and stands for no key', async ({ panel }) => {
  const typing: Preview = { effect: 'unknown', does: 'press', on: { role: 'textbox', name: 'Shell' } }
  await ask(panel, { ...typing, types: 'rm -r orders' }, [], 'page_press')
  await expect(heading(panel)).toHaveText('Change “Shell”?')
  await expect.poll(() => rows(panel)).toEqual([['Shell', 'rm -r orders']])
  await ask(panel, { ...typing, types: '' }, [], 'page_press')
  await expect.poll(() => rows(panel)).toEqual([['Shell', 'empty']])
  // Which part of the text it is, the title does not say.
  await ask(panel, { ...typing, types: 'ls', selects: 'rm -r orders' }, [], 'page_press')
  await expect
    .poll(() => rows(panel))
    .toEqual([
      ['Shell', 'ls'],
      ['Selected text', 'rm -r orders'],
    ])
  await ask(panel, { ...typing, key: 'Delete', selects: 'rm -r' }, [], 'page_press')
  await expect(heading(panel)).toHaveText('Press the key Delete in “Shell”?')
  await expect.poll(() => rows(panel)).toEqual([['Selected text', 'rm -r']])
})

test('names the heading, lists what was filled in elsewhere by heading, and has empty fields in one line', async ({
  panel,
}) => {
  const invoice: Preview = {
    effect: 'send',
    does: 'click',
    target: 'button "Create"',
    in: 'Footer',
    heading: 'New invoice',
    values: [
      { field: 'Customer', value: 'Ann' },
      { field: 'Phone', value: '' },
      { field: 'Paid', value: false },
      { field: 'Note', value: '' },
      { field: 'Code', value: 'empty', private: true },
    ],
    filled: [
      { field: 'To', value: 'mallory@x.example', group: 'Recipient' },
      { field: 'Amount', value: '9000', group: 'Recipient' },
      { field: 'Gift', value: true },
    ],
    more: 2,
  }
  await ask(panel, invoice)
  await expect(heading(panel)).toHaveText('Press “Create” in “Footer”?')
  await expect
    .poll(() => rows(panel))
    .toEqual([
      ['In', 'New invoice'],
      ['Customer', 'Ann'],
      ['Paid', 'no'],
      ['3 empty fields', 'Phone, Note, Code'],
      ['Not shown', '2 more fields'],
      ['To', 'mallory@x.example'],
      ['Amount', '9000'],
      ['Gift', 'yes'],
    ])
  await expect(card(panel).locator('.filled > p')).toHaveText([
    'Filled in by the assistant: Recipient',
    'Filled in by the assistant',
  ])
  // A long value in it must be opened first, as any other.
  await ask(panel, { ...invoice, filled: [{ field: 'Text', value: 'word '.repeat(200) }] })
  await wait(panel, 1200)
  await expect(ready(panel)).toHaveCount(0)
  await card(panel).locator('.cut button').click()
  await card(panel)
    .locator('.reading')
    .evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await expect(ready(panel)).toHaveCount(1)
})

test('a name from the page can neither hide the question nor turn it around', async ({ panel }) => {
  const name = `Archive\u202e${'\n'.repeat(60)}all ${'mail '.repeat(40)}and delete it`
  await ask(panel, { effect: 'unknown', does: 'click', target: `button ${JSON.stringify(name)}` })
  await expect(heading(panel).locator('span')).toHaveText(
    /^Press “Archive\\u\{202e\} all mail .{20,60}….*and delete it”\?$/,
  )
  expect((await rows(panel))[0]?.[1]).toContain('⏎ × 60')
  await panel.page.evaluate(() => {
    document.documentElement.lang = 'ar'
  })
  await ask(panel, archive)
  await expect(heading(panel)).toHaveText('هل تريد الضغط على «\u2068Archive\u2069» في «\u2068Slack\u2069»؟')
  // An address that ends the sentence is not repeated below it.
  await ask(panel, { effect: 'go', does: 'click', target: 'link "Order 7"', url: '/orders/7' })
  await expect.poll(() => rows(panel)).toEqual([['الضغط على', 'Order 7']])
})

test('the question is announced with its warning', async ({ panel }) => {
  const preview: Preview = { effect: 'destroy', does: 'click', target: 'button "Revoke access"', in: 'Slack' }
  await ask(panel, archive)
  await panel.emit({ type: 'approval-request', at: 2, callId: 'c', approval: approvalOf(preview, 2) })
  await expect(panel.element.locator('.unseen[aria-live]')).toHaveText(
    'Your decision is needed: Press “Revoke access” in “Slack”? This may delete or pay. You may not be able to undo it. ' +
      'This question has changed. Press F8 to answer.',
  )
})

test('a question that asks about another effect than before says so', async ({ panel }) => {
  await ask(panel, archive)
  await expect(card(panel).locator('.warning:not(.loses)')).toHaveCount(0)
  const emit = (preview: Preview, at: number) =>
    panel.emit({ type: 'approval-request', at, callId: 'c', approval: approvalOf(preview, at) })
  await emit({ ...archive, in: 'Teams' }, 2)
  await expect(heading(panel)).toContainText('Teams')
  await expect(card(panel).locator('.warning:not(.loses)')).toHaveCount(0)
  await emit({ ...archive, effect: 'destroy' }, 3)
  await expect(card(panel).locator('.warning:not(.loses)')).toHaveText([
    'This question has changed.',
    'This may delete or pay. You may not be able to undo it.',
  ])
  await expect(ready(panel)).toHaveCount(0)
  await expect(ready(panel)).toBeVisible()
})

for (const [preview, covers] of [
  [
    archive,
    'The assistant may use buttons of this page until this task is done. Deleting, paying and other sites ask again.',
  ],
  [order, 'The assistant may send this again until this task is done.'],
] as const) {
  test(
    `"Allow for this task" stands beside "Allow" and says: ${covers.slice(0, 45)}`,
    { tag: '@R7.2' },
    async ({ panel, page }) => {
      // High enough that nothing has to be scrolled, whatever the engine makes of the fonts.
      await page.setViewportSize({ width: 390, height: 1000 })
      await page.addStyleTag({ content: 'tool-agent { block-size: 900px }' })
      await ask(panel, preview, ['task'])
      await expect(forTask(panel)).toHaveAccessibleDescription(covers)
      await expect(card(panel).getByText(covers)).toBeVisible()
      await expect(card(panel).getByRole('button', { name: 'Ways to allow' })).toHaveCount(0)
      await expect(ready(panel)).toBeVisible()
      await forTask(panel).evaluate((button: HTMLElement) => {
        button.click()
      })
      expect(await panel.asked('approve')).toEqual([])
      await press(panel, '.approve-task')
      expect(await panel.asked('approve')).toEqual([['c', { for: 'task' }]])
    },
  )
}

test('what the tool does not offer is not shown', { tag: '@R7.2' }, async ({ panel }) => {
  await ask(panel, archive, [])
  await expect(ready(panel)).toBeVisible()
  await expect(forTask(panel)).toHaveCount(0)
  await expect(card(panel).getByRole('button', { name: 'Ways to allow' })).toHaveCount(0)
})

test('"Allow for this task" counts only after the reading time', { tag: '@R7.5' }, async ({ panel }) => {
  await ask(panel, { ...order, values: fields(32) }, ['task'])
  await wait(panel, 2_000)
  await press(panel, '.approve-task')
  expect(await panel.asked('approve')).toEqual([])
})

const grant = (scope: TaskGrant['scope']): TaskGrant => ({ at: 1, page: 'https://shop.example/', scope })
for (const role of ['driver', 'mirror'] as const) {
  test(`what is allowed for the task is shown and ended with one press: ${role}`, async ({ panel, page }) => {
    await page.setViewportSize({ width: 390, height: 760 })
    await page.evaluate((one) => {
      window.fake.set({ role: one })
    }, role)
    const turn = { id: 't', step: 1, startedAt: 1, counted: 0 }
    const session = { status: 'running', messages: [user('u', 'Go on'), assistant('a', 'On it')] } as const
    await panel.show({ ...session, turn: turn as never })
    const status = panel.element.locator('.granted')
    await expect(status).toHaveRole('status')
    await expect(status).toHaveText('')
    await panel.show({
      ...session,
      turn: {
        ...turn,
        taskGrants: [
          grant({ covers: 'unknown' }),
          grant({ covers: 'send', method: 'POST', url: '/orders', control: 'button "Order"' }),
        ],
      } as never,
    })
    await expect(status.locator('p')).toHaveText([
      'Allowed until this task is done: buttons of this page.',
      'Allowed until this task is done: sending to /orders.',
    ])
    const line = panel.element.locator('.trust')
    const again = panel.element.locator('.glass').getByRole('button', { name: 'Ask me again' })
    await expect(line).toHaveText('You allowed more')
    await line.click()
    await again.click()
    expect(await panel.asked('endGrants')).toEqual([[]])
    // What is allowed for the conversation is shown between turns, too.
    await panel.show({
      messages: session.messages,
      grants: [
        { tool: 'book_table', hash: 'h' },
        { tool: 'page_click', hash: 'h' },
      ] as never,
    })
    await expect(status.locator('p')).toHaveText([/^Always allowed in this conversation: “Book table”, “.+”\.$/])
    await expect(again).toBeVisible()
    await panel.show({ ...session, turn: turn as never })
    await expect(status).toHaveText('')
    await expect(again).toHaveCount(0)
  })
}

/** A form with more fields than any card shows, and what counts at the end. */
const fields = (count: number): NonNullable<Preview['values']> => [
  ...Array.from({ length: count - 2 }, (_, index) => ({ field: `Field ${index}`, value: `Value ${index}` })),
  { field: 'Amount', value: '9,000' },
  { field: 'Recipient', value: 'Mallory' },
]

for (const [name, preview, last] of [
  ['32 fields', { ...order, values: fields(32) }, 'Mallory'],
  [
    'a query of 3,000 characters',
    { effect: 'unknown', does: 'go', url: `/transfer?${'a=1&'.repeat(400)}to=mallory&${'b=2&'.repeat(350)}` },
    'to=mallory',
  ],
  [
    'a value of 3,000 characters',
    { ...order, values: [{ field: 'Note', value: `${'Hello '.repeat(300)}Pay Mallory${' bye'.repeat(300)}` }] },
    'Pay Mallory',
  ],
] as [string, Preview, string][]) {
  test(`one press after two seconds does not allow ${name}`, { tag: '@R7.5' }, async ({ panel }) => {
    await ask(panel, preview)
    await wait(panel, 2_000)
    await expect(ready(panel)).toHaveCount(0)
    await press(panel, '.approve')
    expect(await panel.asked('approve')).toEqual([])
    await expect(card(panel).getByRole('alert')).toContainText(/Read to the end first|Show the whole text first/)
    // Every character can be reached.
    for (const show of await card(panel)
      .getByRole('button', { name: /^… Show all/ })
      .all())
      await show.click()
    await panel.read()
    await expect(card(panel).locator('.preview')).toContainText(last)
    await press(panel, '.approve')
    expect(await panel.asked('approve')).toEqual([['c', {}]])
  })
}

test(
  'line breaks that repeat are folded and counted, so that what follows is on the screen',
  { tag: '@R7.5' },
  async ({ panel }) => {
    const value = `Hello${'\r\n \n'.repeat(30)}Pay Mallory${' '.repeat(400)}now\n\nBye`
    await ask(panel, { ...order, values: [{ field: 'Note', value }] })
    expect((await rows(panel))[1]).toEqual(['Note', 'Hello ⏎ × 60 Pay Mallory ␣ × 400 now\n\nBye'])
    await expect(ready(panel)).toBeVisible()
  },
)

test('the same holds for the arguments of other tools', { tag: '@R7.5' }, async ({ panel }) => {
  const input = { note: `Hi${'\n'.repeat(60)}Pay Mallory`, long: 'x'.repeat(3_000), list: ['a', 'y'.repeat(3_000)] }
  await panel.page.evaluate(() => {
    window.fake.approvalTools.set('c', { inputSchema: {}, annotations: {}, isDiscovered: false, offers: ['session'] })
  })
  const approval = { hash: 'h', title: 'Pay', input, at: 1 }
  await panel.show({
    status: 'awaiting-approval',
    messages: [
      user('u', 'Go on'),
      assistant('a', call('c', 'pay', { call: { id: 'c', name: 'pay', input }, approval })),
    ],
  })
  await expect(card(panel).locator('.arguments')).toContainText('Hi ⏎ × 60 Pay Mallory')
  await wait(panel, 2_000)
  await press(panel, '.approve')
  await expect(card(panel).getByRole('alert')).toHaveText('Show the whole text first, then allow it.')
  const show = card(panel).getByRole('button', { name: '… Show all 3,000 characters …' })
  await expect(show).toHaveCount(2)
  await show.first().focus()
  await panel.page.keyboard.press('Enter')
  await expect(card(panel).locator('.whole').first()).toBeFocused()
  await show.click()
  await panel.read()
  await press(panel, '.approve')
  expect(await panel.asked('approve')).toEqual([['c', {}]])
})

test('a press before the reading time is over begins it anew', { tag: '@R7.5' }, async ({ panel, page }) => {
  await page.clock.install()
  await page.reload()
  await panel.ready()
  await page.clock.pauseAt(Date.now() + 60_000)
  await panel.show(asking(archive))
  await expect
    .poll(async () => {
      await page.clock.runFor(20)
      return card(panel).count()
    })
    .toBe(1)
  // Presses that do not begin it anew would count from the third on.
  for (let presses = 0; presses < 5; presses++) {
    await page.clock.runFor(400)
    await press(panel, '.approve')
  }
  expect(await panel.asked('approve')).toEqual([])
  await expect
    .poll(async () => {
      await page.clock.runFor(100)
      return ready(panel).count()
    })
    .toBe(1)
  await press(panel, '.approve')
  expect(await panel.asked('approve')).toHaveLength(1)
})

for (const height of [380, 256]) {
  test(`a question with everything in it can be allowed in a window of ${height} px`, async ({ panel, page }) => {
    await page.setViewportSize({ width: height === 380 ? 640 : 320, height })
    await page.evaluate(() => {
      window.element.layout = 'floating'
      window.element.open = true
    })
    await ask(panel, { ...order, loses: true, stopped: [{ effect: 'send', does: 'submit', url: '/orders' }] }, ['task'])
    await panel.read()
    await press(panel, '.approve-task')
    expect(await panel.asked('approve')).toEqual([['c', { for: 'task' }]])
  })
}

test('an answer in another tab is given to the agent, which takes the conversation over', async ({ panel }) => {
  await ask(panel, archive, ['task'])
  await panel.page.evaluate(() => {
    window.fake.set({ role: 'mirror' })
  })
  await panel.read()
  await press(panel, '.approve')
  expect(await panel.asked('approve')).toEqual([['c', {}]])
})

test('what changed since the last question is told with names, also where an older build has stored a text', async ({
  panel,
}) => {
  const [was, is] = ['Save', 'Publish'].map((name) => ({ role: 'button', name })) as [NamedPart, NamedPart]
  for (const [change, told] of [
    [{ before: 'not read', now: 'not read', was, is }, 'Save Publish'],
    [{ before: 'button "Save"', now: 'span "Publish" in clickable "All"' }, 'Save Publish'],
    [{ before: 'Escape on the page', now: 'Escape on dialog "Help"' }, 'Help'],
    [{ before: 'button "Save"', was: 7 }, 'Save'],
  ] as [object, string][]) {
    await ask(panel, { ...archive, changes: [{ what: 'target', ...change }] })
    await expect(card(panel).locator('.changes dd')).toHaveText(told)
  }
})
