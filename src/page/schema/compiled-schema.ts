// A schema that is ready for use: the JSON Schema for the model, and the validation of arguments.
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import { coerceArguments, roundedNumbers } from './coerce.js'
import type { Defaults } from './defaults.js'
import { copyOf, forbiddenKey } from './json-value.js'
import { plainPart } from './plain-part.js'
import type { ValidationIssue } from './validation-issue.js'

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
  wrongDefaults?(): readonly ValidationIssue[]
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

/** The schema of a tool: what the model sees, and how arguments are validated. */
export function compiled(
  jsonSchema: JsonObject,
  { check, adopt, defaults }: SchemaCheck,
  foreign: boolean,
): CompiledSchema {
  /** Validates with the defaults, and without them where only they make the arguments invalid. */
  const attempt = async (given: JsonValue): Promise<Validated> => {
    const filled = defaults?.fill(given) ?? given
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
      const guide = foreign ? (plainPart(jsonSchema) as JsonObject) : jsonSchema
      const inexact = roundedNumbers(value, guide)
      if (inexact.length > 0) return { issues: inexact }
      const coerced = coerceArguments(value, guide)
      return coerced === value ? first : attempt(coerced)
    },
  }
}
