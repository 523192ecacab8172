// What a page may ask of the store beside the session it has open.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { PageMessage } from '../../core/data/protocol.js'
import type { SessionSummary } from '../../core/data/session.js'
import { sessionHeadOf, type Store } from '../../core/data/store.js'
import { tellDeleted } from '../retention.js'
import type { Channels } from '../tabs/session-channel.js'
import { lockSession, type Locks } from '../tabs/session-lock.js'
import type { SessionWriter } from '../session-writer.js'
import { exportSession, importSession } from '../export-import.js'

type PageRequest = Extract<PageMessage, { type: 'request' }>
interface Desk {
  readonly store: Store
  /** Where the others are while the open session is in memory; else the same. */
  readonly disk: Store
  readonly writer: SessionWriter | undefined
  /** The session that another tab drives and this page shows. */
  readonly watched: string | undefined
  readonly scope: string
  readonly locks: Locks | undefined
  readonly channels: Channels | undefined
  now(): number
}

/** A session that another tab drives keeps its lock for good; one between two pages frees it at once. */
const lockPatience = 200

export async function answerRequest(request: PageRequest, desk: Desk): Promise<unknown> {
  const { store, disk, writer, watched = '', scope } = desk
  const given = request.with
  const id = typeof given['id'] === 'string' ? given['id'] : (writer?.session.id ?? watched)
  switch (request.what) {
    case 'sessions':
      return listOf(desk)
    case 'messages':
      return store.messages(id, numberOf(given, 'before'), numberOf(given, 'limit'))
    case 'result':
      return store.result(id, String(given['callId'] ?? ''))
    case 'stored':
      return ownSession(store, id, scope, Infinity)
    case 'rename':
      return rename(desk, id, String(given['title'] ?? '').trim())
    case 'delete':
      await ownSession(disk, id, scope)
      return remove(desk, id)
    case 'clear':
      for (const summary of await listOf(desk)) await remove(desk, summary.id)
      return null
    case 'export': {
      const session =
        writer?.session.id === id && writer.session.start === 0
          ? writer.session
          : await ownSession(store, id, scope, Infinity)
      if (session === undefined) throw new ToolAgentError('session-deleted', `There is no session '${id}'`)
      return exportSession(store, session)
    }
    case 'import':
      await importSession(store, given['data'], {
        id,
        scope,
        toolContext: given['toolContext'] === true,
        now: desk.now(),
      })
      return id
  }
}

async function rename({ store, writer, scope, locks, now }: Desk, id: string, title: string): Promise<null> {
  if (title === '') throw new ToolAgentError('invalid-option', 'rename: the title is empty')
  if (writer?.session.id === id) {
    await writer.emit({ type: 'session-change', at: now(), title })
    return null
  }
  if ((await ownSession(store, id, scope)) === undefined)
    throw new ToolAgentError('session-deleted', `There is no session '${id}'`)
  // Claiming fences whoever drives it, so it is done only where nobody does.
  const release = await lockSession(locks, { id }, lockPatience)
  if (release === undefined)
    throw new ToolAgentError('lost-session', 'This session is open in another tab: rename it there')
  try {
    const { epoch, session } = await store.claim(id, 0)
    if (session) await store.commit(id, epoch, { head: { ...sessionHeadOf(session), epoch, title } })
  } finally {
    release()
  }
  return null
}

async function listOf({ store, disk, scope }: Desk): Promise<SessionSummary[]> {
  const own = await store.list(scope)
  if (store === disk) return own
  return [...own, ...(await disk.list(scope)).filter(({ id }) => !own.some((one) => one.id === id))]
}

/** Deletes it, and tells whoever drives or watches it. */
async function remove({ store, disk, channels }: Desk, id: string): Promise<void> {
  await store.delete(id)
  if (store !== disk) await disk.delete(id)
  tellDeleted(channels, id)
}

/** The session, if it is of this scope; its messages only where they are wanted. */
async function ownSession(store: Store, id: string, scope: string, limit = 0) {
  const session = await store.read(id, limit)
  if (session && session.scope !== scope)
    throw new ToolAgentError('invalid-option', `There is no session '${id}' in this scope`)
  return session
}

function numberOf(given: JsonObject, name: string): number {
  const value: JsonValue | undefined = given[name]
  if (typeof value !== 'number') throw new ToolAgentError('invalid-option', `${name}: a number is needed`)
  return value
}
