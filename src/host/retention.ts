// Old sessions go by themselves where the page author wants it: never one that is open in some tab.
import type { HostConfig } from '../core/protocol.js'
import type { Store } from '../core/store.js'
import { isDriven, type Locks } from './session-lock.js'

/** Deletes what is over `maxSessions` or older than `maxAge`, oldest first; `keep` stays whatever its age. */
export async function prune(
  store: Store, locks: Locks | undefined, scope: string, { maxSessions = Infinity, maxAge = Infinity }: NonNullable<HostConfig['retention']>, keep: string, now: number,
): Promise<void> {
  const sessions = await store.list(scope)
  const old = sessions.filter(({ updatedAt }, place) => place >= maxSessions || now - updatedAt > maxAge)
  for (const { id } of old.reverse()) if (id !== keep && !(await isDriven(locks, id))) await store.delete(id)
}
