// What one step may use, as the page sees it: registered tools, tools of providers, tools of this send. The offer is
// kept until the next step, because a call runs only what its own request offered.
import type { Failure } from '../../core/data/errors.js'
import { builtinToolNames, type ToolContext, type ToolSpec } from '../../core/data/tool.js'
import { refuseUnknown } from './active-tools.js'
import type { SendOptions } from '../options.js'
import { definitionHash } from './definition.js'
import { toolSpecOf } from './registered-tool.js'
import { lintTool } from './lint-tool.js'
import { loadPart } from '../link/load-part.js'
import { ToolRegistry, type ToolEntry } from './registry.js'
import type { ToolProvider } from './tool.js'

export interface AvailableTool {
  readonly entry: ToolEntry
  readonly spec: ToolSpec
}
export type AvailableTools = ReadonlyMap<string, AvailableTool>

export interface AvailableToolsRequest {
  readonly registry: ToolRegistry
  readonly providers: ReadonlySet<ToolProvider>
  readonly send: SendOptions | undefined
  /** From the turn record, so that a reload does not widen the offer. */
  readonly toolsMode: 'merge' | 'replace' | undefined
  /** From the turn record, so that a resumed turn keeps it. */
  readonly activeTools: readonly string[] | undefined
  /** The first step of a send: a name in `activeTools` that nothing has is an error of the caller. */
  readonly isFirst: boolean
  readonly message: string
  readonly sessionId: string
  readonly toolContext: Readonly<ToolContext>
  readonly page: { readonly url: string; readonly locale: string }
  readonly shared: Map<string, unknown>
  /** The caller runs the tools: one without `execute` is on offer, too. */
  readonly isManual: boolean
  report(failure: Failure): void
}

/** What cannot be offered is left out and reported. Rejects with `invalid-option` for an unknown active tool. */
export async function collectAvailableTools(request: AvailableToolsRequest): Promise<AvailableTools> {
  const { registry, send, page } = request
  const offer = new Map<string, AvailableTool>()
  let isComplete = true
  const add = (from: ToolRegistry, mode: 'keep' | 'win') => {
    for (const entry of from.entries()) {
      if (!request.isManual && !isRunnable(entry)) continue
      if (mode === 'keep' && offer.has(entry.name)) {
        request.report({
          code: 'duplicate-tool',
          message: `A provider's tool '${entry.name}' was left out: the name is taken`,
        })
      } else {
        offer.set(entry.name, { entry, spec: definitionHash(entry, from.specOf(entry, page)) })
      }
    }
  }
  if (request.toolsMode !== 'replace') {
    await registry.ready()
    add(registry, 'win')
    // Most pages have no providers.
    const toolsOf =
      request.providers.size > 0
        ? (await loadPart(() => import('./provider-tools.js'))).collectProviderTools
        : undefined
    for (const tools of await Promise.all([...request.providers].map((provider) => toolsOf?.(provider, request)))) {
      if (tools) add(tools, 'keep')
      else isComplete = false
    }
  }
  if (send?.tools) {
    const own = new ToolRegistry()
    own.lintWith(lintTool)
    own.register(send.tools)
    await own.ready()
    add(own, 'win')
  }
  const active = request.activeTools
  // A provider that failed may have the name at the next step.
  const isKnown = (name: string) => offer.has(name) || builtinToolNames.has(name) || registry.get(name) !== undefined
  if (active && request.isFirst && isComplete) refuseUnknown(active, isKnown)
  return active === undefined ? offer : new Map([...offer].filter(([name]) => active.includes(name)))
}

function isRunnable({ tool, inner }: ToolEntry): boolean {
  return tool.execute !== undefined || inner !== undefined
}

/** What an agent that runs as a tool may use: its own tools alone. Nobody steps through it. */
export async function subAgentTools(
  { inner = [] }: ToolEntry,
  page: AvailableToolsRequest['page'],
  report: AvailableToolsRequest['report'],
): Promise<AvailableTools> {
  await Promise.all(inner.map((entry) => entry.ready))
  return new Map(
    inner
      .filter(isRunnable)
      .map((entry) => [entry.name, { entry, spec: definitionHash(entry, toolSpecOf(entry, page, report)) }]),
  )
}
