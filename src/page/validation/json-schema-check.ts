// Validates values against plain JSON Schema that is not sound (see `isSound`), or foreign. Loaded at the first call.
// The full validator interprets the schema and compiles no code, so it works without `unsafe-eval`.
import type { SchemaDraft } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ValidationIssue } from './validation-issue.js'
import { commonErrors, isCommon, type JsonSchemaError } from './json-schema-common.js'
import { needsConversion } from '../schema/convert.js'
import { invalidSchema } from '../schema/check-schema.js'

/** The issues of a value, none if it is valid. Rejects with `invalid-tool` if the schema cannot be used. */
export type JsonCheck = (value: JsonValue) => Promise<readonly ValidationIssue[]>

/**
 * A validator for one schema. Formats (`email`, `date`, …) are checked too. A schema without `$schema` is draft
 * 2020-12. The caller must not use the schema afterwards, because the validator writes into it. Of a `foreign` schema
 * only the part is checked that takes linear time.
 */
export function jsonCheck(given: JsonObject | boolean, what: string, foreign = false): JsonCheck {
  let own: JsonObject | boolean = given
  let loaded: Promise<(value: JsonValue) => JsonSchemaError[]> | undefined
  const load = async (): Promise<(value: JsonValue) => JsonSchemaError[]> => {
    if (foreign) own = (await import('./validation-chunk.js')).plainPart(given)
    const draft = draftOf(own)
    if (isObject(own) && needsConversion(own))
      own = (await import('./validation-chunk.js')).toModernDialect(own, what, { bounds: draft !== '4' })
    if (draft !== '4' && isCommon(own)) return (value) => commonErrors(value, own)
    const { Validator } = await import('@cfworker/json-schema')
    const validator = new Validator(own, draft, false)
    return (value) => {
      const { valid, errors } = validator.validate(value)
      return valid ? [] : errors
    }
  }
  return async (value) => {
    let errors: JsonSchemaError[]
    try {
      loaded ??= load()
      errors = (await loaded)(value)
    } catch (error) {
      // A chunk that failed to load may load at the next call.
      loaded = undefined
      throw invalidSchema(
        `${what} cannot be used: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
        error,
      )
    }
    if (errors.length === 0) return []
    const { toValidationIssues } = await import('./validation-chunk.js')
    return toValidationIssues(errors, value, typeof own === 'boolean' ? {} : own)
  }
}

/** The draft that `$schema` names. */
function draftOf(schema: JsonObject | boolean): SchemaDraft {
  const dialect = typeof schema === 'boolean' ? '' : String(schema['$schema'] ?? '')
  if (/draft-0[67]\b/.test(dialect)) return '7'
  if (/draft-04\b/.test(dialect)) return '4'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}
