// One connection to a server: the official client over streamable HTTP. It lists the tools, calls them and notices
// that the connection or the list is no longer valid. It never reconnects: McpServer makes a new one.
import { Client, InsufficientScopeError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { ToolAgentError, errorMessage, toErrorValue } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import { mayHaveHappened } from '../../core/prompt/failure-text.js'
import { normalizeText, truncate } from '../../page-tools/dom/text.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { CallTime } from './call-time.js'
import { answerElicitation, readQuestion, type ElicitationAnswer, type Question } from './elicitation.js'
import * as log from '../../page/log.js'
import { McpHttp, TooMuch } from './mcp-http.js'
import type { McpSettings } from '../options.js'
import type { OAuthSession } from './oauth.js'
import { parameterHeaders } from './parameter-headers.js'

/** Milliseconds for each request of discovery. */
const requestTimeout = 20_000
/** The longest time of the client's own timer: a call has its own limit. */
const noTimeout = 2 ** 31 - 1
/** The least milliseconds until a stream is opened again. A server may ask for more, not for less. */
const minReconnectDelay = 500
/** Questions to the visitor in one call. */
const mostQuestions = 3
/** Questions of one call that are not shown. A server that goes on asks in a loop, so the call ends. */
const mostRefused = 20
const maxPages = 64
const maxListed = 1_000

/** A call of a tool by the server's name. */
export interface RemoteCall {
  readonly name: string
  /** Of the arguments. */
  readonly schema: JsonObject
  readonly input: JsonObject
  readonly run: ToolRun
  /** Asks the visitor to sign in; resolves with whether they have. Undefined: nobody can be asked. */
  readonly signIn: (() => Promise<boolean>) | undefined
}

/** A call that has no result yet. */
interface RunningCall {
  readonly time: CallTime
  readonly run: ToolRun
  /** Questions that the visitor may still be asked; none after `cancel`. */
  questions: number
  isCancelled: boolean
  /** Questions that were not shown. */
  refused: number
  /** Ends the call with a failure that says why. */
  end(why: string): void
}

/** An error that a server answers with, instead of a status, when it does not know the session. */
const lostSession = new RegExp(
  '^(?:MCP error -?\\d+: )?(?:Bad Request: )?' +
    '(?:(?:MCP )?Session (?:ID )?(?:not found|expired|terminated)|Server not initialized)\\.?$',
  'i',
)

/** The server refused a call before it ran, but may accept it with a new session or list. The message says why. */
export class NotRun extends Error {}

/** A connection that was opened. */
export class McpConnection {
  readonly #settings: McpSettings
  readonly #http: McpHttp
  readonly #client: Client
  readonly #transport: StreamableHTTPClientTransport
  readonly #running = new Set<RunningCall>()
  readonly #ending = new AbortController()
  /** Aborted when no call runs any more. A question belongs to a call, but the protocol does not say to which. */
  #calls = new AbortController()
  /** The newest question of the server. The next one waits for it. */
  #question: Promise<unknown> = Promise.resolve()
  /** Why questions were not shown; each is logged once. */
  readonly #refusals = new Set<string>()
  #isRetired = false
  /** The list may have changed since it was read. */
  isListStale = true
  /** Requests fail, so a new connection is needed. */
  isBroken = false

  private constructor(settings: McpSettings, oauth: OAuthSession | undefined) {
    this.#settings = settings
    this.#http = new McpHttp(settings.headers, settings.messageBytes, oauth)
    this.#client = new Client(
      { name: 'tool-agent', version: '0' },
      {
        capabilities: settings.onElicitation ? { elicitation: { form: {} } } : {},
        // Patterns of a foreign schema could block the page, so results are not validated against one.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
        versionNegotiation: { mode: 'auto' },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.#markStale() } },
      },
    )
    this.#transport = new StreamableHTTPClientTransport(settings.url, {
      fetch: this.#http.fetch,
      reconnectionScheduler: (reconnect, delay) => {
        const timer = setTimeout(reconnect, Math.max(delay, minReconnectDelay))
        return () => clearTimeout(timer)
      },
    })
    // A stream that broke may have carried a change of the list.
    this.#client.onerror = () => this.#markStale()
    this.#client.onclose = () => {
      this.isBroken = true
    }
    if (settings.onElicitation)
      this.#client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#ask(params, mcpReq.signal))
  }

  /** Connects and initializes. Rejects if the server does not answer as an MCP server. */
  static async open(
    settings: McpSettings,
    { oauth, signal }: { readonly oauth: OAuthSession | undefined; readonly signal: AbortSignal },
  ): Promise<McpConnection> {
    const connection = new McpConnection(settings, oauth)
    await connection.#client.connect(connection.#transport, { timeout: requestTimeout, signal })
    return connection
  }

  /** Whether calls repeat arguments in headers. */
  get usesParameterHeaders(): boolean {
    return this.#client.getProtocolEra() === 'modern'
  }

  /** All tools that the server lists, of all pages, as it sends them. */
  async list(): Promise<readonly unknown[]> {
    this.isListStale = false
    try {
      if (!this.#client.getServerCapabilities()?.tools) return []
      const found: unknown[] = []
      const cursors = new Set<string>()
      for (let cursor: unknown; cursors.size < maxPages && found.length <= maxListed;) {
        const params = typeof cursor === 'string' ? { cursor } : {}
        const page = await this.#client.request({ method: 'tools/list', params }, anyResult, {
          timeout: requestTimeout,
          signal: this.#ending.signal,
        })
        if (!Array.isArray(page['tools'])) throw new Error('the list of tools is not an array')
        found.push(...(page['tools'] as readonly unknown[]))
        cursor = page['nextCursor']
        // A server that repeats a cursor would never end. An empty one stands for none.
        if (typeof cursor !== 'string' || cursor === '' || cursors.has(cursor)) break
        cursors.add(cursor)
      }
      return found
    } catch (thrown) {
      this.isListStale = true
      this.isBroken = true
      throw thrown
    }
  }

  /**
   * Calls a tool. Rejects with `NotRun` if the call may be sent again, otherwise with a `ToolAgentError`, or with the
   * reason of the signal of the run.
   */
  async call({ name, schema, input, run, signIn }: RemoteCall): Promise<unknown> {
    const { timeout } = this.#settings
    const time = new CallTime(timeout)
    const stream = this.#watchStream(
      signIn &&
        (() => {
          const resume = time.pause()
          return signIn().finally(resume)
        }),
    )
    const signal = AbortSignal.any([run.signal, time.signal, this.#ending.signal, stream.signal])
    if (this.#running.size === 0) this.#calls = new AbortController()
    const running: RunningCall = {
      time,
      run,
      questions: mostQuestions,
      isCancelled: false,
      refused: 0,
      end: stream.end,
    }
    this.#running.add(running)
    try {
      return await Promise.race([
        stream.ended,
        this.#client.request({ method: 'tools/call', params: { name, arguments: input } }, anyResult, {
          signal,
          timeout: noTimeout,
          headers: { ...(this.usesParameterHeaders ? parameterHeaders(schema, input) : {}), ...stream.headers },
          onresumptiontoken: stream.onResumptionToken,
          onprogress: ({ progress, total, message }) =>
            run.report({
              ...(message === undefined ? {} : { message: truncate(normalizeText(message), 200) }),
              ...(total !== undefined && total > 0 ? { fraction: Math.min(1, Math.max(0, progress / total)) } : {}),
            }),
        }),
      ])
    } catch (thrown) {
      if (run.signal.aborted) throw run.signal.reason
      if (time.signal.aborted)
        throw toErrorValue(mayHaveHappened('timeout', `The tool did not finish within ${timeout} ms.`, false))
      throw this.#callError(thrown)
    } finally {
      stream.stop()
      time.stop()
      this.#running.delete(running)
      if (this.#running.size === 0) {
        this.#calls.abort()
        if (this.#isRetired) void this.close()
      }
    }
  }

  /** Closes the connection when its calls have ended. Another connection replaces it. */
  retire(): void {
    this.#isRetired = true
    if (this.#running.size === 0) void this.close()
  }

  /** Ends the session on the server, then the connection. Never rejects. */
  async close(): Promise<void> {
    this.isBroken = true
    this.#ending.abort()
    // A server that does not answer must not keep the caller waiting.
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, 2_000)
    })
    await Promise.race([this.#transport.terminateSession().catch(() => undefined), late])
    clearTimeout(timer)
    await this.#client.close().catch(() => undefined)
  }

  #markStale(): void {
    this.isListStale = true
  }

  /**
   * Rejects `ended` and aborts `signal` if the stream of a call ends without its result and the client cannot resume
   * it, or if the server sent too much.
   */
  #watchStream(signIn: RemoteCall['signIn']) {
    let fail: (error: Error) => void
    let isResumable = false
    const ended = new Promise<never>((_, reject) => {
      fail = reject
    })
    ended.catch(() => undefined)
    const controller = new AbortController()
    const end = (why: string) => {
      fail(toErrorValue(mayHaveHappened('interrupted', why, false)))
      controller.abort()
    }
    const onEnd = (error: Error | undefined) => {
      if (error instanceof TooMuch) return end(error.message)
      // The client reads the last messages of the stream after its end.
      setTimeout(() => {
        if (!isResumable) end(streamCut)
      }, 100)
    }
    const watch = this.#http.watch({ onEnd, signIn })
    const onResumptionToken = () => {
      isResumable = true
    }
    return { ended, end, signal: controller.signal, headers: watch.headers, stop: watch.stop, onResumptionToken }
  }

  /** What the model reads of a failed call. */
  #callError(thrown: unknown): Error {
    if (thrown instanceof ToolAgentError) return thrown
    const status = isObject(thrown) && isObject(thrown['data']) ? thrown['data']['status'] : undefined
    const message = truncate(normalizeText(errorMessage(thrown)), 1_000)
    // The specification says 404. Some servers answer with 400 or 410 and a sentence about the session, others with an
    // error in a 200. There the whole sentence must fit: a tool may have run and speak of a session of its own.
    const isError = isObject(thrown) && typeof thrown['code'] === 'number' && status === undefined
    const isUnknown =
      status === 404 ||
      status === 410 ||
      (status === 400 && /\bsession\b|not initialized/i.test(message)) ||
      (isError && lostSession.test(message))
    if (isUnknown && this.#transport.sessionId !== undefined) {
      this.isBroken = true
      return new NotRun('The server does not know the session.')
    }
    if (thrown instanceof InsufficientScopeError) return new ToolAgentError('unavailable', refused(403))
    if (isObject(thrown) && thrown['code'] === headerMismatch) {
      this.isListStale = true
      return new NotRun('The server expects other headers for this tool.')
    }
    if (status === 401 || status === 403) return new ToolAgentError('unavailable', refused(status))
    // An error that the server answered with.
    if (isObject(thrown) && typeof thrown['code'] === 'number')
      return new ToolAgentError('execution-failed', message || 'The server reported an error without a message.')
    const isClosed = this.#ending.signal.aborted
    this.isBroken = true
    const why = isClosed
      ? 'The connection to the server was closed.'
      : `The connection to the server failed: ${message}.`
    return toErrorValue(mayHaveHappened('interrupted', why, false))
  }

  /** Asks the visitor, after the previous question and only while a call runs. */
  #ask(params: unknown, signal: AbortSignal): Promise<Mutable<ElicitationAnswer>> {
    if (this.#running.size === 0) return Promise.resolve({ action: 'cancel' })
    const question = readQuestion(params)
    if (typeof question === 'string') return this.#refuse('decline', question)
    const calls = [...this.#running].filter(({ questions }) => questions > 0)
    if (calls.length === 0)
      return this.#refuse(
        'cancel',
        `the visitor is asked at most ${mostQuestions} times in a call, never after "cancel"`,
      )
    for (const call of calls) call.questions--
    return this.#answer(question, calls, signal)
  }

  /** Answers without the visitor. */
  #refuse(action: 'decline' | 'cancel', why: string): Promise<{ action: 'decline' | 'cancel' }> {
    if (!this.#refusals.has(why)) {
      this.#refusals.add(why)
      log.logWarning(`A question of the MCP server ${this.#settings.url.origin} was not shown: ${why}.`)
    }
    for (const call of this.#running)
      if (++call.refused > mostRefused) call.end('The server asked again and again after its questions were refused.')
    return Promise.resolve({ action })
  }

  /** `calls`: those that the question may belong to, because the protocol does not say to which. */
  #answer(question: Question, calls: readonly RunningCall[], signal: AbortSignal) {
    const resume = [...this.#running].map(({ time }) => time.pause())
    const context = {
      handler: this.#settings.onElicitation,
      origin: this.#settings.url.origin,
      signal: AbortSignal.any([signal, this.#ending.signal, this.#calls.signal]),
      ask: (asked: Question) => {
        const { run } = calls.find((call) => this.#running.has(call)) ?? calls[0]!
        const { origin, signal: withdrawn } = context
        return run.ask({ ...asked, from: origin, signal: withdrawn }) as Promise<ElicitationAnswer>
      },
      stop: () => calls.forEach(({ run }) => run.stopTurn?.()),
    }
    const asked = this.#question.then(async (): Promise<ElicitationAnswer> => {
      if (calls.every(({ isCancelled }) => isCancelled)) return { action: 'cancel' }
      const answer = await answerElicitation(question, context)
      if (answer.action === 'cancel') for (const call of calls) Object.assign(call, { questions: 0, isCancelled: true })
      return answer
    })
    this.#question = asked
    return asked.finally(() => resume.forEach((continueTime) => continueTime())) as Promise<Mutable<ElicitationAnswer>>
  }
}

type Mutable<T> = T extends { readonly action: 'accept'; readonly content: infer C }
  ? { action: 'accept'; content: { -readonly [K in keyof C]: C[K] } }
  : { action: 'decline' | 'cancel' }

const refused = (status: number): string => `The server refused the authorization (HTTP ${status}).`
/** The error `HeaderMismatch` of the protocol: the list that the client has read is outdated. */
const headerMismatch = -32020
const streamCut = 'The connection to the server ended before the result arrived.'

/** Accepts any object: this package reads results itself, so that one unusual tool does not lose the whole list. */
const anyResult: StandardSchemaV1<unknown, Record<string, unknown>> = {
  '~standard': {
    version: 1,
    vendor: 'tool-agent',
    validate: (value) =>
      isObject(value) ? { value } : { issues: [{ message: `expected an object, received ${typeof value}` }] },
  },
}
