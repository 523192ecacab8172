// The turns of one opened session: one at a time, the others in a queue; what the page decides and still runs on the
// way in, the loop’s dependencies on the way out.
// Over 300 lines because all that a running turn waits for is let go in one place, when it ends.
import { abortable } from '../core/turn/abort.js'
import { toFailure, type Failure } from '../core/data/errors.js'
import { TurnAbort, type Decision, type ToolOrder, type TurnDeps } from '../core/turn/turn-deps.js'
import type { AgentEvent } from '../core/data/event.js'
import { dropUndefined } from '../core/data/json.js'
import { runTurn } from '../core/turn/turn-loop.js'
import { toolCallsOf, allToolCalls, type CallId, type ToolCallPart, type UserMessage } from '../core/data/message.js'
import type { HostConfig, ExecutionResult, PageMessage } from '../core/data/protocol.js'
import { isQuestion } from '../core/state/reduce.js'
import type { PageFacts, Turn } from '../core/data/session.js'
import { createSemaphore } from '../core/turn/semaphore.js'
import { builtinToolNames } from '../core/data/tool.js'
import type { PageQueries } from './rpc/to-page.js'
import { waitUntilOnline, delay } from './timers.js'
import type { SessionWriter } from './session-writer.js'

export type QueuedSend = Extract<PageMessage, { type: 'send' }>
type Decide = Extract<PageMessage, { type: 'decide' }>

export interface TurnsDeps {
  readonly writer: SessionWriter
  readonly asks: PageQueries
  readonly tab: string
  readonly config: () => HostConfig
  readonly model: TurnDeps['model']
  readonly now: () => number
  readonly id: (prefix: string) => string
  readonly present: TurnDeps['present']
  /** An error for the user; `turn` is the send it answers. */
  report(error: Failure, turn?: string): void
}

export class Turns {
  readonly #host: TurnsDeps
  readonly #queue: QueuedSend[] = []
  readonly #decisions = new Map<CallId, (decision: Decision) => void>()
  // What a page that outlived its last host still runs, and what it holds.
  readonly #outcomes: Map<CallId, ExecutionResult>
  readonly #running: Set<CallId>
  readonly #outcomeWaiters = new Map<CallId, (outcome: ExecutionResult) => void>()
  #current: { readonly turn: string; readonly abort: AbortController; readonly done: Promise<void> } | undefined
  // A stepped turn: what its caller did about calls, and who waits for that; whether the next step was asked for.
  readonly #orders = new Map<CallId, ToolOrder>()
  readonly #orderWaiters = new Map<CallId, (order: ToolOrder) => void>()
  #mayProceed = false
  #onProceed: (() => void) | undefined
  // Calls whose question was answered and that have not started or been settled yet.
  readonly #decided = new Set<CallId>()
  // Decisions on questions that a resumed turn has not asked again yet.
  readonly #early = new Map<CallId, Decide>()
  // The user has gone on to another message: what the running turn still has to ask is not asked any more.
  #isSuperseded = false
  // Another host may write now; what the running turn rejects with, whatever it was doing.
  #fenced: unknown
  #isClosed = false

  constructor(host: TurnsDeps, running: readonly CallId[], outcomes: readonly ExecutionResult[]) {
    this.#host = host
    this.#running = new Set(running)
    this.#outcomes = new Map(outcomes.map((outcome) => [outcome.callId, outcome]))
  }

  get isBusy(): boolean {
    return this.#current !== undefined
  }

  send(message: QueuedSend): void {
    if (message.whenBusy === 'interrupt') void this.stop()
    this.#queue.push(message)
    if (this.#current === undefined) return this.#next()
    if (this.#host.writer.session.status === 'awaiting-approval') this.#supersede()
  }

  /** Takes one message back: out of the queue, or by stopping its turn. */
  drop(turn: string): void {
    const place = this.#queue.findIndex((one) => one.turn === turn)
    if (place >= 0) {
      this.#queue.splice(place, 1)
      this.#host.report({ code: 'cancelled', message: 'The message was taken back before it was sent.' }, turn)
    } else if (this.#current?.turn === turn) {
      this.#current.abort.abort(new TurnAbort('stopped'))
    }
  }

  /** Goes on with a turn that was interrupted or ended at a limit. */
  continue(id: string, facts: PageFacts): void {
    const { session } = this.#host.writer
    const reason = session.end?.reason
    const isOpen =
      this.#current === undefined &&
      reason !== undefined &&
      reason !== 'stop' &&
      reason !== 'direct' &&
      !session.end?.manual
    if (!isOpen)
      return this.#host.report(
        {
          code: 'invalid-option',
          message: 'There is nothing to continue: the last turn is complete, still runs, or was stepped through.',
        },
        id,
      )
    const first = session.messages.findLastIndex((message) => message.role === 'user')
    const turn = this.#record(
      id,
      facts,
      session.end?.options ?? {},
      session.start + Math.max(0, first),
      session.start + session.messages.length,
    )
    this.#start(turn, undefined)
  }

  /** Takes up the turn that the session was left with. */
  resume(turn: Turn): void {
    const at = this.#host.now()
    const resumed = { ...turn, tab: this.#host.tab, resumes: turn.resumes + 1, lastAt: at }
    this.#start(
      resumed,
      undefined,
      turn.offered.filter((name) => !builtinToolNames.has(name)),
    )
  }

  /** Ends the running turn and gives back what waits; resolves when the turn is at rest. */
  async stop(kind: 'stopped' | 'interrupted' | 'closed' = 'stopped'): Promise<void> {
    if (kind === 'closed') this.#isClosed = true
    this.#giveBack('The turn before it was stopped')
    const current = this.#current
    current?.abort.abort(new TurnAbort(kind))
    await current?.done
  }

  /** A decision counts once, and only for the question that was shown. */
  decide(message: Decide): void {
    const { callId, hash, decision, input, reason, remember } = message
    const waiting = this.#decisions.get(callId)
    const part = this.#call(callId)
    if (part === undefined || !isQuestion(part)) return
    if (waiting === undefined) {
      // Restored, and already answered: it counts if the question turns out to be the same.
      this.#early.set(callId, message)
      return
    }
    this.#decisions.delete(callId)
    if (decision === 'deny' || hash === part.approval?.hash) this.#decided.add(callId)
    if (decision === 'deny') waiting(dropUndefined({ do: 'deny', reason }))
    else if (hash !== part.approval?.hash) waiting({ do: 'recheck' })
    else waiting(dropUndefined({ do: 'approve', remember: remember === 'session', reason, input }))
  }

  /** Whether a decision on a call would come too late: one was taken, or the call is no question any more. */
  isDecided(callId: CallId): boolean {
    const part = this.#call(callId)
    return part === undefined || !isQuestion(part) || this.#decided.has(callId) || this.#early.has(callId)
  }

  /** What the caller of a stepped turn does about a call; it counts once. */
  order(callId: CallId, order: ToolOrder): void {
    if (this.#orders.has(callId)) return
    this.#orders.set(callId, order)
    this.#orderWaiters.get(callId)?.(order)
    this.#orderWaiters.delete(callId)
  }

  /** The caller of a stepped turn wants the next step. */
  proceed(): void {
    const { turn, messages } = this.#host.writer.session
    const calls = toolCallsOf(messages.at(-1))
    // Asked for while its turn was ending: that is not for a turn behind it.
    if (turn?.mode !== 'manual' || calls.length === 0 || calls.some((part) => part.result === undefined)) return
    this.#mayProceed = true
    this.#onProceed?.()
  }

  /** The end of a call that was running when an earlier host died. */
  outcome(outcome: ExecutionResult): void {
    this.#outcomes.set(outcome.callId, outcome)
    this.#outcomeWaiters.get(outcome.callId)?.(outcome)
    this.#outcomeWaiters.delete(outcome.callId)
  }

  known(): Set<CallId> {
    return new Set([...this.#running, ...this.#outcomes.keys()])
  }

  #call(id: CallId): ToolCallPart | undefined {
    return allToolCalls(this.#host.writer.session.messages.slice(-1)).find(({ part }) => part.call.id === id)?.part
  }

  #supersede(): void {
    this.#isSuperseded = true
    this.#early.clear()
    for (const decide of this.#decisions.values()) decide({ do: 'superseded' })
    this.#decisions.clear()
  }

  #giveBack(why: string): void {
    for (const { turn } of this.#queue.splice(0))
      this.#host.report({ code: 'cancelled', message: `${why}, so this message was not sent.` }, turn)
  }

  #next(): void {
    if (this.#isClosed || this.#current !== undefined) return
    const message = this.#queue.shift()
    if (message === undefined) return
    const { facts, ...options } = message.options
    const { session } = this.#host.writer
    const first = session.start + session.messages.length
    const user: UserMessage = { id: this.#host.id('msg'), role: 'user', parts: message.input, at: this.#host.now() }
    this.#start({ ...this.#record(message.turn, facts, options, first, first), mode: message.mode ?? 'auto' }, user)
  }

  #record(id: string, facts: PageFacts, options: Turn['options'], first: number, counted: number): Turn {
    const at = this.#host.now()
    return {
      id,
      facts,
      options,
      first,
      counted,
      tab: this.#host.tab,
      url: facts.url,
      startedAt: at,
      lastAt: at,
      resumes: 0,
      spent: 0,
      mode: 'auto',
      offered: [],
    }
  }

  #start(turn: Turn, message: UserMessage | undefined, expect?: readonly string[]): void {
    const abort = new AbortController()
    const done = this.#run(turn, message, abort, expect).finally(() => {
      this.#current = undefined
      this.#isSuperseded = false
      for (const left of [this.#decisions, this.#decided, this.#early, this.#orders, this.#orderWaiters]) left.clear()
      this.#mayProceed = false
      // What was queued before a stop went back with it; what came after it is meant.
      if (this.#host.writer.session.end?.reason === 'error') this.#giveBack('The turn before it ended by an error')
      this.#next()
    })
    this.#current = { turn: turn.id, abort, done }
  }

  async #run(
    turn: Turn,
    message: UserMessage | undefined,
    abort: AbortController,
    expect: readonly string[] | undefined,
  ): Promise<void> {
    const { writer, report, now } = this.#host
    const clock = setInterval(() => this.#tick(abort), 1_000)
    this.#spent = turn.spent
    try {
      await writer.emit(dropUndefined({ type: 'turn-start', at: now(), turn, message }))
      await runTurn(this.#deps(abort), abort.signal, expect)
      if (this.#fenced !== undefined) throw this.#fenced
    } catch (thrown) {
      // Fenced off or without a store: nothing more can be written, and the page has to know.
      report(toFailure(thrown, 'storage'), turn.id)
    } finally {
      clearInterval(clock)
    }
  }

  // Milliseconds this turn ran, without waiting for the user.
  #spent = 0

  // What waits for a time, and whether the time had passed a tick ago.
  readonly #waits = new Set<{ readonly until: number; readonly resolve: () => void; isOver?: boolean }>()

  #tick(abort: AbortController): void {
    // Timers stand still while a device sleeps: the clock on the wall says that a wait is over. What came meanwhile has
    // until the next tick to be read, so a clock that was only set ahead ends no live answer.
    for (const one of this.#waits) {
      if (one.isOver) one.resolve()
      one.isOver = Date.now() >= one.until
    }
    // Waiting for the user, or for whoever steps through the turn, takes nobody's time.
    const waits = this.#onProceed !== undefined || this.#orderWaiters.size > 0
    if (this.#host.writer.session.status === 'running' && !waits) this.#spent += 1_000
    if (this.#spent >= this.#host.config().limits.turn) abort.abort(new TurnAbort('max-time'))
  }

  async #emit(event: AgentEvent, path: readonly CallId[] | undefined, abort: AbortController): Promise<void> {
    try {
      await this.#host.writer.emit(event, path)
    } catch (thrown) {
      // Nothing can be written any more: whatever still runs for this turn ends now.
      this.#fenced ??= thrown
      abort.abort(new TurnAbort('closed'))
      throw thrown
    }
  }

  #wait(ms: number, signal: AbortSignal, byClock = false): Promise<void> {
    if (!byClock) return delay(ms, signal)
    return abortable<void>(signal, (resolve) => {
      const one = { until: Date.now() + ms, resolve }
      this.#waits.add(one)
      delay(ms, signal)
        .then(resolve, () => undefined)
        .finally(() => this.#waits.delete(one))
    })
  }

  #decision(callId: CallId, signal: AbortSignal): Promise<Decision> {
    if (this.#isSuperseded) return Promise.resolve({ do: 'superseded' })
    return abortable(signal, (resolve) => {
      this.#decisions.set(callId, resolve)
      const early = this.#early.get(callId)
      this.#early.delete(callId)
      // A denial holds for whatever the question has become.
      if (early && (early.decision === 'deny' || early.hash === this.#call(callId)?.approval?.hash)) this.decide(early)
    })
  }

  #deps(abort: AbortController): TurnDeps {
    const { writer, asks, config, model, now, id } = this.#host
    return {
      session: () => writer.session,
      root: () => writer.session,
      callIds: new Set(),
      alone: createSemaphore(1),
      depth: 0,
      runTurn,
      config,
      emit: (event, path) => this.#emit(event, path, abort),
      ask: (ask, signal, onProgress, path) => asks.ask(ask, signal, onProgress, path),
      model,
      decision: (callId, signal) => this.#decision(callId, signal),
      denial: (callId) => {
        const early = this.#early.get(callId)
        return early?.decision === 'deny' ? dropUndefined({ do: 'deny', reason: early.reason }) : undefined
      },
      order: (callId, signal) => {
        const order = this.#orders.get(callId)
        if (order) return Promise.resolve(order)
        return abortable(
          signal,
          (resolve) => this.#orderWaiters.set(callId, resolve),
          () => this.#orderWaiters.delete(callId),
        )
      },
      proceed: async (signal) => {
        if (!this.#mayProceed)
          await abortable<void>(signal, (resolve) => {
            this.#onProceed = resolve
          }).finally(() => {
            this.#onProceed = undefined
          })
        this.#mayProceed = false
      },
      spent: () => this.#spent,
      held: (callId, signal) => {
        const outcome = this.#outcomes.get(callId)
        if (outcome) return Promise.resolve(outcome)
        return this.#running.has(callId)
          ? abortable(signal, (resolve) => this.#outcomeWaiters.set(callId, resolve))
          : undefined
      },
      whole: async (callId) => {
        const text = await writer.store.result(writer.session.id, callId)
        return typeof text === 'string' ? text : undefined
      },
      now,
      id,
      nonce: () => id(''),
      random: () => Math.random(),
      wait: (ms, signal, byClock) => this.#wait(ms, signal, byClock),
      online: waitUntilOnline,
      present: this.#host.present,
    }
  }
}
