// Which fields the calls of this tab have changed, from what and to what, so that the user can undo them: in memory,
// and in sessionStorage for a reload of the same page. Values of private fields are never here: no tool writes them.
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

/** Calls of one session, and characters of their values, that are kept. */
const most = { calls: 20, chars: 200_000 }
const kept = new Map<string, readonly CallChanges[]>()
/** What this document has changed itself. An application may have another address meanwhile. */
const own = new WeakSet<readonly ChangedField[]>()

const keyOf = (session: string): string => `tool-agent:undo:${session}`
const here = (): string => `${location.origin}${location.pathname}`

const isField = (value: unknown): value is ChangedField =>
  isObject(value) && ['label', 'type', 'before', 'after'].every((name) => typeof value[name] === 'string')

const isChanges = (value: unknown): value is CallChanges =>
  isObject(value) &&
  typeof value['call'] === 'string' &&
  typeof value['page'] === 'string' &&
  (value['saved'] === undefined || Array.isArray(value['saved'])) &&
  Array.isArray(value['fields']) &&
  value['fields'].every(isField)

function changesOf(session: string): readonly CallChanges[] {
  let list = kept.get(session)
  if (list === undefined) {
    let stored: unknown
    try {
      stored = parseJson(sessionStorage.getItem(keyOf(session)) ?? '')
    } catch {
      stored = undefined // Storage is denied.
    }
    list = Array.isArray(stored) ? stored.filter(isChanges) : []
    kept.set(session, list)
  }
  return list
}

function save(session: string, list: readonly CallChanges[]): void {
  let newest = list.slice(-most.calls)
  kept.set(session, newest)
  while (JSON.stringify(newest).length > most.chars) newest = newest.slice(1)
  try {
    sessionStorage.setItem(keyOf(session), JSON.stringify(newest))
  } catch {
    // Storage is denied or full: then nothing can be undone after a reload.
  }
}

/** Adds what a call has changed. A second attempt of a call counts from the state before the first. */
export function addChanges(
  session: string,
  { call, fields, saved = [] }: Pick<CallChanges, 'call' | 'fields' | 'saved'>,
): void {
  const list = changesOf(session)
  const known = list.find((one) => one.call === call)
  const first = known?.fields ?? []
  const all = [
    ...first.filter(({ label }) => fields.every((one) => one.label !== label)),
    ...fields.map((field) => {
      const { before, was } = first.find(({ label }) => label === field.label) ?? field
      return before === field.before ? field : { ...field, before, was }
    }),
  ]
  own.add(all)
  const addresses = [...(known?.saved ?? []), ...saved]
  save(session, [
    ...list.filter((one) => one.call !== call),
    { call, page: here(), fields: all, ...(addresses.length > 0 ? { saved: addresses } : {}) },
  ])
}

/** Notes whether the values from before a call are back. */
export function noteBack(session: string, call: string, isBack: boolean): void {
  save(
    session,
    changesOf(session).map((one) => (one.call === call ? { ...one, isBack } : one)),
  )
}

/** Notes that the visitor has looked at what a call has changed. */
export function noteSeen(session: string, call: string): void {
  save(
    session,
    changesOf(session).map((one) => (one.call === call ? { ...one, isSeen: true } : one)),
  )
}

/** What a call has changed; undefined if this page does not know. */
export function changesBy(session: string, call: string): CallChanges | undefined {
  const found = changesOf(session).find((one) => one.call === call)
  return found && (own.has(found.fields) || found.page === here()) ? found : undefined
}

/** What the newest call has changed; undefined if its values were put back already. */
export function latestChanges(session: string): CallChanges | undefined {
  const latest = changesOf(session).at(-1)
  return latest && !latest.isBack ? changesBy(session, latest.call) : undefined
}
