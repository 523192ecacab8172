// The question about an action on the page, in words: what will happen, to what, and what the user must know before.
import { expect, test } from 'playwright/test'
import type { ErrorCode, Failure } from '../../../src/core/data/errors.js'
import type { ToolCallPart, ToolResult } from '../../../src/core/data/message.js'
import { doneByUser } from '../../../src/core/prompt/failure-text.js'
import type { Preview } from '../../../src/core/data/action.js'
import type { RenderState } from '../../../src/ui/panel/render-context.js'
import { words } from '../../../src/ui/i18n/en.js'
import { words as arabic } from '../../../src/ui/i18n/languages/ar.js'
import { words as german } from '../../../src/ui/i18n/languages/de.js'
import { words as spanish } from '../../../src/ui/i18n/languages/es.js'
import { words as french } from '../../../src/ui/i18n/languages/fr.js'
import { words as japanese } from '../../../src/ui/i18n/languages/ja.js'
import { words as chinese } from '../../../src/ui/i18n/languages/zh.js'
import { dropUndefined } from '../../../src/core/data/json.js'
import { actionQuestion, titleAndLine } from '../../../src/ui/message/action-words.js'
import { targetInOlder } from '../../../src/ui/message/older-questions.js'

const asking = (preview: Preview): ToolCallPart => ({
  type: 'tool-call',
  call: { id: 'c', name: 'page_click', input: { target: 'e12' } },
  approval: { hash: 'h', title: 'Click on the page', input: { target: 'e12' }, at: 1, preview },
})

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
}

for (const [preview, title, verb, warning] of [
  [archive, 'Press “Archive” in “Slack”?', 'Press'],
  [
    { effect: 'unknown', does: 'click', target: 'button ""', in: 'Slack' },
    'Press a button without a name in “Slack”?',
    'Press',
  ],
  [{ effect: 'unknown', does: 'click', target: 'button "⚙"', heading: 'Letters' }, 'Press “⚙” in “Letters”?', 'Press'],
  // Of an older build.
  [
    { effect: 'destroy', does: 'click', target: 'button "256"' },
    'Press a button without a name (“256”)?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [{ effect: 'unknown', does: 'press', target: 'Escape on dialog "Help"' }, 'Press the key Escape in “Help”?', 'Press'],
  [{ effect: 'unknown', does: 'press', target: 'Control+K on the page' }, 'Press the key Control+K?', 'Press'],
  [{ effect: 'unknown', does: 'drag', target: 'listitem "Tea"', to: 'region "Done"' }, 'Drag “Tea” to “Done”?', 'Drag'],
  [{ effect: 'unknown', does: 'drag', target: 'img "Tea"' }, 'Move “Tea”?', 'Drag'],
  [
    {
      effect: 'send',
      does: 'drag',
      target: 'listitem "Fix login"',
      in: 'To do',
      to: 'listitem "Tea" in region "Done"',
      held: true,
      stopped: [{ effect: 'send', does: 'request', method: 'POST', url: '/api/cards/7' }],
    },
    'Drag “Fix login” in “To do” to “Tea” in “Done”?',
    'Drag',
    'Nothing has been sent yet. The page waits for your answer.',
  ],
  [
    {
      effect: 'destroy',
      does: 'drag',
      target: 'listitem "Fix login"',
      to: 'region "Bin"',
      stopped: [{ effect: 'destroy', does: 'request', method: 'DELETE', url: '/api/cards/7' }],
    },
    'Drag “Fix login” to “Bin”?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    { effect: 'unknown', does: 'click', target: 'span "Reply" in clickable "Reply Forward"' },
    'Press “Reply” in “Reply Forward”?',
    'Press',
  ],
  [{ effect: 'unknown', does: 'click', target: 'button "Say \\"hi\\""' }, 'Press “Say "hi"”?', 'Press'],
  [{ ...archive, how: 'double' }, 'Double-click “Archive” in “Slack”?', 'Double-click'],
  [{ ...archive, how: 'hold' }, 'Long press “Archive” in “Slack”?', 'Long press'],
  [{ ...archive, how: 'right' }, 'Open the menu of “Archive” in “Slack”?', 'Open'],
  [{ ...archive, how: 'middle' }, 'Middle-click “Archive” in “Slack”?', 'Middle-click'],
  [{ ...archive, how: 'hover' }, 'Move the mouse over “Archive” in “Slack”?', 'Move'],
  [
    { effect: 'destroy', does: 'click', how: 'double', target: 'button "Delete"' },
    'Double-click “Delete”?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [order, 'Send the form “Order”?', 'Send'],
  [
    { effect: 'send', does: 'submit', target: 'button "Save"', in: 'Address' },
    'Send the form with “Save” in “Address”?',
    'Send',
  ],
  [
    { effect: 'send', does: 'click', target: 'button "Publish"' },
    'Press “Publish”?',
    'Press',
    'This may send or save something.',
  ],
  [
    { effect: 'destroy', does: 'click', target: 'button "Revoke access"', in: 'Slack' },
    'Press “Revoke access” in “Slack”?',
    'Press “Revoke access”',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    { effect: 'destroy', does: 'submit', target: 'button "Place your order and pay € 49.80"' },
    'Press “Place your order and pay € 49.80”?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    {
      effect: 'outside',
      does: 'click',
      target: 'link "Help"',
      url: 'https://help.example/a',
      site: 'https://help.example',
    },
    'Leave this site for help.example?',
    'Leave',
  ],
  [
    {
      effect: 'outside',
      does: 'click',
      target: 'link "Help"',
      url: 'https://help.example/',
      site: 'https://help.example',
      opens: 'tab',
    },
    'Open help.example in a new window?',
    'Open',
  ],
  [
    { effect: 'outside', does: 'click', target: 'link "Report"', url: '/files/report.pdf?v=2', opens: 'download' },
    'Download report.pdf?',
    'Download',
  ],
  [
    { effect: 'outside', does: 'click', target: 'link "Mail"', url: 'mailto:a@b.example', site: 'mailto:' },
    'Open another app for mailto:a@b.example?',
    'Open',
  ],
  [
    {
      effect: 'outside',
      does: 'submit',
      target: 'form "Pay"',
      url: 'https://pay.example/',
      site: 'https://pay.example',
    },
    'Send a form to pay.example?',
    'Send',
  ],
  [
    {
      ...archive,
      stopped: [{ effect: 'send', does: 'request', method: 'POST', url: '/graphql', operation: 'archiveItem' }],
    },
    'Send data with “Archive” in “Slack”?',
    'Send',
    'The page was about to do this. It was stopped first.',
  ],
  [
    {
      ...archive,
      stopped: [{ effect: 'outside', does: 'request', url: 'https://api.example/a', site: 'https://api.example' }],
    },
    'Send data to api.example?',
    'Send',
    'The page was about to do this. It was stopped first.',
  ],
  [
    { ...archive, stopped: [{ effect: 'outside', does: 'go' }] },
    'Leave this site?',
    'Leave',
    'The page was about to do this. It was stopped first.',
  ],
  [
    { ...archive, stopped: [{ effect: 'send', does: 'submit', method: 'POST', url: '/items' }] },
    'Send the form with “Archive” in “Slack”?',
    'Send',
    'The page was about to do this. It was stopped first.',
  ],
  [
    { ...archive, stopped: [{ effect: 'destroy', does: 'request', method: 'DELETE', url: '/items/7' }] },
    'Delete with “Archive” in “Slack”?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    { ...archive, held: true, stopped: [{ effect: 'destroy', does: 'request', method: 'POST', url: '/payments' }] },
    'Delete or pay with “Archive” in “Slack”?',
    'Allow',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [
    { effect: 'send', does: 'submit', target: 'form "Order" by button "Order now"', url: '/orders' },
    'Send the form “Order”?',
    'Send',
  ],
  [{ effect: 'send', does: 'submit', target: 'form "" by button "Save"' }, 'Send the form with “Save”?', 'Send'],
  [
    { effect: 'destroy', does: 'submit', target: 'form "Order" by button "Pay now"' },
    'Press “Pay now” in “Order”?',
    'Press “Pay now”',
    'This may delete or pay. You may not be able to undo it.',
  ],
  [{ effect: 'send', does: 'submit', target: 'form ""' }, 'Send the form?', 'Send'],
  // Questions of an older build.
  [{ does: 'submit', target: 'button "Order"' }, 'Send the form with “Order”?', 'Send'],
  [{ does: 'click', target: 'link "Offer"', site: 'https://a.example' }, 'Leave this site for a.example?', 'Leave'],
] as [Preview, string, string, string?][]) {
  test(`asks: ${title} ${warning ?? ''} (${preview.target ?? preview.url})`, () => {
    // As an older build has stored it, with one text for the target; and with the target as data.
    expect(actionQuestion(asking(preview), words)).toMatchObject({ title, verb, warning })
    const { target, to, ...rest } = preview
    const data = {
      ...rest,
      ...targetInOlder(target),
      onto: targetInOlder(to)?.on,
      target: 'not read',
      to: to && 'not read',
    }
    expect(actionQuestion(asking(dropUndefined(data)), words)).toMatchObject({ title, verb, warning })
  })
}

test('reads what older builds have stored about a target', () => {
  expect(targetInOlder('Escape on dialog "Help"')).toEqual({ on: { role: 'dialog', name: 'Help' }, key: 'Escape' })
  expect(targetInOlder('Control+K on the page')).toEqual({ on: { role: 'page', name: '' }, key: 'Control+K' })
  expect(targetInOlder('span "Reply" in clickable "Say \\"hi\\""')).toEqual({
    on: { role: 'span', name: 'Reply', place: { role: 'clickable', name: 'Say "hi"' } },
  })
  expect(targetInOlder('form "Order" by button "Pay"')).toEqual({
    on: { role: 'form', name: 'Order' },
    by: { role: 'button', name: 'Pay' },
  })
  expect(targetInOlder('of no known form')).toEqual({ on: { role: '', name: 'of no known form' } })
  for (const none of ['', undefined, 7, {}]) expect(targetInOlder(none)).toBeUndefined()
})

test('a key for the page in a frame is named with the frame', () => {
  const on = { role: 'page', name: '', place: { role: 'iframe', name: 'Editor' } }
  const preview: Preview = { effect: 'unknown', does: 'press', on, key: 'Control+K', target: 'not read' }
  expect(actionQuestion(asking(preview), words)?.title).toBe('Press the key Control+K in “Editor”?')
})

test('a text that is typed is no key', () => {
  const preview: Preview = { effect: 'unknown', does: 'press', on: { role: 'textbox', name: 'Shell' }, types: 'ls' }
  expect(actionQuestion(asking(preview), words)).toMatchObject({ title: 'Change “Shell”?', verb: 'Allow' })
  const onPage = { ...preview, on: { role: 'page', name: '' }, heading: 'Desk' }
  expect(actionQuestion(asking(onPage), words)?.title).toBe('Change a place without a name in “Desk”?')
})

test('a target that is no data is what its text says', () => {
  for (const on of ['button', 7, [], {}, { role: 'button' }, { role: 1, name: 'Pay' }]) {
    const preview = { ...archive, on } as unknown as Preview
    expect(actionQuestion(asking(preview), words)?.title).toBe('Press “Archive” in “Slack”?')
  }
  const broken = { ...archive, on: { role: 'button', name: 'Pay', place: { name: 'Till' } }, key: {}, by: 'me' }
  expect(actionQuestion(asking(broken as unknown as Preview), words)?.title).toBe('Press “Pay” in “Slack”?')
})

test('a question knows which names and addresses its title says in full, in any language', () => {
  const row: Preview = { effect: 'destroy', does: 'click', on: { role: 'button', name: 'Archive' }, in: 'Slack' }
  const long = { ...row, on: { role: 'button', name: 'Archive '.repeat(20).trim() } }
  for (const language of [words, { ...words, ...arabic }]) {
    const saidBy = (preview: Preview) => actionQuestion(asking(preview), language)?.says
    expect(saidBy(row)).toEqual(['Archive', 'Slack'])
    // What is cut is not said.
    expect(saidBy(long)).toEqual(['Slack'])
    expect(saidBy({ effect: 'value' })).toEqual([])
  }
})

const stateIn = (language: object): RenderState =>
  ({ words: { ...words, ...language }, titleOf: String, toolOf: () => undefined }) as unknown as RenderState
/** A call that ended. Without an error it ran. */
const called = (preview: Preview, error?: Failure, language = {}, startedAt?: number) =>
  titleAndLine(
    { ...asking(preview), result: dropUndefined({ error, startedAt, endedAt: 3, attempts: 0 }) as ToolResult },
    stateIn(language),
  )
const failed = (code: ErrorCode): Failure => ({ code, message: 'It did not run.' })
const place: Preview = {
  effect: 'send',
  does: 'submit',
  on: { role: 'form', name: 'Your order' },
  by: { role: 'button', name: 'Place order' },
  site: 'https://pay.example',
}

test('a press that was not allowed is called by what was not pressed', () => {
  const request = { effect: 'send', does: 'request', method: 'POST', url: '/items' } as const
  const held = { stopped: [request], held: true } as const
  const toOther = { stopped: [{ ...request, site: 'https://pay.example' }], held: true } as const
  const leaving = { stopped: [{ effect: 'outside', does: 'go', site: 'https://pay.example' }], held: true } as const
  for (const [preview, title, line = ''] of [
    [archive, 'Not pressed: “Archive” in “Slack”'],
    [{ ...archive, how: 'double' }, 'Not pressed: “Archive” in “Slack”'],
    [{ ...archive, how: 'hover' }, 'Not done: “Archive” in “Slack”'],
    [order, 'Not sent: “Order”'],
    // What was held was pressed, and then not sent.
    [{ ...archive, ...held }, 'Not sent: “Archive” in “Slack”'],
    // To whom is said beside it.
    [{ ...archive, ...toOther }, 'Not sent: “Archive” in “Slack”', 'pay.example'],
    [{ ...archive, ...leaving }, 'Not opened: “Archive” in “Slack”', 'pay.example'],
    [place, 'Not sent: “Place order” in “Your order”', 'pay.example'],
    [{ ...order, site: 'https://pay.example', target: 'form ""' }, 'Not sent: pay.example'],
    [{ effect: 'outside', does: 'go', url: 'https://a.example/', site: 'https://a.example' }, 'Not opened: a.example'],
    [{ effect: 'unknown', does: 'press', target: 'Escape on dialog "Help"' }, 'Not pressed: the key Escape in “Help”'],
    [{ effect: 'unknown', does: 'drag', target: 'img "Tea"', to: 'region "Bin"' }, 'Not done: “Tea”'],
  ] as [Preview, string, string?][])
    for (const code of ['denied', 'superseded', 'cancelled'] as const)
      expect(called(preview, failed(code)), title).toEqual([title, line])
  expect(called(archive)).toEqual(['Click on the page', '“Archive” in “Slack”'])
  expect(called({ ...archive, ...toOther })).toEqual(['Click on the page', '“Archive” in “Slack” · pay.example'])
  // It may have been pressed.
  expect(called(archive, failed('cancelled'), {}, 2)).toEqual(['Click on the page', '“Archive” in “Slack”'])
  // A question without words has the title of its tool.
  expect(called({ effect: 'value' }, failed('denied'))).toEqual(['Click on the page', ''])
  for (const language of [arabic, german, spanish, french, japanese, chinese]) {
    const [title] = called(archive, failed('denied'), language)
    expect(title).toContain('Archive')
    expect(title).not.toMatch(/not pressed|click/i)
  }
})

test('what the visitor pressed is called that', () => {
  for (const [preview, ...said] of [
    [archive, 'Pressed by you: “Archive” in “Slack”', ''],
    [place, 'Pressed by you: “Place order” in “Your order”', 'pay.example'],
    // Enter in a field sends a form that has no button.
    [order, 'Done by you: Click on the page', '“Order”'],
    [{ effect: 'value' }, 'Done by you: Click on the page', ''],
  ] as [Preview, string, string][])
    expect(called(preview, doneByUser)).toEqual(said)
  const all = [arabic, german, spanish, french, japanese, chinese].map((language) =>
    called(archive, doneByUser, language),
  )
  expect(all.every(([title]) => title.includes('Archive') && !/pressed|done/i.test(title))).toBe(true)
  expect(new Set(all.map(String)).size).toBe(6)
})
