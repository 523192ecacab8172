// The agents of `useAgent`. They live outside of the components, one per name, so that mounting twice (StrictMode), a
// route change or a hot reload neither starts a second worker nor loses the conversation. An agent that no component
// uses any more is closed after a grace time. Also knows the agent that `useTool` registers with.
import { unclobbered } from '../core/data/dom-clobbering.js'
import { toFailure, type Failure } from '../core/data/errors.js'
import { Agent, type AgentOptions, type AnyTool } from '../index.js'
import { logError } from '../page/log.js'
import { isSameTool, namesOf } from './compare.js'
import { hasChanged, liveOption, needsNewAgent } from './component-props.js'

/** Milliseconds that an agent stays open after its last component was unmounted. The element waits as long. */
const graceTime = 1000

/** What tools can be registered with: an agent, or an element, which registers them with each of its agents. */
export interface ToolTarget {
  /** As `Agent.registerTool`. */
  registerTool(tool: AnyTool): () => void
  /** Shows a problem, and names it in the console once. Returns the function that removes it. */
  reportProblem(failure: Failure): () => void
}

interface SharedAgent {
  agent: Agent
  /** The options of the newest render. The functions of the agent's options call those of this object. */
  options: AgentOptions
  /** The functions that remove the problems with options and tools, by the names of these. */
  readonly problems: Map<string, () => void>
  /** How many mounted components use it. */
  users: number
  closeTimer?: ReturnType<typeof setTimeout>
}

const shared = new Map<string, SharedAgent>()
const agents = new Set<ToolTarget>()
const elements = new Set<ToolTarget>()
const listeners = new Set<() => void>()

/**
 * The agent with this name. Creates it if there is none; it connects when a component that uses it is mounted, so a
 * render that is thrown away has no effect. On a server each call creates one, because requests must share nothing.
 */
export function sharedAgent(name: string, options: AgentOptions = {}): Agent {
  const known = shared.get(name)
  if (known !== undefined) return known.agent
  if (typeof document === 'object') {
    const held = { options, problems: new Map<string, () => void>() }
    const agent = createFor(held)
    shared.set(name, Object.assign(held, { agent, users: 0 }))
    return agent
  }
  // There is no base URL for `/v1` on a server, and the agent is not used there.
  const { endpoint: _endpoint, ...others } = options
  return createFor({ options: others, problems: new Map() })
}

/**
 * Keeps the agent with this name open and connects it. Called when a component is mounted.
 * @returns The function that releases it. The agent is closed one second after the last release.
 */
export function holdAgent(name: string, options?: AgentOptions): () => void {
  sharedAgent(name, options)
  const held = shared.get(name) as SharedAgent
  held.users += 1
  clearTimeout(held.closeTimer)
  if (!agents.has(held.agent)) start(held.agent)
  let isReleased = false
  return () => {
    if (isReleased) return
    isReleased = true
    held.users -= 1
    if (held.users > 0) return
    held.closeTimer = setTimeout(() => {
      shared.delete(name)
      close(held.agent)
    }, graceTime)
  }
}

/**
 * Gives the agent the options of a new render; those that did not change stay as they are. Another scope or worker
 * replaces the agent, because the old one must not continue for another user.
 */
export function configureAgent(name: string, options: AgentOptions): void {
  const held = shared.get(name)
  if (held === undefined) return
  const before = held.options
  held.options = options
  const differs = (option: string): boolean => Reflect.get(before, option) !== Reflect.get(options, option)
  if (namesOf(before, options).some((option) => needsNewAgent(option) && differs(option))) {
    const { agent } = held
    held.agent = createFor(held)
    if (held.users > 0) start(held.agent)
    close(agent)
    return
  }
  correctTools(held, before.tools)
  const changed = changedOptions(before, options, held)
  const taken = Object.entries(changed).filter(([option, value]) => setOption(held.agent, option, value, held.problems))
  if (taken.some(([option, value]) => option === 'sessionId' && typeof value === 'string'))
    held.agent.sessions.open(changed['sessionId'] as string).catch((thrown: unknown) => {
      logError(toFailure(thrown, 'storage'))
    })
}

/** Makes an element a place for the tools of components that name no agent. An agent of `useAgent` comes first. */
export function addElement(element: ToolTarget): () => void {
  elements.add(element)
  notify()
  return () => {
    elements.delete(element)
    notify()
  }
}

/** Calls `listener` when an agent is created, replaced or closed. Returns the function that removes it. */
export function observeAgents(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Calls `use` with the place where tools are registered, now and whenever another one takes its place. Before that, and
 * at the end, it calls the function that `use` returned.
 * @returns The function that ends it.
 */
export function followTarget(use: (target: ToolTarget) => () => void): () => void {
  let current: ToolTarget | undefined
  let undo: (() => void) | undefined
  const update = (): void => {
    const [next] = [...agents, ...elements]
    if (next === current) return
    undo?.()
    undo = undefined
    current = next
    if (next !== undefined) undo = use(next)
  }
  const stop = observeAgents(update)
  update()
  return () => {
    stop()
    undo?.()
  }
}

/** An agent with all options that are valid. The others are shown as problems, because a render must not throw. */
function createFor(held: Pick<SharedAgent, 'options' | 'problems'>): Agent {
  const agent = new Agent()
  for (const remove of held.problems.values()) remove()
  held.problems.clear()
  const newest = (): object => held.options
  for (const [name, value] of Object.entries(held.options))
    setOption(agent, name, liveOption(name, value, newest), held.problems)
  for (const [index, tool] of listOf(held.options.tools).entries()) addTool(agent, tool, toolKey(index), held.problems)
  return agent
}

const listOf = (tools: unknown): readonly AnyTool[] => (Array.isArray(tools) ? (tools as AnyTool[]) : [])
const toolKey = (index: number): string => `tools ${index}`

/** Tools count when an agent is created, and one that was not valid when it is another one. */
function correctTools({ agent, options, problems }: SharedAgent, before: unknown): void {
  const newest = listOf(options.tools)
  for (const [index, tool] of listOf(before).entries()) {
    const corrected = newest[index]
    if (!problems.has(toolKey(index)) || (corrected !== undefined && isSameTool(tool, corrected))) continue
    problems.get(toolKey(index))?.()
    problems.delete(toolKey(index))
    if (corrected !== undefined) addTool(agent, corrected, toolKey(index), problems)
  }
}

function addTool(agent: Agent, tool: AnyTool, key: string, problems: SharedAgent['problems']): void {
  const remove = attempt(agent, () => agent.registerTool(tool))
  if (remove !== undefined) problems.set(key, remove)
}

/** Sets one option. One that is not valid is shown as a problem until it is set again. Returns whether it is valid. */
function setOption(agent: Agent, name: string, value: unknown, problems: SharedAgent['problems']): boolean {
  problems.get(name)?.()
  problems.delete(name)
  const remove = attempt(agent, () => {
    agent.setOption(name, value)
  })
  if (remove !== undefined) problems.set(name, remove)
  return remove === undefined
}

/** Shows what `action` throws. Returns the function that removes it; undefined if nothing was thrown. */
function attempt(agent: Agent, action: () => void): (() => void) | undefined {
  try {
    action()
    return undefined
  } catch (thrown) {
    return agent.reportProblem(toFailure(thrown, 'invalid-option'))
  }
}

/** What differs, with functions that call the newest ones. `tools` only counts when an agent is created. */
function changedOptions(before: AgentOptions, after: AgentOptions, held: SharedAgent): Record<string, unknown> {
  const names = namesOf(before, after).filter((name) => {
    const [one, other]: unknown[] = [Reflect.get(before, name), Reflect.get(after, name)]
    return name !== 'tools' && hasChanged(name, one, other)
  })
  return Object.fromEntries(names.map((name) => [name, liveOption(name, Reflect.get(after, name), () => held.options)]))
}

/** Connects an agent as `createAgent` does: on a prerendered page only when the page is shown. */
function start(agent: Agent): void {
  agents.add(agent)
  const connect = (): void => {
    if (!agents.has(agent)) return
    agent.connect().catch((thrown: unknown) => {
      logError(toFailure(thrown, 'host-lost'))
    })
  }
  const page: Document & { readonly prerendering?: unknown } = unclobbered(document)
  if (page.prerendering === true) page.addEventListener('prerenderingchange', connect, { once: true })
  else queueMicrotask(connect)
  notify()
}

function close(agent: Agent): void {
  agents.delete(agent)
  void agent.close()
  notify()
}

function notify(): void {
  for (const listener of listeners) {
    try {
      listener()
    } catch (thrown) {
      // It must not keep the others from being called.
      reportError(thrown)
    }
  }
}

let blank: Agent | undefined

/** The agent that a component shows while there is none: without options, and never connected. */
export function blankAgent(): Agent {
  return (blank ??= new Agent())
}
