// Converts zod schemas that cannot convert themselves: zod 3, zod/mini, and zod before 4.2.
import type { $ZodType, globalRegistry } from 'zod/v4/core'
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { loadPart } from '../client/load-part.js'
import type { Zod3, Zod4 } from './kinds.js'
import { escapePointer, resolvePointer } from './walk.js'

/** The dialect that libraries are asked for first. */
export const jsonSchemaTarget = 'draft-2020-12'

/** The options of zod's `toJSONSchema` that are used here. */
export type Zod4Options = {
  readonly unrepresentable: 'any'
  /** Called for each node after its conversion; may change `jsonSchema`. What it throws ends the conversion. */
  readonly override: (node: { zodSchema: { _zod: { def: unknown } }; jsonSchema: Record<string, unknown> }) => void
}

/** Loads a library that converts schemas. Rejects with `unavailable`: the next try may succeed. */
async function loadConverter<T>(load: () => Promise<T>, what: string): Promise<T> {
  try {
    return await loadPart(load)
  } catch (thrown) {
    throw new ToolAgentError(
      'unavailable',
      `${what}: the schema converter could not be loaded: ${errorMessage(thrown)}`,
      { cause: thrown },
    )
  }
}

/** A function that converts the schema. The copy of zod in this chunk also reads schemas of other copies. */
export async function zod4Converter(schema: Zod4, what: string): Promise<(options?: Zod4Options) => unknown> {
  const { toJSONSchema, globalRegistry } = await loadConverter(() => import('./zod4/to-json-schema.js'), what)
  const metadata = withOwnMetadata(globalRegistry)
  return (options) =>
    toJSONSchema(schema as unknown as $ZodType, { ...options, target: jsonSchemaTarget, io: 'input', metadata })
}

/** The JSON Schema of a zod 3 schema, of what goes in before effects and pipes. */
export async function convertZod3(schema: Zod3, what: string): Promise<unknown> {
  const { zodToJsonSchema } = await loadConverter(() => import('zod-to-json-schema'), what)
  const json: unknown = zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0], {
    effectStrategy: 'input',
    pipeStrategy: 'input',
  })
  return isObject(json) ? inlineReferences(json as JsonObject) : json
}

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
