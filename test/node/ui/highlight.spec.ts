// The colours of code: the text never changes, and every language is known.
import { expect, test } from 'playwright/test'
import { drawCode } from '../../../src/ui/markdown/code.js'
import type { CodeLanguage } from '../../../src/ui/markdown/code-languages.js'
import { highlight } from '../../../src/ui/highlight/highlight.js'

const samples: Record<CodeLanguage, string> = {
  bash: 'for f in *.js; do echo "$f" # all\ndone',
  csharp: 'public class Tea { public int Price => 4; } // €',
  css: '.tea:hover { color: #123; --x: "a" } /* end */',
  diff: '--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new',
  go: 'func main() { fmt.Println("tea", 1) }',
  java: 'class Tea { int price = 4; /* euros */ }',
  javascript: 'const tea = `${name}: ${1 + 1}` // a',
  json: '{ "tea": [1, true, null, "a\\n"] }',
  php: '<?php echo "tea $name"; ?>',
  python: 'def tea(price: int) -> str:\n    """Tea"""\n    return f"{price}"',
  ruby: 'def tea; puts "a #{1}" end # b',
  rust: 'fn main() { println!("{}", 1u8); }',
  sql: "SELECT name, 'a' FROM teas WHERE price < 4 -- b",
  typescript: 'interface Tea<T> { readonly price: number; name?: T }',
  xml: '<p class="tea"><style>p { color: red }</style><script>let a = 1</script>&amp;</p>',
  yaml: 'tea:\n  - price: 4 # euros\n  - "a"',
}

/** Text and kind of each piece. */
const pieces = (code: string, language: CodeLanguage): { text: string; kind: string }[] =>
  highlight(code, language).map((one) =>
    typeof one === 'string' ? { text: one, kind: '' } : { text: String(one.values[1]), kind: String(one.values[0]) },
  )

for (const [language, code] of Object.entries(samples) as [CodeLanguage, string][]) {
  test(`${language} has words of several kinds, and all of its text`, () => {
    const found = pieces(code, language)
    expect(found.map(({ text }) => text).join('')).toBe(code)
    expect(new Set(found.map(({ kind }) => kind)).size).toBeGreaterThan(2)
  })
}

test('every cut of a text keeps its text', () => {
  for (const [language, code] of Object.entries(samples) as [CodeLanguage, string][])
    for (let end = 0; end <= code.length; end++) {
      const cut = code.slice(0, end)
      expect(
        pieces(cut, language)
          .map(({ text }) => text)
          .join(''),
        language,
      ).toBe(cut)
    }
})

test('what is computed inside of a string is not a string', () => {
  const found = pieces('a = `x${b}y`', 'javascript')
  expect(found.filter(({ kind }) => kind === 'code-string').map(({ text }) => text)).toEqual(['`x', 'y`'])
})

test('open code, code of other languages and very long code are drawn as they are', () => {
  /** The text that is drawn as it is; undefined if colours are on their way. */
  const code = (info: string, text: string, isClosed: boolean): unknown => {
    const drawn = drawCode({ type: 'code', info, text, ...(isClosed ? { isClosed } : {}) })
    const [shown, colours] = (drawn as { readonly values: readonly unknown[] }).values
    return colours === undefined ? shown : undefined
  }
  expect(code('js', 'let a', false)).toBe('let a')
  expect(code('', 'let a', true)).toBe('let a')
  expect(code('klingon', 'let a', true)).toBe('let a')
  for (const long of ['a'.repeat(1_001), 'let a\n'.repeat(2_000)]) expect(code('js', long, true)).toBe(long)
  expect(code('TSX title="a"', 'let a', true)).toBeUndefined()
})
