// The requests of the page that are answered with what is stored: list, read, rename, replace, undo, delete, export,
// import. `Requests` declares them; each is one handler here.
import { toErrorValue, ToolAgentError } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import { formatId } from '../core/data/ids.js'
import { dropUndefined } from '../core/data/json.js'
import type { RequestKind, RequestMessage, Requests } from '../core/data/protocol.js'
import type { Session, SessionSummary } from '../core/data/session.js'
import { sessionHeadOf, type Store } from '../core/state/store.js'
import { announceDeleted } from './retention.js'
import { drivenElsewhere } from './store/epoch-guard.js'
import { lockSession, type Origin } from './tabs/session-lock.js'
import { exportSession, importSession } from './export-import.js'

/** What the handlers of requests need from the host. */
interface RequestDeps extends Origin {
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

/** A request that is answered with what is stored. The others change which page drives. */
export type StoreRequest = Exclude<RequestKind, 'take-over'>

/** Without an `id` a request is about the open session. */
type Given<K extends StoreRequest> = Requests[K]['with'] & { readonly id: string }

/** One handler per request, with the errors that its caller gets. */
const handlers: {
  readonly [K in StoreRequest]: (deps: RequestDeps, given: Given<K>) => Promise<Requests[K]['reply']>
} = {
  sessions: (deps) => listSessions(deps),
  messages: ({ store }, { id, before, limit }) => store.messages(id, before, limit),
  result: async ({ store }, { id, callId }) => {
    const found = await store.result(id, callId)
    return found?.output ?? found?.value ?? null
  },
  file: async ({ store }, { id, upload }) => (await store.files?.read(id, upload)) ?? null,
  stored: async ({ store, scope }, { id }) => (await findSession(store, id, scope, Infinity)) ?? null,
  rename,
  replace: replaceTurn,
  undo: noteUndone,
  // Only a server has tools of its own.
  validate: async () => null,
  delete: async (deps, { id }) => {
    await findSession(deps.disk, id, deps.scope)
    return remove(deps, id)
  },
  clear: async (deps) => {
    for (const { id } of await listSessions(deps)) await remove(deps, id)
    return null
  },
  export: async ({ store, writer, scope }, { id }) => {
    const session = writer?.session
    const isComplete = session?.id === id && session.start === 0
    const whole = isComplete ? session : required(id, await findSession(store, id, scope, Infinity))
    return { ...(await exportSession(store, whole)) }
  },
  import: async ({ store, scope, now }, { id, data, toolContext }) => {
    await importSession(store, data, { id, scope, toolContext, now: now() })
    return id
  },
}

/**
 * Answers one request.
 * @throws `invalid-option` for a wrong argument or a session of another scope, `session-deleted` for a missing session.
 */
export function answerRequest<K extends StoreRequest>(
  { what, with: given }: RequestMessage<K>,
  deps: RequestDeps,
): Promise<Requests[K]['reply']> {
  return handlers[what](deps, { id: deps.writer?.session.id ?? deps.watched ?? '', ...given })
}

async function rename(
  { store, writer, scope, locks, now }: RequestDeps,
  { id, title: given }: Given<'rename'>,
): Promise<null> {
  const title = given.trim()
  if (title === '') throw new ToolAgentError('invalid-option', 'title: expected text, received ""')
  if (writer?.session.id === id) {
    await writer.emit({ type: 'session-change', at: now(), title })
    return null
  }
  required(id, await findSession(store, id, scope))
  // A claim fences the driver of the session, so it must not happen while another tab drives it.
  const release = await lockSession(locks, { id }, lockPatience)
  if (release === undefined)
    throw new ToolAgentError('lost-session', 'This session is open elsewhere. Rename it there.')
  try {
    const { epoch, session } = await store.claim(id, 0)
    if (session) await store.commit(id, epoch, { head: { ...sessionHeadOf(session), epoch, title } })
  } finally {
    release()
  }
  return null
}

async function replaceTurn({ writer, now }: RequestDeps, { input }: Given<'replace'>): Promise<null> {
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
  const message = input && { id, role: 'user' as const, parts: input, at }
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

async function noteUndone({ writer, now }: RequestDeps, { callId, path, undone }: Given<'undo'>): Promise<null> {
  if (writer === undefined) throw toErrorValue(drivenElsewhere)
  const at = now()
  const state = undone ? { ...undone, at } : undefined
  await writer.emit(dropUndefined({ type: 'tool-undo', at, callId, undone: state }), path)
  return null
}

async function listSessions({ store, disk, scope }: RequestDeps): Promise<SessionSummary[]> {
  const own = await store.list(scope)
  if (store === disk) return own
  return [...own, ...(await disk.list(scope)).filter(({ id }) => !own.some((session) => session.id === id))]
}

/** Deletes a session and tells the tabs that have it open. */
async function remove({ store, disk, channels }: RequestDeps, id: string): Promise<null> {
  await store.delete(id)
  if (store !== disk) await disk.delete(id)
  announceDeleted(channels, id)
  return null
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
