// The tool context that a tool gets: three layers, of which later ones win, copied and frozen when the tool starts.
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import type { ToolContext } from '../core/data/tool.js'
import { copyContext } from './tool-context.js'
import type { CompiledSchema } from './schema/compile.js'

/** `{...defaults, ...session, ...send}` as one frozen copy; with a `contextSchema` only its properties, validated. */
export async function mergeContextLayers(
  layers: readonly ToolContext[],
  schema: CompiledSchema | undefined,
): Promise<Readonly<ToolContext>> {
  const merged = copyContext(Object.assign({}, ...layers))
  if (schema === undefined) return freeze(merged)
  const properties = schema.jsonSchema['properties']
  const names = new Set(isObject(properties) ? Object.keys(properties) : [])
  const visible = Object.fromEntries(Object.entries(merged).filter(([key]) => names.has(key)))
  const checked = await schema.validate(visible)
  if ('issues' in checked) {
    // Key names only: values of the context are nobody's business outside the tool.
    const keys = [...new Set(checked.issues.map((issue) => /^[^.[]*/.exec(issue.path)?.[0] || '(root)'))]
    throw new ToolAgentError(
      'invalid-context',
      `The page's tool context does not fit this tool. Wrong or missing: ${keys.join(', ')}`,
    )
  }
  return freeze(isObject(checked.value) ? (checked.value as ToolContext) : visible)
}

function freeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) freeze(inner)
  }
  return value
}
