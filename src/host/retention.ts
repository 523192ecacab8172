// Deletes old sessions as the page's `retention` option says, except sessions that are open in a tab.
import type { HostConfig } from '../core/data/protocol.js'
import type { Store } from '../core/state/store.js'
import { SessionChannel, type Channels } from './tabs/session-channel.js'
import { type Origin, isDriven } from './tabs/session-lock.js'

/** Without locks, a session that changed less than a day ago (in milliseconds) may be open in another tab. */
const day = 24 * 60 * 60_000

/**
 * Deletes the sessions beyond `maxSessions` or older than `maxAge`, oldest first. The session `keep` is never deleted.
 */
export async function prune(
  store: Store,
  { locks, channels }: Origin,
  scope: string,
  { maxSessions = Infinity, maxAge = Infinity }: NonNullable<HostConfig['retention']>,
  keep: string,
  now: number,
): Promise<void> {
  const sessions = await store.list(scope)
  const old = sessions.filter(({ updatedAt }, place) => place >= maxSessions || now - updatedAt > maxAge)
  for (const { id, updatedAt } of old.reverse()) {
    if (id === keep || (locks ? await isDriven(locks, id) : channels !== undefined && now - updatedAt < day)) continue
    await store.delete(id)
    announceDeleted(channels, id)
  }
}

/**
 * Tells the tabs that have the session open that it was deleted. Call it after the delete, because they check the
 * store.
 */
export function announceDeleted(channels: Channels | undefined, id: string): void {
  const channel = new SessionChannel(channels, id, () => undefined)
  channel.post({ type: 'deleted' })
  channel.close()
}
