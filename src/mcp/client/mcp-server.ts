// One MCP server over its connections: connects before a step, lists again after a change, and waits longer after each
// failure. A failure is the same error until the next attempt, so that it is reported once.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject } from '../../core/data/json.js'
import { internals } from '../../core/data/tool.js'
import { normalizeText, truncate } from '../../page-tools/dom/text.js'
import * as log from '../../page/log.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { McpConnection, NotRun } from './mcp-connection.js'
import { isSameDefinition, readDefinitions, type McpDefinition } from './mcp-definition.js'
import { modelOutput, readResult, type McpOutcome } from './mcp-result.js'
import type { McpSettings } from '../options.js'
import { openSignInWindow, type SignInWindow } from '../sign-in-window.js'
import { OAuthSession } from './oauth.js'
import { askToSignIn, signInLabel } from './sign-in.js'

/** Milliseconds that a step waits for the server. Less than the limit of a provider. */
const stepTimeout = 4_000
/** Milliseconds that an attempt may take. It continues after the step that began it. */
const attemptTimeout = 20_000
/** Milliseconds until the next attempt after a failure. Doubled for each further failure. */
const backoff = { first: 1_000, most: 60_000 }

/** Contents that are kept at most. More than the calls that run at the same time. */
const maxContents = 50

interface Listed {
  readonly connection: McpConnection
  readonly definitions: ReadonlyMap<string, McpDefinition>
}

/** The state behind one `mcpTools`. */
export class McpServer {
  readonly #settings: McpSettings
  readonly #oauth: OAuthSession | undefined
  /** The question to sign in. Calls that need it at the same time wait for the same one. */
  #asking: Promise<boolean> | undefined
  /** Contents for the model, from the end of `execute` until `toModelOutput`. */
  readonly #contents = new Map<string, McpOutcome['content']>()
  readonly #warned = new Set<string>()
  #current: Listed | undefined
  #attempt: Promise<Listed> | undefined
  #failures = 0
  #failure: Error | undefined
  /** Ends an attempt when the provider is closed. */
  readonly #closing = new AbortController()
  /** Milliseconds since the epoch. No attempt is made before. */
  #retryAt = 0
  #isClosed = false

  constructor(settings: McpSettings) {
    this.#settings = settings
    this.#oauth = settings.oauth && new OAuthSession(settings.url, settings.oauth)
  }

  /**
   * The tools for the next step, or the one that asks the visitor to sign in. Rejects if the server cannot be reached,
   * or nobody can be asked.
   */
  async offer(): Promise<readonly Tool[]> {
    if (this.#isClosed) return []
    const canAsk = this.#settings.onSignIn !== undefined
    if (canAsk && this.#oauth?.isSignedOut === true) return [this.#signInTool()]
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(this.#fail(new Error(`no answer within ${stepTimeout} ms`))), stepTimeout)
    })
    try {
      const { definitions } = await Promise.race([this.#listed(), late])
      return [...definitions.values()].map((definition) => this.#toolOf(definition))
    } catch (thrown) {
      if (!canAsk || this.#oauth?.isSignInNeeded !== true) throw thrown
      return [this.#signInTool()]
    } finally {
      clearTimeout(timer)
    }
  }

  /** Signs the visitor in. Rejects with `unavailable`. `window`: opened in the press of the visitor. */
  async signIn(window: SignInWindow): Promise<void> {
    // A refusal says where. Without one the client looks at the usual addresses.
    if (this.#oauth?.isChallenged === false) await this.#listed(true).catch(() => undefined)
    if (this.#isClosed) {
      window.close()
      throw new ToolAgentError('unavailable', 'The connection to the server was closed.')
    }
    await this.#oauth?.signIn(window)
    this.#failures = this.#retryAt = 0
    this.#failure = undefined
  }

  /** Ends the connection. Never rejects. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#closing.abort()
    const pending = await this.#attempt?.catch(() => undefined)
    await (pending ?? this.#current)?.connection.close()
    this.#current = undefined
    // Ending the session on the server needs the token.
    this.#oauth?.close()
  }

  /** The list of the server as it is now. `isUrgent`: tries even if the last failure was a moment ago. */
  #listed(isUrgent = false): Promise<Listed> {
    if (this.#attempt) return this.#attempt
    const current = this.#current
    if (current && !current.connection.isBroken && !current.connection.isListStale) return Promise.resolve(current)
    if (this.#failure && !isUrgent && Date.now() < this.#retryAt) return Promise.reject(this.#failure)
    this.#attempt = this.#refresh(current).finally(() => {
      this.#attempt = undefined
    })
    // A step may have stopped waiting for it.
    this.#attempt.catch(() => undefined)
    return this.#attempt
  }

  /** Lists again, with a new connection if there is none that works. */
  async #refresh(current: Listed | undefined): Promise<Listed> {
    try {
      if (current && !current.connection.isBroken) {
        const again = await this.#list(current.connection).catch(() => undefined)
        if (again) return this.#succeed(again)
      }
      current?.connection.retire()
      return this.#succeed(await this.#connect())
    } catch (thrown) {
      this.#current = undefined
      this.#retryAt = Date.now() + Math.min(backoff.most, backoff.first * 2 ** this.#failures++)
      throw this.#fail(thrown)
    }
  }

  async #connect(): Promise<Listed> {
    const signal = AbortSignal.any([AbortSignal.timeout(attemptTimeout), this.#closing.signal])
    const connection = await McpConnection.open(this.#settings, { oauth: this.#oauth, signal })
    try {
      return await this.#list(connection)
    } catch (thrown) {
      // The next attempt opens another connection, so this one would stay open.
      void connection.close()
      throw thrown
    }
  }

  #succeed(listed: Listed): Listed {
    this.#failures = 0
    this.#failure = undefined
    this.#current = listed
    if (this.#isClosed) void listed.connection.close()
    return listed
  }

  async #list(connection: McpConnection): Promise<Listed> {
    const { name: prefix, url, tools: only, maxTools } = this.#settings
    const definitions = readDefinitions(await connection.list(), {
      prefix,
      host: url.host,
      only,
      maxTools,
      usesParameterHeaders: connection.usesParameterHeaders,
      warn: (message) => this.#warn(message),
    })
    return { connection, definitions }
  }

  /** Logs a warning, each once. */
  #warn(message: string): void {
    if (this.#warned.has(message)) return
    this.#warned.add(message)
    log.logWarning(`MCP server ${this.#settings.url.origin}: ${message}`)
  }

  /** The failure that began the outage. Its message stays the same until the server answers. */
  #fail(thrown: unknown): Error {
    const why =
      this.#oauth?.isSignInNeeded === true
        ? 'the user has to sign in first'
        : truncate(normalizeText(errorMessage(thrown)), 300)
    this.#failure ??= new Error(`the MCP server ${this.#settings.url.origin} is not available (${why})`)
    return this.#failure
  }

  /** Offered in place of the tools of a server that refuses them until the visitor signs in. */
  #signInTool(): Tool {
    const { name, url } = this.#settings
    return {
      name: `${name}_sign_in`,
      // Whoever looks for a tool of this server finds none before.
      alwaysOffered: true,
      title: `${signInLabel()} (${url.host})`,
      description:
        `Asks the user to sign in to ${url.host}, whose tools are available only then. ` +
        'Use it when the request needs them.',
      annotations: { readOnlyHint: true },
      exclusive: true,
      timeout: 0,
      execute: async (_input, run: ToolRun) => {
        const isSignedIn = await this.#ask(run)
        run.signal.throwIfAborted()
        if (!isSignedIn)
          throw new ToolAgentError('unavailable', 'The user did not sign in. Do not ask again for this request.')
        await this.#listed(true).catch(() => {
          throw new ToolAgentError('unavailable', 'The user has signed in, but the server does not answer.')
        })
        return 'The user has signed in. The tools of the server are available now.'
      },
    }
  }

  /** Asks the visitor to sign in; resolves with whether they have. */
  #ask(run: ToolRun): Promise<boolean> {
    const { onSignIn, url } = this.#settings
    if (onSignIn === undefined) return Promise.resolve(false)
    this.#asking ??= askToSignIn(onSignIn, {
      server: url.origin,
      signal: AbortSignal.any([run.signal, this.#closing.signal]),
      signIn: () => this.signIn(openSignInWindow()),
      stop: () => run.stopTurn?.(),
    }).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  #toolOf(definition: McpDefinition): Tool {
    const { name, title, description, inputSchema, annotations } = definition
    return {
      name,
      title,
      description,
      inputSchema,
      annotations,
      // A call has its own limit, which stops while the visitor answers a question.
      timeout: 0,
      [internals]: { isDiscovered: true },
      execute: async (input, run: ToolRun) => {
        const { output, content } = readResult(await this.#call(definition, input as JsonObject, run))
        this.#contents.set(run.toolCallId, content)
        // A call that was stopped at its end leaves its content here.
        for (const [id] of this.#contents) if (this.#contents.size > maxContents) this.#contents.delete(id)
        return output
      },
      toModelOutput: ({ toolCallId, output }) => {
        const content = this.#contents.get(toolCallId)
        this.#contents.delete(toolCallId)
        return content ? modelOutput(content) : (output as JsonObject)
      },
    }
  }

  /** Calls the tool, once more if the server has forgotten the session or asks for other headers. */
  async #call(definition: McpDefinition, input: JsonObject, run: ToolRun, isSecond = false): Promise<unknown> {
    const { remoteName, name } = definition
    if (this.#isClosed)
      throw new ToolAgentError('unavailable', 'The connection to the server was closed. The tool did not run.')
    const { connection, definitions } = await this.#listed(true).catch((error: unknown) => {
      throw new ToolAgentError('unavailable', `The tool did not run: ${errorMessage(error)}`)
    })
    run.signal.throwIfAborted()
    const now = definitions.get(name)
    // The server may have changed the tool since. Only run exactly what was offered.
    if (!isSameDefinition(definition, now))
      throw new ToolAgentError('unavailable', `The server ${now ? 'changed' : 'removed'} this tool. It did not run.`)
    try {
      const signIn = this.#settings.onSignIn && (() => this.#ask(run))
      return await connection.call({ name: remoteName, schema: definition.inputSchema, input, run, signIn })
    } catch (thrown) {
      if (!(thrown instanceof NotRun)) throw thrown
      if (!isSecond) return this.#call(definition, input, run, true)
      throw new ToolAgentError('unavailable', `${thrown.message} The tool did not run.`)
    }
  }
}
