// `mcpTools`: the tools of one MCP server as a tool provider. The connection and the client are loaded before the
// first step of an agent that uses them. `elicitationDialog`: a ready-made handler for `onElicitation`, whose form is
// loaded with the first question.
import type { ToolProvider } from '../page/tools/tool.js'
import type { McpServer } from './client/mcp-server.js'
import { parseMcpOptions, type McpOptions } from './options.js'
import { loadPart } from '../page/client/load-part.js'
import type { ElicitationDialogTexts, ElicitationHandler } from './client/elicitation.js'

/** The provider that `mcpTools` returns. */
export type McpTools = ToolProvider & {
  /** Ends the connection. Calls that run fail, and no tool is offered again. */
  close(): Promise<void>
}

/**
 * Offers the tools of an MCP server to an agent: `agent.registerToolProvider(mcpTools({ url }))`. The first use of each
 * tool in a session asks the user, and again after its definition has changed. If the server cannot be reached, the
 * turn continues without its tools.
 * @throws ToolAgentError `invalid-option`
 */
export function mcpTools(options: McpOptions): McpTools {
  const settings = parseMcpOptions(options)
  let server: Promise<McpServer> | undefined
  let isClosed = false
  const provider: ToolProvider = async () => {
    if (isClosed) return null
    server ??= loadPart(() => import('./client/mcp-server.js')).then(
      (part) => new part.McpServer(settings),
      (error: unknown) => {
        // A chunk that failed to load may load at the next step.
        server = undefined
        throw error
      },
    )
    return (await server).offer()
  }
  return Object.assign(provider, {
    async close() {
      isClosed = true
      await (await server?.catch(() => undefined))?.close()
    },
  })
}

/**
 * Asks the visitor in a dialog of the page: use it as `onElicitation`. It names the server, and sends only what the
 * visitor confirms. Escape closes it as `cancel`.
 */
export function elicitationDialog(texts: ElicitationDialogTexts = {}): ElicitationHandler {
  return async (question) => (await loadPart(() => import('./dialog/elicitation-form.js'))).askInDialog(question, texts)
}
