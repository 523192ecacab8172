// Converts values that page functions return to JSON. Values with an obvious JSON form are converted. Others, such as
// DOM nodes, functions and promises, are an error that names their path, so no data is lost silently. The other
// functions for JSON that no page needs before it connects are here, too.
import { ToolAgentError } from './errors.js'
import { isObject, stringify, type JsonValue } from './json.js'

/** The longest JSON text of one value inside of a message, in characters. */
export const maxJsonChars = 1_048_576
/** The longest JSON text of what a tool returns, in characters. What a message cannot hold is stored beside it. */
export const maxOutputChars = 16 * maxJsonChars
/** Values may be nested this deep. */
const maxJsonDepth = 200

/** Values without a JSON form, by their `Object.prototype.toString` tag, and what to do instead. */
const unsupported: ReadonlyMap<string, string> = new Map([
  ['Promise', ': await it'],
  ['Response', ': await its json() or text()'],
  ['Request', ': return its values'],
  ['ReadableStream', ': read it'],
  ['AsyncGenerator', ': return its values'],
  ['WeakMap', ''],
  ['WeakSet', ''],
  ['WeakRef', ''],
  ['Symbol', ''],
])

/**
 * A copy of the value as JSON; undefined only for undefined. `toJSON` is called. A BigInt becomes a string, a Map or
 * Set an array, an Error its name and message, bytes an array of numbers, a Blob or File its type, size and name, and a
 * class instance its own enumerable properties. A cycle becomes `[Circular]`. A `__proto__` key is left out. `subject`:
 * how error messages name the value. `most`: the longest JSON text, in characters.
 * @throws {ToolAgentError} `not-serializable` for a value without a JSON form, with `details.path`, and for more than
 * `most` characters of JSON, with `details.limit`.
 */
export function plainJson(root: unknown, subject = 'The result', most = maxJsonChars): JsonValue | undefined {
  return new JsonCopy(subject, most).copy(root)
}

/** Copies one value. `isConverted` of its methods: the value is what `toJSON` or a conversion returned. */
class JsonCopy {
  readonly #subject: string
  // Where the value is that is copied now, for errors.
  readonly #path: (string | number)[] = []
  // The objects around it. An object that is beside itself is copied twice, one inside itself is a cycle.
  readonly #ancestors = new Set<object>()
  readonly #most: number
  #chars = 0

  constructor(subject: string, most: number) {
    this.#subject = subject
    this.#most = most
  }

  copy(root: unknown): JsonValue | undefined {
    return this.#visit(root, false)
  }

  #fail(problem: string, cause?: unknown): never {
    const place = pathText(this.#path)
    throw new ToolAgentError(
      'not-serializable',
      `${this.#subject} cannot be turned into JSON: ${place === '' ? 'it' : place} ${problem}.`,
      { details: { path: place }, ...(cause === undefined ? {} : { cause }) },
    )
  }

  // A lower bound, so that the conversion of a huge value stops early. `jsonText` checks the exact length.
  #count(more: number): void {
    this.#chars += more
    if (this.#chars > this.#most) throw tooLarge(this.#subject, this.#most)
  }

  #copyAt(key: string | number, value: unknown): JsonValue | undefined {
    this.#path.push(key)
    const json = this.#visit(value, false)
    this.#path.pop()
    return json
  }

  #copyList(values: Iterable<unknown>): JsonValue {
    const items: JsonValue[] = []
    for (const value of values) {
      this.#count(2)
      items.push(this.#copyAt(items.length, value) ?? null)
    }
    return items
  }

  #copyRecord(value: object): JsonValue {
    const json: Record<string, JsonValue> = {}
    for (const key of Object.keys(value)) {
      if (key === '__proto__') continue
      const item = this.#copyAt(key, this.#read(value, key))
      if (item === undefined) continue
      this.#count(key.length + 3)
      json[key] = item
    }
    return json
  }

  #read(value: object, key: string): unknown {
    try {
      return Reflect.get(value, key)
    } catch (error) {
      this.#path.push(key)
      return this.#fail('throws when it is read', error)
    }
  }

  #copyObject(value: object, isConverted: boolean): JsonValue | undefined {
    // Checked first, because a window of another origin throws for most other properties.
    if (Reflect.get(value, 'window') === value) return this.#fail('is a Window')
    const tag = Object.prototype.toString.call(value).slice(8, -1)
    if (isNode(value)) return this.#fail(`is a DOM node (${String(Reflect.get(value, 'nodeName')).toLowerCase()})`)
    if (value instanceof Error || tag === 'Error' || tag === 'DOMException') {
      const { name, message } = value as Error
      return this.#copyRecord({ name: String(name), message: String(message) })
    }
    // Not that of an array, which old libraries add to all of them and which returns a text.
    if (!isConverted && !Array.isArray(value)) {
      const toJson: unknown = Reflect.get(value, 'toJSON')
      if (typeof toJson === 'function') {
        const json: unknown = toJson.call(value, String(this.#path.at(-1) ?? ''))
        return json === value ? this.#copyObject(value, true) : this.#visit(json, true)
      }
    }
    const problem = unsupported.get(tag)
    if (problem !== undefined) return this.#fail(`is a ${tag}${problem}`)
    if (Array.isArray(value)) return this.#copyList(value)
    const bytes = bytesOf(value, tag)
    if (bytes !== undefined) return this.#copyList(bytes)
    switch (tag) {
      case 'Map':
      case 'Set':
      case 'FormData':
      case 'Headers':
        return this.#copyList(value as Iterable<unknown>)
      case 'URLSearchParams':
      case 'RegExp':
      case 'String':
      case 'BigInt':
        return this.#visit(String(value), true)
      case 'Number':
        return this.#visit(Number(value), true)
      case 'Boolean':
        return this.#visit(Boolean(value.valueOf()), true)
      case 'Blob':
        return this.#copyRecord({ type: Reflect.get(value, 'type'), size: Reflect.get(value, 'size') })
      case 'File':
        return this.#copyRecord({
          name: Reflect.get(value, 'name'),
          type: Reflect.get(value, 'type'),
          size: Reflect.get(value, 'size'),
        })
      default:
        return this.#copyRecord(value)
    }
  }

  #visit(value: unknown, isConverted: boolean): JsonValue | undefined {
    switch (typeof value) {
      case 'undefined':
        return undefined
      case 'string':
        this.#count(value.length + 2)
        return value
      case 'boolean':
        this.#count(4)
        return value
      case 'number':
        this.#count(1)
        return Number.isFinite(value) ? value : null
      case 'bigint':
        return this.#visit(String(value), isConverted)
      case 'symbol':
        return this.#fail('is a symbol')
      case 'function':
        return this.#fail('is a function')
      case 'object':
        if (value !== null) return this.#copyNested(value, isConverted)
    }
    this.#count(4)
    return null
  }

  #copyNested(value: object, isConverted: boolean): JsonValue | undefined {
    if (this.#ancestors.has(value)) {
      this.#count(12)
      return '[Circular]'
    }
    if (this.#ancestors.size >= maxJsonDepth) return this.#fail(`is more than ${maxJsonDepth} levels deep`)
    this.#count(2)
    this.#ancestors.add(value)
    try {
      return this.#copyObject(value, isConverted)
    } catch (error) {
      if (error instanceof ToolAgentError) throw error
      return this.#fail('throws when it is read', error)
    } finally {
      this.#ancestors.delete(value)
    }
  }
}

/**
 * The JSON text of the value.
 * @throws {ToolAgentError} `not-serializable` if it is longer than `most` characters.
 */
export function jsonText(value: JsonValue, subject = 'The result', most = maxJsonChars): string {
  const text = stringify(value)
  if (text.length > most) throw tooLarge(subject, most)
  return text
}

function tooLarge(subject: string, most: number): ToolAgentError {
  return new ToolAgentError(
    'not-serializable',
    `${subject} is more than ${most / maxJsonChars} MB of JSON. Ask for less: fewer rows or fields.`,
    { details: { limit: most } },
  )
}

/**
 * True for a DOM node. Recognized by its properties, because each frame has its own classes. Plain data with the same
 * names has them as own properties.
 */
function isNode(value: object): boolean {
  const { nodeType, nodeName } = value as { nodeType?: unknown; nodeName?: unknown }
  return typeof nodeType === 'number' && typeof nodeName === 'string' && !Object.hasOwn(value, 'nodeType')
}

/**
 * The elements of a typed array or the bytes of a buffer. Recognized by tag, because each frame has its own classes.
 */
function bytesOf(value: object, tag: string): Iterable<unknown> | undefined {
  if (tag === 'ArrayBuffer' || tag === 'SharedArrayBuffer') return new Uint8Array(value as ArrayBuffer)
  if (!ArrayBuffer.isView(value)) return undefined
  return tag === 'DataView' ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : (value as Uint8Array)
}

/** The path as text, such as `items[2].name` or `["first name"]`. Empty for the root. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`
      if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(key)) return `[${JSON.stringify(key)}]`
      return index === 0 ? key : `.${key}`
    })
    .join('')
}

/** The keys of a path that `pathText` has written: stored issues have their path as text. */
export const pathKeys = (text: string): (string | number)[] =>
  [...text.matchAll(/\[(\d+|"(?:[^"\\]|\\.)*")\]|[^.[\]]+/g)].map(([key, json]) =>
    json === undefined ? key : (JSON.parse(json) as string | number),
  )

/** JSON with sorted object keys, so equal values have equal text. For hashes, and to recognize identical calls. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  const entries = Object.keys(value)
    .sort()
    .flatMap((key) => (value[key] === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(value[key])}`]))
  return `{${entries.join(',')}}`
}

/**
 * Parses JSON. Integers that a JavaScript number would round, such as long order ids, become strings; the schema
 * decides later whether the field accepts one.
 * @throws {SyntaxError} if the text is not JSON
 */
export function parseExact(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue
  if (!/\d{16}/.test(text)) return value
  const quoted = text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (isRounded(token) ? `"${token}"` : token))
  return JSON.parse(quoted) as JsonValue
}

/** Counts the brackets in the text, because a value that is too deep must not be parsed or stored. */
export function isDeeperThan(text: string, most: number): boolean {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > most) return true
  }
  return false
}

/** True for the text of an integer that a JavaScript number cannot hold exactly. */
export function isRounded(text: string): boolean {
  if (!/^-?(?:0|[1-9]\d*)$/.test(text)) return false
  const number = Number(text)
  return !Number.isFinite(number) || BigInt(number) !== BigInt(text)
}
