// Compares the checker of common schemas with the full validator, error by error: over the suite of the authors of
// JSON Schema, and over random schemas and values from a seed.
import { Validator, type SchemaDraft } from '@cfworker/json-schema'
import { expect, test } from 'playwright/test'
import { isObject, type JsonObject, type JsonValue } from '../../../../src/core/data/json.js'
import { commonErrors, isCommon, type JsonSchemaError } from '../../../../src/page/validation/json-schema-common.js'
import { fillTools, readTools } from '../../../../src/tools.js'
import { corpusFiles, missingCorpus } from '../../../support/lab/corpora.js'

type Schema = JsonObject | boolean

/** The errors of the full validator without their texts. It gets a copy, because it writes into schemas. */
function fullErrors(value: unknown, schema: Schema, draft: SchemaDraft): JsonSchemaError[] {
  const { errors } = new Validator(structuredClone(schema), draft, false).validate(value)
  return errors.map(({ error: _text, ...error }) => error)
}
/** The errors, or the message of what was thrown. */
function outcome(errors: () => unknown): unknown {
  try {
    return errors()
  } catch (error) {
    return `${error}`
  }
}

/** Our errors, which must equal those of the full validator. Thousands of calls of `expect` would take minutes. */
function expectSame(value: unknown, schema: Schema, draft: SchemaDraft): readonly JsonSchemaError[] {
  const found = commonErrors(value, schema)
  const full = fullErrors(value, schema, draft)
  if (JSON.stringify(found) !== JSON.stringify(full)) expect(found, JSON.stringify({ schema, value })).toEqual(full)
  return found
}

for (const [folder, draft] of [
  ['draft7', '7'],
  ['draft2020-12', '2020-12'],
] as const) {
  test(`${folder}: both validators give the same errors for every common schema of the suite`, () => {
    const files = corpusFiles('json-schema', '.json').filter(({ name }) => name.startsWith(`tests/${folder}/`))
    test.skip(files.length === 0, missingCorpus('json-schema', 1))
    const groups = files.flatMap(
      (file) => JSON.parse(file.read()) as { schema: Schema; tests: { data: JsonValue; valid: boolean }[] }[],
    )
    const common = groups.filter(({ schema }) => isCommon(schema))
    const wrong: unknown[] = []
    let failing = 0
    for (const { schema, tests } of common) {
      for (const { data, valid } of tests) {
        const found = expectSame(data, schema, draft)
        if ((found.length === 0) !== valid) wrong.push({ schema, data })
        if (!valid) failing++
      }
    }
    expect(wrong).toEqual([])
    expect(common.length).toBeGreaterThan(100)
    expect(failing).toBeGreaterThan(100)
  })
}

/** A generator of integers below `limit`, the same ones for the same seed. */
function dice(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
const keys = ['a', 'b', 'c d', 'e/f~g', '#%20', 'ü', 'anyOf', '__proto__', 'constructor', '0']
const texts = ['', 'x', 'ab', 'null', '1', '😀', 'a😀b', 'A long text "with quotes".', '\ud800']
const numbers = [0, -0, 1, -1, 1.5, 2, 3, 1e21, 0.1, Number.MAX_SAFE_INTEGER]
const types = ['null', 'boolean', 'string', 'number', 'integer', 'array', 'object']

function generator(roll: (limit: number) => number) {
  const one = <T>(list: readonly T[]): T => list[roll(list.length)]!
  const some = <T>(most: number, make: () => T): T[] => Array.from({ length: roll(most + 1) }, make)
  // `__proto__` as a key of its own, as JSON has it.
  const record = <T>(make: () => T) => Object.fromEntries(some(3, () => [one(keys), make()] as const))
  const value = (depth: number): JsonValue => {
    switch (roll(depth > 0 ? 6 : 4)) {
      case 0:
        return null
      case 1:
        return roll(2) === 0
      case 2:
        return one(numbers)
      case 3:
        return one(texts)
      case 4:
        return some(3, () => value(depth - 1))
      default:
        return record(() => value(depth - 1))
    }
  }
  const schema = (depth: number): Schema => {
    if (roll(12) === 0) return roll(2) === 0
    const inner = () => schema(depth - 1)
    const keywords: Record<string, () => JsonValue> = {
      type: () => (roll(3) === 0 ? some(3, () => one(types)) : one(types)),
      const: () => value(1),
      enum: () => some(3, () => value(1)),
      default: () => value(1),
      description: () => one(texts),
      required: () => some(2, () => one(keys)),
      minItems: () => roll(3),
      maxItems: () => roll(3),
      minLength: () => roll(3),
      maxLength: () => roll(3),
      minimum: () => one(numbers),
      maximum: () => one(numbers),
      exclusiveMinimum: () => one(numbers),
      exclusiveMaximum: () => one(numbers),
      pattern: () => one(['^a', '.', 'b$', '\\p{L}', '^$']),
      ...(depth > 0 && {
        properties: () => record(inner),
        additionalProperties: inner,
        items: inner,
        anyOf: () => some(3, inner),
        allOf: () => some(3, inner),
        oneOf: () => some(3, inner),
      }),
    }
    const names = [
      ...Object.keys(keywords),
      ...(depth > 0 ? ['properties', 'properties', 'properties', 'items', 'items'] : []),
    ]
    return Object.fromEntries(some(4, () => one(names)).map((name) => [name, keywords[name]!()]))
  }
  /** A value with the properties and items that the schema describes, so that inner schemas are checked too. */
  const valueFor = (given: JsonValue | undefined): JsonValue => {
    if (!isObject(given) || roll(4) === 0) return value(2)
    const { properties, items, anyOf } = given as JsonObject
    if (isObject(properties))
      return Object.fromEntries(
        [...Object.entries(properties), [one(keys), true] as const].map(([key, inner]) => [
          key,
          valueFor(inner as JsonValue),
        ]),
      )
    if (isObject(items)) return some(3, () => valueFor(items as JsonObject))
    return Array.isArray(anyOf) && anyOf.length > 0 ? valueFor(one(anyOf)) : value(2)
  }
  return { valueFor, schema }
}

test('both validators give the same errors for thousands of random schemas and values', () => {
  const { valueFor, schema } = generator(dice(20_261))
  const count = { valid: 0, invalid: 0, nested: 0 }
  for (let round = 0; round < 20_000; round++) {
    const made = schema(3)
    if (!isCommon(made)) throw new Error(`Not common: ${JSON.stringify(made)}`)
    const found = expectSame(valueFor(made), made, '2020-12')
    count[found.length === 0 ? 'valid' : 'invalid']++
    if (found.some(({ instanceLocation }) => instanceLocation.split('/').length > 2)) count.nested++
  }
  expect(Math.min(count.valid, count.invalid)).toBeGreaterThan(2_000)
  expect(count.nested).toBeGreaterThan(500)
})

test('both validators throw the same error for an output that is not JSON', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { enum: [null] } }
  for (const output of [
    { a: undefined },
    { a: () => 1 },
    { a: 1n },
    { b: undefined },
    { b: Number.NaN },
    { a: new Date(0) },
  ]) {
    expect(outcome(() => commonErrors(output, schema))).toEqual(outcome(() => fullErrors(output, schema, '2020-12')))
  }
})

test('a schema with any other keyword, at any depth, is not common', () => {
  const inside = (schema: JsonObject): JsonObject[] => [
    schema,
    { properties: { a: schema } },
    { items: schema },
    { additionalProperties: schema },
    { oneOf: [true, schema] },
  ]
  const more: JsonObject[] = [
    { $ref: '#' },
    { $id: 'a' },
    { id: 'a' },
    { $defs: {} },
    { not: {} },
    { format: 'email' },
    { multipleOf: 2 },
    { uniqueItems: true },
    { prefixItems: [] },
    { items: [] },
    { patternProperties: {} },
    { minProperties: 1 },
    { unevaluatedProperties: false },
    { 'x-own': 1 },
    { exclusiveMinimum: true },
    { minimum: '1' },
    { type: [['string']] },
    { required: true },
    { properties: { a: 1 } },
    { enum: 1 },
    { title: { $id: 'a' } },
    { anyOf: [1] },
  ]
  for (const schema of more.flatMap(inside)) expect(isCommon(schema), JSON.stringify(schema)).toBe(false)
  for (const schema of inside({ type: ['string', 'null'], description: 'x' })) expect(isCommon(schema)).toBe(true)
})

test('the schemas of the page tools are common', () => {
  const tools = [...readTools(), ...fillTools()]
  expect(tools.length).toBeGreaterThan(5)
  for (const { name, inputSchema } of tools) expect(isCommon(inputSchema), name).toBe(true)
})
