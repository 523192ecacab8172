// Converts zod schemas that cannot convert themselves: zod 3, zod/mini, and zod before 4.2.
import type { $ZodType } from 'zod/v4/core'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { jsonSchemaTarget, type Zod4Options } from './convert.js'
import { inlineReferences, withOwnMetadata } from './inline.js'
import type { Zod3, Zod4 } from './kinds.js'

/** A function that converts the schema. The copy of zod in this chunk also reads schemas of other copies. */
export async function zod4Converter(schema: Zod4): Promise<(options?: Zod4Options) => unknown> {
  const { toJSONSchema, globalRegistry } = await import('zod/v4/core')
  const metadata = withOwnMetadata(globalRegistry)
  return (options) =>
    toJSONSchema(schema as unknown as $ZodType, { ...options, target: jsonSchemaTarget, io: 'input', metadata })
}

/** The JSON Schema of a zod 3 schema, of what goes in before effects and pipes. */
export async function convertZod3(schema: Zod3): Promise<unknown> {
  const { zodToJsonSchema } = await import('zod-to-json-schema')
  const json: unknown = zodToJsonSchema(schema as unknown as Parameters<typeof zodToJsonSchema>[0], {
    effectStrategy: 'input',
    pipeStrategy: 'input',
  })
  return isObject(json) ? inlineReferences(json as JsonObject) : json
}
