// The element's bond with its agent: attributes and properties become options, the agent's events become DOM events,
// and an agent that the element made itself lives as long as the element is in the document. Draws nothing, needs no Lit.
import { ToolAgentError, errorOf, failureOf, type Failure } from '../core/errors.js'
import type { AgentEvent } from '../core/event.js'
import type { JsonValue } from '../core/json.js'
import type { CallId, Message } from '../core/message.js'
import type { Session } from '../core/session.js'
import type { Todo } from '../core/todo.js'
import type { ToolContext } from '../core/tool.js'
import { Agent, type AgentStatus, type HostKind, type Notice, type RegisteredTool } from '../page/agent.js'
import type { AgentOptions, SendInput, SendOptions, TurnResult } from '../page/options.js'
import type { AnyTool, ToolProvider } from '../page/tool.js'
import { ToolAgentErrorEvent, ToolAgentToolCallEvent } from './element-events.js'
import { domEvents } from './event-bridge.js'
import {
  agentProperties, attributeProperties, attributeValue, checkSetting, settingProperties, wrongAttributes, type Layout, type Settings,
} from './element-options.js'
import { PageTools } from './page-tools.js'

/** How long an element may be out of the document before its own agent is closed, in milliseconds. */
const graceTime = 1000

// A server has no HTMLElement, and importing the entry there must not fail.
const Base = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement)

/** Something added through the element: added again to whatever agent it has next. */
interface Registration {
  add(agent: Agent): () => void
  undo: () => void
}

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
    for (const name of agentProperties) {
      Object.defineProperty(this.prototype, name, {
        configurable: true, enumerable: true,
        get(this: AgentElement): unknown { return this.#option(name) },
        set(this: AgentElement, value: unknown) { this.#setOption(name, value) },
      })
    }
    for (const name of settingProperties) {
      Object.defineProperty(this.prototype, name, {
        configurable: true, enumerable: true,
        get(this: AgentElement): unknown { return this.#settings[name] ?? defaults[name] },
        set(this: AgentElement, value: unknown) { this.#setSetting(name, value) },
      })
    }
  }

  #options: AgentOptions = {}
  #settings: Settings = {}
  #agent: Agent | undefined
  /** The element made the agent itself and closes it. */
  #own = false
  #hasBegun = false
  /** An option has changed that an agent at work cannot change. */
  #isMoot = false
  #leave: (() => void) | undefined
  #closing: ReturnType<typeof setTimeout> | undefined
  #registrations = new Set<Registration>()
  #pageTools = new PageTools()
  /** Set before the upgrade: kept, and wins over what the markup says. */
  #kept = new Map<string, unknown>()
  #markupSkips = new Set<string>()
  #problems = new Map<string, Failure>()

  constructor() {
    super()
    for (const name of [...agentProperties, ...settingProperties, 'agent']) {
      if (!Object.hasOwn(this, name)) continue
      this.#kept.set(name, Reflect.get(this, name))
      Reflect.deleteProperty(this, name)
    }
    if (this.#kept.size > 0) queueMicrotask(() => { this.#upgrade() })
  }

  /** What is wrong with the attributes and options, and stays so until they are changed. */
  protected get problems(): readonly Failure[] {
    return [...this.#problems.values()]
  }

  /** The agent: the one that was given, else the element's own, made when it is first needed. */
  get agent(): Agent {
    if (this.#agent === undefined) this.#adopt(new Agent(this.#options), true)
    return this.#agent as Agent
  }

  set agent(agent: Agent | null | undefined) {
    if (agent === this.#agent) return
    if (agent !== null && agent !== undefined && typeof agent.observe !== 'function') {
      throw new ToolAgentError('invalid-option', 'agent: an Agent is needed, as createAgent(options) gives it')
    }
    this.#release()
    if (agent !== null && agent !== undefined) this.#adopt(agent, false)
    else if (this.isConnected) this.#begin()
    this.changed()
  }

  /** The agent if there is one: drawing makes none. */
  protected get current(): Agent | undefined {
    return this.#agent
  }

  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    this.#upgrade()
    const property = attributeProperties.get(name)
    if (property !== undefined && this.#markupSkips.delete(property)) return
    if (wrongAttributes.has(name)) {
      this.#attempt(name, () => {
        if (text !== null) throw new ToolAgentError('invalid-option', wrongAttributes.get(name) ?? name)
      })
    } else if (property !== undefined && text !== before) {
      this.#attempt(property, () => {
        Reflect.set(this, property, text === null ? undefined : attributeValue(property, text))
      })
    }
  }

  connectedCallback(): void {
    this.#upgrade()
    this.#markupSkips.clear()
    clearTimeout(this.#closing)
    this.#closing = undefined
    this.#begin()
  }

  disconnectedCallback(): void {
    this.#endSoon()
  }

  // Methods, all the agent's own. What is registered here outlives an agent that the element replaces.

  registerTool(tool: AnyTool | readonly AnyTool[], options: { signal?: AbortSignal; replace?: boolean } = {}): () => void {
    return this.#register((agent) => agent.registerTool(tool, options), options.signal)
  }

  registerToolProvider(provider: ToolProvider, options: { signal?: AbortSignal } = {}): () => void {
    return this.#register((agent) => agent.registerToolProvider(provider, options), options.signal)
  }

  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.#register((agent) => agent.subscribe(listener))
  }

  send(input: SendInput, options?: SendOptions): Promise<TurnResult> {
    return this.agent.send(input, options)
  }

  stop(): void {
    this.#agent?.stop()
  }

  continue(): Promise<TurnResult> {
    return this.agent.continue()
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
    this.#agent?.close()
  }

  async callTool(name: string, input?: JsonValue, options?: { toolContext?: ToolContext; signal?: AbortSignal }): Promise<unknown> {
    return this.agent.callTool(name, input, options)
  }

  remember(key: string, value: JsonValue | undefined): void {
    this.agent.remember(key, value)
  }

  async loadOlder(): Promise<void> {
    return this.agent.loadOlder()
  }

  get sessions(): Agent['sessions'] { return this.agent.sessions }
  get session(): Session | undefined { return this.#agent?.session }
  get messages(): readonly Message[] { return this.#agent?.messages ?? [] }
  get todos(): readonly Todo[] { return this.#agent?.todos ?? [] }
  get tools(): readonly RegisteredTool[] { return this.#agent?.tools ?? [] }
  get status(): AgentStatus { return this.#agent?.status ?? 'loading' }
  get host(): HostKind | undefined { return this.#agent?.host }
  get storage(): 'indexeddb' | 'memory' | undefined { return this.#agent?.storage }

  /** Something was heard; its DOM events have been sent. */
  protected heard(_notice: Notice): void {}

  /** Something that is shown has changed. */
  protected changed(): void {}

  /** A DOM event was cancelled by the page. */
  protected prevented(_event: Event): void {}

  /** Sets what was kept, once the whole element is constructed. */
  #upgrade(): void {
    const kept = this.#kept
    this.#kept = new Map()
    for (const [name, value] of kept) {
      this.#markupSkips.add(name)
      this.#attempt(name, () => { Reflect.set(this, name, value) })
    }
  }

  #option(name: string): unknown {
    return Reflect.get(this.#agent?.options ?? this.#options, name)
  }

  #setOption(name: string, given: unknown): void {
    const value = given ?? undefined
    this.#configure(this.agent, name, value)
    const { [name]: _before, ...rest } = this.#options as Record<string, unknown>
    this.#options = value === undefined ? rest : { ...rest, [name]: value }
    this.#solved(name)
    if (this.#isMoot) this.#restart()
  }

  /** Throws for a value that does not fit. */
  #configure(agent: Agent, name: string, value: unknown): void {
    if (Object.is(Reflect.get(agent.options, name), value)) return
    agent.configure({ ...agent.options, [name]: value })
    if (!this.#hasBegun) return
    if (name === 'sessionId' && typeof value === 'string') {
      agent.sessions.open(value).catch((thrown: unknown) => { this.fail(failureOf(thrown, 'storage')) })
    }
    // Another person, or another worker: nothing of the old one may go on.
    if (this.#own && (name === 'scope' || name === 'workerUrl')) this.#isMoot = true
  }

  #restart(): void {
    this.#release()
    this.#begin()
  }

  #setSetting(name: keyof Settings, given: unknown): void {
    const value = given ?? undefined
    checkSetting(name, value)
    this.#settings = { ...this.#settings, [name]: value }
    this.#solved(name)
    if (name === 'pageTools') this.#registerPageTools()
    // Styles of the page may depend on these two, such as room beside an open sidebar.
    if (name === 'open') this.toggleAttribute('open', this.open)
    if (name === 'layout' && this.getAttribute('layout') !== value) {
      if (value === undefined) this.removeAttribute('layout')
      else this.setAttribute('layout', this.layout)
    }
    this.changed()
  }

  /** Does what an attribute asks for; what is wrong with it is shown, because markup cannot catch. */
  #attempt(name: string, set: () => void): void {
    this.#solved(name)
    try {
      set()
    } catch (thrown) {
      this.#problem(name, failureOf(thrown, 'invalid-option'))
    }
  }

  #solved(name: string): void {
    if (this.#problems.delete(name)) this.changed()
  }

  #problem(name: string, failure: Failure): void {
    this.#problems.set(name, failure)
    this.changed()
    // Later than the markup, so that a script beside it has had the time to listen.
    setTimeout(() => { this.fail(failure) })
  }

  /** Says an error to the page. */
  protected fail(failure: Failure): void {
    this.dispatchEvent(new ToolAgentErrorEvent(errorOf(failure)))
  }

  /** Has an agent at work soon: after the script that made the element has set its options. */
  #begin(): void {
    const begin = (): void => {
      if (this.isConnected) this.#start(this.agent)
    }
    // A page that is only prerendered may never be seen: no worker and no database before that.
    if ('prerendering' in document && document.prerendering === true) document.addEventListener('prerenderingchange', begin, { once: true })
    else queueMicrotask(begin)
  }

  #start(agent: Agent): void {
    this.#listen(agent)
    if (!this.#own || this.#hasBegun) return
    this.#hasBegun = true
    agent.connect().then(() => { this.#solved('connect') }, (thrown: unknown) => {
      // What the agent itself says is shown already; where it could not start there is nobody else to say so.
      if (agent === this.#agent && agent.error === null) this.#problem('connect', failureOf(thrown, 'host-lost'))
    })
  }

  #adopt(agent: Agent, own: boolean): void {
    this.#agent = agent
    this.#own = own
    this.#hasBegun = !own
    this.#isMoot = false
    for (const [name, value] of own ? [] : Object.entries(this.#options)) this.#attempt(name, () => { this.#configure(agent, name, value) })
    for (const registration of this.#registrations) {
      this.#attempt('tools', () => { registration.undo = registration.add(agent) })
    }
    if (this.isConnected) this.#listen(agent)
  }

  #listen(agent: Agent): void {
    if (this.#leave !== undefined) return
    const leave = [
      agent.observe((notice) => { this.#hear(notice, agent) }),
      agent.onToolCall((call, input) => this.dispatchEvent(new ToolAgentToolCallEvent(call, input))),
    ]
    this.#leave = () => { for (const one of leave) one() }
    if (agent.session !== undefined) this.#hear({ type: 'session' }, agent)
    else this.changed()
  }

  /** Lets go of the agent; its own is closed. */
  #release(): void {
    const agent = this.#agent
    this.#leave?.()
    this.#leave = undefined
    if (agent === undefined) return
    this.#agent = undefined
    this.#hasBegun = false
    for (const registration of this.#registrations) registration.undo()
    if (this.#own) agent.close()
  }

  #endSoon(): void {
    this.#closing ??= setTimeout(() => {
      this.#closing = undefined
      this.#leave?.()
      this.#leave = undefined
      if (this.#own) this.#release()
    }, graceTime)
  }

  #register(add: (agent: Agent) => () => void, signal?: AbortSignal): () => void {
    const registration: Registration = { add, undo: add(this.agent) }
    const remove = (): void => {
      signal?.removeEventListener('abort', remove)
      this.#registrations.delete(registration)
      registration.undo()
    }
    if (signal?.aborted === true) return remove
    this.#registrations.add(registration)
    signal?.addEventListener('abort', remove)
    return remove
  }

  #registerPageTools(): void {
    this.#pageTools.change(this.pageTools, (tools) => this.registerTool(tools)).then(
      () => { this.#solved('page-tools') },
      (thrown: unknown) => { this.#problem('page-tools', failureOf(thrown, 'network')) },
    )
  }

  #hear(notice: Notice, agent: Agent): void {
    for (const event of domEvents(notice, agent)) if (!this.dispatchEvent(event)) this.prevented(event)
    this.heard(notice)
  }
}

const defaults: Settings = { layout: 'inline', open: false }
