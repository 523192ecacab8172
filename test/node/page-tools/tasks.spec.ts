// The parts of the tasks benchmark that decide what counts: finding a control in an answer, and false successes.
import { expect, test } from 'playwright/test'
import { judgeState } from '../../../bench/tasks/applications/app-run.mjs'
import { apps, npmApps, tasksOf } from '../../../bench/tasks/applications/all-apps.mjs'
import { allTasks } from '../../../bench/tasks/all-tasks.mjs'
import { controlsIn, findControl, handsFor } from '../../../bench/tasks/hands.mjs'
import { falseSuccessesOf } from '../../../bench/tasks/task-run.mjs'

const page = `page "Users"
- heading "Users" [level=1]
- table "" [ref=e1]
  - | Ada King | button "Edit" [ref=e2] button "Block" [ref=e3]
  - | Bob Ross | button "Edit" [ref=e4] button "Block" [ref=e5]
- text: Total
- button "Block all" [ref=e6]
- clickable [ref=e7]
  - text: Newsletter
  - text: weekly
- text: End`

test('finds the whole name first, and the control nearest to a text', () => {
  expect(findControl(page, 'block')).toBe('e3')
  expect(findControl(page, 'Block', { near: 'Bob Ross' })).toBe('e5')
  expect(findControl(page, 'Block a')).toBe('e6')
  expect(findControl(page, 'Edit', { role: 'link' })).toBeUndefined()
  expect(findControl(page, 'Edit', { near: 'Grace' })).toBeUndefined()
})

test('prefers a control after the text to one before it, unless the nearest is wanted', () => {
  const list = '- button "+" [ref=e1]\n- text: Children\n- text: 0\n- button "+" [ref=e2]'
  expect(findControl(list, '+', { near: 'Children' })).toBe('e2')
  expect(findControl(list, '+', { beside: 'Children' })).toBe('e1')
})

test('a control inside an item is never one of another item, if its own has one', () => {
  const rows = `- list [ref=e1]
  - listitem "Sun" [ref=e2]
    - button "Hide" [ref=e3]
  - listitem "Sea" [ref=e4]
    - button "Hide" [ref=e5]
- text: Boat
- button "Hide" [ref=e6]`
  expect(findControl(rows, 'Hide', { inside: 'Sea' })).toBe('e5')
  expect(findControl(rows, 'Hide', { inside: 'Sun' })).toBe('e3')
  expect(findControl(rows, 'Hide', { inside: 'Boat' })).toBe('e6')
  expect(findControl(page, 'Block', { inside: 'Bob Ross' })).toBe('e5')
})

test('a state is right only if nothing else changed, and what changed beside it is named', () => {
  const start = { cards: [1, 2].map((id) => ({ id, title: 'A', done: false })), order: ['x', 'y'] }
  const wanted = structuredClone(start)
  wanted.cards[0]!.done = true
  expect(judgeState({ start, wanted, end: wanted })).toEqual({ missing: [], wrongTargets: [] })
  const both = structuredClone(wanted)
  both.cards[1]!.title = 'B'
  expect(judgeState({ start, wanted, end: both })).toEqual({
    missing: ['.cards.2.title'],
    wrongTargets: ['.cards.2'],
  })
  expect(judgeState({ start, wanted, end: start })).toEqual({ missing: ['.cards.1.done'], wrongTargets: [] })
  const moved = { ...wanted, cards: wanted.cards.toReversed() }
  expect(judgeState({ start, wanted, end: moved }).missing).toEqual(['.cards.order'])
})

test('there are at least 150 tasks, 30 of them in applications from npm, and each has a name of its own', () => {
  const names = [...tasksOf(apps), ...tasksOf(npmApps)].map(({ app, task }) => `${app.name}/${task.name}`)
  expect(new Set(names).size).toBe(names.length)
  expect(allTasks.length + names.length).toBeGreaterThanOrEqual(150)
  expect(tasksOf(npmApps).length).toBeGreaterThanOrEqual(30)
})

test('a clickable box without a name is found by its contents', () => {
  expect(controlsIn(page).at(-1)).toMatchObject({ role: 'clickable', name: 'Newsletter weekly', ref: 'e7' })
})

test('a day of a calendar is found by its number', () => {
  expect(findControl('- days (number=ref): 1=e3 2=e4 / 12=e5', '12')).toBe('e5')
})

test('a whole name in an older answer comes before a part of a name in a newer one', async () => {
  const targets: unknown[] = []
  const answers = ['- textbox "Command" [ref=e2]', 'listbox "Commands" [ref=e3]', 'Clicked.']
  const { read, use, click } = handsFor((_tool, input) =>
    Promise.resolve(answers[targets.push(input?.['target']) - 1] ?? ''),
  )
  await read()
  await use('page_press', { key: 'ArrowDown' })
  await click('Command')
  expect(targets.at(-1)).toBe('e2')
})

test('a click reads the page when no answer has the control, and again when its ref is stale', async () => {
  const calls: string[] = []
  const answers = ['- button "Save" [ref=e1]', 'Error (stale-ref): gone', '- button "Save" [ref=e2]', 'Clicked.']
  const { click } = handsFor((tool, input) => {
    calls.push(`${tool} ${String(input?.['target'] ?? '')}`.trim())
    return Promise.resolve(answers[calls.length - 1] ?? '')
  })
  await click('Save')
  expect(calls).toEqual(['page_read', 'page_click e1', 'page_read', 'page_click e2'])
})

test('a reported effect that the page did not observe is a false success', () => {
  const click = { tool: 'page_click', input: { target: 'e1' }, answer: 'Clicked button "Save".' }
  expect(falseSuccessesOf(click, { events: { click: 0 } })).toHaveLength(1)
  expect(falseSuccessesOf(click, { events: { click: 1 } })).toEqual([])
  const answer = JSON.stringify([{ field: 'City', asked: 'Paris', now: 'Paris', ok: true }])
  const fill = { tool: 'form_fill', input: {}, answer }
  expect(falseSuccessesOf(fill, { events: {}, values: { City: '' } })).toHaveLength(1)
  expect(falseSuccessesOf(fill, { events: {}, values: { City: 'paris' } })).toEqual([])
  expect(
    falseSuccessesOf({ ...fill, answer: answer.replace('true', 'false') }, { events: {}, values: { City: '' } }),
  ).toEqual([])
})
