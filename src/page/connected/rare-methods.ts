// The methods of an agent that few visits call: decisions, other answers, older messages, stored sessions, stepped
// turns, calls without a model, traces. Loaded with the first of them. `Agent` documents them.
import { toFailure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, Message } from '../../core/data/message.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import { contextChange } from '../tool-context.js'
import type { ContextChange } from '../../core/data/session.js'
import type { AgentState } from '../agent-state.js'
import type { HostLink } from '../link/host-link.js'
import type { SessionReplica } from '../link/session-replica.js'
import type { SpawnedHost } from '../link/spawn.js'
import type { AgentOptions, SendInput, SendOptions } from '../options.js'
import type { ExclusiveLock } from '../tools/exclusive-lock.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { Trace, TracedAgent } from '../trace/recorder.js'
import { Decisions, type ApprovalTool, type ApproveOptions, type DenyOptions } from './decisions.js'
import { hostConfig } from './host-config.js'
import type { CallToolOptions } from './manual-call.js'
import { parseInput } from './parse-send.js'
import type { SteppedTurn } from './stepped-turn.js'
import { StoredSessions } from './stored-sessions.js'

/** What the methods need from their agent. */
export interface RareMethodsDeps {
  /** Opens the session and posts to the host. */
  readonly link: HostLink
  /** The session on this page. */
  readonly replica: SessionReplica
  /** What views show. */
  readonly state: AgentState
  /** The registered tools. */
  readonly registry: ToolRegistry
  /** Shared by all calls of the agent. */
  readonly lock: ExclusiveLock
  /** The options that are set now. */
  options(): AgentOptions
  /** Sends the message of a stepped turn, as `send` does. */
  begin(
    message: { readonly input: SendInput; readonly options: SendOptions },
    turn: string,
    left: AbortSignal,
  ): Promise<TurnResult>
  /** See `Agent.continue`. */
  continue(stopCount: number): Promise<TurnResult>
  /** See `Agent.takeOver`. */
  takeOver(): Promise<void>
  /** Stores a change of the session's tool context. */
  remember(change: ContextChange[number]): Promise<void>
}

/** The state when a method was called, which may have changed when its code is loaded. */
export interface Called {
  /** The host that asked for a decision. */
  readonly host: SpawnedHost | undefined
  /** `AgentState.stopCount`. */
  readonly stopCount: number
}

/** The methods. */
export class RareMethods {
  readonly #deps: RareMethodsDeps
  readonly #decisions: Decisions
  /** What `Agent.sessions` calls. */
  readonly sessions: StoredSessions

  constructor(deps: RareMethodsDeps) {
    this.#deps = deps
    this.#decisions = new Decisions(deps.link, deps.state)
    this.sessions = new StoredSessions(deps.link, deps.state)
  }

  /** See `Agent.step`. */
  async step(input: SendInput, options: SendOptions): Promise<SteppedTurn> {
    const { SteppedTurn } = await import('./stepped-turn.js')
    const { link, replica, begin } = this.#deps
    return new SteppedTurn({ link, replica, begin: (turn, left) => begin({ input, options }, turn, left) })
  }

  /** See `Agent.regenerate` and `Agent.editLast`. `input`: the new message; undefined keeps the one that was sent. */
  async replace({ stopCount }: Called, input?: SendInput): Promise<TurnResult> {
    const given = input === undefined ? {} : { input: parseInput(input).parts as unknown as JsonValue }
    const { link, state, takeOver, continue: goOn } = this.#deps
    await takeOver()
    // After a stop, `continue` rejects and the answer stays.
    if (state.stopCount === stopCount) await link.connection.request('replace', given)
    return goOn(stopCount)
  }

  /** See `Agent.approve`. */
  approve({ host }: Called, callId: CallId, options: ApproveOptions): Promise<void> {
    return this.#decisions.approve(callId, options, host)
  }

  /** See `Agent.deny`. */
  deny({ host }: Called, callId: CallId, options: DenyOptions): Promise<void> {
    return this.#decisions.deny(callId, options, host)
  }

  /** See `Agent.approvalTool`. */
  approvalTool(callId: CallId): ApprovalTool | undefined {
    return this.#decisions.tool(callId)
  }

  /** See `Agent.callTool`. */
  async callTool(name: string, input: JsonValue, options: CallToolOptions): Promise<unknown> {
    const { manualCall } = await import('./manual-call.js')
    const { link, state, registry, lock, options: agentOptions } = this.#deps
    const remember = (key: string, value: JsonValue | undefined): void => {
      this.#deps
        .remember(contextChange(key, value))
        .catch((thrown: unknown) => state.report(toFailure(thrown, 'storage')))
    }
    return manualCall({ registry, lock, link, state, options: agentOptions, remember }, { name, input }, options)
  }

  /** See `Agent.loadOlder`. */
  async loadOlder(): Promise<void> {
    const { link, state } = this.#deps
    const session = state.opened()
    if (session.start === 0) return
    const older = (await link.connection.request('messages', { before: session.start, limit: 50 })) as Message[]
    const now = state.opened()
    // The session has changed since they were requested.
    if (now.id !== session.id || now.start !== session.start) return
    state.session = { ...now, start: now.start - older.length, messages: [...older, ...now.messages] }
    state.notify({ type: 'change' })
  }

  /** See `Agent.resultText`. */
  async resultText(callId: CallId): Promise<string | undefined> {
    const text = await this.#deps.link.connection.request('result', { callId })
    return typeof text === 'string' ? text : undefined
  }

  /** See `Agent.exportTrace`. */
  exportTrace(agent: Omit<TracedAgent, 'config'>): Promise<Trace> {
    return this.#deps.replica.recorder.export({ ...agent, config: hostConfig(agent.options) })
  }
}
