// The scoreboard: its page is what the kept results give, and policies find with page-agent what its browser state tells.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { entryOf, pageOf } from '../../../bench/scoreboard/page.mjs'
import { NoAction, pageAgentHands } from '../../../bench/tasks/page-agent/hands.mjs'
import { findItem, itemsIn, roleOf } from '../../../bench/tasks/page-agent/state.mjs'
import { chooseTasks } from '../../../bench/tasks/results.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const kept = JSON.parse(read('bench/scoreboard/results.json'))

/** As page-agent 1.12.4 tells it. */
const state = `[Start of page]
Settings
[0]<label >Index by search engines />
	[1]<input type=checkbox checked=true id=i />
[2]<fieldset >Send e-mails />
	[3]<label >Immediately />
		[4]<input type=radio checked=true name=often value=now />
	[5]<label >Once a day />
		[6]<input type=radio checked=false name=often value=day />
[7]<label for=z>Time zone />
[8]<select id=z>Berlin (UTC+1)
New York (UTC-5) />
[9]<label for=t>I accept the />
	[10]<a >terms of use />
[11]<input type=checkbox checked=false id=t />
*[12]<div data-scrollable="bottom=7800" />
	[13]<div >Lina Berg
Minutes of Monday />
		[14]<span title=Not starred>☆ />
	[15]<div >Tom Reed
Lunch? />
		[16]<span title=Not starred>☆ />
[17]<button aria-label=Delete the whole work...>🗑 />
Review
[End of page]`

test('the page is what the kept results give, and they have every task', () => {
  expect(read('docs/scoreboard.md')).toBe(pageOf(kept))
  const { pages, inApps } = chooseTasks([])
  const labels = [...pages, ...inApps].map(({ label }) => label)
  const isWhole = (label: string) => kept.results[label]?.['tool-agent'] && kept.results[label]?.['page-agent']
  expect(labels.filter((label) => !isWhole(label))).toEqual([])
  const { version } = JSON.parse(read('package.json'))
  const { dependencies } = JSON.parse(read('bench/package.json'))
  expect(kept.versions).toMatchObject({ 'tool-agent': version, 'page-agent': dependencies['page-agent'] })
})

test('a browser state of page-agent is read with its indexes, depths, attributes and texts of several lines', () => {
  const items = itemsIn(state)
  const item = (index: number) => items.find((one) => one.index === index)
  expect(item(8)).toMatchObject({ tag: 'select', text: 'Berlin (UTC+1)\nNew York (UTC-5)', attributes: { id: 'z' } })
  expect(item(14)).toMatchObject({ depth: 2, attributes: { title: 'Not starred' }, text: '☆' })
  expect(item(12)).toMatchObject({ isNew: true, text: '', attributes: { 'data-scrollable': '"bottom=7800"' } })
  expect(items.at(-2)).toMatchObject({ text: 'Review', tag: '' })
  expect([item(1), item(6), item(8), item(13)].map((one) => one && roleOf(one))).toEqual([
    'checkbox',
    'radio',
    'combobox',
    'clickable',
  ])
})

test('finds by text, label, cut attribute and the box around', () => {
  const find = (...args: [name: string, where?: object]) => findItem(itemsIn(state), ...args)?.index
  expect(find('Time zone')).toBe(8)
  expect(find('I accept the terms of use')).toBe(11)
  expect(find('Delete the whole workspace')).toBe(17)
  expect(find('Once a day', { near: 'Send e-mails', role: 'radio' })).toBe(6)
  expect(find('Not starred', { inside: 'Lunch?' })).toBe(16)
  expect(find('☆', { inside: 'Minutes of Monday' })).toBe(14)
  expect(find('Review')).toBeUndefined()
})

test('a policy fills and clicks with the actions of page-agent, and is told what it has no action for', async () => {
  const actions: object[] = []
  const { hands, lacks } = pageAgentHands({
    observe: () => Promise.resolve(state),
    act: (action) => Promise.resolve(`✅ ${String(actions.push(action))}`),
  })
  await hands.fill({ 'Index by search engines': false, 'Send e-mails': 'Once a day', 'Time zone': 'New York' })
  await hands.click('Lunch?')
  expect(actions).toEqual([
    { click_element_by_index: { index: 1 } },
    { click_element_by_index: { index: 6 } },
    { select_dropdown_option: { index: 8, text: 'New York (UTC-5)' } },
    { click_element_by_index: { index: 15 } },
  ])
  for (const wanted of [
    () => hands.press('Control+k'),
    () => hands.drag('Lina Berg', 'Tom Reed'),
    () => hands.click('Lunch?', { how: 'double' }),
    () => hands.use('page_press', { key: 'Control+b', select: 'Review' }),
  ])
    await expect(wanted()).rejects.toThrow(NoAction)
  await expect(hands.click('Review')).rejects.toThrow('tells the text but has no index for "Review"')
  expect(lacks).toEqual(['pressing Control+k', 'dragging', 'a double click', 'selecting a text'])
})

test('what cannot be done is told apart from what failed', () => {
  const result = {
    label: 'a/b',
    task: '',
    kind: 'pages',
    core: true,
    notes: [],
    steps: [],
    falseSuccesses: [],
    faults: [],
  }
  const run = { ...result, passed: false, requests: { count: 3 } }
  expect(entryOf({ ...run, passed: true, lacks: ['dragging'] })).toEqual({ verdict: 'yes', steps: 3 })
  expect(entryOf({ ...run, problem: 'dragging', lacks: ['dragging'] })).toMatchObject({ verdict: 'no action' })
  expect(entryOf({ ...run, problem: 'No answer\nhas it' })).toEqual({ verdict: 'no', reason: 'No answer', steps: 3 })
  expect(entryOf(run)).toMatchObject({ verdict: 'no', reason: 'not right at the end; no call told a problem' })
})
