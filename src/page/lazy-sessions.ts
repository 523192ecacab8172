// `agent.sessions` of an agent that may not be connected yet: the first call of a method loads `AgentSessions`.
import type { AgentSessions } from './client/agent-sessions.js'

/** The compiler reports a method that is missing here. */
const methods: Readonly<Record<keyof AgentSessions, true>> = {
  list: true,
  create: true,
  open: true,
  rename: true,
  delete: true,
  clear: true,
  export: true,
  file: true,
  import: true,
  stored: true,
}

/** `use` calls its argument when the code is loaded. */
export function lazySessions(
  use: (run: (sessions: AgentSessions) => Promise<unknown>) => Promise<unknown>,
): AgentSessions {
  const entries = Object.keys(methods).map((name) => [
    name,
    (...given: unknown[]) =>
      use((sessions) => Reflect.apply(sessions[name as keyof AgentSessions], sessions, given) as Promise<unknown>),
  ])
  return Object.fromEntries(entries) as AgentSessions
}
