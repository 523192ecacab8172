// The offline model's parts in the frames of OpenAI chat completions: as one JSON answer, or as the events of a stream,
// text in words and arguments in pieces, as real endpoints send them.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import type { ChatRequest, OfflinePart } from './chat.js'

const modelName = 'offline'

function usageOf(request: ChatRequest, parts: readonly OfflinePart[]): JsonObject {
  const prompt = Math.ceil(JSON.stringify([request.messages, request.tools]).length / 4)
  const completion = Math.ceil(JSON.stringify(parts).length / 4)
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const finishOf = (parts: readonly OfflinePart[]): string =>
  parts.some(({ type }) => type === 'tool-call') ? 'tool_calls' : 'stop'

/** The answer as one `chat.completion`. `at` is in milliseconds since the epoch. */
export function completion(request: ChatRequest, parts: readonly OfflinePart[], at: number): JsonObject {
  const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const calls = parts.flatMap((part): JsonValue[] =>
    part.type === 'tool-call'
      ? [{ id: part.id, type: 'function', function: { name: part.name, arguments: JSON.stringify(part.input) } }]
      : [],
  )
  return {
    ...head('chat.completion', at),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' ? null : text,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        finish_reason: finishOf(parts),
      },
    ],
    usage: usageOf(request, parts),
  }
}

/** The answer as the chunks of a stream, in order, without the closing `[DONE]`. */
export function* chunks(request: ChatRequest, parts: readonly OfflinePart[], at: number): Generator<JsonObject> {
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    ...head('chat.completion.chunk', at),
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  yield chunk({ role: 'assistant', content: '' })
  let index = 0
  for (const part of parts) {
    if (part.type === 'text') {
      for (const content of part.text.match(/\s*\S+(?:\s+$)?/g) ?? []) yield chunk({ content })
      continue
    }
    yield chunk({
      tool_calls: [{ index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } }],
    })
    for (const piece of JSON.stringify(part.input).match(/[\s\S]{1,16}/gu) ?? []) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
    index++
  }
  yield chunk({}, finishOf(parts))
  yield { ...head('chat.completion.chunk', at), choices: [], usage: usageOf(request, parts) }
}

function head(object: string, at: number): JsonObject {
  return { id: `chatcmpl-offline-${at}`, object, created: Math.floor(at / 1000), model: modelName }
}
