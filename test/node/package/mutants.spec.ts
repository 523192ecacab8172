// Every mutant applies to the current code, and its test exists. `npm run mutants` then shows that the test fails with
// the mutant. This spec runs no mutant, so that it notices quickly when the code of a rule moved.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { expect, test } from 'playwright/test'
import { allMutants, mutate } from '../../../scripts/mutants.mjs'
import { root } from '../../support/project/build-once.js'

const read = (file: string): string | undefined => {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    return undefined
  }
}

/** A string of a file that may be a title. The expressions of a template match any text. */
interface Title {
  readonly whole: RegExp
  /** Matches titles that begin with it: a template may begin with a title from a list. */
  readonly beginning: RegExp
  /** It is a template that begins with an expression. */
  readonly isOpen: boolean
}

/** All strings and templates of a file with more than three characters of text. */
function titlesIn(file: string): Title[] {
  const found: Title[] = []
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const pieces = textPieces(node)
    if (pieces?.some((piece) => piece.trim().length > 3)) {
      const text = pieces.map((piece) => piece.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('.*')
      found.push({
        whole: new RegExp(`^${text}$`),
        beginning: new RegExp(`^${text}(?!\\w)`),
        isOpen: pieces.length > 1 && pieces[0] === '',
      })
    }
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseSync(file, read(file) ?? '').program)
  return found
}

/** The text of a string, or the texts between the expressions of a template. */
function textPieces(node: object): string[] | undefined {
  const { type, value, quasis } = node as { type?: string; value?: unknown; quasis?: { value: { cooked: string } }[] }
  if (type === 'Literal' && typeof value === 'string') return [value]
  return type === 'TemplateLiteral' ? quasis?.map((one) => one.value.cooked) : undefined
}

/** Files with lists that titles are made from. */
const lists = ['test/support/faults/faults.ts']

function hasTest(title: string, own: readonly Title[], listed: readonly Title[]): boolean {
  const all = [...own, ...listed]
  return all.some(
    ({ whole, isOpen }) =>
      whole.test(title) && (!isOpen || all.some((one) => !one.isOpen && one.beginning.test(title))),
  )
}

test('every mutant applies to the code, and its test exists', async () => {
  const mutants = await allMutants(root)
  const titles = new Map([...new Set(mutants.map(({ spec }) => spec))].map((spec) => [spec, titlesIn(spec)]))
  const listed = lists.flatMap(titlesIn)
  const problems = mutants.flatMap((mutant) => {
    const change = mutate(mutant, read(mutant.file))
    if ('stale' in change) return [`${mutant.rule}: ${change.stale}`]
    if (hasTest(mutant.test, titles.get(mutant.spec) ?? [], listed)) return []
    return [`${mutant.rule}: ${mutant.spec} has no test “${mutant.test}”`]
  })
  expect(problems).toEqual([])
})

test('what a mutant looks for is a short piece of one line', async () => {
  const mutants = await allMutants(root)
  expect(mutants.map(({ find }) => find).filter((find) => find.length > 80 || find.includes('\n'))).toEqual([])
})

test('a mutant is stale if its code is missing or ambiguous, does not change, or becomes invalid', () => {
  const result = (find: string, replace: string) =>
    mutate({ rule: '', file: 'a.ts', spec: '', test: '', find, replace }, 'const a = one(1)\nconst b = one(2)\n')
  expect(result('three', 'x')).toMatchObject({ stale: expect.stringContaining('0 times') })
  expect(result('one', 'two')).toMatchObject({ stale: expect.stringContaining('2 times') })
  expect(result('const a', 'const a')).toMatchObject({ stale: expect.stringContaining('does not change') })
  expect(result('one(1)', 'one(1')).toMatchObject({ stale: expect.stringContaining('invalid') })
  expect(result('one(1)', 'two(1)')).toEqual({ code: 'const a = two(1)\nconst b = one(2)\n' })
})
