// Which fields the calls of this tab have changed, from what and to what, so that the user can undo them: in memory,
// and in sessionStorage for a reload of the same page. Values of private fields are never here: no tool writes them.
// A closed launcher loads this file, which reads; `fill/undo/note-changes.ts` writes.
import { isObject, parseJson, type JsonValue } from '../../core/data/json.js'

/** A field that a call has changed. */
export interface ChangedField {
  /** Finds it again. */
  readonly label: string
  /** Its type, because states of another type cannot be compared. */
  readonly type: string
  /** Its raw state before the call. */
  readonly before: string
  /** Its value before the call, as a person reads it; undefined if only the state is known. */
  readonly was?: JsonValue | undefined
  /** Its raw state after the call. Undo leaves the field alone if it has another one. */
  readonly after: string
}

/** What one call has changed. */
export interface CallChanges {
  /** The id of the call. */
  readonly call: string
  /** Origin and path of the page. */
  readonly page: string
  /** In the order in which they were changed. */
  readonly fields: readonly ChangedField[]
  /** Where the page has saved them, such as `PATCH /settings`. */
  readonly saved?: readonly string[]
  /** The values from before the call are back. */
  readonly isBack?: boolean
  /** The visitor has looked at them. */
  readonly isSeen?: boolean
}

/** What is kept of each session. */
export const kept = new Map<string, readonly CallChanges[]>()
/** What this document has changed itself. An application may have another address meanwhile. */
export const own = new WeakSet<readonly ChangedField[]>()

/** Where the changes of a session are in sessionStorage. */
export const undoKey = (session: string): string => `tool-agent:undo:${session}`
/** The page, for a reload of the same. */
export const here = (): string => `${location.origin}${location.pathname}`

const isField = (value: unknown): value is ChangedField =>
  isObject(value) && ['label', 'type', 'before', 'after'].every((name) => typeof value[name] === 'string')

const isChanges = (value: unknown): value is CallChanges =>
  isObject(value) &&
  typeof value['call'] === 'string' &&
  typeof value['page'] === 'string' &&
  (value['saved'] === undefined || Array.isArray(value['saved'])) &&
  Array.isArray(value['fields']) &&
  value['fields'].every(isField)

/** What the calls of a session have changed, oldest first. */
export function changesOf(session: string): readonly CallChanges[] {
  let list = kept.get(session)
  if (list === undefined) {
    let stored: unknown
    try {
      stored = parseJson(sessionStorage.getItem(undoKey(session)) ?? '')
    } catch {
      stored = undefined // Storage is denied.
    }
    list = Array.isArray(stored) ? stored.filter(isChanges) : []
    kept.set(session, list)
  }
  return list
}

/** What a call has changed; undefined if this page does not know. */
export function changesBy(session: string, call: string): CallChanges | undefined {
  const found = changesOf(session).find((one) => one.call === call)
  return found && (own.has(found.fields) || found.page === here()) ? found : undefined
}
