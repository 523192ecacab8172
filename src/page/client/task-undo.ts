// Undoes what the assistant has changed in a task, and puts it back. A task is what was done for one message of the
// user. Fields are undone by the page tools that changed them, calls of other tools by their own `undo`, in reverse
// order. How each undo stands is stored with its call before and after it.
import { isAbove, type Effect } from '../../core/data/effect.js'
import { toFailure, type Failure } from '../../core/data/errors.js'
import { parseJson, isObject, type JsonValue } from '../../core/data/json.js'
import { allToolCalls, type CallId, type Message, type ToolCallPart, type Undone } from '../../core/data/message.js'
import { turnContext, type ContextChange, type Session } from '../../core/data/session.js'
import { internals, builtinToolNames } from '../../core/data/tool.js'
import type { AgentState } from '../agent-state.js'
import { mergeContextLayers } from '../context-layers.js'
import * as log from '../log.js'
import type { AgentOptions } from '../options.js'
import { untilAborted, type ExclusiveLock } from '../promises.js'
import { toolDefinition } from '../tools/compiled-tool.js'
import { askNobody } from '../tools/ask.js'
import { executeTool, type RunFacts } from '../tools/execute-tool.js'
import { isCompiled, type ToolEntry } from '../tools/registered-tool.js'
import type { FieldChanges } from '../tools/tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { Connection } from './connection.js'
import { pageAddress } from '../facts/address.js'

const noQuestions = 'undo asks nobody'
const afterCall = { remember() {}, report() {}, ask: askNobody(noQuestions) }

/** The newest task that changed something which can be undone, or that was undone. */
export interface UndoableTask {
  /** What its button does; undefined if everything is undone, and nothing of it can be put back. */
  readonly can: 'undo' | 'redo' | undefined
  /** Its calls that can be undone or were, in call order. The calls of an agent are one, by the agent's call. */
  readonly lines: readonly UndoableCall[]
}

/** A call that changed something which can be undone, or that was undone. */
export interface UndoableCall {
  readonly callId: CallId
  /** What its button does; undefined if it is undone, and cannot be put back. */
  readonly can: 'undo' | 'redo' | undefined
}

/** Why something stays: it was sent or deleted, or it is on another site. `other`: it is not known. */
export type StayingEffect = 'send' | 'destroy' | 'outside' | 'other'

/** What an undo, or taking it back, has done. */
export interface UndoOutcome {
  readonly did: 'undo' | 'redo'
  /** How many fields and calls it has put back. */
  readonly done: number
  /** Labels of fields that were changed since, and stayed. */
  readonly kept: readonly string[]
  /** Labels of fields that are gone, or that did not take the value. */
  readonly lost: readonly string[]
  /** Labels of fields whose other value the page had saved: its server keeps that. */
  readonly saved: readonly string[]
  /** Calls whose undo failed. */
  readonly failed: readonly ToolCallPart[]
  /** Calls whose undo took too long, so that nobody knows whether it took effect. */
  readonly late: readonly ToolCallPart[]
  /** Calls of the task that cannot be undone. */
  readonly stays: readonly { readonly part: ToolCallPart; readonly effect: StayingEffect }[]
}

/** What `TaskUndo` needs. */
export interface TaskUndoDeps {
  readonly state: AgentState
  readonly registry: ToolRegistry
  readonly lock: ExclusiveLock
  /** Aborted when the agent is closed. */
  readonly closed: AbortSignal
  options(): AgentOptions
  /** Asks the host. */
  readonly request: Connection['request']
  /** Stores what an undo has remembered. */
  remember(context: ContextChange): void
}

interface Call {
  readonly part: ToolCallPart
  readonly path: readonly CallId[]
}

interface Task {
  /** All calls of the task, in call order. */
  readonly calls: readonly Call[]
  /** Those that can be undone, or were. */
  readonly undoable: readonly Call[]
}

/** Milliseconds in which the fields of one call are put back. */
const fieldTime = 60_000

/** Undoes the newest task of a session. */
export class TaskUndo {
  readonly #deps: TaskUndoDeps
  /** The task of these messages. Undefined: it must be searched. */
  #found: { readonly messages: readonly Message[]; readonly task: Task | undefined } | undefined
  /** The newest change, until it is done. */
  #running:
    | { readonly did: 'undo' | 'redo'; readonly line: CallId | undefined; readonly outcome: Promise<UndoOutcome> }
    | undefined

  constructor(deps: TaskUndoDeps) {
    this.#deps = deps
    deps.registry.onChange(() => {
      this.#found = undefined
    })
  }

  /** The newest task; undefined if it has nothing to undo, while a turn runs, and in a page that does not drive. */
  get task(): UndoableTask | undefined {
    const { undoable = [] } = this.#task() ?? {}
    if (undoable.length === 0) return undefined
    const lines = [...new Set(undoable.map(lineOf))].map((callId) => ({
      callId,
      can: this.#can(undoable.filter((call) => lineOf(call) === callId)),
    }))
    return { can: this.#can(undoable), lines }
  }

  #can(calls: readonly Call[]): UndoableTask['can'] {
    if (calls.some((call) => this.#isOpen(call))) return 'undo'
    return calls.some((call) => this.#canRedo(call)) ? 'redo' : undefined
  }

  /**
   * Undoes the newest task or one line of it, or puts back the values of its fields. A failure of one call does not end
   * the others. While that is done, the same press again has the same outcome, and another begins after it.
   */
  change(did: 'undo' | 'redo', line?: CallId): Promise<UndoOutcome> {
    const before = this.#running
    if (before?.did === did && before.line === line) return before.outcome
    const outcome = this.#change(did, line, before?.outcome).finally(() => {
      if (this.#running === running) this.#running = undefined
      this.#deps.state.notify({ type: 'change' })
    })
    const running = (this.#running = { did, line, outcome })
    return outcome
  }

  /** Puts one field of a call back. For the call nothing changes: it is as if the visitor had edited the field. */
  async changeField(id: CallId, label: string): Promise<void> {
    const call = this.#task()?.undoable.find(({ part }) => part.call.id === id)
    const entry = call && this.#entry(call.part.call.name)
    const changes = entry?.tool[internals]?.fieldChanges
    if (!entry || !changes) return
    const signal = AbortSignal.any([this.#deps.closed, AbortSignal.timeout(fieldTime)])
    const run = { ...(await this.#facts(entry, id)), signal, ...afterCall }
    await this.#deps.lock.run(() => untilAborted(changes.putBack(run, 'before', label), signal))
    this.#deps.state.notify({ type: 'change' })
  }

  async #change(
    did: 'undo' | 'redo',
    line: CallId | undefined,
    before: Promise<unknown> | undefined,
  ): Promise<UndoOutcome> {
    await before
    const task = this.#task()
    const outcome = {
      did,
      done: 0,
      kept: [],
      lost: [],
      saved: [],
      failed: [],
      late: [],
      stays: [] as UndoOutcome['stays'],
    }
    const undoable = task?.undoable.filter((call) => line === undefined || lineOf(call) === line) ?? []
    const calls =
      did === 'undo'
        ? undoable.filter((call) => this.#isOpen(call)).reverse()
        : undoable.filter((call) => this.#canRedo(call))
    for (const call of calls) await this.#changeCall(call, outcome)
    if (task && did === 'undo' && line === undefined) outcome.stays = this.#staying(task)
    return outcome
  }

  #task(): Task | undefined {
    const { state } = this.#deps
    const { session, isDriver } = state
    if (session === undefined || session.turn !== undefined || !isDriver) return undefined
    const { messages } = session
    if (this.#found?.messages !== messages) this.#found = { messages, task: this.#search(session) }
    return this.#found.task
  }

  #search(session: Session): Task | undefined {
    const { messages, start, imported = 0 } = session
    const first = Math.max(0, imported - start)
    for (let end = messages.length; end > first;) {
      const before = end
      const from = messages.findLastIndex(({ role }, index) => index < before && role === 'user')
      const calls = allToolCalls(messages.slice(Math.max(first, from), end))
      const undoable = calls.filter((call) => this.#isUndoable(call, session.id))
      if (undoable.length > 0) return { calls, undoable }
      end = from
    }
    return undefined
  }

  #isUndoable({ part: { call, result } }: Call, sessionId: string): boolean {
    if (result === undefined || result.elsewhere) return false
    const tool = this.#entry(call.name)?.tool
    if (tool?.[internals]?.fieldChanges?.holds(sessionId, call.id)) return true
    return result.error === undefined && tool?.undo !== undefined && !tool[internals]?.isDiscovered
  }

  /** Which values the fields of a call have; undefined for other calls. */
  #holds({ part: { call } }: Call): 'before' | 'after' | undefined {
    return this.#entry(call.name)?.tool[internals]?.fieldChanges?.holds(this.#deps.state.session?.id ?? '', call.id)
  }

  /** Not undone by the user, and not by the model. */
  #isOpen(call: Call): boolean {
    const { undone } = call.part
    return (undone === undefined || undone.state === 'failed') && this.#holds(call) !== 'before'
  }

  #canRedo(call: Call): boolean {
    return call.part.undone?.state === 'done' && this.#holds(call) === 'before'
  }

  /** The registered tool of this name, also one of an agent that runs as a tool. */
  #entry(name: string): ToolEntry | undefined {
    const { registry } = this.#deps
    return (
      registry.get(name) ??
      registry
        .entries()
        .flatMap(({ inner = [] }) => inner)
        .find((one) => one.name === name)
    )
  }

  async #changeCall(call: Call, outcome: Changing): Promise<void> {
    const { part } = call
    const entry = this.#entry(part.call.name)
    if (entry === undefined) return
    try {
      const facts = await this.#facts(entry, part.call.id)
      const changes = entry.tool[internals]?.fieldChanges
      if (changes) await this.#putBack(changes, facts, call, outcome)
      else await this.#undoCall(entry, facts, call, outcome)
    } catch (thrown) {
      logFailure(part, toFailure(thrown, 'execution-failed'))
      outcome.failed.push(part)
    }
  }

  /** Puts the fields of a call back. */
  async #putBack(changes: FieldChanges, facts: RunFacts, call: Call, outcome: Changing): Promise<void> {
    const { lock, closed } = this.#deps
    const signal = AbortSignal.any([closed, AbortSignal.timeout(fieldTime)])
    const run = { ...facts, signal, ...afterCall }
    const to = outcome.did === 'undo' ? 'before' : 'after'
    const back = await lock.run(() => untilAborted(changes.putBack(run, to), signal))
    outcome.done += back.done.length
    outcome.kept.push(...back.kept)
    outcome.lost.push(...back.lost)
    if (to === 'before' && back.saved) outcome.saved.push(...back.saved)
    const kept = [...back.kept, ...back.lost]
    const isDone = back.done.length + back.kept.length > 0
    if (to === 'before')
      await this.#note(call, { state: isDone ? 'done' : 'failed', ...(kept.length > 0 ? { kept } : {}) })
    else if (isDone) await this.#note(call, null)
  }

  /** Calls the `undo` of a tool of the page, once. That it began is stored before. */
  async #undoCall(entry: ToolEntry, facts: RunFacts, call: Call, outcome: Changing): Promise<void> {
    const { registry, lock, closed, remember } = this.#deps
    const { tool } = entry
    await registry.ready()
    if (!isCompiled(entry) || tool.undo === undefined) return
    const { call: made, started, result } = call.part
    const input = result?.input ?? started?.input ?? made.input
    const output = await this.#output(call.part)
    const spec = { ...toolDefinition(entry, registry.describe(entry, pageAddress())), maxRetries: 0 }
    const undoing = {
      ...entry,
      tool: { ...tool, execute: (_input: never, run: never) => this.#call(tool, { input, output }, run) },
    }
    await this.#note(call, { state: 'begun' })
    const work = () =>
      executeTool(undoing, spec, input, facts, {
        signal: closed,
        onProgress: () => undefined,
        mayHold: false,
        noQuestions,
      })
    const done = await (spec.exclusive ? lock.run(work) : work())
    if (done.failure === undefined) {
      remember(done.context)
      outcome.done++
      return this.#note(call, { state: 'done' })
    }
    logFailure(call.part, done.failure)
    // After a time-out it may have taken effect, so it stays begun.
    const { code } = done.failure
    if (code === 'timeout' || code === 'cancelled') return void outcome.late.push(call.part)
    outcome.failed.push(call.part)
    return this.#note(call, { state: 'failed' })
  }

  #call(tool: ToolEntry['tool'], { input, output }: { input: JsonValue; output: JsonValue }, run: never): unknown {
    return tool.undo?.(input as never, output as never, run)
  }

  /** The output of a call as JSON. A long one is in the results store. */
  async #output({ call, result }: ToolCallPart): Promise<JsonValue> {
    const { output = null, outputChars, cut } = result ?? {}
    if (outputChars === undefined && !(cut && typeof output === 'string')) return output
    const text = await this.#deps.request('result', { callId: call.id })
    if (typeof text !== 'string') return output
    const parsed = parseJson(text)
    return isObject(parsed) || Array.isArray(parsed) ? (parsed as JsonValue) : text
  }

  async #facts({ contextSchema }: ToolEntry, toolCallId: CallId): Promise<RunFacts> {
    const { state, options } = this.#deps
    const session = state.opened()
    const { toolContext = {}, effects } = options()
    return {
      toolContext: await mergeContextLayers([toolContext, turnContext(session)], contextSchema),
      sessionId: session.id,
      toolCallId,
      messages: session.messages,
      shared: new Map(),
      permission: { effect: 'value', by: 'user' },
      ...(effects ? { effects } : {}),
    }
  }

  async #note({ part, path }: Call, undone: Omit<Undone, 'at'> | null): Promise<void> {
    await this.#deps.request('undo', { callId: part.call.id, path, undone })
  }

  /** The calls of a task that did something and cannot be undone. */
  #staying({ calls }: Task): UndoOutcome['stays'] {
    const { session } = this.#deps.state
    return calls.flatMap((call) => {
      const effect = this.#stayingEffect(call, session?.id ?? '')
      return effect === undefined ? [] : [{ part: call.part, effect }]
    })
  }

  #stayingEffect(call: Call, sessionId: string): StayingEffect | undefined {
    const { call: made, result, approval } = call.part
    if (result === undefined || result.error !== undefined || changesNothing.has(made.name)) return undefined
    const effect = result.effect ?? approval?.preview?.effect
    const isSent = effect !== undefined && isAbove(effect, 'go')
    // A fill that sent something stays in this part, although its fields are put back.
    if (this.#isUndoable(call, sessionId)) return isSent ? staying[effect] : undefined
    const { tool } = this.#entry(made.name) ?? {}
    if (effect !== undefined || tool?.[internals]?.preview) {
      const isChange = made.name !== 'form_fill' && !(isObject(result.output) && result.output['changed'] === false)
      return effect && isChange ? staying[effect] : undefined
    }
    if (tool === undefined) return approval && 'other'
    if (tool.agent || tool.annotations?.readOnlyHint) return undefined
    return tool.annotations?.destructiveHint ? 'destroy' : 'other'
  }
}

const logFailure = ({ call: { name, id } }: ToolCallPart, failure: Failure): void =>
  log.logError({ ...failure, message: `The undo of tool "${name}" failed in call ${id}: ${failure.message}` })

/** The call that stands for another one: the agent's, for a call of an agent. */
const lineOf = ({ part, path }: Call): CallId => path[0] ?? part.call.id

/** Tools of the agent itself, and page tools without an effect. */
const changesNothing: ReadonlySet<string> = new Set([...builtinToolNames, 'page_wait', 'page_scroll', 'form_undo'])

/** An outcome while it is made. */
interface Changing {
  readonly did: 'undo' | 'redo'
  done: number
  readonly kept: string[]
  readonly lost: string[]
  readonly saved: string[]
  readonly failed: ToolCallPart[]
  readonly late: ToolCallPart[]
}

const staying: Partial<Record<Effect, StayingEffect>> = {
  value: 'other',
  unknown: 'other',
  send: 'send',
  destroy: 'destroy',
  outside: 'outside',
}
