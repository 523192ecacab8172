import { expect, test } from 'playwright/test'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { z as z3 } from 'zod/v3'
import { ToolAgentError } from '../../../../src/core/data/errors.js'
import type { JsonObject, JsonValue } from '../../../../src/core/data/json.js'
import { compileOutputSchema, compileSchema } from '../../../../src/page/schema/compile.js'
import { issuesText } from '../../../../src/page/schema/validation-issue.js'

async function refusal(schema: unknown): Promise<ToolAgentError> {
  try {
    await compileSchema(schema)
  } catch (error) {
    if (error instanceof ToolAgentError) return error
    throw error
  }
  throw new Error('was accepted')
}
async function validated(schema: unknown, value: JsonValue) {
  const result = await (await compileSchema(schema)).validate(value)
  return 'issues' in result ? issuesText(result.issues) : result
}
async function shown(schema: unknown): Promise<JsonObject> {
  return (await compileSchema(schema)).jsonSchema
}

/** The same arguments in every language a page may bring. */
const orders = {
  'zod 4': z.object({
    query: z.string().describe('What to look for'),
    limit: z.number().int().min(1).max(50).default(20),
    status: z.enum(['open', 'sent']).optional(),
    from: z.object({ city: z.string(), zip: z.string().nullable() }).optional(),
    lines: z.array(z.object({ sku: z.string(), count: z.number().int() })).optional(),
    express: z.boolean().optional(),
  }),
  'zod/mini': mini.object({
    query: mini.string().check(mini.describe('What to look for')),
    limit: mini._default(mini.int().check(mini.minimum(1), mini.maximum(50)), 20),
    status: mini.optional(mini.enum(['open', 'sent'])),
    from: mini.optional(mini.object({ city: mini.string(), zip: mini.nullable(mini.string()) })),
    lines: mini.optional(mini.array(mini.object({ sku: mini.string(), count: mini.int() }))),
    express: mini.optional(mini.boolean()),
  }),
  'zod 3': z3.object({
    query: z3.string().describe('What to look for'),
    limit: z3.number().int().min(1).max(50).default(20),
    status: z3.enum(['open', 'sent']).optional(),
    from: z3.object({ city: z3.string(), zip: z3.string().nullable() }).optional(),
    lines: z3.array(z3.object({ sku: z3.string(), count: z3.number().int() })).optional(),
    express: z3.boolean().optional(),
  }),
  'JSON Schema': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What to look for' },
      limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
      status: { enum: ['open', 'sent'] },
      from: {
        type: 'object',
        properties: { city: { type: 'string' }, zip: { type: ['string', 'null'] } },
        required: ['city', 'zip'],
      },
      lines: { type: 'array', items: { $ref: '#/definitions/line' } },
      express: { type: 'boolean' },
    },
    required: ['query'],
    definitions: {
      line: {
        type: 'object',
        properties: { sku: { type: 'string' }, count: { type: 'integer' } },
        required: ['sku', 'count'],
      },
    },
  },
}

for (const [name, schema] of Object.entries(orders)) {
  test.describe(name, () => {
    test('the model sees names, types, descriptions and which are required', async () => {
      const json = await shown(schema)
      expect(json).toMatchObject({
        type: 'object',
        required: ['query'],
        properties: {
          query: { type: 'string', description: 'What to look for' },
          limit: { type: 'integer', minimum: 1, maximum: 50, default: 20 },
          status: { enum: ['open', 'sent'] },
          express: { type: 'boolean' },
        },
      })
      expect(Object.keys(json['properties'] as object)).toEqual([
        'query',
        'limit',
        'status',
        'from',
        'lines',
        'express',
      ])
      expect(json).not.toHaveProperty('$schema')
      expect(JSON.stringify(json)).not.toContain('9007199254740991')
    })
    test('valid arguments are not changed', async () => {
      const input = { query: 'teapot', limit: 5, from: { city: 'Ulm', zip: null }, lines: [{ sku: 'a', count: 2 }] }
      expect(await validated(schema, input)).toEqual({ value: input, json: input })
    })
    test('coerces strings to numbers and booleans, and null to a missing optional field', async () => {
      const coerced = await validated(schema, {
        query: '5',
        limit: '5',
        status: null,
        lines: [{ sku: '7', count: '2' }],
        express: 'true',
        from: { city: '1', zip: null },
      })
      const right = {
        query: '5',
        limit: 5,
        lines: [{ sku: '7', count: 2 }],
        express: true,
        from: { city: '1', zip: null },
      }
      expect(coerced).toEqual({ value: right, json: right })
    })
    test('coerces other ways to write the same value', async () => {
      for (const [express, right] of [
        ['True', true],
        ['FALSE', false],
        [1, true],
        [0, false],
      ])
        expect(await validated(schema, { query: 'a', express: express! })).toMatchObject({ value: { express: right } })
      for (const limit of ['5.0', '5.00'])
        expect(await validated(schema, { query: 'a', limit }), limit).toMatchObject({ value: { limit: 5 } })
    })
    test('coerces a list or an object that arrives as JSON text, at any depth', async () => {
      const right = { query: '[1]', lines: [{ sku: 'a', count: 2 }], from: { city: '{"a":1}', zip: null } }
      for (const lines of [
        '[{"sku":"a","count":2}]',
        ['{"sku":"a","count":"2"}'],
        '["{\\"sku\\":\\"a\\",\\"count\\":2}"]',
      ])
        expect(await validated(schema, { ...right, lines }), String(lines)).toMatchObject({ value: right, json: right })
      const from = JSON.stringify(right.from)
      expect(await validated(schema, { ...right, from })).toMatchObject({ value: right, json: right })
    })
    test('does not coerce a text that is no list or object, or another one', async () => {
      for (const lines of ['a', "['a']", '[', '', '{"sku":"a","count":2}', '7', `${'['.repeat(300)}${']'.repeat(300)}`])
        expect(await validated(schema, { query: 'a', lines }), lines).toContain('lines')
      for (const lines of ['[{"sku":"a","count":1,"__proto__":{"x":1}}]', '[{"sku":"a","count":1,"prototype":{}}]'])
        expect(await validated(schema, { query: 'a', lines }), lines).toContain('lines')
      expect(({} as { x?: number }).x).toBeUndefined()
    })
    test('does not coerce where information would be lost', { tag: '@C73' }, async () => {
      for (const limit of [
        '5.5.0',
        '5.',
        ' 5',
        '5 ',
        '1e1',
        '0x5',
        '',
        '05',
        '+5',
        '5,0',
        'five',
        '9007199254740993',
      ]) {
        expect(await validated(schema, { query: 'a', limit }), limit).toContain('limit: ')
      }
      expect(await validated(schema, { query: 'a', limit: '1.5' })).toContain('limit: ')
      for (const express of ['yes', '1', 2, -1])
        expect(await validated(schema, { query: 'a', express })).toContain('express: ')
    })
    test('an issue has its path', async () => {
      expect(await validated(schema, {})).toBe('query: required (string)')
      expect(await validated(schema, { query: null })).toMatch(/^query: .*(string|null)/)
      expect(await validated(schema, { query: 'a', lines: [{ sku: 'a', count: 1 }, { sku: 'b' }] })).toMatch(
        /^lines\[1\]\.count: required/,
      )
      expect(await validated(schema, { query: 'a', from: { city: 3, zip: null } })).toMatch(/^from\.city: /)
      expect(await validated(schema, { query: 'a', limit: 99 })).toMatch(/^limit: /)
      expect(await validated(schema, { query: 'a', status: 'gone' })).toMatch(/^status: .*open/)
    })
    test('keys that reach a prototype are refused at any depth', { tag: '@C75' }, async () => {
      for (const text of [
        '{"query":"a","__proto__":{"x":1}}',
        '{"query":"a","from":{"city":"a","zip":null,"constructor":1}}',
        '{"query":"a","lines":[{"prototype":{}}]}',
      ]) {
        expect(await validated(schema, JSON.parse(text) as JsonValue)).toContain('not allowed')
      }
      expect(({} as { x?: number }).x).toBeUndefined()
    })
    test('the tool cannot reach what is stored through its arguments', async () => {
      const input = { query: 'a', lines: [{ sku: 'a', count: 1 }] }
      const result = await (await compileSchema(schema)).validate(input)
      if ('issues' in result) throw new Error(issuesText(result.issues))
      const value = result.value as typeof input
      value.lines[0]!.sku = 'changed'
      expect(result.json).toMatchObject({ lines: [{ sku: 'a' }] })
      expect(input.lines[0]?.sku).toBe('a')
    })
  })
}

test.describe('what was validated is what runs', () => {
  for (const [name, schema] of Object.entries({
    'zod 4': z.object({ note: z.string().trim(), limit: z.number().default(20) }),
    'zod 3': z3.object({ note: z3.string().trim(), limit: z3.number().default(20) }),
  })) {
    test(`${name}: defaults and trimmed texts are in the JSON that is shown, unknown fields are not`, async () => {
      const right = { note: 'a', limit: 20 }
      const once = await validated(schema, { note: ' a ', extra: 1 })
      expect(once).toEqual({ value: right, json: right })
      expect(await validated(schema, right)).toEqual(once)
    })
  }
  test('a transformed value goes to the tool, and the JSON keeps the value before the transform', async () => {
    const schema = z.object({
      day: z.string().transform((day) => new Date(day)),
      twice: z.number().transform((n) => n * 2),
      name: z.string().default('x'),
    })
    const first = await validated(schema, { day: '2026-01-02', twice: '2' })
    expect(first).toEqual({
      value: { day: new Date('2026-01-02'), twice: 4, name: 'x' },
      json: { day: '2026-01-02', twice: 2 },
    })
    const json = (first as { json: JsonValue }).json
    expect(await validated(schema, json)).toEqual(first)
  })
  test('the JSON keeps the input of a transform whose output would validate to something else', async () => {
    const schema = z.object({ twice: z.number().transform((n) => n * 2) })
    expect(await validated(schema, { twice: 2 })).toEqual({ value: { twice: 4 }, json: { twice: 2 } })
  })
  test('a default that changes at each call is fixed by the first validation', async () => {
    let made = 0
    const schema = z.object({ key: z.string().default(() => `key-${++made}`) })
    const first = (await validated(schema, {})) as { value: unknown; json: JsonValue }
    expect(first.value).toEqual(first.json)
    expect(await validated(schema, first.json)).toEqual(first)
  })
  test('asynchronous refinements are awaited', async () => {
    const schema = z.object({ code: z.string().refine(async (code) => code === 'TEA10', 'no such coupon') })
    expect(await validated(schema, { code: 'TEA10' })).toEqual({ value: { code: 'TEA10' }, json: { code: 'TEA10' } })
    expect(await validated(schema, { code: 'x' })).toBe('code: no such coupon')
  })
  test('only the message of a check that the author wrote is for visitors', async () => {
    for (const zod of [z, z3 as unknown as typeof z]) {
      const amount = zod
        .number()
        .max(20)
        .refine((value) => value % 5 === 0, 'Choose 5, 10, 15 or 20.')
      const schema = zod.object({ amount, note: zod.string().refine((text) => text !== 'x') })
      const issuesOf = async (value: JsonValue) => {
        const result = await (await compileSchema(schema)).validate(value)
        return 'issues' in result ? result.issues : []
      }
      expect(await issuesOf({ amount: 7, note: 'x' })).toEqual([
        { path: 'amount', message: 'Choose 5, 10, 15 or 20.', forVisitors: true },
        { path: 'note', message: 'Invalid input' },
      ])
      expect(await issuesOf({ amount: 40, note: '' })).toEqual([
        { path: 'amount', message: expect.stringMatching(/20/) },
      ])
    }
  })
})

test.describe('coercion', () => {
  const union = (...anyOf: JsonObject[]) => ({ type: 'object', properties: { v: { anyOf } } })
  test('keeps a string or null that the schema allows', async () => {
    expect(
      await validated(
        {
          ...union({ type: 'string' }, { type: 'number' }),
          required: ['w'],
          properties: { v: { anyOf: [{ type: 'string' }, { type: 'number' }] }, w: { type: 'number' } },
        },
        { v: '5', w: '6' },
      ),
    ).toMatchObject({ json: { v: '5', w: 6 } })
    expect(
      await validated(
        { type: 'object', properties: { v: { type: ['number', 'null'] }, any: {}, n: { type: 'number' } } },
        { v: null, any: null, n: '1' },
      ),
    ).toMatchObject({ json: { v: null, any: null, n: 1 } })
  })
  test('null for a required field is an issue, not a missing field', async () => {
    expect(
      await validated({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }, { a: null }),
    ).toBe('a: expected string, received null')
  })
  test('coerces numbers in nullable unions, enums, constants, references, tuples and maps', async () => {
    const schema = {
      type: 'object',
      properties: {
        maybe: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        size: { enum: [1, 2] },
        yes: { const: true },
        ref: { $ref: '#/$defs/n' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: { type: 'boolean' } },
        old: {
          allOf: [{ type: 'object', properties: { a: { type: 'number' } } }, { properties: { b: { type: 'number' } } }],
        },
        map: { type: 'object', additionalProperties: { type: 'number' } },
        pet: {
          oneOf: [
            {
              type: 'object',
              properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
              required: ['kind', 'lives'],
            },
            {
              type: 'object',
              properties: { kind: { const: 'dog' }, lives: { type: 'string' }, good: { type: 'boolean' } },
              required: ['kind'],
            },
          ],
        },
      },
      $defs: { n: { type: 'number' } },
    }
    expect(
      await validated(schema, {
        maybe: '5',
        size: '2',
        yes: 'true',
        ref: '-1.5',
        pair: ['1', '2', 'false'],
        old: { a: '1', b: '2' },
        map: { a: '1' },
        pet: { kind: 'dog', lives: '9', good: 'true' },
      }),
    ).toMatchObject({
      json: {
        maybe: 5,
        size: 2,
        yes: true,
        ref: -1.5,
        pair: ['1', 2, false],
        old: { a: 1, b: 2 },
        map: { a: 1 },
        pet: { kind: 'dog', lives: '9', good: true },
      },
    })
  })
  test('coercion ends for a circular schema', async () => {
    const tree = {
      type: 'object',
      properties: { n: { type: 'number' }, kids: { type: 'array', items: { $ref: '#' } } },
    }
    expect(await validated(tree, { kids: [{ kids: [{ n: '3' }] }] })).toMatchObject({
      json: { kids: [{ kids: [{ n: 3 }] }] },
    })
    const loop = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/a' } },
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
    }
    await expect(validated(loop, { a: 1 })).rejects.toMatchObject({ code: 'invalid-tool' })
  })
  test('arguments nested too deep are an issue', async () => {
    let deep: JsonValue = 1
    for (let level = 0; level < 5000; level++) deep = [deep]
    expect(await validated({ type: 'object' }, { deep })).toContain('levels deep')
  })
})

test.describe('what the model sees', () => {
  test('a tool without a schema has no parameters and accepts none', async () => {
    expect(await shown(undefined)).toEqual({ type: 'object', properties: {}, additionalProperties: false })
    expect(await validated(undefined, {})).toEqual({ value: {}, json: {} })
    expect(await validated(undefined, { query: 'a' })).toContain('query: ')
    expect(await validated(undefined, [])).toBe('expected object')
  })
  test('an object without properties gets empty `properties`, which some endpoints require', async () => {
    expect(await shown({})).toEqual({ type: 'object', properties: {} })
    expect(await shown({ type: 'object', additionalProperties: true })).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: true,
    })
    expect(await shown(z.object({}))).toMatchObject({ type: 'object', properties: {} })
  })
  test('keeps definitions and references', async () => {
    const Node = z.object({
      name: z.string(),
      get kids() {
        return z.array(Node)
      },
    })
    expect(await shown(Node)).toMatchObject({ properties: { kids: { items: { $ref: '#' } } } })
    expect(await validated(Node, { name: 'a', kids: [{ name: 'b', kids: [] }] })).toMatchObject({ json: { name: 'a' } })
    const line = z.object({ sku: z.string() }).meta({ id: 'Line' })
    expect(await shown(z.object({ a: line, b: line }))).toMatchObject({
      properties: { a: { $ref: '#/$defs/Line' } },
      $defs: { Line: { properties: { sku: { type: 'string' } } } },
    })
  })
  test('replaces a reference at the root by its target', async () => {
    expect(await shown(z.object({ a: z.string() }).meta({ id: 'Args' }))).toMatchObject({
      type: 'object',
      properties: { a: { type: 'string' } },
    })
    const json = await shown({
      $ref: '#/definitions/Args',
      definitions: { Args: { type: 'object', properties: { a: { type: 'string' } } } },
    })
    expect(json).toMatchObject({ type: 'object', properties: { a: { type: 'string' } } })
    expect(json).not.toHaveProperty('$ref')
  })
  test('inlines a zod 3 schema that is used twice, but not a recursive one', async () => {
    const day = z3.string().describe('a day')
    expect(await shown(z3.object({ from: day, to: day }))).toMatchObject({
      properties: { from: { description: 'a day' }, to: { type: 'string', description: 'a day' } },
    })
    type Node = { name: string; kids: Node[] }
    const Node: z3.ZodType<Node> = z3.object({ name: z3.string(), kids: z3.lazy(() => z3.array(Node)) })
    expect(await shown(z3.object({ left: Node, right: Node }))).toMatchObject({
      properties: {
        left: { properties: { kids: { items: { $ref: '#/properties/left' } } } },
        right: { properties: { name: { type: 'string' } } },
      },
    })
  })
  test('removes only the bounds that zod adds to integers, at any depth', { tag: '@R2.3' }, async () => {
    const json = await shown(
      z.object({
        a: z.number().int(),
        minimum: z.number().int().min(3),
        list: z.array(z.int()),
        u: z.union([z.int(), z.null()]),
      }),
    )
    expect(json['properties']).toMatchObject({ a: { type: 'integer' }, minimum: { type: 'integer', minimum: 3 } })
    expect(JSON.stringify(json)).not.toContain('9007199254740991')
    expect(
      await shown({
        type: 'object',
        properties: { a: { type: 'object', default: { maximum: Number.MAX_SAFE_INTEGER } } },
      }),
    ).toMatchObject({ properties: { a: { default: { maximum: Number.MAX_SAFE_INTEGER } } } })
  })
  test('a coerced date is a string for the model and a Date for the tool', async () => {
    const schema = z.object({ day: z.coerce.date(), big: z.coerce.bigint() })
    expect(await shown(schema)).toMatchObject({
      properties: { day: { type: 'string', format: 'date-time' }, big: { type: 'string' } },
    })
    expect(await validated(schema, { day: '2026-01-02T10:00:00Z', big: '12' })).toEqual({
      value: { day: new Date('2026-01-02T10:00:00Z'), big: 12n },
      json: { day: '2026-01-02T10:00:00Z', big: '12' },
    })
  })
  test('reads descriptions from the schema where its copy of zod has its own registry', async () => {
    const query = Object.assign(mini.string(), { meta: () => ({ description: 'What to look for' }) })
    expect(await shown(mini.object({ query }))).toMatchObject({
      properties: { query: { description: 'What to look for' } },
    })
  })
  test('removes control characters and invisible tag characters', async () => {
    expect(
      await shown({
        type: 'object',
        properties: { a: { type: 'string', description: 'a\u0000b\u{E0041}\u202Ec\n\td' } },
      }),
    ).toMatchObject({ properties: { a: { description: 'abc\n\td' } } })
  })
  test('neither changes nor keeps the author’s schema', async () => {
    const own = {
      type: 'object',
      properties: { a: { type: 'string' } },
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    }
    const before = JSON.stringify(own)
    const compiled = await compileSchema(own)
    await compiled.validate({ a: 1 })
    expect(JSON.stringify(own)).toBe(before)
    expect(Reflect.ownKeys(own.properties.a)).toEqual(['type'])
    const frozen = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
    })
    expect(await validated(frozen, { a: 'x' })).toMatchObject({ json: { a: 'x' } })
  })
})

test.describe('Standard JSON Schema', () => {
  const make = (json: JsonObject, fails = false) => {
    const targets: string[] = []
    const schema = {
      '~standard': {
        version: 1,
        vendor: 'hand-made',
        validate: (value: unknown) =>
          typeof (value as { query?: unknown }).query === 'number'
            ? { value: { query: `#${(value as { query: number }).query}` } }
            : { issues: [{ message: 'query must be a number (was missing)', path: [{ key: 'query' }] }] },
        jsonSchema: {
          input: ({ target }: { target: string }) => {
            targets.push(target)
            if (fails && target !== 'draft-07') throw new Error('only draft-07')
            return json
          },
          output: () => ({}),
        },
      },
    }
    return { schema, targets }
  }
  const json = { type: 'object', properties: { query: { type: 'number' } }, required: ['query'] }
  test('converts and validates itself, and its arguments are coerced', async () => {
    const { schema, targets } = make(json)
    expect(await shown(schema)).toEqual(json)
    expect(targets).toEqual(['draft-2020-12'])
    expect(await validated(schema, { query: '5' })).toEqual({ value: { query: '#5' }, json: { query: 5 } })
    expect(await validated(schema, {})).toBe('query: required (number)')
  })
  test('may be a function, and may convert to draft 7 only', async () => {
    const { schema, targets } = make(json, true)
    expect(await shown(Object.assign(() => undefined, schema))).toEqual(json)
    expect(targets).toEqual(['draft-2020-12', 'draft-07'])
  })
  test('rejects a conversion that lost the properties', { tag: '@R2.3' }, async () => {
    expect((await refusal(make({ type: 'object' }).schema)).message).toContain('"query"')
    expect((await refusal(make({}).schema)).message).toContain('empty')
  })
  test('rejects a schema that cannot be converted, with advice', async () => {
    const valibot = { '~standard': { version: 1, vendor: 'valibot', validate: () => ({ value: {} }) } }
    expect((await refusal(valibot)).message).toContain('toStandardJsonSchema')
  })
})

test.describe('refused at registration', () => {
  const cases: [string, unknown, RegExp][] = [
    ['a string', 'string', /inputSchema: expected a schema .*received "string"/],
    ['an array', [], /expected a schema .*received an array/],
    ['a function', () => 1, /expected a schema .*received a function/],
    ['a bare shape of zod schemas', { query: z.string() }, /z\.object\(\{ query/],
    ['a zod string', z.string(), /root must be an object schema, received "string"/],
    ['a zod 3 array', z3.array(z3.string()), /received "array"/],
    [
      'a union at the root',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      /received "anyOf".*property/,
    ],
    ['a JSON Schema of a list', { type: 'array', items: {} }, /received "array"/],
    ['a date that is not coerced', z.object({ day: z.date() }), /Date cannot be represented.*z\.iso/],
    ['a Map', z.object({ m: z.map(z.string(), z.string()) }), /Map cannot be represented/],
    ['a zod 3 function that its converter drops', z3.object({ a: z3.string(), f: z3.function() }), /lacks "f"/],
    [
      'an unknown type',
      { type: 'object', properties: { a: { type: 'float' } } },
      /properties\.a\.type is "float".*"number"/,
    ],
    [
      'required: true',
      { type: 'object', properties: { a: { type: 'string', required: true } } },
      /properties\.a\.required is true: expected an array/,
    ],
    ['a broken pattern', { type: 'object', properties: { a: { pattern: '(' } } }, /regular expression/],
    [
      'a reference without a target',
      { type: 'object', properties: { a: { $ref: '#/$defs/b' } } },
      /points at "#\/\$defs\/b"/,
    ],
    [
      'a reference to another document',
      { type: 'object', properties: { a: { $ref: 'https://example.org/a.json' } } },
      /not in this schema/,
    ],
    [
      'a property that is not a schema',
      { type: 'object', properties: { a: 'string' } },
      /properties has "string" at "a": expected a schema/,
    ],
    [
      'a schema with functions in it',
      { type: 'object', properties: { a: { type: 'string', check: () => 1 } } },
      /a function at 'properties\.a\.check'/,
    ],
  ]
  for (const [name, schema, message] of cases) {
    test(name, async () => {
      const error = await refusal(schema)
      expect(error.code).toBe('invalid-tool')
      expect(error.message).toMatch(message)
      expect(error.message).toContain('inputSchema')
    })
  }
  test('throws synchronously unless code has to be loaded', async () => {
    expect(() => compileSchema({ type: 'array' })).toThrow(ToolAgentError)
    expect(compileSchema({ type: 'object' })).not.toBeInstanceOf(Promise)
    await compileSchema(z.object({})) // Loads the code for schemas of libraries.
    expect(() => compileSchema(z.string())).toThrow(ToolAgentError)
    expect(compileSchema(z.object({}))).not.toBeInstanceOf(Promise)
    expect(compileSchema(z3.object({}))).toBeInstanceOf(Promise)
  })
})

test.describe('issues of plain JSON Schema', () => {
  const cases: [JsonObject, JsonValue, string][] = [
    [{ properties: { a: { type: 'string' } }, additionalProperties: false }, { b: 1 }, 'b: unrecognized key'],
    [{ properties: { a: { enum: ['x', 'y'] } } }, { a: 'z' }, 'a: expected one of "x","y"'],
    [{ properties: { a: { const: 'x' } } }, { a: 'z' }, 'a: expected "x"'],
    [
      { properties: { 'a b': { type: 'array', items: { type: 'string' } } } },
      { 'a b': [1] },
      '["a b"][0]: expected string, received number',
    ],
    [{ properties: { a: { type: ['string', 'null'] } } }, { a: [] }, 'a: expected string or null, received array'],
    [
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'object', required: ['b'] }] } } },
      { a: {} },
      'a: matches none of the alternatives: expected string, received object | a.b: required',
    ],
    [
      { properties: { a: { type: 'string', format: 'email' } } },
      { a: 'x' },
      'a: expected a string of the format email',
    ],
    [{ properties: { a: { type: 'string' } } }, [], 'expected object, received array'],
  ]
  for (const [schema, value, text] of [
    ...cases,
    [{ properties: { a: { minimum: 2 } } }, { a: 1 }, 'a: expected a number >= 2, received 1'],
    [{ properties: { a: { exclusiveMaximum: 2 } } }, { a: 2 }, 'a: expected a number < 2, received 2'],
    [{ properties: { a: { multipleOf: 2 } } }, { a: 3 }, 'a: expected a multiple of 2, received 3'],
    [{ properties: { a: { minLength: 2 } } }, { a: '😀' }, 'a: expected at least 2 characters, received 1'],
    [{ properties: { a: { maxItems: 1 } } }, { a: [1, 2] }, 'a: expected at most 1 item, received 2'],
    [{ minProperties: 1 }, {}, 'expected at least 1 key, received 0'],
    [{ required: ['a', 'b'] }, {}, 'a: required; b: required'],
    [
      { properties: { a: { oneOf: [{ minimum: 1 }, { minimum: 2 }, false] } } },
      { a: 3 },
      'a: matches 2 of the alternatives, expected exactly one',
    ],
    [
      { properties: { a: { items: { anyOf: [{ type: 'string' }, { maximum: 0 }] } } } },
      { a: [1, 2] },
      [
        'a[0]: matches none of the alternatives: expected string, received number | expected a number <= 0, received 1',
        'a[1]: matches none of the alternatives: expected string, received number | expected a number <= 0, received 2',
      ].join('; '),
    ],
  ] as typeof cases) {
    test(text, async () => expect(await validated({ type: 'object', ...schema }, value)).toBe(text))
  }
  test('lists at most ten issues, and counts the rest', () => {
    expect(issuesText(Array.from({ length: 13 }, (_, index) => ({ path: `a${index}`, message: 'x' })))).toMatch(
      /a9: x; and 3 more$/,
    )
  })
})

test('an output schema may have any root and does not coerce', async () => {
  expect(await (await compileOutputSchema(z.array(z.number()))).validate([1])).toEqual({ value: [1] })
  expect(await (await compileOutputSchema({ type: 'array', items: { type: 'number' } })).validate(['1'])).toEqual({
    issues: [{ path: '[0]', message: 'expected number, received string' }],
  })
})
