// `agent.callTool`: opens the session, runs the tool and stores what it remembers.
import type { JsonValue } from '../../core/data/json.js'
import { turnContext } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { AgentState } from '../agent-state.js'
import type { HostLink } from './host-link.js'
import type { AgentOptions } from '../options.js'
import { callTool } from '../tools/call-tool.js'
import type { ExclusiveLock } from '../tools/exclusive-lock.js'
import type { ToolRegistry } from '../tools/registry.js'

/** The options of `callTool`. */
export interface CallToolOptions {
  /** The highest layer of the tool context, for this call. */
  readonly toolContext?: ToolContext
  /** Aborts the call. */
  readonly signal?: AbortSignal
  /** Returns what a model would get of the output (`toModelOutput`) instead of the output. @default false */
  readonly forModel?: boolean
}

/** What a call needs from its agent. */
export interface ManualCallDeps {
  /** Has the tools. */
  readonly registry: ToolRegistry
  /** Shared with the calls of the model, so that exclusive tools never run at the same time. */
  readonly lock: ExclusiveLock
  /** Opens the session. A link that was closed makes the call reject with `closed`. */
  readonly link: HostLink
  /** Read after the session was opened; it has none where no host can be started. */
  readonly state: AgentState
  /** The options that are set now. */
  options(): AgentOptions
  /** Stores a value that the tool remembers in the session. */
  remember(key: string, value: JsonValue | undefined): void
}

/** Runs a registered tool for the page. Rejects with the error of the tool, or with `closed`. */
export async function manualCall(
  { registry, lock, link, state, options, remember }: ManualCallDeps,
  { name, input }: { readonly name: string; readonly input: JsonValue },
  { toolContext = {}, signal, forModel = false }: CallToolOptions,
): Promise<unknown> {
  const { closed, connected } = link
  // Tools may keep state by session, so the session is opened first. Outside a page, and if no host can be started, the
  // tool runs without one.
  if (closed.aborted || connected || typeof document === 'object')
    await link.connect().catch(() => closed.throwIfAborted())
  const { session } = state
  const done = await callTool(registry, lock, name, input, {
    layers: [options().toolContext ?? {}, session ? turnContext(session) : {}, toolContext],
    sessionId: session?.id ?? '',
    messages: session?.messages ?? [],
    forModel,
    signal: signal ? AbortSignal.any([signal, closed]) : closed,
  })
  for (const { key, value } of done.context) remember(key, value)
  return done.output
}
