// Validates values against plain JSON Schema. The validator interprets the schema and compiles no code, so it works
// without `unsafe-eval`.
import { Validator, type SchemaDraft } from '@cfworker/json-schema'
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { invalidSchema } from './check-schema.js'
import { isOpenApi } from './convert.js'
import { toModernDialect } from './dialects.js'
import { toValidationIssues } from './json-schema-issues.js'
import { copyOf } from './json-value.js'
import { plainPart } from './plain-part.js'
import { uniqueItemsOf } from './unique-items.js'
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
  let made: JsonCheck | undefined
  const make = (): JsonCheck => {
    let schema = foreign ? plainPart(given) : given
    const draft = draftOf(schema)
    if (isObject(schema) && (hasLegacyPattern(schema) || isOpenApi(schema)))
      schema = toModernDialect(schema, what, { bounds: draft !== '4' })
    const unique = isObject(schema) ? uniqueItemsOf(schema, draft === '4' || draft === '7') : undefined
    const validator = lazily(() => issuesOf(schema, draft))
    if (unique === undefined) return validator()
    const without = lazily(() => issuesOf(unique.without, draft))
    return (value) => (unique.isNeeded(value) ? validator()(value) : [...without()(value), ...unique.issues(value)])
  }
  return (value) => {
    try {
      made ??= make()
      return made(value)
    } catch (error) {
      throw invalidSchema(`${what} cannot be used: ${errorMessage(error).split('\n')[0]}`, error)
    }
  }
}

function issuesOf(schema: JsonObject | boolean, draft: SchemaDraft): JsonCheck {
  // A copy, because the validator writes into its schema.
  const own = copyOf(schema) as JsonObject | boolean
  const validator = new Validator(own, draft, false)
  return (value) => {
    const { valid, errors } = validator.validate(value)
    return valid ? [] : toValidationIssues(errors, value, isObject(own) ? (own as JsonObject) : {})
  }
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The draft that `$schema` names. */
function draftOf(schema: JsonObject | boolean): SchemaDraft {
  const dialect = typeof schema === 'boolean' ? '' : String(schema['$schema'] ?? '')
  if (/draft-0[67]\b/.test(dialect)) return '7'
  if (/draft-04\b/.test(dialect)) return '4'
  return dialect.includes('2019-09') ? '2019-09' : '2020-12'
}
