// The definition of a tool for the host, with the hash that identifies it. A call must run the definition that its
// request offered. An approval for the session is valid only for the definition that the user saw.
import type { JsonObject } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import { isRepeatable, type ToolSpec } from '../../core/data/tool.js'
import { sha256 } from '../sha256.js'
import { lintDescription } from '../hints/lint-tool.js'
import type { CompiledTool, ToolDescription, ToolEntry } from './registered-tool.js'

/** Milliseconds per attempt. */
const defaultTimeout = 15_000
const defaultRetries = 3

/** A definition as the host receives it, without its hash. */
export type ToolDefinition = Omit<ToolSpec, 'hash'>

/** The definition of a tool with its current description. */
export function toolDefinition({ tool }: CompiledTool, { given, ...described }: ToolDescription): ToolDefinition {
  if (given !== undefined) lintDescription(described.name, given.trim())
  const { tools: _tools, ...agent } = tool.agent ?? {}
  const spec = tool.agent && (agent as NonNullable<ToolSpec['agent']>)
  const repeatable = isRepeatable({ ...described, ...(spec && { agent: spec }) })
  return {
    ...described,
    // The tools inside an agent have time-outs and locks; the agent itself has none.
    exclusive: spec === undefined && (tool.exclusive ?? false),
    timeout: spec ? 0 : (tool.timeout ?? defaultTimeout),
    maxRetries: repeatable ? (tool.maxRetries ?? defaultRetries) : 0,
    returnDirect: tool.returnDirect ?? false,
    ...(spec && { agent: spec }),
  }
}

/** The last hash of each entry, because most definitions do not change between steps. */
const known = new WeakMap<ToolEntry, { readonly of: readonly unknown[]; readonly hash: string }>()

/**
 * Returns the definition with its SHA-256 hash. If the description is a function, its source code is hashed. A page
 * address in its text then does not change the hash.
 */
export function definitionHash(entry: CompiledTool, described: ToolDescription): ToolSpec {
  const definition = toolDefinition(entry, described)
  const { name, title, inputSchema, annotations, agent } = definition
  const own = entry.tool.description
  const description = typeof own === 'function' ? String(own) : definition.description
  // What an entry can change: its schema, name and hints are copied at registration.
  const of = [description, inputSchema, ...Object.values(agent ?? {})]
  const before = known.get(entry)
  if (before?.of.length === of.length && before.of.every((part, index) => part === of[index]))
    return { ...definition, hash: before.hash }
  const parts = { name, title, description, inputSchema, annotations, ...(agent as JsonObject | undefined) }
  const hash = sha256(canonicalJson(parts))
  known.set(entry, { of, hash })
  return { ...definition, hash }
}
