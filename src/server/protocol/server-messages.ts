// Everything that a server says to its guests. What is in a worker's protocol as well has the same shape here.
import type { Failure } from '../../core/data/failure.js'
import type { HostMessage } from '../../core/data/protocol.js'

/** The newest version of the messages between page and server. Any change of them is a new one. */
export const guestProtocol = 2

/** The version before. Both sides speak it, too, so that either can be updated first. */
export const oldestProtocol = guestProtocol - 1

/** Characters of a message of a page. The server sets the same, in bytes, as `maxPayload`. */
export const maxFrame = 1_048_576

/** Characters of a piece of an imported conversation. Each has up to three bytes. */
export const maxPiece = 262_144

/**
 * Characters of a file in one reply. A page leaves a server that it has not heard for 40 seconds, and a message is
 * heard when all of it has arrived: 5 kB in a second are enough.
 */
export const filePiece = 131_072

/** The reply to `request` `file`; null if the file is not stored. */
export interface FilePiece {
  /** Base64 from `from` on, at most `filePiece` characters. */
  readonly data: string
  /** Nothing follows. */
  readonly isLast: boolean
}

/** The id of the stored message of a `send`. By it, a message that is sent again is known. */
export const sentMessageId = (send: string): string => `sent_${send}`

/** Any message of a server. */
export type ServerMessage =
  /**
   * The first message: the versions that the server speaks, from `protocol` to `newest`, by default the same. The page
   * answers with `open`, in the newest one that it speaks. Version 1 reads `protocol` alone.
   */
  | { readonly type: 'ready'; readonly protocol: number; readonly newest?: number }
  | Extract<HostMessage, { type: 'session' | 'event' | 'question' | 'ask' | 'cancel' | 'reply' | 'error' | 'ping' }>
  /** What the message with this client id has done is committed. It need not be sent again. */
  | { readonly type: 'acknowledged'; readonly id: string }
  /** A message had no effect, and has none if it is sent again. `id`: its client id, if it could be read. */
  | { readonly type: 'refused'; readonly id?: string | number; readonly error: Failure }
  | { readonly type: 'pong' }

/** Why a server closes a socket. */
export const closeCodes = {
  /** The sign-in has ended. The page asks for a new one before it connects again. */
  unauthorized: 4401,
  /** The session was deleted. */
  deleted: 4404,
  /** Nothing arrived for a while. */
  silent: 4408,
  /** Another socket of the same page is open, or the page after it in its tab. */
  replaced: 4409,
  /** The user has too many sockets. */
  tooMany: 4429,
  /** The session cannot be read or written now. The page connects again, and gets what is stored. */
  storage: 4500,
  /** The server ends. */
  restarts: 4503,
  /** The page reads too slowly. It connects again, and gets a snapshot. */
  slow: 4508,
} as const
