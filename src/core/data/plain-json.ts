// Makes JSON of whatever a page function returned. Decision: what has a plain meaning is converted, what has none
// (a DOM node, a function, a Promise) is an error that names its place, so that nothing goes missing in silence.
import { ToolAgentError } from './errors.js'
import type { JsonValue } from './json.js'

/** The most JSON text one value may make, in characters. */
export const maxJsonChars = 1_048_576
const maxDepth = 200

/** What cannot be JSON, by its `Object.prototype.toString` tag, and what to do instead. */
const hopeless: ReadonlyMap<string, string> = new Map([
  ['Promise', 'is a Promise: await it'],
  ['Response', 'is a Response: return await response.json() or await response.text()'],
  ['Request', 'is a Request: return the values it holds'],
  ['ReadableStream', 'is a stream: read it and return what it held'],
  ['AsyncGenerator', 'is an async generator: return the values it yields'],
  ['WeakMap', 'is a WeakMap, which cannot be listed'],
  ['WeakSet', 'is a WeakSet, which cannot be listed'],
  ['WeakRef', 'is a WeakRef: return what it points to'],
  ['Symbol', 'is a symbol'],
])

/**
 * A copy of the value made of JSON alone; undefined only for undefined. BigInt becomes a string, Date its ISO text,
 * Map and Set arrays, Error its name and message, bytes arrays of numbers, a Blob or File its type, size and name, a
 * class instance its own enumerable properties; `toJSON` is honoured, a cycle is marked `[Circular]`, a `__proto__`
 * key is left out. Throws `not-serializable`, with the place in `details.path`, for all that has no such meaning and
 * for more than `maxJsonChars` of JSON.
 */
export function plainJson(root: unknown, subject = 'The result'): JsonValue | undefined {
  const path: (string | number)[] = []
  const ancestors = new Set<object>()
  let chars = 0

  const fail = (problem: string, cause?: unknown): never => {
    const place = pathText(path)
    throw new ToolAgentError(
      'not-serializable',
      `${subject} cannot be turned into JSON: ${place === '' ? 'it' : place} ${problem}. Only plain data can.`,
      { details: { path: place }, ...(cause === undefined ? {} : { cause }) },
    )
  }
  // A lower bound while walking, so that a huge value is given up early; `jsonText` has the exact count.
  const count = (more: number): void => {
    chars += more
    if (chars > maxJsonChars) throw tooLarge(subject)
  }
  const at = (key: string | number, value: unknown): JsonValue | undefined => {
    path.push(key)
    const json = visit(value, false)
    path.pop()
    return json
  }
  const list = (values: Iterable<unknown>): JsonValue => {
    const items: JsonValue[] = []
    for (const value of values) {
      count(2)
      items.push(at(items.length, value) ?? null)
    }
    return items
  }
  const record = (value: object): JsonValue => {
    const json: Record<string, JsonValue> = {}
    for (const key of Object.keys(value)) {
      if (key === '__proto__') continue
      const item = at(key, read(value, key))
      if (item === undefined) continue
      count(key.length + 3)
      json[key] = item
    }
    return json
  }
  const read = (value: object, key: string): unknown => {
    try {
      return Reflect.get(value, key)
    } catch (error) {
      path.push(key)
      return fail('throws when it is read', error)
    }
  }

  const inside = (value: object, made: boolean): JsonValue | undefined => {
    // A window of another origin allows this property and little else, so it comes first.
    if (Reflect.get(value, 'window') === value) return fail('is a Window')
    const tag = Object.prototype.toString.call(value).slice(8, -1)
    if (isNode(value)) return fail(`is a DOM node (${String(Reflect.get(value, 'nodeName')).toLowerCase()})`)
    if (value instanceof Error || tag === 'Error' || tag === 'DOMException') {
      const { name, message } = value as Error
      return record({ name: String(name), message: String(message) })
    }
    if (!made) {
      const toJson: unknown = Reflect.get(value, 'toJSON')
      if (typeof toJson === 'function') {
        const json: unknown = toJson.call(value, String(path.at(-1) ?? ''))
        return json === value ? inside(value, true) : visit(json, true)
      }
    }
    const problem = hopeless.get(tag)
    if (problem !== undefined) return fail(problem)
    if (Array.isArray(value)) return list(value)
    const bytes = bytesOf(value, tag)
    if (bytes !== undefined) return list(bytes)
    switch (tag) {
      case 'Map':
      case 'Set':
      case 'FormData':
      case 'Headers':
        return list(value as Iterable<unknown>)
      case 'URLSearchParams':
      case 'RegExp':
      case 'String':
      case 'BigInt':
        return visit(String(value), true)
      case 'Number':
        return visit(Number(value), true)
      case 'Boolean':
        return visit(Boolean(value.valueOf()), true)
      case 'Blob':
        return record({ type: Reflect.get(value, 'type'), size: Reflect.get(value, 'size') })
      case 'File':
        return record({
          name: Reflect.get(value, 'name'),
          type: Reflect.get(value, 'type'),
          size: Reflect.get(value, 'size'),
        })
      default:
        return record(value)
    }
  }

  const visit = (value: unknown, made: boolean): JsonValue | undefined => {
    switch (typeof value) {
      case 'undefined':
        return undefined
      case 'string':
        count(value.length + 2)
        return value
      case 'boolean':
        count(4)
        return value
      case 'number':
        count(1)
        return Number.isFinite(value) ? value : null
      case 'bigint':
        return visit(String(value), made)
      case 'symbol':
        return fail('is a symbol')
      case 'function':
        return fail('is a function')
      case 'object':
        if (value !== null) return nested(value, made)
    }
    count(4)
    return null
  }

  const nested = (value: object, made: boolean): JsonValue | undefined => {
    if (ancestors.has(value)) {
      count(12)
      return '[Circular]'
    }
    if (ancestors.size >= maxDepth) return fail(`is more than ${maxDepth} levels deep`)
    count(2)
    ancestors.add(value)
    try {
      return inside(value, made)
    } catch (error) {
      if (error instanceof ToolAgentError) throw error
      return fail('throws when it is read', error)
    } finally {
      ancestors.delete(value)
    }
  }

  return visit(root, false)
}

/** The value's JSON text; throws `not-serializable` where it is longer than `maxJsonChars`. */
export function jsonText(value: JsonValue, subject = 'The result'): string {
  const text = JSON.stringify(value)
  if (text.length > maxJsonChars) throw tooLarge(subject)
  return text
}

function tooLarge(subject: string): ToolAgentError {
  return new ToolAgentError(
    'not-serializable',
    `${subject} is more than 1 MB of JSON. Ask for less: fewer rows, fewer fields, a page at a time.`,
    { details: { limit: maxJsonChars } },
  )
}

/** By its shape, since a document of another frame has classes of its own; data that looks alike owns the names. */
function isNode(value: object): boolean {
  const { nodeType, nodeName } = value as { nodeType?: unknown; nodeName?: unknown }
  return typeof nodeType === 'number' && typeof nodeName === 'string' && !Object.hasOwn(value, 'nodeType')
}

/** The elements of a typed array, the bytes of a buffer or view; by tag, as these too come from other frames. */
function bytesOf(value: object, tag: string): Iterable<unknown> | undefined {
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return new Uint8Array(value as ArrayBuffer)
  if (!ArrayBuffer.isView(value)) return undefined
  return tag === 'DataView' ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : (value as Uint8Array)
}

/** `items[2].name`; a name that is no identifier in brackets and quotes. Empty for the root. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : !/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(key)
          ? `[${JSON.stringify(key)}]`
          : index === 0
            ? key
            : `.${key}`,
    )
    .join('')
}
