// The files that a server keeps, for a page that shows or exports them. One is asked for after the other, a piece at a
// time, because each side leaves the other one when a message takes too long. What has arrived is kept when the socket
// breaks.
import { toErrorValue } from '../../../core/data/errors.js'
import type { Failure } from '../../../core/data/failure.js'
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import type { FilePiece } from '../../../server/protocol/server-messages.js'

/** Requests of the page itself have smaller numbers. */
const firstRequest = 1_000_000_000

/** Reads files over the socket. */
export class StoredFiles {
  readonly #ask: (message: GuestInput) => void
  #last: Promise<unknown> = Promise.resolve()
  #count = 0
  // The piece that is asked for.
  #asked: { readonly id: number; settle(value: unknown, error?: Failure): void } | undefined

  /** @param ask sends a request, again over the next socket if this one breaks */
  constructor(ask: (message: GuestInput) => void) {
    this.#ask = ask
  }

  /** The content of a file of a session, in base64; null if there is none. */
  read(session: string, upload: string): Promise<string | null> {
    const read = async (): Promise<string | null> => {
      let data = ''
      for (;;) {
        const piece = await this.#piece({ id: session, upload, from: data.length })
        if (piece === null) return null
        data += piece.data
        if (piece.isLast) return data
      }
    }
    const reading = this.#last.then(read, read)
    this.#last = reading
    return reading
  }

  #piece(given: { readonly id: string; readonly upload: string; readonly from: number }): Promise<FilePiece | null> {
    return new Promise((resolve, reject) => {
      const id = firstRequest + this.#count++
      this.#asked = {
        id,
        settle: (value, error) => {
          if (error) reject(toErrorValue(error))
          else resolve(value as FilePiece | null)
        },
      }
      this.#ask({ type: 'request', id, what: 'file', with: given })
    })
  }

  /** Takes the answer to a request. False: it was not asked here. */
  settle(answer: { readonly id: number; readonly value?: unknown; readonly error?: Failure | undefined }): boolean {
    if (this.#asked?.id !== answer.id) return false
    const { settle } = this.#asked
    this.#asked = undefined
    settle(answer.value, answer.error)
    return true
  }

  /** An exported session with its files in place of their ids. For one that is not stored any more, a text says so. */
  async fill(id: string, exported: JsonObject): Promise<JsonObject> {
    const { session } = exported
    if (!isObject(session) || !Array.isArray(session['messages'])) return exported
    const messages: JsonValue[] = []
    for (const message of session['messages'] as JsonValue[]) {
      if (!isObject(message) || message['role'] !== 'user' || !Array.isArray(message['parts'])) {
        messages.push(message)
        continue
      }
      const parts: JsonValue[] = []
      for (const part of message['parts'] as JsonValue[]) parts.push(await this.#whole(id, part))
      messages.push({ ...message, parts } as JsonObject)
    }
    return { ...exported, session: { ...session, messages } as JsonObject }
  }

  async #whole(id: string, part: JsonValue): Promise<JsonValue> {
    if (!isObject(part) || typeof part['upload'] !== 'string') return part
    const { upload, ...file } = part as JsonObject & { readonly upload: string }
    const data = await this.read(id, upload)
    return data === null ? { type: 'text', text: '(A file is not stored any more.)' } : { ...file, data }
  }
}
