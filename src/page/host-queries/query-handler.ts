// The page's side of the port: answers each query of the host once. Events never run a tool; only an `execute` query
// does. Each query type has its own file, this one dispatches, aborts and posts.
import { toFailure, type ErrorCode } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import { allToolCalls, type AssistantMessage, type CallId, type ToolCall } from '../../core/data/message.js'
import type { ExecutionResult, HostMessage, PageAnswers, PageQuery } from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import { builtinToolNames, type ToolContext } from '../../core/data/tool.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import { answerOutput } from './output.js'
import { unsavedCalls } from '../client/tab-storage.js'
import type { AvailableTool } from '../tools/available-tools.js'
import { presentOutput, toPresented, type PresentedOutput } from '../tools/execute-tool.js'
import { questionContext, type CallCheck, type QueryContext, type QueryRun } from './query-context.js'
import type { QueryDeps, CallPath, ResultSource } from './query-deps.js'
import { checkCalls } from './check-call.js'
import { Executions } from './execute-call.js'
import { changedRequest } from './before-model.js'
import { Offers, resultSourceOf } from './offers.js'
import { RequestHeaders } from './headers.js'
import { streamModel } from './model.js'
import { PostedOffers } from './posted-offers.js'
import { prepareStep } from './prepare-step.js'

/** The code of an error that the page's own code throws while a query is answered. */
const thrownCodes: Record<PageQuery['type'], ErrorCode> = {
  prepare: 'invalid-option',
  headers: 'unauthorized',
  'before-model': 'invalid-option',
  check: 'execution-failed',
  read: 'execution-failed',
  execute: 'execution-failed',
  model: 'bad-response',
  unsaved: 'storage',
}

/** Answers the queries of the host to one agent. */
export class QueryHandler {
  readonly #context: QueryContext
  readonly #executions = new Executions()
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

  /** The tool as it would run now: as it was offered or, before the first offer of a page, as it is registered. */
  offered(name: string, path?: CallPath): AvailableTool | undefined {
    return this.#context.offers.available(name, path)
  }

  /** The tool context that an approval of this tool is bound to; undefined for a tool without a question of its own. */
  questionContext(tool: AvailableTool): ToolContext | undefined {
    return questionContext(this.#context.deps, tool)
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
    }
    try {
      const value = await this.#answer(query, run, pending.calls)
      if (isPending()) {
        this.#pending.delete(id)
        post({ type: 'answer', ask: id, value })
      }
    } catch (thrown) {
      if (!isPending()) return
      this.#pending.delete(id)
      const error = toFailure(thrown, thrownCodes[query.type])
      threw(error, thrown)
      post({ type: 'answer', ask: id, error })
    } finally {
      this.#executing.delete(controller)
    }
  }

  /** `calls`: for `read`, gets what aborts each call that runs. */
  #answer(query: PageQuery, run: QueryRun, calls: Set<AbortController>): Promise<PageAnswers[PageQuery['type']]> {
    switch (query.type) {
      case 'prepare':
        return prepareStep(this.#context, query, run)
      case 'headers':
        return this.headers.answer(query)
      case 'before-model':
        return changedRequest(this.#context, query)
      case 'check':
        return checkCalls(this.#context, query, run)
      case 'read':
        return this.#read(query, run, calls)
      case 'execute':
        // Of the builtin tools, the host asks the page only for the one that ends the turn.
        return builtinToolNames.has(query.name)
          ? answerOutput(this.#context, query)
          : this.#executions.execute(this.#context, query, run)
      case 'model':
        return streamModel(this.#context, query, run)
      case 'unsaved':
        return Promise.resolve(unsavedCalls(query.sessionId))
    }
  }

  /** Checks calls and runs those that may run. All verdicts are known before the first call runs. */
  async #read(query: QueryOf<'read'>, run: QueryRun, calls: Set<AbortController>): Promise<null> {
    const context = withMessage(this.#context, query.message)
    const verdicts = await checkCalls(context, query, run)
    run.signal.throwIfAborted()
    run.onProgress({ verdicts })
    const work = verdicts.map(async (verdict) => {
      const called = query.calls.find(({ callId }) => callId === verdict.callId)
      if (verdict.do !== 'run' || called === undefined) return
      const { callId, input, hash } = verdict
      // Each call has its own, because another result of the step must not abort it.
      const controller = new AbortController()
      calls.add(controller)
      this.#executing.set(controller, callId)
      this.#reading.add(callId)
      const execute: QueryOf<'execute'> = { type: 'execute', callId, name: called.name, input, hash }
      try {
        const outcome = await this.#executions.execute(context, execute, {
          ...run,
          signal: controller.signal,
          onProgress: (value) => run.onProgress({ callId, value: value as JsonValue }),
        })
        run.onProgress({ outcome })
      } finally {
        this.#executing.delete(controller)
      }
    })
    await Promise.all(work)
    return null
  }
}

/** A query without an answer. */
interface PendingQuery {
  readonly controller: AbortController
  /** What aborts the calls that it runs. They outlive a host that is replaced. */
  readonly calls: Set<AbortController>
}

/** The context as it is once the page has received `message`, which may still be on its way to the disk. */
function withMessage(context: QueryContext, message: AssistantMessage): QueryContext {
  const { deps } = context
  const session = (): Session => {
    const now = deps.session()
    return now.messages.findLastIndex(({ id }) => id === message.id) >= 0
      ? now
      : { ...now, messages: [...now.messages, message] }
  }
  return { ...context, deps: { ...deps, session } }
}

function abort(controller: AbortController, why: string): void {
  controller.abort(new DOMException(why, 'AbortError'))
}
