// Every known fault has a test with its tag (`@F15`), or a reason why it has none. Prints where each fault is tested.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'playwright/test'
import { faultRows, partly, withoutTest } from '../../support/faults/fault-rows.js'
import { filesBelow, root } from '../../support/project/build-once.js'

const code = /^@?((?:[CFS]\d+|R\d+\.\d+))$/

/** The cases that a string names: a tag, or the codes at the beginning of an entry of a list of faults. */
function codesIn(text: string): string[] {
  const words = text.split(' ')
  const end = words.findIndex((word) => !code.test(word))
  return words.slice(0, end < 0 ? words.length : end).flatMap((word) => code.exec(word)?.[1] ?? [])
}

/** Every string of a file, and the beginning of every template. */
function* stringsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }
  if (type === 'Literal' && typeof value === 'string') yield value
  if (type === 'TemplateLiteral') yield quasis?.[0]?.value.cooked ?? ''
  for (const child of Object.values(node)) yield* stringsIn(child)
}

/** Where each case is tested: file names with the number of tags. */
async function testedCases(): Promise<Map<string, Map<string, number>>> {
  const tested = new Map<string, Map<string, number>>()
  // Lists of faults are tested by several specs; their entries carry the codes.
  const specs = (await filesBelow('test', ['.spec.ts'])).filter((file) => !file.endsWith('fault-rows.spec.ts'))
  for (const file of [...specs, 'test/support/faults/faults.ts']) {
    const isSpec = file.endsWith('.spec.ts')
    for (const text of stringsIn(parseSync(file, readFileSync(`${root}/${file}`, 'utf8')).program)) {
      // In a spec only tags count: other strings, such as the key F5, may look like a code.
      if (isSpec && !text.startsWith('@')) continue
      for (const name of codesIn(text)) {
        const places = tested.get(name) ?? new Map<string, number>()
        const place = basename(file, '.spec.ts')
        tested.set(name, places.set(place, (places.get(place) ?? 0) + 1))
      }
    }
  }
  return tested
}

test('every known fault has a tagged test, or a reason why it has none', async () => {
  const tested = await testedCases()
  const reasons = new Map(withoutTest.map(({ row, why }) => [row, why]))
  const notes = new Map(partly.map(({ row, why }) => [row, why]))
  const table = faultRows.map((row) => {
    const places = [...(tested.get(row) ?? [])].map(([place, count]) => (count > 1 ? `${place} ×${count}` : place))
    const untested = reasons.has(row) ? `no test: ${reasons.get(row)}` : 'MISSING'
    return [row, places.join(', ') || untested, notes.get(row) ?? ''].filter(Boolean).join(' · ')
  })
  console.log(table.join('\n'))
  expect(faultRows.filter((row) => !tested.has(row) && !reasons.has(row))).toEqual([])
  expect(withoutTest.filter(({ row }) => tested.has(row)).map(({ row }) => row)).toEqual([])
  expect([...withoutTest, ...partly].map(({ row }) => row).filter((row) => !faultRows.includes(row))).toEqual([])
})

test('a string names the codes that it consists of or begins with', () => {
  expect(codesIn('@F15')).toEqual(['F15'])
  expect(codesIn('F1 C120 R6.3 a reload in F2')).toEqual(['F1', 'C120', 'R6.3'])
  expect(codesIn('a reload in F2')).toEqual([])
})
