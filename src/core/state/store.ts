// The interface of a session store, and how a change is derived from two sessions: parts whose identity changed are
// written.
import type { Failure } from '../data/failure.js'
import type { CallId, Message, UserPart } from '../data/message.js'
import type { AgentEvent } from '../data/event.js'
import { dropUndefined, type JsonValue } from '../data/json.js'
import type { Draft, Session, SessionSummary, StorageKind } from '../data/session.js'

/** A session without its messages and its draft: the record that each commit rewrites. */
export type SessionHead = Omit<Session, 'messages' | 'draft' | 'start'> & {
  /** The number of all messages: the absolute index of the next one. */
  readonly length: number
  /** That of the newest claim. A store rejects writes with an older one. */
  readonly epoch: number
}

/** What of a result is stored beside its message. */
export interface LongResult {
  /** The full text of a result that was cut. */
  readonly value?: JsonValue
  /** The JSON text of an output that the model reads in another form. */
  readonly output?: string
}

/** A part of a text, as for `String.prototype.slice`. */
export interface TextRange {
  /** The first character, from 0. */
  readonly from: number
  /** The character after the last one. */
  readonly to: number
}

/** What one commit writes. Missing fields stay unchanged. */
export interface StoreChange {
  /** The new head. Required in the first commit of a session. Its `id` and `epoch` are those of the commit. */
  readonly head?: SessionHead
  /** New and changed messages, by absolute index. */
  readonly messages?: readonly { readonly index: number; readonly message: Message }[]
  /** What of a result is too long for its message. */
  readonly result?: LongResult & { readonly callId: CallId }
  /** The newest checkpoint of the draft; null deletes it. */
  readonly draft?: Draft | null
  /** Wait until the data is on the disk. Required before a call that must not run twice. @default false */
  readonly strict?: boolean
  /** The change has all of the session: a record that the browser has cleared is written again. @default false */
  readonly whole?: boolean
}

/** A file that a user has uploaded. */
export interface UploadedFile {
  /** Random. */
  readonly id: string
  /** The media type, such as `image/png`. */
  readonly mediaType: string
  /** The content in base64. */
  readonly data: string
}

/**
 * The files of a user, for messages that name them by their ids (`FilePart.upload`). A file has no session until a
 * commit contains a message or a waiting message with it, and belongs to that session alone from then on: it is deleted
 * with it. Every method rejects with `storage` unless noted.
 */
export interface FileStore {
  /**
   * Keeps a file. First deletes those without a session, of all users, that were added before `before`, in milliseconds
   * since the epoch. Rejects with `request-too-large`, and keeps nothing, if the files of the user would have more than
   * `most` characters of base64, also if others are added at the same time, through any object over the same place.
   */
  add(file: UploadedFile, bounds: { readonly most: number; readonly before: number }): Promise<void>
  /** The media types of these files by their ids, without those that are missing or belong to another session. */
  types(session: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The content of a file of the session, in base64, or the part of it in `range`; undefined for any other file. */
  read(session: string, id: string, range?: TextRange): Promise<string | undefined>
}

/**
 * Stores sessions. Every method rejects with `storage` unless noted. Each one sees the commits that were requested of
 * the same store before it. Values are kept as JSON keeps them: a field that is undefined may be absent. Any text may
 * be an id. `storeConformance` of `tool-agent/testing` has cases for all that is said here.
 */
export interface Store {
  /** Where the sessions are, as the user is informed. */
  readonly kind: StorageKind
  /** Why memory is used instead of the database, if the user can do something about it. */
  readonly failure?: Failure
  /** Resolves with the database after another tab releases it. Memory is used until then. */
  readonly later?: Promise<Store>
  /** Where a server keeps uploaded files. @default none: messages contain their files, and a server takes none */
  readonly files?: FileStore
  /**
   * Increases the epoch and reads the session with at most `limit` newest messages, in one transaction. Without a
   * stored session the epoch is a random integer from 1 to 2^48, a new one for each claim, and `session` is missing.
   */
  claim(id: string, limit: number): Promise<{ epoch: number; session?: Session }>
  /**
   * Writes a change in one transaction. Rejects with `lost-session` if the stored epoch differs, and with
   * `session-deleted` if there is no stored session, except for the first commit of a new session, with the epoch that
   * its newest claim through this object gave. If the browser cleared the session, rejects with `storage`, except
   * for a `whole` change, which writes it again. A `whole` change may also create a session that was claimed through
   * this object but never stored: its epoch is that of the commit.
   */
  commit(id: string, epoch: number, change: StoreChange): Promise<void>
  /** Reads the session with at most `limit` newest messages, without claiming it. */
  read(id: string, limit: number): Promise<Session | undefined>
  /**
   * At most `limit` messages before the absolute index `before`, oldest first. One that was never written is empty, so
   * that the others keep their index.
   */
  messages(id: string, before: number, limit: number): Promise<Message[]>
  /** What of a result is stored beside its message; undefined if nothing is. */
  result(id: string, callId: CallId): Promise<LongResult | undefined>
  /** Characters of the full text of a result that was cut; undefined if it is not stored or not a text. */
  resultText(id: string, callId: CallId, range: TextRange): Promise<string | undefined>
  /** The sessions of a scope, newest first, and those of one time by their ids backwards. */
  list(scope: string): Promise<SessionSummary[]>
  /** Deletes a session with its messages, results and files. Does nothing if it is not stored. */
  delete(id: string): Promise<void>
  /** Releases the database. No other method may be called after it. */
  close(): void
}

/** The ids of the uploaded files of what a commit writes. */
export function uploadsOf({ head, messages = [] }: StoreChange): string[] {
  const sent = messages.flatMap(({ message }) => (message.role === 'user' ? [message.parts] : []))
  const inputs: readonly (readonly UserPart[])[] = [...sent, ...(head?.waiting ?? []).map(({ input }) => input)]
  return inputs.flat().flatMap((part) => (part.type === 'file' && part.upload !== undefined ? [part.upload] : []))
}

/** Whether `store` can be read and has no session of this id. */
export function isSessionMissing(store: Store, id: string): Promise<boolean> {
  return store.read(id, 0).then(
    (found) => found === undefined,
    () => false,
  )
}

/** The record of a session without its messages and its draft. */
export function sessionHeadOf(session: Session): SessionHead {
  const { messages, draft: _draft, start, ...rest } = session
  return { ...rest, length: start + messages.length }
}

/** What an event changed, from the sessions before and after `reduce`: a part with another identity has changed. */
export function storeChangeFor(before: Session, after: Session, event: AgentEvent): StoreChange {
  const shift = after.start - before.start
  const messages = after.messages.flatMap((message, index) =>
    before.messages[index + shift] === message ? [] : [{ index: after.start + index, message }],
  )
  return dropUndefined({
    head: sessionHeadOf(after),
    messages: messages.length > 0 ? messages : undefined,
    result:
      event.type === 'tool-result' && (event.whole !== undefined || event.wholeOutput !== undefined)
        ? dropUndefined({ callId: event.callId, value: event.whole, output: event.wholeOutput })
        : undefined,
    draft: before.draft !== undefined && after.draft === undefined ? null : undefined,
    strict: event.type === 'tool-start' && !event.repeatable ? true : undefined,
  })
}
