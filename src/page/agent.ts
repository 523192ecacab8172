// The agent of a page, without any view: holds the replica, the tools and the promises of its sends. Views read its
// properties and `observe` it; everything that lasts is done by the host at the other end of the port.
// Over 300 lines because it is one public identity, method by method; asks, execution, sessions, turns and the port
// have files of their own.
import { toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import type { JsonValue } from '../core/data/json.js'
import { allToolCalls, type CallId, type Message, type ToolCall, type ToolCallPart } from '../core/data/message.js'
import { protocolVersion, type HostMessage } from '../core/data/protocol.js'
import { reduce } from '../core/state/reduce.js'
import { turnContext, type Session, type Turn, type TurnEnd } from '../core/data/session.js'
import type { Todo } from '../core/data/todo.js'
import type { ToolContext } from '../core/data/tool.js'
import { checkActiveTools } from './tools/active-tools.js'
import type { Answers } from './answers/answers.js'
import { Connection } from './link/connection.js'
import { contextChange, copyContext } from './tool-context.js'
import { ExclusiveLock } from './tools/exclusive-lock.js'
import * as log from './log.js'
import type { TurnResult } from '../core/data/turn-result.js'
import type { AgentOptions, SendInput, SendOptions } from './options.js'
import { pageAddress, readPageFacts } from './link/page-info.js'
import { hostConfig, parseInput, parseOptions, parseSendOptions } from './parse-options.js'
import { PendingTurns, ignoreRejection } from './link/pending-turns.js'
import { randomId } from './random-id.js'
import { ToolRegistry, type RegisterOptions } from './tools/registry.js'
import { AgentSessions } from './sessions.js'
import { spawnHost, type SpawnedHost } from './link/spawn.js'
import {
  keepOutcomes,
  noteUnsaved,
  tabId,
  takeAction,
  takeOutcomes,
  claimSlot,
  unsavedCalls,
  type SessionSlot,
} from './link/tab-storage.js'
import type { AnyTool, Schema, ToolProvider, ToolWith } from './tools/tool.js'
import { Recorder, type Trace } from './trace/recorder.js'
import type { Steps } from './stepped-turn.js'
import { toolExecution, turnError, turnResult } from './turn-result.js'

/** What an observer hears: every session event, and what only the page knows. */
export type Notice =
  | { readonly type: 'event'; readonly path: readonly CallId[]; readonly event: AgentEvent }
  /** The replica was replaced: opened, created or switched. */
  | { readonly type: 'session' }
  /** Status, host, storage, tools, queue, progress or error changed. */
  | { readonly type: 'change' }
  /** An error for the user or the programmer. */
  | { readonly type: 'error'; readonly error: Failure }

export interface RegisteredTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonValue
  readonly annotations: JsonValue
  readonly tool: AnyTool
}

/** What a view shows inside the card of a call: whatever the view can draw, such as a Lit template or a node. */
export type ToolRenderer = (part: ToolCallPart) => unknown

export interface ByHandOptions {
  readonly toolContext?: ToolContext
  readonly signal?: AbortSignal
  /** What a model would get of the output, by `toModelOutput`, instead of the output itself. */
  readonly forModel?: boolean
}

export type AgentStatus = 'loading' | 'idle' | 'running' | 'awaiting-approval' | 'interrupted'
export type HostKind = 'worker' | 'blob-worker' | 'page'
export type AgentRole = 'driver' | 'mirror'

interface Opening {
  readonly id: string | undefined
  readonly toolContext: ToolContext | undefined
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

// Sessions open in this document: two agents of one scope must not pick the same one.
const openHere = new Set<string>()
// Agents whose elements have left the document, and how each is released before its time.
const leaving = new Map<Agent, () => void>()
// Sessions that the hosts of closed agents still hold. Each promise resolves when its session is released.
const releasing = new Map<string, Promise<void>>()

export class Agent {
  readonly sessions: AgentSessions
  readonly #registry: ToolRegistry
  readonly #providers = new Set<ToolProvider>()
  readonly #lock = new ExclusiveLock()
  // Loaded while the host starts, so both are there whenever a session is open.
  #work: typeof import('./answers/answers-chunk.js') | undefined
  #answers: Answers | undefined
  readonly #connection: Connection
  readonly #observers = new Set<(notice: Notice) => void>()
  readonly #toolCallListeners = new Set<(call: ToolCall, input: JsonValue) => boolean>()
  readonly #pending = new PendingTurns()
  // Answers whose edited arguments are being checked.
  readonly #edits = new Map<CallId, Promise<void>>()
  readonly #progress = new Map<CallId, JsonValue>()
  // Outputs longer than the session keeps, until their turn has given its result.
  readonly #wholes = new Map<CallId, JsonValue>()
  #renderers: ReadonlyMap<string, ToolRenderer> = new Map()
  readonly #recorder = new Recorder(() => this.#options.debug === true)
  #options: AgentOptions
  #session: Session | undefined
  #mode: 'drive' | 'mirror' = 'drive'
  #tab = ''
  #place: SessionSlot | undefined
  #storage: 'indexeddb' | 'memory' | undefined
  // The disk has an older state of the session than this page.
  #isBehind = false
  #error: Failure | null = null
  #connected: Promise<void> | undefined
  #opening: Opening | undefined
  #opens: Promise<void> = Promise.resolve()
  #isClosed = false
  // Resolves when the host of the closed agent has released its session.
  #released = Promise.resolve()
  // The session that the host was last asked to open.
  #claimed: string | undefined
  // How often stop() was called: a send that is still on its way must hear of it.
  #stops = 0
  // What the page threw in the running turn, by the failure that it became: the objects cannot cross the port.
  readonly #causes = new Map<string, unknown>()
  readonly #life = new AbortController()

  /** `spawn` starts the host; the default is the ladder of `spawnHost`. */
  constructor(options: AgentOptions = {}, spawn: (workerUrl?: string) => Promise<SpawnedHost> = spawnHost) {
    this.#connection = new Connection(
      (message) => this.#receive(message),
      spawn,
      () => this.#restart(),
    )
    this.#options = parseOptions(options)
    if (this.#options.debug) log.setDebug(true)
    this.#registry = new ToolRegistry({ onError: (failure) => this.#report(failure) })
    this.sessions = new AgentSessions({
      connection: this.#connection,
      connected: () => this.connect(),
      current: () => this.#session?.id,
      open: async (id, toolContext) => {
        await this.connect()
        await this.#open(id, toolContext)
      },
    })
    this.#registry.onChange(() => this.#notify({ type: 'change' }))
    if (this.#options.tools) this.#registry.register(this.#options.tools)
  }

  get options(): Readonly<AgentOptions> {
    return this.#options
  }
  /** Undefined while loading. Its identity changes with every change. */
  get session(): Session | undefined {
    return this.#session
  }
  get messages(): readonly Message[] {
    return this.#session?.messages ?? []
  }
  get todos(): readonly Todo[] {
    return this.#session?.todos ?? []
  }
  get status(): AgentStatus {
    return this.#session?.status ?? 'loading'
  }
  get host(): HostKind | undefined {
    return this.#session && this.#connection.kind
  }
  get role(): AgentRole | undefined {
    return this.#session && (this.#mode === 'mirror' ? 'mirror' : 'driver')
  }
  get storage(): 'indexeddb' | 'memory' | undefined {
    return this.#storage
  }
  /** The newest error that belongs to no turn; null when there is none or it was dismissed. */
  get error(): Failure | null {
    return this.#error
  }
  /** Newest progress of running calls. */
  get progress(): ReadonlyMap<CallId, JsonValue> {
    return this.#progress
  }
  /** By tool; its identity changes with every change. */
  get renderers(): ReadonlyMap<string, ToolRenderer> {
    return this.#renderers
  }
  /** Sends that wait their turn. */
  get queue(): readonly { readonly turn: string; readonly text: string }[] {
    return this.#pending.queue
  }

  /** Takes one message of the queue back; its send rejects with `cancelled`. */
  drop(turn: string): void {
    const post = () => this.#connection.post({ type: 'control', do: 'drop', turn })
    if (this.#connection.kind) post()
    else this.#connected?.then(post).catch(() => undefined) // Told to whoever waits for the connection.
  }

  get tools(): readonly RegisteredTool[] {
    return this.#registry.entries().map((entry) => {
      const { name, title, description, inputSchema, annotations } = this.#registry.specOf(entry, pageAddress())
      return { name, title: title ?? name, description, inputSchema, annotations, tool: entry.tool }
    })
  }

  /** Replaces the options; takes effect at the next step. Throws `invalid-option`. */
  configure(options: AgentOptions): void {
    this.#options = parseOptions(options)
    if (this.#options.debug) log.setDebug(true)
    this.#work?.lintHooks(this.#options.hooks)
    if (this.#connection.kind) this.#connection.post({ type: 'configure', config: hostConfig(this.#options) })
    this.#notify({ type: 'change' })
  }

  dismissError(): void {
    this.#error = null
    this.#notify({ type: 'change' })
  }

  /** Every event of the session, durable and transient. Returns the unsubscribe function. */
  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.observe((notice) => {
      if (notice.type === 'event') listener(notice.event, notice.path)
    })
  }

  /** Everything a view must know of. Returns the unsubscribe function. */
  observe(listener: (notice: Notice) => void): () => void {
    this.#observers.add(listener)
    return () => this.#observers.delete(listener)
  }

  /** Asked before a call runs; false refuses it. Returns the function that takes it back. */
  onToolCall(listener: (call: ToolCall, input: JsonValue) => boolean): () => void {
    this.#toolCallListeners.add(listener)
    return () => this.#toolCallListeners.delete(listener)
  }

  /** Offered from the next step on. Throws `duplicate-tool` or `invalid-tool` at once. Returns the unregister function. */
  registerTool<const S extends Schema, Output>(tool: ToolWith<S, Output>, options?: RegisterOptions): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options?: RegisterOptions): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options: RegisterOptions = {}): () => void {
    return this.#registry.register(tool, options)
  }

  registerToolProvider(provider: ToolProvider, { signal }: { signal?: AbortSignal } = {}): () => void {
    if (typeof provider !== 'function')
      throw new ToolAgentError('invalid-option', 'registerToolProvider: a function is needed')
    const remove = () => {
      this.#providers.delete(provider)
      signal?.removeEventListener('abort', remove)
    }
    if (!signal?.aborted) this.#providers.add(provider)
    signal?.addEventListener('abort', remove, { once: true })
    return remove
  }

  /** Shows the calls of one tool in a way of their own, where a view draws them. Returns the function that takes it back. */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    if (typeof renderer !== 'function')
      throw new ToolAgentError('invalid-option', 'registerToolRenderer: a function is needed')
    const change = (entries: Iterable<readonly [string, ToolRenderer]>) => {
      this.#renderers = new Map(entries)
      this.#notify({ type: 'change' })
    }
    change([...this.#renderers, [name, renderer]])
    return () => {
      if (this.#renderers.get(name) === renderer) change([...this.#renderers].filter(([one]) => one !== name))
    }
  }

  /** Starts the host and opens the session; called by itself at the first need. */
  connect(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new ToolAgentError('closed', 'The agent was closed; make a new one'))
    this.#connected ??= this.#connect(this.#session && { id: this.#session.id }).catch((thrown: unknown) => {
      // The next need tries again, with a host of its own.
      this.#connected = undefined
      void this.#connection.close()
      throw thrown
    })
    return this.#connected
  }

  /**
   * @internal The element of this agent has left the document: the next agent of the same scope and session id that
   * connects calls `release`, which closes this one, and follows it. Undefined: the element is back, or was given up.
   */
  leave(release: (() => void) | undefined): void {
    if (release === undefined) leaving.delete(this)
    else leaving.set(this, release)
  }

  /** Closes the agent whose element this one's replaces, if there is one; its place is free at once. */
  #succeed(): void {
    const { scope = '', sessionId } = this.#options
    for (const [agent, release] of leaving) {
      const { scope: other = '', sessionId: named } = agent.#options
      if (agent !== this && other === scope && named === sessionId) return release()
    }
  }

  /**
   * Resolves with the turn's result however it ended, except by an error: then it rejects with that error, its `turn`
   * the result so far. A promise that nobody awaits is never reported as unhandled.
   */
  send(input: SendInput, options: SendOptions = {}): Promise<TurnResult> {
    return this.#send(randomId(), input, options)
  }

  /**
   * A turn whose tools the caller runs: an async iterator of steps, each a model call. Nothing is sent before the first
   * `next()`; leaving the loop stops the turn; its value when done is the turn's result. Never resumed after a reload.
   */
  step(input: SendInput, options: SendOptions = {}): Steps {
    const turn = ignoreRejection(
      import('./stepped-turn.js').then(
        ({ SteppedTurn, toExecutionResult }) =>
          new SteppedTurn(randomId(), {
            begin: (id, left) => this.#send(id, input, options, left),
            session: () => this.#session,
            subscribe: (listener) => this.subscribe(listener),
            post: (message) => this.#connection.post(message),
            outcome: ({ call }, value) =>
              toExecutionResult(call.id, value, (given) => this.#answering().present(call, given)),
            execution: (part) => toolExecution(part, this.#wholes),
          }),
      ),
    )
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => turn.then((steps) => steps.next()),
      return: () => turn.then((steps) => steps.return()),
    }
  }

  /** `left`: its caller steps through it, and aborts this to leave. */
  #send(id: string, input: SendInput, options: SendOptions, left?: AbortSignal): Promise<TurnResult> {
    return ignoreRejection(
      (async () => {
        const parts = parseInput(input)
        const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
        if (text.trim() === '' && !parts.some((part) => part.type === 'file'))
          throw new ToolAgentError('invalid-option', 'send: the message is empty')
        const { tools: _tools, signal, whenBusy = 'queue', toolContext, ...rest } = parseSendOptions(options)
        if (options.activeTools)
          checkActiveTools(options.activeTools, this.#registry, options, this.#providers.size > 0)
        if (options.tools) new ToolRegistry().register(options.tools) // Throws for what is not a tool.
        const sent = toolContext === undefined ? {} : { toolContext: copyContext(toolContext, 'send: toolContext') }
        return this.#turn(id, text, options, left && signal ? AbortSignal.any([left, signal]) : (left ?? signal), () =>
          this.#connection.post({
            type: 'send',
            turn: id,
            input: parts,
            whenBusy,
            options: { ...rest, ...sent, facts: readPageFacts() },
            ...(left ? { mode: 'manual' as const } : {}),
          }),
        )
      })(),
    )
  }

  /** Goes on with an interrupted or limited turn. */
  continue(): Promise<TurnResult> {
    return ignoreRejection(
      (async () => {
        const isLost = this.#connected === undefined
        await this.connect()
        // Where the worker was lost for good, opening the session anew may have gone on by itself.
        const running = isLost ? this.#session?.turn?.id : undefined
        const turn = running ?? randomId()
        return this.#turn(turn, '', {}, undefined, () => {
          if (running === undefined)
            this.#connection.post({ type: 'control', do: 'continue', turn, facts: readPageFacts() })
        })
      })(),
    )
  }

  /** Ends the running turn and takes back what waits. */
  stop(): void {
    this.#stops++
    if (this.#connection.kind) this.#connection.post({ type: 'control', do: 'stop' })
  }

  /** Rejects with `invalid-input` where edited arguments do not fit; the question then stays. */
  async approve(
    callId: CallId,
    { input, reason, remember }: { input?: JsonValue; reason?: string; remember?: 'session' } = {},
  ): Promise<void> {
    if ((this.#edits.has(callId) || !this.#connection.kind) && (await this.#isAnswered(callId))) return
    const question = this.#question(callId)
    if (question === undefined) return
    const { part, entry, definition } = question
    const said = { ...(reason === undefined ? {} : { reason }), ...(remember === undefined ? {} : { remember }) }
    // At once where it can be: a denial right behind it must not come first.
    const { approvalHash, invalidInput } = this.#work ?? (await import('./answers/answers-chunk.js'))
    const hash = approvalHash(callId, part.approval.input, definition, pageAddress().url, part.approval.preview)
    if (input === undefined)
      return this.#connection.post({ type: 'decide', callId, hash, decision: 'approve', ...said })
    if (entry === undefined) throw new ToolAgentError('unavailable', 'The tool is no longer available on this page')
    const edit = (async () => {
      const checked = await entry.schema.validate(input)
      if ('issues' in checked) throw new ToolAgentError('invalid-input', invalidInput(checked.issues).message)
      this.#connection.post({ type: 'decide', callId, hash, decision: 'approve', input: checked.json, ...said })
    })().finally(() => this.#edits.delete(callId))
    this.#edits.set(callId, edit)
    return edit
  }

  async deny(callId: CallId, { reason }: { reason?: string } = {}): Promise<void> {
    if ((this.#edits.has(callId) || !this.#connection.kind) && (await this.#isAnswered(callId))) return
    const { part } = this.#question(callId) ?? {}
    if (part === undefined) return
    this.#connection.post({
      type: 'decide',
      callId,
      hash: part.approval.hash,
      decision: 'deny',
      ...(reason === undefined ? {} : { reason }),
    })
  }

  /**
   * Waits for a session that is being opened again. While edited arguments are checked their question is being
   * answered; where they do not fit it is open again.
   */
  async #isAnswered(callId: CallId): Promise<boolean> {
    if (!this.#connection.kind) await this.#connected
    for (let edit; (edit = this.#edits.get(callId));)
      if (
        await edit.then(
          () => true,
          () => false,
        )
      )
        return true
    return false
  }

  /**
   * Makes this page the driver: its tools run from now on, another tab's turn ends as interrupted. Sending does the same.
   * Rejects with the error for which this page could not become the driver.
   */
  async takeOver(): Promise<void> {
    await this.connect()
    if (this.#mode === 'drive') return
    this.#tellUnsaved()
    await this.#connection.request('take-over')
  }

  /**
   * Aborts running tools, leaves the turn resumable and releases the session; resolves when that is done. The agent
   * cannot be used again. In Node the process can exit then.
   */
  close(): Promise<void> {
    if (this.#isClosed) return this.#released
    this.#isClosed = true
    leaving.delete(this)
    // As on `pagehide`: the next page that opens the session gets what the host may not have stored.
    if (this.#session && this.#mode === 'drive' && this.#answers) keepOutcomes(this.#session.id, this.#answers.outcomes)
    const closed = new ToolAgentError('closed', 'The agent was closed')
    this.#life.abort(closed)
    this.#opening?.reject(closed)
    this.#answers?.abortAll('The agent was closed')
    if (typeof window === 'object') window.removeEventListener('pagehide', this.#onPageHide)
    if (this.#session) openHere.delete(this.#session.id)
    this.#place?.leave()
    this.#pending.rejectAll(closed)
    const released = (this.#released = this.#connection.close())
    const held = this.#session?.id ?? this.#claimed
    if (held !== undefined) {
      releasing.set(held, released)
      void released.then(() => {
        if (releasing.get(held) === released) releasing.delete(held)
      })
    }
    return released
  }

  /** Runs one tool by hand: same validation, time-out and lock; no approval, no transcript. Throws the tool's error. */
  async callTool(
    name: string,
    input: JsonValue = {},
    { toolContext = {}, signal, forModel = false }: ByHandOptions = {},
  ): Promise<unknown> {
    // What tools keep by session, such as refs, is of the one that is about to open. Without a host, and outside a page
    // where nothing was begun, a tool runs all the same.
    if (this.#isClosed || this.#connected || typeof document === 'object')
      await this.connect().catch((thrown: unknown) => {
        if (this.#isClosed) throw thrown
      })
    const { callTool } = await import('./tools/call-tool.js')
    const layers = [this.#options.toolContext ?? {}, this.#session ? turnContext(this.#session) : {}, toolContext]
    const done = await callTool(this.#registry, this.#lock, name, input, {
      layers,
      sessionId: this.#session?.id ?? '',
      messages: this.messages,
      forModel,
      signal: signal ? AbortSignal.any([signal, this.#life.signal]) : this.#life.signal,
    })
    for (const { key, value } of done.context) this.remember(key, value)
    return done.output
  }

  /** Sets a key of the session's tool context; undefined deletes it. */
  remember(key: string, value: JsonValue | undefined): void {
    const change = contextChange(key, value)
    void this.connect()
      .then(() => this.#connection.post({ type: 'remember', context: [change] }))
      .catch((thrown: unknown) => this.#report(toFailure(thrown, 'storage')))
  }

  /** Loads messages older than the window, if there are any. */
  async loadOlder(): Promise<void> {
    const session = this.#opened()
    if (session.start === 0) return
    const older = (await this.#connection.request('messages', { before: session.start, limit: 50 })) as Message[]
    const now = this.#opened()
    if (now.id !== session.id || now.start !== session.start) return
    this.#session = { ...now, start: now.start - older.length, messages: [...older, ...now.messages] }
    this.#notify({ type: 'change' })
  }

  /** The whole text of a result that was cut. */
  async resultText(callId: CallId): Promise<string | undefined> {
    const text = await this.#connection.request('result', { callId })
    return typeof text === 'string' ? text : undefined
  }

  /**
   * What happened since the session was opened, as JSON: for a report, and for `replayTrace` in a test. With `debug`,
   * requests and responses too. Never in it: headers, credentials, values of the tool context.
   */
  exportTrace(): Promise<Trace> {
    const { host = '', storage = '', tools } = this
    return this.#recorder.export({ host, storage, tools, options: this.#options, config: hostConfig(this.#options) })
  }

  /** The worker fell silent: a new one takes over what this page still runs and holds. */
  #restart(): void {
    if (this.#isClosed) return
    this.#report({ code: 'host-lost', message: 'The worker fell silent. It was started again.' })
    this.#answers?.hostChanged()
    this.#reopen(new ToolAgentError('host-lost', 'The worker fell silent before it answered'))
  }

  /** Ends the host and opens the session with another: at once, or when the page is `shown` again. */
  #reopen(why: ToolAgentError, shown?: Promise<void>): void {
    void this.#connection.close(why)
    const { id, turn: running } = this.#session ?? {}
    const lost = (why: string) => this.#pending.rejectAll(new ToolAgentError('host-lost', why))
    // What was just being opened is opened by the next worker, and not before.
    const waiting = this.#opening
    this.#opening = undefined
    this.#opens = Promise.resolve()
    if (waiting && id !== undefined && waiting.id !== id) lost('The worker was lost while another session was opened')
    const stops = this.#stops
    const again = (this.#connected = shown
      ? shown.then(() => this.#connect(waiting ?? { id: this.#noted() ?? id }))
      : this.#connect(waiting ?? { id }))
    again
      .then(() => {
        if (this.#connected !== again) return // Lost in its turn.
        const session = this.#opened()
        const { turn, end } = session
        const unknown = turnResult(session, { counted: Infinity }, 'interrupted', undefined, this.#wholes)
        this.#pending.repost(new Set([turn?.id ?? '', end?.turn ?? '']), unknown, shown && why)
        // It had ended, and the worker died before it could say so.
        if (running && running.id === end?.turn) this.#ended(running, end)
        // Nobody heard it.
        if (this.#stops !== stops) this.#connection.post({ type: 'control', do: 'stop' })
      })
      .catch((thrown: unknown) => {
        if (this.#connected !== again || this.#isClosed) return
        this.#connected = undefined
        void this.#connection.close()
        // Nobody works on it any more; going on opens it again.
        if (this.#session?.turn) this.#session = { ...this.#session, status: 'interrupted' }
        const failure = toFailure(thrown, 'host-lost')
        lost(failure.message)
        this.#report(failure)
      })
    if (waiting) again.then(waiting.resolve, waiting.reject)
  }

  async #connect(again?: Pick<Opening, 'id'> & Partial<Opening>): Promise<void> {
    this.#throwIfClosed()
    const work = import('./answers/answers-chunk.js')
    work.catch(() => undefined) // Told below, unless the host fails first.
    const tab = tabId()
    if (!again) this.#succeed()
    // At once: the agents of a page take theirs in the order in which they begin.
    if (!again && this.#options.sessionId === undefined) this.#placeFor()
    await this.#connection.start(this.#options.workerUrl)
    this.#work = await work
    this.#registry.lintWith(this.#work.lintTool)
    this.#work.lintHooks(this.#options.hooks)
    this.#tab = await tab
    this.#throwIfClosed()
    this.#answers ??= new this.#work.Answers({
      registry: this.#registry,
      providers: this.#providers,
      lock: this.#lock,
      options: () => this.#options,
      session: () => this.#opened(),
      send: (turn) => ({ options: this.#pending.get(turn)?.options, shared: this.#pending.shared(turn) }),
      page: pageAddress,
      isAllowed: (call, input) => [...this.#toolCallListeners].every((listener) => listener(call, input)),
      report: (failure, isLogged) => this.#report(failure, isLogged),
      threw: (failure, thrown) => {
        const key = causeKey(failure)
        if (!this.#causes.has(key)) this.#causes.set(key, thrown)
      },
      post: (message) => this.#connection.post(message),
    })
    if (typeof window === 'object') window.addEventListener('pagehide', this.#onPageHide)
    const noted = again ? undefined : this.#noted()
    // Chosen at once: another agent of this scope may be connecting at the same time.
    const free = noted !== undefined && openHere.has(noted) ? undefined : noted
    const own = again ? again.id : (this.#options.sessionId ?? free)
    if (own !== undefined) openHere.add(own)
    this.#claimed = own
    // An agent that was closed a moment ago may still hold the session, and this one would only mirror it.
    if (own !== undefined) await releasing.get(own)
    try {
      await this.#open(own, again?.toolContext)
    } finally {
      if (own !== undefined && this.#session?.id !== own) openHere.delete(own)
    }
  }

  /** The session that this tab had open, unless the options name one. */
  #noted(): string | undefined {
    return this.#options.sessionId === undefined ? this.#placeFor().noted() : undefined
  }

  /** Its place among the sessions that this tab notes; a scope has its own. */
  #placeFor(named?: string): SessionSlot {
    const { scope = '' } = this.#options
    if (this.#place?.scope === scope) return this.#place
    this.#place?.leave()
    return (this.#place = claimSlot(scope, openHere, named))
  }

  /** Opens one session after the other, however fast they are asked for. */
  #open(id: string | undefined, toolContext?: ToolContext): Promise<void> {
    const opened = this.#opens.then(() => this.#openNow(id, toolContext))
    this.#opens = opened.catch(() => undefined) // Reported to whoever asked for it.
    return opened
  }

  #openNow(id: string | undefined, toolContext: ToolContext | undefined): Promise<void> {
    const { scope = '' } = this.#options
    const { running, outcomes } = this.#answering()
    // Of the page before this one: what still runs here has not left it.
    const left = id === undefined || running.length > 0 ? undefined : takeAction(id, pageAddress().url)
    return new Promise<void>((resolve, reject) => {
      this.#opening = { id, toolContext, resolve, reject }
      this.#tellUnsaved(id)
      this.#connection.post({
        type: 'open',
        protocol: protocolVersion,
        scope,
        tab: this.#tab,
        url: pageAddress().url,
        config: hostConfig(this.#options),
        mode: 'drive',
        running,
        outcomes: [...outcomes, ...(id === undefined ? [] : takeOutcomes(id))],
        ...(id === undefined ? {} : { sessionId: id }),
        ...(left ? { left } : {}),
        ...(toolContext === undefined ? {} : { toolContext }),
      })
    })
  }

  /** Told before whatever may make this page the driver: another tab may have noted them. */
  #tellUnsaved(sessionId = this.#session?.id ?? ''): void {
    const calls = unsavedCalls(sessionId)
    if (calls.length > 0) this.#connection.post({ type: 'unsaved', sessionId, calls })
  }

  /** A turn of the host and the promise for its end. */
  async #turn(
    id: string,
    text: string,
    options: SendOptions,
    signal: AbortSignal | undefined,
    begin: () => void,
  ): Promise<TurnResult> {
    signal?.throwIfAborted()
    const { endpoint, modelAdapter } = this.#options
    if ((endpoint === undefined || endpoint === '') && modelAdapter === undefined) {
      throw new ToolAgentError(
        'no-endpoint',
        'There is no model to ask. Set the endpoint attribute to the base URL of an OpenAI-compatible API, such as endpoint="/v1", or the modelAdapter property.',
      )
    }
    const stops = this.#stops
    await this.connect()
    signal?.throwIfAborted()
    this.#throwIfClosed()
    if (this.#stops !== stops) throw new ToolAgentError('cancelled', 'Stopped before it was sent')
    const onAbort = () => {
      if (!this.#isClosed) this.drop(id)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const ended = this.#pending.add(id, text, options, () => {
        // The endpoint is resolved anew for each turn: a page may have changed its base.
        this.#connection.post({ type: 'configure', config: hostConfig(this.#options) })
        this.#tellUnsaved()
        begin()
      })
      this.#notify({ type: 'change' })
      return await ended
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#notify({ type: 'change' })
    }
  }

  #receive(message: HostMessage): void {
    switch (message.type) {
      case 'session':
        return this.#onSession(message)
      case 'event':
        return this.#onEvent(message.path, message.event)
      case 'ask':
        return void this.#answering().receive(message.id, message.path, message.ask)
      case 'cancel':
        return this.#answering().cancel(message.ask)
      case 'error':
        return this.#onError(message.error, message.turn)
      case 'ping':
        return this.#connection.post({ type: 'pong' })
      case 'ready':
      case 'reply':
      case 'closed':
        return
    }
  }

  /** What was said of the storage is over with it. */
  #isKept(): void {
    if (this.#storage === 'memory' && this.#error?.code === 'storage') this.dismissError()
  }

  #onSession({ session, mode, storage, stored }: Extract<HostMessage, { type: 'session' }>): void {
    const { turn: running } = this.#session ?? {}
    if (this.#session) openHere.delete(this.#session.id)
    openHere.add(session.id)
    this.#session = session
    this.#recorder.opened(session)
    this.#mode = mode
    if (storage !== 'memory') this.#isKept()
    this.#storage = storage
    this.#isBehind = storage === 'memory' && stored
    // The user went on in another tab: what ran for this page is not its own any more.
    if (mode === 'mirror')
      this.#pending.resolveStarted((turn) =>
        turnResult(
          session,
          running?.id === turn ? running : { counted: Infinity },
          'interrupted',
          undefined,
          this.#wholes,
        ),
      )
    if (mode === 'drive') {
      this.#placeFor(session.id).note(session.id)
      if (!session.turn) noteUnsaved(session.id)
    }
    this.#progress.clear()
    // Results that a host stored and died before it could tell.
    for (const { part } of allToolCalls(session.messages)) if (part.result) this.#answers?.acknowledge(part.call.id)
    this.#opening?.resolve()
    this.#opening = undefined
    this.#notify({ type: 'session' })
  }

  #onEvent(path: readonly CallId[], event: AgentEvent): void {
    if (this.#session === undefined) return
    const before = this.#session
    this.#session = reduce(before, event, path)
    this.#recorder.saw(path, event)
    this.#follow(before, event, path.length === 0)
    this.#notify({ type: 'event', path, event })
  }

  #follow(before: Session, event: AgentEvent, isOwn: boolean): void {
    if (event.type === 'turn-start' && isOwn) {
      const pending = this.#pending.get(event.turn.id)
      if (pending) pending.isStarted = true
      this.#causes.clear()
    } else if (event.type === 'tool-start' && isOwn && this.#isBehind && !event.repeatable && this.#mode === 'drive') {
      const { part } = allToolCalls(before.messages.slice(-1)).find((one) => one.part.call.id === event.callId) ?? {}
      if (part) noteUnsaved(before.id, part.call)
    } else if (event.type === 'tool-progress') {
      this.#progress.set(event.callId, event.value)
    } else if (event.type === 'tool-result') {
      const outcome = this.#answering().outcomes.find((one) => one.callId === event.callId)
      if (event.whole !== undefined && outcome?.output !== undefined) this.#wholes.set(event.callId, outcome.output)
      this.#answering().acknowledge(event.callId)
      this.#progress.delete(event.callId)
    } else if (event.type === 'storage-change') {
      if (event.error) this.#report(event.error)
      else {
        noteUnsaved(before.id)
        this.#isKept()
      }
      this.#storage = event.storage
      this.#isBehind = event.storage === 'memory'
    } else if (event.type === 'turn-end' && isOwn && before.turn) {
      if (!this.#isBehind && this.#mode === 'drive') noteUnsaved(before.id)
      this.#ended(before.turn, event)
    }
  }

  #ended(record: Turn, { turn, reason, error }: Pick<TurnEnd, 'turn' | 'reason' | 'error'>): void {
    const result = turnResult(this.#opened(), record, reason, error, this.#wholes)
    this.#wholes.clear()
    const pending = this.#pending.get(turn)
    if (error) pending?.reject(turnError(error, result, this.#causes.get(causeKey(error))))
    else pending?.resolve(result)
  }

  #onError(error: Failure, turn: string | undefined): void {
    const pending = turn === undefined ? undefined : this.#pending.get(turn)
    if (pending) return pending.reject(turnError(error))
    if (this.#opening && turn === undefined) {
      this.#opening.reject(turnError(error))
      this.#opening = undefined
    }
    this.#report(error)
  }

  #report(error: Failure, isLogged = false): void {
    this.#error = error
    if (!isLogged) log.logError(error)
    this.#notify({ type: 'error', error })
  }

  #notify(notice: Notice): void {
    for (const observer of this.#observers) {
      try {
        observer(notice)
      } catch (thrown) {
        log.logError(toFailure(thrown, 'execution-failed')) // A listener's fault is not the agent's.
      }
    }
  }

  #question(callId: CallId) {
    this.#throwIfClosed()
    const { part, path } = allToolCalls(this.messages).find((one) => one.part.call.id === callId) ?? {}
    const approval = part?.approval
    if (!part || !approval)
      throw new ToolAgentError('invalid-option', `No call '${callId}' of this session waits for a decision`)
    if (part.started || part.result) return undefined
    this.#tellUnsaved()
    const offered = this.#answering().offered(part.call.name, path)
    return { part: { ...part, approval }, entry: offered?.entry, definition: offered?.spec.hash ?? '' }
  }

  #throwIfClosed(): void {
    if (this.#isClosed) throw new ToolAgentError('closed', 'The agent was closed')
  }

  #answering(): Answers {
    if (this.#answers === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.#answers
  }

  #opened(): Session {
    if (this.#session === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.#session
  }

  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    if (this.#session && this.#answers) keepOutcomes(this.#session.id, this.#answers.outcomes)
    // While the page is in the back/forward cache its worker is frozen, and would keep the session's lock. A session in
    // memory exists in its host alone, so that host stays.
    if (persisted && this.#storage === 'memory') return
    this.#answers?.abortAll('The page was left')
    if (!persisted) return
    // The same rules as after a reload, so nothing of this page is known to the next host.
    this.#answers = undefined
    const shown = new Promise<void>((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
    this.#reopen(new ToolAgentError('cancelled', 'The page was left before this was done'), shown)
  }
}

const causeKey = ({ code, message }: Failure) => `${code} ${message}`

/** An agent without an element. In a page it opens its session at once, elsewhere at the first need. */
export function createAgent(options: AgentOptions = {}): Agent {
  const agent = new Agent(options)
  if (typeof document === 'object')
    whenSeen(() => {
      agent.connect().catch((thrown: unknown) => log.logError(toFailure(thrown, 'host-lost')))
    })
  return agent
}

/** Soon; in a page that is only prerendered, and may never be seen, not before it is: no worker and no database for that. */
export function whenSeen(begin: () => void): void {
  if ('prerendering' in document && document.prerendering === true)
    document.addEventListener('prerenderingchange', begin, { once: true })
  else queueMicrotask(begin)
}
