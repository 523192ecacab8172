// The identity of a tool's definition: a call runs only the definition that was offered, and what the user allowed for the
// session holds only for the definition that the question showed.
import { canonicalJson, type JsonObject } from '../../core/data/json.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { ToolDefinition, ToolEntry } from './registered-tool.js'
import { sha256 } from '../sha256.js'

const known = new WeakMap<ToolEntry, { readonly text: string; readonly hash: string }>()

/**
 * The definition with its hash. A description that is a function counts as its source, so that a page address in its text
 * is no new definition.
 */
export function definitionHash(entry: ToolEntry, definition: ToolDefinition): ToolSpec {
  const { name, title, inputSchema, annotations, agent } = definition
  const own = entry.tool.description
  const description = typeof own === 'function' ? String(own) : definition.description
  const text = canonicalJson({
    name,
    title,
    description,
    inputSchema,
    annotations,
    ...(agent as JsonObject | undefined),
  })
  const before = known.get(entry)
  const hash = before?.text === text ? before.hash : sha256(text)
  known.set(entry, { text, hash })
  return { ...definition, hash }
}
