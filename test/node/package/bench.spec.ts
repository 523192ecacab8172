// The parts of `npm run bench` that decide what is reported. The bench itself is not a test, because its figures depend on
// the machine.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import { parseSync } from 'rolldown/utils'
import { guards } from '../../../bench/questions/unguarded.mjs'
import { rows } from '../../../bench/rows.mjs'
import { fillOneByOne, fillWhenRead } from '../../../bench/rows/booking.mjs'
import { shopPage } from '../../../bench/rows/page-read.mjs'
import { median, plain, spread } from '../../../bench/support/numbers.mjs'
import { svgOf } from '../../../bench/support/plots.mjs'
import { columns, outcomeCells, outcomeOf, tableOf } from '../../../bench/support/report.mjs'
import { linkFaults, textBeside } from '../../support/project/docs.js'
import { findVersionRanges } from '../../support/project/project-rules.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const figure = (what: string, product: string, values: number[]) => ({ what, product, unit: 'ms', values })

test('every file of the bench is type-checked, except the peers, which parse', () => {
  const modules = readdirSync(join(root, 'bench'), { recursive: true, encoding: 'utf8' })
    .map((file) => `bench/${file.replaceAll('\\', '/')}`)
    .filter((path) => /^bench\/(?:rows|run|(?:rows|support|peers)\/[^/]+)\.mjs$/.test(path))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '-p', root, '--listFilesOnly'], { encoding: 'utf8' })
  const checked = stdout.replaceAll('\\', '/')
  const peers = modules.filter((path) => path.startsWith('bench/peers/'))
  expect(modules.length).toBeGreaterThan(20)
  expect(peers.length).toBeGreaterThan(3)
  expect(modules.filter((path) => !peers.includes(path) && !checked.includes(`/${path}\n`))).toEqual([])
  for (const path of peers) expect(parseSync(path, read(path)).errors, path).toEqual([])
})

test('every guard that a build can be made without is where it is looked for', () => {
  const absent = Object.entries(guards).flatMap(([name, { file, openings }]) =>
    openings.filter(([opening]) => read(file).split(opening).length !== 2).map(([opening]) => `${name}: ${opening}`),
  )
  expect(absent).toEqual([])
})

test('every row has aims, a name of its own and a file that runs', async () => {
  expect(rows.length).toBeGreaterThan(8)
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length)
  for (const { name, about, aims, load } of rows) {
    expect(about, name).not.toBe('')
    expect(aims.length, name).toBeGreaterThan(0)
    for (const { text, atMost = 0 } of aims)
      expect({ text: text !== '', atMost: atMost >= 0 }).toEqual({ text: true, atMost: true })
    expect(existsSync(join(root, `bench/rows/${name.replace('_', '-')}.mjs`)), name).toBe(true)
    expect(typeof (await load()).run, name).toBe('function')
  }
})

test('an aim compares the median of the rounds, and reports their quartiles', () => {
  const figures = [figure('step', 'ours', [10, 30, 20]), figure('step', 'other', [20, 20, 16])]
  const aim = { text: 'at most other', of: ['step', 'ours'], over: ['step', 'other'], atMost: 1 } as const
  expect(outcomeOf(figures, aim)).toMatchObject({ value: 1.25, from: 0.875, to: 1.375, isMet: false })
  expect(outcomeOf(figures, { ...aim, atMost: 1.25 })).toMatchObject({ isMet: true })
  expect(outcomeOf(figures, { text: 'ms', of: ['step', 'ours'], atMost: 19 })).toMatchObject({
    value: 20,
    isMet: false,
  })
  expect(outcomeOf(figures, { ...aim, over: ['step', 'absent'] })).toBeUndefined()
  expect(outcomeCells(outcomeOf(figures, aim)!)).toEqual(['at most other', '1.25 (0.88 to 1.38)', 'NOT MET'])
  const shown = { text: 'beside other', of: aim.of, over: aim.over } as const
  expect(outcomeCells(outcomeOf(figures, shown)!)).toEqual(['beside other', '1.25 (0.88 to 1.38)', 'shown'])
})

test('medians and spreads', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0])
  expect([spread([10, 10, 10]), spread([8, 10, 12]), spread([5])]).toEqual([0, 0.1, 0])
  expect([plain(1234.5), plain(12.34), plain(1.234)]).toEqual(['1,235', '12.3', '1.23'])
})

test('the table has a line for each figure and a column for each product', () => {
  const { head, lines } = tableOf([figure('step', 'ours', [10, 30, 20]), figure('start', 'other', [5])])
  expect(head).toEqual(['', 'ours', 'other'])
  expect(
    columns([
      ['a', 'bb'],
      ['ccc', 'd'],
    ]),
  ).toEqual(['a    bb', 'ccc   d'])
  expect(lines).toEqual([
    ['step, ms', '20.0 ±25 %', '-'],
    ['start, ms', '-', '5.00'],
  ])
})

test('the scripted model of the booking fills the form only after it has read its labels', () => {
  const user = { role: 'user', content: 'Please fill in the form.' }
  const labels = 'First name, Last name, E-mail, Phone, Guests, Occasion, Allergies and wishes'
  const called = (name: string, content: string) => [
    { role: 'assistant', tool_calls: [{ function: { name } }] },
    { role: 'tool', content },
  ]
  const nameOf = (messages: unknown[]) => fillWhenRead({ messages }).calls?.[0]?.name
  expect(nameOf([user])).toBe('form_read')
  expect(nameOf([{ role: 'system', content: `Fields: ${labels}` }, user])).toBe('form_fill')
  expect(nameOf([user, ...called('form_read', labels)])).toBe('form_fill')
  expect(nameOf([user, ...called('form_read', labels), ...called('form_fill', 'ok')])).toBeUndefined()

  const state = [{ role: 'user', content: '[3]<input name=first />\n[9]<select name=occasion />' }]
  expect(fillOneByOne({ messages: state }, 0).calls).toMatchObject([
    { arguments: { action: { input_text: { index: 3, text: 'Ada' } } } },
  ])
  expect(fillOneByOne({ messages: state }, 5).calls).toMatchObject([
    { arguments: { action: { select_dropdown_option: { index: 9 } } } },
  ])
  expect(() => fillOneByOne({ messages: state }, 1)).toThrow('no field last')
})

test('a synthetic page and a plot have as many parts as asked for', () => {
  expect(shopPage(7).match(/<button>/g)).toHaveLength(7)
  const lines = [{ name: 'a < b', points: [[1, 10] as const, [100, 1_000] as const] }]
  const svg = svgOf({ file: 'x.svg', title: 'T', x: 'x', y: 'ms', lines })
  expect(svg.match(/<circle/g)).toHaveLength(2)
  expect(svg).toContain('a &lt; b')
  expect(svg).not.toMatch(/NaN|Infinity/)
})

test('the packages of the bench have exact versions, and the lock file has them', () => {
  const { dependencies } = JSON.parse(read('bench/package.json')) as { dependencies: Record<string, string> }
  const lock = JSON.parse(read('bench/package-lock.json')) as { packages: Record<string, { dependencies?: object }> }
  expect(findVersionRanges({ dependencies })).toEqual([])
  expect(lock.packages['']?.dependencies).toEqual(dependencies)
})

test('docs/performance.md has working links and is linked from the README', () => {
  expect(linkFaults(read('docs/performance.md'), textBeside(join(root, 'docs/performance.md')))).toEqual([])
  expect(read('README.md')).toContain('](docs/performance.md)')
})
