// Settles what an earlier host left open in a session: emits the events of core/state/recover.ts.
import type { AgentEvent } from '../core/data/event.js'
import type { CallId, ToolCall } from '../core/data/message.js'
import type { HostConfig, PageMessage } from '../core/data/protocol.js'
import type { Session } from '../core/data/session.js'
import { recover, resumesByItself, unsavedCallEvents } from '../core/state/recover.js'

/** What is known about the session that an earlier host left. */
export interface OpenSession {
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
export async function recoverSession(open: OpenSession): Promise<boolean> {
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
