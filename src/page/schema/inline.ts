// Helpers for the conversion of zod 3 and older zod 4 schemas.
import type { $ZodType, globalRegistry } from 'zod/v4/core'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { escapePointer, resolvePointer } from './walk.js'

/** The registry of descriptions. Before 4.2 each copy of zod had its own, which only `schema.meta()` can read. */
export function withOwnMetadata(registry: typeof globalRegistry): typeof globalRegistry {
  const known = (one: unknown): object | undefined =>
    registry.get(one as $ZodType) ?? (one as { meta?: () => object }).meta?.()
  return Object.create(registry, { get: { value: known } }) as typeof globalRegistry
}

/**
 * Replaces references by copies, except for cycles. zod-to-json-schema makes a reference of a schema's second use, and
 * models read a copy more reliably.
 */
export function inlineReferences(root: JsonObject): JsonObject {
  // `open` is the current position: in the document, and for each copy, in the place it was copied from.
  const walk = (value: JsonValue | undefined, open: readonly string[]): JsonValue | undefined => {
    const inner = (item: unknown, key: string): JsonValue | undefined =>
      walk(item as JsonValue, [...open.slice(0, -1), `${open.at(-1)}/${escapePointer(key)}`])
    if (Array.isArray(value)) return value.map((item, index) => inner(item, String(index)) ?? null)
    if (!isObject(value)) return value
    const { $ref, ...rest } = value as JsonObject
    if (typeof $ref === 'string' && !open.some((place) => `${place}/`.startsWith(`${$ref}/`))) {
      const copy = walk(resolvePointer(root, $ref), [...open, $ref])
      if (isObject(copy)) return { ...(copy as JsonObject), ...rest }
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inner(item, key)]))
  }
  return walk(root, ['#']) as JsonObject
}
