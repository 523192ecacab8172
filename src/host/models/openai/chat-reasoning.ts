// Collects the `reasoning_details` of OpenRouter, which a stream sends in pieces. Later requests must contain the whole
// list, unchanged and in order, or Gemini 3 and Claude reject the second step of a turn.
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens#preserving-reasoning-blocks
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'

type Detail = Record<string, JsonValue | undefined>

/** The details of one answer. */
export interface ReasoningDetails {
  /** The details so far, in the order of the server. */
  readonly list: readonly JsonObject[]
  /** Adds the pieces of one event. Returns their text for display; encrypted reasoning has none. */
  add(pieces: readonly unknown[]): string
}

/** Fields that are sent in pieces. Any other field is complete when it arrives. */
const streamed = ['text', 'summary', 'data']

/** Creates an empty list. */
export function createReasoningDetails(): ReasoningDetails {
  const list: Detail[] = []
  return {
    list,
    add(pieces) {
      let shown = ''
      const earlier = list.length
      for (const piece of pieces.filter(isObject) as Detail[]) {
        shown += [piece['text'], piece['summary']].map((text) => (typeof text === 'string' ? text : '')).join('')
        // Two entries of one event are never pieces of the same detail.
        const isKnown = (detail: Detail, place: number) =>
          place < earlier && continues(detail, piece, place === earlier - 1)
        const known = list.findLast(isKnown)
        if (known) extend(known, piece)
        else list.push({ ...piece })
      }
      return shown
    },
  }
}

/**
 * Whether a piece belongs to a known detail. The index is unique within a type only. Google's models give every call
 * the index 0 and a different id.
 */
function continues(detail: Detail, { type, index, id }: Detail, isLast: boolean): boolean {
  if (detail['type'] !== type || detail['index'] !== index) return false
  if (typeof index !== 'number') return isLast && type !== 'reasoning.encrypted'
  return typeof id !== 'string' || typeof detail['id'] !== 'string' || detail['id'] === id
}

function extend(detail: Detail, piece: Detail): void {
  for (const [key, value] of Object.entries(piece)) {
    const before = detail[key]
    if (streamed.includes(key) && typeof before === 'string' && typeof value === 'string') detail[key] = before + value
    else if (value !== null && value !== undefined) detail[key] = value
  }
}
