// Parsing of incomplete JSON, for arguments that are still streaming.
import { expect, test } from 'playwright/test'
import { isObject, type JsonValue } from '../../../src/core/data/json.js'
import { partialJson } from '../../../src/ui/message/values/partial-json.js'

const values: JsonValue[] = [
  {},
  { query: 'teapot', max: 3 },
  { a: { b: { c: [1, [2, [3]], {}] } } },
  { empty: '', none: null, yes: true, no: false },
  { numbers: [0, -1, 12.5, 1e21, 1.5e-7, 123456789012] },
  { 'key with "quotes" \\ and , : { [': 'value with "quotes" \\ and } ] , :' },
  { lines: 'one\ntwo\ttabbed\r\u0007 bell', path: 'C:\\dir\\u0041', end: '\\' },
  { '': { '': '' } },
  { emoji: 'a😀b👩‍👩‍👧c', '😀': '\ud83d' },
  { list: [{ id: 'a', tags: ['x', 'y'] }, { id: 'b', tags: [] }, 'text', null, 7] },
  { constructor: 1, toString: 'x' },
  [1, 'two', { three: 3 }],
  'just text',
]
const texts = [
  ...values.flatMap((value) => [JSON.stringify(value), JSON.stringify(value, null, 2)]),
  '{"__proto__": {"polluted": true}, "a": 1}',
  '{"a":"\\u0041\\ud83d\\ude00\\n\\"","b":"\\u00e9\\/"}',
  ' \n{ "a" :\t1 , "b" : [ ] } \n',
]

/** Random values, the same in every run. */
let seed = 20
const chance = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below
const words = ['', 'tea', 'a "b"', '{"', '\\', '\n', '😀', ', ', ']}', '\u2028', 'ü\u0000', 'x'.repeat(30)]
function any(depth: number): JsonValue {
  const kind = chance(depth > 0 ? 8 : 5)
  if (kind < 2) return words[chance(words.length)] ?? ''
  if (kind < 5) return [chance(2_000_000) / 7 - 1000, chance(10), null, true, false][chance(5)] ?? null
  const length = chance(4)
  if (kind === 5) return Array.from({ length }, () => any(depth - 1))
  return Object.fromEntries(
    Array.from({ length }, (_, index) => [`${words[chance(words.length)]}${'abcd'[index]}`, any(depth - 1)]),
  )
}
texts.push(...Array.from({ length: 100 }, (_, index) => JSON.stringify({ of: any(4), and: any(3) }, null, index % 3)))

/** Whether one value is the start of the other: only its last string may be shorter. */
function begins(part: JsonValue, whole: JsonValue): boolean {
  if (typeof part === 'string' && typeof whole === 'string') return whole.startsWith(part)
  if (Array.isArray(part) && Array.isArray(whole)) {
    return (
      part.length <= whole.length &&
      part.every((one, index) => (index < part.length - 1 ? same : begins)(one, whole[index] as JsonValue))
    )
  }
  if (!isObject(part) || !isObject(whole)) return same(part, whole)
  const names = Object.keys(part)
  return names.every(
    (name, index) =>
      Object.keys(whole)[index] === name &&
      (index < names.length - 1 ? same : begins)(part[name] as JsonValue, whole[name] as JsonValue),
  )
}
const same = (one: JsonValue, other: JsonValue): boolean => JSON.stringify(one) === JSON.stringify(other)

test('every prefix of a JSON text gives a start of its value, and never less than a shorter prefix', () => {
  const faults: string[] = []
  for (const text of texts) {
    const whole = JSON.parse(text) as JsonValue
    let before: JsonValue | undefined
    for (let cut = 0; cut <= text.length; cut++) {
      const part = partialJson(text.slice(0, cut))
      const isRight =
        part === undefined
          ? before === undefined
          : begins(part, whole) && (before === undefined || begins(before, part))
      if (!isRight) faults.push(`${text.slice(0, cut)} → ${JSON.stringify(part)}, before ${JSON.stringify(before)}`)
      before = part
    }
    if (!same(before ?? null, whole)) faults.push(`${text} → ${JSON.stringify(before)}`)
  }
  expect(faults).toEqual([])
})

test('strings appear while they stream, numbers when they are complete, keys with their values', () => {
  const shown: [string, JsonValue | undefined][] = [
    ['', undefined],
    ['{', {}],
    ['{"que', {}],
    ['{"query"', {}],
    ['{"query":', {}],
    ['{"query":"', { query: '' }],
    ['{"query":"po', { query: 'po' }],
    ['{"query":"pot"', { query: 'pot' }],
    ['{"max":12', {}],
    ['{"max":12,', { max: 12 }],
    ['{"max":12}', { max: 12 }],
    ['{"on":tru', {}],
    ['{"on":true}', { on: true }],
    ['{"a":"x\\', { a: 'x' }],
    ['{"a":"x\\n', { a: 'x\n' }],
    ['{"a":"x\\u00e', { a: 'x' }],
    ['{"a":"x\\u00e9', { a: 'xé' }],
    ['{"a":"\\\\', { a: '\\' }],
    ['{"a":"\\ud83d', { a: '' }],
    ['{"a":"\\ud83d\\ude00', { a: '😀' }],
    ['{"a":"x\ud83d', { a: 'x' }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":[{"b":"c', { a: [{ b: 'c' }] }],
    ['[', []],
    ['"te', 'te'],
    ['12', undefined],
  ]
  for (const [text, value] of shown) expect(partialJson(text), text).toEqual(value)
})

test('invalid JSON gives nothing, wherever it is cut', () => {
  const broken = [
    '{"a":1,}',
    "{'a':1,",
    '{"a":01,',
    '{"a":1}}',
    '{"a":1} and more',
    '{]',
    '{"a":1 "b":2,',
    '{"a":"line\nbreak"',
    '{"a":undefined,',
    '{"a":"\\x"',
    '}',
    'Hello, "you',
  ]
  for (const text of broken) expect(partialJson(text), text).toBeUndefined()
})

test('__proto__ is a key like any other', () => {
  const part = partialJson('{"__proto__":{"polluted":"yes"},"b":"')
  expect(Object.keys(part as object)).toEqual(['__proto__', 'b'])
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})
