// Computes the hash that identifies a tool's definition. A call must run the definition that its request offered. An
// approval for the session is valid only for the definition that the user saw.
import { canonicalJson, type JsonObject } from '../../core/data/json.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { ToolDefinition, ToolEntry } from './registered-tool.js'
import { sha256 } from '../sha256.js'

/** The last hash of each entry, because most definitions do not change between steps. */
const known = new WeakMap<ToolEntry, { readonly text: string; readonly hash: string }>()

/**
 * Returns the definition with its SHA-256 hash. If the description is a function, its source code is hashed. A page
 * address in its text then does not change the hash.
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
