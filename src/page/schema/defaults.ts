// The defaults of a plain JSON Schema. Libraries apply their own; JSON Schema only describes them, so they are put into
// the arguments here: those of the top-level properties, before the arguments are validated.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { ValidationIssue } from './validation-issue.js'
import { copyOf, forbiddenKey } from './json-value.js'
import { resolveReference } from './types.js'

/** Keywords that say which properties belong together. */
const combining = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
  'dependentRequired',
  'dependentSchemas',
  'maxProperties',
]
/** Keywords that are about the whole object. A default is checked alone, so they do not apply to it. */
const ofWholeObject = [...combining, 'required', 'minProperties', 'unevaluatedProperties']

/** What is wrong with a value. */
type IssuesOf = (value: JsonValue) => readonly ValidationIssue[]

/** The defaults of one schema. */
export class Defaults {
  readonly #given: readonly (readonly [string, JsonValue])[]
  readonly #issuesOf: IssuesOf
  /** For each default, what is wrong with it. */
  #issues: readonly (readonly ValidationIssue[])[] | undefined

  /**
   * @param checkOf Makes the check of a schema.
   * @param foreign Combinations of a foreign schema are not checked completely, so nothing is put in where it has some:
   * a default could make arguments invalid for their server.
   */
  constructor(root: JsonObject, checkOf: (schema: JsonObject) => IssuesOf, foreign: boolean) {
    const isUnsure = foreign && combining.some((keyword) => keyword in root)
    const declared = isObject(root['properties']) && !isUnsure ? (root['properties'] as JsonObject) : {}
    this.#given = Object.keys(declared).flatMap((name) => {
      const value = resolveReference(root, declared[name])?.['default']
      return value === undefined || forbiddenKey({ [name]: value }) !== undefined ? [] : [[name, value] as const]
    })
    const entries = Object.entries(root).filter(([keyword]) => !ofWholeObject.includes(keyword))
    this.#issuesOf = this.hasSome ? checkOf(Object.fromEntries(entries)) : () => []
  }

  /** Whether there is any. */
  get hasSome(): boolean {
    return this.#given.length > 0
  }

  /**
   * The arguments with the defaults of the properties that are missing; `value` itself where none is. A default that
   * does not match its own schema is left out. The defaults are not copied.
   */
  fill(value: JsonValue): JsonValue {
    if (!isObject(value)) return value
    const given = value as JsonObject
    const isMissing = (name: string): boolean => !Object.hasOwn(given, name) || given[name] === undefined
    if (!this.#given.some(([name]) => isMissing(name))) return value
    const issues = this.#checked()
    const missing = this.#given.filter(([name], at) => isMissing(name) && issues[at]?.length === 0)
    return missing.length === 0 ? value : { ...given, ...Object.fromEntries(missing) }
  }

  /** What is wrong with the defaults that do not match their own schema. */
  wrong(): readonly ValidationIssue[] {
    return this.#checked().flat()
  }

  #checked(): readonly (readonly ValidationIssue[])[] {
    return (this.#issues ??= this.#given.map(([name, value]) => this.#issuesOf({ [name]: copyOf(value) })))
  }
}
