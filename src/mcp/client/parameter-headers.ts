// The headers in which a call repeats some of its arguments (`x-mcp-header` of revision 2026-07-28), so that gateways
// can route it without its body. Own code, because `callTool` of the official client sends none from a page, and its
// `listTools` loses the whole list over one unusual tool.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'

const keyword = 'x-mcp-header'
/** A token of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const types: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Keywords whose value holds schemas by name. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
/** Keywords whose value is data. */
const data = new Set(['enum', 'const', 'default', 'examples'])

/** An argument that a header repeats. */
export interface ParameterHeader {
  /** The keys that lead to the argument. */
  readonly path: readonly string[]
  /** The header without `Mcp-Param-`. */
  readonly name: string
}

/** The headers that a schema asks for, or what is wrong with them: the protocol forbids to offer such a tool. */
export function readParameterHeaders(schema: JsonObject): readonly ParameterHeader[] | string {
  const found = new Map<string, ParameterHeader>()
  /** Returns what is wrong. `path`: undefined where no single argument is meant. */
  const visit = (node: unknown, path: readonly string[] | undefined): string | undefined => {
    if (Array.isArray(node)) return firstProblem(node, (item) => visit(item, undefined))
    if (!isObject(node)) return undefined
    const name = node[keyword]
    if (name !== undefined) {
      if (path === undefined || path.length === 0) return `${keyword} is allowed for single arguments only`
      if (typeof name !== 'string' || !token.test(name)) return `${keyword} must be a name that a header can have`
      if (!types.has(node['type'])) return `${keyword} needs the type string, integer or boolean`
      if (found.has(name.toLowerCase())) return `${keyword} is used twice with the same name`
      found.set(name.toLowerCase(), { path, name })
    }
    return firstProblem(Object.entries(node), ([key, value]) => {
      if (data.has(key)) return undefined
      if (!maps.has(key) || !isObject(value)) return visit(value, undefined)
      const isArguments = key === 'properties' && path !== undefined
      return firstProblem(Object.entries(value), ([inner, one]) =>
        visit(one, isArguments ? [...path, inner] : undefined),
      )
    })
  }
  return visit(schema, []) ?? [...found.values()]
}

function firstProblem<T>(items: readonly T[], problemOf: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** The headers of one call. A missing argument and null have none. */
export function parameterHeaders(schema: JsonObject, input: JsonObject): Record<string, string> {
  const declared = readParameterHeaders(schema)
  if (typeof declared === 'string') return {}
  return Object.fromEntries(
    declared.flatMap(({ path, name }) => {
      const value = valueAt(input, path)
      const isSent = ['string', 'boolean'].includes(typeof value) || Number.isSafeInteger(value)
      return isSent ? [[`Mcp-Param-${name}`, encoded(String(value))]] : []
    }),
  )
}

function valueAt(input: JsonValue, path: readonly string[]): unknown {
  let value: unknown = input
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  return value
}

/** As it is if a header can carry it, otherwise as Base64 in the form of the protocol. */
function encoded(value: string): string {
  const isPlain = /^[\t\x20-\x7e]+$/.test(value) && value.trim() === value
  if (isPlain && !/^=\?base64\?.*\?=$/.test(value)) return value
  let bytes = ''
  for (const byte of new TextEncoder().encode(value)) bytes += String.fromCharCode(byte)
  return `=?base64?${btoa(bytes)}?=`
}
