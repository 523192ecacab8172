// Notes what calls have changed in fields, and what the visitor has put back or looked at. See `undo-store.ts`.
import { changesBy, changesOf, here, kept, undoKey, own, type CallChanges } from '../../definitions/undo-store.js'

/** Calls of one session, and characters of their values, that are kept. */
const most = { calls: 20, chars: 200_000 }

function save(session: string, list: readonly CallChanges[]): void {
  let newest = list.slice(-most.calls)
  kept.set(session, newest)
  while (JSON.stringify(newest).length > most.chars) newest = newest.slice(1)
  try {
    sessionStorage.setItem(undoKey(session), JSON.stringify(newest))
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

/** What the newest call has changed; undefined if its values were put back already. */
export function latestChanges(session: string): CallChanges | undefined {
  const latest = changesOf(session).at(-1)
  return latest && !latest.isBack ? changesBy(session, latest.call) : undefined
}
