// Connects one element to one agent: the element's own agent, or an agent that the page assigned. Each new agent
// gets the options and registrations that were made through the element, so the page sets them once.
import type { ReactiveController } from 'lit'
import { toFailure, type Failure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import { Agent, whenSeen, type Notice } from '../../page/agent.js'
import type { AgentOptions } from '../../page/options.js'
import { elementOptions } from './element-options.js'

/**
 * Milliseconds. How long an element may be out of the document before its own agent is closed, and how long an agent
 * without a model waits for the page to assign another agent.
 */
const graceTime = 1000

/** What the controller needs from its element. None of these may throw. */
export interface AgentControllerDeps {
  /** Receives each notice of the current agent. */
  onNotice(notice: Notice, agent: Agent): void
  /** Asks the page whether a call may run. Returning false refuses the call. */
  allowsCall(call: ToolCall, input: JsonValue): boolean
  /** Shows a problem until `clearProblem` is called with the same name. */
  reportProblem(name: string, failure: Failure): void
  /** Removes the problem with this name, if there is one. */
  clearProblem(name: string): void
}

/** Something registered through the element. It is registered again with each new agent. */
interface Registration {
  /** Names the problem that it has with an agent, such as another tool with the same name. */
  readonly name: string
  add(agent: Agent): () => void
  undo: () => void
}

/**
 * Owns the connection between an element and its agent. It implements the interface of a Lit reactive controller, so
 * the element must call `hostConnected` and `hostDisconnected`. It imports only types of Lit, because the element must
 * work without the code of Lit.
 */
export class AgentController implements ReactiveController {
  readonly #deps: AgentControllerDeps
  readonly #registrations = new Set<Registration>()
  #registered = 0
  /** The options set on the element. Each new agent gets them. */
  #options: AgentOptions = {}
  #agent: Agent | undefined
  /** True when the element created the agent and must close it. */
  #isOwn = false
  /** True after the agent was started: connected, or left unconnected because there is no session to open. */
  #isStarted = false
  /** True when the agent must connect even if there is no session to open: somebody is about to use it. */
  #isNeeded = false
  #isInDocument = false
  #unsubscribe: (() => void) | undefined
  /** Runs during the grace time after the element was removed. When it fires, the agent is closed or detached. */
  #closeTimer: ReturnType<typeof setTimeout> | undefined
  /** Runs while an agent without a model waits for the page to assign another. */
  #modelTimer: ReturnType<typeof setTimeout> | undefined

  constructor(deps: AgentControllerDeps) {
    this.#deps = deps
  }

  /** The agent, or undefined if none exists yet. Reading this property does not create an agent. */
  get current(): Agent | undefined {
    return this.#agent
  }

  /**
   * The agent. If there is none, reading this property creates the element's own agent. That agent does not connect
   * until the element is in a document.
   */
  get agent(): Agent {
    return this.#agent ?? this.#adopt(new Agent(this.#options), true)
  }

  /** Uses the page's agent. With undefined, the element creates its own again. */
  assign(agent: Agent | undefined): void {
    if (agent === this.#agent) return
    this.#release()
    if (agent !== undefined) this.#adopt(agent, false)
    else if (this.#isInDocument) this.#startSoon()
  }

  /** The value of an option of the agent. While there is no agent: the value that was set on the element. */
  option(name: string): unknown {
    return Reflect.get(this.#agent?.options ?? this.#options, name)
  }

  /**
   * Sets an agent option; undefined restores the default.
   * @throws ToolAgentError `invalid-option` when the value does not fit.
   */
  setOption(name: string, value: unknown): void {
    const before: unknown = Reflect.get(this.agent.options, name)
    let taken = value
    let problem: unknown
    try {
      this.#configure(this.agent, name, value)
    } catch (thrown) {
      // An option that protects the visitor has its strictest value now.
      taken = Reflect.get(this.agent.options, name)
      if (Object.is(taken, before)) throw thrown
      problem = thrown
    }
    const { [name]: _before, ...rest } = this.#options as Record<string, unknown>
    this.#options = taken === undefined ? rest : { ...rest, [name]: taken }
    const isWaiting = this.#modelTimer !== undefined
    if (this.#isOwn && (this.#isStarted || isWaiting) && elementOptions[name]?.needsNewAgent === true) {
      this.#isNeeded ||= this.agent.isConnecting
      this.#release()
      this.#startSoon()
    } else if (isWaiting) {
      this.#startSoon()
    }
    if (problem !== undefined) throw problem
  }

  /**
   * Registers something with the current agent and with each later one.
   * @param add Registers with one agent and returns the function that undoes it.
   * @returns The function that undoes the registration; aborting `signal` does the same.
   */
  register(add: (agent: Agent) => () => void, signal?: AbortSignal): () => void {
    this.#registered += 1
    const registration: Registration = { name: `tools ${this.#registered}`, add, undo: add(this.agent) }
    const remove = (): void => {
      signal?.removeEventListener('abort', remove)
      this.#registrations.delete(registration)
      registration.undo()
      this.#deps.clearProblem(registration.name)
    }
    if (signal?.aborted === true) return remove
    this.#registrations.add(registration)
    signal?.addEventListener('abort', remove)
    return remove
  }

  /** Connects the element's own agent now or, if it is not started yet, when it starts. Prepares a message. */
  connect(): void {
    this.#isNeeded = true
    if (this.#isInDocument) this.#start(this.agent)
    this.#agent?.warmUp()
  }

  /** The element was put into a document. */
  hostConnected(): void {
    this.#isInDocument = true
    window.addEventListener('pageshow', this.#onPageShow)
    this.#cancelClosing()
    this.#startSoon()
  }

  /** After a return from the back/forward cache, another page of this tab may have opened a session. */
  readonly #onPageShow = ({ persisted }: PageTransitionEvent): void => {
    if (!persisted || !this.#isOwn || !this.#isStarted || this.agent.isConnecting) return
    this.#isStarted = false
    this.#start(this.agent, true)
  }

  /** The element was removed from the document. It may be inserted again at another place. */
  hostDisconnected(): void {
    this.#isInDocument = false
    window.removeEventListener('pageshow', this.#onPageShow)
    const close = (): void => {
      this.#cancelClosing()
      this.#isNeeded = false
      if (this.#isOwn) this.#release()
      else this.#stopListening()
    }
    this.#closeTimer ??= setTimeout(close, graceTime)
    // A framework may replace the element. Then the agent of the new element calls `close` when it connects.
    if (this.#isOwn) this.#agent?.leave(close)
  }

  /** Ends the grace time, because the element was inserted again or because its agent is closed now. */
  #cancelClosing(): void {
    clearTimeout(this.#closeTimer)
    this.#closeTimer = undefined
    this.#agent?.leave(undefined)
  }

  /** Starts the agent after the current script, which may still set options. */
  #startSoon(): void {
    whenSeen(() => {
      if (this.#isInDocument) this.#start(this.agent)
    })
  }

  /**
   * Starts the element's own agent: connects it if there is a session to open, or if it is needed. Otherwise it
   * connects with its first use. Without a model it waits once, because the page may be about to assign an agent.
   */
  #start(agent: Agent, hasWaited = false): void {
    this.#listen(agent)
    if (!this.#isOwn || (this.#isStarted && !this.#isNeeded)) return
    if (!hasWaited && !this.#isStarted && !agent.hasModel) {
      this.#modelTimer ??= setTimeout(() => {
        this.#modelTimer = undefined
        if (this.#isInDocument) this.#start(this.agent, true)
      }, graceTime)
      return
    }
    this.#stopWaiting()
    this.#isStarted = true
    const hasSession = agent.claimSession()
    if (agent.isConnecting || !(hasSession || this.#isNeeded)) return
    agent.connect().then(
      () => {
        this.#deps.clearProblem('connect')
      },
      (thrown: unknown) => {
        // The panel shows `agent.error`. An agent that could not start has no `error`, so its failure is reported here.
        if (agent === this.#agent && agent.error === null)
          this.#deps.reportProblem('connect', toFailure(thrown, 'host-lost'))
      },
    )
  }

  /**
   * Makes an agent the current one and adds the registrations of the element. An assigned agent also gets the options
   * of the element.
   */
  #adopt(agent: Agent, isOwn: boolean): Agent {
    this.#agent = agent
    this.#isOwn = isOwn
    this.#isStarted = !isOwn
    for (const [name, value] of isOwn ? [] : Object.entries(this.#options)) {
      this.#attempt(name, () => {
        this.#configure(agent, name, value)
      })
    }
    for (const registration of this.#registrations) {
      this.#attempt(registration.name, () => {
        registration.undo = registration.add(agent)
      })
    }
    if (this.#isInDocument) this.#listen(agent)
    return agent
  }

  #configure(agent: Agent, name: string, value: unknown): void {
    if (Object.is(Reflect.get(agent.options, name), value)) return
    agent.setOption(name, value)
    if (name !== 'sessionId' || typeof value !== 'string' || !this.#isStarted) return
    const opening = agent.isConnecting || !this.#isOwn ? agent.sessions.open(value) : agent.connect()
    opening.then(
      () => {
        this.#deps.clearProblem(name)
      },
      (thrown: unknown) => {
        this.#deps.reportProblem(name, toFailure(thrown, 'storage'))
      },
    )
  }

  /** Runs `action`. If it throws, the error is reported as the problem `name`; otherwise that problem is cleared. */
  #attempt(name: string, action: () => void): void {
    try {
      action()
      this.#deps.clearProblem(name)
    } catch (thrown) {
      this.#deps.reportProblem(name, toFailure(thrown, 'invalid-option'))
    }
  }

  #listen(agent: Agent): void {
    if (this.#unsubscribe !== undefined) return
    const stopObserving = agent.observe((notice) => {
      this.#deps.onNotice(notice, agent)
    })
    const stopChecking = agent.onToolCall((call, input) => this.#deps.allowsCall(call, input))
    this.#unsubscribe = () => {
      stopObserving()
      stopChecking()
    }
    // The agent may have changed before this listener was added.
    this.#deps.onNotice({ type: agent.session === undefined ? 'change' : 'session' }, agent)
  }

  #stopListening(): void {
    this.#unsubscribe?.()
    this.#unsubscribe = undefined
  }

  #stopWaiting(): void {
    clearTimeout(this.#modelTimer)
    this.#modelTimer = undefined
  }

  /** Detaches the agent, and closes it if the element created it. */
  #release(): void {
    this.#stopListening()
    this.#stopWaiting()
    const agent = this.#agent
    if (agent === undefined) return
    this.#agent = undefined
    for (const registration of this.#registrations) registration.undo()
    if (this.#isOwn) void agent.close()
  }
}
