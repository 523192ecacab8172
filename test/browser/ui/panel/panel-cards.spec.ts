// Cards for people: one sentence per call, folded reads, no developer's words until "Details" is opened.
import { assistant, call, expect, tasks, test, user } from '../../../support/page/panel.js'

const at = 1_000
const done = (summary?: string, took = 20) => ({
  result: {
    output: { total: 3 },
    startedAt: at,
    endedAt: at + took,
    attempts: 1,
    ...(summary === undefined ? {} : { summary }),
  },
})

test('a card shows the sentence of the tool instead of title and arguments', async ({ panel }) => {
  await panel.show({
    messages: [
      assistant('a', call('c', 'form_fill', done('Filled 6 of 7 fields\nfor \u202eyou')), call('d', 'find', done())),
    ],
  })
  const lines = panel.element.locator('.call > summary')
  await expect(lines.nth(0)).toHaveText(/^\s*Filled 6 of 7 fields for \\u\{202e\}you\s*Done\s*$/)
  await expect(lines.nth(1)).toHaveText(/^\s*Find\s+Query: pot\s*Done\s*$/)
})

test('values have the titles of the schema, and names are behind Details', async ({ panel, page }) => {
  await page.evaluate(() => {
    const inputSchema = {
      type: 'object',
      properties: { query: { type: 'string', title: 'Product' }, id: { type: 'string' } },
    }
    window.fake.set({ tools: [{ name: 'find_products', title: 'Find products', inputSchema, tool: {} }] as never })
  })
  await panel.show({ messages: [assistant('a', call('c', 'find_products', done()))] })
  const card = panel.element.locator('.call')
  await expect(card.locator('> summary')).toHaveText(/Find products\s+Product: pot/)
  await card.locator('> summary').click()
  await expect(card.locator('.body > dl')).toHaveText('Productpot')
  await expect(card.getByText('find_products')).toBeHidden()
  await card.getByText('Technical details', { exact: true }).click()
  await expect(card.getByText('find_products')).toBeVisible()
})

test('a tool of the page or of a server does not choose the labels of its arguments', async ({ panel, page }) => {
  await page.evaluate(() => {
    const inputSchema = { type: 'object', properties: { query: { type: 'string', title: 'Refund to you' } } }
    const tool = { [Symbol.for('tool-agent.internals')]: { isDiscovered: true } }
    window.fake.set({ tools: [{ name: 'pay', title: 'Pay', inputSchema, tool }] as never })
  })
  await panel.show({ messages: [assistant('a', call('c', 'pay', done()))] })
  const card = panel.element.locator('.call')
  await expect(card.locator('> summary .line')).toHaveText('Query: pot')
  await card.locator('> summary').click()
  await expect(card.locator('.body > dl dt')).toHaveText(['Query'])
})

test('what a page tool received is for the model, whatever its name is', async ({ panel, page }) => {
  await page.evaluate(() => {
    const tool = { [Symbol.for('tool-agent.internals')]: { mayAct: true } }
    window.fake.set({ tools: [{ name: 'page_zoom', title: 'Zoom the page', tool }] as never })
  })
  await panel.show({ messages: [assistant('a', call('c', 'page_zoom', done()))] })
  const card = panel.element.locator('.call')
  await card.locator('> summary').click()
  await expect(card.getByText('Technical details', { exact: true })).toBeVisible()
  await expect(card.locator('.body > dl')).toHaveCount(0)
})

test('an open card of a filled form says what its fields hold now, and what they held before', async ({
  panel,
  page,
}) => {
  await page.evaluate(() => {
    const valuesBefore = (_session: string, id: string) =>
      new Map<string, unknown>(
        id === 'c' ? Object.entries({ Name: 'Grace', News: true, Tags: ['a', 'b'], City: '' }) : [],
      )
    const tool = { [Symbol.for('tool-agent.internals')]: { fieldChanges: { valuesBefore, holds: () => undefined } } }
    window.fake.set({ tools: [{ name: 'form_fill', title: 'Fill', tool }] as never })
  })
  const output = [
    { field: 'Name', asked: 'Ada', now: 'Ada', ok: true },
    { field: 'News', asked: true, now: true, ok: true },
    { field: 'Tags', asked: [], now: [], ok: true },
    { field: 'City', asked: 'Rome', now: 'Rome', ok: true },
    { field: 'Day', asked: 'soon', now: '', ok: false, problem: 'no day' },
  ]
  const result = { output, startedAt: at, endedAt: at + 20, attempts: 1, summary: 'Filled 2 of 3 fields' }
  await panel.show({ messages: [assistant('a', call('c', 'form_fill', { result }))] })
  await panel.element.locator('.call > summary').click()
  const body = panel.element.locator('.call .body')
  await expect(body.locator('> dl dt')).toHaveText(['Name', 'News', 'Tags', 'City', 'Day'])
  await expect(body.locator('> dl dd')).toHaveText(['Grace Ada', 'yes', 'a, b empty', 'Rome', 'not filled in'])
  await expect(body.locator('del')).toHaveText(['Grace', 'a, b'])
  await expect(body.getByText('form_fill')).toBeHidden()
})

test('an open card shows the result of an own tool with labels', async ({ panel }) => {
  const result = { output: { orderId: 4148, cancelled: true }, startedAt: at, endedAt: at + 20, attempts: 1 }
  await panel.show({ messages: [assistant('a', call('c', 'cancel_order', { result }))] })
  await panel.element.locator('.call > summary').click()
  const outcome = panel.element.locator('.call .outcome')
  await expect(outcome.locator('dt')).toHaveText(['Order id', 'Cancelled'])
  await expect(outcome.locator('dd')).toHaveText(['4148', 'yes'])
})

test('times are shown from two seconds on', async ({ panel }) => {
  await panel.show({
    messages: [assistant('a', call('c', 'find', done(undefined, 1_990)), call('d', 'find', done(undefined, 2_000)))],
  })
  await expect(panel.element.locator('.call .time')).toHaveText(['', '2 s'])
})

test('what only looked in a turn is one line that opens, whatever is between', async ({ panel, page }) => {
  await page.evaluate(() => {
    const tool = { annotations: { readOnlyHint: true } }
    const claims = { ...tool, [Symbol.for('tool-agent.internals')]: { isDiscovered: true } }
    window.fake.set({
      tools: [
        { name: 'list_orders', tool },
        { name: 'claims', tool: claims },
      ] as never,
    })
  })
  const read = (id: string, name = 'page_read') => call(id, name, done('Read the page'))
  const messages = [
    user('u', 'Hi'),
    assistant('a', 'I look.', read('r1')),
    assistant('b', read('q2', 'dom_query'), 'And there.', read('o3', 'list_orders')),
    assistant('t', tasks('todo', [])),
    assistant('c', read('w4', 'page_wait')),
  ]
  await panel.show({ messages: messages.slice(0, 2), status: 'running' })
  await expect(panel.element.locator('.call')).toHaveCount(1)
  await expect(panel.element.locator('.call')).toHaveAttribute('data-look')
  await panel.show({
    messages: [...messages, assistant('d', read('r5'), call('f', 'form_fill', done('Filled 2 fields')), read('r6'))],
    status: 'running',
  })
  const line = panel.element.locator('.looks')
  await expect(line.locator('> summary')).toHaveText('Looked at 6 things')
  await expect(panel.element.locator('[data-tool=todo_write]')).toHaveCount(0)
  await expect(line.locator('.call').first()).toBeHidden()
  await line.locator('> summary').click()
  await expect(line.locator('.call')).toHaveCount(6)
  await expect(line.locator('.call').first()).toBeVisible()
  await panel.show({ messages: [...messages, assistant('d', read('r5')), assistant('e', 'There.')] })
  await expect(line.locator('> summary')).toHaveText('Looked at 5 things')
  // It stays open.
  await expect(line.locator('.call').last()).toBeVisible()
  // Another turn has a line of its own, and what a tool of the page or of a server says of itself is a claim.
  await panel.show({
    messages: [...messages, user('v', 'More'), assistant('f', read('r7'), read('r8'), read('x', 'claims'))],
  })
  await expect(line.locator('> summary')).toHaveText(['Looked at 4 things', 'Looked at 2 things'])
  await expect(panel.element.locator('[data-tool=claims]')).toBeVisible()
})

test('a failed or running read keeps its own card', async ({ panel }) => {
  const failed = { result: { error: { code: 'timeout', message: 'late' }, startedAt: at, endedAt: at, attempts: 1 } }
  await panel.show({
    status: 'running',
    messages: [
      assistant(
        'a',
        call('1', 'page_read', done()),
        call('2', 'page_read', failed),
        call('3', 'page_read', { started: { at: Date.now(), hash: 'h', input: {}, repeatable: true } }),
      ),
    ],
  })
  await expect(panel.element.locator('.call')).toHaveCount(3)
  await expect(panel.element.locator('.looks')).toHaveCount(0)
})

test('while only the task list is written, the assistant works', async ({ panel }) => {
  await panel.show({ messages: [user('u', 'Hi')], status: 'running' })
  await panel.emit(
    { type: 'step-start', at: 1, step: 0, id: 'm' },
    { type: 'tool-input-start', id: 'c', name: 'todo_write' },
  )
  await expect(panel.element.locator('.working')).toHaveText('Working')
  await expect(panel.element.locator('.call')).toHaveCount(0)
})

test('a suggestion is sent once, however often it is pressed', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.fake.held.add('send')
    window.element.setAttribute('suggestions', '["Find my order"]')
  })
  await page.getByRole('button', { name: 'Find my order' }).evaluate((button) => {
    for (let press = 0; press < 3; press++) (button as HTMLElement).click()
  })
  // The agent does not have it yet, and it is already a message instead of a suggestion.
  await expect(panel.element.locator('.own')).toHaveText('Find my order')
  await expect(page.getByRole('button', { name: 'Find my order' })).toHaveCount(0)
  expect(await panel.asked('send')).toEqual([['Find my order']])
  await page.evaluate(() => {
    window.fake.refuse({ code: 'network', message: 'cut' })
  })
  await expect(panel.field).toHaveValue('Find my order')
  await page.getByRole('button', { name: 'Find my order' }).click()
  expect(await panel.asked('send')).toHaveLength(2)
})

test('a suggestion that is pressed by keyboard leaves the focus in the panel', async ({ panel, page }) => {
  await page.evaluate(() => {
    window.fake.held.add('send')
    window.element.setAttribute('suggestions', '["Find my order"]')
  })
  await panel.field.focus()
  await page.keyboard.press('Shift+Tab')
  await expect(page.getByRole('button', { name: 'Find my order' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.element.locator('.own')).toHaveText('Find my order')
  await expect(panel.field).toBeFocused()
})

test('finished tasks are folded while others are left', async ({ panel }) => {
  const rest = (index: number) => (index === 14 ? 'in_progress' : 'pending')
  const list = Array.from({ length: 20 }, (_, index) => ({
    text: `Task ${index}`,
    status: index < 6 ? 'completed' : rest(index),
  }))
  await panel.show({ messages: [user('u', 'Hi'), assistant('a', tasks('t', list))] })
  const receipt = panel.element.locator('.receipt')
  await expect(receipt.getByText('Task 14')).toBeVisible()
  await expect(receipt.getByText('Task 3', { exact: true })).toBeHidden()
  await receipt.getByText('6 done', { exact: true }).click()
  await expect(receipt.getByText('Task 3', { exact: true })).toBeVisible()
})

test('a turn that the user stopped ends with one line, which continues it', async ({ panel, page }) => {
  await panel.show({ messages: [user('u', 'Hi')], end: { turn: 't', reason: 'stopped', at: 1 } })
  await expect(panel.element.locator('.notice')).toHaveCount(0)
  await expect(panel.element.locator('.messages .ending')).toContainText('Stopped.')
  await page.getByRole('button', { name: 'Continue' }).click()
  expect(await panel.asked('continue')).toHaveLength(1)
})

test('a table of sentences scrolls, by keyboard too', async ({ panel, page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  const cell = 'A sentence that needs some room to be read.'
  await panel.show({
    messages: [assistant('a', `| Name | One | Two | Three |\n|--|--|--|--|\n| Pot | ${cell} | ${cell} | ${cell} |\n`)],
  })
  const table = panel.element.locator('.scroll')
  await expect(table.locator('td').nth(2)).toBeVisible()
  expect((await table.locator('td').nth(2).boundingBox())!.width).toBeGreaterThan(120)
  expect(await table.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeGreaterThan(100)
  await table.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => table.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0)
})

test('headings in an answer leave out no level', async ({ panel }) => {
  await panel.show({ messages: [assistant('a', '### First\n\n# Second\n\n### Third\n\n> #### Quoted')] })
  await expect(panel.element.locator('.text :is(h3, h4, h5, h6)')).toHaveText(['First', 'Second', 'Third', 'Quoted'])
  const names = await panel.element
    .locator('.text :is(h3, h4, h5, h6)')
    .evaluateAll((all) => all.map((one) => one.localName))
  expect(names).toEqual(['h3', 'h3', 'h4', 'h5'])
})
