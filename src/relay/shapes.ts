// Shapes of JSON values. `clean` removes from a body in place what its shape does not name, and refuses what has
// another type. The shapes of the protocols in `protocols.ts` are the list of what pages may send.
import { invalid, type Refusal } from './refusal.js'

/**
 * Returns the value without what the shape does not name. Throws a refusal for a value that does not fit. `path` is
 * where the value is, without the numbers of lists: `messages[].content`. `dropped` is called with each path that was
 * removed.
 */
export type Shape = (value: unknown, path: string, dropped: (path: string) => void) => unknown

/** The fields of an object. Those of an inner object are fields again. */
export interface Fields {
  readonly [name: string]: Shape | Fields
}

function wrong(path: string, expected: string, value: unknown): Refusal {
  return invalid(`${path}: expected ${expected}, received ${(JSON.stringify(value) ?? 'nothing').slice(0, 80)}`)
}

/** Any JSON value, such as a schema or arguments. */
export const json: Shape = (value) => value

export const text: Shape = (value, path) => {
  if (typeof value !== 'string') throw wrong(path, 'a text', value)
  return value
}

export const flag: Shape = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
  return value
}

/** Only this value. */
export const exactly =
  (only: unknown): Shape =>
  (value, path) => {
    if (value !== only) throw wrong(path, JSON.stringify(only), value)
    return value
  }

/** A number of tokens. */
export const count: Shape = (value, path) => {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > 1_000_000)
    throw wrong(path, 'an integer from 1 to 1000000', value)
  return value
}

/**
 * A file in the body, or at a public address. Not a file that is stored at the provider, and no address of an inner
 * network: a server of your own may load what the page names. A public name that leads to an inner address cannot be
 * seen here.
 */
export const fileUrl: Shape = (value, path) => {
  const isFile = typeof value === 'string' && (/^data:/i.test(value) || isPublicAddress(value))
  if (!isFile) throw wrong(path, 'a data URL or an https URL of a public host', value)
  return value
}

/** Programs disagree about the host of an address with a backslash, a space or a user. */
const plainAddress = /^https:\/\/[^\s\\@/?#]+(?:[/?#][^\s\\]*)?$/i
const innerNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/

function isPublicAddress(address: string): boolean {
  if (!plainAddress.test(address) || !URL.canParse(address)) return false
  const host = new URL(address).hostname.replace(/\.$/, '')
  // Of IPv6, only global addresses that contain no address of IPv4.
  if (host.startsWith('[')) return /^\[[23][\da-f]{3}:/.test(host) && !/^\[200(?:1:|2:)/.test(host)
  const [first = 0, second = 0] = /^[\d.]+$/.test(host) ? host.split('.').map(Number) : [NaN]
  if (!Number.isNaN(first)) return !isInnerIp(first, second)
  return host.includes('.') && !innerNames.test(host) && !`.${host}`.endsWith('.googleapis.com')
}

/** By the first two numbers: this host, private and shared networks, links, tests of networks, groups. */
const isInnerIp = (first: number, second: number): boolean =>
  [0, 10, 127].includes(first) ||
  first >= 224 ||
  (first === 100 && second >= 64 && second < 128) ||
  (first === 169 && second === 254) ||
  (first === 172 && second >= 16 && second < 32) ||
  (first === 192 && (second === 168 || second === 0)) ||
  (first === 198 && (second === 18 || second === 19))

export const listOf =
  (item: Shape): Shape =>
  (value, path, dropped) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list', value)
    const inside = `${path}[]`
    for (let index = 0; index < value.length; index++) value[index] = item(value[index], inside, dropped)
    return value
  }

/** A text, or what the shape says. */
export const textOr =
  (shape: Shape): Shape =>
  (value, path, dropped) =>
    typeof value === 'string' ? value : shape(value, path, dropped)

/** An object with these fields. Null counts as absent. */
export function object(fields: Readonly<Record<string, Shape>>): Shape {
  const shapes = new Map(Object.entries(fields))
  return (value, path, dropped) => {
    if (!isObject(value)) throw wrong(path || 'The body', 'an object', value)
    for (const name of Object.keys(value)) {
      const inside = path === '' ? name : `${path}.${name}`
      const shape = shapes.get(name)
      if (shape === undefined) {
        delete value[name]
        dropped(inside)
      } else if (value[name] !== null) value[name] = shape(value[name], inside, dropped)
    }
    return value
  }
}

/**
 * An object whose field `type` says which fields it has. The field may be missing if there are fields for `usual`.
 */
export function typed(types: Readonly<Record<string, Readonly<Record<string, Shape>>>>): Shape {
  const shapes = new Map(Object.entries(types).map(([name, fields]) => [name, object({ type: text, ...fields })]))
  return (value, path, dropped) => {
    const type = isObject(value) ? value['type'] : undefined
    const shape = shapes.get(typeof type === 'string' ? type : 'usual')
    const isWrong = type !== undefined && type !== null && typeof type !== 'string'
    if (shape === undefined || isWrong) throw wrong(`${path}.type`, [...shapes.keys()].join(', '), type)
    return shape(value, path, dropped)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const shapeOf = (fields: Fields): Shape =>
  object(
    Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [name, typeof one === 'function' ? one : shapeOf(one)]),
    ),
  )

/**
 * The shape of a body. `more` are fields that the author allows with any value: `temperature`, or inside of a field
 * that has fields of its own `generationConfig.temperature`.
 * @param {Fields} fields
 * @param {readonly string[]} [more]
 * @returns {Shape}
 * @throws {TypeError} if the relay checks such a field itself. Its limits must hold.
 */
export function bodyShape(fields: Fields, more: readonly string[] = []): Shape {
  const all = structureOf(fields)
  for (const path of more) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const target = names.reduce<Structure | Shape>(
      (inner, name) => (typeof inner === 'object' && Object.hasOwn(inner, name) ? (inner[name] ?? {}) : {}),
      all,
    )
    if (typeof target !== 'object' || Object.hasOwn(target, last))
      throw new TypeError(
        `${JSON.stringify(path)} is checked by the relay itself. Name only fields that it does not know`,
      )
    target[last] = json
  }
  return shapeOf(all)
}

/** Fields that can be changed. */
interface Structure {
  [name: string]: Shape | Structure
}

const structureOf = (fields: Fields): Structure =>
  Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, typeof one === 'function' ? one : structureOf(one)]),
  )

/** Deeper JSON is refused. */
const maxDepth = 100

/**
 * Whether a text has more brackets inside each other than a request needs. Looks only at the text, because parsing such
 * a text takes far more memory than the text itself.
 */
export function isTooDeep(source: string): boolean {
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const code = source.charCodeAt(at)
    if (code === 34) {
      // A string ends at the next quote after an even number of backslashes.
      let isEscaped = true
      while (isEscaped) {
        at = source.indexOf('"', at + 1)
        if (at < 0) return false
        let before = at
        while (source.charCodeAt(before - 1) === 92) before--
        isEscaped = (at - before) % 2 === 1
      }
    } else if (code === 91 || code === 123) {
      if (++depth > maxDepth) return true
    } else if (code === 93 || code === 125) depth--
  }
  return false
}
