// Makes the tool context that a tool receives: three layers, of which later ones win, copied and frozen when the tool
// starts.
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import { pathKeys } from '../core/data/plain-json.js'
import type { ToolContext } from '../core/data/tool.js'
import type { CompiledSchema } from './schema/compiled-schema.js'
import { copyContext } from './tool-context.js'

/**
 * Returns a frozen copy of `{ ...defaults, ...session, ...send }`. With the tool's `contextSchema` it has only the
 * properties of the schema, validated.
 * @throws `invalid-context` if the schema does not match
 */
export async function mergeContextLayers(
  layers: readonly ToolContext[],
  schema: CompiledSchema | undefined,
): Promise<Readonly<ToolContext>> {
  const visible = visibleContext(layers, schema)
  if (schema === undefined) return deepFreeze(visible)
  const checked = await schema.validate(visible)
  if ('issues' in checked) {
    // Only the names of keys: the model reads this message, and must not read values of the context.
    const keys = [...new Set(checked.issues.map((issue) => pathKeys(issue.path)[0] ?? '(root)'))]
    throw new ToolAgentError(
      'invalid-context',
      `The page's tool context does not match the tool's schema. Wrong or missing: ${keys.join(', ')}`,
    )
  }
  return deepFreeze(isObject(checked.value) ? (checked.value as ToolContext) : visible)
}

/** The properties that a tool may read, before they are validated. */
export function visibleContext(layers: readonly ToolContext[], schema: CompiledSchema | undefined): ToolContext {
  const merged = copyContext(Object.assign({}, ...layers))
  if (schema === undefined) return merged
  const properties = schema.jsonSchema['properties']
  const names = new Set(isObject(properties) ? Object.keys(properties) : [])
  return Object.fromEntries(Object.entries(merged).filter(([key]) => names.has(key)))
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
