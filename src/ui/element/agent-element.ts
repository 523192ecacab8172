// The element without what it shows: attributes and properties become options of its agent, the agent's events become
// DOM events, its methods are the agent's. Draws nothing, needs no Lit.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { Todo } from '../../core/data/todo.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { Agent, AgentRole, AgentStatus, HostKind, Notice, RegisteredTool, ToolRenderer } from '../../page/agent.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { AgentOptions, SendInput, SendOptions } from '../../page/options.js'
import type { Steps } from '../../page/stepped-turn.js'
import type { AnyTool, Schema, ToolProvider, ToolWith } from '../../page/tools/tool.js'
import { AgentController } from './agent-controller.js'
import { ToolAgentErrorEvent, ToolAgentToolCallEvent } from './element-events.js'
import {
  agentProperties,
  attributeProperties,
  attributeValue,
  checkSetting,
  settingProperties,
  wrongAttributes,
  type Layout,
  type Settings,
} from './element-options.js'
import { domEvents } from './dom-events.js'
import { PageTools } from './load-page-tools.js'

// A server has no HTMLElement, and importing the entry there must not fail.
const Base = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement)
const defaults: Settings = { layout: 'inline', open: false }

// Declared apart from the class: the accessors are made from one table, and a class field would hide them.
export interface AgentElement extends Omit<AgentOptions, 'tools'>, Omit<Settings, 'layout' | 'open'> {
  layout: Layout
  open: boolean
}
export class AgentElement extends Base {
  static get observedAttributes(): string[] {
    return [...attributeProperties.keys(), ...wrongAttributes.keys()]
  }

  static {
    const accessor = (
      name: string,
      get: (element: AgentElement) => unknown,
      set: (element: AgentElement, value: unknown) => void,
    ): void => {
      Object.defineProperty(this.prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: AgentElement): unknown {
          return get(this)
        },
        set(this: AgentElement, value: unknown) {
          set(this, value ?? undefined)
        },
      })
    }
    for (const name of agentProperties) {
      accessor(
        name,
        (element) => element.#bond.option(name),
        (element, value) => {
          element.#setOption(name, value)
        },
      )
    }
    for (const name of settingProperties) {
      accessor(
        name,
        (element) => element.#settings[name] ?? defaults[name],
        (element, value) => {
          element.#setSetting(name, value)
        },
      )
    }
  }

  readonly #bond = new AgentController({
    hear: (notice, agent) => {
      this.#hear(notice, agent)
    },
    allows: (call, input) => this.dispatchEvent(new ToolAgentToolCallEvent(call, input)),
    problem: (name, failure) => {
      this.#problem(name, failure)
    },
    solved: (name) => {
      this.#solved(name)
    },
  })
  readonly #pageTools = new PageTools()
  readonly #problems = new Map<string, Failure>()
  #settings: Settings = {}
  /** Set before the upgrade: kept, and wins over what the markup says. */
  #kept = new Map<string, unknown>()
  readonly #outvoted = new Set<string>()

  constructor() {
    super()
    for (const name of [...agentProperties, ...settingProperties, 'agent']) {
      if (!Object.hasOwn(this, name)) continue
      this.#kept.set(name, Reflect.get(this, name))
      Reflect.deleteProperty(this, name)
    }
    if (this.#kept.size > 0)
      queueMicrotask(() => {
        this.#upgrade()
      })
  }

  /** The agent: the one that was given, else the element's own, made when it is first needed. */
  get agent(): Agent {
    return this.#bond.agent
  }

  /** null: the element has one of its own again. */
  set agent(agent: Agent | null | undefined) {
    if (agent !== null && agent !== undefined && typeof agent.observe !== 'function') {
      throw new ToolAgentError('invalid-option', 'agent: an Agent is needed, as createAgent(options) gives it')
    }
    this.#bond.give(agent ?? undefined)
    this.changed()
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    this.#upgrade()
    const property = attributeProperties.get(name)
    if (property !== undefined && this.#outvoted.delete(property)) return
    const wrong = wrongAttributes.get(name)
    if (wrong !== undefined) {
      this.#attempt(name, () => {
        if (text !== null) throw new ToolAgentError('invalid-option', wrong)
      })
    } else if (property !== undefined && (text !== before || Reflect.get(this, property) !== text)) {
      // A script may have set another since.
      this.#attempt(property, () => {
        Reflect.set(this, property, text === null ? undefined : attributeValue(property, text))
      })
    }
  }

  connectedCallback(): void {
    this.#upgrade()
    this.#bond.enter()
  }

  disconnectedCallback(): void {
    this.#bond.exit()
  }

  registerTool<const S extends Schema, Output>(
    tool: ToolWith<S, Output>,
    options?: { signal?: AbortSignal; replace?: boolean },
  ): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options?: { signal?: AbortSignal; replace?: boolean }): () => void
  registerTool(
    tool: AnyTool | readonly AnyTool[],
    options: { signal?: AbortSignal; replace?: boolean } = {},
  ): () => void {
    return this.#bond.register((agent) => agent.registerTool(tool, options), options.signal)
  }

  registerToolProvider(provider: ToolProvider, options: { signal?: AbortSignal } = {}): () => void {
    return this.#bond.register((agent) => agent.registerToolProvider(provider, options), options.signal)
  }

  /** Shows the calls of one tool in a way of their own, inside their cards. Returns the function that takes it back. */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    return this.#bond.register((agent) => agent.registerToolRenderer(name, renderer))
  }

  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.#bond.register((agent) => agent.subscribe(listener))
  }

  step(input: SendInput, options?: SendOptions): Steps {
    return this.agent.step(input, options)
  }

  send(input: SendInput, options?: SendOptions): Promise<TurnResult> {
    return this.agent.send(input, options)
  }

  continue(): Promise<TurnResult> {
    return this.agent.continue()
  }

  stop(): void {
    this.current?.stop()
  }

  async approve(callId: CallId, options?: { input?: JsonValue; reason?: string; remember?: 'session' }): Promise<void> {
    return this.agent.approve(callId, options)
  }

  async deny(callId: CallId, options?: { reason?: string }): Promise<void> {
    return this.agent.deny(callId, options)
  }

  async takeOver(): Promise<void> {
    return this.agent.takeOver()
  }

  close(): void {
    void this.current?.close()
  }

  async callTool(
    name: string,
    input?: JsonValue,
    options?: { toolContext?: ToolContext; signal?: AbortSignal },
  ): Promise<unknown> {
    return this.agent.callTool(name, input, options)
  }

  remember(key: string, value: JsonValue | undefined): void {
    this.agent.remember(key, value)
  }

  async loadOlder(): Promise<void> {
    return this.agent.loadOlder()
  }

  async exportTrace(): ReturnType<Agent['exportTrace']> {
    return this.agent.exportTrace()
  }

  get sessions(): Agent['sessions'] {
    return this.agent.sessions
  }
  get session(): Session | undefined {
    return this.current?.session
  }
  get messages(): readonly Message[] {
    return this.current?.messages ?? []
  }
  get todos(): readonly Todo[] {
    return this.current?.todos ?? []
  }
  get tools(): readonly RegisteredTool[] {
    return this.current?.tools ?? []
  }
  get status(): AgentStatus {
    return this.current?.status ?? 'loading'
  }
  get host(): HostKind | undefined {
    return this.current?.host
  }
  /** The agent's `role`, under another name because `role` of an element is its ARIA role. */
  get sessionRole(): AgentRole | undefined {
    return this.current?.role
  }
  get storage(): 'indexeddb' | 'memory' | undefined {
    return this.current?.storage
  }

  /** The agent if there is one: looking makes none. */
  protected get current(): Agent | undefined {
    return this.#bond.current
  }

  /** What is wrong with the attributes and options, and stays so until they are changed. */
  protected get problems(): readonly Failure[] {
    return [...this.#problems.values()]
  }

  /** Something was heard; its DOM events have been sent. */
  protected heard(_notice: Notice): void {}

  /** Something that is shown has changed. */
  protected changed(): void {}

  /** The page cancelled a DOM event. */
  protected prevented(_event: Event): void {}

  /** Says an error to the page. */
  protected fail(failure: Failure): void {
    this.dispatchEvent(new ToolAgentErrorEvent(toErrorValue(failure)))
  }

  /** Sets what was kept, once the whole element is constructed. */
  #upgrade(): void {
    const kept = this.#kept
    this.#kept = new Map()
    // The browser is about to tell of these attributes.
    for (const [attribute, property] of attributeProperties) {
      if (kept.has(property) && this.hasAttribute(attribute)) this.#outvoted.add(property)
    }
    for (const [name, value] of kept) {
      this.#attempt(name, () => {
        Reflect.set(this, name, value)
      })
    }
  }

  #setOption(name: string, value: unknown): void {
    this.#bond.setOption(name, value)
    this.#solved(name)
  }

  #setSetting(name: keyof Settings, value: unknown): void {
    checkSetting(name, value)
    this.#settings = { ...this.#settings, [name]: value }
    this.#solved(name)
    if (name === 'pageTools') this.#registerPageTools()
    // Styles of the page may depend on these two, such as room beside an open sidebar.
    if (name === 'open') this.toggleAttribute('open', this.open)
    if (name === 'layout' && value === undefined) this.removeAttribute('layout')
    if (name === 'layout' && value !== undefined && this.getAttribute('layout') !== value)
      this.setAttribute('layout', this.layout)
    this.changed()
  }

  /** Does what markup asks for; what is wrong with it is shown, because markup cannot catch. */
  #attempt(name: string, set: () => void): void {
    try {
      set()
      this.#solved(name)
    } catch (thrown) {
      this.#problem(name, toFailure(thrown, 'invalid-option'))
    }
  }

  #problem(name: string, failure: Failure): void {
    this.#problems.set(name, failure)
    this.changed()
    // Later than the markup, so that a script beside it has had the time to listen.
    setTimeout(() => {
      this.fail(failure)
    })
  }

  #solved(name: string): void {
    if (this.#problems.delete(name)) this.changed()
  }

  #registerPageTools(): void {
    this.#pageTools
      .change(this.pageTools, (tools) => this.registerTool(tools))
      .then(
        () => {
          this.#solved('page-tools')
        },
        (thrown: unknown) => {
          this.#problem('page-tools', toFailure(thrown, 'network'))
        },
      )
  }

  #hear(notice: Notice, agent: Agent): void {
    for (const event of domEvents(notice, agent)) if (!this.dispatchEvent(event)) this.prevented(event)
    this.heard(notice)
  }
}
