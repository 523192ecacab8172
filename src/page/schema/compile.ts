// Compiles a schema of any supported library into a JSON Schema for the model and a validator for arguments. Decision:
// the validated arguments are what is shown, hashed and run, so validating them again must give the same arguments.
import { errorMessage } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ValidationIssue } from '../validation/validation-issue.js'
import { commonErrors, type JsonSchemaError } from '../validation/json-schema-common.js'
import { invalidSchema, noParameters } from './check-schema.js'
import { afterCheck, fromJsonSchema, isSound, jsonCopy, withLibraries } from './convert.js'
import { Defaults } from './defaults.js'
import { copyOf, forbiddenKey } from './json-value.js'
import { schemaKindOf } from './kinds.js'

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
  /** What is wrong with the defaults of a plain JSON Schema, which are not applied then. Absent if it has none. */
  wrongDefaults?(): Promise<readonly ValidationIssue[]>
}
/** The schema of a tool's output. */
export interface OutputSchema {
  /** Validates an output as it is, without coercion. */
  validate(value: unknown): Promise<Checked>
}

/** Validates a value with its schema, without coercion. */
export interface SchemaCheck {
  /** The value as the schema returns it, or what is wrong with it. Must not get an object that is used elsewhere. */
  check(value: unknown): Promise<Checked>
  /** The arguments for a valid value. Absent: the value itself, because the schema does not change it. */
  adopt?(json: JsonValue, value: unknown): Promise<Validated>
  /** The defaults that the schema describes and does not apply. */
  readonly defaults?: Defaults
}

/**
 * Compiles zod 4, zod/mini, zod 3, a Standard Schema that converts to JSON Schema, plain JSON Schema, or undefined (no
 * parameters). Returns a promise only where code has to be loaded.
 *
 * `what` is the author's name for the schema, such as `inputSchema`. Of a `foreign` JSON Schema, patterns and
 * references are not checked, because they could block the page.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable` if code could not be loaded
 */
export function compileSchema(
  schema: unknown,
  what = 'inputSchema',
  foreign = false,
): CompiledSchema | Promise<CompiledSchema> {
  const kind = schemaKindOf(schema, what)
  if (kind.kind === 'none') return compiled(noParameters, { check: checkNoArguments }, false)
  if (kind.kind !== 'json') return withLibraries(what, (part) => part.compileLibrarySchema(kind, what))
  const own = jsonCopy(kind.schema, what) as JsonObject
  const issuesWith = (json: JsonObject) => {
    const { check } = jsonSchemaCheck(json, what, foreign)
    return async (value: unknown) => {
      const checked = await check(value)
      return 'issues' in checked ? checked.issues : []
    }
  }
  const done = (json: JsonObject) => {
    const defaults = new Defaults(json, issuesWith, foreign)
    return compiled(json, { ...jsonSchemaCheck(own, what, foreign), defaults }, foreign)
  }
  const json = fromJsonSchema(own, what, foreign)
  return json instanceof Promise ? json.then(done) : done(json)
}

/**
 * A schema with any root, without conversion or coercion. Returns a promise only where code has to be loaded.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable` if code could not be loaded
 */
export function compileOutputSchema(
  schema: unknown,
  what = 'outputSchema',
  foreign = false,
): OutputSchema | Promise<OutputSchema> {
  const kind = schemaKindOf(schema, what)
  const output = ({ check }: SchemaCheck): OutputSchema => ({ validate: (value) => check(value) })
  if (kind.kind === 'none') return output({ check: async (value) => ({ value }) })
  if (kind.kind !== 'json') return withLibraries(what, (part) => output(part.libraryCheck(kind, undefined)))
  const own = jsonCopy(kind.schema, what) as JsonObject
  return afterCheck(own, what, () => output(jsonSchemaCheck(own, what, foreign)))
}

/**
 * The issues as one line: `query: required (string); items[2].count: expected number, received string`. At most ten.
 */
export function issuesText(issues: readonly ValidationIssue[]): string {
  const shown = issues.slice(0, 10).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  if (issues.length > shown.length) shown.push(`and ${issues.length - shown.length} more`)
  return shown.join('; ')
}

/** The schema of a tool: what the model sees, and how arguments are validated. */
export function compiled(
  jsonSchema: JsonObject,
  { check, adopt, defaults }: SchemaCheck,
  foreign: boolean,
): CompiledSchema {
  /** Validates with the defaults, and without them where only they make the arguments invalid. */
  const attempt = async (given: JsonValue): Promise<Validated> => {
    const filled = (await defaults?.fill(given)) ?? given
    let [json, checked] = [filled, await check(copyOf(filled))]
    if ('issues' in checked && filled !== given) {
      const bare = await check(copyOf(given))
      if ('value' in bare) [json, checked] = [given, bare]
    }
    if ('issues' in checked) return checked
    return adopt ? adopt(json, checked.value) : { value: checked.value, json: copyOf(json) }
  }
  return {
    jsonSchema,
    ...(defaults?.hasSome && { wrongDefaults: () => defaults.wrong() }),
    async validate(value) {
      const forbidden = forbiddenKey(value)
      if (forbidden !== undefined) return { issues: [forbidden] }
      // A library may return parts of its input. The tool must not be able to change what is stored.
      const first = await attempt(value)
      if ('value' in first) return first
      const { plainPart, coerceArguments, roundedNumbers } = await import('../validation/validation-chunk.js')
      const guide = foreign ? (plainPart(jsonSchema) as JsonObject) : jsonSchema
      const inexact = roundedNumbers(value, guide)
      if (inexact.length > 0) return { issues: inexact }
      const coerced = coerceArguments(value, guide)
      return coerced === value ? first : attempt(coerced)
    },
  }
}

async function checkNoArguments(value: unknown): Promise<Checked> {
  if (!isObject(value)) return { issues: [{ path: '', message: 'expected object' }] }
  const extra = Object.keys(value)
  return extra.length === 0
    ? { value }
    : { issues: extra.map((key) => ({ path: key, message: 'unrecognized key: pass no arguments' })) }
}

/**
 * Validates with plain JSON Schema. A sound schema needs no other code, except for one that is `foreign`: its patterns
 * must not run. The code for other schemas is loaded at the first call, and again after a failure.
 */
function jsonSchemaCheck(schema: JsonObject, what: string, foreign: boolean): SchemaCheck {
  if (!foreign && isSound(schema)) return { check: (value) => soundCheck(schema, what, value) }
  let check: Promise<(value: JsonValue) => Promise<readonly ValidationIssue[]>> | undefined
  return {
    async check(value) {
      // A copy, because the validator writes into its schema.
      check ??= import('../validation/json-schema-check.js').then(
        ({ jsonCheck }) => jsonCheck(copyOf(schema) as JsonObject, what, foreign),
        (error: unknown) => {
          // A chunk that failed to load may load at the next call.
          check = undefined
          throw error
        },
      )
      const issues = await (await check)(value as JsonValue)
      return issues.length === 0 ? { value } : { issues }
    },
  }
}

async function soundCheck(schema: JsonObject, what: string, value: unknown): Promise<Checked> {
  let errors: readonly JsonSchemaError[]
  try {
    errors = commonErrors(value, schema)
  } catch (error) {
    // The value is not JSON, which only an output can be.
    throw invalidSchema(`${what} cannot be used: ${errorMessage(error)}`, error)
  }
  if (errors.length === 0) return { value }
  const { toValidationIssues } = await import('../validation/validation-chunk.js')
  return { issues: toValidationIssues(errors, value as JsonValue, schema) }
}
