// The queries of a server to this page, and how the calls that it ran have ended. After a broken socket the server asks
// again what it has no answer to, except about calls that this page still runs. What a call did is kept until the
// server has stored it, also for the next page of this tab.
import type { Failure } from '../../../core/data/failure.js'
import { stringify } from '../../../core/data/json.js'
import { allToolCalls, type CallId } from '../../../core/data/message.js'
import type { ExecutionResult, HostMessage, PageQuery } from '../../../core/data/protocol.js'
import type { Session } from '../../../core/data/session.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import { randomId } from '../../random-id.js'
import { keepOutcomes } from '../../tab/notes.js'
import { guestAnswer, guestOutcome, guestProgress, unsentOutcome } from './guest-values.js'

type Ask = Extract<HostMessage, { type: 'ask' }>
type Input<T extends GuestInput['type']> = Extract<GuestInput, { type: T }>
type Outcome = Input<'outcome'>['outcome']
type Answer = Pick<Extract<GuestInput, { type: 'answer' }>, 'ask'> & {
  readonly value?: unknown
  readonly error?: Failure | undefined
}

/** Bytes of the outcomes in one `open`. The others follow it. */
const mostAtOnce = 500_000

/** What the page is asked, runs and has run. */
export class PageCalls {
  // What the page has not answered, by the number of the query. `isOld`: of an earlier socket.
  readonly #asked = new Map<number, { readonly about: PageQuery; isOld: boolean }>()
  // Calls of an earlier server.
  readonly #adopted = new Set<CallId>()
  readonly #outcomes = new Map<CallId, Outcome>()
  // What was sent over this socket, by its id: the call that ended, or the query that was answered.
  readonly #sent = new Map<string, { readonly ask: number | undefined; readonly callId: CallId | undefined }>()
  // Calls whose outcome was refused once.
  readonly #refused = new Set<CallId>()
  #session = ''

  /** The page opens a session, with what it still runs of it or has run. */
  open(session: string, running: readonly CallId[], outcomes: readonly (ExecutionResult | Outcome)[]): void {
    this.#session = session
    this.#adopted.clear()
    this.#outcomes.clear()
    for (const callId of running) this.#adopted.add(callId)
    for (const outcome of outcomes) this.#outcomes.set(outcome.callId, guestOutcome(outcome as ExecutionResult))
    this.#save()
  }

  /** What `open` tells the server. `later`: outcomes that do not fit into it. */
  brought(): Pick<Input<'open'>, 'running' | 'outcomes'> & { readonly later: readonly Outcome[] } {
    let bytes = 0
    const [outcomes, later]: [Outcome[], Outcome[]] = [[], []]
    for (const outcome of this.#outcomes.values()) {
      bytes += stringify(outcome).length * 3
      ;(bytes > mostAtOnce || outcomes.length === 100 ? later : outcomes).push(outcome)
    }
    const asked = [...this.#asked.values()].flatMap(({ about }) => callsOf(about))
    // The server waits for those that it is told of.
    const running = new Set([...this.#adopted, ...asked, ...later.map(({ callId }) => callId)])
    return { running: [...running].slice(0, 100), outcomes, later }
  }

  /** The page is asked. */
  ask({ id, ask }: Ask): void {
    this.#asked.set(id, { about: ask, isOld: false })
  }

  /** A query was aborted. */
  cancel(ask: number): void {
    this.#asked.delete(ask)
  }

  /** The message for an answer of the page; undefined if nobody waits for it. */
  answer({ ask, value, error }: Answer): GuestInput | undefined {
    const { about, isOld } = this.#asked.get(ask) ?? {}
    this.#asked.delete(ask)
    if (about === undefined) return undefined
    if (about.type === 'execute')
      // The server may be another one now, which knows the call alone.
      return this.outcome((error ? failed(about.callId, error) : value) as ExecutionResult, isOld ? undefined : ask)
    // It is asked again.
    if (isOld) return undefined
    const message = { type: 'answer', id: randomId(), ask } as const
    this.#sent.set(message.id, { ask, callId: undefined })
    return error ? { ...message, error } : { ...message, value: guestAnswer(about.type, value) }
  }

  /** The message for the outcome of a call. `ask`: the query that it answers. */
  outcome(given: ExecutionResult, ask?: number): GuestInput {
    const outcome = guestOutcome(given)
    const { callId } = outcome
    this.#adopted.delete(callId)
    this.#outcomes.set(callId, outcome)
    this.#save()
    return this.#outcomeMessage(outcome, ask)
  }

  #outcomeMessage(outcome: Outcome, ask?: number): GuestInput {
    const id = randomId()
    this.#sent.set(id, { ask, callId: outcome.callId })
    // The outcome is JSON, and its type only says which.
    return ask === undefined ? { type: 'outcome', id, outcome } : { type: 'answer', id, ask, value: outcome as never }
  }

  /** The messages for outcomes that `open` could not bring. */
  late(outcomes: readonly Outcome[]): GuestInput[] {
    return outcomes.map((outcome) => this.#outcomeMessage(outcome))
  }

  /** What the page reports before an answer; undefined if nobody waits for it. */
  progress(ask: number, value: unknown): GuestInput | undefined {
    if (this.#asked.get(ask)?.isOld !== false) return undefined
    return { type: 'progress', ask, value: guestProgress(value as never) }
  }

  /** The server has stored what an answer says. False: it was not one of these. */
  acknowledged(id: string): boolean {
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    if (sent?.callId !== undefined) this.stored(sent.callId)
    return sent !== undefined
  }

  /** The server cannot read an answer. Returns the message in its place; undefined if it was not one of these. */
  refused(id: string, why: Failure): GuestInput | null | undefined {
    const sent = this.#sent.get(id)
    this.#sent.delete(id)
    if (sent === undefined) return undefined
    const { ask, callId } = sent
    const outcome = callId === undefined ? undefined : this.#outcomes.get(callId)
    if (outcome && !this.#refused.has(outcome.callId)) {
      this.#refused.add(outcome.callId)
      this.#outcomes.set(outcome.callId, unsentOutcome(outcome, why.message))
      this.#save()
      return this.#outcomeMessage(unsentOutcome(outcome, why.message), ask)
    }
    if (callId !== undefined) this.stored(callId)
    // Without an answer, the turn would wait for the time-out of the query.
    return ask === undefined || callId !== undefined ? null : { type: 'answer', id: randomId(), ask, error: why }
  }

  /** The session has what a call did, or will never have it. */
  stored(callId: CallId): void {
    if (this.#outcomes.delete(callId)) this.#save()
    this.#refused.delete(callId)
  }

  /** The session as the server has it: of a call that has a result, or that it does not have, nothing is kept. */
  opened(session: Session): void {
    const open = allToolCalls(session.messages).filter(({ part }) => part.result === undefined)
    const ids = new Set(open.map(({ part }) => part.call.id))
    for (const callId of this.#outcomes.keys()) if (!ids.has(callId)) this.stored(callId)
  }

  /** The socket is broken. What runs goes on; returns the queries that run nothing, for the page to leave. */
  broken(): number[] {
    this.#sent.clear()
    const left = [...this.#asked].flatMap(([ask, { about }]) => (callsOf(about).length > 0 ? [] : [ask]))
    for (const ask of left) this.#asked.delete(ask)
    for (const asked of this.#asked.values()) asked.isOld = true
    return left
  }

  #save(): void {
    const kept = [...this.#outcomes.values()].filter((outcome) => !('held' in outcome))
    keepOutcomes(this.#session, kept as unknown as readonly ExecutionResult[])
  }
}

/** The page could not run a call, such as because its code could not be loaded. */
function failed(callId: CallId, error: Failure): ExecutionResult {
  const at = Date.now()
  return { callId, attempts: 0, startedAt: at, endedAt: at, error }
}

/** The calls that run for a query. */
function callsOf(about: PageQuery): readonly CallId[] {
  if (about.type === 'execute') return [about.callId]
  return about.type === 'read' ? about.calls.map(({ callId }) => callId) : []
}
