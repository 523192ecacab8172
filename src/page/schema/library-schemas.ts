// Converts schemas of libraries to JSON Schema. A schema converts itself if it can. The converters for zod
// schemas that cannot convert themselves are loaded by zod.ts.
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { invalidSchema } from './check-schema.js'
import { compiled, type CompiledSchema } from './compiled-schema.js'
import { finish, jsonCopy } from './convert.js'
import type { LibrarySchema, Standard, ZodDef } from './kinds.js'
import { libraryCheck } from './library-validator.js'
import { convertZod3, jsonSchemaTarget, zod4Converter, type Zod4Options } from './zod.js'

/**
 * Compiles a schema of a library. A promise only where a converter has to be loaded.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable` if a converter could not be loaded
 */
export function compileLibrarySchema(kind: LibrarySchema, what: string): CompiledSchema | Promise<CompiledSchema> {
  const done = (json: JsonObject) => compiled(json, libraryCheck(kind, json), false)
  const json = converted(kind, what)
  return json instanceof Promise ? json.then(done) : done(json)
}

/** The JSON Schema of the arguments. */
function converted(of: LibrarySchema, what: string): JsonObject | Promise<JsonObject> {
  switch (of.kind) {
    case 'standard': {
      const json = convertStandard(of.schema, what)
      const done = finish(json, what)
      if (Object.keys(jsonCopy(json, what) as JsonObject).every((key) => key === '$schema'))
        throw invalidSchema(`${what}: the converted JSON Schema is empty. Expected an object schema`)
      return Object.keys(done['properties'] as JsonObject).length > 0 ? done : probed(of.schema, done, what)
    }
    case 'zod3':
      return convertZod3(of.schema, what).then((json) => complete(json, what, of.schema._def))
    case 'zod4': {
      const { jsonSchema } = of.schema['~standard']
      const { def } = of.schema._zod
      if (jsonSchema)
        return complete(
          zod4Options(what, (libraryOptions) => jsonSchema.input({ target: jsonSchemaTarget, libraryOptions })),
          what,
          def,
        )
      // zod/mini and zod before 4.2 cannot convert themselves.
      return zod4Converter(of.schema, what).then((convert) => complete(zod4Options(what, convert), what, def))
    }
  }
}

/** A finished conversion that must have all properties that the definition of a zod schema declares. */
function complete(made: unknown, what: string, def: ZodDef): JsonObject {
  const json = finish(made, what)
  const lost = declaredNames(def).filter((name) => !Object.hasOwn(json['properties'] as JsonObject, name))
  if (lost.length > 0)
    throw invalidSchema(
      `${what}: the converted JSON Schema lacks ${lost.map((name) => `"${name}"`).join(', ')}. ` +
        'Its type has no JSON form, or the version of its library is not supported',
    )
  return json
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

/** The property names of a zod object, also inside refinements, transforms, defaults and other wrappers. */
export function declaredNames(def: ZodDef, depth = 0): readonly string[] {
  if (depth > 20) return []
  const shape: unknown = typeof def.shape === 'function' ? def.shape() : def.shape
  if (isObject(shape)) return Object.keys(shape)
  // zod 4: a pipe takes the input of its `in`, but a preprocess has a function there. zod 3: effects have a `schema`.
  const input = defOf(def['in'])
  const inner =
    (input?.type === 'transform' ? defOf(def['out']) : input) ?? defOf(def['innerType']) ?? defOf(def['schema'])
  return inner === undefined ? [] : declaredNames(inner, depth + 1)
}

/** The definition inside a zod schema; undefined for anything else. */
function defOf(schema: unknown): ZodDef | undefined {
  if (!isObject(schema)) return undefined
  const zod4 = schema['_zod']
  if (isObject(zod4) && isObject(zod4['def'])) return zod4['def'] as ZodDef
  return isObject(schema['_def']) ? (schema['_def'] as ZodDef) : undefined
}
