// One page of a user, for as long as it is waited for: the guest that an actor asks, over one socket after another. A
// socket that breaks changes nothing for `pageWait`. After that the queries to this page are answered for it, so that a
// turn goes on without it. What it answers is parsed for the query that it was asked, and counts once.
import { isDurable } from '../core/data/event.js'
import type { Failure } from '../core/data/failure.js'
import { formatId } from '../core/data/ids.js'
import { dropUndefined } from '../core/data/json.js'
import type { CallId } from '../core/data/message.js'
import type { ExecutionResult, HostConfig, HostMessage, PageQuery, ReadProgress } from '../core/data/protocol.js'
import { mayHaveHappened } from '../core/prompt/failure-text.js'
import { Guest } from '../host/guest.js'
import type { GuestMessage } from './protocol/guest-messages.js'
import { parseAnswer, parseProgress, type Parsed } from './protocol/parse-guest.js'

/** What a page is, which the server knows when its socket opens. */
export interface RemotePageOptions {
  /** Id of its tab, as it says. */
  readonly tab: string
  /** The configuration of the server. */
  readonly config: HostConfig
  /** Milliseconds that queries wait for another socket. */
  readonly pageWait: number
  /** Nobody waits for the page any more. */
  readonly gone?: () => void
  /** A message of the page did not become a turn, or the end of its turn cannot be stored. */
  readonly failed?: (turn: string, error: Failure) => void
}

/** What a page brings when its socket opens: what it still runs for the server, and what has ended. */
export interface BroughtCalls {
  /** Its document. */
  readonly page: string
  readonly running: readonly CallId[]
  readonly outcomes: readonly ExecutionResult[]
}

type Asked = Extract<HostMessage, { type: 'ask' }>
type Answer = Extract<GuestMessage, { type: 'answer' }>
type Progress = Extract<GuestMessage, { type: 'progress' }>

/** A page, as long as it is there or may come back. */
export class RemotePage {
  /** What joins an actor. */
  readonly guest: Guest
  readonly #pageWait: number
  readonly #gone: RemotePageOptions['gone']
  readonly #failed: RemotePageOptions['failed']
  // Undefined while the page has no socket.
  #send: ((text: string, mayWait?: boolean) => void) | undefined
  // The queries without an answer, by their number.
  readonly #asked = new Map<number, Asked>()
  // Those of them that were asked while the page had no socket: nothing of them has begun.
  readonly #unsent = new Set<number>()
  // The document that the queries were sent to.
  #document: string | undefined
  // What a document was sent and may still run, although it was cancelled.
  readonly #cancelled = new Map<number, PageQuery>()
  // Calls that the document holds until the user has decided.
  readonly #held = new Set<CallId>()
  // Calls of an earlier server that the page still runs, and who takes their outcomes.
  readonly #adopted = new Map<CallId, (outcome: ExecutionResult) => void>()
  // Runs while the page has no socket and is waited for.
  #wait: ReturnType<typeof setTimeout> | undefined
  #isGone = true

  constructor({ tab, config, pageWait, gone, failed }: RemotePageOptions) {
    this.#pageWait = pageWait
    this.#gone = gone
    this.#failed = failed
    this.guest = new Guest({
      post: (message) => this.#post(message),
      // A page that navigates breaks its own connections, not those of the server to a model.
      untilPagePresent: () => Promise.resolve(),
      isAway: () => this.#send === undefined && this.#asked.size > 0,
      isConnected: () => this.#send !== undefined,
      // A page may answer a query of an earlier server, or one that it was asked before it was given up.
      lastQuery: Number.parseInt(formatId(crypto.getRandomValues(new Uint8Array(6))), 16),
    })
    this.guest.tab = tab
    this.guest.config = config
  }

  /**
   * The page has a socket. What was sent over the last one may not have arrived, so queries are sent again, except
   * those about calls that may have begun in another document. `join`: sends what the page must have before any query.
   */
  attach(
    send: (text: string, mayWait?: boolean) => void,
    brought: BroughtCalls,
    join: () => void = () => undefined,
  ): void {
    const { page, running, outcomes } = brought
    clearTimeout(this.#wait)
    const isSamePage = this.#document === page
    if (!isSamePage) this.#held.clear()
    this.#document = page
    this.#send = send
    this.#isGone = false
    // A query that `join` asks is sent at once. The others were asked before.
    const [asked, unsent] = [[...this.#asked.values()], new Set(this.#unsent)]
    this.#unsent.clear()
    join()
    for (const outcome of outcomes) this.settle(outcome)
    for (const [ask, query] of this.#cancelled)
      if (isSamePage && callsOf(query).some((callId) => running.includes(callId)))
        send(JSON.stringify({ type: 'cancel', ask }))
      else this.#cancelled.delete(ask)
    for (const query of asked) {
      if (!this.#asked.has(query.id)) continue
      const { ask } = query
      if (ask.type === 'execute' && running.includes(ask.callId)) continue
      // A document knows every call that has begun in it, and begins none twice. Another one knows nothing of them.
      const mayHaveBegun = !isSamePage && callsOf(ask).length > 0 && !unsent.has(query.id)
      if (mayHaveBegun) this.#answerFor(query)
      else send(JSON.stringify(query))
    }
    for (const callId of this.#adopted.keys()) if (!running.includes(callId)) this.settle(lostOutcome(callId))
  }

  /**
   * The page still runs these calls for an earlier server. `settled` gets one outcome of each: that of the page, or
   * that the call may have happened when the page does not come back.
   */
  adopt(running: readonly CallId[], settled: (outcome: ExecutionResult) => void): void {
    for (const callId of running) this.#adopted.set(callId, settled)
  }

  /** The socket of `send` is closed. That of an older one may be told after the page has come back. */
  detach(send: (text: string) => void): void {
    if (this.#send !== send) return
    this.#send = undefined
    clearTimeout(this.#wait)
    if (!this.#isGone) this.#wait = setTimeout(() => this.leave(), this.#pageWait)
  }

  /** Nobody waits for the page any more. It may still attach, and is then asked again. */
  leave(): void {
    clearTimeout(this.#wait)
    this.#isGone = true
    for (const asked of this.#asked.values()) this.#answerFor(asked)
    for (const callId of this.#adopted.keys()) this.settle(lostOutcome(callId))
    this.#gone?.()
  }

  /** What a query is about; undefined if it has an answer or was cancelled. */
  query(id: number): PageQuery | undefined {
    return this.#asked.get(id)?.ask
  }

  /** Takes an answer. Returns why it does not count, for the page; undefined also for one that came too late. */
  answer({ ask: id, ...answer }: Answer): Failure | undefined {
    const asked = this.#asked.get(id)
    if (asked === undefined) return undefined
    const { type } = asked.ask
    if ('error' in answer) {
      // An error of the page is its own. What it means for the turn is what its absence would mean.
      this.#answerFor(asked)
      return undefined
    }
    if (!isGuestQuery(type)) return undefined
    const parsed: Parsed<unknown> = parseAnswer(type, answer.value)
    const error = parsed.error ?? wrongCall(asked.ask, parsed.value)
    // What a reading has not reported means what its absence means.
    if (error || type === 'read') this.#answerFor(asked)
    else this.#settleQuery(id, parsed.value)
    return error
  }

  /** Takes what the page reports before an answer. Returns why it does not count. */
  progress({ ask: id, value }: Progress): Failure | undefined {
    const ask = this.#asked.get(id)?.ask
    if (ask?.type !== 'read' && ask?.type !== 'execute') return undefined
    const parsed: Parsed<unknown> = parseProgress(ask.type, value)
    if (parsed.error === undefined) this.guest.queries.progress(id, parsed.value)
    return parsed.error
  }

  /** Takes the outcome of a call that ran while the page had no socket. False: nobody waits for it here. */
  settle(outcome: ExecutionResult): boolean {
    for (const [id, { ask }] of this.#asked) {
      if (ask.type !== 'execute' || ask.callId !== outcome.callId) continue
      this.#settleQuery(id, outcome)
      return true
    }
    const adopted = this.#adopted.get(outcome.callId)
    this.#adopted.delete(outcome.callId)
    adopted?.(outcome)
    return adopted !== undefined
  }

  /** Whether the page held a call until now that it says the outcome of. Then the call must be checked again. */
  gaveUp({ callId }: ExecutionResult): boolean {
    return this.#held.delete(callId)
  }

  #post(message: HostMessage): void {
    if (message.type === 'error' && message.turn !== undefined) this.#failed?.(message.turn, message.error)
    if (message.type === 'cancel') {
      const asked = this.#asked.get(message.ask)
      this.#asked.delete(message.ask)
      const wasUnsent = this.#unsent.delete(message.ask)
      // This may not arrive, and then the page still works on it when it comes back.
      if (asked && !wasUnsent && callsOf(asked.ask).length > 0) this.#cancelled.set(message.ask, asked.ask)
    }
    if (message.type === 'ask') {
      if (message.ask.type === 'execute') this.#held.delete(message.ask.callId)
      this.#asked.set(message.id, message)
      if (this.#isGone || !isGuestQuery(message.ask.type)) return this.#answerFor(message)
      if (this.#send === undefined) this.#unsent.add(message.id)
    }
    this.#send?.(JSON.stringify(message), message.type === 'event' && !isDurable(message.event))
  }

  #settleQuery(id: number, value: unknown): void {
    const ask = this.query(id)
    if (ask?.type === 'execute' && (value as ExecutionResult).held) this.#held.add(ask.callId)
    this.#asked.delete(id)
    this.#unsent.delete(id)
    this.guest.queries.answer(id, { value })
  }

  /** Answers a query for a page that is not there. */
  #answerFor({ id, ask }: Asked): void {
    if (ask.type === 'read') for (const report of readWithoutPage(ask)) this.guest.queries.progress(id, report)
    this.#settleQuery(id, answerWithoutPage(ask))
  }
}

/** The calls that run for a query. */
function callsOf(ask: PageQuery): readonly CallId[] {
  if (ask.type === 'execute') return [ask.callId]
  return ask.type === 'read' ? ask.calls.map(({ callId }) => callId) : []
}

const isGuestQuery = (type: PageQuery['type']) =>
  type === 'prepare' || type === 'tools' || type === 'check' || type === 'read' || type === 'execute'

/** An outcome counts for the call of its query alone. */
function wrongCall(ask: PageQuery, value: unknown): Failure | undefined {
  if (ask.type !== 'execute') return undefined
  const { callId } = value as ExecutionResult
  if (callId === ask.callId) return undefined
  return {
    code: 'invalid-option',
    message: `answer to execute.callId: expected ${ask.callId}, received ${callId}. Answer with the call of the query.`,
  }
}

/** What a query means without the page: it offers nothing, allows nothing, and what it ran may have happened. */
function answerWithoutPage(ask: PageQuery): unknown {
  switch (ask.type) {
    case 'prepare':
      return { tools: [] }
    case 'tools':
      return []
    case 'check':
      return refusals(ask.calls)
    case 'execute':
      return lostOutcome(ask.callId)
    case 'unsaved':
      // Everything is stored before it starts: a server has no page that keeps it meanwhile.
      return []
    case 'before-model':
      return ask.request
    case 'headers':
      return {}
    case 'read':
    case 'model':
      return null
  }
}

/** Verdicts count once, and so do outcomes: of calls that run already, only the second part is new. */
function readWithoutPage({ calls }: Extract<PageQuery, { type: 'read' }>): ReadProgress[] {
  return [{ verdicts: refusals(calls) }, ...calls.map(({ callId }) => ({ outcome: lostOutcome(callId) }))]
}

function refusals(calls: readonly { readonly callId: CallId; readonly problem?: Failure }[]) {
  const gone: Failure = { code: 'unavailable', message: 'The page of this tool is closed, so it cannot run.' }
  return calls.map(({ callId, problem }) => ({ callId, do: 'refuse' as const, error: problem ?? gone }))
}

/** What is known of a call whose page is gone: it may have happened. */
export function lostOutcome(callId: CallId): ExecutionResult {
  const at = Date.now()
  const error = mayHaveHappened('interrupted', 'The page was closed while this ran.', false)
  return dropUndefined({ callId, attempts: 1, startedAt: at, endedAt: at, error })
}
