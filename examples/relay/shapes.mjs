// Shapes of JSON values. `clean` removes from a body in place what its shape does not name, and refuses what has another
// type. The shapes of the protocols in `protocols.mjs` are the list of what pages may send.
import { invalid } from './refusal.mjs'

/**
 * Returns the value without what the shape does not name. Throws a refusal for a value that does not fit. `path` is where
 * the value is, without the numbers of lists: `messages[].content`. `dropped` is called with each path that was removed.
 * @typedef {(value: any, path: string, dropped: (path: string) => void) => any} Shape
 */

/** @param {string} path @param {string} expected @param {unknown} value */
function wrong(path, expected, value) {
  return invalid(`${path}: expected ${expected}, received ${(JSON.stringify(value) ?? 'nothing').slice(0, 80)}`)
}

/** Any JSON value, such as a schema or arguments. @type {Shape} */
export const json = (value) => value

/** @type {Shape} */
export const text = (value, path) => {
  if (typeof value !== 'string') throw wrong(path, 'a text', value)
  return value
}

/** @type {Shape} */
export const flag = (value, path) => {
  if (typeof value !== 'boolean') throw wrong(path, 'true or false', value)
  return value
}

/** Only this value. @param {unknown} only @returns {Shape} */
export const exactly = (only) => (value, path) => {
  if (value !== only) throw wrong(path, JSON.stringify(only), value)
  return value
}

/** A number of tokens. @type {Shape} */
export const count = (value, path) => {
  if (!Number.isInteger(value) || value < 1 || value > 1_000_000)
    throw wrong(path, 'an integer from 1 to 1000000', value)
  return value
}

/** A file in the body, or at an address that anybody can read. Not a file that is stored at the provider. @type {Shape} */
export const fileUrl = (value, path) => {
  const isPublic = typeof value === 'string' && /^(?:data:|https?:)/i.test(value)
  if (!isPublic || /^https?:\/\/[^/]*\.googleapis\.com[/:]/i.test(value))
    throw wrong(path, 'a data URL or a URL', value)
  return value
}

/** @param {Shape} item @returns {Shape} */
export const listOf = (item) => (value, path, dropped) => {
  if (!Array.isArray(value)) throw wrong(path, 'a list', value)
  const inside = `${path}[]`
  for (let index = 0; index < value.length; index++) value[index] = item(value[index], inside, dropped)
  return value
}

/** A text, or what the shape says. @param {Shape} shape @returns {Shape} */
export const textOr = (shape) => (value, path, dropped) =>
  typeof value === 'string' ? value : shape(value, path, dropped)

/** An object with these fields. Null counts as absent. @param {Readonly<Record<string, Shape>>} fields @returns {Shape} */
export function object(fields) {
  const shapes = new Map(Object.entries(fields))
  return (value, path, dropped) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw wrong(path || 'The body', 'an object', value)
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
 * @param {Readonly<Record<string, Readonly<Record<string, Shape>>>>} types
 * @returns {Shape}
 */
export function typed(types) {
  const shapes = new Map(Object.entries(types).map(([name, fields]) => [name, object({ type: text, ...fields })]))
  return (value, path, dropped) => {
    const shape = shapes.get(value?.type ?? 'usual')
    if (shape === undefined) throw wrong(`${path}.type`, [...shapes.keys()].join(', '), value?.type)
    return shape(value, path, dropped)
  }
}

/** The fields of an object. Those of an inner object are fields again. @typedef {{ readonly [name: string]: Shape | Fields }} Fields */

/** @param {Fields} fields @returns {Shape} */
const shapeOf = (fields) =>
  object(
    Object.fromEntries(
      Object.entries(fields).map(([name, one]) => [name, typeof one === 'function' ? one : shapeOf(one)]),
    ),
  )

/**
 * The shape of a body. `more` are fields that the author allows with any value: `temperature`, or inside of a field that
 * has fields of its own `generationConfig.temperature`.
 * @param {Fields} fields
 * @param {readonly string[]} [more]
 * @returns {Shape}
 * @throws {TypeError} if the relay checks such a field itself. Its limits must hold.
 */
export function bodyShape(fields, more = []) {
  /** @type {any} */
  const all = structureOf(fields)
  for (const path of more) {
    const names = path.split('.')
    const last = names.pop() ?? ''
    const target = names.reduce((inner, name) => (Object.hasOwn(inner, name) ? inner[name] : {}), all)
    if (typeof target !== 'object' || Object.hasOwn(target, last))
      throw new TypeError(
        `${JSON.stringify(path)} is checked by the relay itself. Name only fields that it does not know`,
      )
    target[last] = json
  }
  return shapeOf(all)
}

/** A copy that can be changed. @param {Fields} fields @returns {Fields} */
const structureOf = (fields) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, one]) => [name, typeof one === 'function' ? one : structureOf(one)]),
  )

/** Deeper JSON is refused. */
const maxDepth = 100

/**
 * Whether a text has more brackets inside each other than a request needs. Looks only at the text, because parsing such
 * a text takes far more memory than the text itself.
 * @param {string} source
 */
export function isTooDeep(source) {
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
