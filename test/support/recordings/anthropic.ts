// Recorded answers of Anthropic's Messages API: their expected content read in the simplest way, and the same
// bytes through the real adapter.
import { parseJson, type JsonObject } from '../../../src/core/data/json.js'
import type { ModelPart } from '../../../src/core/data/model.js'
import { anthropicMessages, type AnthropicMessagesOptions } from '../../../src/host/models/anthropic/index.js'
import type { Answer, Recording } from '../lab/streams.js'
import { answersIn, partsOf, plainRequest, streamFiles, typeOf, wholesWith } from './named-events.js'

/** What an answer contains, with the metadata that goes back to the server. */
export interface MessagesAnswer extends Answer {
  /** The word of the server. */
  raw?: string | undefined
  /** The text and the signature, or the encrypted data, of each thinking block. */
  thinking: JsonObject[]
}

const files = streamFiles.filter(({ name }) => name.startsWith('anthropic/'))

/** The recorded answers. */
export const recordings: readonly Recording[] = answersIn(
  files.filter(({ name }) => !name.includes('spliced')),
  (line) => typeOf(line) === 'message_stop',
)

/** The stream in which another answer begins before the first one is complete. */
export const spliced = files.find(({ name }) => name.includes('spliced'))

/** Whole answers, not streamed. */
export const wholeAnswers = wholesWith('type', 'message').filter(({ name }) => name.startsWith('anthropic/'))

/** The index of the event with the stop reason. @public */
export function stopAt({ events }: Recording): number {
  return events.findIndex((line) => /"stop_reason":\s*"/.test(line) && /message_(delta|start)/.test(typeOf(line)))
}

interface WireBlock {
  type: string
  text?: string
  thinking?: string
  signature?: string
  data?: string
  name?: string
  input?: unknown
}
interface WireMessage {
  content: WireBlock[]
  stop_reason: string | null
  usage: Record<string, number>
}

/** The answer that the events of a recording without faults describe. */
export function plainReading(events: readonly string[]): MessagesAnswer {
  let message: WireMessage | undefined
  const texts = new Map<number, string>()
  for (const line of events) {
    const event = JSON.parse(line) as Record<string, unknown> & { index: number; delta: Record<string, string | null> }
    const block = message?.content[event.index]
    const delta = event.delta
    if (event['type'] === 'message_start') message = structuredClone(event['message']) as WireMessage
    else if (event['type'] === 'content_block_start')
      message!.content[event.index] = structuredClone(event['content_block']) as WireBlock
    else if (event['type'] === 'content_block_delta') {
      for (const name of ['text', 'thinking', 'signature'] as const)
        if (typeof delta[name] === 'string') block![name] = (block![name] ?? '') + delta[name]
      if (delta['partial_json'] !== undefined)
        texts.set(event.index, (texts.get(event.index) ?? '') + delta['partial_json'])
    } else if (event['type'] === 'message_delta') {
      message!.stop_reason = delta['stop_reason'] ?? null
      Object.assign(message!.usage, event['usage'])
    }
  }
  for (const [index, text] of texts) if (text !== '') message!.content[index]!.input = JSON.parse(text)
  return readingOfWhole(message!)
}

const finishOf: Record<string, string> = { tool_use: 'tool-calls', end_turn: 'stop', refusal: 'content-filter' }

/** The answer that a whole message describes. */
export function readingOfWhole(whole: unknown): MessagesAnswer {
  const { content, stop_reason: raw, usage } = whole as WireMessage
  const of = (type: string) => content.filter((block) => block.type === type)
  return {
    text: of('text')
      .map(({ text }) => text)
      .join(''),
    reasoning: of('thinking')
      .map(({ thinking }) => thinking)
      .join(''),
    calls: of('tool_use').map(({ name, input }) => [name!, input]),
    finish: finishOf[raw!],
    raw: raw!,
    thinking: of('thinking').map(({ thinking, signature }) => ({ thinking: thinking!, signature: signature! })),
    usage: {
      inputTokens: {
        total:
          usage['input_tokens']! +
          (usage['cache_creation_input_tokens'] ?? 0) +
          (usage['cache_read_input_tokens'] ?? 0),
        ...(usage['cache_read_input_tokens'] === undefined ? {} : { cacheRead: usage['cache_read_input_tokens'] }),
        ...(usage['cache_creation_input_tokens'] === undefined
          ? {}
          : { cacheWrite: usage['cache_creation_input_tokens'] }),
      },
      outputTokens: { total: usage['output_tokens']! },
    },
  }
}

/** The adapter with settings for a test. */
export function adapter(options: Partial<AnthropicMessagesOptions> = {}) {
  return anthropicMessages({
    endpoint: 'http://corpus/v1',
    credentials: 'omit',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 4_194_304 },
    linger: 20,
    ...options,
  })
}

/** What the adapter makes of a response. */
export async function fetched(
  fetchIt: typeof fetch,
  options: Partial<AnthropicMessagesOptions> = {},
): Promise<MessagesAnswer> {
  const { parts, error } = await partsOf(adapter({ fetch: fetchIt, ...options }), plainRequest('claude-test'))
  return { ...answerOf(parts), ...(error === undefined ? {} : { error }) }
}

/** The content of some parts. */
export function answerOf(parts: readonly ModelPart[]): MessagesAnswer {
  const answer: MessagesAnswer = {
    text: '',
    reasoning: '',
    calls: [],
    finish: undefined,
    usage: undefined,
    thinking: [],
  }
  const thoughts = new Map<string, string>()
  for (const part of parts) {
    if (part.type === 'text-delta') answer.text += part.delta
    if (part.type === 'reasoning-delta') {
      answer.reasoning += part.delta
      thoughts.set(part.id, (thoughts.get(part.id) ?? '') + part.delta)
    }
    if (part.type === 'reasoning-end') {
      const { signature } = part.providerMetadata!['anthropicMessages'] as { signature: string }
      answer.thinking.push({ thinking: thoughts.get(part.id) ?? '', signature })
    }
    if (part.type === 'tool-call') answer.calls.push([part.toolName, parseJson(part.input)])
    if (part.type === 'finish') {
      answer.finish = part.finishReason.unified
      answer.raw = part.finishReason.raw
      answer.usage = part.usage
    }
  }
  return answer
}
