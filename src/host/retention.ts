// Old sessions go by themselves where the page author wants it: never one that is open in some tab.
import type { HostConfig } from '../core/data/protocol.js'
import type { Store } from '../core/data/store.js'
import { SessionChannel, type Channels } from './tabs/session-channel.js'
import { isDriven, type Locks } from './tabs/session-lock.js'

/** Without locks nobody knows whether a tab has a session open; one that changed within a day may be. */
const day = 24 * 60 * 60_000

/** Deletes what is over `maxSessions` or older than `maxAge`, oldest first; `keep` stays whatever its age. */
export async function prune(
  store: Store,
  { locks, channels }: { readonly locks?: Locks | undefined; readonly channels?: Channels | undefined },
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
    tellDeleted(channels, id)
  }
}

/** Says so to whoever drives or watches it. */
export function tellDeleted(channels: Channels | undefined, id: string): void {
  const channel = new SessionChannel(channels, id, () => undefined)
  channel.post({ type: 'deleted' })
  channel.close()
}
