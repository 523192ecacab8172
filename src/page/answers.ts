// The page's side of every ask: one function per ask. Nothing runs because of an event; only an `execute` ask runs a
// tool, and each call id once.
import { failureOf, messageOf, ToolAgentError, type Failure } from '../core/errors.js'
import { isObject, type JsonValue } from '../core/json.js'
import type { CallId, ToolCall } from '../core/message.js'
import type { Answers as AnswerTypes, Ask, CheckCall, Outcome, PageMessage, Prepared, Verdict } from '../core/protocol.js'
import type { ContextChange, Session } from '../core/session.js'
import { turnContext } from '../core/session.js'
import type { AskOf } from '../core/deps.js'
import { toJson } from '../core/result-text.js'
import { approvalHash, approvalNeed } from './approval.js'
import { contextFor } from './context.js'
import { checkOutput, executeTool, presentOutput, type ExclusiveLock } from './execution.js'
import { composeOffer, type Offer, type Offered } from './offer.js'
import type { AgentOptions, ErrorHandler, SendOptions } from './options.js'
import { untilPageReady } from './readiness.js'
import type { ToolRegistry } from './registry.js'
import { issuesText } from './schema.js'
import type { ToolProvider } from './tool.js'

/** Everything the answers need of their agent. */
export interface AnswerDesk {
  readonly registry: ToolRegistry
  readonly providers: ReadonlySet<ToolProvider>
  readonly lock: ExclusiveLock
  options(): AgentOptions
  session(): Session
  /** What of a send cannot cross the port, and the map that its tools share. */
  send(turn: string): { readonly options: SendOptions | undefined; readonly shared: Map<string, unknown> }
  page(): { readonly url: string; readonly locale: string }
  /** False refuses the call: a listener of the cancelable event said no. */
  isAllowed(call: ToolCall, input: JsonValue): boolean
  report(failure: Failure): void
  post(message: PageMessage): void
}

export class Answers {
  readonly #desk: AnswerDesk
  readonly #asks = new Map<number, AbortController>()
  // One execution per call id, whatever is asked how often; kept until its result is seen as an event.
  readonly #executions = new Map<CallId, Promise<Outcome>>()
  readonly #outcomes = new Map<CallId, Outcome>()
  #offer: Offer = new Map()

  constructor(desk: AnswerDesk) {
    this.#desk = desk
  }

  get running(): CallId[] {
    return [...this.#executions.keys()].filter((id) => !this.#outcomes.has(id))
  }

  get outcomes(): Outcome[] {
    return [...this.#outcomes.values()]
  }

  /** Fingerprint of an offered tool as it is registered now. */
  definition(name: string): string | undefined {
    const hash = this.#offer.get(name)?.spec.hash
    return hash === undefined ? undefined : this.#current(name, hash)?.spec.hash
  }

  /** The result stands in the session: the promise is kept. */
  acknowledge(callId: CallId): void {
    this.#outcomes.delete(callId)
    this.#executions.delete(callId)
  }

  cancel(id: number): void {
    this.#asks.get(id)?.abort(new DOMException('The turn was stopped', 'AbortError'))
    this.#asks.delete(id)
  }

  /** Aborts whatever runs; nothing is answered any more. */
  abortAll(why: string): void {
    for (const controller of this.#asks.values()) controller.abort(new DOMException(why, 'AbortError'))
    this.#asks.clear()
  }

  async receive(id: number, ask: Ask): Promise<void> {
    const controller = new AbortController()
    this.#asks.set(id, controller)
    try {
      const value = await this.#answer(id, ask, controller.signal)
      if (this.#asks.delete(id)) this.#desk.post({ type: 'answer', ask: id, value })
    } catch (thrown) {
      if (this.#asks.delete(id)) this.#desk.post({ type: 'answer', ask: id, error: failureOf(thrown, 'execution-failed') })
    }
  }

  #answer(id: number, ask: Ask, signal: AbortSignal): Promise<AnswerTypes[Ask['type']]> {
    switch (ask.type) {
      case 'prepare': return this.#prepare(ask, signal)
      case 'headers': return this.#headers(ask)
      case 'before-model': return this.#beforeModel(ask)
      case 'check': return this.#check(ask, signal)
      case 'execute': return this.#execute(ask, signal, (value) => this.#desk.post({ type: 'progress', ask: id, value }))
      case 'model': return this.#model(id, ask, signal)
    }
  }

  async #prepare(ask: AskOf<'prepare'>, signal: AbortSignal): Promise<Prepared> {
    const { registry, providers, options, session, send, page, report } = this.#desk
    const { stopWhen, limits, toolContext = {} } = options()
    if (ask.expect) await untilPageReady(ask.expect, registry, limits?.resumeWait ?? 5_000, signal)
    const now = session()
    if (stopWhen && ask.step > 1) {
      const first = (now.turn?.first ?? now.start) - now.start
      if (await stopWhen({ steps: ask.step - 1, messages: now.messages.slice(first) })) return { tools: [], stop: true }
    }
    const { options: own, shared } = send(ask.turn)
    this.#offer = await composeOffer({
      registry, providers, send: own, activeTools: now.turn?.options.activeTools, message: ask.text, sessionId: now.id,
      toolContext: await contextFor([toolContext, turnContext(now)], undefined), page: page(), shared, report,
    })
    return { tools: [...this.#offer.values()].map(({ spec }) => spec) }
  }

  async #headers(ask: AskOf<'headers'>): Promise<Record<string, string>> {
    const { headers } = this.#desk.options()
    const given: unknown = typeof headers === 'function' ? await headers(ask.reason) : headers
    if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string')) {
      throw new ToolAgentError('invalid-option', 'headers: an object of strings is needed, or a function that gives one')
    }
    return given as Record<string, string>
  }

  async #beforeModel(ask: AskOf<'before-model'>): Promise<AnswerTypes['before-model']> {
    const changed = await this.#desk.options().hooks?.beforeModel?.(structuredClone(ask.request))
    return changed ? (toJson(changed).json as unknown as AnswerTypes['before-model']) : ask.request
  }

  async #model(id: number, ask: AskOf<'model'>, signal: AbortSignal): Promise<null> {
    const { modelAdapter } = this.#desk.options()
    if (modelAdapter === undefined) throw new ToolAgentError('no-endpoint', 'The page has no modelAdapter any more')
    for await (const part of modelAdapter.stream(ask.request, signal)) {
      this.#desk.post({ type: 'progress', ask: id, value: toJson(part).json })
    }
    return null
  }

  async #check(ask: AskOf<'check'>, signal: AbortSignal): Promise<readonly Verdict[]> {
    const verdicts: Verdict[] = []
    for (const call of ask.calls) {
      // A schema that throws spoils its own call, not its siblings'.
      verdicts.push(await this.#verdict(call, signal).catch((thrown: unknown): Verdict => ({ callId: call.callId, do: 'refuse', error: failureOf(thrown, 'invalid-input') })))
    }
    return verdicts
  }

  async #verdict(call: CheckCall, signal: AbortSignal): Promise<Verdict> {
    const { options, isAllowed, page } = this.#desk
    const { callId } = call
    const { hooks, onUnknownTool, onInvalidInput, approval } = options()
    if (call.problem) return this.#refused(call, call.problem, onUnknownTool)
    const offered = this.#current(call.name, call.hash)
    if (offered === undefined) return this.#refused(call, unavailable(call.name), undefined)
    let checked = await offered.entry.schema.validate(call.input)
    if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)
    const asTold: ToolCall = { id: callId, name: call.name, input: checked.json }
    try {
      const said = await hooks?.beforeTool?.(asTold, { toolContext: await this.#context(offered), sessionId: this.#desk.session().id })
      if (said && 'refuse' in said) return this.#refused(call, { code: 'refused', message: said.refuse }, undefined)
      if (said && 'input' in said) {
        checked = await offered.entry.schema.validate(said.input)
        if ('issues' in checked) return this.#refused(call, invalidInput(checked.issues), onInvalidInput)
      }
    } catch (thrown) {
      return this.#refused(call, { code: 'refused', message: `The page refused this call: ${messageOf(thrown)}` }, undefined)
    }
    if (!isAllowed({ ...asTold, input: checked.json }, checked.json)) {
      return this.#refused(call, { code: 'refused', message: 'The page refused this call.' }, undefined)
    }
    const { session } = this.#desk
    const toolContext = await this.#context(offered).catch(() => ({})) // Said again, properly, when the tool starts.
    const run = { toolContext, sessionId: session().id, toolCallId: callId, messages: session().messages, signal }
    const need = await approvalNeed(offered, checked.value, run, session(), approval)
    if (need.do === 'refuse') return this.#refused(call, { code: 'refused', message: need.why }, undefined)
    const input = checked.json
    if (need.do === 'run') return { callId, do: 'run', hash: call.hash, input }
    return { callId, do: 'ask', input, title: offered.entry.title, hash: approvalHash(callId, input, call.hash, page().url) }
  }

  /** A handler of the page may say it in its own words; one that throws ends the turn. */
  async #refused(call: CheckCall, error: Failure, handler: ErrorHandler | undefined): Promise<Verdict> {
    return { callId: call.callId, do: 'refuse', error, ...(await this.#told(error, { id: call.callId, name: call.name, input: call.input }, handler)) }
  }

  async #told(error: Failure, call: ToolCall, handler: ErrorHandler | undefined): Promise<{ text?: string; fatal?: Failure }> {
    if (handler === undefined) return {}
    try {
      const { options, session } = this.#desk
      const text = await handler(error, { call, toolContext: await contextFor([options().toolContext ?? {}, turnContext(session())], undefined) })
      return typeof text === 'string' ? { text } : {}
    } catch (thrown) {
      return { fatal: failureOf(thrown, error.code) }
    }
  }

  #execute(ask: AskOf<'execute'>, signal: AbortSignal, onProgress: (value: JsonValue) => void): Promise<Outcome> {
    const known = this.#executions.get(ask.callId)
    if (known) return known
    const execution = this.#run(ask, signal, onProgress)
    this.#executions.set(ask.callId, execution)
    void execution.then((outcome) => {
      // A stopped call is settled by the host; nobody waits for this outcome.
      if (signal.aborted) this.acknowledge(ask.callId)
      else this.#outcomes.set(ask.callId, outcome)
    })
    return execution
  }

  async #run(ask: AskOf<'execute'>, signal: AbortSignal, onProgress: (value: JsonValue) => void): Promise<Outcome> {
    const { callId, name } = ask
    const began = Date.now()
    const failed = (error: Failure, more: { untrusted?: boolean; text?: string; fatal?: Failure } = {}, facts = { attempts: 0, startedAt: began, endedAt: Date.now() }): Outcome =>
      ({ callId, error, ...more, ...facts })
    const offered = this.#current(name, ask.hash)
    if (offered === undefined) return failed(unavailable(name))
    const { entry, spec } = offered
    const call: ToolCall = { id: callId, name, input: ask.input }
    try {
      const checked = await entry.schema.validate(ask.input)
      if ('issues' in checked) return failed(invalidInput(checked.issues))
      const toolContext = await this.#context(offered)
      const session = this.#desk.session()
      const facts = {
        toolContext, sessionId: session.id, toolCallId: callId, messages: session.messages,
        shared: this.#desk.send(session.turn?.id ?? '').shared, ...(ask.approval ? { approval: ask.approval } : {}),
      }
      const work = () => executeTool(entry, spec, checked.value, facts, signal, (value) => onProgress(toJson(value).json))
      const done = await (spec.exclusive ? this.#desk.lock.run(work) : work())
      const { attempts, startedAt, endedAt } = done
      const timing = { attempts, startedAt, endedAt }
      if (done.failure) {
        const error = this.#exposed(done.failure, done.thrown, call)
        // What the tool itself threw may quote the page; that it was late is our own word.
        const untrusted = spec.annotations.untrustedContentHint === true && error.code !== 'timeout' && error.code !== 'cancelled'
        return failed(error, { ...(untrusted ? { untrusted } : {}), ...(await this.#told(error, call, this.#desk.options().onToolError)) }, timing)
      }
      await checkOutput(entry, toJson(done.output).json)
      const own = presentOutput(entry, callId, checked.value, done.output)
      const changed: unknown = await this.#desk.options().hooks?.afterTool?.(call, own.output)
      const replaced = changed === undefined ? undefined : toJson(changed)
      const presented = replaced ? { output: replaced.json, text: replaced.text } : own
      const untrusted = spec.annotations.untrustedContentHint === true
      return { callId, ...presented, untrusted, input: checked.json, context: done.context as ContextChange, ...timing }
    } catch (thrown) {
      return failed(failureOf(thrown, 'execution-failed'))
    }
  }

  /** What the model may read of an error that a tool threw. */
  #exposed(failure: Failure, thrown: unknown, call: ToolCall): Failure {
    const { exposeErrors = 'message' } = this.#desk.options()
    if (failure.code !== 'execution-failed' || exposeErrors === 'message') return failure
    this.#desk.report(failure)
    return { code: failure.code, message: exposeErrors === 'generic' ? 'The tool failed.' : exposeErrors(thrown, call) }
  }

  #context({ entry }: Offered): Promise<Readonly<Record<string, JsonValue | undefined>>> {
    return contextFor([this.#desk.options().toolContext ?? {}, turnContext(this.#desk.session())], entry.contextSchema)
  }

  /** The tool registered under a name now, if it is still the one that was offered. */
  #current(name: string, hash: string): Offered | undefined {
    const offered = this.#offer.get(name)
    if (offered === undefined || offered.spec.hash !== hash) return undefined
    if (offered.entry.source === 'provider') return offered
    const { registry, page, session, send } = this.#desk
    const own = send(session().turn?.id ?? '').options?.tools
    if (own?.some((tool) => tool.name === name)) return offered
    const entry = registry.get(name)
    if (entry === undefined) return undefined
    const spec = registry.specOf(entry, page())
    return spec.hash === hash ? { entry, spec } : undefined
  }
}

function unavailable(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}

export function invalidInput(issues: readonly { path: string; message: string }[]): Failure {
  return { code: 'invalid-input', message: `The arguments do not fit the tool. ${issuesText(issues)}`, details: issues.map(({ path, message }) => ({ path, message })) }
}
