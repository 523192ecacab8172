// Collects the parts of one streamed answer into a message, and returns the events that display each part. Text goes
// through a filter that removes tool calls which the model wrote as markup.
import { ToolAgentError } from '../data/errors.js'
import type { TransientEvent } from '../data/event.js'
import { dropUndefined, type JsonValue } from '../data/json.js'
import type { AssistantPart, Metadata, ToolCallPart, Usage } from '../data/message.js'
import { beginsAnswer, type FinishReason, type ModelPart, type ModelUsage } from '../data/model.js'
import type { CallMarkupFilter } from '../prompt/strip-call-markup.js'
import type { StreamedCall } from './parse-tool-calls.js'

/** Text and reasoning blocks in one answer. Models that reason between their calls write some dozens. */
const maxBlocks = 1_000

/**
 * How many calls one answer may hold. Calls beyond `limits.callsPerStep` are settled with the error `limit`, and each
 * of them is one commit. An answer with far more calls is a fault or an attack: to settle it would take minutes.
 */
export function maxCallsPerAnswer(callsPerStep: number): number {
  return 8 * Math.max(16, callsPerStep)
}

/** The `bad-response` error for an answer with more than `max` calls. */
export function tooManyCalls(max: number): ToolAgentError {
  return new ToolAgentError('bad-response', `The answer has more than ${max} tool calls. None of them ran.`)
}

interface Block {
  readonly type: 'text' | 'reasoning'
  readonly text: string
  readonly metadata?: Metadata
  readonly filter: CallMarkupFilter
}

/** The parts of one answer so far, in the order in which they began. */
export class AnswerCollector {
  /** The model has sent a part that belongs to the answer. */
  hasStarted = false
  /** `cut` until the stream has sent its `finish` part. */
  finish: FinishReason | 'cut' = 'cut'
  /** The model that answers, if the adapter has chosen one of several. */
  model: string | undefined
  /** The token counts that came with `finish`. */
  usage: Usage | undefined
  /** The complete calls, in call order. */
  readonly calls: StreamedCall[] = []
  /** The state that page and agent share, if the answer has set it. */
  state: JsonValue | undefined
  readonly #blocks = new Map<string, Block>()
  /** How many of the calls the server ran. */
  #ran = 0
  /** The key of the block with the newest delta. */
  #newest = ''
  /** Calls by id, in the order in which they began, each with the number of blocks before it. */
  readonly #announcedCalls = new Map<string, number>()
  readonly #createFilter: () => CallMarkupFilter
  readonly #maxCalls: number

  /** `createFilter`: creates the filter for each text. `maxCalls`: see `maxCallsPerAnswer`. */
  constructor(createFilter: () => CallMarkupFilter, maxCalls: number) {
    this.#createFilter = createFilter
    this.#maxCalls = maxCalls
  }

  /**
   * Adds a part and returns the events that display it.
   * @throws {ToolAgentError} `bad-response` if the answer holds too many calls or blocks.
   */
  add(part: ModelPart): TransientEvent[] {
    if (beginsAnswer(part)) this.hasStarted = true
    switch (part.type) {
      case 'alive':
        return []
      case 'tool-input-start':
        this.#announcedCalls.set(part.id, this.#blocks.size)
        this.#checkCallCount()
        return [{ type: part.type, id: part.id, name: part.toolName }]
      case 'tool-input-delta':
        return [{ type: part.type, id: part.id, delta: part.delta }]
      case 'tool-input-end':
        return [{ type: part.type, id: part.id }]
      case 'tool-call': {
        const { toolCallId: id, toolName: name, input: text, providerMetadata: metadata } = part
        this.calls.push(dropUndefined({ id, name, text, metadata }))
        this.#checkCallCount()
        if (this.#announcedCalls.has(id)) return []
        this.#announcedCalls.set(id, this.#blocks.size)
        return [
          { type: 'tool-input-start', id, name },
          { type: 'tool-input-delta', id, delta: text },
          { type: 'tool-input-end', id },
        ]
      }
      case 'tool-result': {
        const { toolCallId: id, result } = part
        const at = this.calls.findIndex((call) => call.id === id && !call.result)
        const call = this.calls[at]
        // Parts of other libraries have the same name, and are no result of ours.
        if (call === undefined || !result.elsewhere) return []
        this.calls[at] = { ...call, result }
        this.#ran++
        return []
      }
      case 'state':
        this.state = part.state
        return [{ type: 'step-state', state: part.state }]
      case 'finish':
        this.finish = part.finishReason.unified
        this.usage = usageOf(part.usage)
        return []
      case 'response-metadata':
        this.model ??= part.model
        return []
      // The parts of texts and of reasoning.
      default: {
        const type = part.type.startsWith('text') ? 'text' : 'reasoning'
        const key = `${type} ${part.id}`
        const block: Block = this.#blocks.get(key) ?? {
          type,
          text: '',
          filter: type === 'text' ? this.#createFilter() : (text) => text,
        }
        const whole = 'text' in part ? part.text : undefined
        const filter = whole === undefined || type === 'reasoning' ? block.filter : this.#createFilter()
        const delta = filter(whole ?? ('delta' in part ? part.delta : ''), part.type === 'text-end')
        const text = whole === undefined ? block.text + delta : delta
        const metadata = part.providerMetadata ? { ...block.metadata, ...part.providerMetadata } : block.metadata
        this.#blocks.set(key, dropUndefined({ ...block, filter, text, metadata }))
        if (this.#blocks.size > maxBlocks)
          throw new ToolAgentError('bad-response', `The answer has more than ${maxBlocks} text blocks.`)
        if (whole !== undefined) return type === 'text' && this.#newest === key ? replacement(block.text, text) : []
        if (delta === '') return []
        this.#newest = key
        return [{ type: `${type}-delta`, delta }]
      }
    }
  }

  /**
   * The text and reasoning parts, and between them the calls that the server ran, as `ran` reads them. Must be called
   * once, at the end, because it flushes the filters of cut texts.
   */
  parts(ran: (call: StreamedCall) => readonly ToolCallPart[] = () => []): AssistantPart[] {
    const ranAfter = (blocks: number): readonly ToolCallPart[] =>
      [...this.#announcedCalls].flatMap(([id, before]) =>
        this.calls.filter((call) => before === blocks && call.id === id && call.result).flatMap(ran),
      )
    const parts = [...this.#blocks.values()].flatMap(({ filter, ...part }, index): AssistantPart[] => {
      const text = part.text + filter('', true)
      const isEmpty = text === '' && part.metadata === undefined
      return [...(isEmpty ? [] : [{ ...part, text }]), ...ranAfter(index + 1)]
    })
    return [...ranAfter(0), ...parts]
  }

  #checkCallCount(): void {
    const open = Math.max(this.#announcedCalls.size, this.calls.length) - this.#ran
    if (open > this.#maxCalls || this.#ran > maxBlocks) throw tooManyCalls(this.#maxCalls)
  }
}

/**
 * Events that turn the newest text that is shown into another one. Any other text that is replaced is shown with the
 * message of the step.
 */
function replacement(shown: string, text: string): TransientEvent[] {
  let kept = 0
  while (kept < text.length && shown[kept] === text[kept]) kept++
  const length = shown.length - kept
  const delta = text.slice(kept)
  return [
    ...(length > 0 ? [{ type: 'text-retract', length } as const] : []),
    ...(delta === '' ? [] : [{ type: 'text-delta', delta } as const]),
  ]
}

function usageOf(usage: ModelUsage | undefined): Usage | undefined {
  const { total, cacheRead, cacheWrite } = usage?.inputTokens ?? {}
  // Some relays report cached tokens next to the prompt tokens instead of as a part of them.
  const cached = (cacheRead ?? 0) + (cacheWrite ?? 0)
  const inputTokens = total !== undefined && total < cached ? total + cached : total
  const outputTokens = usage?.outputTokens?.total
  if (inputTokens === undefined && outputTokens === undefined) return undefined
  return dropUndefined({
    inputTokens,
    cachedInputTokens: cacheRead,
    cacheWriteTokens: cacheWrite,
    outputTokens,
    totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0),
  })
}
