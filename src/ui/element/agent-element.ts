// <tool-agent> without its panel: attributes and properties become options of the agent, agent events become DOM
// events, and methods call the agent. Draws nothing and imports no code of Lit.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { CallId } from '../../core/data/message.js'
import type { Agent, AgentRole, Notice, ToolRenderer } from '../../page/agent.js'
import { logError, logWarning } from '../../page/log.js'
import type { Option } from '../../page/checks.js'
import type { AgentOptions } from '../../page/options.js'
import type { AnyTool, Schema, ToolProvider, ToolWith, ToolWithoutInput } from '../../page/tools/tool.js'
import { AgentController } from './agent-controller.js'
import { ToolAgentErrorEvent, ToolAgentToolCallEvent } from './element-events.js'
import {
  agentProperties,
  attributeProperties,
  attributeValue,
  checkSetting,
  describeValue,
  elementOptions,
  settingProperties,
  wrongAttributes,
  unknownAttribute,
  watchAttributes,
  type Layout,
  type Settings,
} from './element-options.js'
import { domEvents } from './dom-events.js'
import { PageTools } from './load-page-tools.js'

// A server has no HTMLElement, and importing the entry there must not throw.
const Base = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement)
const defaults: Settings = { layout: 'inline', open: false }

/** Whether the page's author can correct it, so that the console needs to name it only once. */
const isOfAuthor = ({ code }: Failure): boolean => ['invalid-option', 'invalid-tool', 'duplicate-tool'].includes(code)

/** Methods of the agent that the element has, too. Calling one creates the element's own agent if there is none. */
const agentMethods = [
  'step',
  'send',
  'continue',
  'regenerate',
  'editLast',
  'approve',
  'answer',
  'deny',
  'takeOver',
  'callTool',
  'remember',
  'loadOlder',
  'exportTrace',
] as const satisfies readonly (keyof Agent)[]
type AgentMethod = (typeof agentMethods)[number]

/** Getters of the agent that the element has, too, with their values while there is no agent. Reading creates none. */
const agentGetters = {
  session: undefined,
  messages: [],
  todos: [],
  usage: {},
  tools: [],
  status: 'loading',
  storage: undefined,
} as const satisfies Partial<Agent> | Record<string, undefined>
type AgentGetter = keyof typeof agentGetters

// Declared apart from the class, which defines these members from tables; a class field would hide them.
/* oxlint-disable typescript/no-unsafe-declaration-merging */
/** The properties and methods of `<tool-agent>` that come from the agent: each agent option is a property. */
export interface AgentElement
  extends
    Omit<AgentOptions, 'tools'>,
    Omit<Settings, 'layout' | 'open'>,
    Pick<Agent, AgentMethod>,
    Readonly<Pick<Agent, AgentGetter>> {
  /** Where the panel is: in the page's flow, above the page, or at its edge. @default 'inline' */
  layout: Layout
  /** Whether a floating or sidebar panel is open. The attribute follows the property. @default false */
  open: boolean
}

/** The base class of `<tool-agent>`, without the panel. */
export class AgentElement extends Base {
  /** @internal What is known about each option, for the components of frameworks. */
  static readonly options: Readonly<Record<string, Option>> = elementOptions

  /** The attributes that the browser reports to `attributeChangedCallback`. */
  static get observedAttributes(): string[] {
    return [...attributeProperties.keys(), ...wrongAttributes.keys()]
  }

  static {
    const define = (name: string, descriptor: PropertyDescriptor & ThisType<AgentElement>): void => {
      Object.defineProperty(this.prototype, name, { configurable: true, ...descriptor })
    }
    for (const name of agentProperties) {
      define(name, {
        enumerable: true,
        get() {
          return this.#controller.option(name)
        },
        set(value: unknown) {
          this.#attempt(name, () => {
            this.#controller.setOption(name, value ?? undefined)
            // At once, not with the next notice: a key of the user may come first.
            if (name === 'scope') this.displayChanged()
          })
        },
      })
    }
    for (const name of settingProperties) {
      define(name, {
        enumerable: true,
        get() {
          return this.#settings[name] ?? defaults[name]
        },
        set(value: unknown) {
          this.#attempt(name, () => {
            this.#setSetting(name, value ?? undefined)
          })
        },
      })
    }
    for (const name of agentMethods) {
      define(name, {
        writable: true,
        value(...args: unknown[]): unknown {
          return Reflect.apply(this.agent[name], this.agent, args)
        },
      })
    }
    for (const [name, missing] of Object.entries(agentGetters)) {
      define(name, {
        get() {
          return this.current === undefined ? missing : this.current[name as AgentGetter]
        },
      })
    }
  }

  readonly #controller = new AgentController({
    onNotice: (notice, agent) => {
      for (const event of domEvents(notice, agent)) if (!this.dispatchEvent(event)) this.eventPrevented(event)
      this.noticeReceived(notice)
    },
    allowsCall: (call, input) => this.dispatchEvent(new ToolAgentToolCallEvent(call, input)),
    reportProblem: (name, failure) => {
      this.#reportProblem(name, failure)
    },
    clearProblem: (name) => {
      this.#clearProblem(name)
    },
  })
  readonly #pageTools = new PageTools()
  /** Problems with options and attributes, by option name. Each stays until its option is set again. */
  readonly #problems = new Map<string, Failure>()
  #settings: Settings = {}
  #watchesAttributes = false
  /** Properties set before the element was upgraded. They override attributes. */
  #beforeUpgrade = new Map<string, unknown>()
  /** Properties whose next attribute callback must be ignored, because a property set before the upgrade wins. */
  readonly #overridden = new Set<string>()

  constructor() {
    super()
    for (const name of [...agentProperties, ...settingProperties, 'agent']) {
      if (!Object.hasOwn(this, name)) continue
      this.#beforeUpgrade.set(name, Reflect.get(this, name))
      Reflect.deleteProperty(this, name)
    }
    if (this.#beforeUpgrade.size > 0)
      queueMicrotask(() => {
        this.#upgrade()
      })
  }

  /** The assigned agent, or the element's own. The element's own is created when it is first needed. */
  get agent(): Agent {
    return this.#controller.agent
  }

  /**
   * Assigns an agent that the page created; the page closes it. null: the element creates its own agent again. Any
   * other value is shown as a problem.
   */
  set agent(agent: Agent | null | undefined) {
    this.#attempt('agent', () => {
      if (agent !== null && agent !== undefined && typeof agent.observe !== 'function') {
        throw new ToolAgentError(
          'invalid-option',
          `agent: expected an Agent from createAgent(options), or null, received ${describeValue(agent)}`,
        )
      }
      this.#controller.assign(agent ?? undefined)
      this.displayChanged()
    })
  }

  /** Called by the browser. Sets the attribute's property; a value that does not fit is shown as a problem. */
  attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    this.#upgrade()
    const property = attributeProperties.get(name)
    if (property !== undefined && this.#overridden.delete(property)) return
    const wrong = wrongAttributes.get(name)
    if (wrong !== undefined) {
      this.#attempt(name, () => {
        if (text !== null) throw new ToolAgentError('invalid-option', wrong)
      })
    } else if (property !== undefined && (text !== before || Reflect.get(this, property) !== text)) {
      // The same text again counts when a script has set the property to another value in between.
      let value: unknown
      try {
        value = text === null ? undefined : attributeValue(property, text)
      } catch (thrown) {
        this.#reportProblem(property, toFailure(thrown, 'invalid-option'))
        return
      }
      Reflect.set(this, property, value)
    }
  }

  /** Called by the browser when the element is put into a document. Starts the agent soon after. */
  connectedCallback(): void {
    this.#upgrade()
    if (!this.#watchesAttributes)
      watchAttributes(this, (name) => {
        this.#checkAttribute(name)
      })
    this.#watchesAttributes = true
    this.#controller.hostConnected()
  }

  /** Called by the browser. The element's own agent is closed one second later, unless the element is back by then. */
  disconnectedCallback(): void {
    this.#controller.hostDisconnected()
  }

  /**
   * Registers one tool or several. They stay registered when the element gets another agent. A schema that cannot be
   * used is reported later, by the event `tool-agent-error`.
   * @returns The function that unregisters them; aborting `signal` does the same.
   * @throws ToolAgentError `invalid-tool` or `duplicate-tool`.
   */
  registerTool<const S extends Schema, Output, const C extends Schema = never>(
    tool: ToolWith<S, Output, C>,
    options?: { signal?: AbortSignal; replace?: boolean },
  ): () => void
  /** The same for a tool without parameters. */
  registerTool<Output, const C extends Schema = never>(
    tool: ToolWithoutInput<Output, C>,
    options?: { signal?: AbortSignal; replace?: boolean },
  ): () => void
  /** The same for tools whose types are not inferred, and for several tools at once. */
  registerTool(tool: AnyTool | readonly AnyTool[], options?: { signal?: AbortSignal; replace?: boolean }): () => void
  registerTool(
    tool: AnyTool | readonly AnyTool[],
    options: { signal?: AbortSignal; replace?: boolean } = {},
  ): () => void {
    return this.#controller.register((agent) => agent.registerTool(tool, options), options.signal)
  }

  /**
   * Registers a function that returns the tools for each step.
   * @returns The function that unregisters it; aborting `signal` does the same.
   */
  registerToolProvider(provider: ToolProvider, options: { signal?: AbortSignal } = {}): () => void {
    return this.#controller.register((agent) => agent.registerToolProvider(provider, options), options.signal)
  }

  /**
   * Draws the calls of one tool with a function of the page, inside their cards.
   * @returns The function that unregisters it.
   */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    return this.#controller.register((agent) => agent.registerToolRenderer(name, renderer))
  }

  /**
   * Calls `listener` for each event of the session. `path` holds the ids of the agent calls around it, outermost first.
   * @returns The unsubscribe function.
   */
  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.#controller.register((agent) => agent.subscribe(listener))
  }

  /** Stops the running turn and removes queued messages. Does nothing while there is no agent. */
  stop(): void {
    this.current?.stop()
  }

  /** Closes the agent; it cannot be used again. Does nothing while there is no agent. */
  close(): void {
    void this.current?.close()
  }

  /** The conversations stored in this browser. */
  get sessions(): Agent['sessions'] {
    return this.agent.sessions
  }

  /** The agent's `role`, under another name because `role` of an element is its ARIA role. */
  get sessionRole(): AgentRole | undefined {
    return this.current?.role
  }

  /** @internal The agent, or undefined if none exists yet. Reading it creates none. */
  protected get current(): Agent | undefined {
    return this.#controller.current
  }

  /** @internal Problems with attributes and options. Each stays until its option is set again. */
  protected get problems(): readonly Failure[] {
    return [...this.#problems.values()]
  }

  /** @internal Shows a problem with what a component registers. Returns the function that removes it. */
  reportProblem(failure: Failure): () => void {
    this.#reportProblem(failure.message, failure)
    return () => {
      this.#clearProblem(failure.message)
    }
  }

  /** @internal The user is about to write a message: connects the element's own agent. */
  protected prepare(): void {
    if (this.#pageTools.hasFailed) this.#registerPageTools()
    this.#pageTools.warmUp()
    this.#controller.connect()
  }

  /** @internal Called for each notice of the agent, after its DOM events were dispatched. */
  protected noticeReceived(_notice: Notice): void {}

  /** @internal Called when something that the panel shows has changed. */
  protected displayChanged(): void {}

  /** @internal Called when the page called `preventDefault()` on a DOM event. */
  protected eventPrevented(_event: Event): void {}

  /** @internal Logs an error, one of the author once, and dispatches `tool-agent-error`. */
  protected reportError(failure: Failure): void {
    logError(failure, isOfAuthor(failure) ? failure.message : undefined)
    this.dispatchEvent(new ToolAgentErrorEvent(toErrorValue(failure)))
  }

  /** Sets the properties from before the upgrade, once the subclasses' constructors are done. */
  #upgrade(): void {
    const values = this.#beforeUpgrade
    this.#beforeUpgrade = new Map()
    // The browser will call attributeChangedCallback for these.
    for (const [attribute, property] of attributeProperties) {
      if (values.has(property) && this.hasAttribute(attribute)) this.#overridden.add(property)
    }
    for (const [name, value] of values) Reflect.set(this, name, value)
  }

  #setSetting(name: keyof Settings, value: unknown): void {
    checkSetting(name, value)
    this.#settings = { ...this.#settings, [name]: value }
    if (name === 'pageTools') this.#registerPageTools()
    // The page's own styles may select on these two, for example to make room for an open sidebar.
    if (name === 'open') this.toggleAttribute('open', this.open)
    if (name === 'layout' && value === undefined) this.removeAttribute('layout')
    if (name === 'layout' && value !== undefined && this.getAttribute('layout') !== value)
      this.setAttribute('layout', this.layout)
    this.displayChanged()
  }

  /**
   * Runs `action`; an error becomes a shown problem. Markup cannot catch it, and a framework that sets a property while
   * it draws would lose the whole page.
   */
  #attempt(name: string, action: () => void): void {
    try {
      action()
      this.#clearProblem(name)
    } catch (thrown) {
      this.#reportProblem(name, toFailure(thrown, 'invalid-option'))
    }
  }

  #reportProblem(name: string, failure: Failure): void {
    // The same wrong value, set again while it is shown.
    if (isOfAuthor(failure) && this.#problems.get(name)?.message === failure.message) return
    this.#problems.set(name, failure)
    this.displayChanged()
    // In a later task, so that a script after the markup can add its listener first, or correct the value.
    setTimeout(() => {
      if (this.#problems.get(name) === failure) this.reportError(failure)
    })
  }

  #clearProblem(name: string): void {
    if (this.#problems.delete(name)) this.displayChanged()
  }

  /** Logs an attribute that does not exist. One that resembles `approval` is shown, because nobody would be asked. */
  #checkAttribute(name: string): void {
    const unknown = unknownAttribute(name)
    if (unknown?.meant !== 'approval') {
      if (unknown !== undefined && this.hasAttribute(name)) logWarning(unknown.message, unknown.message)
    } else if (this.hasAttribute(name)) {
      this.#reportProblem(name, { code: 'invalid-option', message: unknown.message })
    } else {
      this.#clearProblem(name)
    }
  }

  #registerPageTools(): void {
    const loading = this.#pageTools.change(this.pageTools, (tools) => this.registerTool(tools))
    void this.#expect(loading)
    loading.then(
      () => {
        this.#clearProblem('page-tools')
      },
      (thrown: unknown) => {
        this.#reportProblem('page-tools', toFailure(thrown, 'network'))
      },
    )
  }

  /** A first message that is faster than its tools would have none of them. */
  async #expect(loading: Promise<unknown>): Promise<void> {
    // The other attributes come first: they decide which agent it is.
    await Promise.resolve()
    const end = this.#controller.register((agent) => {
      agent.expectTools(loading)
      return () => {}
    })
    loading.then(end, end)
  }
}
