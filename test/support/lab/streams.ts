// Recorded streams of real providers: their expected content, their bytes in every framing that servers use, and two
// ways to read them: with parser and assembly only, or with the whole adapter over `fetch`.
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import type { JsonObject } from '../../../src/core/data/json.js'
import { isObject, parseJson } from '../../../src/core/data/json.js'
import type { ModelPart, ModelUsage } from '../../../src/core/data/model.js'
import { chatCompletions } from '../../../src/host/models/openai/index.js'
import { AnswerBuilder } from '../../../src/host/models/answer/answer-builder.js'
import { chatAnswer } from '../../../src/host/models/openai/chat-stream.js'
import { createSseReader } from '../../../src/host/models/http/sse.js'
import { AnswerCollector } from '../../../src/core/loop/answer-collector.js'
import { corpusFiles } from './corpora.js'

export interface Answer {
  text: string
  reasoning: string
  /** Name and parsed arguments, in call order. */
  calls: [string, unknown][]
  finish: string | undefined
  usage: ModelUsage | undefined
  /** The code of what was thrown. */
  error?: string
}

export interface Recording {
  readonly name: string
  /** The text after each `data: `. */
  readonly events: readonly string[]
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** Streams in the shape of chat completions. */
export const recordings: readonly Recording[] = corpusFiles('streams', '.chunks.txt')
  .map((file) => ({ name: file.name, events: linesOf(file.read()) }))
  .filter(({ events }) => events.some((line) => Array.isArray((JSON.parse(line) as JsonObject)['choices'])))
/** Streams of other APIs. */
export const otherRecordings: readonly Recording[] = corpusFiles('streams', '.chunks.txt')
  .filter((file) => !recordings.some(({ name }) => name === file.name))
  .map((file) => ({ name: file.name, events: linesOf(file.read()).filter((line) => isObject(JSON.parse(line))) }))
/** Whole, non-streamed chat completions. */
export const wholeAnswers = corpusFiles('streams', '.json')
  .filter((file) => (JSON.parse(file.read()) as JsonObject)['object'] === 'chat.completion')
  .map((file) => ({ name: file.name, text: file.read() }))

type Usage = {
  prompt_tokens?: number
  completion_tokens?: number
  prompt_tokens_details?: Record<string, number> | null
  completion_tokens_details?: Record<string, number> | null
}

/** Counts as servers report them; a count that is absent stays absent. */
export function plainUsage(usage: unknown): ModelUsage {
  const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = usage as Usage
  const counts = (total: number | undefined, name: string, count: number | undefined) => ({
    ...(total === undefined ? {} : { total }),
    ...(count === undefined ? {} : { [name]: count }),
  })
  return {
    inputTokens: counts(prompt_tokens, 'cacheRead', prompt_tokens_details?.['cached_tokens']),
    outputTokens: counts(completion_tokens, 'reasoning', completion_tokens_details?.['reasoning_tokens']),
  }
}

/**
 * What a stream contains, read in the simplest way: joined fields, arguments joined by index, the last usage. Correct
 * for recordings without faults.
 */
export function plainReading(events: readonly string[]): Answer {
  const answer: Answer = { text: '', reasoning: '', calls: [], finish: undefined, usage: undefined }
  const texts = new Map<number, { name: string; text: string }>()
  for (const line of events) {
    const { choices, usage } = JSON.parse(line) as {
      choices?: { delta?: Record<string, unknown>; finish_reason?: string | null }[]
      usage?: unknown
    }
    const choice = choices?.[0]
    answer.text += typeof choice?.delta?.['content'] === 'string' ? choice.delta['content'] : ''
    answer.reasoning +=
      typeof choice?.delta?.['reasoning_content'] === 'string' ? choice.delta['reasoning_content'] : ''
    answer.finish = choice?.finish_reason?.replace('_', '-') ?? answer.finish
    if (usage) answer.usage = plainUsage(usage)
    for (const call of (choice?.delta?.['tool_calls'] ?? []) as {
      index?: number
      function: { name?: string; arguments: string }
    }[]) {
      const known = texts.get(call.index ?? 0) ?? { name: '', text: '' }
      texts.set(call.index ?? 0, {
        name: known.name + (call.function.name ?? ''),
        text: known.text + call.function.arguments,
      })
    }
  }
  answer.calls = [...texts.values()].map(({ name, text }) => [name, parseJson(text)])
  return answer
}

/** The index of the event with the finish reason. After it everything is known, except sometimes the usage. */
export function finishAt({ events }: Recording): number {
  return events.findIndex((line) => {
    const { choices } = JSON.parse(line) as { choices?: { finish_reason?: string | null }[] }
    return typeof choices?.[0]?.finish_reason === 'string'
  })
}

export interface Form {
  readonly newline: '\n' | '\r\n' | '\r'
  /** A comment before each event, as a server sends it to keep a connection. */
  readonly comments: boolean
}
export const forms: readonly Form[] = (['\n', '\r\n', '\r'] as const).flatMap((newline) => [
  { newline, comments: false },
  { newline, comments: true },
])
export const formName = ({ newline, comments }: Form): string =>
  `${{ '\n': 'LF', '\r\n': 'CRLF', '\r': 'CR' }[newline]}${comments ? ' with comments' : ''}`

/** One event as bytes, its comment before it. */
export function frameOf(data: string, { newline, comments }: Form): Uint8Array {
  return new TextEncoder().encode(
    `${comments ? `: keep-alive${newline}${newline}` : ''}data: ${data}${newline}${newline}`,
  )
}

export function bytesOf(events: readonly string[], form: Form, terminal = true): Uint8Array {
  return Buffer.concat([...events, ...(terminal ? ['[DONE]'] : [])].map((data) => frameOf(data, form)))
}

/**
 * The data of the events in some pieces of bytes, with decoder and parser only. `end` completes an event without a
 * blank line.
 */
export function dataIn(pieces: Iterable<Uint8Array>): string[] {
  const decoder = new TextDecoder()
  const reader = createSseReader()
  const found: string[] = []
  for (const piece of pieces) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') for (const { data } of reader.feed(text)) found.push(data)
  }
  for (const { data } of reader.end()) found.push(data)
  return found
}

/** What decoder, parser and assembly make of some pieces of bytes, without `fetch`. */
export function assembled(pieces: Iterable<Uint8Array>): Answer {
  const assembly = new AnswerBuilder(chatAnswer, { url: 'http://corpus/v1', secrets: [], newId: () => 'made' })
  const parts: ModelPart[] = []
  let error: string | undefined
  try {
    let marked = false
    for (const data of dataIn(pieces)) {
      if (data === '[DONE]') {
        marked = true
        break
      }
      const event = parseJson(data)
      if (event !== undefined) parts.push(...assembly.add(event))
    }
    parts.push(...assembly.end(marked))
  } catch (thrown) {
    error = String((thrown as ToolAgentError).code)
  }
  return { ...answerOf(parts), ...(error === undefined ? {} : { error }) }
}

/** What the whole adapter makes of a response. */
export async function fetched(fetchIt: typeof fetch, endpoint = 'http://corpus/v1', stream = true): Promise<Answer> {
  const parts: ModelPart[] = []
  const model = chatCompletions({
    endpoint,
    credentials: 'omit',
    stream,
    headers: async () => ({}),
    limits: { responseBytes: 4_194_304 },
    fetch: fetchIt,
  })
  try {
    for await (const part of model.stream(
      { model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' },
      new AbortController().signal,
    ))
      parts.push(part)
  } catch (thrown) {
    return { ...answerOf(parts), error: String((thrown as { code?: unknown }).code) }
  }
  return answerOf(parts)
}

/** The texts and the reasoning of some parts, as a turn stores them. */
export function textsOf(parts: readonly ModelPart[]): { readonly text: string; readonly reasoning: string } {
  const collector = new AnswerCollector(() => (text) => text, Infinity)
  for (const part of parts) collector.add(part)
  const joined = (type: string) =>
    collector
      .parts()
      .map((part) => ('text' in part && part.type === type ? part.text : ''))
      .join('')
  return { text: joined('text'), reasoning: joined('reasoning') }
}

function answerOf(parts: readonly ModelPart[]): Answer {
  const answer: Answer = { text: '', reasoning: '', calls: [], finish: undefined, usage: undefined }
  for (const part of parts) {
    if (part.type === 'text-delta') answer.text += part.delta
    if (part.type === 'reasoning-delta') answer.reasoning += part.delta
    if (part.type === 'tool-call') answer.calls.push([part.toolName, parseJson(part.input)])
    if (part.type === 'finish') {
      answer.finish = part.finishReason.unified
      answer.usage = part.usage
    }
  }
  return answer
}

/** A response that gives the bytes in pieces that end at the cuts. */
export function inPieces(bytes: Uint8Array, cuts: Iterable<number>): typeof fetch {
  const ends = [...new Set([...cuts, bytes.length])].filter((end) => end > 0).values()
  let at = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { value: end } = ends.next()
      if (end === undefined) return controller.close()
      controller.enqueue(bytes.slice(at, end))
      at = end
    },
  })
  return async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
