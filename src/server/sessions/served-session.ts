// One session of one user while it is open on a server: its actor, its pages by their documents, and the messages that
// wait for a commit. It is opened by its first page. It ends when it has neither a page nor a turn, and without a page
// when only the user could make its turn go on.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { isDurable, type AgentEvent } from '../../core/data/event.js'
import { formatId } from '../../core/data/ids.js'
import { dropUndefined, isObject, type JsonValue } from '../../core/data/json.js'
import {
  allToolCalls,
  isQuestion,
  type CallId,
  type Reason,
  type ToolCallPart,
  type UserPart,
} from '../../core/data/message.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { ExecutionResult, HostConfig, HostMessage } from '../../core/data/protocol.js'
import type { Store } from '../../core/state/store.js'
import { SessionActor, type ActorDeps, type FencingCode, type OpenMessage } from '../../host/session-actor.js'
import { deletedElsewhere, drivenElsewhere } from '../../host/store/epoch-guard.js'
import { maxFrame } from '../protocol/bounds.js'
import type { GuestMessage } from '../protocol/guest-messages.js'
import { closeCodes, sentMessageId } from '../protocol/server-messages.js'
import { RemotePage, type BroughtCalls } from '../remote-page.js'
import { ServerTools } from '../tools/server-tools.js'
import type { ToolList } from '../tools/tool-list.js'
import type { Budget } from './budget.js'
import { Commits, type Done } from './commits.js'
import { questionChanged, WaitingDecisions } from './decisions.js'
import { MissingCalls } from './missing-calls.js'
import { inputOf, withUploads } from './sent-files.js'

type Message<T extends GuestMessage['type']> = Extract<GuestMessage, { type: T }>
/** A message whose files are found. */
type Started = Message<'send'> & { readonly input: readonly UserPart[] }

/** Messages of one session that may wait. */
const maxWaiting = 50

/** Pages of one session that may be waited for. */
const maxPages = 100

/** What the author of a server decides about all sessions. */
export interface ServedSettings {
  readonly model: ModelAdapter
  readonly config: HostConfig
  /** The tools of the server. */
  readonly tools?: ToolList | undefined
  /** Milliseconds that a turn waits for a page without a socket. */
  readonly pageWait: number
  /** Decides whether a turn may start. */
  readonly budget: Budget
  /** A turn has ended. */
  readonly onEnd?: ((end: { user: string; session: string; reason: Reason }) => void) | undefined
  /** A call waits for the decision of the user. */
  readonly onQuestion?: ((question: { user: string; session: string; callId: CallId }) => void) | undefined
}

/** Which session it is, and where it is stored. */
export interface SessionPlace {
  readonly user: string
  readonly id: string
  readonly store: Store
}

/** The socket of a page. */
export interface PageLink {
  /** `mayWait`: it may be joined with the next ones. */
  readonly send: (text: string, mayWait?: boolean) => void
  /** Must not throw, also after the socket has closed. */
  readonly close: (code: number) => void
}

/** A page that joins, as it says. */
export interface PageOpening extends BroughtCalls {
  readonly tab: string
  /** The document before it in its tab, which has gone. */
  readonly after?: string
}

/** A session that is open. */
export class ServedSession {
  readonly place: SessionPlace
  readonly #settings: ServedSettings
  readonly #onOver: (isUnfinished: boolean) => void | Promise<void>
  readonly #pages = new Map<string, RemotePage>()
  readonly #links = new Map<RemotePage, PageLink>()
  readonly #commits = new Commits()
  readonly #decisions = new WaitingDecisions()
  // Calls of an earlier server, of which no page has said anything yet.
  readonly #missing = new MissingCalls((outcome) => {
    const actor = this.#actor
    if (actor && openCalls(actor).has(outcome.callId)) actor.turns.outcome(outcome)
  })
  // Queries with an answer that is not stored yet, and their calls.
  readonly #answered = new Map<number, CallId>()
  readonly #closing = new AbortController()
  #tools: ServerTools | undefined
  #actor: SessionActor | undefined
  // Resolves after the claim.
  #opened: Promise<SessionActor> | undefined
  // Resolves after what an earlier server left open is settled. Messages wait for it.
  #recovered: Promise<void> = Promise.resolve()
  // The questions that the author was told about, by call: their hashes.
  readonly #questions = new Map<CallId, string>()
  // Pages that wait for the claim. The session must not end meanwhile.
  #joining = 0
  #end: Promise<void> | undefined
  // Its turn runs, and must go on elsewhere.
  #isLeft = false

  /** @param onOver the lease has ended: another one may begin. `isUnfinished`: it should, also without a page. */
  constructor(place: SessionPlace, settings: ServedSettings, onOver: (isUnfinished: boolean) => void | Promise<void>) {
    this.place = place
    this.#settings = settings
    this.#onOver = onOver
  }

  /** The end of the lease, from its beginning on; undefined while pages may join. */
  get end(): Promise<void> | undefined {
    return this.#end
  }

  /** The actor, once the session is open and nothing is left to settle. Rejects if it cannot be opened. */
  async actor(): Promise<SessionActor | undefined> {
    const actor = await this.#opened
    await this.#recovered
    return actor
  }

  /**
   * A page takes part, by this socket. Resolves when its messages may be handled.
   * @throws what `Store.claim` throws
   */
  async join(opening: PageOpening, link: PageLink): Promise<RemotePage> {
    const page = this.#page(opening)
    // Two sockets of one page would both answer. The newer one counts: the older may be broken and not know it.
    this.#links.get(page)?.close(closeCodes.replaced)
    this.#links.set(page, link)
    this.#joining += 1
    try {
      const isFirst = this.#opened === undefined
      this.#opened ??= this.#open(page)
      const actor = await this.#opened
      if (isFirst) this.#recovered = this.#recover(actor, page, link, opening)
      else if (this.#links.get(page) === link) page.attach(link.send, opening, () => this.#show(actor, page, [], []))
      await this.#recovered
      if (!isFirst) this.#missing.found(page, opening)
      // What could not be sent while nobody was there.
      actor.turns.restore()
      return page
    } catch (thrown) {
      this.#lose(toFailure(thrown, 'storage'))
      throw thrown
    } finally {
      this.#joining -= 1
      this.#endIfIdle()
    }
  }

  /**
   * Goes on with the turn of a process that is over, as if its page had lost its socket now: it is waited for, and may
   * still run calls that have begun.
   */
  async resume(): Promise<void> {
    if (this.#opened) return
    const page = this.#page({ tab: '', page: '', running: [], outcomes: [] })
    this.#joining += 1
    try {
      this.#opened = this.#open(page)
      const actor = await this.#opened
      const { turn } = actor.writer.session
      page.guest.tab = turn?.tab ?? ''
      this.#recovered = this.#recover(actor, page, nobody, undefined)
      page.detach(nobody.send)
      await this.#recovered
      actor.turns.restore()
      if (turn === undefined) page.leave()
    } catch (thrown) {
      const error = toFailure(thrown, 'storage')
      // Nobody knows yet whether a turn waits in it.
      this.#isLeft ||= error.code === 'storage'
      this.#lose(error)
      throw thrown
    } finally {
      this.#joining -= 1
      this.#endIfIdle()
    }
  }

  /** A socket is closed. */
  leave(page: RemotePage, link: PageLink): void {
    if (this.#links.get(page) === link) this.#links.delete(page)
    page.detach(link.send)
  }

  /** A message. The same one, sent again, is not run twice. */
  async send(actor: SessionActor, page: RemotePage, message: Message<'send'>, done: Done): Promise<void> {
    const { text, files } = message
    if (this.#isSent(actor, message)) return done()
    try {
      const input = files.length > 0 ? await inputOf(this.place, message) : [{ type: 'text' as const, text }]
      this.#start(actor, page, { ...message, input }, done)
    } catch (thrown) {
      done(toFailure(thrown, 'storage'))
    }
  }

  /** Whether a message is stored, or waits. */
  #isSent({ writer }: SessionActor, { id }: Message<'send'>): boolean {
    const { messages, waiting = [] } = writer.session
    const messageId = sentMessageId(id)
    return [...messages, ...waiting].some(
      (stored) => ('messageId' in stored ? stored.messageId : stored.id) === messageId,
    )
  }

  #start(actor: SessionActor, page: RemotePage, message: Started, done: Done): void {
    const { id, input, facts, offer, whenBusy } = message
    // The same one may have come over another socket while its files were looked up.
    if (this.#isSent(actor, message)) return done()
    const { waiting = [] } = actor.writer.session
    if (waiting.length >= maxWaiting || lengthOf(waiting) + lengthOf([input, facts]) > maxFrame) return done(tooMany)
    this.#begin(id, done, () =>
      actor.turns.send(
        dropUndefined({ type: 'send', turn: id, input, options: { facts }, whenBusy, offer }),
        page.guest,
        sentMessageId(id),
      ),
    )
  }

  /** Continues the newest turn, once. */
  continue(actor: SessionActor, page: RemotePage, { id, facts }: Message<'continue'>, done: Done): void {
    const { turn, end } = actor.writer.session
    if (turn?.id === id || end?.turn === id) return done()
    this.#begin(id, done, () => actor.turns.continue({ guest: page.guest, turn: id }, facts))
  }

  /** A decision. The first committed one counts; to a later one, the answer is that it is decided. */
  decide(actor: SessionActor, page: RemotePage, message: Message<'decide'>, done: Done): void | Promise<void> {
    const { callId, decision, remember } = message
    const asked = decision === 'approve' ? this.#questionOf(actor, callId) : undefined
    // An answer without content is an empty one.
    const input = message.input ?? (asked?.part.approval?.asks && {})
    if (asked === undefined || actor.turns.isDecided(callId)) return this.#decide(actor, page, message, done)
    if (remember && !asked.tool.offers.includes(remember)) return done(notOffered)
    if (input === undefined) return this.#decide(actor, page, message, done)
    // A message that follows it would end the question.
    return this.validate(actor, callId, input).then((error) =>
      error ? done(error) : this.#decide(actor, page, message, done),
    )
  }

  /** Why arguments in place of those of a question do not match. Those of a tool of a page are for that page. */
  async validate(actor: SessionActor, callId: CallId, input: JsonValue): Promise<Failure | undefined> {
    const asked = this.#questionOf(actor, callId)
    return asked && this.#tools?.validate(asked.part, asked.path, input)
  }

  /** The question about a call of a tool of the server. */
  #questionOf(actor: SessionActor, callId: CallId) {
    const found = allToolCalls(actor.writer.session.messages.slice(-1)).find(({ part }) => part.call.id === callId)
    const tool = found && isQuestion(found.part) ? this.#tools?.question(found.part, found.path) : undefined
    return found && tool && { ...found, tool }
  }

  #decide(actor: SessionActor, page: RemotePage, { id: _id, ...message }: Message<'decide'>, done: Done): void {
    const { callId } = message
    if (actor.turns.isDecided(callId)) return this.#decisions.join(callId, done)
    actor.turns.decide(message, page.guest)
    if (!actor.turns.isDecided(callId)) return done(questionChanged)
    this.#decisions.wait(callId, message.decision === 'approve' ? message.hash : undefined, done)
  }

  /** The answer to a query. That of a call is done when its result is stored. */
  answer(page: RemotePage, message: Message<'answer'>, done: Done): void {
    const ask = page.query(message.ask)
    const error = page.answer(message)
    const callId = ask?.type === 'execute' ? ask.callId : (this.#answered.get(message.ask) ?? this.#lateCall(message))
    if (error || callId === undefined) return done(error)
    this.#answered.set(message.ask, callId)
    this.#commits.wait(`call ${callId}`, done)
  }

  /** The call of an answer that came after a stop: the result that it has instead may not be stored yet. */
  #lateCall(message: Message<'answer'>): CallId | undefined {
    const { callId } = 'value' in message && isObject(message.value) ? message.value : {}
    return typeof callId === 'string' && this.#actor && openCalls(this.#actor).has(callId) ? callId : undefined
  }

  /** The outcome of a call that ran while the page had no socket, or that the page holds no more. */
  outcome(actor: SessionActor, page: RemotePage, { outcome }: Message<'outcome'>, done: Done): void {
    if (page.gaveUp(outcome)) {
      // It is checked again. What is stored stays a question that nothing was sent for.
      actor.turns.outcome(outcome)
      return done()
    }
    // Of a call that has its result, none will be stored.
    if (!openCalls(actor).has(outcome.callId)) return done()
    const key = `call ${outcome.callId}`
    // The same one again waits for the same commit, and one that comes too late for the commit of the result instead.
    const isBeingWritten = !openCalls(actor, actor.writer.ahead).has(outcome.callId)
    if (!isBeingWritten && !page.settle(outcome) && !this.#commits.isAwaited(key)) return done()
    this.#commits.wait(key, done)
  }

  /** A request found that it cannot be written any more. */
  lost(code: FencingCode): void {
    this.#lose(failures[code])
  }

  /** The user has deleted it, by the page of this socket or at another process. Only the others must be told. */
  deleted(by?: PageLink): void {
    this.#lose(deletedElsewhere, by)
  }

  /** Ends the lease, because the server ends. Another process goes on with a turn, or a page that opens the session. */
  async close(): Promise<void> {
    const actor = await this.#opened?.catch(() => undefined)
    // While it opens, nobody knows yet whether a turn waits in it.
    this.#isLeft = isWorking(actor) || this.#joining > 0
    // What settles an earlier turn must be over before the lease ends, and must not begin that turn again.
    void actor?.turns.stop('closed')
    await this.#recovered.catch(() => undefined)
    this.#finish()
    await this.#end
  }

  async #open(page: RemotePage): Promise<SessionActor> {
    const { user, id, store } = this.place
    const { guest } = page
    const { model } = this.#settings
    if (this.#settings.tools) await this.#settings.tools.registry.ready()
    const message: OpenMessage = {
      type: 'open',
      protocol: 0,
      scope: user,
      tab: guest.tab,
      url: '',
      config: this.#settings.config,
      mode: 'drive',
      running: [],
      outcomes: [],
    }
    const actor = await SessionActor.open(
      {
        model: store.files ? withUploads(model, store.files, id) : model,
        now: () => Date.now(),
        id: (prefix) => `${prefix}${prefix && '_'}${formatId(crypto.getRandomValues(new Uint8Array(16)))}`,
        reportThrown: (thrown) => this.#tell(toFailure(thrown, 'storage')),
        ...this.#hostTools(),
        onLost: (_actor, code) => this.#lose(failures[code]),
        onEvent: (event, path) => this.#onEvent(event, path),
        refusal: () => this.#settings.budget.refusal(user, id),
        onIdle: () => this.#endIfIdle(),
        onChannelMessage: () => undefined,
      },
      // Whoever opens it may not be who began the turn. The lease alone says that nobody else runs it.
      { guest, message, store, sessionId: id, release: () => undefined, keepTurn: true },
    )
    // The lease has ended while it was claimed.
    if (this.#end) {
      actor.abandon()
      throw toErrorValue(drivenElsewhere)
    }
    // A resumed turn asks them again.
    for (const { part } of allToolCalls(actor.writer.session.messages.slice(-1)))
      if (isQuestion(part) && part.approval) this.#questions.set(part.call.id, part.approval.hash)
    return (this.#actor = actor)
  }

  #hostTools(): Pick<ActorDeps, 'tools'> {
    const { tools } = this.#settings
    if (tools === undefined) return {}
    const { user, id: session } = this.place
    return {
      tools: (actor) =>
        (this.#tools = new ServerTools({
          registry: tools.registry,
          toolContext: () => tools.contextOf({ user, session }),
          session: () => actor.writer.session,
          stopTurn: () => void actor.turns.stop(),
          closed: this.#closing.signal,
          post: (message) => {
            if (message.type === 'outcome') actor.turns.outcome(message.outcome, true)
            else if (message.type === 'decide') actor.turns.decide(message)
          },
        })),
    }
  }

  /** The page gets the session, and before it what its questions show about tools of the server. */
  #show(actor: SessionActor, page: RemotePage, running: readonly CallId[], outcomes: readonly ExecutionResult[]): void {
    for (const { part, path } of allToolCalls(actor.writer.session.messages.slice(-1)))
      if (isQuestion(part)) this.#postTool((message) => page.guest.post(message), part, path)
    actor.join(page.guest, running, outcomes)
  }

  #postTool(post: (message: HostMessage) => void, part: ToolCallPart, path: readonly CallId[]): void {
    const tool = part.approval && this.#tools?.question(part, path)
    if (part.approval && tool) post({ type: 'question', hash: part.approval.hash, tool })
  }

  /**
   * The first page has the session, and what it still runs for an earlier server counts. So does what other pages bring
   * soon after it.
   */
  async #recover(
    actor: SessionActor,
    page: RemotePage,
    link: PageLink,
    known: BroughtCalls | undefined,
  ): Promise<void> {
    const brought = known ?? { page: '', running: [], outcomes: [] }
    // A page knows nothing of a call that the model has not made yet, whatever it says.
    const open = openCalls(actor)
    const running = brought.running.filter((callId) => open.has(callId))
    const outcomes = brought.outcomes.filter(({ callId }) => open.has(callId))
    const ended = new Set(outcomes.map(({ callId }) => callId))
    // A process that is over has had other pages than this one.
    const missing = begunElsewhere(actor, known === undefined ? '' : page.guest.tab)
    for (const callId of [...ended, ...running]) missing.delete(callId)
    page.attach(link.send, { ...brought, outcomes: [] }, () =>
      this.#show(actor, page, [...running, ...missing.keys()], outcomes),
    )
    this.#missing.wait(missing, { patience: this.#settings.pageWait, closed: this.#closing.signal })
    page.adopt(
      running.filter((callId) => !ended.has(callId)),
      (outcome) => actor.turns.outcome(outcome),
    )
    await actor.recover(this.#closing.signal)
  }

  /** The page of a document, which may go on with that of the document before it. */
  #page({ tab, page: id, after }: PageOpening): RemotePage {
    const known = this.#pages.get(id) ?? this.#before(tab, after)
    if (known) {
      this.#forget(known)
      this.#pages.set(id, known)
      return known
    }
    // Each document that comes is waited for, also one that was made up.
    if (this.#pages.size >= maxPages)
      throw new ToolAgentError('limit', 'Too many pages have this session open. Open it in a moment.')
    const { config, pageWait } = this.#settings
    const page: RemotePage = new RemotePage({
      tab,
      config,
      pageWait,
      gone: () => {
        this.#forget(page)
        this.#actor?.leave(page.guest)
        this.#endIfIdle()
      },
      failed: (turn, error) => {
        // The session is lost with these, and its pages send again what was not acknowledged.
        if (error.code === 'storage' || error.code === 'lost-session') return
        this.#commits.settle(`turn ${turn}`, error)
        if (!this.#links.has(page)) this.#tellOthers(error)
      },
    })
    this.#pages.set(id, page)
    return page
  }

  /** Without `after`, a page of the tab that has no socket: one that crashed could not say that it goes. */
  #before(tab: string, after: string | undefined): RemotePage | undefined {
    const named = after === undefined ? undefined : this.#pages.get(after)
    if (named) return named.guest.tab === tab ? named : undefined
    return [...this.#pages.values()].find((page) => page.guest.tab === tab && !this.#links.has(page))
  }

  #forget(page: RemotePage): void {
    for (const [id, one] of this.#pages) if (one === page) this.#pages.delete(id)
  }

  /** Runs what starts a turn, unless it waits already. It is done when the turn, or what waits for it, is stored. */
  #begin(turn: string, done: Done, run: () => void): void {
    const key = `turn ${turn}`
    const isNew = !this.#commits.isAwaited(key)
    if (isNew && this.#commits.size >= maxWaiting) return done(tooMany)
    this.#commits.wait(key, done)
    if (isNew) run()
  }

  #onEvent(event: AgentEvent, path: readonly CallId[]): void {
    const { user, id: session } = this.place
    const { budget, onEnd, onQuestion } = this.#settings
    if (!isDurable(event)) return
    budget.count(user, event)
    if (event.type === 'turn-start') this.#commits.settle(`turn ${event.turn.id}`)
    if (event.type === 'session-change')
      for (const { turn } of event.waiting ?? []) this.#commits.settle(`turn ${turn}`)
    if ('callId' in event) {
      for (const [ask, callId] of this.#answered) if (callId === event.callId) this.#answered.delete(ask)
      this.#commits.settle(`call ${event.callId}`)
    }
    this.#decisions.committed(event)
    if (event.type === 'tool-result') this.#tools?.settled(event.callId)
    // Later, because an error of the author must not reach the writer.
    if (event.type === 'turn-end' && path.length === 0)
      queueMicrotask(() => onEnd?.({ user, session, reason: event.reason }))
    if (event.type !== 'approval-request') return
    const { callId, approval } = event
    const asked = allToolCalls(this.#actor?.writer.session.messages.slice(-1) ?? []).find(
      ({ part }) => part.call.id === callId,
    )
    if (asked) this.#postTool((message) => this.#actor?.post(message), { ...asked.part, approval }, asked.path)
    if (this.#questions.get(callId) === approval.hash) return
    this.#questions.set(callId, approval.hash)
    queueMicrotask(() => onQuestion?.({ user, session, callId }))
  }

  /** The page of a message is not there to hear that it was not sent. */
  #tellOthers({ message }: Failure): void {
    for (const { guest } of this.#links.keys()) guest.post({ type: 'error', error: { code: 'cancelled', message } })
  }

  #tell(error: Failure): void {
    this.#actor?.post({ type: 'error', error })
  }

  #endIfIdle(): void {
    const actor = this.#actor
    if (!actor || this.#joining > 0 || actor.hasGuests) return
    // A question is stored, and asked again when a page opens the session.
    if (!actor.turns.isBusy || actor.turns.isAsking) this.#finish()
  }

  #finish(): void {
    if (this.#end) return
    this.#closing.abort()
    // Before the turns end: a page that is told that its message was cancelled would not send it again.
    for (const link of this.#links.values()) link.close(closeCodes.restarts)
    this.#end = (this.#actor?.end('closed') ?? Promise.resolve()).finally(() => this.#onOver(this.#isLeft))
    // After it, or the running turn would go on without its page.
    for (const page of this.#pages.values()) page.leave()
  }

  /** The session cannot be written any more. Its pages connect again, and get what is stored. `known`: knows why. */
  #lose(error: Failure, known?: PageLink): void {
    if (this.#end) return
    this.#closing.abort()
    // Before it is abandoned. What could not be written can be by another process, or a moment later.
    const isLeft = error.code !== 'session-deleted' && (this.#isLeft || isWorking(this.#actor))
    this.#end = Promise.resolve()
    const code = error.code === 'session-deleted' ? closeCodes.deleted : closeCodes.storage
    for (const link of this.#links.values()) {
      if (link !== known) link.send(JSON.stringify({ type: 'error', error }))
      link.close(code)
    }
    this.#actor?.abandon()
    for (const page of this.#pages.values()) page.leave()
    void this.#onOver(isLeft)
  }
}

/** Whether a turn goes on without the user. */
const isWorking = (actor: SessionActor | undefined): boolean =>
  actor !== undefined && actor.turns.isBusy && !actor.turns.isAsking

/** The socket of a page that is not there yet. */
const nobody: PageLink = { send: () => undefined, close: () => undefined }

/** The calls of the session without a result. */
function openCalls({ writer }: SessionActor, { messages } = writer.session): Set<CallId> {
  const calls = allToolCalls(messages)
  return new Set(calls.flatMap(({ part }) => (part.result === undefined ? [part.call.id] : [])))
}

/**
 * Calls that a page of another tab has begun and that must not begin again, with these tabs. What a page holds is asked
 * about anew.
 */
function begunElsewhere({ writer, turns }: SessionActor, own: string): Map<CallId, string> {
  const { messages, turn } = writer.session
  const begun = new Map<CallId, string>()
  for (const { part, path } of allToolCalls(messages.slice(-1))) {
    const { call, started, held, result } = part
    const tab = started?.tab ?? turn?.tab
    const mayRun = started && !started.repeatable && !held && !result
    if (mayRun && path.length === 0 && tab !== undefined && tab !== own && !turns.isHostCall(call.id))
      begun.set(call.id, tab)
  }
  return begun
}

const failures = {
  'lost-session': drivenElsewhere,
  'session-deleted': deletedElsewhere,
  storage: { code: 'storage', message: 'This session cannot be stored now. What was not acknowledged has no effect.' },
} as const satisfies Record<string, Failure>

const notOffered: Failure = {
  code: 'invalid-option',
  message: 'decide.remember: this question cannot be allowed beyond this call, so nothing was decided.',
}

const tooMany: Failure = {
  code: 'limit',
  message: 'Too many messages of this session wait already. Send this one when a turn has ended.',
}

/** Characters of JSON. Each commit writes all that waits. */
const lengthOf = (value: unknown): number => JSON.stringify(value).length
