// The tools of a server in one conversation, checked, asked about and run by the code that does this in a page. A name
// decides who is asked: a tool of the server is never looked up in what a page offers, and what a page says about a
// call of it counts as nothing.
import type { Failure } from '../../core/data/failure.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCallPart } from '../../core/data/message.js'
import type {
  AnswerTo,
  CheckCall,
  ExecutionResult,
  Offer,
  Prepared,
  QueryKind,
  QueryOf,
  QuestionTool,
  ReadProgress,
  Verdict,
} from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { Guest } from '../../host/guest.js'
import type { Asking, HostTools } from '../../host/host-tools.js'
import { checkCalls } from '../../page/answers/check-call.js'
import { Executions } from '../../page/answers/execute-call.js'
import { Offers } from '../../page/answers/offers.js'
import { approvalOffers } from '../../page/answers/needs-approval.js'
import { prepareStep } from '../../page/answers/prepare-step.js'
import type { QueryContext, QueryRun } from '../../page/answers/query-context.js'
import type { QueryDeps } from '../../page/answers/query-deps.js'
import { readCalls } from '../../page/answers/read-calls.js'
import { hiddenTools } from '../../page/answers/step-offer.js'
import { invalidInput } from '../../page/answers/tool-errors.js'
import * as log from '../../page/log.js'
import { ExclusiveLock, untilAborted } from '../../page/promises.js'
import { toolsOnOffer } from '../../page/tools/available-tools.js'
import { checkAnswer, storedQuestion } from '../../page/asking/ask-user.js'
import type { ToolRegistry } from '../../page/tools/registry.js'

/** Characters of the schema that a question has. A longer one is not sent: the question names its fields. */
const maxSchema = 65_536

/** What the tools of a conversation need from it. */
export interface ServerToolsDeps {
  readonly registry: ToolRegistry
  readonly toolContext: () => ToolContext
  /** As it is committed. */
  readonly session: () => Session
  readonly stopTurn: () => void
  /** Aborted when the conversation ends here. */
  readonly closed: AbortSignal
  /** A tool has ended while it waited for an answer of the user, or has withdrawn its question. */
  readonly post: QueryDeps['post']
}

type Answer<K extends QueryKind> = (guest: Guest, query: QueryOf<K>, asking: Asking<K>) => Promise<AnswerTo<K>>

/** The tools of a server in one conversation. */
export class ServerTools implements HostTools {
  readonly #registry: ToolRegistry
  readonly #context: QueryContext
  readonly #executions = new Executions()
  readonly #answers: { readonly [K in QueryKind]?: Answer<K> } = {
    prepare: (guest, query, asking) => this.#prepare(guest, query, asking),
    tools: (guest, query, asking) => this.#hidden(guest, query, asking),
    check: (guest, query, asking) => this.#check(guest, query, asking),
    read: (guest, query, asking) => this.#read(guest, query, asking),
    execute: (guest, query, asking) => this.#execute(guest, query, asking),
  }
  // The newest request has tools that a page describes.
  #hasPageTools = false
  // Names that a page was told about, so that it is told once.
  readonly #told = new WeakMap<Guest, Set<string>>()

  constructor({ registry, session, toolContext, stopTurn, closed, post }: ServerToolsDeps) {
    this.#registry = registry
    let shared: { readonly turn: string; readonly values: Map<string, unknown> } | undefined
    const deps: QueryDeps = {
      registry,
      providers: new Set(),
      lock: new ExclusiveLock(),
      options: () => ({
        get toolContext() {
          return toolContext()
        },
        // What a tool throws may name what only the server knows. It is logged there.
        exposeErrors: 'generic',
      }),
      session: () => withoutPages(session()),
      send: (turn) => {
        if (shared?.turn !== turn) shared = { turn, values: new Map() }
        return { options: undefined, shared: shared.values }
      },
      // The same for every page, because any page may show a question about such a call.
      page: () => ({ url: '', locale: session().turn?.facts.lang ?? '' }),
      isAllowed: () => true,
      closed,
      state: {
        setProgress: () => undefined,
        notify: () => undefined,
        get session() {
          return withoutPages(session())
        },
      },
      report: (failure, isLogged = false) => {
        if (!isLogged) log.logError(failure)
      },
      threw: () => undefined,
      noQuestions: () => undefined,
      stopTurn,
      post: (message) =>
        post(message.type === 'outcome' ? { ...message, outcome: withoutContext(message.outcome) } : message),
    }
    closed.addEventListener('abort', () => this.#executions.abortPaused('The conversation has ended here'))
    this.#context = { deps, offers: new Offers(deps), checks: new Map(), hasWarnedAboutToolCount: false }
  }

  has(name: string): boolean {
    return this.#registry.get(name) !== undefined
  }

  ask<K extends QueryKind>(guest: Guest, query: QueryOf<K>, asking: Asking<K>): Promise<AnswerTo<K>> {
    const answer = this.#answers[query.type as K] as Answer<K> | undefined
    return answer ? untilAborted(answer(guest, query, asking), asking.signal) : askPage(guest, query, asking)
  }

  /** What a question shows about one of these tools; undefined for a call of a page. */
  question({ call, approval }: ToolCallPart, path: readonly CallId[]): QuestionTool | undefined {
    if (!this.#isOwn(call.name, { path })) return undefined
    const { offers, checks } = this.#context
    const tool = offers.available(call.name, path)
    if (tool === undefined) return undefined
    const { inputSchema, annotations } = tool.spec
    // A question of an earlier server, which is checked again before anything runs.
    const { untrusted = true } = checks.get(call.id) ?? {}
    const isShort = JSON.stringify(inputSchema).length <= maxSchema
    return {
      inputSchema: isShort ? inputSchema : {},
      annotations,
      offers: approvalOffers(approval?.preview, annotations, untrusted).filter((offer) => offer === 'session'),
    }
  }

  /** The session has the result of a call. If its tool waits for an answer, nobody will give it. */
  settled(callId: CallId): void {
    this.#forget(callId)
  }

  /**
   * Why the arguments in place of those of a question do not match the schema of its tool, or an answer not that of
   * what the tool asks. Never rejects.
   */
  async validate(
    { call, approval }: ToolCallPart,
    path: readonly CallId[],
    input: JsonValue,
  ): Promise<Failure | undefined> {
    const tool = this.#context.offers.available(call.name, path)
    if (tool === undefined) return { code: 'unavailable', message: 'The server has no such tool any more.' }
    const asks = approval?.asks
    if (approval?.preview?.question !== undefined)
      return { code: 'invalid-option', message: 'This question is about the arguments that it shows.' }
    try {
      const checked = await (asks
        ? checkAnswer(this.#executions.asked(call.id) ?? (await storedQuestion(asks)), input)
        : tool.entry.schema.validate(input))
      return 'issues' in checked ? invalidInput(checked.issues) : undefined
    } catch (thrown) {
      log.logThrownError(`Tool "${call.name}": its schema threw: ${String(thrown)}`)
      return { code: 'invalid-input', message: 'These arguments could not be checked.' }
    }
  }

  offer(guest: Guest, offer: Offer): Offer {
    return { ...offer, ...this.#offered(guest, offer) }
  }

  /** The server's tools come first: they are the same in every request. */
  #offered<P extends Pick<Prepared, 'tools'>>(guest: Guest, prepared: P): P {
    const { deps, offers } = this.#context
    const { report } = deps
    const page = deps.page()
    const registry = this.#registry
    const own = toolsOnOffer(
      { registry, activeTools: undefined, isFirst: false, isManual: false, page, report },
      undefined,
    )
    offers.set([], { callable: own, sent: own })
    const theirs = prepared.tools.filter(({ name }) => !this.has(name))
    this.#hasPageTools = theirs.length > 0
    for (const { name } of prepared.tools) if (this.has(name)) this.#tell(guest, name)
    return { ...prepared, tools: [...[...own.values()].map(({ spec }) => spec), ...theirs] }
  }

  #tell(guest: Guest, name: string): void {
    const told = this.#told.get(guest) ?? new Set()
    this.#told.set(guest, told)
    if (told.has(name)) return
    told.add(name)
    const message = `The page's tool '${name}' is left out: a tool of the server has this name. Rename one of them.`
    guest.post({ type: 'error', error: { code: 'duplicate-tool', message } })
  }

  async #prepare(guest: Guest, query: QueryOf<'prepare'>, asking: Asking<'prepare'>): Promise<Prepared> {
    // Agents inside calls are tools of the server, and have no others.
    if (asking.path.length > 0) return prepareStep(this.#context, query, runOf(asking))
    // A page would wait until it has them.
    const expect = query.expect?.filter((name) => !this.has(name))
    return this.#offered(guest, await askPage(guest, dropUndefined({ ...query, expect }), asking))
  }

  /** The tools of the server are in every request, except those of an agent with very many. */
  async #hidden(guest: Guest, query: QueryOf<'tools'>, asking: Asking<'tools'>): Promise<AnswerTo<'tools'>> {
    if (asking.path.length > 0) return hiddenTools(this.#context, query, asking)
    const theirs = await askPage(guest, query, asking)
    return theirs.filter(({ name }) => !this.has(name))
  }

  #isOwn(name: string, { path }: { readonly path: readonly CallId[] }): boolean {
    return path.length > 0 || this.has(name)
  }

  /** The calls of this server's tools, and those of the page. */
  #split(calls: readonly CheckCall[], asking: { readonly path: readonly CallId[] }) {
    const isOwn = ({ name }: CheckCall) => this.#isOwn(name, asking)
    return { own: calls.filter(isOwn), theirs: calls.filter((call) => !isOwn(call)) }
  }

  async #check(guest: Guest, query: QueryOf<'check'>, asking: Asking<'check'>): Promise<readonly Verdict[]> {
    const { own, theirs } = this.#split(query.calls, asking)
    const [ours, verdicts] = await Promise.all([
      own.length > 0 ? checkCalls(this.#context, this.#checked(query, own), runOf(asking)) : [],
      theirs.length > 0 ? askPage(guest, { ...query, calls: theirs }, asking) : [],
    ])
    return [...ours, ...verdicts.filter(isAbout(theirs))]
  }

  /** What a page says about its tools may have led to these calls. */
  #checked<Q extends QueryOf<'check' | 'read'>>(query: Q, calls: readonly CheckCall[]): Q {
    return { ...query, calls, untrusted: query.untrusted || this.#hasPageTools }
  }

  /** Page and server read at once. All verdicts are reported together, because they count once. */
  async #read(guest: Guest, query: QueryOf<'read'>, asking: Asking<'read'>): Promise<null> {
    const { own, theirs } = this.#split(query.calls, asking)
    const sides = [own, theirs].filter((calls) => calls.length > 0).length
    const verdicts = new Map<readonly CheckCall[], readonly Verdict[]>()
    const reportOf = (calls: readonly CheckCall[]) => (report: ReadProgress) => {
      if ('verdicts' in report) {
        if (verdicts.has(calls)) return
        verdicts.set(calls, report.verdicts.filter(isAbout(calls)))
        if (verdicts.size === sides) asking.onProgress({ verdicts: [...verdicts.values()].flat() })
      } else if (isAbout(calls)('outcome' in report ? report.outcome : report)) {
        asking.onProgress(report)
      }
    }
    await Promise.all([
      own.length > 0 ? this.#readOwn(query, own, { ...asking, onProgress: reportOf(own) }) : undefined,
      theirs.length > 0
        ? askPage(guest, { ...query, calls: theirs }, { ...asking, onProgress: reportOf(theirs) })
        : undefined,
    ])
    return null
  }

  async #readOwn(query: QueryOf<'read'>, own: readonly CheckCall[], asking: Asking<'read'>): Promise<void> {
    const onProgress = (report: ReadProgress) =>
      asking.onProgress('outcome' in report ? { outcome: withoutContext(report.outcome) } : report)
    const run = runOf({ ...asking, onProgress })
    await readCalls(this.#context, this.#checked(query, own), run, this.#executions)
    for (const { callId } of own) if (!this.#executions.asked(callId)) this.#forget(callId)
  }

  async #execute(guest: Guest, query: QueryOf<'execute'>, asking: Asking<'execute'>): Promise<ExecutionResult> {
    if (!this.#isOwn(query.name, asking)) return askPage(guest, query, asking)
    const outcome = await this.#executions.execute(this.#context, query, runOf(asking))
    // A tool that waits for an answer goes on with the next query for its call.
    if (!outcome.held) this.#forget(query.callId)
    return withoutContext(outcome)
  }

  /** The turn has the outcome. It does not run the call again. */
  #forget(callId: CallId): void {
    this.#executions.discard(callId)
    this.#context.checks.delete(callId)
  }
}

function askPage<K extends QueryKind>(guest: Guest, query: QueryOf<K>, asking: Asking<K>): Promise<AnswerTo<K>> {
  const { signal, onProgress, path } = asking
  return guest.queries.ask(query, signal, onProgress, path)
}

function runOf<K extends QueryKind>({ path, signal, onProgress }: Asking<K>): QueryRun {
  return {
    path,
    signal,
    onProgress: onProgress as QueryRun['onProgress'],
    runAlone: (_callId, work) => work(signal),
  }
}

const isAbout =
  (calls: readonly CheckCall[]) =>
  ({ callId }: { readonly callId: CallId }): boolean =>
    calls.some((call) => call.callId === callId)

/** What pages have stored and been allowed is theirs. The options of a turn are theirs, too. */
function withoutPages(session: Session): Session {
  const { turn } = session
  return { ...session, context: {}, ...(turn ? { turn: { ...turn, options: {}, taskGrants: [] } } : {}) }
}

/** The context of a conversation is that of its pages: they could read it, and set it to anything. */
function withoutContext({ context, ...outcome }: ExecutionResult): ExecutionResult {
  if (context?.length)
    log.logWarning(
      'run.remember() has no effect in a tool of a server. Store it in your database, by the user and run.sessionId.',
      'remember',
    )
  return outcome as ExecutionResult
}
