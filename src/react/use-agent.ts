// useAgent(): the agent of the app. The agent lives outside of the component (shared-agents.ts).
import { useState, useSyncExternalStore } from 'react'
import type { Agent, AgentOptions } from '../index.js'
import { configureAgent, holdAgent, observeAgents, sharedAgent } from '../wrappers/shared-agents.js'
import { useMountEffect } from './mount-effect.js'

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
