// Detects the library of a schema by its shape. `instanceof` cannot, because a page may hold several copies of a
// library.
import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec'
import { isObject } from '../../core/data/json.js'
import { checkSchema } from './check-schema.js'

/** The parts of a zod 4 or zod/mini schema that are used here. */
export interface Zod4 {
  /** Marks a schema of zod 4; `def` describes it. */
  readonly _zod: { readonly def: ZodDef }
  readonly '~standard': StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>
  /** Absent in some builds of zod/mini; then `~standard` validates. `jitless`: compile no code. */
  safeParseAsync?(value: unknown, context?: { jitless: boolean }): Promise<ZodResult>
}
/** zod 3, with or without Standard Schema (since 3.24). */
export interface Zod3 {
  /** Marks a schema of zod 3; `typeName` is `ZodObject`, for example. */
  readonly _def: ZodDef & { readonly typeName: string }
  /** Rejects only with what a refinement or transform throws. */
  safeParseAsync(value: unknown): Promise<ZodResult>
}
/** The definition inside a zod schema of any version. */
export interface ZodDef {
  /** The kind of schema in zod 4, such as `object` or `pipe`. Absent in zod 3. */
  readonly type?: string
  /** True for `z.coerce.…`: other types are converted before they are validated. */
  readonly coerce?: boolean
  /** The properties of an object, by name; a function in zod 3. Absent for other kinds. */
  readonly shape?: object | (() => object)
  readonly [key: string]: unknown
}
/** What zod's `safeParse` returns. */
export type ZodResult =
  | {
      readonly success: true
      /** The output of the schema, after defaults and transforms. */
      readonly data: unknown
    }
  | {
      readonly success: false
      /** The ZodError; its issues have the form of Standard Schema. */
      readonly error: { readonly issues: readonly StandardSchemaV1.Issue[] }
    }
/** A Standard Schema. Its conversion to JSON Schema is optional in the standard. */
export interface Standard {
  readonly '~standard': StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props>
}

/** A schema of a library. */
export type LibrarySchema =
  | { readonly kind: 'zod4'; readonly schema: Zod4 }
  | { readonly kind: 'zod3'; readonly schema: Zod3 }
  | { readonly kind: 'standard'; readonly schema: Standard }

/** A schema with its library; `none` where the tool has no schema. */
export type SchemaKind =
  | LibrarySchema
  | { readonly kind: 'none' }
  | {
      readonly kind: 'json'
      /** Any plain object. Whether it is a valid JSON Schema is checked when it is compiled. */
      readonly schema: Record<string, unknown>
    }

/**
 * The library of a schema. `what` is the author's name for the schema, used in messages.
 * @throws `invalid-tool` for anything that is not a schema
 */
export function schemaKindOf(given: unknown, what: string): SchemaKind {
  const schema = checkSchema(given, what)
  if (schema === undefined) return { kind: 'none' }
  const shape = schema as { _zod?: unknown; _def?: unknown; safeParseAsync?: unknown; '~standard'?: unknown }
  if (isObject(shape._zod) && isObject(shape._zod['def'])) return { kind: 'zod4', schema: schema as Zod4 }
  if (
    isObject(shape._def) &&
    typeof shape._def['typeName'] === 'string' &&
    typeof shape.safeParseAsync === 'function'
  ) {
    return { kind: 'zod3', schema: schema as Zod3 }
  }
  if (isObject(shape['~standard']) && typeof shape['~standard']['validate'] === 'function') {
    return { kind: 'standard', schema: schema as Standard }
  }
  return { kind: 'json', schema: schema as Record<string, unknown> }
}
