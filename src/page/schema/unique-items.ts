// Checks `uniqueItems` in linear time. The validator compares every item with every other one, which takes seconds for
// 10,000 objects, so it does not see the keyword where this check or the value makes it needless.
import { withIndex } from '../../core/data/lists.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { canonicalJson, pathText } from '../../core/data/plain-json.js'
import type { ValidationIssue } from './validation-issue.js'
import { eachSchema, mapSchema, resolvePointer } from './walk.js'

const keyword = 'uniqueItems'
type Path = readonly (string | number)[]

/** What `uniqueItems` of one schema needs. */
export interface UniqueItems {
  /** The schema without the keyword. */
  readonly without: JsonObject
  /** Whether the validator must check the keyword in this value: a branch such as `anyOf` may depend on it. */
  isNeeded(value: JsonValue): boolean
  /** The issues of the other places. */
  issues(value: JsonValue): ValidationIssue[]
}

/** Undefined for a schema without the keyword. `ignoresSiblings`: a reference replaces the keywords beside it. */
export function uniqueItemsOf(root: JsonObject, ignoresSiblings: boolean): UniqueItems | undefined {
  let isUsed = false
  eachSchema(root, (schema) => {
    isUsed ||= schema[keyword] === true
  })
  if (!isUsed) return undefined
  const rules = new Rules(root, ignoresSiblings)
  return {
    without: mapSchema(root, ({ [keyword]: _removed, ...rest }) => rest),
    isNeeded: (value) => rules.isInBranch && hasDuplicates(value),
    issues: (value) => rules.issues(value),
  }
}

/** The places of the keyword that hold whatever else is valid. */
class Rules {
  /** The keyword is used where a failure need not make the value invalid. */
  readonly isInBranch: boolean
  readonly #root: JsonObject
  readonly #ignoresSiblings: boolean

  constructor(root: JsonObject, ignoresSiblings: boolean) {
    this.#root = root
    this.#ignoresSiblings = ignoresSiblings
    const certain = new Set<Record<string, unknown>>()
    this.#eachCertain(root, certain)
    // A reference elsewhere may lead to the keyword.
    const counts = (schema: Record<string, unknown>) => schema[keyword] === true || '$ref' in schema
    let all = 0
    eachSchema(root, (schema) => {
      if (counts(schema)) all++
    })
    this.isInBranch = [...certain].filter(counts).length < all
  }

  issues(value: JsonValue): ValidationIssue[] {
    const issues: ValidationIssue[] = []
    this.#check(this.#root, value, [], 0, issues)
    return issues
  }

  /** Collects the schemas that every valid value must match at some place. */
  #eachCertain(schema: unknown, found: Set<Record<string, unknown>>): void {
    if (!isObject(schema) || found.has(schema)) return
    found.add(schema)
    for (const inner of this.#together(schema)) this.#eachCertain(inner, found)
    const { properties, patternProperties, additionalProperties, items, prefixItems } = schema
    for (const inner of isObject(properties) ? Object.values(properties) : []) this.#eachCertain(inner, found)
    if (patternProperties === undefined) this.#eachCertain(additionalProperties, found)
    for (const inner of [items, prefixItems].flat()) this.#eachCertain(inner, found)
  }

  /** The schemas that hold for the same value. */
  #together(schema: Record<string, unknown>): unknown[] {
    const target = typeof schema['$ref'] === 'string' ? [resolvePointer(this.#root, schema['$ref'])] : []
    return Array.isArray(schema['allOf']) ? [...target, ...(schema['allOf'] as unknown[])] : target
  }

  #check(schema: unknown, value: JsonValue, path: Path, depth: number, issues: ValidationIssue[]): void {
    // A reference to itself has no end. The validator reports it.
    if (!isObject(schema) || depth > 500) return
    for (const inner of this.#together(schema)) this.#check(inner, value, path, depth + 1, issues)
    if (this.#ignoresSiblings && '$ref' in schema) return
    if (Array.isArray(value)) this.#checkList(schema, value as JsonValue[], path, depth, issues)
    else if (isObject(value)) {
      const { properties, patternProperties, additionalProperties } = schema
      for (const [key, inner] of Object.entries(value)) {
        const own = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined
        const rule = own ?? (patternProperties === undefined ? additionalProperties : undefined)
        this.#check(rule, inner as JsonValue, [...path, key], depth + 1, issues)
      }
    }
  }

  #checkList(
    schema: Record<string, unknown>,
    list: readonly JsonValue[],
    path: Path,
    depth: number,
    issues: ValidationIssue[],
  ) {
    if (schema[keyword] === true) {
      const twins = duplicates(list)
      if (twins) issues.push({ path: pathText(path), message: `Duplicate items at indexes ${twins.join(' and ')}` })
    }
    const first = [schema['prefixItems'], schema['items']].find(Array.isArray) as unknown[] | undefined
    for (const [index, item] of withIndex(list)) {
      const rule = first && index < first.length ? first[index] : schema['items']
      this.#check(rule, item, [...path, index], depth + 1, issues)
    }
  }
}

/** The first two equal items. */
function duplicates(list: readonly JsonValue[]): [number, number] | undefined {
  const seen = new Map<string, number>()
  for (const [index, item] of withIndex(list)) {
    const form = canonicalJson(item)
    const before = seen.get(form)
    if (before !== undefined) return [before, index]
    seen.set(form, index)
  }
  return undefined
}

/** Whether any list in a value has equal items. */
function hasDuplicates(value: JsonValue): boolean {
  if (Array.isArray(value))
    return duplicates(value) !== undefined || value.some((item: JsonValue) => hasDuplicates(item))
  return isObject(value) && Object.values(value).some((inner) => hasDuplicates(inner as JsonValue))
}
