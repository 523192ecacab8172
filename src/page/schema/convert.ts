// Converts plain JSON Schema to the one that the model sees.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { plainJson } from '../../core/data/plain-json.js'
import { received } from '../checks.js'
import { visibleText } from '../visible-text.js'
import { checkRootKeywords, combiningKeyword, invalidSchema } from './check-schema.js'
import { toModernDialect } from './dialects.js'
import { checkStructure } from './structure.js'
import { mapSchema, resolvePointer } from './walk.js'

/**
 * The JSON Schema of the arguments from a plain JSON Schema. The patterns of a `foreign` schema are never run, because
 * they could block the page.
 * @throws `invalid-tool`
 */
export function fromJsonSchema(json: JsonObject, what: string, foreign: boolean): JsonObject {
  const isLegacy = checkStructure(json, what)
  // The patterns of a foreign schema are not validated, so they need no conversion.
  const modern = isOpenApi(json) || (isLegacy && !foreign) ? toModernDialect(json, what) : json
  return finish(modern, what, foreign)
}

/** Whether a schema may have keywords of OpenAPI 3.0 or draft 4, which current validators ignore or reject. */
export function isOpenApi(json: JsonValue): boolean {
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
