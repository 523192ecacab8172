// Compiles a schema of any supported library into a JSON Schema for the model and a validator for arguments. Decision:
// the validated arguments are what is shown, hashed and run, so validating them again must give the same arguments.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { canonicalJson, isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ValidationIssue } from '../validation/validation-issue.js'
import { copyOf, forbiddenKey, isJson } from './json-value.js'
import { jsonSchemaOf, plainSchema } from './convert.js'
import { schemaKindOf, type SchemaKind, type ZodResult } from './kinds.js'

export type { ValidationIssue } from '../validation/validation-issue.js'

/** Valid arguments, or what is wrong with them. */
export type Validated =
  | {
      /** What `execute` receives: the output of the schema, which need not be JSON. */
      readonly value: unknown
      /** What is shown, hashed and stored. Gives the same value when it is validated again. */
      readonly json: JsonValue
    }
  | {
      /** At least one. */
      readonly issues: readonly ValidationIssue[]
    }
/** A valid output as the schema returned it, or what is wrong with it. */
export type Checked =
  | {
      /** What the schema returned; any value, also undefined. */
      readonly value: unknown
    }
  | {
      /** At least one. */
      readonly issues: readonly ValidationIssue[]
    }

/** The schema of a tool's input or context. */
export interface CompiledSchema {
  /** What the model sees: an object at the root, without `$schema`. */
  readonly jsonSchema: JsonObject
  /**
   * Validates arguments from a model or a user. If they are invalid, they are coerced without loss and validated again.
   * Rejects with `invalid-tool` where the schema cannot be used, and with what a refinement throws.
   */
  validate(value: JsonValue): Promise<Validated>
}
/** The schema of a tool's output. */
export interface OutputSchema {
  /** Validates an output as it is, without coercion. */
  validate(value: unknown): Promise<Checked>
}

/**
 * Compiles zod 4, zod/mini, zod 3, a Standard Schema that converts to JSON Schema, plain JSON Schema, or undefined (no
 * parameters). Returns a promise only where a converter has to be loaded.
 *
 * `what` is the author's name for the schema, such as `inputSchema`. Of a `foreign` JSON Schema, patterns and
 * references are not checked, because they could block the page.
 * @throws `invalid-tool`; the promise rejects with it
 */
export function compileSchema(
  schema: unknown,
  what = 'inputSchema',
  foreign = false,
): CompiledSchema | Promise<CompiledSchema> {
  const kind = schemaKindOf(schema, what)
  const jsonSchema = jsonSchemaOf(kind, what, foreign)
  return jsonSchema instanceof Promise
    ? jsonSchema.then((json) => compiled(kind, json, what, foreign))
    : compiled(kind, jsonSchema, what, foreign)
}

/**
 * A schema with any root, without conversion or coercion.
 * @throws `invalid-tool`
 */
export function compileOutputSchema(schema: unknown, what = 'outputSchema', foreign = false): OutputSchema {
  return { validate: rawCheck(schemaKindOf(schema, what), undefined, what, foreign) }
}

/**
 * The issues as one line: `query: required (string); items[2].count: expected number, received string`. At most ten.
 */
export function issuesText(issues: readonly ValidationIssue[]): string {
  const shown = issues.slice(0, 10).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`)
  return shown.join('; ')
}

function compiled(kind: SchemaKind, jsonSchema: JsonObject, what: string, foreign: boolean): CompiledSchema {
  const check = rawCheck(kind, jsonSchema, what, foreign)
  return {
    jsonSchema,
    async validate(value) {
      const forbidden = forbiddenKey(value)
      if (forbidden !== undefined) return { issues: [forbidden] }
      // A library may return parts of its input. The tool must not be able to change what is stored.
      const first = await check(copyOf(value))
      if ('value' in first) return adopt(check, value, first.value)
      const { plainPart, coerceArguments, roundedNumbers } = await import('../validation/validation-chunk.js')
      const guide = foreign ? (plainPart(jsonSchema) as JsonObject) : jsonSchema
      const inexact = roundedNumbers(value, guide)
      if (inexact.length > 0) return { issues: inexact }
      const coerced = coerceArguments(value, guide)
      if (coerced === value) return first
      const second = await check(copyOf(coerced))
      return 'value' in second ? adopt(check, coerced, second.value) : second
    },
  }
}

/**
 * Adopts the schema's output as the arguments (with defaults, trimmed strings, dropped fields) if it is JSON and
 * validates to itself. Otherwise, as after a transform, the arguments are kept as the model wrote them.
 */
async function adopt(check: (value: unknown) => Promise<Checked>, json: JsonValue, value: unknown): Promise<Validated> {
  if (!isJson(value) || canonicalJson(value) === canonicalJson(json)) return { value, json: copyOf(json) }
  const output = copyOf(value)
  const again = await check(copyOf(output))
  const stable = 'value' in again && isJson(again.value) && canonicalJson(again.value) === canonicalJson(output)
  return { value, json: stable ? output : copyOf(json) }
}

/** Validates a value with the library of its schema, without coercion. */
function rawCheck(
  kind: SchemaKind,
  jsonSchema: JsonObject | undefined,
  what: string,
  foreign: boolean,
): (value: unknown) => Promise<Checked> {
  switch (kind.kind) {
    case 'none':
      return async (value) => {
        if (jsonSchema === undefined) return { value }
        if (!isObject(value)) return { issues: [{ path: '', message: 'expected object' }] }
        const extra = Object.keys(value)
        return extra.length === 0
          ? { value }
          : { issues: extra.map((key) => ({ path: key, message: 'unrecognized key: pass no arguments' })) }
      }
    case 'json': {
      const own = plainSchema(kind.schema, what)
      let check: Promise<(value: JsonValue) => Promise<readonly ValidationIssue[]>> | undefined
      return async (value) => {
        check ??= import('../validation/json-schema-check.js').then(
          ({ jsonCheck }) => jsonCheck(own, what, foreign),
          (error: unknown) => {
            // A chunk that failed to load may load at the next call.
            check = undefined
            throw error
          },
        )
        const issues = await (await check)(value as JsonValue)
        return issues.length === 0 ? { value } : { issues }
      }
    }
    case 'standard':
      return async (value) => resultOf(await kind.schema['~standard'].validate(value), value, jsonSchema)
    case 'zod3':
      return async (value) => resultOf(await kind.schema.safeParseAsync(value), value, jsonSchema)
    case 'zod4':
      return async (value) =>
        resultOf(
          // zod's just-in-time compilation would cause a violation report on a page without `unsafe-eval`.
          await (kind.schema.safeParseAsync?.(value, { jitless: true }) ?? kind.schema['~standard'].validate(value)),
          value,
          jsonSchema,
        )
  }
}

/** The result of a library's validation, with its issues in our form. */
async function resultOf(
  result: ZodResult | StandardSchemaV1.Result<unknown>,
  value: unknown,
  schema: JsonObject | undefined,
): Promise<Checked> {
  if ('success' in result && result.success) return { value: result.data }
  const { issues } = 'error' in result ? result.error : (result as StandardSchemaV1.Result<unknown>)
  if (issues === undefined) return { value: (result as StandardSchemaV1.SuccessResult<unknown>).value }
  const { toValidationIssue } = await import('../validation/validation-chunk.js')
  return { issues: issues.map((issue) => toValidationIssue(issue, value, schema)) }
}
