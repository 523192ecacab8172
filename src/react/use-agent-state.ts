// useAgentState(): what a component shows of an agent.
import { useCallback, useState, useSyncExternalStore } from 'react'
import type { Agent, AgentSelector, IsEqual } from '../index.js'
import { AgentSelection } from '../page/agent-selection.js'
import { blankAgent } from '../wrappers/blank-agent.js'

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
