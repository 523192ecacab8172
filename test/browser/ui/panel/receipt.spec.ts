// The receipt of a turn: one card says what is different now, what was sent, what failed and what is left.
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const at = 1_000
const done = (rest: object = {}, output: unknown = 'x') => ({
  result: { output, startedAt: at, endedAt: at + 20, attempts: 1, ...rest },
})
const fields = (...names: string[]) => names.map((field) => ({ field, asked: 'x', now: `new ${field}`, ok: true }))
const head = (panel: PanelPage) => panel.element.locator('.receipt > .head .title')

/** Tools of the page, by their name. */
const tools = (panel: PanelPage) =>
  panel.page.evaluate(() => {
    const internals = Symbol.for('tool-agent.internals')
    const before = { Street: 'Old street', Postcode: '', Day: '2026-12-04' }
    const valuesBefore = () => new Map<string, unknown>(Object.entries(before))
    const all = {
      form_fill: { [internals]: { fieldChanges: { valuesBefore, holds: () => undefined } } },
      change_size: { undo() {} },
      cancel_order: { annotations: { destructiveHint: true } },
      find: {},
      list: { annotations: { readOnlyHint: true } },
    }
    window.fake.set({ tools: Object.entries(all).map(([name, tool]) => ({ name, title: '', tool })) as never })
  })

test('one card says how much a turn has changed, and that nothing was sent', async ({ panel }) => {
  await tools(panel)
  const size = done({ summary: 'Changed the size.', change: { before: 'M', after: 'L' } })
  await panel.show({
    messages: [
      user('u', 'Size L, to my office'),
      assistant('a', 'First the size.', call('s', 'change_size', size), call('l', 'list', done())),
      assistant(
        'b',
        'Now the form.',
        call('f', 'form_fill', done({ summary: 'Filled 3 fields' }, fields('Street', 'Postcode', 'Floor'))),
      ),
      assistant(
        'c',
        call('v', 'page_click', done({ summary: 'Clicked “More”' }, { clicked: 'button "More"' })),
        'Done.',
      ),
    ],
  })
  await expect(panel.element.locator('.receipt')).toHaveCount(1)
  await expect(head(panel)).toHaveText(/4 changes · nothing was sent or paid/)
  await expect(panel.element.locator('.receipt .title[part]')).toHaveText([
    '4 changes · nothing was sent or paid',
    'Changed the size.',
    'Filled 3 fields',
    'Clicked “More”',
  ])
  const activity = panel.element.locator('.receipt .activity')
  await expect(activity).toHaveText([/M, now L\s*M → L/, '1 replaced, 1 was empty'])
  // The texts of the steps stay where they are, before the card and after it.
  const texts = panel.element.locator('.messages .text, .messages .receipt')
  await expect(texts).toHaveText(['First the size.', /4 changes/, 'Now the form.', 'Done.'])
})

test('says what was sent, and does not say that nothing was of what it does not know', async ({ panel }) => {
  await tools(panel)
  const fill = call('f', 'form_fill', done({}, fields('Street')))
  const order = call('o', 'form_submit', done({ effect: 'send', summary: 'Sent the form.' }, { submitted: true }))
  const show = async (...parts: Parameters<typeof assistant>[1][]) =>
    panel.show({ messages: [user('u', 'Go'), assistant('a', ...parts), assistant('b', 'Done.')] })
  await show(fill, order)
  await expect(head(panel)).toHaveText(/2 changes · sent: Sent the form$/)
  await show(fill, call('d', 'cancel_order', done({ summary: 'Cancelled order 7' })))
  await expect(head(panel)).toHaveText(/2 changes · cannot be taken back: Cancelled order 7$/)
  // A tool without hints may have done anything, and so may one that broke off.
  await show(fill, call('x', 'find', done()))
  await expect(head(panel)).toHaveText(/1 change$/)
  const failed = { error: { code: 'timeout', message: 'late' }, startedAt: at, endedAt: at, attempts: 1 }
  await show(fill, call('x', 'change_size', { result: failed }))
  await expect(head(panel)).toHaveText(/1 change · 1 did not work$/)
  // One that never ran has done nothing.
  await show(
    fill,
    call('x', 'change_size', { result: { error: { code: 'denied', message: 'no' }, endedAt: at, attempts: 0 } }),
  )
  await expect(head(panel)).toHaveText(/1 change · nothing was sent or paid$/)
  await show(call('x', 'find', done()), call('l', 'list', done()))
  await expect(panel.element.locator('.receipt')).toHaveCount(0)
  // A press that only opened a dialog is a step, and one that did more is a change.
  const press = (output: object) => call('p', 'page_click', done({ effect: 'unknown', summary: 'Pressed it' }, output))
  await show(fill, press({ changed: true, onlyOpened: true }))
  await expect(head(panel)).toHaveText(/1 change · nothing was sent or paid$/)
  await show(fill, press({ changed: true }))
  await expect(head(panel)).toHaveText(/2 changes$/)
})

test('is the progress while the turn runs, and is announced once when it has ended', async ({ panel }) => {
  await tools(panel)
  const running = { started: { at, hash: 'h', input: { query: 'pot' }, repeatable: false } }
  await panel.show({
    status: 'running',
    turn: { id: 'u', step: 1, startedAt: 1, counted: 0, first: 1 } as never,
    messages: [
      user('u', 'Go'),
      assistant('a', call('s', 'change_size', done({ summary: 'Changed the size' })), call('w', 'find', running)),
    ],
  })
  const receipt = panel.element.locator('.receipt')
  await expect(receipt).toHaveAttribute('data-state', 'running')
  await expect(head(panel)).toHaveText(/1 change$/)
  await expect(receipt.locator('.call')).toHaveCount(2)
  await receipt.locator('[data-tool=change_size]').evaluate((one) => Object.assign(window, { first: one }))
  await panel.emit({ type: 'tool-progress', callId: 'w', value: { message: 'Asking the carrier' } })
  await expect(receipt.locator('[data-tool=find] .activity')).toHaveText('Asking the carrier')
  await panel.emit({ type: 'tool-result', at: 2, callId: 'w', result: { output: 1, endedAt: 2, attempts: 1 } }, {
    type: 'turn-end',
    at: 3,
    reason: 'stop',
  } as never)
  await expect(receipt).toHaveAttribute('data-state', 'done')
  await expect(panel.element.locator('.unseen[aria-live]')).toContainText('1 change')
  // The lines kept their elements.
  expect(await receipt.locator('[data-tool=change_size]').evaluate((one) => one === (window as never)['first'])).toBe(
    true,
  )
})

test('a call that waits has one line, with the sign of how serious its question is', async ({ panel }) => {
  await tools(panel)
  const asks = (name: string, preview?: object) =>
    call('q', name, {
      title: 'Place the order',
      approval: { hash: 'h', title: 'Place the order', input: {}, at, ...(preview && { preview }) },
    })
  const levels = [
    [asks('change_size'), /^M12 11v5/],
    [asks('page_click', { effect: 'send', does: 'click', target: 'button "Save"' }), /^M12 3.5 19 6/],
    [asks('cancel_order'), /^M12 8v5/],
  ] as const
  for (const [one, shape] of levels) {
    await panel.show({ status: 'awaiting-approval', messages: [user('u', 'Go'), assistant('a', one)] })
    const line = panel.element.locator('.call > summary')
    await expect(line.locator('.state path')).toHaveAttribute('d', shape)
    await expect(line).toContainText('Waiting for you')
    await expect(line).not.toContainText('?')
  }
})

test('dates of fields are in the language of the panel', async ({ panel }) => {
  await tools(panel)
  await panel.page.evaluate(() => {
    window.element.lang = 'de'
  })
  const entry = { field: 'Day', asked: 'x', now: '2026-12-11', ok: true }
  await panel.show({ messages: [user('u', 'Go'), assistant('a', call('f', 'form_fill', done({}, [entry])))] })
  await expect(panel.element.locator('.activity')).toContainText('4. Dezember 2026 → 11. Dezember 2026')
  await panel.element.locator('.call > summary').click()
  await expect(panel.element.locator('.body dd')).toHaveText('4. Dezember 2026 11. Dezember 2026')
})
