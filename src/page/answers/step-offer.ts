// What a request offers of the tools that are available: all of them, or a few and a search for the others. The search
// itself (`../tool-search/`) is loaded with the first conversation that needs it.
import { isObject, type JsonObject } from '../../core/data/json.js'
import { toolCallsOf, type CallId, type Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { findToolsName, internals, type ToolSpec } from '../../core/data/tool.js'
import { loadPart } from '../client/load-part.js'
import type { AgentOptions } from '../options.js'
import type { AvailableTool, AvailableTools, StepOffer } from '../tools/available-tools.js'
import { messagesAt, type QueryContext } from './query-context.js'
import type { CallPath } from './query-deps.js'

/** With `toolSearch: 'auto'`: how many tools a request has without a search, and how long their definitions are. */
export const mostTools = 100
const mostChars = 40_000

/** Whether every request has it. */
export const isAlwaysOffered = ({ entry: { tool } }: AvailableTool): boolean => tool.alwaysOffered === true

/** A search is decided with the first request of a conversation, because the providers of models cache its beginning. */
function isSearching({ deps }: QueryContext, tools: AvailableTools, path: CallPath): boolean {
  const session = path.length === 0 ? deps.state.session : undefined
  if (session?.toolSearch) return true
  return !(session && hasRequests(session)) && isLarge(tools, deps.options().toolSearch)
}

/** Whether it has an answer. What was imported is of other requests. */
function hasRequests({ messages, start, imported = 0 }: Session): boolean {
  return start > imported || messages.slice(Math.max(0, imported - start)).some(({ role }) => role === 'assistant')
}

function isLarge(tools: AvailableTools, option: AgentOptions['toolSearch'] = 'auto'): boolean {
  if (option !== 'auto') return option
  const hidden = [...tools.values()].filter((tool) => !isAlwaysOffered(tool))
  if (hidden.length > mostTools) return true
  let chars = 0
  for (const { spec } of hidden) chars += spec.name.length + spec.description.length + schemaText(spec).length
  return chars > mostChars
}

const schemaText = ({ inputSchema }: ToolSpec): string => JSON.stringify(inputSchema)

/** What a request offers. Undefined if the search has to be loaded first. */
export function knownOffer(context: QueryContext, tools: AvailableTools, path: CallPath = []): StepOffer | undefined {
  if (!isSearching(context, tools, path)) return { callable: tools, sent: tools }
  return context.search?.offer(tools, path.length === 0)
}

/** What a request offers. Rejects with `unavailable` if the search cannot be loaded. */
export async function stepOffer(context: QueryContext, tools: AvailableTools, path: CallPath): Promise<StepOffer> {
  const known = knownOffer(context, tools, path)
  if (known) return known
  const part = await loadPart(() => import('../tool-search/tool-search.js'))
  context.search ??= new part.CatalogueSearch()
  return context.search.offer(tools, path.length === 0)
}

/** Answers `tools`. */
export async function hiddenTools(
  { offers }: QueryContext,
  { names }: { readonly names: readonly string[] },
  { path }: { readonly path: CallPath },
): Promise<readonly ToolSpec[]> {
  return names.flatMap((name) => offers.offered(name, path)?.spec ?? [])
}

// Which tools a model has read is read from the results of its conversation, so a reload changes nothing.

/** What a result says that it has shown to the model: a definition, by its hash. */
export interface FoundTool {
  readonly name: string
  readonly hash: string
}

/** The definition as the model reads it. */
export function definitionText({ name, description, inputSchema }: ToolSpec): string {
  return JSON.stringify({ name, description, input: inputSchema })
}

/**
 * What the model reads instead of the result of a call of `use_tool`, because it has not read this definition. Undefined
 * for every other call.
 */
export function unreadDefinition(
  { deps, offers }: QueryContext,
  { spec, entry }: AvailableTool,
  callId: CallId,
  path: CallPath,
) {
  const { name, hash } = spec
  if (offers.isSent(name, path)) return undefined
  const messages = messagesAt(deps.session(), path)
  const isHidden = messages.some((message) => toolCallsOf(message).some(({ call, via }) => call.id === callId && via))
  if (!isHidden || messages.some((message) => shows(message, spec))) return undefined
  const found: FoundTool = { name, hash }
  const message = `Read this definition, then call it again with input that matches: ${definitionText(spec)}`
  const details: JsonObject = { found: [{ ...found }] }
  const untrusted = entry.tool[internals]?.isDiscovered === true
  return { error: { code: 'unknown-tool' as const, message: message.slice(0, mostChars), details }, untrusted }
}

/** Whether the results of a message show this definition. */
function shows(message: Message, { name, hash }: FoundTool): boolean {
  return toolCallsOf(message).some(({ call, via, result }) => {
    const isSearch = call.name === findToolsName || via !== undefined
    const shown = isSearch && (call.name === findToolsName ? result?.output : result?.error?.details)
    const found = isObject(shown) ? shown['found'] : undefined
    return Array.isArray(found) && found.some((one) => isObject(one) && one['name'] === name && one['hash'] === hash)
  })
}
