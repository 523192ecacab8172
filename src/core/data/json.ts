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

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** A copy without the fields that are undefined, because an optional field must be absent, never undefined. */
export function dropUndefined<const T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
