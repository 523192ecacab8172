// Every state of the panel that a visitor can see, by name, with a function that brings the panel into it. The checks
// for accessibility, the contact sheets and the accessibility trees use this list. The agent is scripted: it holds the
// session as plain data and changes it with events.
import { expect, assistant, call, question, tasks, user, type PanelPage } from '../../../support/page/panel.js'
import { agentSession } from '../../../support/page/rich-session.js'
import type { AssistantMessage, AssistantPart, Message, Reason } from '../../../../src/core/data/message.js'
import type { Failure } from '../../../../src/core/data/errors.js'
import type { Session } from '../../../../src/core/data/session.js'

/** One state of the panel. */
export interface PanelState {
  /** What the state is, in a few words; unique. */
  readonly name: string
  /** Where the panel is. @default 'floating' */
  readonly layout?: 'inline' | 'floating' | 'sidebar'
  /** The panel is closed. */
  readonly isClosed?: true
  /** The size of the window instead of the one that the check chooses, in CSS pixels. */
  readonly window?: { readonly width: number; readonly height: number }
  /** The page of the developer's view instead of that of the panel. */
  readonly page?: 'inspector'
  /** Brings the panel into the state and waits until it is drawn. */
  readonly drive: (panel: PanelPage) => Promise<void>
}

const at = 1_790_000_000_000
const done = (output: unknown, rest: object = {}) => ({
  result: { output, startedAt: at, endedAt: at + 820, attempts: 1, ...rest },
})
const failed = (code: string, message: string) => ({
  result: { error: { code, message }, startedAt: at, endedAt: at + 2_400, attempts: 1 },
})
const running = { started: { at: Date.now() - 3_000, hash: 'h', input: { query: 'pot' }, repeatable: false } }
const say = (panel: PanelPage, ...parts: Parameters<typeof assistant>[1][]) =>
  panel.show({ messages: [user('u', 'Find a teapot for me'), assistant('a', ...parts)] })
const sees = (panel: PanelPage, selector: string) => expect(panel.element.locator(selector).first()).toBeVisible()

/** A conversation that is open, for states in which its content does not matter. */
const usual: Partial<Session> = {
  messages: [
    user('u', 'Find a teapot for me'),
    assistant('a', 'I found **three** teapots. The *Hario* one costs € 24.90 and survives the dishwasher.'),
  ],
}

/** Shows the usual conversation, drawn completely. */
async function showUsual(panel: PanelPage, rest: Partial<Session> = {}): Promise<void> {
  await panel.show({ ...usual, ...rest })
  await sees(panel, 'strong')
}

/** Registers the page tools that read and fill. */
const registerTools = ({ page }: PanelPage): Promise<void> =>
  page.evaluate(async (path) => {
    const { readTools, fillTools } = (await import(path)) as typeof import('../../../../src/tools.js')
    const tools = [...readTools(), ...fillTools()].map((tool) => ({
      name: tool.name,
      title: tool.title,
      annotations: tool.annotations ?? {},
      tool,
    }))
    window.fake.set({ tools: tools as never })
  }, '/src/tools.ts')

/** A turn that ended for a reason. */
const ended = (reason: Reason, error?: Failure) => async (panel: PanelPage) => {
  await panel.show({ messages: [user('u', 'Hi')], end: { turn: 't', reason, at, ...(error && { error }) } })
  await sees(panel, '.notice, .ending')
}

/** An error of the agent. */
const reported = (code: Failure['code'], message: string) => async (panel: PanelPage) => {
  await showUsual(panel)
  await panel.page.evaluate(
    ([name, text]) => {
      window.fake.report({ code: name as 'server', message: text })
    },
    [code, message] as const,
  )
  await sees(panel, '.notice p')
}

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
  },
  required: ['name', 'guests'],
}
const booking = {
  name: 'Ada',
  guests: 4,
  day: '2026-03-02',
  seating: 'outside',
  quiet: true,
  wishes: ['high chair', 'no nuts'],
  contact: { phoneNumber: '040 123' },
  extra: [{ a: 1 }],
}

/** A question, with what is known about its tool. */
async function ask(
  panel: PanelPage,
  asked: {
    name?: string
    title?: string
    input?: object
    preview?: object
    annotations?: object
    schema?: object
    offers?: readonly ('session' | 'task')[]
  } = {},
): Promise<void> {
  const { name = 'book_table', title = 'Book a table', input = booking, preview, annotations = {} } = asked
  await panel.page.evaluate(
    (tool) => {
      window.fake.approvalTools.set('c', tool)
    },
    { inputSchema: asked.schema ?? bookTable, annotations, isDiscovered: false, offers: asked.offers ?? ['session'] },
  )
  const approval = { hash: 'hash', title, input, at, ...(preview && { preview }) }
  const part = call('c', name, { call: { id: 'c', name, input }, title, approval }) as AssistantPart
  await panel.show({
    status: 'awaiting-approval',
    messages: [user('u', 'Book a table for tonight'), assistant('a', 'I have everything for this:', part)],
  })
  await sees(panel, '.approval .raw')
}
const isReady = (panel: PanelPage) => panel.read()
const press = (panel: PanelPage, part: string) => panel.element.locator(part).first().click()

const statusAt = (index: number, doneCount: number): string => {
  if (index < doneCount) return 'completed'
  return index === doneCount ? 'in_progress' : 'pending'
}
const todos = (count: number, doneCount: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(index),
    text:
      ['Find a teapot', 'Add two to the cart', 'Apply the coupon TEA10'][index] ?? `Compare the teapot number ${index}`,
    status: statusAt(index, doneCount),
  }))
/** The usual conversation with tasks. */
const withTasks = (count: number, doneCount: number): Message[] => [
  user('u', 'Find a teapot for me'),
  assistant('a', tasks('t', todos(count, doneCount)), 'I found **three** teapots.'),
]

const stored = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index === 0 ? 'session-1' : `s${index}`,
    scope: '',
    title: ['Teapots', 'A table for four', 'Where is my order?'][index] ?? `Conversation number ${index}`,
    createdAt: 1,
    updatedAt: Date.now() - index * 40_000_000,
    messages: index + 1,
  }))

/** Opens the list of conversations. */
async function openList(panel: PanelPage, count = 3): Promise<void> {
  await panel.page.evaluate((sessions) => {
    window.fake.stored = sessions as never
  }, stored(count))
  await showUsual(panel)
  await press(panel, '[part~="header-button"]')
  await sees(panel, count === 0 ? '.sessions p.muted' : '.session')
}

const markdown = `I looked through the **catalogue** and found three pots that fit:

| Teapot | Material | Price |
|:--|:--|--:|
| Hario Chacha Kyusu | Glass, stainless filter | € 24.90 |
| Kinto Leaves to Tea | Porcelain | € 46.00 |
| Tokoname Kyusu *(hand-made)* | Stoneware | € 118.00 |

## What I would take

1. The **Hario** one, because you asked for something that *survives the dishwasher*.
2. Otherwise the Kinto:
   - lid with a stop
   - 600 ml

#### Before you decide

- [x] Checked the stock
- [ ] Waiting for your decision on the coupon

> Delivery takes two days.

Read the [care instructions](https://shop.example.org/care?item=42), <https://example.org> or [your cart](/cart).

![A teapot](https://shop.example.org/teapot.png) raw <b>HTML</b> and \`inline code\`.

***`
const code = `\`\`\`ts
const order = await shop.add({ item: 'hario-chacha', count: 2, wrap: false, note: 'A very long line that scrolls' })
console.log(order.total) // 49.80
\`\`\``
const wideTable = `| Name | Description | Material | Volume | Origin | Price |
|--|--|--|--|--|--|
| Hario | A round pot of glass with a filter that you can take out to clean | Glass | 700 ml | Japan | 24.90 |
| Tokoname | Made by hand, each piece is a little different from the others | Stoneware | 320 ml | Tokoname | 118.00 |`
const arabic: Message[] = [
  user('u', 'ابحث لي عن إبريق شاي'),
  assistant(
    'a',
    'وجدت **ثلاثة** أباريق:\n\n1. إبريق *Hario* الزجاجي، 24.90 €\n2. إبريق Kinto\n\n| الاسم | السعر |\n|--|--|\n| Hario | 24.90 |\n\n```js\nconst x = 1\n```\n\nEnglish words stand in a line of their own.',
    call('c', 'form_fill', done('', { summary: 'تم ملء 6 من 7 حقول' })),
  ),
]
const read = (id: string, name = 'page_read') => call(id, name, done('text', { summary: 'Read the page' }))
const file = { type: 'text', name: 'notes.md', text: 'The user attached the file "notes.md":\n…' } as const
/** A picture of 96 × 64 pixels. */
const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAGAAAABAAQMAAADf+uBNAAAABlBMVEXe7OwAgIAq5QulAAAAeElEQVR42s2SsQ2AMAwEgygoGSGj' +
  'ZDQYjVEYgZIiygc3fr2UCAqKuPIVftn+D2HASoX9BBwOC3A5RCBzBODQBsDh6bFTjHKzwUllaq8GdwuiQW5BMiivYKv5ciPDx3v6' +
  'D+k/UX4tLog/4px6Km5LDiQhkh1J1W9VAS561om0Myj/AAAAAElFTkSuQmCC'

/** Attaches files by a drop onto the panel. */
const drop = (panel: PanelPage, files: readonly { name: string; type: string; text: string }[]) =>
  panel.element.evaluate((element, list) => {
    const data = new DataTransfer()
    for (const { name, type, text } of list) data.items.add(new File([text], name, { type }))
    const target = element.shadowRoot!.querySelector('textarea')!
    for (const event of ['dragenter', 'dragover', 'drop'])
      target.dispatchEvent(new DragEvent(event, { dataTransfer: data, bubbles: true, cancelable: true }))
  }, files)
const acceptFiles = async (panel: PanelPage) => {
  await panel.element.evaluate((element) => {
    element.setAttribute('attachments', 'image/*,text/*')
  })
  await sees(panel, '.attach')
}

/** Selects a text of the page, as a user does. */
const selectText = async (panel: PanelPage) => {
  await panel.page.evaluate(() => {
    getSelection()!.selectAllChildren(document.querySelector('main p')!)
  })
  await sees(panel, '.ask-selection')
}

/** The panel is closed while the agent works, answers or asks. */
const closedWith =
  (session: Partial<Session>, isOpenBefore = true) =>
  async (panel: PanelPage) => {
    await panel.show({ messages: [user('u', 'Hi')], status: 'running' })
    await panel.element.evaluate((element, isOpen) => {
      ;(element as typeof window.element).open = isOpen
    }, isOpenBefore)
    await panel.page.evaluate(() => {
      window.element.open = false
    })
    await sees(panel, '.launcher')
    await panel.show({ messages: [user('u', 'Hi')], status: 'running' })
    await panel.show(session)
    await sees(panel, '.launcher[data-report]')
  }

const lowWindow = { width: 320, height: 256 }
const zoomed = { width: 640, height: 380 }

/** Every state. */
export const states: readonly PanelState[] = [
  // Closed.
  { name: 'closed', isClosed: true, drive: (panel) => sees(panel, '.launcher') },
  {
    name: 'closed, an unread answer',
    isClosed: true,
    drive: closedWith({ messages: [user('u', 'Hi'), assistant('a', 'Hello')] }),
  },
  { name: 'closed, working', isClosed: true, drive: closedWith({ status: 'running', messages: [user('u', 'Hi')] }) },
  {
    name: 'closed, a question waits',
    isClosed: true,
    drive: closedWith({ status: 'awaiting-approval', messages: [user('u', 'Hi'), assistant('a', question('q'))] }),
  },
  // Without messages.
  { name: 'empty', drive: (panel) => sees(panel, '.greeting') },
  { name: 'empty, inline', layout: 'inline', drive: (panel) => sees(panel, '.greeting') },
  {
    name: 'greeting with icon, suggestions and disclaimer',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        const icon =
          'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"%3E%3Ccircle cx="4.5" cy="4.5" r="4" fill="teal"/%3E%3C/svg%3E'
        Object.assign(window.element, {
          greeting: 'What are you looking for today?',
          icon,
          suggestions: ['Find a teapot', 'Where is my order?', 'Which tea survives the dishwasher, and why?'],
          disclaimer: 'Answers may be wrong. Check what is important.',
        })
      })
      await sees(panel, '.suggestion')
    },
  },
  {
    name: 'loading a conversation',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.show(undefined)
      })
      await expect(panel.element.locator('.greeting')).toHaveCount(0)
    },
  },
  {
    name: 'typing',
    drive: async (panel) => {
      await panel.field.fill('Find a teapot that survives the dishwasher.\n\nIt should hold 600 ml.')
      await panel.field.focus()
    },
  },
  { name: 'typing a very long text', drive: (panel) => panel.field.fill('A long line of text. '.repeat(200)) },
  // Working.
  {
    name: 'working',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot for me')] })
      await sees(panel, '.working')
    },
  },
  {
    name: 'streaming',
    drive: async (panel) => {
      await panel.stream()
      await panel.emit({ type: 'text-delta', delta: ' teapot that **survives** the dish' })
      await sees(panel, '.stop')
    },
  },
  {
    name: 'reasoning',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      await panel.emit(
        { type: 'step-start', at, step: 0, id: 'm' },
        { type: 'reasoning-delta', delta: 'The user wants a teapot. I should look at the catalogue first.' },
      )
      await press(panel, '.aside > summary')
      await sees(panel, '.aside[open] .plain')
    },
  },
  {
    name: 'thoughts of an answer',
    drive: async (panel) => {
      await say(panel, { type: 'reasoning', text: 'The user wants a teapot. I should keep a list.' }, 'Here it is.')
      await press(panel, '.aside > summary')
      await sees(panel, '.aside[open] .plain')
    },
  },
  {
    name: 'queued messages',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot for me')] })
      await panel.page.evaluate(() => {
        window.fake.wait(
          { turn: 't1', text: 'And a cup' },
          { turn: 't2', text: 'Also look for a tray that is large enough for the pot and for the cup' },
        )
      })
      await sees(panel, '.queued')
    },
  },
  // Tools.
  {
    name: 'tool: arguments are written',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      await panel.emit(
        { type: 'step-start', at, step: 0, id: 'm' },
        { type: 'tool-input-start', id: 'c', name: 'find_products' },
        { type: 'tool-input-delta', id: 'c', delta: '{"query": "tea' },
      )
      await press(panel, '.call > summary')
      await sees(panel, '.call .body')
    },
  },
  {
    name: 'tool: running with progress',
    drive: async (panel) => {
      await panel.show({
        status: 'running',
        messages: [
          user('u', 'Find'),
          assistant('a', call('c', 'find_products', { title: 'Find products', ...running })),
        ],
      })
      await panel.emit({ type: 'tool-progress', callId: 'c', value: { fraction: 0.4, message: 'Page 2 of 5' } })
      await sees(panel, '.progress')
    },
  },
  {
    name: 'tool: done, opened with details',
    drive: async (panel) => {
      await say(
        panel,
        call('c', 'find_products', {
          title: 'Find products',
          call: { id: 'c', name: 'find_products', input: { query: 'teapot', max: '3' } },
          ...done([{ id: 'hario', price: 24.9 }], { input: { query: 'teapot', max: 3 }, attempts: 2 }),
        }),
      )
      await press(panel, '.call > summary')
      await sees(panel, '.technical')
      if (!(await panel.element.locator('.technical[open]').isVisible())) await press(panel, '.technical > summary')
      await sees(panel, '.technical section')
    },
  },
  {
    name: 'tool: every end',
    drive: (panel) =>
      say(
        panel,
        call('1', 'form_fill', done('', { summary: 'Filled 6 of 7 fields' })),
        call('2', 'find', done('x')),
        call('3', 'stock_level', failed('execution-failed', 'The warehouse answered 503')),
        call('4', 'delivery_time', failed('timeout', 'No answer after 15 s.')),
        call('5', 'send_newsletter', failed('denied', 'The user denied this: not now')),
        call('6', 'page_navigate', failed('cancelled', 'Stopped by the user')),
        call('7', 'price_history', failed('interrupted', 'The page was left while this ran')),
        call('8', 'delete_account', failed('refused', 'The page refuses this')),
        call('9', 'find', failed('superseded', 'A new message')),
      ).then(() => sees(panel, '[data-state=superseded], [data-state=refused]')),
  },
  {
    name: 'tool: failed, opened',
    drive: async (panel) => {
      await say(panel, call('c', 'stock_level', failed('execution-failed', 'The warehouse answered 503')))
      await press(panel, '.call > summary')
      await press(panel, '.technical > summary')
      await sees(panel, '.body .problem')
    },
  },
  {
    name: 'tool: a shortened result',
    drive: async (panel) => {
      await say(panel, call('c', 'page_fetch', done('x'.repeat(400), { cut: { chars: 182_000 } })))
      await press(panel, '.call > summary')
      await press(panel, '.technical > summary')
      await sees(panel, '.call .body button')
    },
  },
  {
    name: 'tool: drawn by the page',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.registerToolRenderer('find', () => 'Three teapots, drawn by the page')
      })
      await say(panel, call('c', 'find', done('x')))
      await sees(panel, '.call .body')
    },
  },
  {
    name: 'tool: reads in a row',
    drive: async (panel) => {
      await say(panel, 'I look.', read('1'), read('2', 'dom_query'), read('3'), 'There.')
      await sees(panel, '.looks')
    },
  },
  {
    name: 'tool: reads in a row, opened',
    drive: async (panel) => {
      await say(panel, 'I look.', read('1'), read('2', 'dom_query'), read('3'), 'There.')
      await press(panel, '.looks > summary')
      await sees(panel, '.looks .call')
    },
  },
  {
    name: 'tool: a filled form with undo',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.set({ undoable: { can: 'undo', lines: [{ callId: 'c', can: 'undo' }] } })
      })
      const endedAt = Date.now()
      await say(
        panel,
        call('c', 'form_fill', done('', { summary: 'Filled 6 of 7 fields', startedAt: endedAt, endedAt })),
      )
      await sees(panel, 'button.undo')
    },
  },
  {
    name: 'receipt: several changes, one undone, one failed',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        const lines = ['c', 'd'].map((callId) => ({ callId, can: callId === 'c' ? 'redo' : 'undo' }))
        window.fake.set({ undoable: { can: 'undo', lines } as never })
      })
      await say(
        panel,
        'First the size.',
        call('c', 'change_size', done('', { summary: 'Changed the size', change: { before: 'M', after: 'L' } })),
        call('d', 'form_fill', done([{ field: 'Day', now: '2026-12-04', ok: true }], { summary: 'Filled 1 field' })),
        call('e', 'stock_level', failed('timeout', 'No answer')),
        call('f', 'form_submit', done({ submitted: true }, { summary: 'Sent the form', effect: 'send' })),
        'Done.',
      )
      await sees(panel, 'button.one')
    },
  },
  {
    name: 'tool: agents inside calls, opened',
    drive: async (panel) => {
      await panel.show(agentSession())
      await sees(panel, '.approval .raw')
      await sees(panel, '.child')
      const closed = panel.element.locator('.child .call:not([open]) > summary')
      for (let count = await closed.count(); count > 0; count--) await closed.first().click()
      await sees(panel, '.child .call .body')
    },
  },
  // Questions.
  { name: 'question: just asked', drive: (panel) => ask(panel) },
  { name: 'question: ready', drive: (panel) => ask(panel).then(() => isReady(panel)) },
  {
    name: 'question: no arguments',
    drive: (panel) => ask(panel, { name: 'log_out', title: 'Log out', input: {}, schema: { type: 'object' } }),
  },
  {
    name: 'question: changing the arguments',
    drive: async (panel) => {
      await ask(panel)
      await isReady(panel)
      await press(panel, '.change')
      await sees(panel, '.form input')
    },
  },
  {
    name: 'question: a wrong change',
    drive: async (panel) => {
      await ask(panel)
      await isReady(panel)
      await press(panel, '.change')
      await panel.element.locator('.form .edit').last().fill('{ not JSON')
      await sees(panel, '.form .problem')
    },
  },
  {
    name: 'question: changed by the user',
    drive: async (panel) => {
      await ask(panel)
      await isReady(panel)
      await press(panel, '.change')
      await panel.element.locator('.form input').first().fill('Grace')
      await press(panel, '.change')
      await sees(panel, '.edited')
    },
  },
  {
    name: 'question: destructive and long',
    drive: async (panel) => {
      const items = Array.from({ length: 40 }, (_, index) => `Order ${1000 + index}`)
      await ask(panel, {
        name: 'delete_account',
        title: 'Delete the account for good',
        input: { account: 'ada@example.org', orders: items, confirm: true },
        annotations: { destructiveHint: true },
        schema: { type: 'object' },
      })
      await sees(panel, '.below')
    },
  },
  {
    name: 'question: unread when allowed',
    drive: async (panel) => {
      await ask(panel, {
        title: 'Delete the account for good',
        input: { orders: Array.from({ length: 40 }, (_, index) => `Order ${1000 + index}`) },
        annotations: { destructiveHint: true },
      })
      await expect(async () => {
        await panel.element.locator('.approve').click({ force: true })
        await expect(panel.element.locator('.approval .problem')).toBeVisible({ timeout: 200 })
      }).toPass()
    },
  },
  {
    name: 'question: another site',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'Offer' },
        preview: { does: 'click', target: 'link "Offer"', site: 'https://xn--pple-43d.example:8443', opens: 'tab' },
      }),
  },
  {
    name: 'question: a form is sent',
    drive: (panel) =>
      ask(panel, {
        name: 'form_submit',
        title: 'Send the form',
        input: {},
        preview: {
          does: 'submit',
          target: 'button "Pay € 49.80"',
          url: '/pay',
          method: 'POST',
          values: [
            { field: 'Name', value: 'Ada Lovelace' },
            { field: 'I accept the terms', value: true },
            { field: 'Card number', value: 'filled', private: true },
          ],
          more: 2,
        },
      }),
  },
  {
    name: 'question: a button whose effect is not known',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'e12' },
        preview: {
          effect: 'unknown',
          does: 'click',
          target: 'button "Archive"',
          in: 'Slack',
          task: { covers: 'unknown' },
        },
        offers: ['task'],
      }),
  },
  {
    name: 'question: a button that deletes',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'e12' },
        preview: { effect: 'destroy', does: 'click', target: 'button "Revoke access"', in: 'Slack', loses: true },
        offers: [],
      }),
  },
  {
    name: 'question: what was filled in elsewhere',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'e12' },
        preview: {
          effect: 'destroy',
          does: 'click',
          target: 'button "Transfer now"',
          heading: 'Transfer money',
          values: [
            { field: 'From', value: 'Main account' },
            { field: 'Reference', value: '' },
            { field: 'Copy to', value: '' },
          ],
          filled: [
            { field: 'To', value: 'Ada Lovelace', group: 'Recipient' },
            { field: 'Amount', value: '49.80', group: 'Recipient' },
            { field: 'Message', value: 'Thank you for the tea. '.repeat(30), group: 'Letter' },
          ],
        },
        offers: [],
      }),
  },
  {
    name: 'question: what the page changed meanwhile',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'e12' },
        preview: {
          effect: 'destroy',
          does: 'click',
          target: 'button "⚙"',
          heading: 'Invoice 9999',
          changes: [
            { what: 'around', before: 'Invoice 1041 90 €', now: 'Invoice 9999 9000 €' },
            { what: 'value', field: 'To', before: 'Ada Lovelace', now: 'Mallory' },
            { what: 'hidden' },
          ],
          values: [
            { field: 'To', value: 'Mallory' },
            { field: 'Amount', value: '9000' },
          ],
        },
        offers: [],
      }),
  },
  {
    name: 'question: a request that was stopped',
    drive: (panel) =>
      ask(panel, {
        name: 'page_click',
        title: 'Click on the page',
        input: { target: 'e12' },
        preview: {
          effect: 'send',
          does: 'click',
          target: 'button "Archive"',
          in: 'Slack',
          stopped: [{ effect: 'send', does: 'request', method: 'POST', url: '/graphql', operation: 'archiveItem' }],
          values: [{ field: 'Note', value: 'Hello '.repeat(500) }],
          task: { covers: 'send', method: 'POST', url: '/graphql', control: 'button "Archive"' },
        },
        offers: ['task'],
      }),
  },
  {
    name: 'allowed until the task is done',
    drive: async (panel) => {
      await panel.show({
        status: 'running',
        messages: [user('u', 'Archive the old ones'), assistant('a', 'I am working on it.')],
        turn: {
          id: 't',
          step: 1,
          startedAt: 1,
          counted: 0,
          taskGrants: [{ at: 1, page: 'https://shop.example/', scope: { covers: 'unknown' } }],
        } as never,
      })
      await press(panel, '.trust')
      await sees(panel, '.grant')
    },
  },
  {
    name: 'what the assistant can do',
    drive: async (panel) => {
      await showUsual(panel)
      await registerTools(panel)
      await press(panel, '.trust')
      await sees(panel, '.glass dd')
    },
  },
  {
    name: 'the newest request as text',
    drive: async (panel) => {
      await showUsual(panel)
      await registerTools(panel)
      await press(panel, '.trust')
      await press(panel, '.see')
      await sees(panel, '.request')
    },
  },
  {
    name: 'the page as the assistant reads it',
    drive: async (panel) => {
      await showUsual(panel)
      await registerTools(panel)
      await press(panel, '.trust')
      await panel.element.locator('.show:not([aria-disabled=true])').click()
      await expect(panel.element.locator('.glass-bar')).toBeAttached()
    },
  },
  {
    name: 'question: a tool of the page',
    drive: (panel) =>
      ask(panel, { input: { code: 'TEA10' }, preview: { claim: 'Books a table and sends a confirmation by mail.' } }),
  },
  {
    name: 'question: one of several',
    drive: async (panel) => {
      await panel.show({
        status: 'awaiting-approval',
        messages: [user('u', 'Go'), assistant('a', question('q1'), question('q2'), question('q3'))],
      })
      await isReady(panel)
    },
  },
  {
    name: 'question: with a reason',
    drive: async (panel) => {
      await ask(panel, { input: { code: 'TEA10' } })
      await press(panel, '.reason-toggle')
      await panel.element.locator('.reason').fill('Not today')
    },
  },
  {
    name: 'question: ways to allow',
    drive: async (panel) => {
      await ask(panel, { input: { code: 'TEA10' } })
      await isReady(panel)
      await press(panel, '.approve-menu')
      await sees(panel, '.menu')
    },
  },
  {
    name: 'question: details',
    drive: async (panel) => {
      await ask(panel, { input: { code: 'TEA10' } })
      await press(panel, '.raw > summary')
      await sees(panel, '.raw pre')
    },
  },
  {
    name: 'question: above a dialog of the page',
    drive: async (panel) => {
      await ask(panel, { input: { code: 'TEA10' } })
      await panel.page.evaluate(() => {
        const dialog = document.createElement('dialog')
        dialog.setAttribute('aria-label', 'Of the page')
        dialog.innerHTML = '<p>A dialog of the page</p><button>Close</button>'
        document.body.append(dialog)
        dialog.showModal()
      })
      await sees(panel, '.approvals:modal')
    },
  },
  {
    name: 'question: at 200 % zoom',
    window: zoomed,
    drive: (panel) => ask(panel),
  },
  {
    name: 'question: at 400 % zoom',
    window: lowWindow,
    drive: (panel) => ask(panel),
  },
  // Tasks.
  {
    name: 'tasks',
    drive: (panel) =>
      panel.show({ status: 'running', messages: withTasks(3, 1) }).then(() => sees(panel, '.receipt .spinner')),
  },
  {
    name: 'tasks: twenty, opened',
    drive: async (panel) => {
      await showUsual(panel, { messages: withTasks(20, 6) })
      await press(panel, '.folded > summary')
    },
  },
  { name: 'tasks: all done', drive: (panel) => showUsual(panel, { messages: withTasks(3, 3) }) },
  // Ends of turns, errors and notices.
  { name: 'end: stopped', drive: ended('stopped') },
  { name: 'end: paused after many steps', drive: ended('max-steps') },
  { name: 'end: blocked', drive: ended('content-filter') },
  { name: 'end: reached the maximum length', drive: ended('length') },
  { name: 'end: failed', drive: ended('error', { code: 'server', message: 'Status 503 from the endpoint' }) },
  { name: 'end: cut', drive: ended('error', { code: 'stream-cut', message: 'The stream ended early' }) },
  {
    name: 'end: interrupted',
    drive: async (panel) => {
      await panel.show({ status: 'interrupted', messages: [user('u', 'Hi'), assistant('a', 'Hello')] })
      await sees(panel, '.notice')
    },
  },
  {
    name: 'error: network, with details',
    drive: async (panel) => {
      // Only the author of the page sees them.
      await panel.page.evaluate(() => window.fake.configure({ ...window.fake.options, debug: true }))
      await reported('network', 'Failed to fetch https://api.example.org/v1/chat')(panel)
      await press(panel, '.detail > summary')
    },
  },
  { name: 'error: rate limit', drive: reported('rate-limited', 'Status 429') },
  { name: 'error: sign-in', drive: reported('unauthorized', 'Status 401') },
  { name: 'error: storage', drive: reported('storage', 'QuotaExceededError') },
  { name: 'error: conversation too long', drive: reported('context-overflow', '200000 tokens') },
  { name: 'error: file too large', drive: reported('request-too-large', 'Status 413') },
  { name: 'error: conversation deleted', drive: reported('session-deleted', 'Deleted in another tab') },
  { name: 'error: worker lost', drive: reported('host-lost', 'The worker does not answer') },
  { name: 'error: no endpoint', drive: reported('no-endpoint', 'Set the attribute endpoint') },
  {
    name: 'error: a wrong option',
    drive: async (panel) => {
      await panel.element.evaluate((element) => {
        element.setAttribute('suggestions', 'not JSON')
      })
      await sees(panel, '.notice p')
    },
  },
  {
    name: 'retry countdown',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      const error = { code: 'server', message: 'Status 503' } as const
      await panel.emit({ type: 'step-retry', step: 0, attempt: 2, delay: 18_000, error })
      await sees(panel, '[role=timer]')
    },
  },
  {
    name: 'offline',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      const error = { code: 'offline', message: 'No network' } as const
      await panel.emit({ type: 'step-retry', step: 0, attempt: 1, delay: 0, error })
      await sees(panel, '[role=timer]')
    },
  },
  {
    name: 'another model answers',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      const details = { model: 'big-model', fallback: 'small-model' }
      const error = { code: 'rate-limited', message: 'Status 429', details } as const
      await panel.emit({ type: 'step-retry', step: 0, attempt: 3, delay: 0, error })
      await sees(panel, '[role=timer]')
    },
  },
  {
    name: 'download of the built-in model',
    drive: async (panel) => {
      await panel.show({ status: 'running', messages: [user('u', 'Find a teapot')] })
      await panel.emit({ type: 'tool-progress', callId: 'model-download', value: 0.4 })
      await sees(panel, '.download progress')
    },
  },
  {
    name: 'mirror of another tab',
    drive: async (panel) => {
      await showUsual(panel)
      await panel.page.evaluate(() => {
        window.fake.set({ role: 'mirror' })
      })
      await sees(panel, '.notice button')
    },
  },
  {
    name: 'not saved',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.set({ storage: 'memory' })
      })
      await showUsual(panel)
      await sees(panel, '.badge')
    },
  },
  // Conversations.
  { name: 'conversations', drive: (panel) => openList(panel) },
  { name: 'conversations: none', drive: (panel) => openList(panel, 0) },
  {
    name: 'conversations: search',
    drive: async (panel) => {
      await openList(panel, 12)
      await panel.element.locator('.find input').fill('number 1')
    },
  },
  {
    name: 'conversations: nothing found',
    drive: async (panel) => {
      await openList(panel, 12)
      await panel.element.locator('.find input').fill('zzz')
      await sees(panel, '.none')
    },
  },
  {
    name: 'conversations: options of one',
    drive: async (panel) => {
      await openList(panel)
      await press(panel, '.options')
      await sees(panel, '.tools')
    },
  },
  {
    name: 'conversations: renaming',
    drive: async (panel) => {
      await openList(panel)
      await press(panel, '.options')
      await press(panel, '.tools button')
      await sees(panel, 'form input')
    },
  },
  {
    name: 'conversations: deleted, with undo',
    drive: async (panel) => {
      await openList(panel)
      await panel.element.locator('.options').nth(1).click()
      await press(panel, '.tools :last-child')
      await sees(panel, '.undone')
    },
  },
  // Files and selected text.
  {
    name: 'attachments',
    drive: async (panel) => {
      await acceptFiles(panel)
      await drop(panel, [
        { name: 'notes.md', type: 'text/markdown', text: '# Tea' },
        { name: 'a very long name of a file that does not fit into the panel.csv', type: 'text/csv', text: 'a,b' },
      ])
      await expect(panel.element.locator('.attachments li')).toHaveCount(2)
    },
  },
  {
    name: 'attachments: a problem',
    drive: async (panel) => {
      await acceptFiles(panel)
      await drop(panel, [{ name: 'tool.exe', type: 'application/x-msdownload', text: 'MZ' }])
      await sees(panel, '.attachments .problem')
    },
  },
  {
    name: 'attachments: in a message',
    drive: async (panel) => {
      const parts = [
        { type: 'text', text: 'Compare them' },
        { type: 'file', mediaType: 'image/png', data: picture, name: 'teapot.png' },
        file,
      ]
      await panel.show({ messages: [{ id: 'u', role: 'user', at, parts } as Message, assistant('a', 'I see them.')] })
      await sees(panel, '.file .line')
    },
  },
  {
    name: 'selection: the offer',
    drive: async (panel) => {
      await showUsual(panel)
      await selectText(panel)
    },
  },
  {
    name: 'selection: a quote',
    drive: async (panel) => {
      await showUsual(panel)
      await selectText(panel)
      await press(panel, '.ask-selection')
      await panel.field.fill('What does this mean?')
      await sees(panel, '.selection q')
    },
  },
  {
    name: 'selection: in a message',
    drive: async (panel) => {
      const parts = [
        { type: 'text', text: 'What does this mean?' },
        {
          type: 'text',
          name: '“With text of its own, and more of it than fits into one line of the panel …”',
          text: '…',
        },
      ]
      await panel.show({ messages: [{ id: 'u', role: 'user', at, parts } as Message, assistant('a', 'It is a text.')] })
      await sees(panel, '.file .line')
    },
  },
  // Messages.
  {
    name: 'answer: headings, lists, table, links, image',
    drive: (panel) => say(panel, markdown).then(() => sees(panel, 'table')),
  },
  {
    name: 'answer: code',
    drive: (panel) => say(panel, `Here:\n\n${code}\n\nThat is it.`).then(() => sees(panel, '.code')),
  },
  { name: 'answer: a wide table', drive: (panel) => say(panel, wideTable).then(() => sees(panel, 'table')) },
  {
    name: 'answer: buttons and usage',
    drive: async (panel) => {
      const usage = { inputTokens: 1200, outputTokens: 34 }
      await panel.page.evaluate(() => {
        window.element.feedback = true
        window.element.followUps = ['Show me the cheaper one', 'Add it to the cart']
      })
      await panel.show({
        messages: [user('u', 'Find a teapot'), { ...assistant('a', 'Take the Hario.'), at, usage } as AssistantMessage],
      })
      await sees(panel, '.follow-ups button')
      await press(panel, '.actions >> nth=-1 >> button >> nth=-1')
    },
  },
  {
    name: 'message: editing',
    drive: async (panel) => {
      await showUsual(panel)
      await panel.element.locator('.user').last().hover()
      await panel.element.locator('.user + tool-agent-message-actions button').last().click()
      await sees(panel, '.edit-form textarea')
    },
  },
  {
    name: 'message: an earlier version',
    drive: async (panel) => {
      const replaced = { ...assistant('a', 'An old answer'), replaced: true } as AssistantMessage
      await panel.show({ messages: [user('u', 'Find a teapot'), replaced, assistant('b', 'A new answer')] })
      await press(panel, '.aside > summary')
    },
  },
  {
    name: 'message: a summary',
    drive: async (panel) => {
      const summary = { id: 's', role: 'summary', text: 'The user wants a teapot.', upTo: 2, at } as Message
      await panel.show({ messages: [summary, user('u', 'Find a teapot'), assistant('a', 'Take **this** one.')] })
      await sees(panel, 'strong')
    },
  },
  {
    name: 'message: long, of both sides',
    drive: async (panel) => {
      const text = 'A long sentence that has many words and goes on for several lines of the panel. '
      await panel.show({ messages: [user('u', text.repeat(8)), assistant('a', text.repeat(20), 'x'.repeat(300))] })
      await sees(panel, '.text')
    },
  },
  {
    name: 'message: right to left',
    drive: async (panel) => {
      await panel.show({ messages: arabic })
      await sees(panel, 'table')
    },
  },
  {
    name: 'long conversation, scrolled up',
    drive: async (panel) => {
      const messages = Array.from({ length: 60 }, (_, index) => [
        user(`u${index}`, `Question ${index}`),
        assistant(`a${index}`, `Answer **${index}**. `.repeat(6)),
      ]).flat()
      await panel.show({ start: 40, messages })
      await sees(panel, '.message.assistant strong >> nth=-1')
      const log = panel.element.locator('.log')
      await log.hover()
      await panel.page.mouse.wheel(0, -600)
      await panel.show({ start: 40, messages: [...messages, assistant('new', 'A new one')] })
      await sees(panel, '.latest')
    },
  },
  // Places.
  { name: 'conversation, inline', layout: 'inline', drive: (panel) => showUsual(panel, { messages: withTasks(3, 1) }) },
  { name: 'conversation, sidebar', layout: 'sidebar', drive: (panel) => showUsual(panel) },
  { name: 'question, sidebar', layout: 'sidebar', drive: (panel) => ask(panel) },
  {
    name: 'everything at once, inline',
    layout: 'inline',
    drive: async (panel) => {
      await panel.page.evaluate(() => {
        window.fake.show(window.richSession())
      })
      await sees(panel, '.approval .raw')
    },
  },
  // The developer's view.
  ...['Events', 'Model calls', 'Tools', 'Session'].map((tab): PanelState => ({
    name: `inspector: ${tab.toLowerCase()}`,
    page: 'inspector',
    drive: async ({ page }) => {
      await page.evaluate(() => {
        const element = Object.assign(document.createElement('div'), { id: 'assistant', agent: window.fake })
        document.body.append(element)
      })
      const inspector = page.locator('tool-agent-inspector')
      await expect(inspector.getByRole('tab').first()).toBeVisible()
      await page.evaluate(() => {
        for (const event of window.turnEvents()) window.fake.emit(event)
      })
      await inspector.getByRole('tab').nth(['Events', 'Model calls', 'Tools', 'Session'].indexOf(tab)).click()
    },
  })),
]
