// JSON types and helpers. Everything that crosses the port or is stored is JSON. Object types allow undefined
// properties, because JSON drops them, so optional fields need no special case.

/** A value that JSON can hold. */
export type JsonValue = string | number | boolean | null | JsonArray | JsonObject
/** An array of JSON values, read-only. */
export type JsonArray = readonly JsonValue[]
/** An object of JSON values, read-only. A property that is undefined counts as absent. */
export type JsonObject = { readonly [key: string]: JsonValue | undefined }

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for keys that can change the prototype of the object they are copied into. */
export const isPrototypeKey = (key: string): boolean => /^(?:__proto__|constructor|prototype)$/.test(key)

/** The value of a JSON text; undefined if the text is not JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return undefined
  }
}

/**
 * The JSON text of plain data. Old libraries give all arrays and strings a `toJSON` that returns a text, so that lists
 * would be encoded twice.
 */
export function stringify(value: unknown): string {
  const isReplaced = 'toJSON' in Array.prototype || 'toJSON' in String.prototype
  return isReplaced ? JSON.stringify(value, written) : JSON.stringify(value)
}

/** A replacer for `JSON.stringify`: arrays and strings as they are, not what a `toJSON` made of them. */
export function written(this: unknown, key: string, value: unknown): unknown {
  const own: unknown = Reflect.get(this as object, key)
  return typeof own === 'string' || Array.isArray(own) ? own : value
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the fields that are undefined, because an optional field must be absent, never undefined. */
export function dropUndefined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
