// Every row of faults has a test with its name, or says why it has none; the table of them is printed.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'playwright/test'
import { faultRows, partly, withoutTest } from '../../support/faults/fault-rows.js'

const root = fileURLToPath(new URL('../..', import.meta.url))
const rowName = /^(?:[CFS]\d+|R\d+\.\d+)$/

/** The rows that a title begins with. */
function rowsOf(title: string): string[] {
  const words = title.split(' ')
  const end = words.findIndex((word) => !rowName.test(word))
  return end < 0 ? words : words.slice(0, end)
}

/** Strings and beginnings of templates anywhere in a spec; a title may come out of a list. */
function* titlesIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }
  if (type === 'Literal' && typeof value === 'string') yield value
  if (type === 'TemplateLiteral') yield quasis?.[0]?.value.cooked ?? ''
  for (const child of Object.values(node)) yield* titlesIn(child)
}

const tested = new Map<string, Map<string, number>>()
// The faults of the endpoint are a list that both kinds of specs go through.
for (const folder of ['node', 'browser', 'support']) {
  for (const name of readdirSync(join(root, folder))) {
    if (folder === 'support' ? name !== 'faults.ts' : !name.endsWith('.spec.ts') || name.startsWith('fault-rows'))
      continue
    for (const title of titlesIn(parseSync(name, readFileSync(join(root, folder, name), 'utf8')).program)) {
      if (!title.includes(' ')) continue
      for (const row of rowsOf(title)) {
        const places = tested.get(row) ?? new Map<string, number>()
        tested.set(
          row,
          places.set(
            `${folder}/${name.replace('.spec.ts', '')}`,
            (places.get(`${folder}/${name.replace('.spec.ts', '')}`) ?? 0) + 1,
          ),
        )
      }
    }
  }
}

test('every row of faults has a test with its name, or says why not', () => {
  const reasons = new Map(withoutTest.map(({ row, why }) => [row, why]))
  const notes = new Map(partly.map(({ row, why }) => [row, why]))
  const table = faultRows.map((row) => {
    const places = [...(tested.get(row) ?? [])]
      .map(([place, count]) => (count > 1 ? `${place} ×${count}` : place))
      .join(', ')
    return [row, places || (reasons.has(row) ? `no test: ${reasons.get(row)}` : 'MISSING'), notes.get(row) ?? '']
      .filter(Boolean)
      .join(' · ')
  })
  console.log(table.join('\n'))
  expect(faultRows.filter((row) => !tested.has(row) && !reasons.has(row))).toEqual([])
})

test('no reason stands for a row that has a test, and none for a row that there is not', () => {
  expect(withoutTest.filter(({ row }) => tested.has(row)).map(({ row }) => row)).toEqual([])
  expect([...withoutTest, ...partly].map(({ row }) => row).filter((row) => !faultRows.includes(row))).toEqual([])
})

test('a title gives the rows that it begins with', () => {
  expect(rowsOf('F1 C120 R6.3 a reload in F2')).toEqual(['F1', 'C120', 'R6.3'])
  expect(rowsOf('a reload')).toEqual([])
})
