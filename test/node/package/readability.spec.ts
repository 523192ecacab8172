// The numbers of `npm run readability`, on small samples and on one real message.
import { expect, test } from 'playwright/test'
import { countDocstrings, kindSwitches, measureLines, parseSource, walk } from '../../../scripts/readability.mjs'
import { root } from '../../support/project/build-once.js'

test('counts a line as a comment only if it has no code', () => {
  const code = '// one\n\nconst a = 1 // two\n/* three\n   four */\nconst b = `\n// five\n`\n'
  const { nonBlank, commentOnly, longest } = measureLines([parseSource('a.ts', code)])
  expect({ nonBlank, commentOnly }).toEqual({ nonBlank: 7, commentOnly: 3 })
  expect(longest).toEqual({ columns: 18, place: 'a.ts:3' })
})

test('counts docstrings of exported names and of the public members of exported types', () => {
  const { names, members } = countDocstrings([
    parseSource(
      'a.ts',
      `/** Yes. */
export function documented(a: string): void
export function documented(a: number): void
export function documented(a: unknown): void {}
// No docstring.
export const plain = 1
const inner = 2
/** Yes. */
const listed = 3
export { listed }
export interface Options {
  /** Yes. */
  readonly a: string
  b(): void
}
export type Result = { /** Yes. */ c: number } | { d: string }
export class Thing {
  #private = 1
  constructor() {}
  /** Yes. */
  get e() { return 1 }
  set e(value: number) {}
  f = 2
}
interface Internal { g: string }
export { other } from './b.js'
`,
    ),
  ])
  expect({ ...names, missing: names.missing.map((name) => name.replace('a.ts ', '')) }).toEqual({
    documented: 2,
    all: 6,
    missing: ['plain', 'Options', 'Result', 'Thing'],
  })
  expect({ ...members, missing: members.missing.map((name) => name.replace('a.ts ', '')) }).toEqual({
    documented: 3,
    all: 6,
    missing: ['Options.b', 'Result.d', 'Thing.f'],
  })
})

test('walks through the page, the host and the core for one message with a tool call', async () => {
  const { functions, files } = await walk(root)
  expect(files).toEqual(
    expect.arrayContaining(['page/agent.ts', 'host/serve.ts', 'core/loop/turn-loop.ts', 'page/tools/execute-tool.ts']),
  )
  expect(functions).toBeGreaterThan(files.length)
})

test('counts where page tools decide by the type of a control, outside of the kinds of controls', () => {
  const code = `if (field.type === 'radio' || type !== 'file') {}
const isBox = /^(checkbox|radio)$/.test(input.type)
const others = type === other.type || event.type === 'click' || kind === 'radio' || /^(open|shut)$/.test(type)`
  const files = ['page-tools/read/a.ts', 'page-tools/controls/a.ts', 'ui/a.ts'].map((path) => parseSource(path, code))
  expect(kindSwitches(files)).toEqual(['page-tools/read/a.ts:1', 'page-tools/read/a.ts:1', 'page-tools/read/a.ts:2'])
})
