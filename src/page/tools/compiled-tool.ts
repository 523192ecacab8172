// What is made of a registered tool for the host: its compiled schemas, and its definition with the hash that
// identifies it. A call must run the definition that its request offered. An approval for the session is valid only for
// the definition that the user saw. Loaded with the host: until then no tool is offered or called.
import { internals, isRepeatable, type ToolSpec } from '../../core/data/tool.js'
import { compileOutputSchema, compileSchema } from '../schema/compile.js'
import {
  namedError,
  type ToolEntry,
  type ToolSchemas,
  type CompiledTool,
  type ToolDescription,
} from './registered-tool.js'
import type { JsonObject } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import type { HiddenTool } from '../../core/data/protocol.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import { sha256 } from '../sha256.js'
import { lintDescription } from '../hints/lint-tool.js'

/**
 * Compiles the schemas of a tool and of its inner tools, and adds them to the entries. A promise only where code has to
 * be loaded; it rejects with `unavailable` if that fails, and may succeed at the next try.
 * @throws ToolAgentError `invalid-tool`; the promise rejects with it
 */
export function compileTool(entry: ToolEntry): Promise<void> | undefined {
  const { name, tool, inner = [] } = entry
  const { inputSchema, outputSchema, contextSchema } = entry.given
  const foreign = tool[internals]?.isDiscovered === true
  const pending: Promise<unknown>[] = []
  const made: { -readonly [Key in keyof ToolSchemas]?: ToolSchemas[Key] } = {}
  const add = <Key extends keyof ToolSchemas>(key: Key, schema: ToolSchemas[Key] | Promise<ToolSchemas[Key]>): void => {
    if (schema instanceof Promise) pending.push(schema.then((compiled) => (made[key] = compiled)))
    else made[key] = schema
  }
  const done = () => void Object.assign(entry, made)
  try {
    if (outputSchema) add('outputSchema', compileOutputSchema(outputSchema, undefined, foreign))
    add('schema', compileSchema(inputSchema, undefined, foreign))
    if (contextSchema) add('contextSchema', compileSchema(contextSchema, 'contextSchema'))
    for (const one of inner) pending.push(...[compileTool(one) ?? []].flat())
  } catch (error) {
    void Promise.allSettled(pending) // The first error is reported.
    throw namedError(error, name)
  }
  if (pending.length === 0) return done()
  return Promise.all(pending).then(done, (error: unknown) => {
    throw namedError(error, name)
  })
}

/** Resolves in a task of its own. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
/** Milliseconds per attempt. */
const defaultTimeout = 15_000
const defaultRetries = 3

/** A tool that the next request offers. */
export interface AvailableTool {
  /** The registered tool, with its functions. */
  readonly entry: CompiledTool
  /** Its definition as sent to the host, with the hash that calls are checked against. Made when it is first read. */
  readonly spec: ToolSpec
}
/** The tools of one step, by name. */
export type AvailableTools = ReadonlyMap<string, AvailableTool>

/** The tools of one step. */
export interface StepOffer {
  /** What a call may run. */
  readonly callable: AvailableTools
  /** What the request has. The rest must be found first. */
  readonly sent: AvailableTools
}

/** What searches the tools of one agent. */
export interface ToolSearch {
  /** `isOwn`: the tools of the agent itself, whose index is kept for its next step. */
  offer(tools: AvailableTools, isOwn: boolean): StepOffer
  /** Answers `tools`. `messages`: those of the conversation, which may have shown the definitions to the model. */
  hidden(tools: readonly AvailableTool[], messages: readonly Message[]): readonly HiddenTool[]
}

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

/** Whether every request has it, also while the model searches for others. */
export const isAlwaysOffered = ({ entry: { tool } }: AvailableTool): boolean => tool.alwaysOffered === true
