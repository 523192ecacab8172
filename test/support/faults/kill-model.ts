// The model of the kill matrices: a turn with parallel calls, an approval, a todo write and, in some, an agent inside
// it. Stateless like a model: first calls, then an answer, also for a request that is repeated after a kill.
import { isObject } from '../../../src/core/data/json.js'
import type { Handler, ScriptedCall } from '../lab/endpoint.js'

export const plainCalls = [
  { id: 'r', name: 'read', arguments: {} },
  { id: 'w', name: 'write', arguments: {} },
  { id: 'p', name: 'pay', arguments: {} },
  { id: 't', name: 'todo_write', arguments: { items: [{ text: 'a' }] } },
]
export const callsWithAgent = [...plainCalls, { id: 'a', name: 'research', arguments: { task: 'find and order' } }]
const inside = [
  { id: 'f', name: 'find', arguments: {} },
  { id: 'o', name: 'order', arguments: {} },
]

/** Tools of the page and of the agent inside that may run twice. */
export const repeatable: ReadonlySet<string> = new Set(['read', 'list', 'find'])

export const killModel =
  (calls: readonly ScriptedCall[]): Handler =>
  (body) => {
    const messages = Array.isArray(body['messages']) ? body['messages'].filter(isObject) : []
    const last = messages.at(-1)
    if (last?.['role'] === 'user' && last['content'] === 'next') return { text: 'next answer' }
    const isInside = String(messages[0]?.['content']).includes('You research')
    if (last?.['role'] === 'tool') return { text: isInside ? 'found and ordered' : 'answer' }
    // Asked to continue after a complete answer, whose turn-end is missing.
    if (!isInside && last?.['content'] !== 'Go') return { text: 'answer' }
    if (!isInside && calls.length === 0) return { text: 'answer' }
    return { calls: isInside ? inside : calls }
  }
