// The offline model as a model adapter: it runs in the page, so the playground needs no server. It streams like an
// endpoint does, text in words and arguments in pieces.
import type { ModelAdapter, ModelPart, ModelRequest, PromptMessage } from '../../src/core/data/model.js'
import { isObject, type JsonObject } from '../../src/core/data/json.js'
import type { ChatMessage, ChatRequest, OfflinePart } from './chat.js'
import { offlineAnswer } from './offline-model.js'
import { pause } from '../shared/pause.js'

/** A model thinks before its first word: this many times the pause between two. */
const firstFactor = 18
const defaultPause = 14

/**
 * The adapter. `paceOf` returns the time between two pieces in milliseconds; `onOffers` gets the messages that an answer
 * proposes to send next.
 */
export function offlineAdapter(
  paceOf: () => number = () => defaultPause,
  onOffers?: (offers: readonly string[]) => void,
): ModelAdapter {
  return {
    async *stream(request, signal) {
      const ms = paceOf()
      await pause(ms * firstFactor, signal)
      const { parts, offers } = offlineAnswer(chatRequestOf(request), onOffers !== undefined)
      for (const piece of parts.flatMap(piecesOf)) {
        yield piece
        if (piece.type === 'text-delta' || piece.type === 'tool-input-delta') await pause(ms, signal)
      }
      onOffers?.(offers)
      const hasCalls = parts.some(({ type }) => type === 'tool-call')
      yield { type: 'finish', finishReason: { unified: hasCalls ? 'tool-calls' : 'stop' } }
    },
  }
}

function piecesOf(part: OfflinePart, index: number): ModelPart[] {
  if (part.type === 'text') {
    const id = `text-${index}`
    const words = part.text.match(/\s*\S+(?:\s+$)?/g) ?? []
    return [
      { type: 'text-start', id },
      ...words.map((delta): ModelPart => ({ type: 'text-delta', id, delta })),
      { type: 'text-end', id },
    ]
  }
  const { id, name } = part
  const input = JSON.stringify(part.input)
  return [
    { type: 'tool-input-start', id, toolName: name },
    ...(input.match(/[\s\S]{1,16}/gu) ?? []).map((delta): ModelPart => ({ type: 'tool-input-delta', id, delta })),
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName: name, input },
  ]
}

/** The request in the form that the offline model reads. */
export function chatRequestOf({ model, system, messages, tools, toolChoice }: ModelRequest): ChatRequest {
  return {
    model,
    messages: [{ role: 'system', text: system, calls: [], callId: '' }, ...messages.flatMap(messagesOf)],
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    toolChoice: typeof toolChoice === 'object' ? { tool: toolChoice.toolName } : toolChoice,
    stream: true,
  }
}

function messagesOf(message: PromptMessage): ChatMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', text: textOf(message.content), calls: [], callId: '' }]
    case 'assistant': {
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call' ? [{ id: part.toolCallId, name: part.toolName, input: objectOf(part.input) }] : [],
      )
      return [{ role: 'assistant', text: textOf(message.content), calls, callId: '' }]
    }
    case 'tool':
      return message.content.map(({ toolCallId, output }) => ({
        role: 'tool',
        text: typeof output.value === 'string' ? output.value : textOf(output.value),
        calls: [],
        callId: toolCallId,
      }))
  }
}

function textOf(parts: readonly { readonly type: string; readonly text?: string }[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n\n')
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? (value as JsonObject) : {}
}
