// An agent for specs of the view. A spec sets the session as plain data or changes it with events, through the real
// `reduce`. The agent records what the view requests.
import { toErrorValue, ToolAgentError, type Failure } from '../../../src/core/data/errors.js'
import type { AgentEvent } from '../../../src/core/data/event.js'
import type { JsonValue } from '../../../src/core/data/json.js'
import type { CallId, ToolCall } from '../../../src/core/data/message.js'
import { reduce } from '../../../src/core/state/reduce.js'
import { emptySession, type Session, type SessionSummary } from '../../../src/core/data/session.js'
import type {
  AgentRole,
  AgentStatus,
  HostKind,
  Notice,
  QueuedMessage,
  RegisteredTool,
  ToolRenderer,
} from '../../../src/page/agent.js'
import { parseInput } from '../../../src/page/checks.js'
import type { UndoableTask, UndoOutcome } from '../../../src/page/client/task-undo.js'
import type { AgentOptions, SendInput } from '../../../src/page/options.js'

export class FakeAgent {
  options: AgentOptions = {}
  session: Session | undefined = emptySession('session-1', '', 1)
  tools: readonly RegisteredTool[] = []
  host: HostKind | undefined = 'worker'
  role: AgentRole | undefined = 'driver'
  storage: 'indexeddb' | 'memory' | undefined = 'indexeddb'
  queue: readonly QueuedMessage[] = []
  /** The task that can be undone, and what its button does after the next press. */
  undoable: UndoableTask | undefined
  next: Partial<UndoableTask> | undefined
  error: Failure | null = null
  readonly progress = new Map<CallId, JsonValue>()
  /** Every method that the panel called, with its arguments. */
  readonly asked: { method: string; args: unknown[] }[] = []
  /** Method name → the failure that its next call rejects with. */
  readonly failures = new Map<string, Failure>()
  /** Methods whose calls stay pending until they are rejected. */
  readonly held = new Set<string>()
  #waiting: ((error: ToolAgentError) => void)[] = []
  stored: readonly SessionSummary[] = []
  older: Session['messages'] = []
  results = new Map<CallId, string>()
  /** Tool name → what `callTool` returns. */
  outputs = new Map<string, unknown>()
  #observers = new Set<(notice: Notice) => void>()
  #toolCallListeners = new Set<(call: ToolCall, input: JsonValue) => boolean>()

  get messages(): Session['messages'] {
    return this.session?.messages ?? []
  }
  get todos(): Session['todos'] {
    return this.session?.todos ?? []
  }
  get status(): AgentStatus {
    return this.session?.status ?? 'loading'
  }

  /** Applies an event to the session, as a host does. */
  emit(event: AgentEvent, path: readonly CallId[] = []): void {
    if (this.session !== undefined) this.session = reduce(this.session, event, path)
    if (event.type === 'tool-progress') this.progress.set(event.callId, event.value)
    this.#notify({ type: 'event', path, event })
  }

  /** Sets another session, or another state of this one. */
  show(session: Partial<Session> | undefined): void {
    this.session = session === undefined ? undefined : { ...emptySession('session-1', '', 1), ...session }
    this.#notify({ type: 'session' })
  }

  set(change: Partial<Pick<FakeAgent, 'host' | 'role' | 'storage' | 'error' | 'tools' | 'undoable'>>): void {
    Object.assign(this, change)
    this.#notify({ type: 'change' })
  }

  /** Sets the messages that wait: the texts with the ids of their turns. */
  wait(...queue: readonly { turn: string; text: string }[]): void {
    this.queue = queue.map(({ turn, text }) => ({ turn, text, parts: [{ type: 'text', text }] }))
    this.#notify({ type: 'change' })
  }

  report(error: Failure): void {
    this.error = error
    this.#notify({ type: 'error', error })
  }

  /** Rejects all pending calls in order, each in its own task, as port messages arrive. */
  refuse(failure: Failure): void {
    for (const reject of this.#waiting.splice(0))
      setTimeout(() => {
        reject(new ToolAgentError(failure.code, failure.message))
      })
  }

  async exportTrace(): Promise<unknown> {
    return { version: 1, session: this.session, events: [] }
  }

  /** Whether the page's listeners allow a call. */
  allows(call: ToolCall): boolean {
    return [...this.#toolCallListeners].every((listener) => listener(call, call.input))
  }

  observe(listener: (notice: Notice) => void): () => void {
    this.#observers.add(listener)
    return () => this.#observers.delete(listener)
  }

  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.observe((notice) => {
      if (notice.type === 'event') listener(notice.event, notice.path)
    })
  }

  renderers: ReadonlyMap<string, ToolRenderer> = new Map()
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    this.renderers = new Map(this.renderers).set(name, renderer)
    this.#notify({ type: 'change' })
    return () => undefined
  }

  onToolCall(listener: (call: ToolCall, input: JsonValue) => boolean): () => void {
    this.#toolCallListeners.add(listener)
    return () => this.#toolCallListeners.delete(listener)
  }

  configure(options: AgentOptions): void {
    this.options = options
    this.#notify({ type: 'change' })
  }

  warmUp(): void {
    // Nothing to prepare.
  }

  dismissError(): void {
    this.set({ error: null })
  }
  registerTool(...args: unknown[]): () => void {
    return this.#note('registerTool', args, () => {
      this.#note('unregister', args, undefined)
    })
  }
  registerToolProvider(...args: unknown[]): () => void {
    return this.#note('registerToolProvider', args, () => {})
  }
  drop(...args: unknown[]): void {
    this.#note('drop', args, undefined)
  }
  stop(): void {
    this.#note('stop', [], undefined)
  }
  close(): void {
    this.#note('close', [], undefined)
  }
  leave(): void {}
  async connect(): Promise<void> {}
  async send(...args: unknown[]): Promise<unknown> {
    const [input] = args as [SendInput]
    const turn = `sent-${this.asked.length}`
    const message = { turn, ...parseInput(input) }
    this.queue = [...this.queue, message]
    this.#notify({ type: 'change' })
    try {
      return await this.#answer('send', args, {})
    } finally {
      this.queue = this.queue.filter((one) => one !== message)
      this.#notify({ type: 'change' })
    }
  }
  async continue(): Promise<unknown> {
    return this.#answer('continue', [], {})
  }
  async regenerate(): Promise<unknown> {
    return this.#answer('regenerate', [], {})
  }
  async editLast(...args: unknown[]): Promise<unknown> {
    return this.#answer('editLast', args, {})
  }
  skipRetryDelay(): void {
    this.#note('skipRetryDelay', [], undefined)
  }
  async approve(...args: unknown[]): Promise<unknown> {
    return this.#answer('approve', args, undefined)
  }
  async answer(...args: unknown[]): Promise<unknown> {
    return this.#answer('answer', args, undefined)
  }
  async deny(...args: unknown[]): Promise<unknown> {
    return this.#answer('deny', args, undefined)
  }
  /** Call id → the tool that its question asks for. */
  readonly approvalTools = new Map<CallId, unknown>()
  async approvalTool(callId: CallId): Promise<unknown> {
    return this.approvalTools.get(callId)
  }
  endGrants(): void {
    this.#note('endGrants', [], undefined)
  }
  async takeOver(): Promise<unknown> {
    return this.#answer('takeOver', [], undefined)
  }
  async callTool(...args: unknown[]): Promise<unknown> {
    return this.#answer('callTool', args, this.outputs.get(String(args[0])))
  }
  /** What `undoTask` resolves with. The button changes its direction then, unless `next` is set. */
  outcome: Partial<UndoOutcome> = {}
  async undoTask(did: 'undo' | 'redo', line?: CallId): Promise<unknown> {
    const none = { did, done: 1, kept: [], lost: [], saved: [], failed: [], late: [], stays: [] }
    const outcome = await this.#answer('undoTask', line === undefined ? [did] : [did, line], {
      ...none,
      ...this.outcome,
    })
    const task = this.undoable
    const { can } = this.next ?? { can: did === 'undo' ? 'redo' : 'undo' }
    const lines = task?.lines.map((one) => (line === undefined || line === one.callId ? { ...one, can } : one)) ?? []
    const left = lines.find((one) => one.can === 'undo') ?? lines.find((one) => one.can === 'redo')
    if (task) this.set({ undoable: { lines, can: left?.can } })
    return outcome
  }
  async resultText(callId: CallId): Promise<unknown> {
    return this.#answer('resultText', [callId], this.results.get(callId))
  }

  async loadOlder(): Promise<unknown> {
    if (this.session !== undefined && this.older.length > 0) {
      this.session = {
        ...this.session,
        start: this.session.start - this.older.length,
        messages: [...this.older, ...this.session.messages],
      }
      this.older = []
      this.#notify({ type: 'change' })
    }
    return this.#answer('loadOlder', [], undefined)
  }

  readonly sessions = {
    list: async () => this.stored,
    create: async () => {
      this.show({ id: 'created' })
      return this.#answer('create', [], 'created')
    },
    open: async (id: string) => {
      this.show({ id })
      return this.#answer('open', [id], undefined)
    },
    rename: async (id: string, title: string) => {
      this.stored = this.stored.map((one) => (one.id === id ? { ...one, title } : one))
      return this.#answer('rename', [id, title], undefined)
    },
    delete: async (id: string) => {
      this.stored = this.stored.filter((one) => one.id !== id)
      return this.#answer('delete', [id], undefined)
    },
    export: async (id?: string) => this.#answer('export', [id], { format: 'tool-agent-session' }),
    stored: async () => this.session,
  }

  async #answer<T>(method: string, args: unknown[], value: T): Promise<T> {
    this.#note(method, args, undefined)
    if (this.held.has(method))
      await new Promise((_resolve, reject) => {
        this.#waiting.push(reject)
      })
    const failure = this.failures.get(method)
    this.failures.delete(method)
    if (failure !== undefined) throw toErrorValue(failure)
    return value
  }

  #note<T>(method: string, args: unknown[], value: T): T {
    this.asked.push({ method, args })
    return value
  }

  #notify(notice: Notice): void {
    for (const observer of this.#observers) observer(notice)
  }
}
