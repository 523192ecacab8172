// One element and the agent behind it: its own, made when first needed and closed a second after the element has left
// the document, or one that was given and stays. What was set and registered through the element follows it from agent
// to agent.
import { toFailure, type Failure } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import { Agent, whenSeen, type Notice } from '../../page/agent.js'
import type { AgentOptions } from '../../page/options.js'

/** How long an element may be out of the document before its own agent is closed, in milliseconds. */
const graceTime = 1000

/** What the element does for its bond. */
export interface AgentControllerDeps {
  hear(notice: Notice, agent: Agent): void
  /** False refuses the call. */
  allows(call: ToolCall, input: JsonValue): boolean
  /** Shows what is wrong under a name, until it is solved. */
  problem(name: string, failure: Failure): void
  solved(name: string): void
}

/** Something added through the element: added again to whatever agent it has next. */
interface Registration {
  add(agent: Agent): () => void
  undo: () => void
}

export class AgentController {
  readonly #desk: AgentControllerDeps
  readonly #registrations = new Set<Registration>()
  /** What was set on the element, for the agents to come. */
  #options: AgentOptions = {}
  #agent: Agent | undefined
  /** The element made the agent and closes it. */
  #isOwn = false
  #hasBegun = false
  #isInside = false
  #leave: (() => void) | undefined
  #closing: ReturnType<typeof setTimeout> | undefined
  /** Ends the wait for an agent to be given. */
  #waiting: ReturnType<typeof setTimeout> | undefined

  constructor(desk: AgentControllerDeps) {
    this.#desk = desk
  }

  /** The agent if there is one. */
  get current(): Agent | undefined {
    return this.#agent
  }

  /** The agent; its own is made here, and starts nothing before the element is in a document. */
  get agent(): Agent {
    return this.#agent ?? this.#adopt(new Agent(this.#options), true)
  }

  /** Takes an agent, or lets go of it and has one of its own again. */
  give(agent: Agent | undefined): void {
    if (agent === this.#agent) return
    this.#release()
    if (agent !== undefined) this.#adopt(agent, false)
    else if (this.#isInside) this.#begin()
  }

  option(name: string): unknown {
    return Reflect.get(this.#agent?.options ?? this.#options, name)
  }

  /** Throws for a value that does not fit; undefined goes back to the default. */
  setOption(name: string, value: unknown): void {
    this.#configure(this.agent, name, value)
    const { [name]: _before, ...rest } = this.#options as Record<string, unknown>
    this.#options = value === undefined ? rest : { ...rest, [name]: value }
    const isWaiting = this.#waiting !== undefined
    // Another person, or another worker: nothing of the old one may go on.
    if (this.#isOwn && (this.#hasBegun || isWaiting) && (name === 'scope' || name === 'workerUrl')) {
      this.#release()
      this.#begin()
    } else if (isWaiting) {
      this.#begin()
    }
  }

  register(add: (agent: Agent) => () => void, signal?: AbortSignal): () => void {
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

  /** The element is in a document. */
  enter(): void {
    this.#isInside = true
    this.#stay()
    this.#begin()
  }

  /** The element has left the document, perhaps only to be put elsewhere. */
  exit(): void {
    this.#isInside = false
    const gone = (): void => {
      this.#stay()
      if (this.#isOwn) this.#release()
      else this.#fallSilent()
    }
    this.#closing ??= setTimeout(gone, graceTime)
    // A framework may put another element in its place, whose agent then need not wait.
    if (this.#isOwn) this.#agent?.leave(gone)
  }

  /** The element does not go, or is gone. */
  #stay(): void {
    clearTimeout(this.#closing)
    this.#closing = undefined
    this.#agent?.leave(undefined)
  }

  /** Has an agent at work soon: after the script that made the element has set its options. */
  #begin(): void {
    whenSeen(() => {
      if (this.#isInside) this.#start(this.agent)
    })
  }

  /** An agent of its own without a model is most likely about to be replaced by one that is given, so it waits. */
  #start(agent: Agent, hasWaited = false): void {
    this.#listen(agent)
    if (!this.#isOwn || this.#hasBegun) return
    const { endpoint, modelAdapter } = agent.options
    if (!hasWaited && endpoint === undefined && modelAdapter === undefined) {
      this.#waiting ??= setTimeout(() => {
        this.#waiting = undefined
        if (this.#isInside) this.#start(this.agent, true)
      }, graceTime)
      return
    }
    this.#stopWaiting()
    this.#hasBegun = true
    agent.connect().then(
      () => {
        this.#desk.solved('connect')
      },
      (thrown: unknown) => {
        // What the agent itself says is shown already; where it could not start there is nobody else to say so.
        if (agent === this.#agent && agent.error === null) this.#desk.problem('connect', toFailure(thrown, 'host-lost'))
      },
    )
  }

  #adopt(agent: Agent, isOwn: boolean): Agent {
    this.#agent = agent
    this.#isOwn = isOwn
    this.#hasBegun = !isOwn
    for (const [name, value] of isOwn ? [] : Object.entries(this.#options)) {
      this.#attempt(name, () => {
        this.#configure(agent, name, value)
      })
    }
    for (const registration of this.#registrations) {
      this.#attempt('tools', () => {
        registration.undo = registration.add(agent)
      })
    }
    if (this.#isInside) this.#listen(agent)
    return agent
  }

  #configure(agent: Agent, name: string, value: unknown): void {
    if (Object.is(Reflect.get(agent.options, name), value)) return
    agent.configure({ ...agent.options, [name]: value })
    if (name !== 'sessionId' || typeof value !== 'string' || !this.#hasBegun) return
    agent.sessions.open(value).then(
      () => {
        this.#desk.solved(name)
      },
      (thrown: unknown) => {
        this.#desk.problem(name, toFailure(thrown, 'storage'))
      },
    )
  }

  #attempt(name: string, set: () => void): void {
    try {
      set()
      this.#desk.solved(name)
    } catch (thrown) {
      this.#desk.problem(name, toFailure(thrown, 'invalid-option'))
    }
  }

  #listen(agent: Agent): void {
    if (this.#leave !== undefined) return
    const leave = [
      agent.observe((notice) => {
        this.#desk.hear(notice, agent)
      }),
      agent.onToolCall((call, input) => this.#desk.allows(call, input)),
    ]
    this.#leave = () => {
      for (const one of leave) one()
    }
    // What there is already is as good as news.
    this.#desk.hear({ type: agent.session === undefined ? 'change' : 'session' }, agent)
  }

  #fallSilent(): void {
    this.#leave?.()
    this.#leave = undefined
  }

  #stopWaiting(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
  }

  /** Lets go of the agent; its own is closed. */
  #release(): void {
    this.#fallSilent()
    this.#stopWaiting()
    const agent = this.#agent
    if (agent === undefined) return
    this.#agent = undefined
    for (const registration of this.#registrations) registration.undo()
    if (this.#isOwn) void agent.close()
  }
}
