// Validates values against plain JSON Schema. The validator interprets the schema and compiles no code, so it works
// without `unsafe-eval`.
import { Validator, type OutputUnit, type SchemaDraft } from '@cfworker/json-schema'
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { invalidSchema } from './check-schema.js'
import { isOpenApi } from './convert.js'
import { toModernDialect } from './dialects.js'
import { toValidationIssues } from './json-schema-issues.js'
import { copyOf } from './json-value.js'
import { plainPart } from './plain-part.js'
import type { ValidationIssue } from './validation-issue.js'
import { hasLegacyPattern } from './walk.js'

/** The issues of a value, none if it is valid. @throws `invalid-tool` if the schema cannot be used */
export type JsonCheck = (value: JsonValue) => readonly ValidationIssue[]

/**
 * A validator for one schema. Formats (`email`, `date`, …) are checked too. A schema without `$schema` is draft
 * 2020-12. Of a `foreign` schema only the part is checked that takes linear time.
 */
export function jsonCheck(given: JsonObject | boolean, what: string, foreign = false): JsonCheck {
  // Made at the first call, because most tools of a page are never called.
  let made: { readonly validator: Validator; readonly schema: JsonObject } | undefined
  const make = (): NonNullable<typeof made> => {
    // A copy, because the validator writes into its schema.
    let schema = foreign ? plainPart(given) : (copyOf(given) as JsonObject | boolean)
    const draft = draftOf(schema)
    if (isObject(schema) && (hasLegacyPattern(schema) || isOpenApi(schema)))
      schema = toModernDialect(schema, what, { bounds: draft !== '4' })
    return { validator: new Validator(schema, draft, false), schema: typeof schema === 'boolean' ? {} : schema }
  }
  return (value) => {
    let errors: OutputUnit[]
    try {
      made ??= make()
      const result = made.validator.validate(value)
      errors = result.valid ? [] : result.errors
    } catch (error) {
      throw invalidSchema(`${what} cannot be used: ${errorMessage(error).split('\n')[0]}`, error)
    }
    return errors.length === 0 ? [] : toValidationIssues(errors, value, made.schema)
  }
}

/** The draft that `$schema` names. */
function draftOf(schema: JsonObject | boolean): SchemaDraft {
  const dialect = typeof schema === 'boolean' ? '' : String(schema['$schema'] ?? '')
  if (/draft-0[67]\b/.test(dialect)) return '7'
  if (/draft-04\b/.test(dialect)) return '4'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}
