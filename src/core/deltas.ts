// Streamed pieces put together again, for whoever keeps events: a list in which the pieces of one text are one entry.
import type { AgentEvent } from './event.js'

/** Two deltas of one text as one; undefined where they are not. */
export function joinDeltas(one: AgentEvent, other: AgentEvent): AgentEvent | undefined {
  if (!('delta' in one) || !('delta' in other) || one.type !== other.type) return undefined
  if (one.type === 'tool-input-delta' && other.type === 'tool-input-delta' && one.id !== other.id) return undefined
  return { ...other, delta: one.delta + other.delta }
}
