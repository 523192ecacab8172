// The tool context is checked where it is set. It goes to tools alone; no value of it is ever part of a request. A tool
// gets its copy from context-layers.ts.
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import { isObject, isPrototypeKey, type JsonObject, type JsonValue } from '../core/data/json.js'
import type { ContextChange } from '../core/data/session.js'
import type { ToolContext } from '../core/data/tool.js'

/** A JSON copy. Throws `invalid-option` that names the key which JSON cannot hold. */
export function copyContext(context: unknown, option = 'toolContext'): ToolContext {
  if (!isObject(context))
    throw new ToolAgentError(
      'invalid-option',
      `${option}: an object is needed, got ${context === null ? 'null' : typeof context}`,
    )
  const entries = Object.entries(context).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (isPrototypeKey(key)) throw new ToolAgentError('invalid-option', `${option}: the key ${key} is not allowed`)
    try {
      return [[key, JSON.parse(JSON.stringify(value, refuse)) as JsonObject[string]] as const]
    } catch (thrown) {
      throw new ToolAgentError(
        'invalid-option',
        `${option}.${key}: JSON cannot hold it (${errorMessage(thrown)}). Keep ids and plain data there.`,
        { cause: thrown },
      )
    }
  })
  return Object.fromEntries(entries)
}

/** One key set or, without a value, deleted. Throws `invalid-option` as `copyContext` does. */
export function contextChange(key: string, value: JsonValue | undefined): ContextChange[number] {
  return value === undefined ? { key } : { key, value: copyContext({ [key]: value }, 'remember')[key] ?? null }
}

function refuse(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`a ${typeof value}${key ? ` at '${key}'` : ''}`)
  }
  if (
    typeof value === 'object' &&
    value !== null &&
    !/^\[object (Object|Array)\]$/.test(Object.prototype.toString.call(value))
  ) {
    throw new TypeError(`a ${Object.prototype.toString.call(value).slice(8, -1)}${key ? ` at '${key}'` : ''}`)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value}${key ? ` at '${key}'` : ''}`)
  return value
}
