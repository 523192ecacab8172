// The tool context: three layers, later wins, checked where it is set and copied when a tool starts. It goes to tools
// alone; no value of it is ever part of a request.
import { messageOf, ToolAgentError } from '../core/errors.js'
import { isObject, reachesPrototype, type JsonObject, type JsonValue } from '../core/json.js'
import type { ContextChange } from '../core/session.js'
import type { ToolContext } from '../core/tool.js'
import type { CompiledSchema } from './schema.js'

/** A JSON copy. Throws `invalid-option` that names the key which JSON cannot hold. */
export function copyContext(context: unknown, option = 'toolContext'): ToolContext {
  if (!isObject(context)) throw new ToolAgentError('invalid-option', `${option}: an object is needed, got ${context === null ? 'null' : typeof context}`)
  const entries = Object.entries(context).flatMap(([key, value]) => {
    if (value === undefined) return []
    if (reachesPrototype(key)) throw new ToolAgentError('invalid-option', `${option}: the key ${key} is not allowed`)
    try {
      return [[key, JSON.parse(JSON.stringify(value, refuse)) as JsonObject[string]] as const]
    } catch (thrown) {
      throw new ToolAgentError('invalid-option', `${option}.${key}: JSON cannot hold it (${messageOf(thrown)}). Keep ids and plain data there.`, { cause: thrown })
    }
  })
  return Object.fromEntries(entries)
}

/** One key set or, without a value, deleted. Throws `invalid-option` as `copyContext` does. */
export function contextChange(key: string, value: JsonValue | undefined): ContextChange[number] {
  return value === undefined ? { key } : { key, value: copyContext({ [key]: value }, 'remember')[key] ?? null }
}

function refuse(this: unknown, key: string, value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol' || typeof value === 'bigint') {
    throw new TypeError(`a ${typeof value}${key ? ` at '${key}'` : ''}`)
  }
  if (typeof value === 'object' && value !== null && !/^\[object (Object|Array)\]$/.test(Object.prototype.toString.call(value))) {
    throw new TypeError(`a ${Object.prototype.toString.call(value).slice(8, -1)}${key ? ` at '${key}'` : ''}`)
  }
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value}${key ? ` at '${key}'` : ''}`)
  return value
}

/** `{...defaults, ...session, ...send}` as one frozen copy; with a `contextSchema` only its properties, validated. */
export async function contextFor(layers: readonly ToolContext[], schema: CompiledSchema | undefined): Promise<Readonly<ToolContext>> {
  const merged = copyContext(Object.assign({}, ...layers))
  if (schema === undefined) return freeze(merged)
  const properties = schema.jsonSchema['properties']
  const names = new Set(isObject(properties) ? Object.keys(properties) : [])
  const visible = Object.fromEntries(Object.entries(merged).filter(([key]) => names.has(key)))
  const checked = await schema.validate(visible)
  if ('issues' in checked) {
    // Key names only: values of the context are nobody's business outside the tool.
    const keys = [...new Set(checked.issues.map((issue) => /^[^.[]*/.exec(issue.path)?.[0] || '(root)'))]
    throw new ToolAgentError('invalid-context', `The page's tool context does not fit this tool. Wrong or missing: ${keys.join(', ')}`)
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
