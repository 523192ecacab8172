// One session while this host drives it: the claim in the store, the writer, the turns and the channel to other tabs.
// The host decides when to drive and when to stop; nothing here changes its state.
import { toFailure, type Failure } from '../core/data/errors.js'
import { dropUndefined } from '../core/data/json.js'
import type { HostMessage, PageMessage, HostConfig } from '../core/data/protocol.js'
import { allToolCalls, type CallId, type ToolCall } from '../core/data/message.js'
import { emptySession, type Session } from '../core/data/session.js'
import type { Store } from '../core/state/store.js'
import { prune } from './retention.js'
import { SessionChannel, type ChannelMessage } from './tabs/session-channel.js'
import type { Origin } from './tabs/session-lock.js'
import { SessionWriter } from './session-writer.js'
import { Turns, type TurnsDeps } from './turns.js'
import type { AgentEvent } from '../core/data/event.js'
import { recover, resumesByItself, unsavedCallEvents } from '../core/state/recover.js'

/** How many messages a session opens with. The page requests older ones when the user scrolls to them. */
export const windowSize = 200

/** The page's request to open a session. */
export type OpenMessage = Extract<PageMessage, { type: 'open' }>

/** A session that this host may write. One of the states of the host. */
export interface DrivenSession {
  readonly at: 'driving'
  /** Holds the session and the store in use. */
  readonly writer: SessionWriter
  /** Its running and its queued turns. They must be stopped before the session is released. */
  readonly turns: Turns
  /** Other tabs that show the session. */
  readonly channel: SessionChannel
  /** Releases the session's lock. */
  readonly release: () => void
  /** Why the store could not write the claim; the session then continues in memory. */
  readonly failure: Failure | undefined
}

/** What a driven session needs from its host. */
export interface DrivenSessionDeps extends Origin, Omit<TurnsDeps, 'writer' | 'tab' | 'report'> {
  /** Posts to this page. */
  post(message: HostMessage): void
  /** Aborted when the page closes this host. */
  readonly closing: AbortSignal
  /** Reports an error to the user that belongs to no turn. */
  reportThrown(thrown: unknown): void
  /** A turn failed. `turn` is the `send` or `continue` that waits for it. */
  onTurnError(driven: DrivenSession, error: Failure, turn: string | undefined): void
  /** Another tab posted a valid message. */
  onChannelMessage(channel: SessionChannel, message: ChannelMessage): void
}

/** Which session to drive, and for which page. */
export interface DriveRequest {
  /** The page's `open`. After a takeover: its newest one, without running calls. */
  readonly message: OpenMessage
  /** Where the session is read and written; memory replaces it while it fails. */
  readonly store: Store
  /** Id of the session. It differs from `message.sessionId` if that is absent or belongs to another scope. */
  readonly sessionId: string
  /** Releases the session's lock. */
  readonly release: () => void
  /** Whether the id was made for this request, so that no store can have the session. @default false */
  readonly isNew?: boolean | undefined
  /** Whether an unfinished turn continues here. @default its mode and the page's `resume` option decide */
  readonly keepTurn?: boolean | undefined
}

/**
 * Claims the session and creates what drives it; emits no event. If the store cannot write the claim
 * (its disk is full), the session continues in memory. So does a new session if the store cannot even be read.
 * @throws what `Store.claim` throws, except a failed write of an otherwise readable session.
 */
export async function openDrivenSession(deps: DrivenSessionDeps, request: DriveRequest): Promise<DrivenSession> {
  const { now, post } = deps
  const { message, store, sessionId, release } = request
  let failure: Failure | undefined
  const { epoch, session: stored } = await store.claim(sessionId, windowSize).catch(async (thrown: unknown) => {
    failure = toFailure(thrown, 'storage')
    if (failure.code !== 'storage') throw thrown
    const session = request.isNew ? undefined : await store.read(sessionId, windowSize)
    return { epoch: session?.epoch ?? 1, session }
  })
  const session = { ...(stored ?? emptySession(sessionId, message.scope, now(), message.toolContext)), epoch }
  const channel: SessionChannel = new SessionChannel(deps.channels, sessionId, (received) =>
    deps.onChannelMessage(channel, received),
  )
  let isCounted = stored !== undefined
  const writer = new SessionWriter(session, isCounted, store, now, (seq, path, event) => {
    // A new session counts towards `maxSessions` from its first commit.
    if (!isCounted && writer.stored) {
      isCounted = true
      pruneSessions(deps, request)
    }
    post({ type: 'event', seq, path, event })
    // Posting costs a tenth of a model step. Start and end of a turn show each mirror that it has missed events.
    if (channel.isWatched || event.type.startsWith('turn-'))
      channel.post({ type: 'event', epoch: writer.session.epoch, seq, path, event })
  })
  if (failure) await writer.useMemory()
  const turns = new Turns(
    { ...deps, writer, tab: message.tab, report: (error, turn) => deps.onTurnError(driven, error, turn) },
    message.running,
    message.outcomes,
  )
  const driven: DrivenSession = { at: 'driving', writer, turns, channel, release, failure }
  return driven
}

/** Closes or resumes what an earlier host left open. Must run once, before the first turn. */
export async function recoverDrivenSession(
  deps: DrivenSessionDeps,
  { writer, turns }: DrivenSession,
  request: DriveRequest,
): Promise<void> {
  const { now, queries, closing } = deps
  const { session } = writer
  if (!isAtRest(session)) {
    const unsavedCalls = await queries.ask({ type: 'unsaved', sessionId: session.id }, closing)
    const resumes = await recoverSession({ ...deps, ...request, writer, unsavedCalls, knownCalls: turns.knownCalls })
    if (resumes && writer.session.turn) turns.resume(writer.session.turn)
  }
  const context = Object.entries(session.context).map(([key, value]) => dropUndefined({ key, value }))
  if (!writer.stored && context.length > 0) await writer.emit({ type: 'context-change', at: now(), context })
  pruneSessions(deps, request)
}

/** Whether nothing has to be recovered: no turn is running and no call is open, as after a crash or damage. */
function isAtRest({ turn, messages }: Session): boolean {
  return turn === undefined && allToolCalls(messages).every(({ part }) => part.result)
}

/** Deletes sessions as the page's `retention` option says. Does not wait for it. */
function pruneSessions(deps: DrivenSessionDeps, { message, store, sessionId }: DriveRequest): void {
  const { retention } = deps.config()
  if (retention) prune(store, deps, message.scope, retention, sessionId, deps.now()).catch(deps.reportThrown)
}

// Settles what an earlier host left open in a session: emits the events of core/state/recover.ts.

/** What is known about the session that an earlier host left. */
interface OpenSession {
  /** Writes the session. */
  readonly writer: {
    readonly session: Session
    emit(event: AgentEvent, path?: readonly CallId[]): Promise<void>
  }
  /** The page's request to open the session. */
  readonly message: {
    readonly config: Pick<HostConfig, 'resume'>
  } & Pick<Extract<PageMessage, { type: 'open' }>, 'tab' | 'left'>
  /** Calls that pages noted and the store may not have. */
  readonly unsavedCalls: readonly ToolCall[]
  /** Whether an unfinished turn continues here. @default its mode and the page's `resume` option decide */
  readonly keepTurn?: boolean | undefined
  /** Calls that the page still runs, or whose outcome it has. */
  readonly knownCalls: ReadonlySet<CallId>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** A random id. An empty prefix gives only the random part. */
  readonly id: (prefix: string) => string
}

/** Emits the events that make the session a valid history again. Resolves with true if its turn resumes. */
async function recoverSession(open: OpenSession): Promise<boolean> {
  const { writer, message, unsavedCalls, keepTurn, knownCalls: known, now, id } = open
  const { session } = writer
  // A stepped turn never resumes: its caller was in another page. After a takeover the caller decides, because a
  // duplicated tab has the tab id of the driver.
  const goOn =
    session.turn?.mode !== 'manual' && (keepTurn ?? resumesByItself(session, message.config.resume, message.tab, now()))
  // Who takes the session over in another tab has not seen what was allowed there.
  if (keepTurn && session.turn?.taskGrants) await writer.emit({ type: 'grants-end', at: now() })
  for (const event of unsavedCallEvents(session, unsavedCalls, now(), id('msg'))) await writer.emit(event)
  for (const { event, path } of recover(writer.session, {
    at: now(),
    goOn,
    known,
    left: message.left,
    boundary: id(''),
  }))
    await writer.emit(event, path)
  return goOn
}
