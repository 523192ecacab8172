// The page's side of every ask: one function per ask. Nothing runs because of an event; only an `execute` ask runs a
// tool, and each call id once. Over 300 lines because every ask is answered here, one beside the other.
import { toFailure, ToolAgentError, type ErrorCode, type Failure } from '../../core/data/errors.js'
import { previewAction, type ActionForecast } from '../../core/turn/action-preview.js'
import { dropUndefined, isObject, type JsonValue } from '../../core/data/json.js'
import { toolCallsOf, allToolCalls, type CallId, type Message, type ToolCall } from '../../core/data/message.js'
import type {
  PageAnswers as AnswerTypes,
  PageQuery,
  CheckCall,
  ExecutionResult,
  PageMessage,
  Prepared,
  Verdict,
} from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import { isDiscoveredTool } from '../../core/data/tool.js'
import { openToolCalls, turnContext } from '../../core/data/session.js'
import type { QueryOf } from '../../core/turn/turn-deps.js'
import { approvalHash, approvalNeed } from './approval.js'
import { mergeContextLayers } from '../context-layers.js'
import { definitionHash } from '../tools/definition.js'
import type { ExclusiveLock } from '../tools/exclusive-lock.js'
import {
  checkOutput,
  executeTool,
  presentOutput,
  toPresented,
  type ExecutedTool,
  type PresentedOutput,
  type RunFacts,
} from '../tools/execute-tool.js'
import { warnAboutToolCount } from '../tools/lint-tool.js'
import { loadPart } from '../link/load-part.js'
import {
  collectAvailableTools,
  subAgentTools,
  type AvailableTools,
  type AvailableTool,
} from '../tools/available-tools.js'
import type { ErrorHandler, SendOptions } from '../options.js'
import { toJson } from '../schema/output-json.js'
import type { ToolRegistry } from '../tools/registry.js'
import { issuesText } from '../schema/compile.js'
import { rememberAction } from '../link/tab-storage.js'
import type { ToolProvider } from '../tools/tool.js'
import type { ToolErrorDeps } from './tool-errors.js'

/** What an error is called that the page's own code threw in an answer. */
const thrownCodes: Record<PageQuery['type'], ErrorCode> = {
  prepare: 'invalid-option',
  headers: 'unauthorized',
  'before-model': 'invalid-option',
  check: 'execution-failed',
  execute: 'execution-failed',
  model: 'bad-response',
}

/** Ids of the calls of agents that an ask comes from, outermost first. */
type Path = readonly CallId[]

/** Everything the answers need of their agent. */
export interface AnswerDeps extends ToolErrorDeps {
  readonly registry: ToolRegistry
  readonly providers: ReadonlySet<ToolProvider>
  readonly lock: ExclusiveLock
  /** What of a send cannot cross the port, and the map that its tools share. */
  send(turn: string): { readonly options: SendOptions | undefined; readonly shared: Map<string, unknown> }
  page(): { readonly url: string; readonly locale: string }
  /** False refuses the call: a listener of the cancelable event said no. */
  isAllowed(call: ToolCall, input: JsonValue): boolean
  post(message: PageMessage): void
}

/** Loaded with the first call that fails or is refused. */
const toolErrors = () => loadPart(() => import('./tool-errors.js'))

export class Answers {
  readonly #desk: AnswerDeps
  readonly #asks = new Map<number, AbortController>()
  // One execution per call id, whatever is asked how often; kept until its result is seen as an event.
  readonly #executions = new Map<CallId, Promise<ExecutionResult>>()
  readonly #outcomes = new Map<CallId, ExecutionResult>()
  // Tools at work, also for a host before this one.
  readonly #executing = new Map<AbortController, CallId>()
  // What calls that act were seen to lead to.
  readonly #foreseen = new Map<CallId, ActionForecast>()
  // By the calls of agents around it, joined; the turn's own under the empty text.
  readonly #offers = new Map<string, AvailableTools>()
  /** The programmer is warned of too many tools once. */
  #hasWarned = false

  constructor(desk: AnswerDeps) {
    this.#desk = desk
  }

  get running(): CallId[] {
    return [...this.#executions.keys()].filter((id) => !this.#outcomes.has(id))
  }

  get outcomes(): ExecutionResult[] {
    return [...this.#outcomes.values()]
  }

  /** A tool as it would run now: as it was offered, or, before the first offer of a page, as it is registered. */
  offered(name: string, path: Path = []): AvailableTool | undefined {
    const hash = this.#offers.get(path.join())?.get(name)?.spec.hash
    if (hash !== undefined) return this.#current(name, hash, path)
    if (path.length > 0) return undefined
    const { registry, page } = this.#desk
    const entry = registry.get(name)
    return entry && { entry, spec: definitionHash(entry, registry.specOf(entry, page())) }
  }

  /** What the caller of a stepped turn gives for a call, as the tool's own output would be presented. Throws `not-serializable`. */
  present(call: ToolCall, value: unknown): PresentedOutput & Source {
    const offered = this.offered(call.name)
    const presented = offered ? presentOutput(offered.entry, call.id, call.input, value) : toPresented(value)
    return { ...presented, ...(offered ? sourceOf(offered) : { untrusted: false }) }
  }

  /** The result stands in the session: the promise is kept. Whatever still runs for it was settled without it. */
  acknowledge(callId: CallId): void {
    for (const [controller, id] of this.#executing)
      if (id === callId) controller.abort(new DOMException('The call was settled', 'AbortError'))
    this.#outcomes.delete(callId)
    this.#executions.delete(callId)
    this.#foreseen.delete(callId)
  }

  cancel(id: number): void {
    this.#asks.get(id)?.abort(new DOMException('The turn was stopped', 'AbortError'))
    this.#asks.delete(id)
  }

  /** The host was started anew: tools that run go on, and what comes of them is told it when they end; all else is moot. */
  hostChanged(): void {
    for (const controller of this.#asks.values())
      if (!this.#executing.has(controller))
        controller.abort(new DOMException('The host was started again', 'AbortError'))
    this.#asks.clear()
    for (const callId of this.running)
      void this.#executions
        .get(callId)
        ?.then((outcome) => this.#desk.post({ type: 'outcome', outcome }))
        .catch(() => undefined) // It is held, and goes with the opening.
  }

  /** Aborts whatever runs; nothing is answered any more. */
  abortAll(why: string): void {
    for (const controller of [...this.#asks.values(), ...this.#executing.keys()])
      controller.abort(new DOMException(why, 'AbortError'))
    this.#asks.clear()
  }

  async receive(id: number, path: Path, ask: PageQuery): Promise<void> {
    const controller = new AbortController()
    this.#asks.set(id, controller)
    // Another host counts its asks anew: the same number may be another question by now.
    const isAsked = () => this.#asks.get(id) === controller && this.#asks.delete(id)
    if (ask.type === 'execute') this.#executing.set(controller, ask.callId)
    try {
      const value = await this.#answer(path, ask, controller.signal, (given) => {
        if (this.#asks.get(id) === controller) this.#desk.post({ type: 'progress', ask: id, value: given })
      })
      if (isAsked()) this.#desk.post({ type: 'answer', ask: id, value })
    } catch (thrown) {
      if (!isAsked()) return
      const error = toFailure(thrown, thrownCodes[ask.type])
      this.#desk.threw(error, thrown)
      this.#desk.post({ type: 'answer', ask: id, error })
    } finally {
      this.#executing.delete(controller)
    }
  }

  #answer(
    path: Path,
    ask: PageQuery,
    signal: AbortSignal,
    progress: (value: JsonValue) => void,
  ): Promise<AnswerTypes[PageQuery['type']]> {
    switch (ask.type) {
      case 'prepare':
        return this.#prepare(ask, path, signal)
      case 'headers':
        return this.#headers(ask)
      case 'before-model':
        return this.#beforeModel(ask)
      case 'check':
        return this.#check(ask, path, signal)
      case 'execute':
        return this.#execute(ask, path, signal, progress)
      case 'model':
        return this.#model(ask, signal, progress)
    }
  }

  async #prepare(ask: QueryOf<'prepare'>, path: Path, signal: AbortSignal): Promise<Prepared> {
    if (path.length > 0) return this.#prepareInside(path)
    const { registry, providers, options, session, send, page, report } = this.#desk
    const { stopWhen, limits, toolContext = {} } = options()
    if (ask.expect)
      await (
        await loadPart(() => import('../link/wait-for-page.js'))
      ).untilPageReady(ask.expect, registry, limits?.resumeWait ?? 5_000, signal)
    const now = session()
    // Asked before a model call, not before calls that a reload left open.
    if (stopWhen && ask.step > 1 && openToolCalls(now).length === 0) {
      const first = (now.turn?.first ?? now.start) - now.start
      if (await stopWhen({ steps: ask.step - 1, messages: now.messages.slice(first) })) return { tools: [], stop: true }
    }
    const { options: own, shared } = send(ask.turn)
    const offer = await collectAvailableTools({
      registry,
      providers,
      send: own,
      toolsMode: now.turn?.options.toolsMode,
      activeTools: now.turn?.options.activeTools,
      isFirst: ask.step === 1 && own?.activeTools !== undefined,
      isManual: now.turn?.mode === 'manual',
      message: ask.text,
      sessionId: now.id,
      toolContext: await mergeContextLayers([toolContext, turnContext(now)], undefined),
      page: page(),
      shared,
      report,
    })
    signal.throwIfAborted() // A provider was so slow that its turn is over: the offer is another turn's by now.
    this.#offers.clear()
    this.#offers.set('', offer)
    const tools = [...offer.values()].map(({ spec }) => spec)
    // A hook may still leave tools out.
    if (!options().hooks?.beforeModel) this.#hasWarned ||= warnAboutToolCount(tools, options().todo === false ? 0 : 2)
    return { tools }
  }

  /** An agent that runs as a call has its own tools alone. */
  async #prepareInside(path: Path): Promise<Prepared> {
    const { session, page, report } = this.#desk
    const name = allToolCalls(session().messages.slice(-1)).find(({ part }) => part.call.id === path.at(-1))?.part.call
      .name
    const agent = this.#offers.get(path.slice(0, -1).join())?.get(name ?? '')
    const offer = agent ? await subAgentTools(agent.entry, page(), report) : new Map<string, AvailableTool>()
    this.#offers.set(path.join(), offer)
    return { tools: [...offer.values()].map(({ spec }) => spec) }
  }

  async #headers(ask: QueryOf<'headers'>): Promise<Record<string, string>> {
    const { headers } = this.#desk.options()
    const given: unknown = typeof headers === 'function' ? await headers(ask.reason) : headers
    if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) {
      throw new ToolAgentError(
        'invalid-option',
        'headers: an object of strings is needed, or a function that gives one',
      )
    }
    return given as Record<string, string>
  }

  async #beforeModel(ask: QueryOf<'before-model'>): Promise<AnswerTypes['before-model']> {
    const copy = structuredClone(ask.request)
    const changed: unknown = JSON.parse(JSON.stringify((await this.#desk.options().hooks?.beforeModel?.(copy)) ?? copy))
    const isRequest =
      isObject(changed) &&
      typeof changed['system'] === 'string' &&
      Array.isArray(changed['messages']) &&
      Array.isArray(changed['tools'])
    if (!isRequest)
      throw new ToolAgentError(
        'invalid-option',
        'hooks.beforeModel: a request is needed, with system, messages and tools, or nothing',
      )
    const request = changed as unknown as AnswerTypes['before-model']
    this.#hasWarned ||= warnAboutToolCount(request.tools)
    return request
  }

  async #model(ask: QueryOf<'model'>, signal: AbortSignal, progress: (value: JsonValue) => void): Promise<null> {
    const { modelAdapter } = this.#desk.options()
    if (modelAdapter === undefined) throw new ToolAgentError('no-endpoint', 'The page has no modelAdapter any more')
    for await (const part of modelAdapter.stream(ask.request, signal)) {
      progress(toJson(part).json)
    }
    return null
  }

  async #check(ask: QueryOf<'check'>, path: Path, signal: AbortSignal): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = []
    for (const call of ask.calls) {
      // A schema that throws spoils its own call, not its siblings'.
      verdicts.push(
        await this.#verdict(call, path, ask.tainted, signal).catch((thrown: unknown): Verdict => ({
          callId: call.callId,
          do: 'refuse',
          error: toFailure(thrown, 'invalid-input'),
        })),
      )
    }
    return verdicts
  }

  async #verdict(call: CheckCall, path: Path, tainted: boolean, signal: AbortSignal): Promise<Verdict> {
    const { options, isAllowed, page } = this.#desk
    const { callId } = call
    const { hooks, onUnknownTool, onInvalidInput, onToolError, approval } = options()
    const { problem } = call
    if (problem) return this.#refused(call, problem, problem.code === 'format-error' ? onInvalidInput : onUnknownTool)
    const offered = this.#current(call.name, call.hash, path)
    if (offered === undefined) return this.#refused(call, unavailable(call.name), undefined)
    let checked = await offered.entry.schema.validate(call.input)
    if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)
    const asTold: ToolCall = { id: callId, name: call.name, input: checked.json }
    let toolContext: Awaited<ReturnType<typeof mergeContextLayers>>
    try {
      toolContext = await this.#context(offered)
    } catch (thrown) {
      return this.#refused(call, toFailure(thrown, 'invalid-context'), undefined)
    }
    try {
      const { id: sessionId, turn } = this.#desk.session()
      const { shared } = this.#desk.send(turn?.id ?? '')
      const said = await hooks?.beforeTool?.(asTold, { toolContext, sessionId, shared })
      if (said && 'refuse' in said) return this.#refused(call, { code: 'refused', message: said.refuse }, undefined)
      if (said && 'input' in said) {
        checked = await offered.entry.schema.validate(said.input)
        if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)
      }
    } catch (thrown) {
      const { refusalFrom } = await toolErrors()
      return this.#refused(call, refusalFrom(this.#desk, 'The page refused this call', thrown, asTold), undefined)
    }
    if (!isAllowed({ ...asTold, input: checked.json }, checked.json)) {
      return this.#refused(call, { code: 'refused', message: 'The page refused this call.' }, undefined)
    }
    const { session } = this.#desk
    const run = {
      toolContext,
      sessionId: session().id,
      toolCallId: callId,
      messages: messagesIn(session(), path),
      signal,
    }
    let foresight: ActionForecast | undefined
    try {
      foresight = offered.entry.tool[previewAction]?.(checked.value as never, run)
      if (foresight) this.#foreseen.set(callId, foresight)
    } catch (thrown) {
      // Nobody is asked for what cannot be done; what stands in its way may be told in words of the page.
      return {
        ...(await this.#refused(call, toFailure(thrown, 'execution-failed'), onToolError, thrown)),
        untrusted: true,
      }
    }
    const need = await approvalNeed(offered, checked.value, {
      run,
      grants: session().grants,
      approval,
      tainted,
      always: foresight?.always ?? false,
    })
    if (need.do === 'refuse') {
      const { refusalFrom } = await toolErrors()
      const why = refusalFrom(this.#desk, 'Whether this may run could not be decided', need.thrown, asTold)
      return this.#refused(call, why, undefined)
    }
    const input = checked.json
    if (need.do === 'run') return { callId, do: 'run', hash: call.hash, input }
    const preview =
      foresight?.preview ?? (offered.entry.tool[isDiscoveredTool] ? { claim: offered.spec.description } : undefined)
    return {
      callId,
      do: 'ask',
      input,
      title: offered.entry.title,
      hash: approvalHash(callId, input, call.hash, page().url, preview),
      ...(preview ? { preview } : {}),
      ...(need.once ? { once: true } : {}),
    }
  }

  /** A handler of the page may say it in its own words; one that throws ends the turn. */
  async #refused(
    { callId, name, input, raw }: CheckCall,
    error: Failure,
    handler: ErrorHandler | undefined,
    thrown?: unknown,
  ): Promise<Extract<Verdict, { do: 'refuse' }>> {
    const call = dropUndefined({ id: callId, name, input, raw })
    const { handleToolError } = await toolErrors()
    return { callId, do: 'refuse', error, ...(await handleToolError(this.#desk, error, call, handler, thrown)) }
  }

  #execute(
    ask: QueryOf<'execute'>,
    path: Path,
    signal: AbortSignal,
    onProgress: (value: JsonValue) => void,
  ): Promise<ExecutionResult> {
    const known = this.#executions.get(ask.callId)
    if (known) return known
    const execution = this.#run(ask, path, signal, onProgress)
    this.#executions.set(ask.callId, execution)
    void execution.then((outcome) => {
      // A stopped call is settled by the host; nobody waits for this outcome.
      if (signal.aborted) this.acknowledge(ask.callId)
      else this.#outcomes.set(ask.callId, outcome)
    })
    return execution
  }

  async #run(
    ask: QueryOf<'execute'>,
    path: Path,
    signal: AbortSignal,
    onProgress: (value: JsonValue) => void,
  ): Promise<ExecutionResult> {
    const { callId, name } = ask
    const began = Date.now()
    const early = (error: Failure): ExecutionResult => ({
      callId,
      error,
      attempts: 0,
      startedAt: began,
      endedAt: Date.now(),
    })
    // An agent that has run is finished as it was begun, whatever is registered by now.
    const offered = ask.made ? this.#offers.get(path.join())?.get(name) : this.#current(name, ask.hash, path)
    if (offered === undefined) return early(unavailable(name))
    const { entry, spec } = offered
    let checked: Awaited<ReturnType<typeof entry.schema.validate>>
    let facts: RunFacts
    try {
      checked = await entry.schema.validate(ask.input)
      if ('issues' in checked) return early(invalidInput(checked.issues))
      const session = this.#desk.session()
      facts = {
        toolContext: await this.#context(offered),
        sessionId: session.id,
        toolCallId: callId,
        messages: messagesIn(session, path),
        shared: this.#desk.send(session.turn?.id ?? '').shared,
        ...(ask.approval ? { approval: ask.approval } : {}),
      }
    } catch (thrown) {
      return early(toFailure(thrown, 'execution-failed'))
    }
    const { value, json: input } = checked
    const call: ToolCall = { id: callId, name, input }
    const { made } = ask
    const source = sourceOf(offered, made)
    const foreseen = this.#foreseen.get(callId)
    const work = async (): Promise<ExecutedTool> => {
      if (made) return { output: made.output, context: [], attempts: 1, startedAt: began, endedAt: Date.now() }
      // It may lead to another page, which then knows how this one was left.
      if (foreseen) rememberAction(facts.sessionId, { callId, from: foreseen.from, hides: foreseen.hides })
      const executed = await executeTool(entry, spec, value, facts, signal, (progress) =>
        onProgress(toJson(progress).json),
      )
      if (foreseen && !signal.aborted) rememberAction(facts.sessionId, undefined)
      return executed
    }
    const done = await (spec.exclusive ? this.#desk.lock.run(work) : work())
    const { attempts, startedAt, endedAt } = done
    const common = { callId, input, attempts, startedAt, endedAt }
    if (done.failure) return { ...common, ...(await this.#failed(done.failure, done.thrown, call, source)) }
    try {
      await checkOutput(entry, toJson(done.output).json)
      const own = presentOutput(entry, callId, value, done.output)
      const changed: unknown = await this.#desk.options().hooks?.afterTool?.(call, own.output)
      const replaced = changed === undefined ? undefined : toJson(changed)
      const presented = replaced ? { output: replaced.json, text: replaced.text } : own
      return { ...common, ...presented, ...source, context: done.context }
    } catch (thrown) {
      // It ran, and what came of it cannot be told: that is a failure like one of its own.
      return { ...common, ...(await this.#failed(toFailure(thrown, 'execution-failed'), thrown, call, source)) }
    }
  }

  async #failed(
    failure: Failure,
    thrown: unknown,
    call: ToolCall,
    source: Source,
  ): Promise<{ error: Failure; text?: string; fatal?: Failure } & Partial<Source>> {
    if (failure.code === 'cancelled') return { error: failure }
    const { exposedMessage, handleToolError, logThrown } = await toolErrors()
    if (failure.code === 'not-serializable') logThrown(this.#desk, call, thrown)
    // Any other code is the tool's own choice, or ours.
    const shown =
      failure.code === 'execution-failed' ? exposedMessage(this.#desk, failure, thrown, call) : failure.message
    const error = shown === failure.message ? failure : { code: failure.code, message: shown ?? 'The tool failed.' }
    // What the tool itself threw may quote the page; that it was late is our own word.
    const isQuoting = source.untrusted && error.code !== 'timeout'
    const { onToolError } = this.#desk.options()
    return {
      error,
      ...(isQuoting ? source : {}),
      ...(await handleToolError(this.#desk, error, call, onToolError, thrown)),
    }
  }

  #context({ entry }: AvailableTool): Promise<Readonly<Record<string, JsonValue | undefined>>> {
    return mergeContextLayers(
      [this.#desk.options().toolContext ?? {}, turnContext(this.#desk.session())],
      entry.contextSchema,
    )
  }

  /** The tool registered under a name now, if it is still the one that was offered. */
  #current(name: string, hash: string, path: Path): AvailableTool | undefined {
    const offered = this.#offers.get(path.join())?.get(name)
    if (offered === undefined || offered.spec.hash !== hash) return undefined
    if (path.length > 0 || offered.entry.source === 'provider') return offered
    const { registry, page, session, send } = this.#desk
    const own = send(session().turn?.id ?? '').options?.tools
    if (own?.some((tool) => tool.name === name)) return offered
    const entry = registry.get(name)
    if (entry === undefined) return undefined
    const spec = definitionHash(entry, registry.specOf(entry, page()))
    return spec.hash === hash ? { entry, spec } : undefined
  }
}

/** The messages of the agent that makes a call: those of the session, or those inside the calls around it. */
function messagesIn({ messages }: Session, path: Path): readonly Message[] {
  return path.reduce<readonly Message[]>((outer, id) => {
    const agent = toolCallsOf(outer.at(-1)).find(({ call }) => call.id === id)
    return agent?.child?.messages ?? []
  }, messages)
}

/** Where the text of an outcome is from. */
interface Source {
  readonly untrusted: boolean
  readonly foreign?: true
}

/** `made`: what an agent that runs as this tool has answered, which is from wherever its own tools read. */
function sourceOf({ entry, spec }: AvailableTool, made?: Source): Source {
  const untrusted = spec.annotations.untrustedContentHint === true
  const isForeign = made?.foreign || (untrusted && (entry.tool[isDiscoveredTool] || entry.source !== undefined))
  return { untrusted: untrusted || made?.untrusted === true, ...(isForeign ? { foreign: true } : {}) }
}

function unavailable(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}

export function invalidInput(issues: readonly { path: string; message: string }[]): Failure {
  return {
    code: 'invalid-input',
    message: `The arguments do not fit the tool. ${issuesText(issues)}`,
    details: issues.map(({ path, message }) => ({ path, message })),
  }
}
