// The offline model as a model adapter: it runs in the page, so the playground needs no server. It streams like an
// endpoint does, text in words and arguments in pieces.
import type { ModelAdapter, ModelPart } from '../../src/core/data/model.js'
import { chatRequestOf, type OfflinePart } from '../server/chat.js'
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
      const { parts, offers } = offlineAnswer(chatRequestOf(request), { hasButtons: onOffers !== undefined })
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
