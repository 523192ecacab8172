// Requests of the page about stored sessions: list, read, rename, replace, undo, delete, export, import.
import { toErrorValue, ToolAgentError } from '../../core/data/errors.js'
import type { AgentEvent } from '../../core/data/event.js'
import { formatId } from '../../core/data/ids.js'
import { dropUndefined, isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { UserPart } from '../../core/data/message.js'
import type { PageMessage } from '../../core/data/protocol.js'
import type { Session, SessionSummary } from '../../core/data/session.js'
import { sessionHeadOf, type Store } from '../../core/state/store.js'
import { announceDeleted } from '../retention.js'
import { drivenElsewhere } from '../store/epoch-guard.js'
import { isListOf, isText, isUndone } from '../store/records.js'
import { lockSession, type Origin } from '../tabs/session-lock.js'
import { exportSession, importSession } from '../export-import.js'

/** A request of a page that gets a `reply`. */
export type PageRequest = Extract<PageMessage, { type: 'request' }>

interface PageRequestDeps extends Origin {
  /** The store of the open session: memory while the disk fails. */
  readonly store: Store
  /** The store of all other sessions; usually the same. */
  readonly disk: Store
  /** The writer of the driven session, if this page drives one. */
  readonly writer:
    | { readonly session: Session; emit(event: AgentEvent, path?: readonly string[]): Promise<void> }
    | undefined
  /** Id of the session that this page mirrors. */
  readonly watched: string | undefined
  readonly scope: string
  /** Milliseconds since the epoch. */
  now(): number
}

/** Milliseconds. Another tab keeps its lock while it drives; a page that reloads releases it within this time. */
const lockPatience = 200

/**
 * Answers one request. Without an `id` it is about the open session.
 * @throws `invalid-option` for a wrong argument or a session of another scope, `session-deleted` for a missing session.
 */
export async function answerRequest(request: PageRequest, deps: PageRequestDeps): Promise<unknown> {
  const { store, disk, writer, watched = '', scope } = deps
  const given = request.with
  const id = typeof given['id'] === 'string' ? given['id'] : (writer?.session.id ?? watched)
  switch (request.what) {
    case 'sessions':
      return listSessions(deps)
    case 'messages':
      return store.messages(id, numberOption(given, 'before'), numberOption(given, 'limit'))
    case 'result':
      return store.result(id, String(given['callId'] ?? '')).then((found) => found?.output ?? found?.value)
    case 'stored':
      return findSession(store, id, scope, Infinity)
    case 'rename':
      return rename(deps, id, String(given['title'] ?? '').trim())
    case 'replace':
      return replaceTurn(deps, given['input'])
    case 'undo':
      return noteUndone(deps, given)
    case 'delete':
      await findSession(disk, id, scope)
      return remove(deps, id)
    case 'clear':
      for (const summary of await listSessions(deps)) await remove(deps, summary.id)
      return null
    case 'export': {
      const session = writer?.session
      const isComplete = session?.id === id && session.start === 0
      return exportSession(store, isComplete ? session : required(id, await findSession(store, id, scope, Infinity)))
    }
    case 'import':
      await importSession(store, given['data'], {
        id,
        scope,
        toolContext: given['toolContext'] === true,
        now: deps.now(),
      })
      return id
  }
}

async function rename({ store, writer, scope, locks, now }: PageRequestDeps, id: string, title: string): Promise<null> {
  if (title === '') throw new ToolAgentError('invalid-option', 'title: expected text, received ""')
  if (writer?.session.id === id) {
    await writer.emit({ type: 'session-change', at: now(), title })
    return null
  }
  required(id, await findSession(store, id, scope))
  // A claim fences the driver of the session, so it must not happen while another tab drives it.
  const release = await lockSession(locks, { id }, lockPatience)
  if (release === undefined)
    throw new ToolAgentError('lost-session', 'This session is open in another tab. Rename it there.')
  try {
    const { epoch, session } = await store.claim(id, 0)
    if (session) await store.commit(id, epoch, { head: { ...sessionHeadOf(session), epoch, title } })
  } finally {
    release()
  }
  return null
}

/**
 * Replaces the newest turn by one with another message (`input`), or its answer only. Starts no turn: `continue` does.
 */
async function replaceTurn({ writer, now }: PageRequestDeps, input: JsonValue | undefined): Promise<null> {
  if (writer === undefined) throw toErrorValue(drivenElsewhere)
  const { messages, start, turn, end } = writer.session
  const index = messages.findLastIndex((message) => message.role === 'user' && !message.replaced)
  if (turn || end?.manual || index < 0)
    throw new ToolAgentError(
      'invalid-option',
      turn
        ? 'A turn is running, so none can be replaced. Call stop() first, or wait until it ends.'
        : 'There is no turn to replace. Use send().',
    )
  const at = now()
  const id = `msg_${formatId(crypto.getRandomValues(new Uint8Array(16)))}`
  const message =
    input === undefined ? undefined : { id, role: 'user' as const, parts: input as unknown as UserPart[], at }
  await writer.emit(
    dropUndefined({
      type: 'turn-replaced',
      at,
      end: dropUndefined({ turn: end?.turn ?? '', reason: 'interrupted', at, options: end?.options }),
      from: start + index + (message ? 0 : 1),
      message,
    }),
  )
  if (writer.session.turn)
    throw new ToolAgentError('invalid-option', 'Another turn has started meanwhile, so none was replaced.')
  return null
}

/**
 * Stores that the user undid a call, or that they took it back (`undone` is null). `path`: the agents around the call.
 */
async function noteUndone({ writer, now }: PageRequestDeps, { callId, path, undone }: JsonObject): Promise<null> {
  if (writer === undefined) throw toErrorValue(drivenElsewhere)
  const at = now()
  const state = isObject(undone) ? { ...undone, at } : undefined
  if (!isText(callId) || !isListOf(path, isText) || (undone !== null && !isUndone(state)))
    throw new ToolAgentError('invalid-option', 'undo: expected callId, path and undone')
  const event = { type: 'tool-undo' as const, at, callId, undone: isUndone(state) ? state : undefined }
  await writer.emit(dropUndefined(event), path as string[])
  return null
}

async function listSessions({ store, disk, scope }: PageRequestDeps): Promise<SessionSummary[]> {
  const own = await store.list(scope)
  if (store === disk) return own
  return [...own, ...(await disk.list(scope)).filter(({ id }) => !own.some((session) => session.id === id))]
}

/** Deletes a session and tells the tabs that have it open. */
async function remove({ store, disk, channels }: PageRequestDeps, id: string): Promise<void> {
  await store.delete(id)
  if (store !== disk) await disk.delete(id)
  announceDeleted(channels, id)
}

/** The stored session with at most `limit` messages. Throws `invalid-option` if it belongs to another scope. */
async function findSession(store: Store, id: string, scope: string, limit = 0): Promise<Session | undefined> {
  const session = await store.read(id, limit)
  if (session && session.scope !== scope)
    throw new ToolAgentError('invalid-option', `The session "${id}" belongs to another scope. Set that scope.`)
  return session
}

function required(id: string, session: Session | undefined): Session {
  if (session === undefined)
    throw new ToolAgentError('session-deleted', `There is no session "${id}". Use sessions.list().`)
  return session
}

function numberOption(given: JsonObject, name: string): number {
  const value = given[name]
  if (typeof value === 'number') return value
  throw new ToolAgentError('invalid-option', `${name}: expected a number, received ${typeof value}`)
}
