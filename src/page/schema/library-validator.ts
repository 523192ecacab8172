// Validates values with the library of their schema.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import type { Checked, SchemaCheck, Validated } from './compiled-schema.js'
import { copyOf, maxValueDepth } from './json-value.js'
import type { LibrarySchema, ZodResult } from './kinds.js'
import { toValidationIssue } from './validation-issue.js'

/** `jsonSchema`: the schema after its conversion, for the words of issues; undefined for an output. */
export function libraryCheck(kind: LibrarySchema, jsonSchema: JsonObject | undefined): SchemaCheck {
  const check = async (value: unknown): Promise<Checked> => resultOf(await validated(kind, value), value, jsonSchema)
  return { check, adopt: (json, value) => adoptOutput(check, json, value) }
}

function validated(kind: LibrarySchema, value: unknown) {
  switch (kind.kind) {
    case 'standard':
      return kind.schema['~standard'].validate(value)
    case 'zod3':
      return kind.schema.safeParseAsync(value)
    case 'zod4':
      // zod's just-in-time compilation would cause a violation report on a page without `unsafe-eval`.
      return kind.schema.safeParseAsync?.(value, { jitless: true }) ?? kind.schema['~standard'].validate(value)
  }
}

/**
 * Adopts the schema's output as the arguments (with defaults, trimmed strings, dropped fields) if it is JSON and
 * validates to itself. Otherwise, as after a transform, the arguments are kept as the model wrote them.
 */
async function adoptOutput(check: SchemaCheck['check'], json: JsonValue, value: unknown): Promise<Validated> {
  if (!isJson(value) || canonicalJson(value) === canonicalJson(json)) return { value, json: copyOf(json) }
  const output = copyOf(value)
  const again = await check(copyOf(output))
  const stable = 'value' in again && isJson(again.value) && canonicalJson(again.value) === canonicalJson(output)
  return { value, json: stable ? output : copyOf(json) }
}

/** Whether a value is JSON: converting it to JSON text and back would change nothing. */
export function isJson(value: unknown, depth = 0): value is JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || depth > maxValueDepth) return false
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1))
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) return false
  return isObject(value) && Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
}

/** The result of a library's validation, with its issues in our form. */
function resultOf(
  result: ZodResult | StandardSchemaV1.Result<unknown>,
  value: unknown,
  schema: JsonObject | undefined,
): Checked {
  if ('success' in result && result.success) return { value: result.data }
  const { issues } = 'error' in result ? result.error : (result as StandardSchemaV1.Result<unknown>)
  if (issues === undefined) return { value: (result as StandardSchemaV1.SuccessResult<unknown>).value }
  return { issues: issues.map((issue) => toValidationIssue(issue, value, schema)) }
}
