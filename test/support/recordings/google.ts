// Recorded answers of the Gemini API: their expected content, read in the simplest way, and two ways to read them with
// the adapter's own code. Framings and cuts are those of `lab/streams.ts`.
import type { ToolAgentError } from '../../../src/core/data/errors.js'
import { isObject, parseJson, type JsonObject } from '../../../src/core/data/json.js'
import type { ModelPart, ModelUsage } from '../../../src/core/data/model.js'
import { generateContent, type GenerateContentOptions } from '../../../src/host/models/google/index.js'
import { AnswerBuilder } from '../../../src/host/models/answer/answer-builder.js'
import { geminiAnswer } from '../../../src/host/models/google/gemini-stream.js'
import { corpusFiles } from '../lab/corpora.js'
import { dataIn, type Answer, type Recording } from '../lab/streams.js'

const files = (ending: string) => corpusFiles('streams', ending).filter(({ name }) => name.startsWith('google/'))
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')
const isGemini = (text: string): boolean => Array.isArray((JSON.parse(text) as JsonObject)['candidates'])

const streams: readonly Recording[] = files('.chunks.txt').map((file) => ({
  name: file.name,
  events: linesOf(file.read()),
}))
/** Streams of generateContent. */
export const geminiRecordings = streams.filter(({ events }) => events.every(isGemini))
/** Streams of the Interactions API. */
export const interactionRecordings = streams.filter((one) => !geminiRecordings.includes(one))
const wholes = files('.json').map((file) => ({ name: file.name, text: file.read() }))
/** Whole answers of generateContent. */
export const geminiAnswers = wholes.filter(({ text }) => isGemini(text))
/** Whole answers of the Interactions API. */
export const interactionAnswers = wholes.filter(({ name }) => name.includes('interactions/'))
/** Bodies of error responses. */
export const geminiErrors = wholes.filter(({ text }) => isObject((JSON.parse(text) as JsonObject)['error']))

export interface GeminiAnswer extends Answer {
  /** The provider's own finish reason. */
  raw: string | undefined
  /** All thought signatures, in the order of the parts. */
  signatures: string[]
}

interface Part {
  text?: string
  thought?: boolean
  thoughtSignature?: string
  functionCall?: { name?: string; args?: unknown; partialArgs?: { jsonPath: string; [key: string]: unknown }[] }
}

/** What a stream contains: joined texts, arguments set at their paths, the last usage with a count. */
export function plainGemini(events: readonly string[]): GeminiAnswer {
  const answer = emptyAnswer()
  for (const line of events) {
    const { candidates, usageMetadata: usage } = JSON.parse(line) as {
      candidates: { content?: { parts?: Part[] }; finishReason?: string }[]
      usageMetadata?: Record<string, number>
    }
    for (const { text = '', thought, thoughtSignature, functionCall } of candidates[0]?.content?.parts ?? []) {
      if (thought === true) answer.reasoning += text
      else answer.text += text
      if (thoughtSignature !== undefined) answer.signatures.push(thoughtSignature)
      if (functionCall?.name !== undefined) answer.calls.push([functionCall.name, functionCall.args ?? {}])
      for (const piece of functionCall?.partialArgs ?? []) setAt(answer.calls.at(-1)![1] as JsonObject, piece)
    }
    answer.raw = candidates[0]?.finishReason ?? answer.raw
    if (usage?.['promptTokenCount'] !== undefined) answer.usage = plainUsage(usage)
  }
  const complete = answer.calls.length > 0 ? 'tool-calls' : 'stop'
  answer.finish = answer.raw === 'STOP' ? complete : answer.raw
  return answer
}

function setAt(root: JsonObject, piece: { jsonPath: string; [key: string]: unknown }): void {
  const keys = piece.jsonPath.match(/[^.[\]$]+/g) ?? []
  let target = root as Record<string, unknown>
  for (const [place, key] of keys.entries()) {
    if (place < keys.length - 1) {
      target[key] ??= /^\d+$/.test(keys[place + 1]!) ? [] : {}
      target = target[key] as Record<string, unknown>
    } else {
      const text = piece['stringValue']
      const known = typeof target[key] === 'string' ? target[key] : ''
      target[key] = typeof text === 'string' ? known + text : (piece['numberValue'] ?? piece['boolValue'] ?? null)
    }
  }
}

function plainUsage(usage: Record<string, number>): ModelUsage {
  const { promptTokenCount: total, cachedContentTokenCount: cacheRead, thoughtsTokenCount: reasoning } = usage
  return {
    inputTokens: { total: total!, ...(cacheRead === undefined ? {} : { cacheRead }) },
    outputTokens: {
      total: (usage['candidatesTokenCount'] ?? 0) + (reasoning ?? 0),
      ...(reasoning === undefined ? {} : { reasoning }),
    },
  }
}

/** What decoder, parser and assembly make of some pieces of bytes, without `fetch`. */
export function assembledGemini(pieces: Iterable<Uint8Array>): GeminiAnswer {
  let made = 0
  const assembly = new AnswerBuilder(geminiAnswer, {
    url: 'http://corpus/v1',
    secrets: [],
    newId: () => `made_${++made}`,
  })
  const parts: ModelPart[] = []
  try {
    for (const data of dataIn(pieces)) {
      const event = parseJson(data)
      if (event !== undefined) parts.push(...assembly.add(event))
    }
    parts.push(...assembly.end(false))
  } catch (thrown) {
    return { ...geminiAnswerOf(parts), error: String((thrown as ToolAgentError).code) }
  }
  return geminiAnswerOf(parts)
}

/** What the whole adapter makes of a response. */
export async function fetchedGemini(
  fetchIt: typeof fetch,
  options: Partial<GenerateContentOptions> = {},
): Promise<GeminiAnswer & { message?: string }> {
  const parts: ModelPart[] = []
  const model = generateContent({
    endpoint: 'http://corpus/v1beta',
    credentials: 'omit',
    stream: true,
    headers: async () => ({}),
    limits: { responseBytes: 4_194_304 },
    fetch: fetchIt,
    ...options,
  })
  try {
    for await (const part of model.stream(
      { model: 'm', system: '', messages: [], tools: [], toolChoice: 'auto' },
      new AbortController().signal,
    ))
      parts.push(part)
  } catch (thrown) {
    const { code, message } = thrown as { code?: unknown; message: string }
    return { ...geminiAnswerOf(parts), error: String(code), message }
  }
  return geminiAnswerOf(parts)
}

function emptyAnswer(): GeminiAnswer {
  return { text: '', reasoning: '', calls: [], finish: undefined, usage: undefined, raw: undefined, signatures: [] }
}

/** What a list of parts says. The displayed arguments of a call must be those of the call. */
export function geminiAnswerOf(parts: readonly ModelPart[]): GeminiAnswer {
  const answer = emptyAnswer()
  const shown = new Map<string, string>()
  for (const part of parts) {
    if (part.type === 'text-delta') answer.text += part.delta
    if (part.type === 'reasoning-delta') answer.reasoning += part.delta
    if (part.type === 'tool-input-delta') shown.set(part.id, (shown.get(part.id) ?? '') + part.delta)
    if ('providerMetadata' in part && part.type !== 'finish') {
      const own = part.providerMetadata?.['generateContent']
      if (isObject(own) && typeof own['signature'] === 'string') answer.signatures.push(own['signature'])
    }
    if (part.type === 'tool-call') {
      if (shown.get(part.toolCallId) !== part.input)
        throw new Error(`shown ${String(shown.get(part.toolCallId))}, called ${part.input}`)
      shown.delete(part.toolCallId)
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
