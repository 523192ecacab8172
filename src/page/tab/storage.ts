// Reads and writes the browser's storage for what a tab remembers. Without storage (sandboxed frames, Node) everything
// is kept in memory.
import { parseJson } from '../../core/data/json.js'

/** Used if the browser denies access to storage. */
const memory = new Map<string, string>()

type Area = 'sessionStorage' | 'localStorage'

/** The value of a key; undefined if there is none. */
export function readItem(key: string, area: Area = 'sessionStorage'): string | undefined {
  try {
    return globalThis[area].getItem(key) ?? undefined
  } catch {
    return memory.get(key) // Storage is denied or absent.
  }
}

/** Writes a value; undefined removes it. */
export function writeItem(key: string, value: string | undefined, area: Area = 'sessionStorage'): void {
  try {
    if (value === undefined) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    if (value === undefined) memory.delete(key)
    else memory.set(key, value)
  }
}

/** The key of a value. `id`: a scope for `session`, else the id of a session. */
export const storageKey = (kind: 'session' | 'outcomes' | 'unsaved' | 'act', id: string) => `tool-agent:${kind}:${id}`

/** Parses a JSON array, and drops items that are not valid: any script of the page can write to storage. */
export function readList<T>(text: string | undefined, isItem: (value: unknown) => value is T): T[] {
  const parsed = parseJson(text ?? '')
  return Array.isArray(parsed) ? parsed.filter(isItem) : []
}
