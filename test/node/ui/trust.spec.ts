// The line below the field and the rows that it opens to say what holds, and the newest request is written as it was sent.
import { expect, test } from 'playwright/test'
import { buildRequest } from '../../../src/core/prompt/request.js'
import type { Message } from '../../../src/core/data/message.js'
import { emptySession, type Session } from '../../../src/core/data/session.js'
import type { RegisteredTool } from '../../../src/page/agent.js'
import { formFill } from '../../../src/page-tools/definitions/filling.js'
import { pageRead } from '../../../src/page-tools/definitions/reading.js'
import { lastRequest } from '../../../src/ui/glass/request-text.js'
import { rightsNow, type RightsNow } from '../../../src/ui/glass/rights.js'
import { words } from '../../../src/ui/i18n/en.js'
import { glassWords } from '../../../src/ui/i18n/glass.js'
import { trustText, type Trust } from '../../../src/ui/panel/trust-line.js'

const line = (trust: Partial<Trust>) =>
  trustText({ names: [], approval: 'hints', hidden: undefined, isGranted: false, isOff: false, ...trust }, words)

const lines: readonly [title: string, trust: Partial<Trust>, text: string][] = [
  ['nothing registered', {}, ''],
  ['nothing registered, and private fields', { hidden: 3 }, ''],
  ['reading', { names: ['page_read', 'dom_query'] }, 'Reads · changes nothing'],
  ['reading beside an action', { names: ['page_read', 'pay'] }, 'Reads · 1 action of this page'],
  [
    'reading, always asked',
    { names: ['page_read'], approval: 'always' },
    'Reads · asks before everything · changes nothing',
  ],
  [
    'reading and filling',
    { names: ['page_read', 'form_fill'], hidden: 1 },
    'Reads and fills · asks before it sends · 1 field hidden',
  ],
  [
    'all, without questions',
    { names: ['page_read', 'form_fill', 'page_click'], approval: 'off', hidden: 12 },
    'Reads, fills, and presses · asks only before other sites · 12 fields hidden',
  ],
  ['only pressing', { names: ['page_click', 'form_submit'] }, 'Presses · asks before it sends'],
  ['actions of the page', { names: ['find', 'pay'] }, '2 actions of this page'],
  ['more is allowed', { names: ['form_fill'], isGranted: true }, 'Fills · asks before it sends · you allowed more'],
  ['off', { names: ['page_read'], isOff: true, hidden: 2 }, ''],
  ['off, and more is allowed', { names: ['page_read'], isOff: true, isGranted: true }, 'You allowed more'],
]
for (const [title, trust, text] of lines)
  test(`the line: ${title}`, () => {
    // No row of it begins with a dot.
    expect(line(trust)).toBe(text.replaceAll(' ·', '\u{a0}·'))
  })

const tool = (name: string, rest: object = {}, annotations: object = {}): RegisteredTool =>
  ({ name, title: name, annotations, tool: { name, ...rest } }) as unknown as RegisteredTool
const pageTools = [tool(pageRead.name, pageRead), tool(formFill.name, formFill), tool('page_click')]
/** What the rows say, without the marks around names. */
const rows = (now: Partial<RightsNow>): Record<string, string> =>
  Object.fromEntries(
    rightsNow({
      words: glassWords,
      language: 'en',
      base: 'https://shop.example/',
      tools: [],
      options: {},
      look: undefined,
      isGranted: false,
      titleOf: ({ title }) => title,
      ...now,
    }).map(({ label, value }) => [label, value.replaceAll(/[\u2068\u2069]/g, '')]),
  )

test('the rows say what is read, filled, pressed and sent', () => {
  const { no } = glassWords
  expect(rows({ tools: [tool('find')] })).toEqual({
    Sees: 'title and address of this page',
    'Never sees': 'everything else on this page',
    'Fills in fields': no,
    'Presses buttons': no,
    'Sends, pays, deletes': no,
    'Other actions': 'find',
  })
  expect(rows({ tools: pageTools, look: { read: 3, hidden: ['Card', 'CVC', 'CVC'], closed: 2 } })).toMatchObject({
    'Never sees': 'Card, CVC, 2 closed parts',
    'Fills in fields': 'without asking, and you can undo it',
    'Presses buttons': 'asks unless it is harmless',
    'Sends, pays, deletes': 'asks first',
  })
  expect(rows({ tools: pageTools, isGranted: true })['Sends, pays, deletes']).toMatch(/except for what you allowed/)
  expect(rows({ tools: pageTools, options: { approval: 'always' } })).toMatchObject({
    'Fills in fields': 'asks each time',
    'Presses buttons': 'asks each time',
  })
  expect(rows({ tools: pageTools, options: { approval: 'off' } })).toMatchObject({
    'Presses buttons': 'without asking',
    'Sends, pays, deletes': 'asks only before it goes to another site',
  })
  expect(rows({ options: { pageContext: 'x' } })['Sees']).toContain('what the page adds to your message')
})

test('an action of the page is said to ask where the rules of questions ask', () => {
  const asking = (one: RegisteredTool, approval: 'hints' | 'always' | 'off' = 'hints'): boolean =>
    rows({ tools: [one], options: { approval } })['Other actions'] !== one.name
  expect(asking(tool('a'))).toBe(false)
  expect(asking(tool('a'), 'always')).toBe(true)
  expect(asking(tool('a', { needsApproval: true }), 'off')).toBe(true)
  expect(asking(tool('a', { needsApproval: () => false }))).toBe(true)
  expect(asking(tool('a', { needsApproval: false }), 'always')).toBe(false)
  expect(asking(tool('a', { needsApproval: false }, { consequentialHint: true }))).toBe(true)
  expect(asking(tool('a', { question: () => 'x' }))).toBe(true)
  expect(asking(tool('a', {}, { destructiveHint: true }))).toBe(true)
  expect(asking(tool('a', {}, { destructiveHint: true }), 'off')).toBe(false)
})

test('what text goes to: a model of the browser, of the page, or none', () => {
  expect(rows({ options: { provider: 'browser' } })['Your text goes to']).toBe(glassWords.browser)
  expect(rows({ options: { modelAdapter: {} as never } })['Your text goes to']).toBe(glassWords.pageModel)
  expect(rows({ options: { endpoint: 'https://llm.example/v1', model: ['a', 'b'] } })['Your text goes to']).toBe(
    'a, b at llm.example',
  )
  expect(rows({})).not.toHaveProperty('Your text goes to')
})

const at = 1
const user = (id: string, text: string): Message => ({
  id,
  role: 'user',
  at,
  parts: [{ type: 'text', text }],
  facts: [{ name: 'Page title', text: 'Shop', untrusted: true }],
})
const reads = (id: string): Message => ({
  id,
  role: 'assistant',
  at,
  parts: [
    {
      type: 'tool-call',
      call: { id: `c${id}`, name: 'page_read', input: {} },
      result: { output: 'x', modelOutput: `outline ${id}: [private]`, endedAt: at, attempts: 1 },
    },
  ],
})
const says = (id: string, text: string): Message => ({ id, role: 'assistant', at, parts: [{ type: 'text', text }] })
const texts = {
  you: 'You',
  assistant: 'Assistant',
  notLoaded: (count: number) => `(${count})`,
  resultOf: (title: string) => `Result: ${title}`,
  titleOf: (name: string) => name,
}
/** All texts that a request for this session would have. */
const sentTexts = (session: Session): string[] => {
  const settings = { model: '', instructions: '', tools: [], toolChoice: 'auto', reminder: false } as const
  return buildRequest(session, settings).messages.flatMap((message) =>
    message.role === 'tool'
      ? message.content.map(({ output }) => String(output.value))
      : message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
  )
}

const sessions: readonly [title: string, messages: Message[], sent: number][] = [
  ['one answer', [user('u', 'Hi'), says('a', 'Hello')], 1],
  ['an answer after a reading', [user('u', 'Hi'), reads('r'), says('a', 'Hello')], 2],
  ['a request without an answer', [user('u', 'Hi'), reads('r'), says('a', 'Hello'), user('v', 'More')], 4],
  ['a call that is the newest answer', [user('u', 'Hi'), says('a', 'Hello'), user('v', 'More'), reads('r')], 3],
]
for (const [title, messages, sent] of sessions)
  test(`the newest request as text: ${title}`, () => {
    const session: Session = { ...emptySession('s', '', 1), messages }
    const { earlier, newest } = lastRequest(session, texts)!
    const whole = `${earlier}\n${newest}`
    const wanted = sentTexts({ ...session, messages: messages.slice(0, sent) })
    for (const text of wanted) if (text !== 'Continue where you stopped.') expect(whole).toContain(text)
    if (sent < messages.length) expect(whole).not.toContain(messages[sent]!.id === 'a' ? 'Hello' : 'outline')
    expect(newest).toMatch(/^You:\n/)
  })

test('no request is shown before a message, and what is not loaded is counted', () => {
  expect(lastRequest(emptySession('s', '', 1), texts)).toBeUndefined()
  const session: Session = { ...emptySession('s', '', 1), start: 4, messages: [user('u', 'Hi'), says('a', 'Hello')] }
  expect(lastRequest(session, texts)?.earlier).toBe('(4)')
})
