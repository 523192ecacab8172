// Recorded answers of the Responses API: their expected content read in the simplest way, and the same bytes through the
// real adapter.
import { isObject, parseJson, type JsonObject } from '../../../src/core/data/json.js'
import type { ModelPart } from '../../../src/core/data/model.js'
import { openaiResponses, type OpenAIResponsesOptions } from '../../../src/host/models/openai-responses/index.js'
import { textsOf, type Answer, type Recording } from '../lab/streams.js'
import { answersIn, partsOf, plainRequest, streamFiles, typeOf, wholesWith } from './named-events.js'

/** What an answer contains, with the items that go back to the server. */
export interface ResponsesAnswer extends Answer {
  /** The status, or the reason why the answer is incomplete. */
  raw?: string | undefined
  /** The reasoning items that are stored, unchanged. */
  items: JsonObject[]
  /** The ids of the messages and calls, in the order of the parts. */
  ids: string[]
}

const isEnd = (line: string): boolean => /^response\.(completed|incomplete|failed)$/.test(typeOf(line))

const all = answersIn(
  streamFiles.filter(({ events }) => typeOf(events[0]!) === 'response.created'),
  isEnd,
)

/** The recorded answers. */
export const recordings = all.filter(({ events }) => typeOf(events.at(-1)!) !== 'response.failed')
/** The index of the event after which the calls are known: the last one. @public */
export const stopAt = ({ events }: Recording): number => events.length - 1
/** Streams that report an error. */
export const failures = all.filter((one) => !recordings.includes(one))
/** Whole answers, not streamed. */
export const wholeAnswers = wholesWith('object', 'response')

interface WireItem {
  type: string
  id: string
  content?: { type: string; text?: string; refusal?: string }[]
  summary?: { text: string }[]
  encrypted_content?: string | null
  name?: string
  arguments?: string
}
interface WireResponse {
  output: WireItem[]
  status: string
  incomplete_details?: { reason: string } | null
  usage?: {
    input_tokens: number
    output_tokens: number
    input_tokens_details?: { cached_tokens?: number }
    output_tokens_details?: { reasoning_tokens?: number }
  }
}

interface WireEvent {
  type: string
  item?: WireItem
  response?: WireResponse
  delta?: string
}

/** The answer that the events describe: the items as they were completed, and the response at the end. */
export function plainReading(events: readonly string[]): ResponsesAnswer {
  const parsed = events.map((line) => JSON.parse(line) as WireEvent)
  const output = parsed.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item!] : []))
  return readingOfWhole({ ...parsed.at(-1)!.response!, output })
}

/** Whether somebody has removed pieces of text from the recording. */
export function isShortened({ events }: Recording): boolean {
  const parsed = events.map((line) => JSON.parse(line) as WireEvent)
  const deltas = parsed.flatMap(({ type, delta }) => (/(?:output_text|refusal)\.delta$/.test(type) ? [delta] : []))
  return deltas.join('') !== plainReading(events).text
}

/** The answer that a whole response describes. */
export function readingOfWhole(whole: unknown): ResponsesAnswer {
  const { output, usage, status, incomplete_details } = whole as WireResponse
  const of = (type: string) => output.filter((item) => item.type === type)
  const calls = of('function_call')
  const { input_tokens_details: input, output_tokens_details: details } = usage ?? {}
  const thoughts = of('reasoning')
  return {
    text: of('message')
      .flatMap(({ content = [] }) => content.map((part) => part.text ?? part.refusal ?? ''))
      .join(''),
    reasoning: thoughts
      .map(({ summary = [], content = [] }) =>
        [summary.length > 0 ? summary : content].flatMap((parts) => parts.map(({ text }) => text ?? '')).join('\n\n'),
      )
      .join(''),
    calls: calls.map(({ name, arguments: text }) => [name!, JSON.parse(text!)]),
    finish: calls.length > 0 ? 'tool-calls' : 'stop',
    raw: incomplete_details?.reason ?? status,
    items: thoughts
      .filter(({ encrypted_content: secret, content }) => typeof secret === 'string' || content?.length)
      .map((item) => Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'status')) as JsonObject),
    ids: [...of('message').filter(({ content }) => content?.some((part) => part.text || part.refusal)), ...calls].map(
      ({ id }) => id,
    ),
    usage: usage && {
      inputTokens: {
        total: usage.input_tokens,
        ...(input?.cached_tokens === undefined ? {} : { cacheRead: input.cached_tokens }),
      },
      outputTokens: {
        total: usage.output_tokens,
        ...(details?.reasoning_tokens === undefined ? {} : { reasoning: details.reasoning_tokens }),
      },
    },
  }
}

/** The adapter with settings for a test. */
export function adapter(options: Partial<OpenAIResponsesOptions> = {}) {
  return openaiResponses({
    endpoint: 'http://corpus/v1',
    credentials: 'omit',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 8_388_608 },
    linger: 20,
    ...options,
  })
}

/** What the adapter makes of a response. */
export async function fetched(
  fetchIt: typeof fetch,
  options: Partial<OpenAIResponsesOptions> = {},
): Promise<ResponsesAnswer> {
  const { parts, error } = await partsOf(adapter({ fetch: fetchIt, ...options }), plainRequest('gpt-test'))
  return { ...answerOf(parts), ...(error === undefined ? {} : { error }) }
}

/** The content of some parts. The displayed arguments of a call must be those of the call. */
export function answerOf(parts: readonly ModelPart[]): ResponsesAnswer {
  const answer: ResponsesAnswer = {
    ...textsOf(parts),
    calls: [],
    finish: undefined,
    usage: undefined,
    items: [],
    ids: [],
  }
  const shown = new Map<string, string>()
  const metadataOf = (part: ModelPart): JsonObject => {
    const own = 'providerMetadata' in part ? part.providerMetadata?.['openaiResponses'] : undefined
    return isObject(own) ? (own as JsonObject) : {}
  }
  for (const part of parts) {
    if (part.type === 'tool-input-delta') shown.set(part.id, (shown.get(part.id) ?? '') + part.delta)
    const { item, id } = metadataOf(part)
    if (part.type === 'reasoning-end' && isObject(item)) answer.items.push(item as JsonObject)
    if ((part.type === 'text-end' || part.type === 'tool-call') && typeof id === 'string' && !answer.ids.includes(id))
      answer.ids.push(id)
    if (part.type === 'tool-call') {
      if ((shown.get(part.toolCallId) ?? '') !== part.input)
        throw new Error(`shown ${String(shown.get(part.toolCallId))}, called ${part.input}`)
      answer.calls.push([part.toolName, parseJson(part.input)])
    }
    if (part.type === 'finish') {
      answer.finish = part.finishReason.unified
      answer.raw = part.finishReason.raw
      answer.usage = part.usage
    }
  }
  return answer
}
