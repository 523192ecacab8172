// A turn that its caller steps through: the model requests calls, and the caller decides which of them run. The state
// is read from the session; the host waits between two steps for as long as the caller likes.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import {
  ownToolCalls,
  toolCallsOf,
  textOf,
  type AssistantMessage,
  type CallId,
  type ToolCall,
  type ToolCallPart,
} from '../../core/data/message.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import type { ToolExecution, TurnResult } from '../../core/data/turn-result.js'
import { ignoreRejection } from '../promises.js'
import type { HostLink } from '../client/host-link.js'
import type { SessionReplica } from '../client/session-replica.js'
import { randomId } from '../random-id.js'
import { toolExecution } from '../turn-result.js'

/** One model call. The last one of a turn has text and no calls. */
export interface Step {
  /** Counts from 1. */
  readonly number: number
  /** The text of the message. */
  readonly text: string
  /** The message as the session has it after this model call. */
  readonly message: AssistantMessage
  /** The calls that the model requests. Each must be executed or settled before the next step. */
  readonly toolCalls: readonly ToolCall[]
  /**
   * Runs one call as in any other turn: with validation, approval, retries and time limit. Throws `invalid-option` if
   * the call was executed or settled before, or is not of this step.
   */
  execute(call: ToolCall | CallId): Promise<ToolExecution>
  /**
   * Runs all open calls in parallel. Resolves in call order when all are settled; never rejects because a tool failed.
   */
  execute(): Promise<readonly ToolExecution[]>
  /**
   * Sets the result of a call without running its tool; an Error is a failure. Throws `invalid-option` as `execute`
   * does, and `not-serializable` if the value is not JSON.
   */
  settle(callId: CallId, value: unknown): Promise<ToolExecution>
}

/**
 * The steps of one turn; the return value is the result of the turn. `next()` rejects with `open-calls` while a call is
 * open, and changes nothing then. Leaving the loop early stops the turn.
 */
export interface Steps extends AsyncIterableIterator<Step, TurnResult | undefined, void> {
  /** Stops the turn, unless it has ended, and resolves with its result. Called when the loop is left. */
  return(): Promise<IteratorResult<Step, TurnResult | undefined>>
}

/** What a stepped turn needs from its agent. */
export interface SteppedTurnDeps {
  /** Posts which calls to execute, and when the next step may begin. */
  readonly link: HostLink
  /** Its events say when a step or a call has ended. */
  readonly replica: SessionReplica
  /** Sends the message, as `send` does. Aborting `left` stops the turn or removes the message from the queue. */
  begin(turn: string, left: AbortSignal): Promise<TurnResult>
}

type Next = IteratorResult<Step, TurnResult | undefined>

/** The implementation of `Steps`. */
export class SteppedTurn implements Steps {
  readonly #deps: SteppedTurnDeps
  readonly #id = randomId()
  // Messages of model calls that `next` has not returned yet.
  readonly #messages: AssistantMessage[] = []
  readonly #waiters = new Set<() => void>()
  // Calls that the caller has executed or settled.
  readonly #decided = new Set<CallId>()
  // Aborted when the caller leaves the loop.
  readonly #left = new AbortController()
  // Undefined before the first `next`.
  #ended: Promise<TurnResult> | undefined
  #end: { readonly result?: TurnResult; readonly error?: unknown } | undefined
  // The message of the current step.
  #message: AssistantMessage | undefined
  #number = 0
  #lastNext: Promise<unknown> = Promise.resolve()

  constructor(deps: SteppedTurnDeps) {
    this.#deps = deps
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** Calls run one after another, as those of a generator do. */
  next(): Promise<Next> {
    const next = this.#lastNext.then(() => this.#next())
    this.#lastNext = next.catch(() => undefined) // The caller receives the error.
    return next
  }

  /** Stops the turn, unless it has ended. Never rejects. */
  async return(): Promise<Next> {
    if (this.#end === undefined && this.#ended) {
      this.#left.abort()
      // The turn ends as stopped, is removed from the queue or has failed. Leaving the loop must not throw.
      await this.#ended.then(
        (result) => {
          this.#end = { result }
        },
        () => {
          this.#end = {}
        },
      )
    }
    this.#end ??= {}
    return { done: true, value: this.#end.result }
  }

  async #next(): Promise<Next> {
    if (this.#ended === undefined) {
      if (this.#end === undefined) this.#start()
    } else if (this.#end === undefined && this.#message) {
      const calls = this.#callsOf(this.#message)
      const open = calls.filter((part) => this.#isOpen(part))
      if (open.length > 0) {
        const list = open.map(({ call }) => `${call.name} (${call.id})`).join(', ')
        throw new ToolAgentError('open-calls', `Execute or settle every call before the next step. Open: ${list}`)
      }
      await Promise.all(calls.map(({ call }) => this.#settled(call.id)))
      if (calls.length > 0 && this.#end === undefined) this.#deps.link.connection.post({ type: 'control', do: 'next' })
    }
    await this.#until(() => this.#messages.length > 0 || this.#end !== undefined)
    const message = this.#messages.shift()
    if (message === undefined) return this.#finish()
    this.#message = message
    return { done: false, value: this.#step(message) }
  }

  #finish(): Next {
    const { error, result } = this.#end ?? {}
    if (error === undefined) return { done: true, value: result }
    this.#end = {} // The error is thrown once. After that the iterator is done.
    throw error
  }

  #start(): void {
    const { begin, replica } = this.#deps
    const stop = replica.state.observe((notice) => {
      if (notice.type !== 'event') return
      const { event, path } = notice
      if (event.type === 'step-end' && path.length === 0 && replica.state.session?.turn?.id === this.#id)
        this.#messages.push(event.message)
      this.#wake()
    })
    this.#ended = begin(this.#id, this.#left.signal)
    this.#ended
      .then(
        (result) => {
          this.#end ??= { result }
        },
        (error: unknown) => {
          this.#end ??= { error }
        },
      )
      .finally(() => {
        stop()
        this.#wake()
      })
  }

  #step(message: AssistantMessage): Step {
    const calls = ownToolCalls(message)
    const execute = (call?: ToolCall | CallId): Promise<never> => {
      const id = typeof call === 'object' ? call.id : call
      if (id !== undefined) return this.#execute(message, id) as Promise<never>
      const open = this.#callsOf(message).filter((part) => this.#isOpen(part))
      return ignoreRejection(Promise.all(open.map((part) => this.#execute(message, part.call.id)))) as Promise<never>
    }
    return {
      number: ++this.#number,
      message,
      text: textOf(message),
      toolCalls: calls.map(({ call }) => call),
      execute,
      settle: (callId, value) => {
        const { call } = this.#openCall(message, callId)
        const { link } = this.#deps
        const outcome = toExecutionResult(callId, value, (given) => link.queryHandler().present(call, given))
        this.#decided.add(callId)
        link.connection.post({ type: 'settle', outcome })
        return this.#settled(callId)
      },
    }
  }

  #execute(message: AssistantMessage, callId: CallId): Promise<ToolExecution> {
    this.#openCall(message, callId)
    this.#decided.add(callId)
    this.#deps.link.connection.post({ type: 'run', callId })
    return this.#settled(callId)
  }

  /** @throws `invalid-option` if the call is not of this step, or was executed or settled before */
  #openCall(message: AssistantMessage, callId: CallId): ToolCallPart {
    const part = this.#callsOf(message).find((one) => one.call.id === callId)
    if (part === undefined)
      throw new ToolAgentError('invalid-option', `There is no call '${callId}' in this step: pass one of toolCalls`)
    if (!this.#isOpen(part))
      throw new ToolAgentError(
        'invalid-option',
        `The call '${callId}' was settled or executed before: do so once per call`,
      )
    return part
  }

  #isOpen({ call, result }: ToolCallPart): boolean {
    return result === undefined && !this.#decided.has(call.id)
  }

  /** The calls of a message as they are in the session now. */
  #callsOf({ id }: AssistantMessage): readonly ToolCallPart[] {
    return toolCallsOf(this.#deps.replica.state.session?.messages.findLast((message) => message.id === id))
  }

  /** Resolves when a call has a result. Rejects if the turn ends without one. */
  #settled(callId: CallId): Promise<ToolExecution> {
    const find = () => this.#message && this.#callsOf(this.#message).find((part) => part.call.id === callId)
    return ignoreRejection(
      this.#until(() => find()?.result !== undefined || this.#end !== undefined).then(() => {
        const part = find()
        if (part?.result) return toolExecution(part, this.#deps.replica.fullOutputs)
        throw (
          this.#end?.error ??
          new ToolAgentError('cancelled', 'The turn ended before this call was settled. Start a new turn.')
        )
      }),
    )
  }

  /** Resolves when the condition is true. It is checked after each event and at the end of the turn. */
  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!condition()) return
        this.#waiters.delete(check)
        resolve()
      }
      this.#waiters.add(check)
      check()
    })
  }

  #wake(): void {
    for (const check of this.#waiters) check()
  }
}

type Success = Extract<ExecutionResult, { text: string; untrusted: boolean }>

/** Makes a result from the value that the caller of `settle` passed. `present` converts it to JSON and text. */
function toExecutionResult(
  callId: CallId,
  value: unknown,
  present: (value: unknown) => Pick<Success, 'output' | 'text' | 'untrusted'>,
): ExecutionResult {
  const at = Date.now()
  const common = { callId, attempts: 1, startedAt: at, endedAt: at }
  if (!(value instanceof Error)) return { ...common, ...present(value) }
  const code = value instanceof ToolAgentError ? value.code : 'execution-failed'
  return { ...common, error: { code, message: errorMessage(value).slice(0, 1_000) } }
}
