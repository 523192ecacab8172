// The tools of a server: registered once, for all its users, by the code that registers those of a page.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolContext } from '../../core/data/tool.js'
import { lintTool } from '../../page/hints/lint-tool.js'
import * as log from '../../page/log.js'
import { compileTool } from '../../page/tools/compiled-tool.js'
import { ToolRegistry } from '../../page/tools/registry.js'
import type { AnyTool } from '../../page/tools/tool.js'
import { invalidTool } from '../../page/tools/validate-tool.js'

/** For whom a tool of the server runs. */
export interface ToolUser {
  /** The id that the sign-in knows. */
  readonly user: string
  /** The id of the conversation. */
  readonly session: string
}

/** The tools of a server. */
export interface ToolList {
  readonly registry: ToolRegistry
  /** What they read as their tool context. */
  readonly contextOf: (who: ToolUser) => ToolContext
}

/**
 * Registers the tools; undefined for none. Schemas of libraries are compiled later, and a server waits for them before
 * it opens a conversation.
 * @throws {ToolAgentError} `invalid-tool` or `duplicate-tool`
 */
export function toolList(
  tools: readonly AnyTool[] | undefined,
  toolContext: (who: ToolUser) => ToolContext = () => ({}),
): ToolList | undefined {
  if (tools === undefined || tools.length === 0) return undefined
  for (const { name, execute, agent, undo } of tools) {
    if (execute === undefined && agent === undefined)
      throw invalidTool(name, 'execute: expected a function, received undefined. A server runs its tools itself.')
    if (undo !== undefined)
      throw invalidTool(name, 'undo: only calls of tools of a page can be undone. Remove it, or offer a tool for it.')
  }
  const registry = new ToolRegistry()
  registry.compileWith(compileTool)
  registry.lintWith(lintTool)
  registry.register(tools)
  const contextOf = (who: ToolUser): ToolContext => {
    try {
      return { ...toolContext(who), user: who.user }
    } catch (thrown) {
      // The model reads the error of the call, and must not read what the server's own code throws.
      log.logThrownError(`toolContext failed: ${thrown instanceof Error ? thrown.stack : String(thrown)}`)
      throw new ToolAgentError('invalid-context', 'The tool context of this server cannot be made now.')
    }
  }
  return { registry, contextOf }
}
