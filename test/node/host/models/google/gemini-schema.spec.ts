// JSON Schema of tools as the subset that function declarations of Gemini have.
import { expect, test } from 'playwright/test'
import type { JsonObject, JsonValue } from '../../../../../src/core/data/json.js'
import { geminiSchema } from '../../../../../src/host/models/google/gemini-schema.js'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
const any = { anyOf: ['string', 'number', 'boolean', 'object'].map((type) => ({ type })) }

for (const [title, given, wanted] of [
  ['keywords of both stay', { type: 'string', minLength: 1, pattern: '^a', description: 'A' }, undefined],
  [
    'unknown keywords are dropped',
    { type: 'array', items: { type: 'number', multipleOf: 2 }, uniqueItems: true, default: [], $comment: 'x' },
    { type: 'array', items: { type: 'number' } },
  ],
  [
    'additionalProperties is dropped beside properties',
    object({ a: { type: 'string' } }, { additionalProperties: false, required: ['a', 'gone'] }),
    object({ a: { type: 'string' } }, { required: ['a'] }),
  ],
  ['const is an enum', { const: 'a' }, { type: 'string', enum: ['a'] }],
  ['an enum without a type gets one', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  ['null in an enum is nullable', { enum: ['a', null] }, { type: 'string', enum: ['a'], nullable: true }],
  [
    'null in an enum of a type is nullable',
    { type: 'string', enum: ['a', null] },
    { type: 'string', enum: ['a'], nullable: true },
  ],
  [
    'an enum of numbers is described',
    { type: 'integer', enum: [1, 2], description: 'How many.' },
    { type: 'integer', description: 'How many. One of: 1, 2.' },
  ],
  ['an empty text in an enum is described', { enum: ['', 'a'] }, { type: 'string', description: 'One of: "", "a".' }],
  ['a type list with null is nullable', { type: ['string', 'null'] }, { type: 'string', nullable: true }],
  [
    'a type list is a choice',
    { type: ['string', 'integer'], description: 'Id' },
    { anyOf: [{ type: 'string' }, { type: 'integer' }], description: 'Id' },
  ],
  [
    'oneOf with null is a nullable choice',
    { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
    { anyOf: [{ type: 'string' }, { type: 'number' }], nullable: true },
  ],
  [
    'allOf is merged',
    { allOf: [object({ a: { type: 'string' } }, { required: ['a'] }), object({ b: { type: 'string' } })] },
    object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'], propertyOrdering: ['a', 'b'] }),
  ],
  ['a reference is replaced', { $ref: '#/$defs/tea', description: 'My' }, { type: 'string', description: 'My' }],
  ['a schema without a type is any value', { description: 'Any' }, { ...any, description: 'Any' }],
  ['true is any value', true, any],
  ['items are required', { type: 'array' }, { type: 'array', items: any }],
  [
    'a tuple is an array of its items',
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
    { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
  ],
  ['an exclusive limit moves', { type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }],
  ['an exclusive limit of a fraction stays', { type: 'number', exclusiveMaximum: 1 }, { type: 'number', maximum: 1 }],
  ['an old exclusive limit is dropped', { type: 'number', exclusiveMinimum: true }, { type: 'number' }],
  ['a known format stays', { type: 'string', format: 'date-time' }, undefined],
  [
    'another format is described',
    { type: 'string', format: 'email' },
    { type: 'string', description: 'Format: email.' },
  ],
  ['a title describes', { type: 'string', title: 'Tea' }, { type: 'string', description: 'Tea' }],
  ['an object without properties stays', { type: 'object' }, undefined],
] as const satisfies readonly (readonly [string, JsonValue, JsonObject | undefined])[]) {
  test(`schema: ${title}`, () => {
    const root = object({ value: given }, { $defs: { tea: { type: 'string', description: 'Tea' } } })
    expect(geminiSchema(root)).toEqual({ parameters: object({ value: wanted ?? given }) })
  })
}

test('schema: several properties keep their order', () => {
  expect(geminiSchema(object({ b: { type: 'string' }, a: { type: 'string' } }))).toEqual({
    parameters: object({ b: { type: 'string' }, a: { type: 'string' } }, { propertyOrdering: ['b', 'a'] }),
  })
})

test('schema: references that multiply are sent as JSON Schema', () => {
  const level = (next: number): JsonObject => {
    const inner = { $ref: `#/$defs/${next}` }
    return object({ a: inner, b: inner, c: inner, d: inner })
  }
  const $defs = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [String(place), level(place + 1)]))
  const schema = object({ a: { $ref: '#/$defs/0' } }, { $defs: { ...$defs, 30: { type: 'string' } } })
  expect(geminiSchema(schema)).toEqual({ parametersJsonSchema: schema })
})

test('schema: a tool without arguments has no parameters', () => {
  for (const none of [{ type: 'object' }, {}, object({}), object({}, { additionalProperties: false })])
    expect(geminiSchema(none)).toBe('none')
})

for (const [title, schema] of [
  ['a recursive schema', object({ child: { $ref: '#' } })],
  ['a reference that does not exist', object({ a: { $ref: '#/$defs/gone' } })],
  ['a choice of objects at the root', { anyOf: [object({ a: {} }), object({ b: {} })] }],
  ['a free object', { type: 'object', additionalProperties: { type: 'string' } }],
  ['a choice beside properties', object({ a: object({ b: {} }, { anyOf: [{ required: ['b'] }] }) })],
] as const) {
  test(`schema: ${title} is sent as JSON Schema`, () => {
    expect(geminiSchema({ $schema: 'https://json-schema.org/draft-07/schema#', ...schema })).toEqual({
      parametersJsonSchema: schema,
    })
  })
}

test('a reference with a percent sign that is no escape is sent as JSON Schema', () => {
  const schema = object({ rate: { $ref: '#/$defs/100%' } }, { $defs: { '100%': { type: 'number' } } })
  expect(geminiSchema(schema)).toEqual({ parametersJsonSchema: schema })
})
