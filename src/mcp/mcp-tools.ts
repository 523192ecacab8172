// `mcpTools`: the tools of one MCP server as a tool provider. The connection and the client are loaded before the
// first step of an agent that uses them. `signInDialog`: a ready-made handler, whose dialog is loaded with the first
// question.
import type { ToolProvider } from '../page/tools/tool.js'
import type { McpServer } from './client/mcp-server.js'
import { parseMcpOptions, type McpOptions } from './options.js'
import { ToolAgentError } from '../core/data/errors.js'
import { loadPart } from '../page/client/load-part.js'
import type { SignInDialogTexts, SignInHandler } from './client/sign-in.js'
import { openSignInWindow } from './sign-in-window.js'

/** The provider that `mcpTools` returns. */
export type McpTools = ToolProvider & {
  /** Ends the connection. Calls that run fail, and no tool is offered again. */
  close(): Promise<void>
  /**
   * Opens the window in which the visitor signs in to the server, and resolves when they have. Call it in the handler
   * of a press, before any `await`. Another call begins again. Rejects with `invalid-option` without the option
   * `oauth`, and with `unavailable` if the browser opens no window, or the sign-in fails. The visitor may close the
   * window without a word; then it waits until `close()` or another call.
   */
  signIn(): Promise<void>
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
  const load = (): Promise<McpServer> => {
    server ??= loadPart(() => import('./client/mcp-server.js')).then(
      (part) => new part.McpServer(settings),
      (error: unknown) => {
        // A chunk that failed to load may load at the next step.
        server = undefined
        throw error
      },
    )
    return server
  }
  const provider: ToolProvider = async () => (isClosed ? null : (await load()).offer())
  return Object.assign(provider, {
    async close() {
      isClosed = true
      await (await server?.catch(() => undefined))?.close()
    },
    async signIn() {
      if (settings.oauth === undefined)
        throw new ToolAgentError('invalid-option', 'mcpTools: signIn() needs the option oauth')
      if (isClosed) throw new ToolAgentError('unavailable', 'The connection to the server was closed.')
      // Before anything is awaited.
      const window = openSignInWindow()
      const loaded = await load().catch((error: unknown) => {
        window.close()
        throw error
      })
      await loaded.signIn(window)
    },
  })
}

/**
 * Asks the visitor to sign in, in a dialog of the page: use it as `onSignIn`. It names the server, and opens the window
 * of the sign-in in the press of its button. Escape closes it.
 */
export function signInDialog(texts: SignInDialogTexts = {}): SignInHandler {
  return async (question) =>
    (await loadPart(() => import('./dialog/sign-in-dialog.js'))).askToSignInByDialog(question, texts)
}
