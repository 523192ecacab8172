// Checks and copies the tool context when it is set. It is passed to tools only: no value of it may become part of a
// model request. The copy that a tool receives is made in context-layers.ts.
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import { isObject, isPrototypeKey, type JsonValue, written } from '../core/data/json.js'
import type { ContextChange } from '../core/data/session.js'
import type { ToolContext } from '../core/data/tool.js'

/**
 * Returns a JSON copy without undefined values. `option` is the name of the option in error messages.
 * @throws `invalid-option` with the name of the key whose value JSON cannot hold
 */
export function copyContext(context: unknown, option = 'toolContext'): ToolContext {
  if (!isObject(context))
    throw new ToolAgentError(
      'invalid-option',
      `${option}: expected an object, received ${context === null ? 'null' : typeof context}`,
    )
  const entries = Object.entries(context).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (isPrototypeKey(key)) throw new ToolAgentError('invalid-option', `${option}: the key ${key} is not allowed`)
    try {
      return [[key, strictJson(value)] as const]
    } catch (thrown) {
      throw new ToolAgentError(
        'invalid-option',
        `${option}.${key}: JSON cannot hold it (${errorMessage(thrown)}). Use ids and plain data.`,
        { cause: thrown },
      )
    }
  })
  return Object.fromEntries(entries)
}

/** The change that sets one key or, if the value is undefined, deletes it. @throws as `copyContext` */
export function contextChange(key: string, value: JsonValue | undefined): ContextChange[number] {
  return value === undefined ? { key } : { key, value: copyContext({ [key]: value }, 'remember')[key] ?? null }
}

/**
 * A copy of a value that JSON can hold, without undefined properties.
 * @throws TypeError with the path of a value that JSON would drop or convert
 */
export function strictJson(root: unknown): JsonValue {
  const paths = new Map<unknown, string>()
  const text = JSON.stringify(root, function (this: unknown, key: string, given: unknown) {
    const value = written.call(this, key, given)
    const outer = paths.get(this)
    const path = outer ? `${outer}.${key}` : key
    const isInstance = typeof value === 'object' && value !== null
    const type = isInstance ? Object.prototype.toString.call(value).slice(8, -1) : typeof value
    const isNumber = type === 'number'
    if (isInstance) paths.set(value, path)
    if (isNumber ? Number.isFinite(value) : /^(?:Object|Array|object|string|boolean|undefined)$/.test(type))
      return value
    throw new TypeError(`${isNumber ? String(value) : `a ${type}`}${path && ` at '${path}'`}`)
  })
  return JSON.parse(text) as JsonValue
}
