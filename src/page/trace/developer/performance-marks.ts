// With `debug`: shows turns, model requests and tool calls as bars in their own tracks of the performance timeline
// (https://developer.chrome.com/docs/devtools/performance/extension). A bar has names and numbers, but no text,
// argument or result.
import { toolCallsOf, type CallId } from '../../../core/data/message.js'
import type { AgentEvent } from '../../../core/data/event.js'
import type { TraceEntry } from '../trace.js'

type Color = 'primary' | 'secondary' | 'secondary-light' | 'tertiary' | 'error'
/** A row in the details of a bar. */
type Fact = readonly [name: string, value: string]

/** A model request that has not ended. Times are of `performance.now()`. */
interface OpenStep {
  readonly at: number
  readonly step: number
  /** When the first part of the answer arrived. */
  firstPart?: number
}

/** Begins every name, so that `clearMeasures` cannot clear a measure of the page. */
const prefix = 'tool-agent: '

/** Measures the events of one agent. */
export class PerformanceMarks {
  // Start times by path or call id. All are cleared when the turn ends.
  readonly #turns = new Map<string, number>()
  readonly #steps = new Map<string, OpenStep>()
  readonly #questions = new Map<CallId, number>()
  readonly #started = new Map<CallId, number>()
  readonly #names = new Map<CallId, string>()
  /** The browser rejected a measure, so no other is tried. */
  #isRefused = false

  /** `now`: when the event arrived, by `performance.now()`. */
  add({ path = [], event }: TraceEntry, now: number): void {
    if (event === undefined) return this.#forget()
    const place = path.join('/')
    switch (event.type) {
      case 'turn-start':
        this.#turns.set(place, now)
        return
      case 'step-start':
        this.#endStep(place, now, ['ended', 'without an answer'])
        this.#steps.set(place, { at: now, step: event.step })
        return
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-start': {
        const step = this.#steps.get(place)
        if (step) step.firstPart ??= now
        return
      }
      case 'step-retry':
        return this.#endStep(place, now, ['failed', event.error.code])
      case 'step-end': {
        const { usage } = event.message
        const calls = toolCallsOf(event.message)
        for (const { call } of calls) this.#names.set(call.id, call.name)
        return this.#endStep(place, now, undefined, [
          ['calls', String(calls.length)],
          ['input tokens', String(usage?.inputTokens ?? '?')],
          ['cached input tokens', String(usage?.cachedInputTokens ?? '?')],
          ['output tokens', String(usage?.outputTokens ?? '?')],
        ])
      }
      case 'approval-request':
        this.#questions.set(event.callId, now)
        return
      case 'tool-start':
        this.#endQuestion(event.callId, path, now, 'approved')
        this.#started.set(event.callId, now)
        return
      case 'tool-result':
        return this.#endCall(event, path, now)
      case 'turn-end':
        return this.#endTurn(event, path, now)
      default:
    }
  }

  #endStep(place: string, now: number, failure?: Fact, facts: readonly Fact[] = []): void {
    const open = this.#steps.get(place)
    if (open === undefined) return
    this.#steps.delete(place)
    const { at, step, firstPart } = open
    const first: Fact[] = firstPart === undefined ? [] : [['first part after', ms(firstPart - at)]]
    this.#measure('Model', `step ${step}`, at, now, failure ? 'error' : 'primary', [
      ...first,
      ...(failure ? [failure] : []),
      ...facts,
      ...inside(place),
    ])
  }

  #endQuestion(callId: CallId, path: readonly CallId[], now: number, answer: string): void {
    const at = this.#questions.get(callId)
    this.#questions.delete(callId)
    if (at !== undefined)
      this.#measure('Approvals', this.#name(callId), at, now, 'secondary-light', [
        ['answer', answer],
        ['call', callId],
        ...inside(path.join('/')),
      ])
  }

  #endCall(
    { callId, result }: Extract<AgentEvent, { type: 'tool-result' }>,
    path: readonly CallId[],
    now: number,
  ): void {
    const { error, attempts } = result
    this.#endQuestion(callId, path, now, error?.code ?? 'none')
    const at = this.#started.get(callId)
    this.#started.delete(callId)
    const facts: Fact[] = [
      ['result', error?.code ?? 'ok'],
      ['attempts', String(attempts)],
      ['call', callId],
      ...inside(path.join('/')),
    ]
    // A call that was refused before it ran has no duration.
    if (at !== undefined) this.#measure('Tools', this.#name(callId), at, now, error ? 'error' : 'tertiary', facts)
  }

  #endTurn({ reason, error }: Extract<AgentEvent, { type: 'turn-end' }>, path: readonly CallId[], now: number): void {
    const place = path.join('/')
    this.#endStep(place, now, ['ended', reason])
    const at = this.#turns.get(place)
    this.#turns.delete(place)
    const name = path.length === 0 ? 'turn' : `turn of ${this.#name(path.at(-1) ?? '')}`
    if (at !== undefined)
      this.#measure('Turns', name, at, now, error ? 'error' : 'secondary', [
        ['reason', reason],
        ...(error ? [['error', error.code] as const] : []),
        ...inside(place),
      ])
    if (path.length === 0) this.#forget()
  }

  #forget(): void {
    for (const map of [this.#turns, this.#steps, this.#questions, this.#started, this.#names]) map.clear()
  }

  #name(id: CallId): string {
    return this.#names.get(id) ?? id
  }

  #measure(track: string, name: string, start: number, end: number, color: Color, properties: readonly Fact[]): void {
    if (this.#isRefused) return
    const devtools = {
      dataType: 'track-entry',
      trackGroup: 'tool-agent',
      track,
      color,
      properties,
      tooltipText: `${name}, ${ms(end - start)}`,
    }
    try {
      performance.measure(prefix + name, { start, end, detail: { devtools } })
      // Recordings and observers have the measure by now. The page's own list of entries must not grow.
      performance.clearMeasures(prefix + name)
    } catch {
      // An old browser, or a page that replaced `performance`. The bars are optional, so nothing is reported.
      this.#isRefused = true
    }
  }
}

/** Milliseconds with one decimal. */
function ms(time: number): string {
  return `${Math.round(time * 10) / 10} ms`
}

/** For an event of an agent inside a call: the ids of the calls around it. */
function inside(place: string): Fact[] {
  return place === '' ? [] : [['inside', place]]
}
