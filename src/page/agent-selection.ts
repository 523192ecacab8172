// What a view reads of an agent, kept as one value until it differs: the base of the hooks, refs, stores and signals of
// frameworks. `observe` announces every change of an agent, so nothing that a selector reads is missed.
import type { Agent } from './agent.js'

/** Reads one value of an agent. */
export type AgentSelector<T> = (agent: Agent) => T
/** Whether two values of a selector are the same for the view. */
export type IsEqual<T> = (before: T, after: T) => boolean

/** A value of an agent that changes, as stores of Svelte are: `$store` reads it. */
export interface AgentStore<T> {
  /** Calls `run` with the value now and after each change. Returns the function that ends it. */
  subscribe(this: void, run: (value: T) => void): () => void
}

/** One value that a view reads of an agent. It stays the same object while it is equal. */
export class AgentSelection<T> {
  #last: { readonly agent: Agent; readonly select: AgentSelector<T>; readonly value: T } | undefined
  /** The agent may have changed since the value was read. */
  #isStale = true

  /** The value now. Calls `select` only after a change, or if it is another function or another agent. */
  read(agent: Agent, select: AgentSelector<T>, isEqual: IsEqual<T> = isShallowEqual): T {
    const last = this.#last
    if (last !== undefined && !this.#isStale && last.agent === agent && last.select === select) return last.value
    const selected = select(agent)
    const value = last !== undefined && isEqual(last.value, selected) ? last.value : selected
    this.#last = { agent, select, value }
    this.#isStale = false
    return value
  }

  /**
   * Calls `changed` after changes of the agent: once for all of a microtask, because one message of the host can bring
   * several. Returns the function that ends it.
   */
  observe(agent: Agent, changed: () => void): () => void {
    // It may have changed since the first `read`.
    this.#isStale = true
    let isActive = true
    let isQueued = false
    const stop = agent.observe(() => {
      this.#isStale = true
      if (isQueued) return
      isQueued = true
      queueMicrotask(() => {
        isQueued = false
        if (isActive) changed()
      })
    })
    return () => {
      isActive = false
      stop()
    }
  }
}

/**
 * A value of an agent as a store, for Svelte and for signals of other frameworks: `agentState(agent, ({ todos }) =>
 * todos)`. It announces only values that differ; arrays and plain objects are equal if their members are.
 */
export function agentState<T>(agent: Agent, select: AgentSelector<T>, isEqual?: IsEqual<T>): AgentStore<T> {
  return {
    subscribe(run) {
      const selection = new AgentSelection<T>()
      let shown = selection.read(agent, select, isEqual)
      const stop = selection.observe(agent, () => {
        const value = selection.read(agent, select, isEqual)
        if (Object.is(value, shown)) return
        shown = value
        run(value)
      })
      run(shown)
      return stop
    },
  }
}

/** Whether two values are the same, or arrays or plain objects with the same members. */
export function isShallowEqual(before: unknown, after: unknown): boolean {
  if (Object.is(before, after)) return true
  if (!isPlain(before) || !isPlain(after) || Array.isArray(before) !== Array.isArray(after)) return false
  const [names, others] = [Object.keys(before), Object.keys(after)]
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(after, name) && Object.is(before[name], after[name]))
  )
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
