// One model call: stream it, show it as it comes, and give back one complete message or a failure with the text so
// far. Only what failed before its first part is tried again.
import { abortable } from './abort.js'
import type { Draft } from '../data/session.js'
import { toFailure, ToolAgentError, type Failure } from '../data/errors.js'
import { dropUndefined, isObject } from '../data/json.js'
import { allToolCalls, type AssistantMessage, type AssistantPart, type Metadata, type Usage } from '../data/message.js'
import type { FinishReason, ModelPart, ModelRequest, ModelUsage } from '../data/model.js'
import { TurnAbort, type TurnDeps } from './turn-deps.js'
import { offeredName, readCalls, type TakenIds } from './parse-tool-calls.js'
import { createCallMarkupFilter, type CallMarkupFilter } from '../prompt/strip-call-markup.js'
import type { ToolSpec } from '../data/tool.js'

/** How a model call ended. `message` may hold text alone, or nothing at all. */
export interface StepOutcome {
  readonly message: AssistantMessage
  readonly finish: FinishReason | 'cut'
  readonly failure?: Failure
}

interface ModelCall {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly metadata?: Metadata
}

/**
 * Streams one step. Never throws for what the model or the wire did: that is `failure`, with what came before it in
 * `message`. Throws `lost-session` and the like from `emit`, and the signal's reason when it ended as `closed`.
 */
export async function modelStep(
  deps: TurnDeps,
  signal: AbortSignal,
  request: ModelRequest,
  step: number,
  offered: ReadonlyMap<string, ToolSpec>,
): Promise<StepOutcome> {
  const { modelRetries, callsPerStep } = deps.config().limits
  const mostCalls = mostCallsFor(callsPerStep)
  for (let attempt = 0; ; attempt++) {
    const id = deps.id('msg')
    await deps.emit({ type: 'step-start', at: deps.now(), step, id })
    const collected = new Collected((name) => offered.has(offeredName(name, offered)), mostCalls)
    let failure: Failure | undefined
    try {
      const model = await deps.model({ step, attempt, request })
      await readParts(deps, signal, model.stream(request, signal), collected)
    } catch (thrown) {
      if (isFencedOff(thrown)) throw thrown
      if (isClosed(signal)) throw signal.reason
      if (!signal.aborted) failure = toFailure(thrown, 'bad-response')
    }
    if (failure?.code === 'offline' && !collected.started) {
      // Waiting for the network is no attempt.
      await deps.emit({ type: 'step-retry', step, attempt: attempt--, delay: 0, error: failure })
      await deps.online(signal).catch(() => undefined)
      if (!signal.aborted) continue
      if (isClosed(signal)) throw signal.reason
      failure = undefined
    } else if (failure && !collected.started && attempt < modelRetries && isRetryable(failure)) {
      const delay = retryDelay(failure, attempt, deps.random())
      await deps.emit({ type: 'step-retry', step, attempt: attempt + 1, delay, error: failure })
      const waited = await deps.wait(delay, signal, true).then(
        () => true,
        () => false,
      )
      if (waited) continue
      if (isClosed(signal)) throw signal.reason
      failure = undefined
    }
    // A browser that leaves a page cuts its connections first and ends its worker a moment later: then nothing has failed.
    if (failure?.code === 'stream-cut' || failure?.code === 'network') {
      await deps.present(signal).catch(() => undefined)
      if (isClosed(signal)) throw signal.reason
      if (signal.aborted) failure = undefined
    }
    let finish = failure || signal.aborted ? 'cut' : collected.finish
    // Only a finish that means it makes calls real: a parsable prefix is not yet a call.
    const keep = finish === 'stop' || finish === 'tool-calls'
    let calls = keep ? readCalls(collected.calls, offered, takenIds(deps), () => deps.id('call')) : []
    // One call can wrap many.
    if (calls.length > mostCalls) {
      failure = toFailure(tooManyCalls(mostCalls), 'bad-response')
      finish = 'cut'
      calls = []
    }
    const message: AssistantMessage = dropUndefined({
      id,
      role: 'assistant',
      at: deps.now(),
      parts: [...collected.parts(), ...calls],
      usage: collected.usage,
    })
    return dropUndefined({ message, finish, failure })
  }
}

/** The text of an answer that is no part of the transcript. Throws what the model or the wire failed with. */
export async function chooseRecovery(
  deps: TurnDeps,
  signal: AbortSignal,
  request: ModelRequest,
  step: number,
): Promise<string> {
  const collected = new Collected(() => false, mostCallsFor(deps.config().limits.callsPerStep))
  const model = await deps.model({ step, attempt: 0, request })
  await readParts({ ...deps, emit: async () => undefined }, signal, model.stream(request, signal), collected)
  return collected
    .parts()
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('')
}

/** Text and reasoning blocks in one answer; a model that thinks between its calls writes some dozens. */
const mostBlocks = 1_000

/**
 * How many calls one answer may hold. Calls beyond `callsPerStep` are settled with `limit`, one commit each; an answer
 * with far more is a fault or an attack, and settling it would keep page and disk busy for minutes.
 */
function mostCallsFor(callsPerStep: number): number {
  return 8 * Math.max(16, callsPerStep)
}

function tooManyCalls(most: number): ToolAgentError {
  return new ToolAgentError('bad-response', `The answer holds more than ${most} tool calls. None of them ran.`)
}

function isClosed(signal: AbortSignal): boolean {
  return signal.reason instanceof TurnAbort && signal.reason.kind === 'closed'
}

/** True for errors after which this host may not write: there is nobody left to tell. */
export function isFencedOff(thrown: unknown): boolean {
  return thrown instanceof ToolAgentError && (thrown.code === 'lost-session' || thrown.code === 'session-deleted')
}

async function readParts(
  deps: TurnDeps,
  signal: AbortSignal,
  parts: AsyncIterable<ModelPart>,
  collected: Collected,
): Promise<void> {
  const { firstPart, betweenParts } = deps.config().limits
  const iterator = parts[Symbol.asyncIterator]()
  let release: (value: IteratorResult<ModelPart>) => void = () => undefined
  const aborted = abortable<IteratorResult<ModelPart>>(signal, (resolve) => {
    release = resolve
  })
  aborted.catch(() => undefined) // Raced below; an abort between two races is met by the next one.
  try {
    for (;;) {
      const timer = new AbortController()
      const limit = collected.started ? betweenParts : firstPart
      const late = deps.wait(limit, timer.signal, true).then(() => {
        throw new ToolAgentError(
          'model-timeout',
          `The model sent ${collected.started ? 'nothing more' : 'nothing'} for ${Math.round(limit / 1000)} s`,
        )
      })
      late.catch(() => undefined) // Cancelled below unless it won.
      const next = await Promise.race([iterator.next(), late, aborted]).finally(() => timer.abort())
      if (next.done) break
      for (const event of collected.add(next.value)) await deps.emit(event)
    }
  } finally {
    release({ done: true, value: undefined }) // The turn's signal outlives the step: no listener stays on it.
    // Not awaited: a generator that hangs in a read would hang here too. Its own failure has been reported or is moot.
    void iterator.return?.().catch(() => undefined)
  }
  if (collected.finish === 'cut') throw new ToolAgentError('stream-cut', 'The answer ended before it was complete')
}

type Shown = Parameters<TurnDeps['emit']>[0]

/** Parts as they come, in the order they began. */
class Collected {
  started = false
  finish: FinishReason | 'cut' = 'cut'
  usage: Usage | undefined
  readonly calls: ModelCall[] = []
  readonly #texts = new Map<
    string,
    { type: 'text' | 'reasoning'; text: string; metadata?: Metadata; readonly show: CallMarkupFilter }
  >()
  readonly #announced = new Set<string>()
  readonly #isOffered: (name: string) => boolean
  readonly #mostCalls: number

  constructor(isOffered: (name: string) => boolean, mostCalls: number) {
    this.#isOffered = isOffered
    this.#mostCalls = mostCalls
  }

  /** The events that show this part. Throws `bad-response` for more calls or blocks than an answer may hold. */
  add(part: ModelPart): Shown[] {
    if (part.type !== 'response-metadata') this.started = true
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const type = part.type.startsWith('text') ? 'text' : 'reasoning'
        const key = `${type} ${part.id}`
        const known = this.#texts.get(key) ?? {
          type,
          text: '',
          metadata: undefined,
          show: type === 'text' ? createCallMarkupFilter(this.#isOffered) : (text: string) => text,
        }
        const delta = known.show('delta' in part ? part.delta : '', part.type === 'text-end')
        const metadata = part.providerMetadata ? { ...known.metadata, ...part.providerMetadata } : known.metadata
        this.#texts.set(key, dropUndefined({ ...known, text: known.text + delta, metadata }))
        if (this.#texts.size > mostBlocks)
          throw new ToolAgentError('bad-response', `The answer holds more than ${mostBlocks} text blocks.`)
        return delta === '' ? [] : [{ type: `${type}-delta`, delta }]
      }
      case 'tool-input-start':
        this.#announced.add(part.id)
        this.#checkCalls()
        return [{ type: part.type, id: part.id, name: part.toolName }]
      case 'tool-input-delta':
        return [{ type: part.type, id: part.id, delta: part.delta }]
      case 'tool-input-end':
        return [{ type: part.type, id: part.id }]
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input: text, providerMetadata: metadata } = part
        this.calls.push(dropUndefined({ id, name, text, metadata }))
        this.#checkCalls()
        return this.#announced.has(id)
          ? []
          : [
              { type: 'tool-input-start', id, name },
              { type: 'tool-input-delta', id, delta: text },
              { type: 'tool-input-end', id },
            ]
      }
      case 'finish':
        this.finish = part.finishReason.unified
        this.usage = usageOf(part.usage)
        return []
      case 'response-metadata':
        return []
    }
  }

  #checkCalls(): void {
    if (Math.max(this.#announced.size, this.calls.length) > this.#mostCalls) throw tooManyCalls(this.#mostCalls)
  }

  parts(): AssistantPart[] {
    // A text that was cut may hold something back.
    return [...this.#texts.values()]
      .map(({ show, ...part }) => ({ ...part, text: part.text + show('', true) }))
      .filter((part) => part.text !== '' || part.metadata !== undefined)
  }
}

function usageOf(usage: ModelUsage | undefined): Usage | undefined {
  const { total, cacheRead = 0 } = usage?.inputTokens ?? {}
  // Some relays report cached tokens beside the prompt instead of within it.
  const inputTokens = total !== undefined && total < cacheRead ? total + cacheRead : total
  const outputTokens = usage?.outputTokens?.total
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return dropUndefined({ inputTokens, outputTokens, totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0) })
}

function takenIds({ root, callIds: ids }: TurnDeps): TakenIds {
  for (const { part } of allToolCalls(root().messages)) ids.add(part.call.id)
  return { ids, isAll: root().start === 0 }
}

function detail(failure: Failure, name: string): unknown {
  return isObject(failure.details) ? failure.details[name] : undefined
}

function isRetryable(failure: Failure): boolean {
  const asked = detail(failure, 'retry')
  if (typeof asked === 'boolean') return asked
  return failure.code === 'network' || failure.code === 'server' || failure.code === 'rate-limited'
}

/** `Retry-After` up to 60 s; else 0.5 s, 1 s, 2 s… half of it random. */
function retryDelay(failure: Failure, attempt: number, random: number): number {
  const asked = detail(failure, 'retryAfter')
  if (typeof asked === 'number') return Math.min(Math.max(0, asked), 60_000)
  return Math.round(500 * 2 ** attempt * (0.5 + random / 2))
}

/** What was streamed of a step that a reload cut: kept as a message where the turn does not go on by itself. */
export function draftMessage(draft: Draft, at: number): AssistantMessage | undefined {
  const parts = draft.parts.flatMap((part): AssistantPart[] =>
    part.type === 'tool-input' || part.text.trim() === '' ? [] : [part],
  )
  return parts.some((part) => part.type === 'text') ? { id: draft.id, role: 'assistant', parts, at } : undefined
}
