// WebMCP in both directions.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Agent } from '../../page/agent.js'
import type { ToolProvider } from '../../page/tools/tool.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'
import { discover } from './discovery.js'
import { registerWithBrowser, type ExposeOptions } from './register-with-browser.js'

export type { ExposeOptions }

/**
 * The tools that the page offers to agents: registered with `document.modelContext`, or forms with `toolname` and
 * `tooldescription`. The first use of each in a session asks the user, and again after its definition has changed.
 */
export function webMcpTools(): ToolProvider {
  if (typeof document === 'undefined') return () => null
  watchPasswords(document)
  return () => discover()
}

/**
 * Registers the agent's tools with the browser while they are registered with the agent. Tools that would ask the user
 * are only included if `tools` names them. Does nothing if the browser has no `document.modelContext`.
 * @param agent an agent, or its element
 * @returns a function that unregisters the tools; aborting `signal` does the same
 * @throws `invalid-option` for anything else
 */
export function exposeToWebMcp(agent: Agent | { readonly agent: Agent }, options: ExposeOptions = {}): () => void {
  const given = 'agent' in agent ? agent.agent : agent
  if (typeof given?.observe !== 'function')
    throw new ToolAgentError(
      'invalid-option',
      'exposeToWebMcp: expected an Agent, or a <tool-agent> element that is defined',
    )
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...(options.signal ? [options.signal] : [])])
  if (!signal.aborted && typeof document !== 'undefined' && 'modelContext' in document)
    registerWithBrowser(given, { ...options, signal })
  return () => ending.abort()
}
