// The turns of one driven session: one runs, later ones wait in a queue. Passes what the page decides to the running
// turn and gives the turn loop its dependencies. Each message comes from a guest, which its turn then asks.
import { abortable } from '../core/loop/abort.js'
import { toFailure, type Failure } from '../core/data/errors.js'
import { TurnAbort, type Decision, type CallCommand, type TurnDeps, type WaitKind } from '../core/loop/turn-deps.js'
import type { AgentEvent } from '../core/data/event.js'
import { dropUndefined } from '../core/data/json.js'
import { runTurn } from '../core/loop/turn-loop.js'
import {
  ownToolCalls,
  toolCallsOf,
  allToolCalls,
  type CallId,
  type ToolCallPart,
  type UserMessage,
  isQuestion,
} from '../core/data/message.js'
import type { ExecutionResult, PageMessage } from '../core/data/protocol.js'
import type { PageFacts, Turn } from '../core/data/session.js'
import { createSemaphore } from '../core/loop/semaphore.js'
import { turnFacts } from '../core/prompt/facts.js'
import { builtinToolNames } from '../core/data/tool.js'
import { CallMailbox } from './rpc/call-mailbox.js'
import { providerNames } from '../core/data/model.js'
import type { TurnModel } from './models/turn-model.js'
import type { Guest } from './guest.js'
import type { HostTools } from './host-tools.js'
import { waitUntilOnline, delay } from './timers.js'
import type { SessionWriter } from './session-writer.js'

type Send = Extract<PageMessage, { type: 'send' }>
type Decide = Extract<PageMessage, { type: 'decide' }>

/** Who gets the errors of a turn: the page that sent or continued it, by the id that it gave it. */
export interface TurnCaller {
  readonly guest: Guest
  readonly turn: string
}

/** A message that waits for its turn: without credentials. */
type QueuedSend = Omit<Send, 'headers'> & TurnCaller & { readonly messageId: string }

/** What the turns of a session need from the host. */
export interface TurnsDeps {
  /** Writes the session. Every event of a turn goes through it. */
  readonly writer: SessionWriter
  /** See `turnModel`. */
  readonly model: TurnModel
  /** The model is not one of the providers, so it is not known whether a request has an effect. */
  readonly hasOwnModel: boolean
  /** Tools that run beside the host. @default none */
  readonly tools?: HostTools | undefined
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A random id. An empty prefix gives only the random part. */
  readonly id: (prefix: string) => string
  /** The guest, or if it has left, another one that is there, if any. */
  present(guest: Guest): Guest
  /** Whether any guest gets what is posted now. @default true */
  isWatched?(): boolean
  /** Another guest may drive now. */
  driverChanged?(): void
  /** No turn runs and no message waits, or the turn only waits for the user. */
  idle?(): void
  /** Why a turn that nobody has begun must not start. Must not reject. @default each one starts */
  refusal?(): Promise<Failure | undefined>
  /** Reports an error to the caller that fails with it, else to the user. */
  report(error: Failure, caller?: TurnCaller): void
}

/** What a turn runs with. */
interface StartedTurn {
  readonly turn: Turn
  /** The page that sends, continues or resumes it. */
  readonly guest: Guest
  /** The user's message, unless the session has it. */
  readonly message: UserMessage | undefined
  readonly abort: AbortController
  /** Of a resumed turn: see the query `prepare`. */
  readonly expect: readonly string[] | undefined
}

/** Runs the turns of one session. */
export class Turns {
  readonly #deps: TurnsDeps
  readonly #queue: QueuedSend[] = []
  // It has left the queue, and its turn has not begun: what is stored still has it as one that waits.
  #starting: QueuedSend | undefined
  // The guest of the last message whose turn has started, or decision.
  #driver: Guest
  // The guest whose tools the step offers. It becomes the driver with the next offer.
  #asked: Guest
  readonly #decisions = new Map<CallId, (decision: Decision) => void>()
  /** Calls of an earlier host that the page still runs or has the outcome of. */
  readonly knownCalls = new Set<CallId>()
  readonly #outcomes = new CallMailbox<ExecutionResult>()
  // The headers that came with the message of the turn that runs, until its first request takes them.
  #headers: Send['headers']
  #current: (TurnCaller & { readonly abort: AbortController; readonly done: Promise<void> }) | undefined
  // In a stepped turn: what its caller does with calls, and whether the caller has requested the next step.
  readonly #commands = new CallMailbox<CallCommand>()
  #isNextStepRequested = false
  #onNextStep: (() => void) | undefined
  // Calls that the user has decided on and that have not started or ended yet.
  readonly #decided = new Set<CallId>()
  // Decisions on questions that a resumed turn has not repeated yet.
  readonly #earlyDecisions = new Map<CallId, Decide>()
  // The user has sent another message, so the running turn must not ask any more questions.
  #isSuperseded = false
  // The error of a failed write. The running turn ends with it, whatever it was doing.
  #writeError: unknown
  #isClosed = false

  /** @param guest the page that opens the session, and resumes its turn. */
  constructor(deps: TurnsDeps, guest: Guest) {
    this.#deps = deps
    this.#driver = this.#asked = guest
  }

  /** The page that the running step asks. */
  get guest(): Guest {
    return this.#asked
  }

  /** The driver. One that has left is replaced by a page that is there or comes later. */
  get driver(): Guest {
    return this.#deps.present(this.#driver)
  }

  /** Whether a turn runs. Otherwise no message waits, either. */
  get isBusy(): boolean {
    return this.#current !== undefined
  }

  /** Whether only the user can make anything go on: each open call is a question. */
  get isAsking(): boolean {
    const open = toolCallsOf(this.#deps.writer.session.messages.at(-1)).filter(({ result }) => result === undefined)
    return open.length > 0 && open.every(({ call }) => this.#decisions.has(call.id))
  }

  #drive(guest: Guest): void {
    if (this.#driver === guest) return
    this.#driver = guest
    this.#deps.driverChanged?.()
  }

  /** The driver, from a new step on. */
  #presentDriver(): Guest {
    this.#drive(this.driver)
    return this.#driver
  }

  /**
   * Starts a turn, or queues the message until the running turn ends. `whenBusy: 'interrupt'` stops that one first.
   * `messageId`: the id of the stored message, by which a message that is sent again is known. @default a random one
   */
  send({ headers, ...message }: Send, guest: Guest, messageId = this.#deps.id('msg')): void {
    if (message.whenBusy === 'interrupt') void this.stop()
    this.#queue.push({ ...message, guest, messageId })
    guest.offers.set(message.turn, message.offer)
    if (this.#current === undefined) return this.#startNext(headers)
    this.#storeQueue()
    if (this.#deps.writer.session.status === 'awaiting-approval') this.#supersede()
  }

  /**
   * Messages that wait in what is stored are sent when the turns before them have ended: those of an earlier host, and
   * those that could not be sent while nobody was there.
   */
  restore(): void {
    const guest = this.#driver
    const known = new Set([this.#starting, ...this.#queue].map((message) => message?.turn))
    for (const { turn, messageId, input, options } of this.#deps.writer.ahead.waiting ?? []) {
      if (known.has(turn)) continue
      this.#queue.push({ type: 'send', turn, messageId, input, options, whenBusy: 'queue', guest })
      guest.offers.set(turn, undefined)
    }
    this.#startNext()
  }

  /** The database of a server has what waits, so that no crash loses it. In a browser, the page that waits has it. */
  #storeQueue(): void {
    const { writer, now, report } = this.#deps
    const all = this.#starting ? [this.#starting, ...this.#queue] : this.#queue
    const waiting = all.map(({ turn, messageId, input, options }) => ({ turn, messageId, input, options }))
    // What nobody is there to be told about is kept, and tried again when a page opens the session.
    if (writer.store.kind === 'server' && !this.#isClosed && this.#deps.isWatched?.() !== false)
      writer
        .emit({ type: 'session-change', at: now(), waiting })
        .catch((thrown: unknown) => report(toFailure(thrown, 'storage')))
  }

  /** Removes a message from the queue, or stops its turn. */
  drop(turn: string): void {
    const queued = this.#queue.find((message) => message.turn === turn)
    if (queued) {
      this.#queue.splice(this.#queue.indexOf(queued), 1)
      queued.guest.offers.delete(turn)
      this.#storeQueue()
      this.#deps.report({ code: 'cancelled', message: 'The queued message was removed.' }, queued)
    } else if (this.#current?.turn === turn) {
      this.#current.abort.abort(new TurnAbort('stopped'))
    }
  }

  /**
   * Continues the newest turn. Reports `invalid-option` if it is running, ended as `stop` or `direct`, or was stepped.
   */
  continue(caller: TurnCaller, facts: PageFacts): void {
    const { end, messages, start } = this.#deps.writer.session
    if (this.#current || !end || end.manual || end.reason === 'stop' || end.reason === 'direct')
      return this.#deps.report({ code: 'invalid-option', message: 'There is no turn to continue. Use send().' }, caller)
    const first = messages.findLastIndex((message) => message.role === 'user')
    const counted = start + messages.length
    const turn = this.#newTurn(caller, facts, end.options ?? {}, start + Math.max(0, first), counted)
    this.#start(turn, caller.guest, undefined)
  }

  /** Resumes the unfinished turn of an earlier host. `resumes`: how often that has happened. */
  resume(turn: Turn, resumes: number): void {
    // What was left open is settled in several commits, and the lease may end meanwhile.
    if (this.#isClosed) return
    const at = this.#deps.now()
    const resumed = { ...turn, tab: this.#driver.tab, resumes, lastAt: at }
    this.#start(
      resumed,
      this.#driver,
      undefined,
      turn.offered.filter((name) => !builtinToolNames.has(name)),
    )
  }

  /** Cancels the queue and ends the running turn. Resolves when that turn has ended. */
  async stop(kind: 'stopped' | 'interrupted' | 'closed' = 'stopped'): Promise<void> {
    if (kind === 'closed') this.#isClosed = true
    this.#cancelQueue('was stopped')
    const current = this.#current
    current?.abort.abort(new TurnAbort(kind))
    await current?.done
  }

  /** What the user allowed beyond one call ends. `page`: only what was for the task and holds there no more. */
  endGrants(page?: string): void {
    const { writer, now, report } = this.#deps
    const { grants, turn } = writer.session
    const isUserWish = page === undefined
    if (!turn?.taskGrants?.length && !(isUserWish && grants.length > 0)) return
    writer
      .emit({ type: 'grants-end', at: now(), ...(isUserWish ? { all: true } : { page }) })
      .catch((thrown: unknown) => report(toFailure(thrown, 'storage')))
  }

  /**
   * Takes the user's decision on a call. It counts once, and only for the question that was shown (`hash`). Its guest
   * is the driver from then on.
   */
  decide(message: Decide, guest = this.#driver): void {
    const { callId, hash, decision, doneByUser, input, reason, remember } = message
    const waiting = this.#decisions.get(callId)
    const part = this.#findCall(callId)
    if (part === undefined || !isQuestion(part)) return
    this.#drive(guest)
    if (waiting === undefined) {
      // A resumed turn has not asked again. The decision counts if the question is then the same.
      this.#earlyDecisions.set(callId, message)
      return
    }
    this.#decisions.delete(callId)
    if (decision === 'deny' || hash === part.approval?.hash) this.#decided.add(callId)
    if (decision === 'deny') waiting(dropUndefined({ do: 'deny', reason, doneByUser }))
    else if (hash !== part.approval?.hash) waiting({ do: 'recheck' })
    else waiting(dropUndefined({ do: 'approve', remember, reason, input }))
  }

  /** Whether a decision on a call is too late: the user has decided, or the call is not a question any more. */
  isDecided(callId: CallId): boolean {
    const part = this.#findCall(callId)
    return part === undefined || !isQuestion(part) || this.#decided.has(callId) || this.#earlyDecisions.has(callId)
  }

  /** Takes what the caller of a stepped turn does with a call. Only the first command for a call counts. */
  command(callId: CallId, command: CallCommand): void {
    this.#commands.put(callId, command)
  }

  /** Ends the wait before a failed model call is repeated, if there is one. */
  endRetryWait(): void {
    for (const wait of this.#waits) {
      if (wait.kind !== 'retry') continue
      wait.resolve()
      this.#waits.delete(wait)
    }
  }

  /** Starts the next step of a stepped turn, unless a call is open. */
  startNextStep(): void {
    const { turn, messages } = this.#deps.writer.session
    const calls = ownToolCalls(messages.at(-1))
    const isBetweenSteps = calls.length > 0 && calls.every((part) => part.result !== undefined)
    // A request that arrives while its turn ends must not count for the next turn.
    if (turn?.mode !== 'manual' || !isBetweenSteps) return
    this.#isNextStepRequested = true
    this.#onNextStep?.()
  }

  /**
   * Takes the outcome of a call that the page ran for an earlier host. Of a call that the user is asked about it says
   * that the page does not hold it any more: the call is checked again.
   */
  outcome(outcome: ExecutionResult): void {
    if (this.isHostCall(outcome.callId)) return
    const waiting = this.#decisions.get(outcome.callId)
    this.#decisions.delete(outcome.callId)
    if (waiting) return waiting({ do: 'recheck' })
    this.knownCalls.add(outcome.callId)
    this.#outcomes.put(outcome.callId, outcome)
  }

  /** Whether a call is one of the host's own tools. No page runs it, whatever it says. */
  isHostCall(id: CallId): boolean {
    return this.#deps.tools?.has(this.#findCall(id)?.call.name ?? '') === true
  }

  #findCall(id: CallId): ToolCallPart | undefined {
    return allToolCalls(this.#deps.writer.session.messages.slice(-1)).find(({ part }) => part.call.id === id)?.part
  }

  #supersede(): void {
    this.#isSuperseded = true
    this.#earlyDecisions.clear()
    for (const decide of this.#decisions.values()) decide({ do: 'superseded' })
    this.#decisions.clear()
  }

  #cancelQueue(reason: string): void {
    if (this.#queue.length === 0) return
    const all = this.#queue.splice(0)
    this.#storeQueue()
    for (const queued of all) {
      queued.guest.offers.delete(queued.turn)
      const message = `The previous turn ${reason}, so this message was not sent.`
      this.#deps.report({ code: 'cancelled', message }, queued)
    }
  }

  #startNext(headers?: Send['headers']): void {
    if (this.#isClosed || this.#current !== undefined) return
    const message = this.#queue.shift()
    if (message === undefined) return
    this.#starting = message
    this.#headers = headers
    const { facts, ...options } = message.options
    const { session } = this.#deps.writer
    const first = session.start + session.messages.length
    const user: UserMessage = { id: message.messageId, role: 'user', parts: message.input, at: this.#deps.now() }
    const turn = this.#newTurn(message, facts, options, first, first)
    this.#start({ ...turn, mode: message.mode ?? 'auto' }, message.guest, user)
  }

  #newTurn(caller: TurnCaller, facts: PageFacts, options: Turn['options'], first: number, counted: number): Turn {
    const at = this.#deps.now()
    return {
      id: caller.turn,
      facts,
      options,
      first,
      counted,
      tab: caller.guest.tab,
      url: facts.url,
      startedAt: at,
      lastAt: at,
      resumes: 0,
      spent: 0,
      mode: 'auto',
      offered: [],
    }
  }

  #start(turn: Turn, guest: Guest, message: UserMessage | undefined, expect?: readonly string[]): void {
    const abort = new AbortController()
    this.#asked = guest
    this.#drive(guest)
    const done = this.#run({ turn, guest, message, abort, expect }).finally(() => {
      this.#current = undefined
      this.#headers = undefined
      guest.offers.delete(turn.id)
      this.#isSuperseded = false
      for (const state of [this.#decisions, this.#decided, this.#earlyDecisions, this.#commands]) state.clear()
      this.#isNextStepRequested = false
      // A stop has cancelled the messages before it. Messages after it are sent.
      if (this.#deps.writer.session.end?.reason === 'error') this.#cancelQueue('failed')
      this.#startNext()
      if (this.#current === undefined) this.#deps.idle?.()
    })
    this.#current = { turn: turn.id, guest, abort, done }
  }

  async #run({ turn, guest, message, abort, expect }: StartedTurn): Promise<void> {
    const { writer, report, now } = this.#deps
    const clock = setInterval(() => this.#tick(abort), 1_000)
    this.#timeSpent = turn.spent
    try {
      // A resumed turn has `expect`.
      const refusal = expect === undefined && this.#deps.refusal ? await this.#deps.refusal() : undefined
      this.#starting = undefined
      if (refusal) {
        this.#storeQueue()
        return report(refusal, { turn: turn.id, guest })
      }
      const newest = message ?? writer.session.messages.at(-1)
      const facts = newest?.role === 'user' && !newest.facts ? turnFacts(turn, writer.session.messages) : undefined
      const isLoaded = writer.isLoaded(turn)
      const begun = this.#emit(dropUndefined({ type: 'turn-start', at: now(), turn, message, facts }), [], abort)
      // The loop waits for this commit, except with its first request.
      begun.catch(() => undefined)
      if (!isLoaded) await begun
      await runTurn(this.#turnDeps(abort), abort.signal, expect)
      if (this.#writeError !== undefined) throw this.#writeError
    } catch (thrown) {
      // Another host writes, or no store works. No `turn-end` can be written, so the error must be reported here.
      report(toFailure(thrown, 'storage'), { turn: turn.id, guest })
    } finally {
      clearInterval(clock)
    }
  }

  // Milliseconds that this turn has run, without the time it waits for the user.
  #timeSpent = 0

  // Waits with an end by the wall clock. `isOver`: the end had passed at the last tick.
  readonly #waits = new Set<{
    readonly until: number
    readonly resolve: () => void
    readonly kind: 'clock' | 'retry'
    isOver?: boolean
  }>()

  #tick(abort: AbortController): void {
    // Timers stop while a device sleeps, so the wall clock ends a wait, too. It ends one tick late: answers that
    // arrived during the sleep are read first, and a clock that was set forward does not end a live answer.
    for (const wait of this.#waits) {
      if (wait.isOver) wait.resolve()
      wait.isOver = Date.now() >= wait.until
    }
    // The time that a turn waits for the user, for a page without a connection, or for the caller of a stepped turn
    // does not count.
    const isWaiting = this.#onNextStep !== undefined || this.#commands.isAwaited || this.#asked.isAway
    if (this.#deps.writer.session.status === 'running' && !isWaiting) this.#timeSpent += 1_000
    if (this.#timeSpent >= this.#asked.config.limits.turn) abort.abort(new TurnAbort('max-time'))
  }

  /** Whether a request may be sent while what is in it is stored: nothing is asked before it, and it has no effect. */
  #mayRequestAhead(): boolean {
    const { hooks, pageModel, provider } = this.#asked.config
    const isAskedForHeaders = hooks.headers && this.#headers === undefined
    const isAsked = hooks.beforeModel || isAskedForHeaders || pageModel || this.#deps.hasOwnModel
    return !isAsked && providerNames.some((name) => name === provider)
  }

  #takeHeaders(): Send['headers'] {
    const headers = this.#headers
    this.#headers = undefined
    return headers
  }

  async #emit(event: AgentEvent, path: readonly CallId[] | undefined, abort: AbortController): Promise<void> {
    const { writer } = this.#deps
    // Of several pages, the next host must know which one may have run it. The turn may have begun in another.
    const isAsked = event.type === 'tool-start' && writer.store.kind === 'server'
    try {
      await writer.emit(isAsked ? { ...event, tab: this.#asked.tab } : event, path)
    } catch (thrown) {
      // Nothing can be written any more, so everything that runs for this turn must end.
      this.#writeError ??= thrown
      abort.abort(new TurnAbort('closed'))
      throw thrown
    }
  }

  #wait(ms: number, signal: AbortSignal, kind: WaitKind = 'timer'): Promise<void> {
    if (kind === 'timer') return delay(ms, signal)
    return abortable<void>(signal, (resolve) => {
      const wait = { until: Date.now() + ms, resolve, kind }
      this.#waits.add(wait)
      delay(ms, signal)
        .then(resolve, () => undefined)
        .finally(() => this.#waits.delete(wait))
    })
  }

  #decision(callId: CallId, signal: AbortSignal): Promise<Decision> {
    if (this.#isSuperseded) return Promise.resolve({ do: 'superseded' })
    // A call that was stopped before an effect is asked about again. The decision before it was on another question.
    this.#decided.delete(callId)
    return abortable(signal, (resolve) => {
      this.#decisions.set(callId, resolve)
      const early = this.#earlyDecisions.get(callId)
      this.#earlyDecisions.delete(callId)
      // A denial counts even if the question has changed.
      if (early && (early.decision === 'deny' || early.hash === this.#findCall(callId)?.approval?.hash))
        this.decide(early)
      if (this.isAsking) this.#deps.idle?.()
    })
  }

  #turnDeps(abort: AbortController): TurnDeps {
    const { writer, model, tools, now, id } = this.#deps
    return {
      session: () => writer.ahead,
      rootSession: () => writer.ahead,
      committed: () => writer.committed(),
      mayRequestAhead: () => this.#mayRequestAhead(),
      callIds: new Set(),
      runExclusively: createSemaphore(1),
      depth: 0,
      runTurn,
      config: () => this.#asked.config,
      emit: (event, path) => this.#emit(event, path, abort),
      ask: (ask, signal, onProgress = () => undefined, path = []) => {
        if (ask.type === 'prepare' && path.length === 0) this.#asked = this.#presentDriver()
        const guest = this.#asked
        return tools
          ? tools.ask(guest, ask, { signal, onProgress, path })
          : guest.queries.ask(ask, signal, onProgress, path)
      },
      postedOffer: () => {
        const driver = this.#presentDriver()
        const offer = driver.postedOffer(writer.ahead.turn?.id ?? '')
        if (offer) this.#asked = driver
        return offer && tools ? tools.offer(driver, offer) : offer
      },
      model: (attempt, path) => model(attempt, path, () => this.#takeHeaders()),
      userDecision: (callId, signal) => this.#decision(callId, signal),
      earlyDenial: (callId) => {
        const early = this.#earlyDecisions.get(callId)
        if (early?.decision !== 'deny') return undefined
        return dropUndefined({ do: 'deny', reason: early.reason, doneByUser: early.doneByUser })
      },
      callCommand: (callId, signal) => this.#commands.wait(callId, signal),
      nextStepRequest: async (signal) => {
        if (!this.#isNextStepRequested)
          await abortable<void>(signal, (resolve) => {
            this.#onNextStep = resolve
          }).finally(() => {
            this.#onNextStep = undefined
          })
        this.#isNextStepRequested = false
      },
      timeSpent: () => this.#timeSpent,
      outcomeFromPage: (callId, signal) =>
        this.knownCalls.has(callId) ? this.#outcomes.wait(callId, signal) : undefined,
      longResult: (callId) => writer.store.result(writer.session.id, callId),
      resultText: (callId, range) => writer.store.resultText(writer.session.id, callId, range),
      now,
      id,
      nonce: () => id(''),
      random: () => Math.random(),
      wait: (ms, signal, kind) => this.#wait(ms, signal, kind),
      untilOnline: waitUntilOnline,
      untilPagePresent: (signal) => this.#asked.untilPagePresent(signal),
    }
  }
}
