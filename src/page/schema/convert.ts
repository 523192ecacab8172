// Converts plain JSON Schema to the one that the model sees. Common schemas need no other code. What checks the other
// ones, and what converts schemas of libraries, is loaded with the first of them.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { plainJson } from '../../core/data/plain-json.js'
import { loadPart } from '../link/load-part.js'
import { received } from '../parse-options.js'
import { visibleText } from '../visible-text.js'
import { checkRootKeywords, combiningKeyword, invalidSchema } from './check-schema.js'
import { isCommon } from '../validation/json-schema-common.js'
import { eachSchema, isPattern, jsonTypes, mapSchema, resolvePointer } from './walk.js'

/** Loads code that converts schemas. Rejects with `unavailable`: the next try may succeed. */
export async function loadConverter<T>(load: () => Promise<T>, what: string): Promise<T> {
  try {
    return await loadPart(load)
  } catch (thrown) {
    throw new ToolAgentError(
      'unavailable',
      `${what}: the schema converter could not be loaded: ${errorMessage(thrown)}`,
      { cause: thrown },
    )
  }
}

/**
 * Calls a function with code that is loaded once. Returns a promise only while it is not loaded; that rejects with
 * `unavailable` if it cannot be loaded.
 */
function loadedOnce<Part>(load: () => Promise<Part>) {
  let part: Part | undefined
  return <T>(what: string, use: (part: Part) => T | Promise<T>): T | Promise<T> =>
    part ? use(part) : loadConverter(load, what).then((loaded) => use((part = loaded)))
}

/** Compiles schemas of libraries. */
export const withLibraries = loadedOnce(() => import('./library-schemas.js'))
const withStructure = loadedOnce(() => import('./structure.js'))

/**
 * The JSON Schema of the arguments from a plain JSON Schema. A promise only where code has to be loaded. The patterns
 * of a `foreign` schema are never run, because they could block the page.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable`
 */
export function fromJsonSchema(json: JsonObject, what: string, foreign: boolean): JsonObject | Promise<JsonObject> {
  return afterCheck(json, what, (hasLegacyPattern) =>
    // The patterns of a foreign schema are not validated, so they need no conversion.
    isOpenApi(json) || (hasLegacyPattern && !foreign)
      ? loadConverter(() => import('../validation/validation-chunk.js'), what).then(({ toModernDialect }) =>
          finish(toModernDialect(json, what), what, foreign),
        )
      : finish(json, what, foreign),
  )
}

/**
 * Calls a function after the structure of a schema was checked, with whether a pattern in it is valid only without
 * Unicode mode. A promise only where the code for the check has to be loaded.
 * @throws `invalid-tool`; the promise rejects with it, or with `unavailable`
 */
export function afterCheck<T>(
  json: JsonObject,
  what: string,
  use: (hasLegacyPattern: boolean) => T | Promise<T>,
): T | Promise<T> {
  return isSound(json) ? use(false) : withStructure(what, ({ checkStructure }) => use(checkStructure(json, what)))
}

/**
 * Whether a schema has common keywords only, without mistakes and without anything to convert. In draft 4 some of these
 * keywords mean nothing.
 */
export function isSound(json: JsonObject): boolean {
  if (!isCommon(json) || needsConversion(json) || /draft-04/.test(String(json['$schema']))) return false
  let isValid = true
  eachSchema(json, ({ type = [] }) => {
    isValid &&= [type].flat().every((one) => jsonTypes.has(one))
  })
  return isValid
}

/** Whether a schema has keywords of OpenAPI 3.0, or a pattern that is valid only without Unicode mode. */
export function needsConversion(schema: JsonObject): boolean {
  let hasLegacyPattern = false
  eachSchema(schema, ({ pattern = '', patternProperties = {} }) => {
    hasLegacyPattern ||= ![pattern, ...Object.keys(patternProperties as object)].every((source) =>
      isPattern(String(source), 'u'),
    )
  })
  return hasLegacyPattern || isOpenApi(schema)
}

/** Whether a schema may have keywords of OpenAPI 3.0 or draft 4, which current validators ignore or reject. */
function isOpenApi(json: JsonValue): boolean {
  return /"(nullable|exclusiveM..imum)":(true|false)/.test(JSON.stringify(json))
}

/**
 * The last step of every conversion: requires an object at the root, and removes what the model does not need.
 * @throws `invalid-tool`
 */
export function finish(made: unknown, what: string, foreign = false): JsonObject {
  const json = jsonCopy(made, what)
  if (!isObject(json))
    throw invalidSchema(`${what}: expected a schema that converts to an object, received ${received(json)}`)
  const root = mapSchema(rootOf(json as JsonObject, what), (schema) => forModel(schema, foreign))
  const { type: _type, properties, ...rest } = root
  return { type: 'object', properties: isObject(properties) ? (properties as JsonObject) : {}, ...rest }
}

/** A copy as plain JSON. @throws `invalid-tool` for what JSON cannot hold */
export function jsonCopy(made: unknown, what: string): JsonValue | undefined {
  try {
    return plainJson(made, what)
  } catch (error) {
    throw error instanceof ToolAgentError ? invalidSchema(error.message, error) : error
  }
}

/** Providers require an object schema at the root, so a reference there is replaced by its target. */
function rootOf(json: JsonObject, what: string): JsonObject {
  let root = json
  for (let hops = 0; typeof root['$ref'] === 'string' && hops < 10; hops++) {
    const target = resolvePointer(json, root['$ref'])
    if (!isObject(target) || target === root) break
    const { $ref: _ref, ...rest } = root
    root = { ...(target as JsonObject), ...rest }
  }
  const { $schema: _dialect, ...rest } = root
  const type: unknown = rest['type']
  const alternatives = combiningKeyword(rest)
  checkRootKeywords(rest, what)
  if (type === 'object' || (type === undefined && alternatives === undefined)) return rest
  const found = JSON.stringify(type ?? alternatives)
  throw invalidSchema(
    `${what}: the root must be an object schema, received ${found}. Put it into a property, as in { "value": … }`,
  )
}

/**
 * An example of each format. A pattern that matches it only repeats the format; zod's for a date has 200 characters.
 */
const samples: Readonly<Record<string, string>> = {
  email: 'a@b.co',
  uuid: '11111111-1111-1111-8111-111111111111',
  date: '2024-02-29',
  'date-time': '2024-02-29T11:11:11.1Z',
  duration: 'P1Y2D',
  ipv4: '1.1.1.1',
  ipv6: '2001:db8::1',
}

/**
 * Removes what a model does not need: the bounds that zod's `.int()` adds, patterns of formats, invisible characters.
 */
function forModel(schema: JsonObject, foreign: boolean): JsonObject {
  const copy: Record<string, JsonValue | undefined> = { ...schema }
  if (copy['minimum'] === Number.MIN_SAFE_INTEGER) delete copy['minimum']
  if (copy['maximum'] === Number.MAX_SAFE_INTEGER) delete copy['maximum']
  const sample = samples[String(copy['format'])]
  if (sample !== undefined && !foreign && new RegExp(String(copy['pattern'] ?? '')).test(sample)) delete copy['pattern']
  for (const key of ['description', 'title']) {
    const text = copy[key]
    if (typeof text === 'string') copy[key] = visibleText(text)
  }
  return copy
}
