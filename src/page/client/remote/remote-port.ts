// The host of a page that is a server: a port like that of a worker. What the page posts becomes the messages of a
// guest, and what the server sends is posted to the page, so nothing behind the port knows the difference.
import { toErrorValue, toFailure } from '../../../core/data/errors.js'
import type { ErrorCode, Failure } from '../../../core/data/failure.js'
import { dropUndefined, stringify, type JsonValue } from '../../../core/data/json.js'
import type { UserPart } from '../../../core/data/message.js'
import type { HostMessage, PageMessage, Port } from '../../../core/data/protocol.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import { sentMessageId } from '../../../server/protocol/server-messages.js'
import { randomId } from '../../random-id.js'
import { pageBefore } from './documents.js'
import { guestFacts, guestOffer, guestRequest, isTooLong, outcomeOfChange } from './guest-values.js'
import { KeptMessages } from './kept-messages.js'
import { PageCalls } from './page-calls.js'
import { parseQuestion } from './question-tool.js'
import { ServerSocket, type ServerSocketDeps, type SessionMessage } from './server-socket.js'
import { StoredFiles } from './stored-files.js'
import { attachedOf, needsUpload, textOfInput, Uploads, type Attached } from './uploads.js'

/** What a port needs from its owner. */
export interface RemotePortDeps extends Pick<ServerSocketDeps, 'url' | 'open' | 'times' | 'signIn'> {
  /** The random id of the document. */
  readonly page: string
  /** Sends files; `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
  /** The server has accepted the first socket. */
  accepted(): void
  /** No socket will follow. Before the first was accepted, the page is not told. */
  ended(failure: Failure): void
}

type Page<T extends PageMessage['type']> = Extract<PageMessage, { type: T }>
type Host<T extends HostMessage['type']> = Extract<HostMessage, { type: T }>
type Listener = (event: { data: unknown }) => void

/** The session that is open, as `open` names it. */
interface OpenSession {
  readonly id: string
  readonly tab: string
}

/** How long a page that closes waits until the server has what it said last, in milliseconds. */
const closingTime = 1_000

/** The connection of a page to a server. */
export class RemotePort implements Port {
  readonly #deps: RemotePortDeps
  readonly #socket: ServerSocket
  readonly #listeners = new Set<Listener>()
  readonly #kept = new KeptMessages()
  readonly #calls = new PageCalls()
  // How calls ended after the session was asked for again, and before it is shown.
  #late: GuestInput[] = []
  #session: OpenSession | undefined
  // `opened`: it was opened on this socket. `shown`: the server has sent it since.
  #state: 'closed' | 'opened' | 'shown' = 'closed'
  // Messages are held until the session is shown: what was stopped or replaced meanwhile is not said again.
  #isResuming = false
  #wasShown = false
  #isAccepted = false
  // Turns whose promise the page keeps.
  readonly #own = new Set<string>()
  // Messages that the server has, and whose turn has not started as far as the page knows.
  readonly #waiting = new Set<string>()
  // Turns that the page was told of, by a message that was refused.
  readonly #failed = new Set<string>()
  // Of the session: the running turn, and the newest message of the user.
  #turn: string | undefined
  #question: string | undefined
  // The newest message when the page asked to replace it.
  readonly #replaced = new Map<number, string | undefined>()
  #closing: ReturnType<typeof setTimeout> | undefined
  // The conversations that are exported, by their requests.
  readonly #exports = new Map<number, string>()
  readonly #uploads: Uploads
  readonly #files: StoredFiles
  // Ends imports.
  readonly #closed = new AbortController()
  // Turns whose files are on their way, and those behind them, which keep their order.
  readonly #uploading = new Map<string, AbortController>()
  #uploaded: Promise<void> = Promise.resolve()

  constructor(deps: RemotePortDeps) {
    this.#deps = deps
    const { url, open, times, fetch } = deps
    this.#uploads = new Uploads({ url, fetch, signIn: () => deps.signIn() })
    this.#files = new StoredFiles((message) => this.#keep(message), this.#uploads)
    this.#socket = new ServerSocket({
      url,
      open,
      times,
      signIn: () => deps.signIn(),
      ready: () => this.#onReady(),
      receive: (message) => this.#receive(message),
      broken: () => this.#onBroken(),
      unreachable: (error) => this.#emit({ type: 'error', error }),
      ended: (failure) => this.#onEnded(failure),
    })
  }

  /** Opens the first socket. Call it once. */
  connect(): void {
    this.#socket.start()
  }

  /** Closes the connection at once. */
  close(): void {
    clearTimeout(this.#closing)
    this.#stopUploads()
    this.#closed.abort(toErrorValue(unsent))
    this.#socket.close()
  }

  addEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_type: 'message', listener: Listener): void {
    this.#listeners.delete(listener)
  }

  postMessage(message: unknown): void {
    this.#take(message as PageMessage)
  }

  #take(message: PageMessage): void {
    switch (message.type) {
      case 'open':
        return this.#open(message)
      case 'send':
        return this.#sendTurn(message)
      case 'offer':
        return this.#keep(
          dropUndefined({ type: 'offer', turn: message.turn, offer: message.offer && guestOffer(message.offer) }),
          message.turn,
        )
      case 'control':
        return this.#control(message)
      case 'decide':
        return this.#keep({ ...message, id: randomId() })
      case 'answer':
        return this.#say(this.#calls.answer(message))
      case 'progress':
        return this.#say(this.#calls.progress(message.ask, message.value))
      case 'outcome':
        return this.#say(this.#calls.outcome(message.outcome))
      case 'request':
        return this.#request(message)
      case 'remember':
        return this.#tell(
          message.state === undefined
            ? 'remember: a server keeps no tool context for pages. Keep the value in the page.'
            : 'state: a server takes no shared state from pages.',
        )
      case 'run':
      case 'settle':
        return this.#tell(noSteps)
      // The server has options of its own, and no question whether the page is there.
      case 'configure':
      case 'pong':
    }
  }

  #open({ sessionId, tab, running, outcomes, left, toolContext }: Page<'open'>): void {
    if (toolContext && Object.keys(toolContext).length > 0)
      return this.#tell('toolContext: a server keeps no tool context for pages. Set the option toolContext instead.')
    // Here, so that a message that is said again finds the session of the first time.
    const id = sessionId ?? randomId()
    if (this.#session && this.#session.id !== id) this.#leaveSession()
    this.#session = { id, tab }
    const isKnown = left === undefined || outcomes.some(({ callId }) => callId === left.callId)
    this.#calls.open(id, running, isKnown ? outcomes : [...outcomes, outcomeOfChange(left)])
    this.#wasShown = false
    if (this.#socket.isReady) this.#announce()
  }

  /** Turns of the session before go on without this page, which does not see their end. */
  #leaveSession(): void {
    this.#kept.forget((kind) => kind !== 'request')
    this.#stopUploads()
    const message = 'Another conversation was opened. The answer goes on, and is found in this one.'
    for (const turn of this.#own) this.#fail(turn, this.#uploading.has(turn) ? unsent : { code: 'cancelled', message })
    this.#turn = this.#question = undefined
    this.#late = []
  }

  #announce(): void {
    if (this.#session === undefined) return
    const { id, tab } = this.#session
    const { page } = this.#deps
    const { later, ...brought } = this.#calls.brought()
    const after = pageBefore(page)
    this.#state = 'opened'
    const { protocol } = this.#socket
    this.#write(dropUndefined({ type: 'open', protocol, session: id, tab, page, after, ...brought }))
    for (const message of this.#calls.late(later)) this.#write(message)
    this.#flush()
  }

  #sendTurn({ turn, input, options, whenBusy, mode, offer }: Page<'send'>): void {
    const { facts, ...others } = options
    const [option] = Object.keys(dropUndefined(others))
    this.#own.add(turn)
    if (mode) return this.#fail(turn, failure('invalid-option', noSteps))
    if (option !== undefined) {
      const why = `send: ${option}: the server decides this for all its turns, so it cannot be set here.`
      return this.#fail(turn, failure('invalid-option', why))
    }
    const message = {
      type: 'send' as const,
      id: turn,
      text: textOfInput(input),
      facts: guestFacts(facts),
      offer: offer && guestOffer(offer),
      whenBusy,
    }
    const keep = (files: Attached) => this.#keep(dropUndefined({ ...message, files }), turn)
    this.#attach(turn, input, keep, (error) => {
      if (this.#own.has(turn)) this.#fail(turn, error)
    })
  }

  /** Calls `keep` with what a message has attached, after the files of this one and of those before it are uploaded. */
  #attach(turn: string, input: readonly UserPart[], keep: (files: Attached) => void, fail: (error: Failure) => void) {
    if (this.#uploading.size === 0 && !needsUpload(input)) return keep(attachedOf(input))
    const uploading = new AbortController()
    const { signal } = uploading
    this.#uploading.set(turn, uploading)
    this.#uploaded = this.#uploaded.then(async () => {
      try {
        signal.throwIfAborted()
        const files = await this.#uploads.attach(input, signal)
        signal.throwIfAborted()
        keep(files)
      } catch (thrown) {
        fail(toFailure(thrown, 'network'))
      } finally {
        this.#uploading.delete(turn)
      }
    })
  }

  /** Leaves the messages whose files are not uploaded, or that of one turn. */
  #stopUploads(turn?: string): void {
    for (const [id, uploading] of this.#uploading)
      if (turn === undefined || id === turn) uploading.abort(toErrorValue(unsent))
  }

  #control(message: Page<'control'>): void {
    switch (message.do) {
      case 'stop':
        this.#stopUploads()
        this.#cancel(this.#kept.unwanted())
        return this.#keep({ type: 'stop' }, this.#turn ?? '')
      case 'drop':
        this.#stopUploads(message.turn)
        this.#cancel(this.#kept.unwanted(message.turn))
        return this.#keep({ type: 'drop', turn: message.turn }, message.turn)
      case 'continue':
        this.#own.add(message.turn)
        return this.#keep({ type: 'continue', id: message.turn, facts: guestFacts(message.facts) }, message.turn)
      case 'end-grants':
        return this.#keep(dropUndefined({ type: 'end-grants', page: message.page }))
      case 'retry':
        return this.#say({ type: 'retry' })
      case 'close':
        return this.#closeSoon()
      // Of stepped turns.
      case 'next':
    }
  }

  /** The page goes. What it has said must have arrived. */
  #closeSoon(): void {
    const end = () => {
      this.close()
      this.#emit({ type: 'closed' })
    }
    if (this.#kept.isEmpty || this.#state === 'closed') return queueMicrotask(end)
    this.#closing = setTimeout(end, closingTime)
  }

  #request(request: Page<'request'>): void {
    const { id, what, with: given } = request
    const session = this.#session?.id ?? ''
    // There is nothing to take over: each page may send and decide.
    if (what === 'take-over') return this.#reply({ id, value: null })
    if (what === 'file') {
      const known = this.#uploads.contentOf(given.upload)
      if (known !== undefined) return this.#reply({ id, value: known })
      const stored = this.#files.read(given.id ?? session, given.upload)
      return void stored.then((value) => this.#reply({ id, value }), this.#failing(id))
    }
    if (what === 'import') {
      if (given.toolContext) return this.#reply({ id, error: failure('invalid-option', withoutContext) })
      const stored = this.#files.import(given.id, given.data ?? null, this.#closed.signal)
      return void stored.then((value) => this.#reply({ id, value }), this.#failing(id))
    }
    const ask = (files: Attached): void => {
      const message = guestRequest(request, { session, files })
      if (typeof message === 'string') return this.#reply({ id, error: failure('invalid-option', message) })
      if (what === 'replace') this.#replaced.set(id, this.#question)
      if (what === 'export') this.#exports.set(id, given.id ?? session)
      this.#keep(message)
    }
    if (what !== 'replace') return ask([])
    this.#attach(`request ${id}`, given.input ?? [], ask, (error) => this.#reply({ id, error }))
  }

  readonly #failing = (id: number) => (thrown: unknown) => this.#reply({ id, error: toFailure(thrown, 'storage') })

  /** Keeps a message until it is acknowledged, and sends it as soon as it can be. */
  #keep(message: GuestInput, turn?: string): void {
    if (isTooLong(stringify(message))) return this.#refused(message, tooLong)
    this.#kept.add(message, turn)
    this.#flush()
  }

  #flush(): void {
    if (this.#canSay) this.#kept.flush((message) => this.#isUnknown(message) || this.#write(message))
  }

  /** Answers a request that a server of the version before does not know, instead of sending it. */
  #isUnknown(message: GuestInput): boolean {
    if (message.type !== 'request' || this.#socket.protocol > 1) return false
    const { id, what } = message
    if (what !== 'validate' && what !== 'file' && what !== 'import') return false
    // That server takes what was changed in a question as it is.
    if (what === 'file') this.#onRefused(id, withoutFiles)
    else if (what === 'import') this.#onRefused(id, withoutImports)
    else if (this.#kept.take(id)) this.#reply({ id, value: null })
    return true
  }

  get #canSay(): boolean {
    return this.#state === 'shown' || (this.#state === 'opened' && !this.#isResuming)
  }

  /** Sends a message that has no effect later, except how a call ended: the server waits for it. */
  #say(message: GuestInput | null | undefined): void {
    if (!message) return
    if (!this.#canSay) {
      const isEnd = message.type === 'answer' || message.type === 'outcome'
      if (isEnd && this.#state === 'opened') this.#late.push(message)
      return
    }
    if (!isTooLong(stringify(message))) return this.#write(message)
    if (message.type === 'answer') this.#onRefused(message.id, tooLong)
  }

  #write(message: GuestInput): void {
    this.#socket.send(stringify(message))
  }

  #onReady(): void {
    if (!this.#isAccepted) {
      this.#isAccepted = true
      return this.#deps.accepted()
    }
    this.#isResuming = this.#wasShown
    this.#announce()
  }

  #onBroken(): void {
    this.#state = 'closed'
    this.#late = []
    this.#kept.broken()
    for (const ask of this.#calls.broken()) this.#emit({ type: 'cancel', ask })
  }

  #onEnded(error: Failure): void {
    if (this.#isAccepted) this.#emit({ type: 'closed', error })
    else this.#deps.ended(error)
  }

  #receive(message: SessionMessage): void {
    switch (message.type) {
      case 'session':
        return this.#onSession(message)
      case 'event':
        return this.#onEvent(message)
      case 'question': {
        const question = parseQuestion(message)
        return question && this.#emit(question)
      }
      case 'ask':
        this.#calls.ask(message)
        return this.#emit(message)
      case 'cancel':
        this.#calls.cancel(message.ask)
        return this.#emit(message)
      case 'reply':
        if (this.#kept.take(message.id)) this.#onReply(message)
        return
      case 'error':
        return this.#onError(message)
      case 'acknowledged':
        this.#onAcknowledged(message.id)
        return this.#lookClosed()
      case 'refused':
        this.#onRefused(message.id, message.error)
        return this.#lookClosed()
    }
  }

  #onReply(message: Host<'reply'>): void {
    if (this.#files.settle(message)) return
    const session = this.#exports.get(message.id)
    if (session === undefined || message.error) return this.#reply(message)
    this.#exports.delete(message.id)
    const { id, value } = message
    void this.#files
      .fill(session, value as JsonValue)
      .then((whole) => this.#reply({ id, value: whole }), this.#failing(id))
  }

  #onAcknowledged(id: string): void {
    if (this.#calls.acknowledged(id) || this.#kept.take(id)?.type !== 'send') return
    // One that was said again may run already.
    if (this.#own.has(id) && this.#turn !== id) this.#waiting.add(id)
  }

  /** A message that waited was taken out of the queue without having been started, and the page did not hear it. */
  #settleWaiting(waiting: Host<'session'>['session']['waiting'] = [], hasStarted = (_id: string) => false): void {
    for (const id of this.#waiting) {
      if (waiting.some((one) => one.turn === id)) continue
      this.#waiting.delete(id)
      if (!hasStarted(id)) this.#fail(id, { code: 'cancelled', message: 'The queue was stopped before this was sent.' })
    }
  }

  #onSession(message: Host<'session'>): void {
    const { session } = message
    const { turn, end, messages } = session
    const known = new Set(messages.map(({ id }) => id))
    this.#turn = turn?.id
    this.#question = messages.findLast(({ role, replaced }) => role === 'user' && !replaced)?.id
    this.#calls.opened(session)
    for (const id of this.#own)
      if (end?.turn === id || (known.has(sentMessageId(id)) && turn?.id !== id)) this.#own.delete(id)
    this.#state = 'shown'
    this.#wasShown = true
    // Where the server keeps it is not lost with the page.
    this.#emit({ ...message, storage: 'server' })
    this.#settleWaiting(session.waiting, (id) => turn?.id === id || end?.turn === id || known.has(sentMessageId(id)))
    if (!this.#isResuming) return
    this.#isResuming = false
    const unwanted = this.#kept.resume(this.#turn)
    for (const [id, before] of this.#replaced) {
      // It was replaced before the socket broke.
      if (before !== this.#question && this.#kept.take(id)) this.#reply({ id, value: null })
    }
    this.#flush()
    // Later, because nothing is kept of a turn that was cancelled.
    this.#cancel(unwanted)
    for (const message of this.#late.splice(0)) this.#say(message)
  }

  #onEvent(message: Host<'event'>): void {
    const { event, path } = message
    if (event.type === 'tool-result') this.#calls.stored(event.callId)
    if (path.length === 0) this.#follow(event)
    this.#emit(message)
  }

  #follow(event: Host<'event'>['event']): void {
    switch (event.type) {
      case 'turn-start':
        this.#turn = event.turn.id
        this.#waiting.delete(event.turn.id)
        this.#question = event.message?.id ?? this.#question
        return
      case 'turn-replaced':
        this.#question = event.message?.id ?? this.#question
        return
      case 'session-change':
        // Told to the page that has stopped the queue, if another server has taken the message.
        if (event.waiting) this.#settleWaiting(event.waiting)
        return
      case 'turn-end':
        this.#turn = undefined
        this.#own.delete(event.turn)
        this.#kept.ended(event.turn)
    }
  }

  #onError({ error, turn }: Host<'error'>): void {
    // The server closes the socket of a session that it cannot write, and what was not acknowledged is said again.
    const isLost = error.code === 'storage' || error.code === 'lost-session'
    if (turn === undefined) {
      if (!isLost || !this.#wasShown) this.#emit({ type: 'error', error })
      return
    }
    if (isLost && this.#kept.has(turn)) return
    this.#kept.take(turn)
    if (!this.#failed.delete(turn)) this.#fail(turn, error)
  }

  #onRefused(id: string | number | undefined, error: Failure): void {
    // What opens a session has no id.
    if (id === undefined && this.#state === 'opened') {
      this.#socket.close()
      return this.#onEnded(error)
    }
    const instead = typeof id === 'string' ? this.#calls.refused(id, error) : undefined
    if (instead !== undefined) return this.#say(instead)
    const message = id === undefined ? undefined : this.#kept.take(id)
    if (message) this.#refused(message, error)
    else if (id === undefined) this.#emit({ type: 'error', error })
  }

  #refused(message: GuestInput, error: Failure): void {
    switch (message.type) {
      case 'send':
      case 'continue':
        this.#failed.add(message.id)
        return this.#fail(message.id, error)
      case 'request':
        if (this.#files.settle({ id: message.id, error })) return
        return this.#reply({ id: message.id, error })
      default:
        this.#emit({ type: 'error', error })
    }
  }

  #cancel(turns: readonly string[]): void {
    for (const turn of turns) this.#fail(turn, unsent)
  }

  /** The promise of a turn rejects. */
  #fail(turn: string, error: Failure): void {
    this.#own.delete(turn)
    this.#waiting.delete(turn)
    this.#kept.ended(turn)
    this.#emit({ type: 'error', error, turn })
  }

  #reply(reply: { readonly id: number } & ({ readonly value: unknown } | { readonly error: Failure })): void {
    this.#replaced.delete(reply.id)
    this.#exports.delete(reply.id)
    this.#emit({ ...reply, type: 'reply' } as Host<'reply'>)
  }

  #tell(message: string): void {
    this.#emit({ type: 'error', error: failure('invalid-option', message) })
  }

  #lookClosed(): void {
    if (this.#closing === undefined || !this.#kept.isEmpty) return
    this.close()
    this.#emit({ type: 'closed' })
  }

  /** Later, as a worker would: who posts does not expect an answer before `postMessage` has returned. */
  #emit(data: HostMessage): void {
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener({ data })
    })
  }
}

const failure = (code: ErrorCode, message: string): Failure => ({ code, message })

const unsent: Failure = { code: 'cancelled', message: 'Stopped before it was sent' }
const noSteps = 'step: a server runs its turns itself, so they cannot be stepped through. Use send().'
const withoutContext = 'sessions.import: toolContext: a server keeps no tool context for pages. Import without it.'
const withoutImports = failure('not-found', 'The server of host is of a version that imports no conversations.')
const withoutFiles = failure('not-found', 'The server of host is of a version that keeps no files.')
const tooLong: Failure = {
  code: 'request-too-large',
  message: 'A message of more than 1 MiB is not sent to a server. Shorten it.',
}
