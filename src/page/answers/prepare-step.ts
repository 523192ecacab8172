// Answers `prepare`: which tools the next model call offers, and whether the page's stop condition ends the turn first.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { allToolCalls } from '../../core/data/message.js'
import type { Prepared } from '../../core/data/protocol.js'
import { openToolCalls, turnContext, type TurnOptions } from '../../core/data/session.js'
import type { ToolSpec } from '../../core/data/tool.js'
import type { QueryOf } from '../../core/data/protocol.js'
import { mergeContextLayers } from '../context-layers.js'
import type { ToolRegistry } from '../tools/registry.js'
import { collectAvailableTools, subAgentTools, type AvailableTools } from '../tools/available-tools.js'
import { warnAboutToolCount } from '../hints/lint-tool.js'
import { outputTool } from './output.js'
import type { QueryContext, QueryRun } from './query-context.js'
import type { CallPath } from './query-deps.js'
import { stepOffer } from './step-offer.js'

/** Built-in todo tools that the host adds to the offer. */
const todoToolCount = 2

/** Rejects with `invalid-option` where the first step of a send names an active tool that does not exist. */
export async function prepareStep(
  context: QueryContext,
  query: QueryOf<'prepare'>,
  { path, signal }: QueryRun,
): Promise<Prepared> {
  const { deps, offers } = context
  if (path.length > 0) return prepareSubAgent(context, path)
  const { registry, options, session } = deps
  if (query.expect) await untilPageReady(query.expect, registry, options().limits?.resumeWait ?? 5_000, signal)
  if (await isStopConditionMet(context, query.step)) return { tools: [], stop: true }
  const { options: sendOptions, shared } = deps.send(query.turn)
  const { id: sessionId, turn } = session()
  const tools = await collectAvailableTools({
    registry,
    providers: deps.providers,
    send: sendOptions,
    activeTools: turn?.options.activeTools,
    isFirst: query.step === 1 && sendOptions?.activeTools !== undefined,
    isManual: turn?.mode === 'manual',
    message: query.text,
    sessionId,
    toolContext: await mergeContextLayers([options().toolContext ?? {}, turnContext(session())], undefined),
    page: deps.page(),
    shared,
    report: deps.report,
  })
  // A slow provider may outlast its turn. Its offer must not replace the next turn's.
  signal.throwIfAborted()
  const offer = await stepOffer(context, tools, path)
  signal.throwIfAborted()
  offers.set([], offer)
  return preparedFrom(context, offer.sent, turn?.options.output)
}

/** `stopWhen` is called before a model call, but not before calls that a reload left open. */
async function isStopConditionMet({ deps }: QueryContext, step: number): Promise<boolean | undefined> {
  const { stopWhen } = deps.options()
  const session = deps.session()
  if (!stopWhen || step === 1 || openToolCalls(session).length > 0) return false
  const firstOfTurn = (session.turn?.first ?? session.start) - session.start
  return stopWhen({ steps: step - 1, messages: session.messages.slice(firstOfTurn) })
}

/** An agent that runs as a call is offered its own tools and no others. */
async function prepareSubAgent(context: QueryContext, path: CallPath): Promise<Prepared> {
  const { deps, offers } = context
  const { session, page, report } = deps
  const calls = allToolCalls(session().messages.slice(-1))
  const name = calls.find(({ part }) => part.call.id === path.at(-1))?.part.call.name
  const agent = offers.offered(name ?? '', path.slice(0, -1))
  const tools: AvailableTools = agent ? subAgentTools(agent.entry, page(), report) : new Map()
  const offer = await stepOffer(context, tools, path)
  offers.set(path, offer)
  return { tools: specsOf(offer.sent) }
}

/** The definitions without the functions, which cannot cross the port. */
const specsOf = (offer: AvailableTools): ToolSpec[] => [...offer.values()].map(({ spec }) => spec)

/** The tools of the user's own turn, as the host gets them. `output`: the schema of the option of `send`. */
export function preparedFrom(
  context: QueryContext,
  offer: AvailableTools,
  output: TurnOptions['output'],
): { readonly tools: readonly ToolSpec[] } {
  const { hooks, todo } = context.deps.options()
  const tools = [...specsOf(offer), ...(output ? [outputTool(output)] : [])]
  // With this hook the count is checked after it, because it may remove tools.
  if (!hooks?.beforeModel)
    context.hasWarnedAboutToolCount ||= warnAboutToolCount(tools, todo === false ? 0 : todoToolCount)
  return { tools }
}

/**
 * Waits after a reload until the page is as a resumed turn left it: the document is complete, and the tools `names` are
 * registered again. Resolves also after `limit` milliseconds, or when the signal is aborted. Never rejects.
 */
export async function untilPageReady(
  names: readonly string[],
  registry: ToolRegistry,
  limit: number,
  signal: AbortSignal,
): Promise<void> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(Math.min(limit, 2 ** 31 - 1))])
  await untilDone(until, (done, ended) => {
    if (typeof document !== 'object' || unclobbered(document).readyState === 'complete') done()
    else window.addEventListener('load', done, { signal: ended })
  })
  await untilDone(until, (done, ended) => {
    const check = () => {
      if (names.every((name) => registry.get(name) !== undefined)) done()
    }
    ended.addEventListener('abort', registry.onChange(check))
    check()
  })
}

/** Resolves when `listen` calls `done` or the signal is aborted. `ended` is aborted then, to remove listeners. */
function untilDone(signal: AbortSignal, listen: (done: () => void, ended: AbortSignal) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const ended = new AbortController()
    const done = () => {
      ended.abort()
      resolve()
    }
    signal.addEventListener('abort', done, { signal: ended.signal })
    listen(done, ended.signal)
  })
}
