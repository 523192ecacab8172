// Common mistakes and dialects: OpenAPI 3.0, patterns of other engines, parameters without an object schema. Each is
// converted, or rejected when the tool is registered.
import { expect, test } from 'playwright/test'
import { z } from 'zod'
import { z as z3 } from 'zod/v3'
import type { JsonObject, JsonValue } from '../../../../src/core/data/json.js'
import { compileOutputSchema, compileSchema } from '../../../../src/page/schema/compile.js'
import { issuesText } from '../../../../src/page/schema/validation-issue.js'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({ type: 'object', properties, ...more })
/** The issues as the model reads them, or the arguments that run. */
async function called(schema: JsonObject, value: JsonValue): Promise<unknown> {
  const result = await (await compileSchema(schema)).validate(value)
  return 'issues' in result ? issuesText(result.issues) : result.json
}
const shown = async (schema: unknown): Promise<JsonObject> => (await compileSchema(schema)).jsonSchema
async function refusal(schema: unknown): Promise<string> {
  try {
    await compileSchema(schema)
  } catch (error) {
    return (error as Error).message
  }
  return 'was accepted'
}

test.describe('OpenAPI 3.0', () => {
  test('nullable adds null to a type, to an enum and to a reference', async () => {
    const schema = object(
      {
        name: { type: 'string', nullable: true, description: 'Who' },
        size: { type: 'string', enum: ['s', 'm'], nullable: true },
        pet: { allOf: [{ $ref: '#/$defs/pet' }], nullable: true, description: 'Which' },
        never: { type: 'string', nullable: false },
        any: { nullable: true },
      },
      {
        $defs: { pet: { type: 'object', properties: { id: { type: 'integer', nullable: true } }, required: ['id'] } },
        required: ['name'],
      },
    )
    expect(await shown(schema)).toMatchObject({
      properties: {
        name: { type: ['string', 'null'], description: 'Who' },
        size: { type: ['string', 'null'], enum: ['s', 'm', null] },
        pet: { anyOf: [{ allOf: [{ $ref: '#/$defs/pet' }] }, { type: 'null' }], description: 'Which' },
        never: { type: 'string' },
      },
    })
    expect(JSON.stringify(await shown(schema))).not.toContain('nullable')
    const good = { name: null, size: null, pet: null, any: null }
    expect(await called(schema, good)).toEqual(good)
    expect(await called(schema, { name: 'Ada', size: 'm', pet: { id: null } })).toEqual({
      name: 'Ada',
      size: 'm',
      pet: { id: null },
    })
    expect(await called(schema, { name: 7, pet: {} })).toContain('name: expected string or null, received number')
  })

  test('boolean bounds become numbers', async () => {
    const schema = object({
      n: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 10, exclusiveMaximum: true },
      m: { type: 'integer', minimum: 1, exclusiveMinimum: false },
    })
    expect((await shown(schema))['properties']).toEqual({
      n: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
      m: { type: 'integer', minimum: 1 },
    })
    expect(await called(schema, { n: 5, m: 1 })).toEqual({ n: 5, m: 1 })
    expect(await called(schema, { n: 10 })).toContain('n: expected a number < 10, received 10')
    expect(await called(schema, { n: 0 })).toContain('n:')
  })

  test('boolean bounds of draft 4 still validate, and the model sees numbers', async () => {
    const schema = object(
      { n: { type: 'number', maximum: 10, exclusiveMaximum: true } },
      { $schema: 'http://json-schema.org/draft-04/schema#' },
    )
    expect((await shown(schema))['properties']).toEqual({ n: { type: 'number', exclusiveMaximum: 10 } })
    expect(await called(schema, { n: 9 })).toEqual({ n: 9 })
    expect(await called(schema, { n: 10 })).toContain('n:')
  })

  test('rejects a boolean bound without its number', async () => {
    expect(await refusal(object({ n: { type: 'number', exclusiveMaximum: true } }))).toContain(
      'properties.n.exclusiveMaximum is true, but "maximum" is missing',
    )
  })

  test('converts output schemas too, and properties may have the names of keywords', async () => {
    const schema = object({ nullable: { type: 'string' }, exclusiveMaximum: { type: 'boolean', nullable: true } })
    expect(await (await compileOutputSchema(schema)).validate({ nullable: 'x', exclusiveMaximum: null })).toEqual({
      value: { nullable: 'x', exclusiveMaximum: null },
    })
    expect((await shown(schema))['properties']).toEqual({
      nullable: { type: 'string' },
      exclusiveMaximum: { type: ['boolean', 'null'] },
    })
  })
})

test.describe('parameters without an object schema', () => {
  for (const [title, schema] of [
    ['types', { query: 'string' }],
    ['several types', { query: 'string', limit: 'number' }],
    ['schemas of properties', { query: { type: 'string' } }],
    ['words', { query: 'What to look for' }],
  ] as const) {
    test(`${title} are rejected with a hint`, async () => {
      expect(await refusal(schema)).toMatch(
        /^inputSchema: "query" is not a keyword of JSON Schema.*\{ type: 'object', properties: \{ query: … \} \}/,
      )
    })
  }

  test('rejects a parameter with the name of an annotation too', async () => {
    for (const name of ['title', 'description'])
      expect(await refusal({ [name]: { type: 'string' } })).toContain(`inputSchema: "${name}" is not a keyword`)
  })

  test('accepts a schema of annotations, or of keywords that need no properties', async () => {
    for (const schema of [
      {},
      { description: 'Nothing' },
      { $comment: 'x' },
      { 'x-order': 1 },
      { additionalProperties: { type: 'string' } },
      { required: ['a'] },
      { minProperties: 1 },
    ]) {
      expect(await refusal(schema), JSON.stringify(schema)).toBe('was accepted')
    }
  })
})

test.describe('patterns', () => {
  const of = (pattern: string, more: JsonObject = {}): JsonObject =>
    object({ text: { type: 'string', pattern, ...more } })

  test('a pattern that is valid only without Unicode mode is accepted and checked', async () => {
    const email = '^[\\w-\\.]+@([\\w-]+\\.)+[\\w-]{2,4}$'
    for (const more of [{}, { contentMediaType: 'text/plain' }]) {
      expect(await called(of(email, more), { text: 'a.b-c@x-y.de' })).toEqual({ text: 'a.b-c@x-y.de' })
      expect(await called(of(email, more), { text: 'a b@x.de' })).toContain('text: must match the pattern')
    }
  })

  for (const [pattern, good, bad] of [
    ['^\\@\\w+\\_\\d$', '@ab_1', 'ab_1'],
    ['^[\\d-x]+$', '1-x', 'a'],
    ['^a{,3}}$', 'a{,3}}', 'aaa'],
    ['^]x$', ']x', 'x'],
    ['^[a\\_\\-\\ ]+$', 'a_- ', 'b'],
    ['^it\\\'s \\"ok\\"$', 'it\'s "ok"', 'its'],
    ['^[^\\s-\\w]+$', '+', '-'],
    ['^\\/api\\/\\#\\:$', '/api/#:', 'api'],
    ['^[a-\\d]$', '-', 'b'],
    ['^{x}$', '{x}', 'x'],
  ] as const) {
    test(`a pattern keeps its meaning when it is converted to Unicode mode: ${pattern}`, async () => {
      expect([new RegExp(pattern).test(good), new RegExp(pattern).test(bad)]).toEqual([true, false])
      expect(() => new RegExp(pattern, 'u')).toThrow()
      expect(await called(of(pattern), { text: good })).toEqual({ text: good })
      expect(await called(of(pattern), { text: bad })).toContain('must match')
    })
  }

  test('converts the patterns of property names too', async () => {
    const schema = object(
      {},
      { patternProperties: { '^[\\w-\\.]+$': { type: 'integer' } }, additionalProperties: false },
    )
    expect(await called(schema, { 'a.b-c': 1 })).toEqual({ 'a.b-c': 1 })
    expect(await called(schema, { 'a b': 1 })).toContain('a b')
  })

  for (const pattern of ['(?=a)*', '^(a)\\2$', '^\\01$', '^\\p{Lx}$', '^\\k<a>$', '^[b-\\d-a-]$(?=x)+'])
    test(`rejects a pattern that has no form in Unicode mode: ${pattern}`, async () => {
      expect(() => new RegExp(pattern)).not.toThrow()
      const message = await refusal(of(pattern))
      expect(message).toContain('properties.text.pattern')
      expect(message).toContain(JSON.stringify(pattern))
      expect(await refusal(object({ map: { patternProperties: { [pattern]: {} } } }))).toContain(
        JSON.stringify(pattern),
      )
    })

  test('a pattern that is invalid in every mode is rejected', async () => {
    expect(await refusal(of('['))).toContain('properties.text.pattern is not a regular expression')
  })

  test('an issue has the pattern, also behind references and in alternatives', async () => {
    expect(await called(of('^[A-Z]{3}$'), { text: 'abc' })).toBe('text: must match the pattern ^[A-Z]{3}$')
    const schema = object(
      {
        list: { type: 'array', items: { $ref: '#/$defs/a~1b' } },
        either: { anyOf: [{ type: 'string', pattern: '^x' }, { type: 'number' }] },
      },
      { $defs: { 'a/b': { type: 'string', pattern: '^\\d+$' } } },
    )
    expect(await called(schema, { list: ['1', 'x'] })).toBe('list[1]: must match the pattern ^\\d+$')
    expect(await called(schema, { either: 'y' })).toContain('must match the pattern ^x')
  })

  test('an issue has the pattern of zod 4 and zod 3', async () => {
    expect(await called(z.object({ code: z.string().regex(/^[A-Z]{3}$/) }) as never, { code: 'abc' })).toContain(
      '^[A-Z]{3}$',
    )
    expect(
      await called(z3.object({ list: z3.array(z3.object({ code: z3.string().regex(/^[A-Z]{3}$/) })) }) as never, {
        list: [{ code: 'abc' }],
      }),
    ).toBe('list[0].code: must match the pattern ^[A-Z]{3}$')
    expect(
      await called(z3.object({ code: z3.string().regex(/^[A-Z]{3}$/, 'Three letters') }) as never, { code: 'abc' }),
    ).toBe('code: Three letters')
  })

  test('a pattern that only repeats a format is not sent to the model, and still validates', async () => {
    const schema = z.object({
      day: z.iso.date(),
      at: z.iso.datetime(),
      mail: z.email(),
      id: z.uuid(),
      ip: z.ipv4().optional(),
      six: z.ipv6().optional(),
      long: z.iso.duration().optional(),
    })
    const sent = JSON.stringify((await shown(schema))['properties'])
    expect(sent).not.toContain('pattern')
    expect(sent).toContain('"day":{"type":"string","format":"date"}')
    const good = {
      day: '2024-02-29',
      at: '2024-02-29T10:00:00Z',
      mail: 'a@b.co',
      id: '123e4567-e89b-42d3-a456-426614174000',
    }
    expect(await called(schema as unknown as JsonObject, good)).toEqual(good)
    expect(await called(schema as unknown as JsonObject, { ...good, day: '2023-02-29' })).toContain('day')
    const plain = object({ day: { type: 'string', format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } })
    expect((await shown(plain))['properties']).toEqual({ day: { type: 'string', format: 'date' } })
  })

  test('the pattern of a discovered tool is not run at registration, so it stays beside its format', async () => {
    const schema = object({ day: { type: 'string', format: 'date', pattern: '^\\d{4}-\\d\\d-\\d\\d$' } })
    const { jsonSchema } = await compileSchema(schema, 'inputSchema', true)
    expect(jsonSchema['properties']).toEqual(schema['properties'])
  })

  test('a pattern that is stricter than its format is sent to the model', async () => {
    const schema = z.object({
      mail: z.email({ pattern: /@example\.com$/ }),
      id: z.uuidv4(),
      code: z.string().regex(/^[A-Z]+$/),
      nano: z.nanoid(),
    })
    const { properties } = (await shown(schema)) as { properties: Record<string, JsonObject> }
    expect(Object.values(properties).map(({ pattern }) => pattern !== undefined)).toEqual([true, true, true, true])
  })
})

test.describe('references', () => {
  test('rejects a relative reference to another document', async () => {
    for (const more of [{}, { $id: 'https://example.com/tools/find.json' }, { $id: 'find.json' }]) {
      expect(await refusal(object({ pet: { $ref: 'pet.json' } }, more)), JSON.stringify(more)).toContain(
        'properties.pet.$ref points at "pet.json"',
      )
      expect(await refusal(object({ pet: { $ref: './defs.json#/$defs/pet' } }, more)), JSON.stringify(more)).toContain(
        'points at "./defs.json#/$defs/pet"',
      )
    }
  })

  test('rejects a reference without a target, also where the schema has an id', async () => {
    for (const more of [{}, { $id: 'https://example.com/tools/find.json' }, { id: 'find.json' }]) {
      expect(await refusal(object({ pet: { $ref: '#/definitions/pet' } }, more)), JSON.stringify(more)).toContain(
        'points at "#/definitions/pet"',
      )
      expect(
        await called(
          object({ pet: { $ref: '#/definitions/pet' } }, { ...more, definitions: { pet: { type: 'integer' } } }),
          { pet: 'x' },
        ),
      ).toContain('pet: expected integer')
    }
  })

  test('follows a reference to a part of the schema by its id', async () => {
    const defs = { pet: { $id: 'pet.json', type: 'object', properties: { n: { type: 'integer' } } } }
    for (const [$id, $ref] of [
      ['https://example.com/tools/find.json', 'pet.json'],
      ['https://example.com/tools/find.json', 'https://example.com/tools/pet.json'],
      ['https://example.com/tools/find.json', '/tools/pet.json'],
    ]) {
      const schema = object({ pet: { $ref: $ref! } }, { $id: $id!, $defs: defs })
      expect(await called(schema, { pet: { n: 1 } }), $ref!).toEqual({ pet: { n: 1 } })
    }
  })
})
