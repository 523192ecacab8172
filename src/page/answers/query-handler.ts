// The page's side of the port: answers each query of the host once. Events never run a tool; only an `execute` or
// `read` query does. A new query is one entry in `answersWith`; this file dispatches, aborts and posts.
import { doneByUser } from '../../core/prompt/failure-text.js'
import { toFailure, type ErrorCode } from '../../core/data/errors.js'
import { allToolCalls, type CallId, type ToolCall } from '../../core/data/message.js'
import type { AnswerTo, ExecutionResult, HostMessage, QueryKind, QueryOf } from '../../core/data/protocol.js'
import type { ToolContext } from '../../core/data/tool.js'
import { outputToolName } from '../../core/loop/tool-names.js'
import { answerOutput } from './output.js'
import { unsavedCalls } from '../tab/notes.js'
import type { AskedQuestion } from '../tools/attempt.js'
import type { AvailableTool } from '../tools/available-tools.js'
import { presentOutput, toPresented, type PresentedOutput } from '../tools/execute-tool.js'
import { questionContext, type CallCheck, type QueryContext, type QueryRun } from './query-context.js'
import type { QueryDeps, CallPath, ResultSource } from './query-deps.js'
import { checkCalls } from './check-call.js'
import { Executions } from './execute-call.js'
import { Offers, resultSourceOf } from './offers.js'
import { RequestHeaders } from './headers.js'
import { changedRequest, streamModel } from './option-functions.js'
import { PostedOffers } from './posted-offers.js'
import { prepareStep } from './prepare-step.js'
import { readCalls } from './read-calls.js'
import { hiddenTools } from './step-offer.js'

/** How the page answers one kind of query. */
interface Answering<K extends QueryKind> {
  /** The code of an error that the page's own code throws meanwhile. */
  readonly thrown: ErrorCode
  answer(context: QueryContext, query: QueryOf<K>, run: QueryRun): Promise<AnswerTo<K>>
}

type Answers = { readonly [K in QueryKind]: Answering<K> }

/** One entry per query that `Queries` declares. */
const answersWith = (executions: Executions, headers: RequestHeaders): Answers => ({
  prepare: { thrown: 'invalid-option', answer: prepareStep },
  headers: { thrown: 'unauthorized', answer: (_context, query) => headers.answer(query) },
  'before-model': { thrown: 'invalid-option', answer: changedRequest },
  tools: { thrown: 'unavailable', answer: hiddenTools },
  check: { thrown: 'execution-failed', answer: checkCalls },
  read: {
    thrown: 'execution-failed',
    answer: (context, query, run) => readCalls(context, query, run, executions),
  },
  execute: {
    thrown: 'execution-failed',
    answer: (context, query, run) =>
      query.name === outputToolName ? answerOutput(context, query) : executions.execute(context, query, run),
  },
  model: { thrown: 'bad-response', answer: streamModel },
  unsaved: { thrown: 'storage', answer: async (_context, { sessionId }) => unsavedCalls(sessionId) },
})

/** Answers the queries of the host to one agent. */
export class QueryHandler {
  readonly #context: QueryContext
  readonly #executions = new Executions()
  readonly #answers: Answers
  /** What the page says before it is asked. */
  readonly posted: PostedOffers
  /** The headers of requests, which may leave with a message. */
  readonly headers: RequestHeaders
  /** Queries without an answer. The host numbers them, and a restarted host begins again at the same number. */
  readonly #pending = new Map<number, PendingQuery>()
  /** What aborts a tool that runs, also one of a host that was replaced: the query, or the call of a `read`. */
  readonly #executing = new Map<AbortController, CallId>()
  /** Calls that ran for a `read`, whose step may never be stored. */
  readonly #reading = new Set<CallId>()

  constructor(deps: QueryDeps) {
    this.#context = { deps, offers: new Offers(deps), checks: new Map(), hasWarnedAboutToolCount: false }
    this.posted = new PostedOffers(this.#context)
    this.headers = new RequestHeaders(deps)
    this.#answers = answersWith(this.#executions, this.headers)
  }

  /** Calls whose tool runs now. */
  get running(): CallId[] {
    return this.#executions.running
  }

  /** Outcomes that the session does not have yet. */
  get outcomes(): ExecutionResult[] {
    return this.#executions.outcomes
  }

  /** Outcomes for the next page that opens the session. */
  get outcomesToKeep(): ExecutionResult[] {
    return this.#executions.outcomesToKeep
  }

  /** The user has done themselves what a call was about to do: its result, if this page is left before it is stored. */
  noteDoneByUser(callId: CallId): void {
    this.#executions.settle(callId, doneByUser)
  }

  /** The tool as it would run now: as it was offered or, before the first offer of a page, as it is registered. */
  offered(name: string, path?: CallPath): AvailableTool | undefined {
    return this.#context.offers.available(name, path)
  }

  /** The tool context that an approval of this tool is bound to; undefined for a tool without a question of its own. */
  questionContext(tool: AvailableTool): ToolContext | undefined {
    return questionContext(this.#context.deps, tool)
  }

  /** The question for whose answer a call waits on this page. */
  asked(callId: CallId): AskedQuestion | undefined {
    return this.#executions.asked(callId)
  }

  /** What the newest check of a call on this page found out; undefined if there was none. */
  checkOf(callId: CallId): CallCheck | undefined {
    return this.#context.checks.get(callId)
  }

  /**
   * The value that the caller of a stepped turn gives for a call, presented like the tool's own output.
   * @throws `not-serializable`
   */
  present(call: ToolCall, value: unknown): PresentedOutput & ResultSource {
    const tool = this.offered(call.name)
    if (tool === undefined) return { ...toPresented(value), untrusted: false }
    return { ...presentOutput(tool.entry, call, value), ...resultSourceOf(tool) }
  }

  /** The session has the result of this call, so its outcome is discarded. A tool that still runs for it is aborted. */
  acknowledge(callId: CallId): void {
    for (const [controller, id] of this.#executing) if (id === callId) abort(controller, 'The call was settled')
    this.#executions.discard(callId)
    this.#context.checks.delete(callId)
    this.#reading.delete(callId)
  }

  /**
   * Discards what ran for a step that was not stored. A later step may have a call with the same id. Call this when the
   * session was replaced, and before the outcomes are given to another host or page.
   */
  dropUnstored(): void {
    if (this.#reading.size === 0) return
    const stored = new Set(allToolCalls(this.#context.deps.session().messages).map(({ part }) => part.call.id))
    for (const callId of this.#reading) if (!stored.has(callId)) this.acknowledge(callId)
  }

  /** Aborts one query. It gets no answer. */
  cancel(id: number): void {
    const { controller, calls = [] } = this.#pending.get(id) ?? {}
    for (const one of [controller, ...calls]) if (one) abort(one, 'The turn was stopped')
    this.#pending.delete(id)
  }

  /** A new host runs: running tools continue and report to it, all other queries are aborted. */
  hostChanged(): void {
    this.headers.forget()
    this.dropUnstored()
    for (const { controller } of this.#pending.values())
      if (!this.#executing.has(controller)) abort(controller, 'The host was started again')
    this.#pending.clear()
    for (const callId of this.running)
      void this.#executions
        .started(callId)
        ?.then((outcome) => this.#context.deps.post({ type: 'outcome', outcome }))
        .catch(() => undefined) // The outcome is kept, and sent when the session is opened.
  }

  /** Aborts all queries and all running tools. Nothing is answered after that. */
  abortAll(why: string): void {
    const pending = [...this.#pending.values()].map(({ controller }) => controller)
    for (const controller of [...pending, ...this.#executing.keys()]) abort(controller, why)
    this.#executions.abortPaused(why)
    this.#pending.clear()
  }

  /** Answers one query, with a value or an error, unless it is aborted first. Never rejects. */
  async receive({ id, path, ask: query, offer }: Extract<HostMessage, { type: 'ask' }>): Promise<void> {
    const { post, threw } = this.#context.deps
    if (offer !== undefined) this.#context.offers.use(offer)
    const controller = new AbortController()
    const pending: PendingQuery = { controller, calls: new Set() }
    this.#pending.set(id, pending)
    // The number alone is not enough: it may be a query of a newer host by now.
    const isPending = () => this.#pending.get(id) === pending
    if (query.type === 'execute') this.#executing.set(controller, query.callId)
    const run: QueryRun = {
      path,
      signal: controller.signal,
      onProgress: (value) => {
        if (isPending()) post({ type: 'progress', ask: id, value })
      },
      runAlone: async (callId, work) => {
        const own = new AbortController()
        pending.calls.add(own)
        this.#executing.set(own, callId)
        this.#reading.add(callId)
        try {
          return await work(own.signal)
        } finally {
          this.#executing.delete(own)
        }
      },
    }
    try {
      const value = await this.#answer(query, run)
      if (isPending()) {
        this.#pending.delete(id)
        post({ type: 'answer', ask: id, value })
      }
    } catch (thrown) {
      if (!isPending()) return
      this.#pending.delete(id)
      const error = toFailure(thrown, this.#answers[query.type].thrown)
      threw(error, thrown)
      post({ type: 'answer', ask: id, error })
    } finally {
      this.#executing.delete(controller)
    }
  }

  #answer<K extends QueryKind>(query: QueryOf<K>, run: QueryRun): Promise<AnswerTo<K>> {
    return this.#answers[query.type].answer(this.#context, query, run)
  }
}

/** A query without an answer. */
interface PendingQuery {
  readonly controller: AbortController
  /** What aborts the calls that it runs. They outlive a host that is replaced. */
  readonly calls: Set<AbortController>
}

function abort(controller: AbortController, why: string): void {
  controller.abort(new DOMException(why, 'AbortError'))
}
