// The sessions that a tab had open: each agent of a page has a slot in this list, so that it finds its session again
// after a reload. Loaded with the element, because it decides whether there is a session to open.
import { stringify } from '../../core/data/json.js'
import { times } from '../../core/data/lists.js'
import { readItem, readList, storageKey, writeItem } from './storage.js'

/** Ids of the sessions that are open in this document. Two agents of one scope must not pick the same one. */
export const openHere = new Set<string>()

/** The slots that agents of this page hold, by scope. */
const heldSlots = new Map<string, Set<number>>()

/** The ids of the sessions that this tab had open in a scope, by slot; '' for a slot without a session. */
const storedSlots = (scope: string): string[] =>
  readList(readItem(storageKey('session', scope)), (value): value is string => typeof value === 'string')

/**
 * An agent's place in the list of sessions of its tab. After a reload the agents get the same slots, in the same order.
 */
export interface SessionSlot {
  /** The scope of the agent; each scope has its own list of slots. */
  readonly scope: string
  /** The id of the session that was saved here; undefined if there is none. */
  saved(): string | undefined
  /** Saves the id of the session that is open. */
  save(id: string): void
  /** Frees the slot for other agents of this page. What was saved stays. */
  release(): void
}

/**
 * Claims the slot in which the session `named` is saved. Otherwise the first one that no agent of this page holds, and
 * whose session is not among `opened`.
 */
export function claimSlot(scope: string, opened: ReadonlySet<string>, named?: string): SessionSlot {
  const held = heldSlots.get(scope) ?? new Set()
  heldSlots.set(scope, held)
  const ids = storedSlots(scope)
  const isTaken = (slot: number) => held.has(slot) || (opened.has(ids[slot] ?? '') && ids[slot] !== named)
  let index = named === undefined ? -1 : ids.indexOf(named)
  if (index < 0 || held.has(index)) index = 0
  while (isTaken(index)) index++
  held.add(index)
  return {
    scope,
    saved: () => storedSlots(scope)[index] || undefined,
    save(id) {
      const now = storedSlots(scope)
      // No other free slot may keep the same session.
      const next = times(Math.max(index + 1, now.length), (slot) =>
        now[slot] === id && !held.has(slot) ? '' : (now[slot] ?? ''),
      )
      next[index] = id
      writeItem(storageKey('session', scope), stringify(next))
    },
    release: () => {
      held.delete(index)
    },
  }
}
