// Every row has its test and its mutant, and every mutant still fits the code: `npm run mutants` then shows that the
// test fails with it. Here nothing is run, so that a rule whose code moved is noticed at once.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'playwright/test'
import { allMutants, mutate, titleOf } from '../../../scripts/mutants.mjs'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const read = (file: string): string | undefined => {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

interface Title {
  readonly rows: string[]
  readonly title: RegExp
  readonly begins: RegExp
  /** A template that begins with what it fills in. */
  readonly isOpen: boolean
}

/** Every string of a spec that may be a title: the rows it begins with, and the rest, in which a template fills in anything. */
function titlesIn(spec: string): Title[] {
  const found: Title[] = []
  const visit = (node: unknown, isTitle = false): void => {
    if (typeof node !== 'object' || node === null) return
    const {
      type,
      value,
      quasis,
      callee,
      arguments: given,
    } = node as {
      type?: string
      value?: unknown
      quasis?: { value: { cooked: string } }[]
      callee?: { name?: string }
      arguments?: unknown[]
    }
    const pieces =
      type === 'Literal' && typeof value === 'string'
        ? [value]
        : type === 'TemplateLiteral'
          ? quasis?.map((one) => one.value.cooked)
          : undefined
    if (pieces?.some((piece) => isTitle || piece.trim().length > 3)) {
      const { rows, bare } = titleOf(pieces[0] ?? '')
      const literal = (piece: string) => piece.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
      const text = [bare, ...pieces.slice(1)].map(literal).join('.*')
      found.push({
        rows,
        title: new RegExp(`^${text}$`),
        begins: new RegExp(`^${text}(?!\\w)`),
        isOpen: pieces.length > 1 && pieces[0] === '',
      })
    }
    for (const child of Object.values(node)) visit(child)
    if (callee?.name === 'test') visit(given?.[0], true)
  }
  visit(parseSync(spec, read(spec) ?? '').program)
  return found
}

/** What a template that begins with a name out of a list may begin with: the list stands in the spec, or in the faults that several go through. */
const lists = ['test/support/faults/faults.ts']

/** The rows that the titles begin with which may be this test's. */
function rowsOf(test: string, titles: readonly Title[], beginnings: readonly Title[]): string[][] {
  return titles
    .filter(({ title }) => title.test(test))
    .map(({ rows, isOpen }) =>
      isOpen ? beginnings.filter(({ begins }) => begins.test(test)).flatMap((one) => one.rows) : rows,
    )
}

/** Whatever a mutant says that is not so. */
async function faults(): Promise<string[]> {
  const mutants = await allMutants(root)
  const titles = new Map([...new Set(mutants.map(({ spec }) => spec))].map((spec) => [spec, titlesIn(spec)]))
  const listed = lists.flatMap(titlesIn)
  return mutants.flatMap((mutant) => {
    const say = (what: string) => [`${mutant.from}, ${mutant.row} (${mutant.rule}): ${what}`]
    const change = mutate(mutant, read)
    if ('stale' in change) return say(change.stale)
    const own = titles.get(mutant.spec) ?? []
    const tests = rowsOf(mutant.test, own, [...own, ...listed])
    if (tests.length === 0) return say(`${mutant.spec} has no test “${mutant.test}”`)
    return []
  })
}

test('every mutant still fits the code, and its test is there', { tag: '@long' }, async () => {
  expect(await faults()).toEqual([])
})

test('a mutant that does not fit is noticed: text that is not there or there twice, no change, code that does not parse', () => {
  const of = (find: string, replace: string) =>
    mutate(
      { row: 'C01', rule: '', file: 'a.ts', spec: '', test: '', from: '', find, replace },
      () => 'const a = one(1)\nconst b = one(2)\n',
    )
  expect(of('three', 'x')).toMatchObject({ stale: expect.stringContaining('0 times') })
  expect(of('one', 'two')).toMatchObject({ stale: expect.stringContaining('2 times') })
  expect(of('const a', 'const a')).toMatchObject({ stale: expect.stringContaining('the same') })
  expect(of('one(1)', 'one(1')).toMatchObject({ stale: expect.stringContaining('does not parse') })
  expect(of('one(1)', 'two(1)')).toEqual({ files: new Map([['a.ts', 'const a = two(1)\nconst b = one(2)\n']]) })
})
