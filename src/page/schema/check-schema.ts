// Checks a schema when its tool is registered, for the mistakes that are most common. Compiling it finds the others,
// but the code for that is loaded later, with the host.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { received } from '../checks.js'
import { strictJson } from '../tool-context.js'

/** The JSON Schema of a tool without arguments. */
export const noParameters: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** An `invalid-tool` error. */
export function invalidSchema(message: string, cause?: unknown): ToolAgentError {
  return new ToolAgentError('invalid-tool', message, cause === undefined ? {} : { cause })
}

/** Whether a value is a schema of zod or of another library with Standard Schema. Some libraries use functions. */
export function isLibrarySchema(value: unknown): boolean {
  const { _zod, _def, '~standard': standard, safeParseAsync } = Object(value) as Record<string, unknown>
  return isObject(_zod) || isObject(standard) || (isObject(_def) && typeof safeParseAsync === 'function')
}

/**
 * The schema of a library as it is, and a plain JSON Schema as a copy, because its author may change the original
 * later. Undefined for no schema. `what` is the author's name for the schema, used in messages.
 * @throws `invalid-tool` for anything that is not a schema
 */
export function checkSchema(schema: unknown, what: string): object | undefined {
  if (schema === undefined || schema === null) return undefined
  if (isLibrarySchema(schema)) return schema
  let json: unknown = schema
  if (isObject(schema)) {
    const field = Object.keys(schema).find((key) => isLibrarySchema(schema[key]))
    if (field !== undefined)
      throw invalidSchema(
        `${what}: expected a schema, received a plain object of schemas. Wrap it, as in z.object({ ${field}: … })`,
      )
    try {
      json = strictJson(schema)
    } catch (error) {
      throw invalidSchema(`${what}: JSON cannot hold it (${errorMessage(error)})`, error)
    }
  }
  if (isObject(json)) return json
  throw invalidSchema(
    `${what}: expected a schema (zod, Standard Schema or a JSON Schema object), received ${received(json)}`,
  )
}

/** As `checkSchema`, for a schema of arguments or of the tool context: its root must not be an object of properties. */
export function checkInputSchema(schema: unknown, what: string): object | undefined {
  const checked = checkSchema(schema, what)
  if (checked !== undefined && !isLibrarySchema(checked)) checkRootKeywords(checked as JsonObject, what)
  return checked
}

/** Keywords that combine or refer to schemas. A root with one of them needs no type. */
const combining = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'const', 'not']

/** The first keyword at the root of a schema that combines or refers to schemas. */
export function combiningKeyword(root: JsonObject): string | undefined {
  return combining.find((key) => key in root)
}

/**
 * Checks that the root of a JSON Schema is one, not an object of properties such as `{ query: 'string' }`.
 * @throws `invalid-tool`
 */
export function checkRootKeywords(root: JsonObject, what: string): void {
  if ('type' in root || 'properties' in root || combiningKeyword(root) !== undefined) return
  const key = Object.keys(root).find(
    (name) => !bareKeyword.test(name) || (/^(title|desc)/.test(name) && isObject(root[name])),
  )
  if (key !== undefined)
    throw invalidSchema(
      `${what}: "${key}" is not a keyword of JSON Schema. Use { type: 'object', properties: { ${key}: … } }`,
    )
}

/** Keywords that are allowed at a root without a type, alternatives or properties. */
const bareKeyword = new RegExp(
  '^([$]|x-|title|desc|def|depre|depend|exampl|requi|' +
    '(min|max|addi|uneval|patt).*Prop|propertyN|if|then|else|readO|writeO|nulla)',
)
