// A turn that its caller steps through: the model asks, the caller decides what runs. Everything is read off the
// replica; the host waits between two steps for as long as the caller likes.
import { errorMessage, ToolAgentError } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import {
  toolCallsOf,
  textOf,
  type AssistantMessage,
  type CallId,
  type ToolCall,
  type ToolCallPart,
} from '../core/data/message.js'
import type { ExecutionResult, PageMessage } from '../core/data/protocol.js'
import type { Session } from '../core/data/session.js'
import type { ToolExecution, TurnResult } from '../core/data/turn-result.js'
import { ignoreRejection } from './link/pending-turns.js'

/** One model call. The last one of a turn has text and no calls. */
export interface Step {
  /** From 1. */
  readonly number: number
  readonly text: string
  readonly message: AssistantMessage
  readonly toolCalls: readonly ToolCall[]
  /** Has the page run one call: validated, asked for where it must be, retried and timed out like any other. */
  execute(call: ToolCall | CallId): Promise<ToolExecution>
  /**
   * All that are still open, in call order, in parallel. Resolves when all are settled; a tool's error is in its
   * execution.
   */
  execute(): Promise<readonly ToolExecution[]>
  /**
   * Gives a call's result, or an Error for a failure. Throws `invalid-option` for a call that was settled or executed
   * before.
   */
  settle(callId: CallId, value: unknown): Promise<ToolExecution>
}

/**
 * `next()` rejects with `open-calls` while a call is open, and changes nothing. Leaving the loop early stops the turn.
 */
export interface Steps extends AsyncIterableIterator<Step, TurnResult | undefined, void> {
  return(): Promise<IteratorResult<Step, TurnResult | undefined>>
}

export interface SteppedTurnDeps {
  /**
   * Sends the message; resolves as `send` does. Aborting `left` takes it back or stops its turn, wherever it is on its
   * way.
   */
  begin(turn: string, left: AbortSignal): Promise<TurnResult>
  session(): Session | undefined
  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void
  post(message: PageMessage): void
  /** What a caller's value is as an outcome. Throws `not-serializable`. */
  outcome(part: ToolCallPart, value: unknown): ExecutionResult
  execution(part: ToolCallPart): ToolExecution
}

type Next = IteratorResult<Step, TurnResult | undefined>

export class SteppedTurn implements Steps {
  readonly #desk: SteppedTurnDeps
  readonly #id: string
  readonly #found: AssistantMessage[] = []
  readonly #waiters = new Set<() => void>()
  // Calls about which the caller has done something.
  readonly #moved = new Set<CallId>()
  readonly #left = new AbortController()
  #ended: Promise<TurnResult> | undefined
  #end: { readonly result?: TurnResult; readonly error?: unknown } | undefined
  #message: AssistantMessage | undefined
  #number = 0
  #last: Promise<unknown> = Promise.resolve()

  constructor(id: string, desk: SteppedTurnDeps) {
    this.#id = id
    this.#desk = desk
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** One after the other, however they are called, as with a generator. */
  next(): Promise<Next> {
    const next = this.#last.then(() => this.#next())
    this.#last = next.catch(() => undefined) // Told to whoever asked.
    return next
  }

  async return(): Promise<Next> {
    if (this.#end === undefined && this.#ended) {
      this.#left.abort()
      // It ends as stopped, is taken back, or had failed: whoever leaves wants no error of it.
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
      const calls = this.#parts(this.#message)
      const open = calls.filter(({ call, result }) => result === undefined && !this.#moved.has(call.id))
      if (open.length > 0) {
        throw new ToolAgentError(
          'open-calls',
          `Execute or settle every call before the next step. Open: ${open.map(({ call }) => `${call.name} (${call.id})`).join(', ')}`,
        )
      }
      await Promise.all(calls.map(({ call }) => this.#settled(call.id)))
      if (calls.length > 0 && this.#end === undefined) this.#desk.post({ type: 'control', do: 'next' })
    }
    await this.#until(() => this.#found.length > 0 || this.#end !== undefined)
    const message = this.#found.shift()
    if (message === undefined) return this.#finish()
    this.#message = message
    return { done: false, value: this.#step(message) }
  }

  #finish(): Next {
    const { error, result } = this.#end ?? {}
    if (error === undefined) return { done: true, value: result }
    this.#end = {} // Told once; then it is over.
    throw error
  }

  #start(): void {
    const stop = this.#desk.subscribe((event, path) => {
      if (event.type === 'step-end' && path.length === 0 && this.#desk.session()?.turn?.id === this.#id)
        this.#found.push(event.message)
      for (const wake of [...this.#waiters]) wake()
    })
    this.#ended = this.#desk.begin(this.#id, this.#left.signal)
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
        for (const wake of [...this.#waiters]) wake()
      })
  }

  #step(message: AssistantMessage): Step {
    const calls = toolCallsOf(message)
    const execute = (call?: ToolCall | CallId): Promise<never> => {
      const id = typeof call === 'object' ? call.id : call
      if (id !== undefined) return this.#run(message, id) as Promise<never>
      const open = this.#parts(message).filter((part) => part.result === undefined && !this.#moved.has(part.call.id))
      return ignoreRejection(Promise.all(open.map((part) => this.#run(message, part.call.id)))) as Promise<never>
    }
    return {
      number: ++this.#number,
      message,
      text: textOf(message),
      toolCalls: calls.map(({ call }) => call),
      execute,
      settle: (callId, value) => {
        const outcome = this.#desk.outcome(this.#open(message, callId), value)
        this.#moved.add(callId)
        this.#desk.post({ type: 'settle', outcome })
        return this.#settled(callId)
      },
    }
  }

  #run(message: AssistantMessage, callId: CallId): Promise<ToolExecution> {
    this.#open(message, callId)
    this.#moved.add(callId)
    this.#desk.post({ type: 'run', callId })
    return this.#settled(callId)
  }

  /** The call, if the caller may still decide on it. */
  #open(message: AssistantMessage, callId: CallId): ToolCallPart {
    const part = this.#parts(message).find((one) => one.call.id === callId)
    if (part === undefined) throw new ToolAgentError('invalid-option', `There is no call '${callId}' in this step`)
    if (part.result !== undefined || this.#moved.has(callId))
      throw new ToolAgentError('invalid-option', `The call '${callId}' was settled or executed before`)
    return part
  }

  #parts({ id }: AssistantMessage): readonly ToolCallPart[] {
    return toolCallsOf(this.#desk.session()?.messages.findLast((message) => message.id === id))
  }

  #settled(callId: CallId): Promise<ToolExecution> {
    const find = () => this.#message && this.#parts(this.#message).find((part) => part.call.id === callId)
    return ignoreRejection(
      this.#until(() => find()?.result !== undefined || this.#end !== undefined).then(() => {
        const part = find()
        if (part?.result) return this.#desk.execution(part)
        throw this.#end?.error ?? new ToolAgentError('cancelled', 'The turn ended before this call was settled')
      }),
    )
  }

  #until(holds: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const check = () => {
        if (!holds()) return
        this.#waiters.delete(check)
        resolve()
      }
      this.#waiters.add(check)
      check()
    })
  }
}

type Done = Extract<ExecutionResult, { text: string; untrusted: boolean }>

/** What a caller gives as the result of a call: `present` makes it JSON and text; an Error is a failure. */
export function toExecutionResult(
  callId: CallId,
  value: unknown,
  present: (value: unknown) => Pick<Done, 'output' | 'text' | 'untrusted'>,
): ExecutionResult {
  const at = Date.now()
  const common = { callId, attempts: 1, startedAt: at, endedAt: at }
  if (!(value instanceof Error)) return { ...common, ...present(value) }
  const code = value instanceof ToolAgentError ? value.code : 'execution-failed'
  return { ...common, error: { code, message: errorMessage(value).slice(0, 1_000) } }
}
