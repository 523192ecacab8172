// `uniqueItems`: the answers of the validator, in linear time.
import { Validator } from '@cfworker/json-schema'
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../src/core/data/json.js'
import { jsonCheck } from '../../../../src/page/schema/json-schema-validator.js'

const list = { type: 'array', uniqueItems: true }
const schemas: Record<string, JsonObject> = {
  root: list,
  property: { properties: { a: list } },
  'additional property': { properties: { b: true }, additionalProperties: list },
  'additional property beside a pattern': { patternProperties: { '^x': true }, additionalProperties: list },
  pattern: { patternProperties: { '^a': list } },
  item: { items: list },
  'first item': { prefixItems: [list], items: true },
  'rest of the items': { prefixItems: [true], items: list },
  'all of': { allOf: [{ properties: { a: list } }] },
  'any of': { properties: { a: { anyOf: [list, { minItems: 3 }] } } },
  'one of': { properties: { a: { oneOf: [list, { minItems: 3 }] } } },
  not: { properties: { a: { not: list } } },
  if: { properties: { a: { if: list, else: { maxItems: 1 } } } },
  contains: { properties: { a: { contains: list } } },
  reference: { $defs: { list }, properties: { a: { $ref: '#/$defs/list' } } },
  'reference in a branch': {
    $defs: { list },
    properties: { a: { $ref: '#/$defs/list' }, b: { not: { $ref: '#/$defs/list' } } },
  },
  anchor: { $defs: { list: { $anchor: 'list', ...list } }, properties: { a: { $ref: '#list' } } },
  recursive: { properties: { a: list, next: { $ref: '#' } } },
  'draft 7 beside a reference': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    definitions: { any: {} },
    properties: { a: { $ref: '#/definitions/any', uniqueItems: true } },
  },
  'draft 7 items': { $schema: 'http://json-schema.org/draft-07/schema#', items: [list], additionalItems: list },
  'a property of this name': { properties: { uniqueItems: list, a: true } },
  false: { properties: { a: { uniqueItems: false } } },
}
const lists: JsonValue[] = [
  [],
  [1, 1],
  [1, '1', true],
  [
    { a: 1, b: 2 },
    { b: 2, a: 1 },
  ],
  [[1], [1], [2]],
  [0, -0],
  ['a', 'b', 'a'],
]
const values = lists.flatMap((one): JsonValue[] => [
  one,
  { a: one },
  { b: one },
  { xa: one },
  { a: [1, 2], b: one },
  { a: [one] },
  { next: { next: { a: one } } },
  { uniqueItems: one },
  [[1, 2], one],
  [one],
])

for (const [title, schema] of Object.entries(schemas))
  test(`uniqueItems has the answers of the validator: ${title}`, () => {
    const draft = String(schema['$schema']).includes('draft-07') ? '7' : '2020-12'
    const whole = new Validator(structuredClone(schema) as object, draft, false)
    const check = jsonCheck(schema, 'inputSchema')
    for (const value of values)
      expect(check(value).length === 0, JSON.stringify(value)).toBe(whole.validate(value).valid)
  })

test('the issue names the place and the first equal items', () => {
  const check = jsonCheck({ properties: { teas: list } }, 'inputSchema')
  expect(check({ teas: [{ id: 1 }, { id: 2 }, { id: 1 }] })).toEqual([
    { path: 'teas', message: 'Duplicate items at indexes 0 and 2' },
  ])
})

test('10,000 objects are compared in a moment, also if only the last ones are equal', () => {
  const check = jsonCheck({ $defs: { list }, properties: { a: { $ref: '#/$defs/list' } } }, 'inputSchema')
  const objects = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `Tea ${id}`, tags: ['a', 'b'] }))
  const before = process.cpuUsage()
  expect(check({ a: objects })).toEqual([])
  expect(check({ a: [...objects, objects[9_999]!] })).toHaveLength(1)
  const { user } = process.cpuUsage(before)
  expect(user / 1_000).toBeLessThan(1_000)
})
