// What a page asks a server for itself: the files that the server keeps, to show or export them, and imports. Both come
// in pieces, one request after the other, because each side leaves the other one when a message takes too long. What
// has arrived is kept when the socket breaks.
import { toErrorValue, ToolAgentError } from '../../../core/data/errors.js'
import type { Failure } from '../../../core/data/failure.js'
import { isObject, stringify, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { UserPart } from '../../../core/data/message.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import { maxPiece, type FilePiece } from '../../../server/protocol/server-messages.js'
import type { Uploads } from './uploads.js'

type Request = Extract<GuestInput, { type: 'request' }>

/** Requests of the page itself have smaller numbers. */
const firstRequest = 1_000_000_000
/** So many pieces of an import may be without effect: other servers answer, or another import runs. */
const mostRepeated = 5

/** Reads files and imports conversations over the socket. */
export class StoredFiles {
  readonly #ask: (message: GuestInput) => void
  readonly #uploads: Uploads
  #last: Promise<unknown> = Promise.resolve()
  #count = 0
  // The request without an answer.
  #asked: { readonly id: number; settle(value: unknown, error?: Failure): void } | undefined

  /** @param ask sends a request, again over the next socket if this one breaks */
  constructor(ask: (message: GuestInput) => void, uploads: Uploads) {
    this.#ask = ask
    this.#uploads = uploads
  }

  /** The content of a file of a session, in base64; null if there is none. */
  async read(session: string, upload: string): Promise<string | null> {
    let data = ''
    for (;;) {
      const given = { id: session, upload, from: data.length }
      const piece = (await this.#request({ what: 'file', with: given })) as FilePiece | null
      if (piece === null) return null
      data += piece.data
      if (piece.isLast) return data
    }
  }

  #request(request: Pick<Request, 'what' | 'with'>): Promise<unknown> {
    const ask = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = firstRequest + this.#count++
        this.#asked = { id, settle: (value, error) => (error ? reject(toErrorValue(error)) : resolve(value)) }
        this.#ask({ type: 'request', id, ...request } as Request)
      })
    const asking = this.#last.then(ask, ask)
    this.#last = asking
    return asking
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
  fill(id: string, exported: JsonValue): Promise<JsonValue> {
    return withUserParts(exported, (part) => this.#whole(id, part))
  }

  async #whole(id: string, part: JsonValue): Promise<JsonValue> {
    if (!isObject(part) || typeof part['upload'] !== 'string') return part
    const { upload, ...file } = part as JsonObject & { readonly upload: string }
    const data = await this.read(id, upload)
    return data === null ? { type: 'text', text: '(A file is not stored any more.)' } : { ...file, data }
  }

  /**
   * Sends what was exported, after its files, and resolves with the id of its session.
   * @throws {ToolAgentError} what the server says, or why a file cannot be uploaded; what `signal` was aborted with
   */
  async import(id: string, exported: JsonValue, signal: AbortSignal): Promise<string> {
    const uploaded = async (part: JsonValue): Promise<JsonValue> => {
      if (!isObject(part) || typeof part['mediaType'] !== 'string' || typeof part['data'] !== 'string') return part
      const [sent = part] = await this.#uploads.uploaded([part as unknown as UserPart], signal)
      return sent as unknown as JsonObject
    }
    const text = stringify(await withUserParts(exported, uploaded))
    for (let at = 0, repeated = 0; repeated < mostRepeated;) {
      signal.throwIfAborted()
      const piece = text.slice(at, at + maxPiece)
      const reply = await this.#request({ what: 'import', with: { id, at, of: text.length, text: piece } })
      if (typeof reply === 'string') return reply
      if (reply !== at + piece.length) repeated += 1
      at = typeof reply === 'number' ? reply : 0
    }
    throw new ToolAgentError('network', 'The conversation could not be sent to the server of host. Import it again.')
  }
}

/** An exported session with other parts in the messages of the user. What is no such session is left as it is. */
async function withUserParts(exported: JsonValue, change: (part: JsonValue) => Promise<JsonValue>): Promise<JsonValue> {
  if (!isObject(exported)) return exported
  const { session } = exported as JsonObject
  if (!isObject(session) || !Array.isArray(session['messages'])) return exported
  const messages: JsonValue[] = []
  for (const message of session['messages'] as JsonValue[]) {
    if (!isObject(message) || message['role'] !== 'user' || !Array.isArray(message['parts'])) {
      messages.push(message)
      continue
    }
    const parts: JsonValue[] = []
    for (const part of message['parts'] as JsonValue[]) parts.push(await change(part))
    messages.push({ ...message, parts } as JsonObject)
  }
  return { ...exported, session: { ...session, messages } } as JsonObject
}
