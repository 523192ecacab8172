// Collects the tools that one step may use: registered tools, tools of providers and tools of this `send`. The code in
// `answers/` keeps the result until the next step: a call may run only a tool that its own request offered.
import { toErrorValue, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { builtinToolNames, type ToolSpec } from '../../core/data/tool.js'
import { definitionHash, compileTool, type AvailableTool, type AvailableTools } from './compiled-tool.js'
import { describeTool, isCompiled, type CompiledTool, type ToolDescription } from './registered-tool.js'
import { lintTool, warnNotRunnable } from '../hints/lint-tool.js'
import { collectProviderTools, type ProviderRequest } from './provider-tools.js'
import { ToolRegistry, type ToolEntry } from './registry.js'
import type { ToolProvider } from './tool.js'
import type { SendOptions } from '../options.js'

export type { AvailableTool, AvailableTools, StepOffer, ToolSearch } from './compiled-tool.js'

/** The input of `collectAvailableTools` for one step. */
export interface AvailableToolsRequest extends ProviderRequest {
  /** The tool providers. Each is called once per step. */
  readonly providers: ReadonlySet<ToolProvider>
  /** The options of the running `send`; undefined for a turn that was resumed. */
  readonly send: SendOptions | undefined
  /**
   * The names of the tools that the model may use; undefined means all. Taken from the stored turn, so that a resumed
   * turn keeps the restriction.
   */
  readonly activeTools: readonly string[] | undefined
  /** Whether this is the first step of a `send`. An unknown name in `activeTools` throws only then. */
  readonly isFirst: boolean
  /** Whether the caller runs the tools itself (`step()`). Tools without `execute` are then available too. */
  readonly isManual: boolean
}

/**
 * Returns the tools of the next step, in the order in which they were first offered. A tool that cannot be offered is
 * left out and reported. If names are equal, a tool of this `send` replaces the other tool, and a tool of a provider is
 * left out.
 * @throws ToolAgentError `invalid-option` for an unknown name in `activeTools`, `invalid-tool` for a tool of this
 * `send` whose schema cannot be used.
 */
export async function collectAvailableTools(request: AvailableToolsRequest): Promise<AvailableTools> {
  const { registry, send, providers } = request
  await registry.ready()
  const provided = await Promise.all([...providers].map((provider) => collectProviderTools(provider, request)))
  return toolsOnOffer(request, await sentTools(send?.tools, request.report), provided)
}

/** The tools of one `send`, compiled. @throws ToolAgentError `invalid-tool` for one whose schema cannot be used. */
export async function sentTools(
  tools: SendOptions['tools'],
  report: AvailableToolsRequest['report'],
): Promise<ToolRegistry | undefined> {
  if (tools === undefined) return undefined
  let failure: Failure | undefined
  let onError: typeof report = (one) => (failure ??= one)
  const own = new ToolRegistry({ onError: (one) => onError(one) })
  own.lintWith(lintTool)
  own.compileWith(compileTool)
  own.register(tools)
  await own.ready()
  if (failure) throw toErrorValue(failure)
  onError = report
  return own
}

/** What of a step is known without asking anybody. `isNext`: no other request comes first. @default true */
type OfferRequest = Pick<
  AvailableToolsRequest,
  'registry' | 'activeTools' | 'isFirst' | 'isManual' | 'page' | 'report'
> & { readonly isNext?: boolean }

/**
 * As `collectAvailableTools`. `own`: the tools of the `send`. `provided`: those of each provider; undefined for one
 * that failed. Waits for nothing, so a tool that is not compiled yet is left out.
 */
export function toolsOnOffer(
  request: OfferRequest,
  own: ToolRegistry | undefined,
  provided: readonly (ToolRegistry | undefined)[] = [],
): AvailableTools {
  const { registry, page, activeTools: active } = request
  const offer = new Map<string, AvailableTool>()
  const add = (from: ToolRegistry, mode: 'keep' | 'win') => {
    for (const entry of from.entries()) {
      if (!isCompiled(entry)) continue
      if (!request.isManual && !isRunnable(entry)) {
        warnNotRunnable(entry.name)
        continue
      }
      if (mode === 'keep' && offer.has(entry.name)) {
        request.report({
          code: 'duplicate-tool',
          message: `The provider's tool '${entry.name}' is left out: another tool has this name`,
        })
      } else {
        offer.set(
          entry.name,
          availableTool(entry, () => from.describe(entry, page)),
        )
      }
    }
  }
  add(registry, 'win')
  for (const tools of provided) if (tools) add(tools, 'keep')
  if (own) add(own, 'win')
  // If a provider failed, unknown names are accepted: a later step may get these tools from it.
  const isKnown = (name: string) => offer.has(name) || builtinToolNames.has(name) || registry.get(name) !== undefined
  if (active && request.isFirst && !provided.includes(undefined)) refuseUnknown(active, isKnown)
  const ordered = registry.inOrder(offer, request.isNext)
  return active === undefined ? ordered : new Map([...ordered].filter(([name]) => active.includes(name)))
}

/** Thousands of tools may be available of which a conversation uses three: their definitions are not hashed. */
function availableTool(entry: CompiledTool, describe: () => ToolDescription): AvailableTool {
  let spec: ToolSpec | undefined
  return {
    entry,
    get spec() {
      return (spec ??= definitionHash(entry, describe()))
    },
  }
}

function isRunnable({ tool, inner }: ToolEntry): boolean {
  return tool.execute !== undefined || inner !== undefined
}

/**
 * Returns the tools of an agent that runs as a tool: only its own tools, and only those that the page can run, even if
 * the outer turn is a `step()` turn.
 */
export function subAgentTools(
  { inner = [] }: ToolEntry,
  page: AvailableToolsRequest['page'],
  report: AvailableToolsRequest['report'],
): AvailableTools {
  return new Map(
    inner
      .filter((entry): entry is CompiledTool => isCompiled(entry) && isRunnable(entry))
      .map((entry) => [entry.name, availableTool(entry, () => describeTool(entry, page, report))]),
  )
}

/**
 * Checks `activeTools` when `send` is called. With providers, the check waits for the first step, because their names
 * are not known yet.
 * @throws ToolAgentError `invalid-option` for a name that no tool has.
 */
export function checkActiveTools(
  names: readonly string[],
  registry: ToolRegistry,
  send: SendOptions,
  hasProviders: boolean,
): void {
  const known = new Set([...builtinToolNames, ...(send.tools ?? []).map((tool) => tool.name)])
  for (const entry of registry.entries()) known.add(entry.name)
  if (!hasProviders) refuseUnknown(names, (name) => known.has(name))
}

/** @throws ToolAgentError `invalid-option` that lists every name for which `isKnown` is false. */
export function refuseUnknown(names: readonly string[], isKnown: (name: string) => boolean): void {
  const unknown = names.filter((name) => !isKnown(name))
  if (unknown.length > 0) {
    throw new ToolAgentError(
      'invalid-option',
      `activeTools: no tool is called ${unknown.map((name) => `'${name}'`).join(', ')}`,
    )
  }
}
