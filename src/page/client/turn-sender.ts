// Sends messages: checks the options of each, prepares what it needs while the host starts, and posts it with what the
// page says about itself. One per agent; messages keep their order.
import { ToolAgentError } from '../../core/data/errors.js'
import { dropUndefined } from '../../core/data/json.js'
import type { HostSendOptions } from '../../core/data/protocol.js'
import type { PageFacts, TurnOptions } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import { compileOutput, type CompiledOutput } from '../answers/output.js'
import { mostTools } from '../answers/step-offer.js'
import { pageAddress } from '../facts/address.js'
import { pageReader, readPageContext, readPageFacts } from '../facts/page-facts.js'
import type { AgentState } from '../agent-state.js'
import type { AgentOptions, SendOptions } from '../options.js'
import type { ParsedInput } from '../checks.js'
import { hasModel } from '../option-table.js'
import { stoppedError, type PendingTurns, type QueuedMessage } from '../pending-turns.js'
import { untilAborted } from '../promises.js'
import { randomId } from '../random-id.js'
import { copyContext } from '../tool-context.js'
import { checkActiveTools, sentTools } from '../tools/available-tools.js'
import { definitionHash, nextTask } from '../tools/compiled-tool.js'
import { isCompiled } from '../tools/registered-tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { PageReading, ToolProvider } from '../tools/tool.js'
import { hostConfig } from './host-config.js'
import type { HostLink } from './host-link.js'
import { parseSendOptions } from './send-options.js'

/** What sending needs from the connected agent. */
export interface TurnSenderDeps {
  readonly link: HostLink
  readonly state: AgentState
  readonly pending: PendingTurns
  readonly registry: ToolRegistry
  readonly providers: ReadonlySet<ToolProvider>
  /** Aborted when the agent is closed. */
  readonly closed: AbortSignal
  /** The options that are set now. */
  options(): AgentOptions
  /** See `AgentClient.connect`. */
  connect(): Promise<void>
}

/** Sends the messages of one agent, and continues its turns. */
export class TurnSender {
  readonly #deps: TurnSenderDeps
  /** Changes when a warm-up begins and when a message is posted, which has read the page. */
  #newestReading = {}
  /** A message of this page had files. */
  #hasFiles = false
  // The newest send waits for those before it, whose schemas may still be compiled: messages keep their order.
  #preparing:
    | Promise<
        [
          output: CompiledOutput | undefined,
          before: unknown,
          read: (() => PageReading) | undefined,
          context: string | undefined,
          own: ToolRegistry | undefined,
        ]
      >
    | undefined

  constructor(deps: TurnSenderDeps) {
    this.#deps = deps
  }

  /**
   * Does what a message needs before there is one: hashes the definitions, one per task, and reads the page in idle
   * time. The page tools keep what was read while it is true.
   */
  warmUp(): void {
    // The message reports what goes wrong.
    this.#warmUp().catch(() => undefined)
  }

  async #warmUp(): Promise<void> {
    const { registry } = this.#deps
    const reading = (this.#newestReading = {})
    await registry.ready()
    const entries = registry.entries()
    for (const entry of entries.length > mostTools ? [] : entries) {
      await nextTask()
      // A function of the page is called once per step.
      if (isCompiled(entry) && typeof entry.tool.description !== 'function')
        definitionHash(entry, registry.describe(entry, pageAddress()))
    }
    const read = await this.#pageReader()
    await idle()
    if (this.#newestReading === reading) readPageFacts(read)
  }

  /** Posts the options after they have changed. */
  configure(): void {
    if (this.#deps.link.connection.kind) this.#postOptions()
  }

  /**
   * Checks the options of a message and posts it. `cancelled`: see `PendingTurns.prepare`. `left`: the signal that its
   * caller, a stepped turn, aborts when its loop is left.
   */
  async send({ turn, message: { parts, text }, options, cancelled, left }: Sending): Promise<TurnResult> {
    const { registry, providers } = this.#deps
    this.#hasFiles ||= parts.some(isFile)
    const { tools: _tools, signal, whenBusy = 'queue', toolContext, ...rest } = parseSendOptions(options)
    if (options.activeTools) checkActiveTools(options.activeTools, registry, options, providers.size > 0)
    if (options.tools) registry.check(options.tools)
    const sent = {
      ...rest,
      ...(toolContext && { toolContext: copyContext(toolContext, 'send: toolContext') }),
    }
    const aborts = left && signal ? AbortSignal.any([left, signal]) : (left ?? signal)
    const onReady = () => this.#beginHeaders(turn)
    const running = { message: { turn, text, parts }, options, signal: aborts, cancelled, onReady }
    return this.#runTurn(running, ({ facts, output, own }) => {
      // The schema as JSON.
      const turnOptions = { ...sent, ...output, facts } as HostSendOptions
      const message = { type: 'send', turn, input: parts, whenBusy, options: turnOptions } as const
      // The caller of a stepped turn may wait for long, so the host asks before each step.
      const { posted, headers: known } = this.#deps.link.queryHandler()
      const offer = left ? undefined : posted.begin(turn, { options: turnOptions, own })
      const headers = known.take(turn)
      this.#deps.link.connection.post(dropUndefined({ ...message, mode: left && 'manual', offer, headers }))
    })
  }

  /** Asks for the headers of a message whose turn will start at once: nothing runs, and nothing waits before it. */
  #beginHeaders(turn: string): void {
    const { state, pending } = this.#deps
    if (!state.session?.turn && pending.queue[0]?.turn === turn) this.#deps.link.queryHandler().headers.begin(turn)
  }

  /**
   * Continues the newest turn as a turn of the same options. `stopCount`: how often `stop` had been called when it was
   * called, or when the method that calls it was.
   */
  async continue(stopCount = this.#deps.pending.stopCount): Promise<TurnResult> {
    const { state, pending } = this.#deps
    const wasLost = this.#deps.link.connected === undefined
    await this.#deps.connect()
    if (pending.stopCount !== stopCount) throw stoppedError()
    // If the host was lost for good, opening the session again may have resumed the turn already.
    const running = wasLost ? state.session?.turn?.id : undefined
    const turn = running ?? randomId()
    return this.#runTurn({ message: { turn, text: '', parts: [] }, options: {} }, ({ facts }) => {
      if (running === undefined) this.#deps.link.connection.post({ type: 'control', do: 'continue', turn, facts })
    })
  }

  /**
   * Stops the turn `turn`, or removes its message from the queue, also while the host is starting. `why`: what the send
   * rejects with if it was not posted yet.
   */
  drop(turn: string, why?: unknown): void {
    if (this.#deps.pending.drop(turn, why)) return
    const post = () => this.#deps.link.connection.post({ type: 'control', do: 'drop', turn })
    if (this.#deps.link.connection.kind) post()
    else this.#deps.link.connected?.then(post).catch(() => undefined) // Callers of `connect` receive the error.
  }

  /**
   * Posts a turn to the host by calling `post`, again if the host is lost before it starts. Settles when it has ended.
   */
  async #runTurn(
    { message, options, signal, cancelled: given, onReady }: RunningTurn,
    post: (ready: ReadyTurn) => void,
  ): Promise<TurnResult> {
    const { pending, closed, options: agentOptions } = this.#deps
    const { turn } = message
    signal?.throwIfAborted()
    given?.throwIfAborted()
    if (!hasModel(agentOptions())) {
      throw new ToolAgentError(
        'no-endpoint',
        'No model is configured: set the endpoint attribute, such as endpoint="/v1", or the modelAdapter property',
      )
    }
    const output = options.output && compileOutput(options)
    const cancelled = given ?? pending.prepare(message)
    const onAbort = () => {
      if (!closed.aborted) this.drop(turn, signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const ready = this.#deps.link.ready().then(() => {
        onReady?.()
        return this.#deps.registry.ready()
      })
      const preparing = (this.#preparing = Promise.all([
        output,
        this.#preparing?.catch(() => undefined),
        ready.then(() => this.#pageReader()),
        readPageContext(agentOptions().pageContext),
        // The turn ends with this error, when the host asks for its tools.
        options.tools && ready.then(() => this.#sentTools(options).catch(() => undefined)),
      ]))
      const [compiled, , read, context, own] = await untilAborted(preparing, cancelled)
      // Checks the schemas as well, now that the compiler is set.
      if (options.tools) this.#deps.registry.check(options.tools)
      closed.throwIfAborted()
      cancelled.throwIfAborted()
      const ended = pending.add(message, options, () => {
        // The endpoint is resolved again for each turn, because the page may have changed its base URL.
        this.#postOptions()
        post({ facts: readPageFacts(read, context), output: compiled?.options, own })
        this.#newestReading = {}
      })
      return await ended.then(compiled?.withObject)
    } finally {
      pending.endPreparing(turn)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #sentTools({ tools }: SendOptions): Promise<ToolRegistry | undefined> {
    return sentTools(tools, (failure) => this.#deps.state.report(failure))
  }

  /** The code of the page tools that says what the page is, if they are registered. */
  #pageReader(): ReturnType<typeof pageReader> {
    const { registry } = this.#deps
    return pageReader([registry.get('form_fill')?.tool, registry.get('page_read')?.tool])
  }

  #postOptions(): void {
    const { state, options } = this.#deps
    this.#hasFiles ||= state.session?.messages.some((one) => one.role === 'user' && one.parts.some(isFile)) ?? false
    this.#deps.link.connection.post({ type: 'configure', config: hostConfig(options(), this.#hasFiles) })
  }
}

/** The next idle time of the page, at most a second later. Some browsers do not tell it. */
const idle = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1_000 })
    else setTimeout(resolve)
  })

const isFile = ({ type }: { readonly type: string }): boolean => type === 'file'

interface Sending {
  /** The id of the turn. */
  readonly turn: string
  readonly message: ParsedInput
  readonly options: SendOptions
  readonly cancelled?: AbortSignal
  readonly left?: AbortSignal
}

/** What a message is posted with. */
interface ReadyTurn {
  readonly facts: PageFacts
  /** The options of the turn that `output` sets. */
  readonly output: TurnOptions | undefined
  /** The tools of the `send`, if their schemas can be used. */
  readonly own: ToolRegistry | undefined
}

interface RunningTurn {
  readonly message: QueuedMessage
  readonly options: SendOptions
  readonly signal?: AbortSignal | undefined
  readonly cancelled?: AbortSignal | undefined
  /** Called when the host can take the message, a moment before it is posted. */
  readonly onReady?: () => void
}
