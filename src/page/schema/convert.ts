// Converts any schema to the JSON Schema that the model sees. A schema converts itself if it can. A converter is loaded
// only for zod schemas that cannot, so other pages do not download it.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { plainJson } from '../../core/data/plain-json.js'
import { received } from '../parse-options.js'
import { checkStructure } from './structure.js'
import { mapSchema, resolvePointer } from './walk.js'
import { declaredNames, invalidSchema, type SchemaKind, type Standard, type ZodDef } from './kinds.js'

/** The dialect that libraries are asked for first. */
export const jsonSchemaTarget = 'draft-2020-12'

/**
 * The JSON Schema of the arguments. A promise only where a converter has to be loaded. The patterns of a `foreign`
 * schema are never run, because they could block the page.
 * @throws `invalid-tool`; the promise rejects with it
 */
export function jsonSchemaOf(of: SchemaKind, what: string, foreign = false): JsonObject | Promise<JsonObject> {
  switch (of.kind) {
    case 'none':
      return { type: 'object', properties: {}, additionalProperties: false }
    case 'json': {
      const json = copied(of.schema, what) as JsonObject
      const hasLegacyPattern = checkStructure(json, what)
      // The patterns of a foreign schema are not validated, so they need no conversion.
      return isOpenApi(json) || (hasLegacyPattern && !foreign)
        ? import('../validation/validation-chunk.js').then(({ toModernDialect }) =>
            finish(toModernDialect(json, what), what, [], foreign),
          )
        : finish(json, what, [], foreign)
    }
    case 'standard': {
      const json = finish(convertStandard(of.schema, what), what, undefined)
      return Object.keys(json['properties'] as JsonObject).length > 0 ? json : probed(of.schema, json, what)
    }
    case 'zod3':
      return import('../validation/validation-chunk.js').then(async ({ convertZod3 }) =>
        finish(await convertZod3(of.schema), what, declaredNames(of.schema._def)),
      )
    case 'zod4': {
      const { jsonSchema } = of.schema['~standard']
      const declared = declaredNames(of.schema._zod.def)
      if (jsonSchema)
        return finish(
          zod4Options(what, (libraryOptions) => jsonSchema.input({ target: jsonSchemaTarget, libraryOptions })),
          what,
          declared,
        )
      // zod/mini and zod before 4.2 cannot convert themselves.
      return import('../validation/validation-chunk.js').then(async ({ zod4Converter }) =>
        finish(zod4Options(what, await zod4Converter(of.schema)), what, declared),
      )
    }
  }
}

/**
 * A copy of a plain JSON Schema, because its author may change the original later.
 * @throws `invalid-tool` for a schema with a mistake
 */
export function plainSchema(schema: Record<string, unknown>, what: string): JsonObject {
  const json = copied(schema, what) as JsonObject
  checkStructure(json, what)
  return json
}

/** Whether a schema may have keywords of OpenAPI 3.0 or draft 4, which current validators ignore or reject. */
export function isOpenApi(json: JsonValue): boolean {
  return /"(nullable|exclusiveM..imum)":(true|false)/.test(JSON.stringify(json))
}

/** Converts by the library itself: to the current dialect, or to draft 7 where it knows no newer one. */
function convertStandard(schema: Standard, what: string): unknown {
  const { jsonSchema, vendor } = schema['~standard']
  if (jsonSchema === undefined) {
    throw invalidSchema(
      `${what}: this ${vendor} schema cannot be converted to JSON Schema. ` +
        (vendor === 'valibot'
          ? 'Wrap it in toStandardJsonSchema() of @valibot/to-json-schema.'
          : 'Use a version that implements Standard JSON Schema.'),
    )
  }
  try {
    return jsonSchema.input({ target: jsonSchemaTarget })
  } catch (first) {
    try {
      return jsonSchema.input({ target: 'draft-07' })
    } catch {
      throw invalidSchema(`${what}: ${vendor} cannot convert it to JSON Schema: ${errorMessage(first)}`, first)
    }
  }
}

/**
 * A converted schema without properties may have lost them. Throws if the original requires one: validating `{}` then
 * gives an issue with its name.
 */
function probed(schema: Standard, json: JsonObject, what: string): JsonObject {
  const result = schema['~standard'].validate({})
  if (result instanceof Promise) {
    // An asynchronous validation ends too late to throw. Its rejection must not become an unhandled one.
    result.catch(() => undefined)
    return json
  }
  const first = result.issues?.map((issue) => issue.path?.[0]).find((key) => key !== undefined)
  const asked = typeof first === 'object' ? first.key : first
  if (asked === undefined || json['additionalProperties'] !== undefined || json['patternProperties'] !== undefined)
    return json
  throw invalidSchema(
    `${what}: the converted JSON Schema has no properties, but the schema requires "${String(asked)}"`,
  )
}

/** The options of zod's `toJSONSchema` that are used here. */
export type Zod4Options = {
  readonly unrepresentable: 'any'
  /** Called for each node after its conversion; may change `jsonSchema`. What it throws ends the conversion. */
  readonly override: (node: { zodSchema: { _zod: { def: unknown } }; jsonSchema: Record<string, unknown> }) => void
}

/**
 * Converts strictly. If a type has no JSON form, converts again with a string form for coerced dates and big integers.
 */
function zod4Options(what: string, convert: (options?: Zod4Options) => unknown): unknown {
  try {
    return convert()
  } catch (first) {
    try {
      return convert({
        unrepresentable: 'any',
        override({ zodSchema, jsonSchema }) {
          const { type, coerce } = zodSchema._zod.def as ZodDef
          if (coerce === true && type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
          else if (coerce === true && type === 'bigint')
            Object.assign(jsonSchema, { type: 'string', pattern: '^-?\\d+$' })
          else if (type !== undefined && withoutJson.has(type)) throw first
        },
      })
    } catch {
      throw invalidSchema(
        `${what}: ${errorMessage(first)}. Arguments are JSON: use z.iso.date() or z.iso.datetime() for a date, ` +
          'z.array() for a Set or Map',
        first,
      )
    }
  }
}

/** Types of zod 4 that JSON cannot hold. */
const withoutJson: ReadonlySet<string> = new Set([
  'date',
  'bigint',
  'map',
  'set',
  'symbol',
  'undefined',
  'void',
  'nan',
  'function',
  'custom',
  'promise',
  'file',
])

/**
 * The last step of every conversion: checks the result and removes what the model does not need. `declared`: the
 * properties that the result must have, undefined where they are unknown.
 */
function finish(made: unknown, what: string, declared: readonly string[] | undefined, foreign = false): JsonObject {
  const json = copied(made, what)
  if (!isObject(json))
    throw invalidSchema(`${what}: expected a schema that converts to an object, received ${received(json)}`)
  const root = rootOf(json as JsonObject, what)
  const properties = isObject(root['properties']) ? root['properties'] : {}
  const lost = declared?.filter((name) => !Object.hasOwn(properties, name)) ?? []
  if (lost.length > 0)
    throw invalidSchema(
      `${what}: the converted JSON Schema lacks ${lost.map((name) => `"${name}"`).join(', ')}. ` +
        'Its type has no JSON form, or the version of its library is not supported',
    )
  if (declared === undefined && Object.keys(json).every((key) => key === '$schema')) {
    throw invalidSchema(`${what}: the converted JSON Schema is empty. Expected an object schema`)
  }
  const { type: _type, properties: _properties, ...rest } = mapSchema(root, (schema) => forModel(schema, foreign))
  return { type: 'object', properties: isObject(_properties) ? (_properties as JsonObject) : {}, ...rest }
}

/** A copy as plain JSON. Throws `invalid-tool` for what JSON cannot hold. */
function copied(made: unknown, what: string): JsonValue | undefined {
  try {
    return plainJson(made, what)
  } catch (error) {
    throw error instanceof ToolAgentError ? invalidSchema(error.message, error) : error
  }
}

/** Providers require an object schema at the root, so a reference there is replaced by its target. */
function rootOf(json: JsonObject, what: string): JsonObject {
  let root = json
  for (let hops = 0; typeof root['$ref'] === 'string' && hops < 10; hops++) {
    const target = resolvePointer(json, root['$ref'])
    if (!isObject(target) || target === root) break
    const { $ref: _ref, ...rest } = root
    root = { ...(target as JsonObject), ...rest }
  }
  const { $schema: _dialect, ...rest } = root
  const type: unknown = rest['type']
  const alternatives = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const', 'not'].find((key) => key in rest)
  if (type === undefined && alternatives === undefined && rest['properties'] === undefined) {
    const key = Object.keys(rest).find(
      (name) => !bareKeyword.test(name) || (/^(title|desc)/.test(name) && isObject(rest[name])),
    )
    if (key !== undefined)
      throw invalidSchema(
        `${what}: "${key}" is not a keyword of JSON Schema. Use { type: 'object', properties: { ${key}: … } }`,
      )
  }
  if (type === 'object' || (type === undefined && alternatives === undefined)) return rest
  const found = JSON.stringify(type ?? alternatives)
  throw invalidSchema(
    `${what}: the root must be an object schema, received ${found}. Put it into a property, as in { "value": … }`,
  )
}

/** Keywords that are allowed at a root without a type, alternatives or properties. */
const bareKeyword = new RegExp(
  '^([$]|x-|title|desc|def|depre|depend|exampl|requi|' +
    '(min|max|addi|uneval|patt).*Prop|propertyN|if|then|else|readO|writeO|nulla)',
)

/** All control characters but tab and line feed, and the invisible characters that direct text or tag it. */
const control = /(?![\t\n])[\p{Cc}\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu

/** The text without control characters, direction overrides and invisible tag characters. */
export function visibleText(text: string): string {
  return text.replace(control, '')
}

/**
 * An example of each format. A pattern that matches it only repeats the format; zod's for a date has 200 characters.
 */
const samples: Readonly<Record<string, string>> = {
  email: 'a@b.co',
  uuid: '11111111-1111-1111-8111-111111111111',
  date: '2024-02-29',
  'date-time': '2024-02-29T11:11:11.1Z',
  duration: 'P1Y2D',
  ipv4: '1.1.1.1',
  ipv6: '2001:db8::1',
}

/**
 * Removes what a model does not need: the bounds that zod's `.int()` adds, patterns of formats, invisible characters.
 */
function forModel(schema: JsonObject, foreign: boolean): JsonObject {
  const copy: Record<string, JsonValue | undefined> = { ...schema }
  if (copy['minimum'] === Number.MIN_SAFE_INTEGER) delete copy['minimum']
  if (copy['maximum'] === Number.MAX_SAFE_INTEGER) delete copy['maximum']
  const sample = samples[String(copy['format'])]
  if (sample !== undefined && !foreign && new RegExp(String(copy['pattern'] ?? '')).test(sample)) delete copy['pattern']
  for (const key of ['description', 'title']) {
    const text = copy[key]
    if (typeof text === 'string') copy[key] = visibleText(text)
  }
  return copy
}
