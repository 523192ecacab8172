// WebMCP in both directions, by name: the code behind it is loaded by the pages that use it.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Agent } from '../../page/agent.js'
import type { ToolProvider } from '../../page/tools/tool.js'
import { watchPasswords } from '../sensitive/sensitive-fields.js'
import type { ExposeOptions } from './register-with-browser.js'

export type { ExposeOptions }

/**
 * The tools that the page offers to agents: registered with `document.modelContext`, or forms with `toolname` and
 * `tooldescription`. The first use of each in a session asks, and again when its definition has changed.
 */
export function webMcpTools(): ToolProvider {
  if (typeof document === 'undefined') return () => null
  watchPasswords(document)
  return async () => (await import('./discovery.js')).discover()
}

/**
 * Registers the agent's tools with the browser, as long as they are registered with the agent; those that would ask the
 * user first only where `tools` names them. Takes an agent or its element. Returns the function that takes them back;
 * aborting `signal` does the same. Does nothing where the browser has no `document.modelContext`.
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
  if (typeof document !== 'undefined' && 'modelContext' in document) {
    import('./register-with-browser.js')
      .then(({ registerWithBrowser }) => {
        if (!signal.aborted) registerWithBrowser(given, { ...options, signal })
      })
      .catch(reportError)
  }
  return () => ending.abort()
}
