// Validation of plain JSON Schema, loaded at the first call. Common schemas are checked here, the full validator is
// loaded at the first call of a tool whose schema needs it; it interprets the schema and compiles nothing, so a page
// without `unsafe-eval` gets no violation report.
import type { SchemaDraft } from '@cfworker/json-schema'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ValidationIssue } from './validation-issue.js'
import { commonErrors, isCommon, type JsonSchemaError } from './json-schema-common.js'
import { isOpenApi } from '../schema/convert.js'
import { invalidSchema } from '../schema/kinds.js'
import { eachSchema } from '../schema/walk.js'

/** The issues of a value, none if it is valid. Throws `invalid-tool` if the schema itself cannot be used. */
export type JsonCheck = (value: JsonValue) => Promise<readonly ValidationIssue[]>

/**
 * Formats (`email`, `date`, …) are checked, too: who writes one means it. A schema without `$schema` is draft 2020-12.
 * The schema is the callee's from here on: the validator writes into it. Of a `foreign` one only the cheap part is checked.
 */
export function jsonCheck(given: JsonObject | boolean, what: string, foreign = false): JsonCheck {
  let own: JsonObject | boolean = given
  let loaded: Promise<(value: JsonValue) => JsonSchemaError[]> | undefined
  const load = async (): Promise<(value: JsonValue) => JsonSchemaError[]> => {
    if (foreign) own = (await import('./validation-chunk.js')).plainPart(given)
    const draft = draftOf(own)
    if (isObject(own) && isOld(own))
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
      // A chunk that did not arrive may do so next time.
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

/** Whether a schema has keywords of OpenAPI 3.0, or a pattern that is valid only outside of Unicode mode. */
function isOld(schema: JsonObject): boolean {
  let isOutside = false
  eachSchema(schema, ({ pattern, patternProperties = {} }) => {
    try {
      for (const source of [pattern ?? '', ...Object.keys(patternProperties as object)]) new RegExp(String(source), 'u')
    } catch {
      isOutside = true
    }
  })
  return isOutside || isOpenApi(schema)
}

function draftOf(schema: JsonObject | boolean): SchemaDraft {
  const dialect = typeof schema === 'boolean' ? '' : String(schema['$schema'] ?? '')
  if (/draft-0[67]\b/.test(dialect)) return '7'
  if (/draft-04\b/.test(dialect)) return '4'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}
