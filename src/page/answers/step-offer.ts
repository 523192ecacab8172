// What a request offers of the tools that are available: all of them, or a few and a search for the others. The search
// itself (`../tool-search/`) is loaded with the first conversation that needs it.
import type { HiddenTool, QueryOf } from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import { loadPart } from '../client/load-part.js'
import type { AgentOptions } from '../options.js'
import { isAlwaysOffered, type AvailableTools, type StepOffer, type ToolSearch } from '../tools/compiled-tool.js'
import { messagesAt, type QueryContext, type QueryRun } from './query-context.js'
import type { CallPath } from './query-deps.js'

/** With `toolSearch: 'auto'`: how many tools a request has without a search, and how long their definitions are. */
export const mostTools = 100
const mostChars = 40_000

/** Decided with the first request of a conversation, because the providers of models cache its beginning. */
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
  for (const { spec } of hidden) chars += spec.description.length + JSON.stringify(spec.inputSchema).length
  return chars > mostChars
}

/** What a request offers. Undefined if the search has to be loaded first. */
export function knownOffer(context: QueryContext, tools: AvailableTools, path: CallPath = []): StepOffer | undefined {
  if (!isSearching(context, tools, path)) return { callable: tools, sent: tools }
  return context.search?.offer(tools, path.length === 0)
}

/** What a request offers. Rejects with `unavailable` if the search cannot be loaded. */
export async function stepOffer(context: QueryContext, tools: AvailableTools, path: CallPath): Promise<StepOffer> {
  return knownOffer(context, tools, path) ?? (await searchOf(context)).offer(tools, path.length === 0)
}

async function searchOf(context: QueryContext): Promise<ToolSearch> {
  const { CatalogueSearch } = await loadPart(() => import('../tool-search/tool-search.js'))
  return (context.search ??= new CatalogueSearch())
}

/** Answers `tools`. */
export async function hiddenTools(
  context: QueryContext,
  { names }: QueryOf<'tools'>,
  { path }: Pick<QueryRun, 'path'>,
): Promise<readonly HiddenTool[]> {
  const { deps, offers } = context
  const tools = names.flatMap((name) => offers.offered(name, path) ?? [])
  return (await searchOf(context)).hidden(tools, messagesAt(deps.session(), path))
}
