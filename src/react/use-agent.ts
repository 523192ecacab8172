// useAgent(): the agent of the app, which lives outside of the component (shared-agents.ts). useAgentState(): what a
// component shows of an agent.
import { useEffect, useLayoutEffect, useState, useSyncExternalStore, useCallback } from 'react'
import type { Agent, AgentOptions, AgentSelector, IsEqual } from '../index.js'
import { configureAgent, holdAgent, observeAgents, sharedAgent, blankAgent } from '../wrappers/shared-agents.js'
import { AgentSelection } from '../page/agent-selection.js'

/**
 * The effect of the hooks. It runs before the browser paints, so that a tool call never meets the functions of an older
 * render. A server has no layout, and React 18 warns about layout effects there.
 */
export const useMountEffect: typeof useLayoutEffect = typeof document === 'object' ? useLayoutEffect : useEffect

/** Which agent `useAgent` means. */
export interface UseAgentOptions {
  /** Tells several agents of one page apart. Calls with the same name share one agent. @default '' */
  name?: string | undefined
}

/**
 * The agent of the app: created with the first call, shared by all components that call it with the same name, and
 * closed one second after the last of them was unmounted. Without `options` it returns the agent that another component
 * configures. Options of a later render take effect from the next step on; another `scope` or `workerUrl` gives another
 * agent. It connects when the component is mounted, as an agent of `createAgent` does.
 * Nothing throws: an option that is not valid is shown in the panel and in the console, and left out until it is valid.
 */
export function useAgent(options?: AgentOptions, { name = '' }: UseAgentOptions = {}): Agent {
  const [ofServer] = useState(() => (typeof document === 'object' ? undefined : sharedAgent(name, options)))
  const read = (): Agent => ofServer ?? sharedAgent(name, options)
  const agent = useSyncExternalStore(observeAgents, read, read)
  useMountEffect(() => holdAgent(name, options), [name])
  useMountEffect(() => {
    if (options !== undefined) configureAgent(name, options)
  })
  return agent
}

/**
 * What `select` reads of the agent, such as `({ todos }) => todos`. The component renders again when it differs from
 * what was shown: arrays and plain objects are equal if their members are, or as `isEqual` says. `select` may be
 * written inline, and may return a new object. On a server, while its page becomes interactive, and while `agent` is
 * undefined or null, it reads an agent without a session.
 */
export function useAgentState<T>(agent: Agent | null | undefined, select: AgentSelector<T>, isEqual?: IsEqual<T>): T {
  const [selection] = useState(() => new AgentSelection<T>())
  const read = (): T => selection.read(agent ?? blankAgent(), select, isEqual)
  const subscribe = useCallback(
    (changed: () => void) => selection.observe(agent ?? blankAgent(), changed),
    [selection, agent],
  )
  return useSyncExternalStore(subscribe, read, () => selection.read(blankAgent(), select, isEqual))
}
