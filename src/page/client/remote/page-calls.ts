// The queries of a server to this page, and how the calls that it ran have ended. A query is numbered anew for the page,
// because a server that starts again counts from the beginning. What a call did is kept until the server has stored it,
// also for the next page of this tab.
import type { Failure } from '../../../core/data/failure.js'
import { stringify } from '../../../core/data/json.js'
import { allToolCalls, type CallId } from '../../../core/data/message.js'
import type { ExecutionResult, HostMessage } from '../../../core/data/protocol.js'
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
  #number = 0
  // By the number for the page. `isOld`: of an earlier socket, so the server may know it under another number.
  readonly #asked = new Map<number, { readonly query: Ask; isOld: boolean }>()
  readonly #running = new Set<CallId>()
  readonly #outcomes = new Map<CallId, Outcome>()
  // What was sent over this socket, by its id: the call that ended, or the query that was answered.
  readonly #sent = new Map<string, { readonly ask: number | undefined; readonly callId: CallId | undefined }>()
  // Calls whose outcome was refused once.
  readonly #refused = new Set<CallId>()
  #session = ''

  /** The page opens a session, with what it still runs of it or has run. */
  open(session: string, running: readonly CallId[], outcomes: readonly (ExecutionResult | Outcome)[]): void {
    this.#session = session
    this.#running.clear()
    this.#outcomes.clear()
    for (const callId of running) this.#running.add(callId)
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
    // The server waits for those that it is told of.
    const running = [...this.#running, ...later.map(({ callId }) => callId)].slice(0, 100)
    return { running, outcomes, later }
  }

  /** The query as the page gets it. */
  ask(query: Ask): Ask {
    const id = ++this.#number
    this.#asked.set(id, { query, isOld: false })
    if (query.ask.type === 'execute') this.#running.add(query.ask.callId)
    return { ...query, id }
  }

  /** The number of a query for the page; undefined if it has answered. */
  cancel(ask: number): number | undefined {
    const all = [...this.#asked]
    const found =
      all.find(([, { query, isOld }]) => query.id === ask && !isOld) ?? all.find(([, { query }]) => query.id === ask)
    if (found === undefined) return undefined
    const [id, { query }] = found
    this.#asked.delete(id)
    if (query.ask.type === 'execute') this.#running.delete(query.ask.callId)
    return id
  }

  /** The message for an answer of the page; undefined if nobody waits for it, or the next `open` brings it. */
  answer({ ask: id, value, error }: Answer): GuestInput | undefined {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    if (asked === undefined) return undefined
    const { query, isOld } = asked
    const { id: ask, ask: about } = query
    if (about.type === 'execute')
      return this.outcome((error ? failed(about.callId, error) : value) as ExecutionResult, isOld ? undefined : ask)
    // The server asks again.
    if (isOld) return undefined
    const type = about.type as 'prepare' | 'check' | 'read'
    const message = { type: 'answer', id: randomId(), ask } as const
    this.#sent.set(message.id, { ask, callId: undefined })
    return error ? { ...message, error } : { ...message, value: guestAnswer(type, value) }
  }

  /** The message for the outcome of a call. `ask`: the query that it answers. */
  outcome(given: ExecutionResult, ask?: number): GuestInput {
    const outcome = guestOutcome(given)
    const { callId } = outcome
    this.#running.delete(callId)
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
  progress(id: number, value: unknown): GuestInput | undefined {
    const asked = this.#asked.get(id)
    if (asked === undefined || asked.isOld) return undefined
    return { type: 'progress', ask: asked.query.id, value: guestProgress(value as never) }
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

  /** The socket is broken. What runs goes on; returns the other queries, for the page to leave. */
  broken(): number[] {
    this.#sent.clear()
    const left = [...this.#asked].flatMap(([id, { query }]) => (query.ask.type === 'execute' ? [] : [id]))
    for (const id of left) this.#asked.delete(id)
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
