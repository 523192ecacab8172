// The agent of a page, without a view: options, tools, and the state that views show. What needs a host is loaded with
// the first use (agent-client.ts), so that a page without a message loads only what registers tools.
import { unclobbered } from '../core/data/dom-clobbering.js'
import { toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import { isObject, type JsonValue } from '../core/data/json.js'
import {
  type CallId,
  type Message,
  type ToolCall,
  type ToolCallPart,
  type Usage,
  pendingApprovals,
} from '../core/data/message.js'
import type { Session, StorageKind } from '../core/data/session.js'
import type { Todo } from '../core/data/todo.js'
import type { TurnResult } from '../core/data/turn-result.js'
import { loadExplained } from '../core/loading/load-explained.js'
import { AgentState, type Notice } from './agent-state.js'
import type {
  AgentClient,
  AgentSessions,
  ApprovalTool,
  ApproveOptions,
  CallToolOptions,
  DenyOptions,
  SpawnedHost,
  Steps,
  UndoableTask,
  UndoOutcome,
} from './client/agent-client.js'
import { pageAddress } from './facts/address.js'
import { claimSlot, openHere, type SessionSlot } from './tab/session-slot.js'
import * as log from './log.js'
import type { AgentOptions, SendInput, SendOptions } from './options.js'
import { parseInput, checkFunction } from './checks.js'
import { agentOptions, hasModel, parseOptions } from './option-table.js'
import { PendingTurns, type QueuedMessage } from './pending-turns.js'
import { ignoreRejection, untilAborted, ExclusiveLock } from './promises.js'
import { randomId } from './random-id.js'
import { contextChange } from './tool-context.js'
import { ToolRegistry, type RegisterOptions } from './tools/registry.js'
import type { AnyTool, AskResult, InputOf, Schema, ToolProvider, ToolWith, ToolWithoutInput } from './tools/tool.js'
import type { Trace } from './trace/trace.js'

export type { Notice, QueuedMessage }

/** A registered tool, as a view shows it. */
export interface RegisteredTool {
  /** The name that the model calls it by. */
  readonly name: string
  /** The tool's title; its name if it has none. */
  readonly title: string
  /** What it does; the model reads this. */
  readonly description: string
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonValue
  /** The hints of the tool, such as `readOnlyHint`; see `ToolAnnotations`. */
  readonly annotations: JsonValue
  /** The object that was registered. */
  readonly tool: AnyTool
}

/**
 * Draws a call inside its card. Returns what the view can draw: in `<tool-agent>`, a Lit template, a node or a text.
 */
export type ToolRenderer = (part: ToolCallPart) => unknown

/**
 * `ready`: there is no session yet; one is created when the agent connects. `loading`: a session is being opened.
 * `idle`: a session is open, and no turn runs. `awaiting-approval`: a turn waits for the user's decision.
 * `interrupted`: a turn was cut off and can be continued.
 */
export type AgentStatus = 'ready' | 'loading' | 'idle' | 'running' | 'awaiting-approval' | 'interrupted'

/** Where the host runs: a worker, a worker that was started from a blob URL, the page, or the server of `host`. */
export type HostKind = 'worker' | 'blob-worker' | 'page' | 'server'

/** A `driver` runs the turns of its session. A `mirror` shows a session that another tab drives. */
export type AgentRole = 'driver' | 'mirror'

/** The agents of this page that have started and are not closed. Elsewhere each agent counts as a page of its own. */
const inPage = new Set<Agent>()
/** Agents whose elements were removed from the document, each with the function that closes it early. */
const replaceable = new Map<Agent, () => void>()

/** An assistant without a view. Create one with `createAgent`. */
export class Agent {
  /** The stored sessions of the agent's scope. */
  readonly sessions: AgentSessions
  readonly #registry: ToolRegistry
  readonly #providers = new Set<ToolProvider>()
  readonly #lock = new ExclusiveLock()
  readonly #toolCallListeners = new Set<(call: ToolCall, input: JsonValue) => boolean>()
  readonly #state = new AgentState()
  readonly #pending = new PendingTurns(() => this.#state.notify({ type: 'change' }))
  readonly #closing = new AbortController()
  readonly #spawn: ((workerUrl?: string) => Promise<SpawnedHost>) | undefined
  // The part that needs a host; undefined until it is loaded.
  #connected: AgentClient | undefined
  #loading: Promise<AgentClient> | undefined
  // The agent's place in the list of sessions of its tab; claimed when the agent or its element starts.
  #slot: SessionSlot | undefined
  #hasClaimed = false
  // There was a session to open when the agent started.
  #isResuming = false
  // Resolves when the host of the closed agent has released its session.
  #released = Promise.resolve()
  #renderers: ReadonlyMap<string, ToolRenderer> = new Map()
  #options: AgentOptions

  /** @throws `invalid-option`, `invalid-tool`, `duplicate-tool` */
  constructor(options?: AgentOptions)
  /** @internal `spawn` starts the host. */
  constructor(options?: AgentOptions, spawn?: (workerUrl?: string) => Promise<SpawnedHost>)
  constructor(options: AgentOptions = {}, spawn?: (workerUrl?: string) => Promise<SpawnedHost>) {
    this.#options = parseOptions(options)
    this.#spawn = spawn
    if (this.#options.debug) log.setDebug(true)
    this.#registry = new ToolRegistry({ onError: (failure) => this.#state.report(failure) })
    this.sessions = lazySessions((call) => this.#use(call))
    this.#registry.onChange(() => this.#state.notify({ type: 'change' }))
    this.#state.observe(({ type }) => {
      if (type === 'session') this.#announceTwins()
    })
    if (this.#options.tools) this.#registry.register(this.#options.tools)
  }

  /** The options that were set, without defaults. */
  get options(): Readonly<AgentOptions> {
    return this.#options
  }
  /** The open session; undefined until one is open. Immutable: every change replaces it. */
  get session(): Session | undefined {
    return this.#state.session
  }
  /** The messages of the session, oldest first; the newest ones of a long session (see `loadOlder`). */
  get messages(): readonly Message[] {
    return this.session?.messages ?? []
  }
  /**
   * The calls that wait for the user, in order, with those of agents inside calls. Each has an `approval`: decide with
   * `approve(part.call.id)` or `deny(part.call.id)`. A running tool asks `approval.asks`: use `answer(part.call.id)`.
   */
  get questions(): readonly ToolCallPart[] {
    return pendingApprovals(this.messages).map(({ part }) => part)
  }
  /** The todo list that the model keeps. */
  get todos(): readonly Todo[] {
    return this.session?.todos ?? []
  }
  /**
   * Tokens of all model calls of the session, as far as the endpoint reported them: also those of replaced answers, of
   * agents that ran as tools, and of summaries. Empty if it reported none. A session of an older version counts from
   * its next call.
   */
  get usage(): Usage {
    return this.session?.usage ?? {}
  }
  /** What the agent is doing. */
  get status(): AgentStatus {
    if (this.session) return this.session.status
    return this.#isResuming || this.#options.sessionId !== undefined ? 'loading' : 'ready'
  }
  /** Where the host runs; undefined until a session is open. */
  get host(): HostKind | undefined {
    return this.session && this.#connected?.link.connection.kind
  }
  /** Whether this page drives the session or mirrors another tab; undefined until a session is open. */
  get role(): AgentRole | undefined {
    return this.session && (this.#state.isDriver ? 'driver' : 'mirror')
  }
  /**
   * Where the session is stored: `indexeddb`, `server` (a database of your server) or `memory`, where it is lost with
   * the page. Undefined until one is open.
   */
  get storage(): StorageKind | undefined {
    return this.#state.storage
  }
  /** The newest error that belongs to no turn; null if there is none or it was dismissed. */
  get error(): Failure | null {
    return this.#state.error
  }
  /**
   * The newest progress value of each running call. While the browser downloads its built-in model, the key
   * `model-download` has the part that has arrived, from 0 to 1. Immutable: every change replaces it.
   */
  get progress(): ReadonlyMap<CallId, JsonValue> {
    return this.#state.progress
  }
  /** The renderers by the name of their tool. Immutable: every change replaces it. */
  get renderers(): ReadonlyMap<string, ToolRenderer> {
    return this.#renderers
  }
  /**
   * The messages that wait for their turn, oldest first, each from the call of `send` on, with `turn` (the id that
   * `drop` takes), `text` and `parts`.
   */
  get queue(): readonly QueuedMessage[] {
    return this.#pending.queue
  }
  /** The registered tools; those of providers and of single sends are not included. */
  get tools(): readonly RegisteredTool[] {
    return this.#registry.entries().map((entry) => {
      const { name, title, description, inputSchema, annotations } = this.#registry.describe(entry, pageAddress())
      return { name, title: title ?? name, description, inputSchema, annotations, tool: entry.tool }
    })
  }

  /** Replaces all options, from the next step on. @throws `invalid-option`, and changes nothing then */
  configure(options: AgentOptions): void {
    this.#options = parseOptions(options)
    if (this.#options.debug) log.setDebug(true)
    this.#connected?.turns.configure()
    this.#state.notify({ type: 'change' })
  }

  /**
   * @internal Sets one option; undefined restores the default. An option that protects the visitor gets its strictest
   * value if the given one is wrong: who calls this shows the error and goes on. @throws `invalid-option`
   */
  setOption(name: string, value: unknown): void {
    try {
      this.configure({ ...this.#options, [name]: value })
    } catch (thrown) {
      const strictest = Object.hasOwn(agentOptions, name)
        ? agentOptions[name as keyof AgentOptions].strictest
        : undefined
      if (strictest !== undefined) this.configure({ ...this.#options, [name]: strictest() })
      throw thrown
    }
  }

  /**
   * @internal Shows a mistake of a component in its options or tools, in a later task, so that the component's element
   * observes the agent by then. Returns the function that removes it.
   */
  reportProblem(failure: Failure): () => void {
    log.logError(failure, failure.message)
    let remove: (() => void) | undefined
    const timer = setTimeout(() => {
      remove = this.#state.addProblem(failure)
    })
    return () => {
      clearTimeout(timer)
      remove?.()
    }
  }

  /** @internal The mistakes that `reportProblem` shows, until they are corrected. */
  get problems(): readonly Failure[] {
    return this.#state.problems
  }

  /** Sets `error` to null. */
  dismissError(): void {
    this.#state.dismissError()
  }

  /**
   * Calls the listener with every event of the session, durable and transient. `path` has the ids of the calls whose
   * sub-agents emitted the event, outermost first; it is empty for the agent's own. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.observe((notice) => {
      if (notice.type === 'event') listener(notice.event, notice.path)
    })
  }

  /** For views: calls the listener after every change of what the agent shows. Returns a function that unsubscribes. */
  observe(listener: (notice: Notice) => void): () => void {
    return this.#state.observe(listener)
  }

  /**
   * @internal For the DOM event `tool-agent-tool-call`; pages use `hooks.beforeTool`. Calls the listener before a call
   * runs, after validation and before approval. A listener that returns false refuses the call. Must not throw. Returns
   * a function that removes the listener.
   */
  onToolCall(listener: (call: ToolCall, input: JsonValue) => boolean): () => void {
    this.#toolCallListeners.add(listener)
    return () => this.#toolCallListeners.delete(listener)
  }

  /**
   * Registers one or more tools, all or none. They are offered from the next step on. Returns a function that
   * unregisters exactly these. Their schemas are compiled when the agent is connected: a tool whose schema cannot be
   * used is removed then, and reported as `invalid-tool` like other errors of the agent. @throws `invalid-tool`,
   * `duplicate-tool`
   */
  registerTool<const S extends Schema, Output, const C extends Schema = never>(
    tool: ToolWith<S, Output, C>,
    options?: RegisterOptions,
  ): () => void
  /** The same for a tool without parameters. */
  registerTool<Output, const C extends Schema = never>(
    tool: ToolWithoutInput<Output, C>,
    options?: RegisterOptions,
  ): () => void
  /** The same for tools whose types are not inferred, and for several tools at once. */
  registerTool(tool: AnyTool | readonly AnyTool[], options?: RegisterOptions): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options: RegisterOptions = {}): () => void {
    return this.#registry.register(tool, options)
  }

  /** @internal Tools are being loaded and registered: messages wait for them. */
  expectTools(loading: Promise<unknown>): void {
    this.#registry.expect(loading)
  }

  /**
   * Registers a function that returns tools; it runs before each step. Returns a function that unregisters it, as
   * aborting `signal` does. @throws `invalid-option`
   */
  registerToolProvider(provider: ToolProvider, { signal }: { signal?: AbortSignal } = {}): () => void {
    checkFunction(provider, 'registerToolProvider')
    const remove = () => {
      this.#providers.delete(provider)
      signal?.removeEventListener('abort', remove)
    }
    if (!signal?.aborted) this.#providers.add(provider)
    signal?.addEventListener('abort', remove, { once: true })
    return remove
  }

  /**
   * Draws the calls of the tool `name` with a function of the page. Returns a function that undoes it. @throws
   * `invalid-option`
   */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    checkFunction(renderer, 'registerToolRenderer')
    const replace = (renderers: Iterable<readonly [string, ToolRenderer]>) => {
      this.#renderers = new Map(renderers)
      this.#state.notify({ type: 'change' })
    }
    replace([...this.#renderers, [name, renderer]])
    return () => {
      if (this.#renderers.get(name) === renderer) replace([...this.#renderers].filter(([one]) => one !== name))
    }
  }

  /**
   * Starts the host and opens the session, once; every method that needs them does so itself. Resolves when the schemas
   * of all tools are compiled, too. After a failure the next call tries again. Rejects with `closed`, `host-lost` or
   * `storage`.
   */
  connect(): Promise<void> {
    return this.#use((agent) => agent.connect())
  }

  /** @internal The user is about to write a message: does what it needs before it is sent. */
  warmUp(): void {
    this.#connected?.turns.warmUp()
  }

  /**
   * @internal Takes the agent's place among the sessions of its tab, and closes the agent that this one replaces.
   * Returns whether there is a session to open: one that the options name, or one that this tab had open.
   */
  claimSession(): boolean {
    if (!this.#hasClaimed) {
      this.#hasClaimed = true
      this.#replaceOther()
      if (typeof document === 'object') inPage.add(this)
    }
    const before = this.status
    this.#isResuming = this.#options.sessionId !== undefined || this.#claimSlot().saved() !== undefined
    if (this.status !== before) this.#state.notify({ type: 'change' })
    return this.#isResuming
  }

  /** @internal Whether the options name a model. */
  get hasModel(): boolean {
    return hasModel(this.#options)
  }

  /** @internal Whether another agent of this page has the same session open, so that one of them can only mirror it. */
  get isShownTwice(): boolean {
    return this.#othersWithSession().length > 0
  }

  /** Agents of this page with the session of this one. */
  #othersWithSession(): Agent[] {
    const { id, scope } = this.session ?? {}
    if (id === undefined) return []
    return [...inPage].filter((one) => one !== this && one.session?.id === id && one.session.scope === scope)
  }

  /** The sentence of the other view depends on whether this one has the same session. */
  #announceTwins(): void {
    const others = this.#othersWithSession()
    for (const other of others) other.#state.notify({ type: 'change' })
    if (others.length > 0)
      log.logWarning(
        `Session "${this.session?.id ?? ''}" is open in two assistants of this page, and one mirrors it. ` +
          'Give one of them another session-id or scope, or both one agent.',
        `twice ${this.session?.id ?? ''}`,
      )
  }

  /** @internal Whether the agent is connected or connecting. */
  get isConnecting(): boolean {
    return this.#connected?.link.connected !== undefined
  }

  /**
   * @internal Lets the next agent of the same scope and session id call `release` when it starts, because this agent's
   * element was removed from the document. `release` must close this agent. Undefined revokes it.
   */
  leave(release: (() => void) | undefined): void {
    if (release) replaceable.set(this, release)
    else replaceable.delete(this)
  }

  /**
   * Sends a message and resolves with the result of its turn, however the turn ended. Rejects if it ended with an
   * error, whose `turn` is the result so far. A rejection that is not handled is not reported as an unhandled one. With
   * the option `output`, the result has a validated `object`.
   */
  send<const S extends Schema>(
    input: SendInput,
    options: SendOptions & { readonly output: S },
  ): Promise<TurnResult<InputOf<S>>>
  /** The same without an object. */
  send(input: SendInput, options?: SendOptions): Promise<TurnResult>
  send(input: SendInput, options: SendOptions = {}): Promise<TurnResult> {
    return ignoreRejection(this.#send(input, options))
  }

  async #send(input: SendInput, options: SendOptions): Promise<TurnResult> {
    this.#closing.signal.throwIfAborted()
    const message = parseInput(input)
    // The other options are checked by the code that is loaded now.
    const signal = isObject(options) && options['signal'] instanceof AbortSignal ? options['signal'] : undefined
    signal?.throwIfAborted()
    const turn = randomId()
    const cancelled = this.#pending.prepare({ turn, ...message })
    const onAbort = () => void this.#pending.drop(turn, signal?.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      return await untilAborted(
        this.#use(({ turns }) => turns.send({ turn, message, options, cancelled })),
        cancelled,
      )
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#pending.endPreparing(turn)
    }
  }

  /**
   * Sends a message and lets the caller run the tools: an async iterator whose values are the model calls of the turn,
   * and whose return value is the result of the turn. Nothing is sent before the first `next()`. Leaving the loop stops
   * the turn. A reload ends it.
   */
  step(input: SendInput, options: SendOptions = {}): Steps {
    const loading = ignoreRejection(this.#use((agent) => agent.step(input, options)))
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => loading.then((steps) => steps.next()),
      return: () => loading.then((steps) => steps.return()),
    }
  }

  /** Continues a turn that was interrupted or reached a limit; resolves and rejects as `send` does. */
  continue(): Promise<TurnResult> {
    return ignoreRejection(this.#use(({ turns }) => turns.continue()))
  }

  /**
   * Lets the model answer the newest message again. The earlier answer stays in the session (`replaced`) and is not
   * sent any more; calls that ran stay known to the model. Uses the options that `continue()` keeps. Resolves and
   * rejects as `send` does; `invalid-option` if a turn is running or there is none.
   */
  regenerate(): Promise<TurnResult> {
    return ignoreRejection(this.#use((agent) => agent.replace()))
  }

  /** Replaces the newest message of the user and lets the model answer it, as `regenerate()` does. */
  editLast(input: SendInput): Promise<TurnResult> {
    return ignoreRejection(this.#use((agent) => agent.replace(input)))
  }

  /** Ends the pause before a failed model call is repeated. Does nothing if the turn is not in such a pause. */
  skipRetryDelay(): void {
    this.#connected?.link.connection.post({ type: 'control', do: 'retry' })
  }

  /** Stops the running turn, and removes the messages that wait; their sends reject with `cancelled`. */
  stop(): void {
    if (this.#connected) this.#connected.stop()
    else this.#pending.stop()
  }

  /** Removes one message from the queue; its send rejects with `cancelled`. `turn` is its id in `queue`. */
  drop(turn: string): void {
    if (this.#connected) this.#connected.turns.drop(turn)
    else this.#pending.drop(turn)
  }

  /**
   * Approves a call that awaits approval. Ignored if the call was decided already. Rejects with `invalid-input` if
   * edited arguments do not match the schema (the call still awaits approval then), and with `invalid-option` for an
   * unknown id, and for `remember` or `for` where the question does not offer it.
   */
  approve(callId: CallId, options: ApproveOptions = {}): Promise<void> {
    return this.#use(({ decisions }) => decisions.approve(callId, options))
  }

  /** Ends what `approve` allowed beyond one call, for the task and for the session. Does nothing without any. */
  endGrants(): void {
    this.#connected?.link.connection.post({ type: 'control', do: 'end-grants' })
  }

  /**
   * Answers what a running tool asks (`part.approval.asks`). Ignored if the call waits for nothing any more. Rejects
   * with `invalid-input` if the content does not match the schema (the question stays then), and with `invalid-option`
   * for an unknown id and a call that asks nothing.
   */
  answer(callId: CallId, answer: AskResult): Promise<void> {
    return this.#use(({ decisions }) => decisions.answer(callId, answer))
  }

  /** Denies a call that awaits approval. Ignored if the call was decided already. Rejects as `approve` does. */
  deny(callId: CallId, options: DenyOptions = {}): Promise<void> {
    return this.#use(({ decisions }) => decisions.deny(callId, options))
  }

  /** @internal The tool of a call that awaits approval; undefined if this page does not offer it. */
  approvalTool(callId: CallId): Promise<ApprovalTool | undefined> {
    return this.#use(({ decisions }) => decisions.tool(callId))
  }

  /**
   * Makes this page the driver of its session, as sending does. A turn that runs in another tab ends as interrupted.
   * Rejects with the reason if this page cannot become the driver.
   */
  takeOver(): Promise<void> {
    return this.#use((agent) => agent.takeOver())
  }

  /**
   * Aborts running tools, keeps the turn resumable and releases the session; resolves when that is done. The agent
   * cannot be used again: every send that is pending or follows rejects with `closed`. In Node the process can exit
   * then.
   */
  close(): Promise<void> {
    if (!this.#closing.signal.aborted) {
      this.#closing.abort(new ToolAgentError('closed', 'The agent was closed; create a new one'))
      replaceable.delete(this)
      inPage.delete(this)
      this.#slot?.release()
      this.#pending.dropAll(this.#closing.signal.reason)
      this.#released = this.#connected?.link.close() ?? this.#released
    }
    return this.#released
  }

  /**
   * Runs a registered tool without a model: with validation, time limit and exclusive lock, without approval, and
   * without a message in the session. Rejects with the error of the tool.
   */
  callTool(name: string, input: JsonValue = {}, options: CallToolOptions = {}): Promise<unknown> {
    return this.#use((agent) => agent.callTool(name, input, options))
  }

  /** @internal The newest task that can be undone, or that was. */
  get undoable(): UndoableTask | undefined {
    return this.#connected?.undo.task
  }

  /**
   * @internal Undoes that task, or one line of it, or puts back the values of its fields. Rejects if the session cannot
   * be written.
   */
  undoTask(did: 'undo' | 'redo', line?: CallId): Promise<UndoOutcome> {
    return this.#use(({ undo }) => undo.change(did, line))
  }

  /** @internal Puts back one field that a call of that task has changed. */
  undoField(callId: CallId, label: string): Promise<void> {
    return this.#use(({ undo }) => undo.changeField(callId, label))
  }

  /**
   * Sets a key of the session's tool context; undefined deletes it. @throws `invalid-option` if the value is not JSON
   */
  remember(key: string, value: JsonValue | undefined): void {
    const change = contextChange(key, value)
    this.#use((agent) => agent.remember(change)).catch((thrown: unknown) =>
      this.#state.report(toFailure(thrown, 'storage')),
    )
  }

  /**
   * The state that the page shares with an agent on a server (`provider="ag-ui"`), as JSON; undefined until one of them
   * has set it. The agent may change it while it answers, which `observe` reports. What the page sets is sent with the
   * next run. At most 256 KB. Immutable. @throws `invalid-option` if the value is not JSON
   */
  get state(): JsonValue | undefined {
    return this.session?.draft?.state ?? this.session?.state
  }
  set state(state: JsonValue | undefined) {
    const { value = null } = contextChange('state', state)
    this.#use((agent) => agent.setState(value)).catch((thrown: unknown) =>
      this.#state.report(toFailure(thrown, 'storage')),
    )
  }

  /**
   * Loads up to 50 messages that are older than `messages`, if there are any. Rejects with `not-open` until a session
   * is open.
   */
  async loadOlder(): Promise<void> {
    this.#state.opened()
    return this.#use((agent) => agent.loadOlder())
  }

  /** The whole text of a tool result that was shortened in the session; undefined if none is stored. */
  resultText(callId: CallId): Promise<string | undefined> {
    return this.#use((agent) => agent.resultText(callId))
  }

  /**
   * What happened since the session was opened, as JSON: for bug reports, and for `replayTrace` in tests. With `debug`
   * it includes requests and responses. It never includes headers, credentials or values of the tool context. Rejects
   * with `not-open` until a session is open.
   */
  async exportTrace(): Promise<Trace> {
    await this.#registry.ready()
    const { host = '', storage = '', tools, options } = this
    this.#state.opened()
    // Also after `close`, so not with `#use`. An agent with a session is connected.
    const connected = this.#connected as AgentClient
    return connected.replica.recorder.export({ host, storage, tools, options })
  }

  /**
   * Calls `use` with the part that needs a host: immediately if it is loaded. After a failure to load, the next call
   * tries again. Rejects with `closed` after `close()`.
   */
  async #use<T>(use: (agent: AgentClient) => T | Promise<T>): Promise<T> {
    const { signal } = this.#closing
    signal.throwIfAborted()
    // Before anything is awaited, because the agents of a page get their slots in the order in which they start.
    if (!this.#hasClaimed) this.claimSession()
    const agent = this.#connected ?? (await this.#load())
    signal.throwIfAborted()
    return use(agent)
  }

  #load(): Promise<AgentClient> {
    this.#loading ??= loadExplained(globalThis, importClient, { has: 'AgentClient' }).then(
      ({ AgentClient }) =>
        (this.#connected = new AgentClient({
          state: this.#state,
          pending: this.#pending,
          registry: this.#registry,
          providers: this.#providers,
          lock: this.#lock,
          closed: this.#closing.signal,
          spawn: this.#spawn,
          options: () => this.#options,
          slot: (sessionId) => this.#claimSlot(sessionId),
          isAllowed: (call, input) => [...this.#toolCallListeners].every((listener) => listener(call, input)),
        })),
      (thrown: unknown) => {
        this.#loading = undefined
        throw thrown
      },
    )
    return this.#loading
  }

  /** The agent's slot in the list of sessions of this tab. Each scope has its own list. */
  #claimSlot(sessionId?: string): SessionSlot {
    const { scope = '' } = this.#options
    if (this.#slot?.scope === scope) return this.#slot
    this.#slot?.release()
    return (this.#slot = claimSlot(scope, openHere, sessionId))
  }

  /** Closes the agent that this one replaces, if there is one, so that its slot is free. */
  #replaceOther(): void {
    const { scope = '', sessionId } = this.#options
    for (const [agent, release] of replaceable) {
      const other = agent.#options
      if (agent !== this && (other.scope ?? '') === scope && other.sessionId === sessionId) return release()
    }
  }
}

/** @internal Imports what an agent needs for its first use. The import itself starts nothing. */
export const importClient = () => import('./client/agent-client.js')

/**
 * Creates an agent without an element. In a page it opens its session immediately, elsewhere when it is first needed.
 * @throws `invalid-option`, `invalid-tool`, `duplicate-tool`
 */
export function createAgent(options: AgentOptions = {}): Agent {
  const agent = new Agent(options)
  if (typeof document === 'object')
    whenSeen(() => {
      agent.connect().catch((thrown: unknown) => log.logError(toFailure(thrown, 'host-lost')))
    })
  return agent
}

/**
 * @internal Calls `begin` in a microtask; on a prerendered page only when the page is shown, because a page that
 * is never shown must not start a worker and open a database.
 */
export function whenSeen(begin: () => void): void {
  const page: Document & { readonly prerendering?: unknown } = unclobbered(document)
  // Without the property, an element with its name is found, so the value must be compared.
  if (page.prerendering === true) page.addEventListener('prerenderingchange', begin, { once: true })
  else queueMicrotask(begin)
}

/** The methods of `agent.sessions`. The compiler reports one that is missing here. */
const sessionMethods: Readonly<Record<keyof AgentSessions, true>> = {
  list: true,
  create: true,
  open: true,
  rename: true,
  delete: true,
  clear: true,
  export: true,
  file: true,
  import: true,
  stored: true,
}

/**
 * `agent.sessions` of an agent that may not be connected yet: the first call of a method loads `AgentSessions`. `use`
 * calls its argument when the code is loaded.
 */
function lazySessions(use: (call: (client: AgentClient) => Promise<unknown>) => Promise<unknown>): AgentSessions {
  const entries = Object.keys(sessionMethods).map((name) => [
    name,
    (...given: unknown[]) =>
      use(({ sessions }) => Reflect.apply(sessions[name as keyof AgentSessions], sessions, given) as Promise<unknown>),
  ])
  return Object.fromEntries(entries) as AgentSessions
}
