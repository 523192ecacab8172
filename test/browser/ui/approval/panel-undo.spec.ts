// The undo button on the card of a form fill: its place, its request, and its text afterwards.
import { assistant, call, expect, test, user, type PanelPage } from '../../../support/page/panel.js'

const filled = (id: string, endedAt: number) =>
  call(id, 'form_fill', {
    result: {
      output: [{ field: 'Name', asked: 'Ada', now: 'Ada', ok: true }],
      startedAt: endedAt,
      endedAt,
      attempts: 1,
    },
  })
const undo = (panel: PanelPage) => panel.element.locator('.undo')
const prepare = (panel: PanelPage, answer: unknown) =>
  panel.page.evaluate((answer) => {
    window.fake.set({ tools: [{ name: 'form_undo' }] as never })
    window.fake.outputs.set('form_undo', answer)
    return Date.now()
  }, answer)

test('only the newest fill can be undone, and shows the outcome', async ({ panel }) => {
  const now = await prepare(panel, [
    { field: 'Name', now: '', ok: true },
    { field: 'Guests', now: '7', ok: false, problem: 'Skipped: the field was changed since' },
  ])
  await panel.show({
    messages: [
      user('u', 'Fill it'),
      assistant('a', filled('first', now)),
      assistant('b', filled('second', now)),
      assistant('c', 'Done.'),
    ],
  })
  await expect(undo(panel)).toHaveCount(1)
  await undo(panel).getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(undo(panel)).toHaveText('1 of 2 fields undone.')
  expect(await panel.asked('callTool')).toEqual([['form_undo', { call: 'second' }]])
  // Keyboard focus stays at the card.
  expect(await panel.element.evaluate((element) => element.shadowRoot?.activeElement?.localName)).toBe('summary')
  await expect(undo(panel).getByRole('button')).toHaveCount(0)
})

test('a fill from before a reload, an undone fill and a fill of another tab have no undo button', async ({ panel }) => {
  const now = await prepare(panel, [])
  const fill = [user('u', 'Fill it'), assistant('a', filled('f', now)), assistant('b', 'Done.')]
  await panel.show({ messages: fill })
  await expect(undo(panel)).toHaveCount(1)
  await panel.show({ messages: [user('u', 'Fill it'), assistant('a', filled('f', 1000)), assistant('b', 'Done.')] })
  await expect(undo(panel)).toHaveCount(0)
  await panel.show({
    messages: [
      ...fill,
      assistant('c', call('x', 'form_undo', { result: { output: [], startedAt: now, endedAt: now, attempts: 1 } })),
      assistant('d', 'Undone.'),
    ],
  })
  await expect(undo(panel)).toHaveCount(0)
  await panel.show({ messages: fill })
  await expect(undo(panel)).toHaveCount(1)
  await panel.page.evaluate(() => {
    window.fake.set({ role: 'mirror' })
  })
  await expect(undo(panel)).toHaveCount(0)
  await panel.page.evaluate(() => {
    window.fake.set({ host: 'worker', tools: [] })
  })
  await expect(undo(panel)).toHaveCount(0)
})

test('reports an undo that fails, and allows another attempt', async ({ panel }) => {
  const now = await prepare(panel, [{ field: 'Name', now: '', ok: true }])
  await panel.show({ messages: [user('u', 'Fill it'), assistant('a', filled('f', now)), assistant('b', 'Done.')] })
  await panel.page.evaluate(() => {
    window.fake.failures.set('callTool', { code: 'timeout', message: 'No answer' })
  })
  await undo(panel).getByRole('button').click()
  await expect(panel.element.locator('.notices')).toContainText('Something went wrong. Try again.')
  await undo(panel).getByRole('button').click()
  await expect(undo(panel)).toHaveText('Undone.')
})
