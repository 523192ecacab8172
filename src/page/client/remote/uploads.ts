// The files of a message on their way to a server: posted to the address of its socket, over HTTP, before the message
// that names them. Texts, such as quotes, are in the message itself.
import { toErrorValue, type ToolAgentError } from '../../../core/data/errors.js'
import type { ErrorCode, Failure } from '../../../core/data/failure.js'
import { dropUndefined, isObject } from '../../../core/data/json.js'
import type { FilePart, UserPart } from '../../../core/data/message.js'
import type { GuestInput } from '../../../server/protocol/guest-messages.js'
import { untilAborted } from '../../promises.js'

/** What a message has beside its own text. */
export type Attached = Extract<GuestInput, { type: 'send' }>['files']

/** What uploading needs. */
export interface UploadDeps {
  /** The address of the socket. */
  readonly url: string
  /** `fetch` by default. */
  readonly fetch?: typeof fetch | undefined
  /** See `ServerSocketDeps`. */
  signIn(): Promise<unknown> | undefined
}

/** The text of a message that is no attachment. */
export const textOfInput = (input: readonly UserPart[]): string =>
  input.flatMap((part) => (part.type === 'text' && part.name === undefined ? [part.text] : [])).join('\n\n')

/** What a message has attached that needs no upload. */
export const attachedOf = (input: readonly UserPart[]): Attached =>
  input.flatMap((part): Attached => {
    if (part.type === 'file')
      return part.upload === undefined ? [] : [dropUndefined({ upload: part.upload, name: part.name })]
    return part.name === undefined ? [] : [{ name: part.name, text: part.text }]
  })

/** Whether a server must get files before the message can be sent. */
export const needsUpload = (input: readonly UserPart[]): boolean =>
  input.some((part) => part.type === 'file' && part.upload === undefined)

/** How much content the page keeps, in characters, so that it need not ask for what it has sent. */
const mostKept = 16_000_000

/** Uploads the files of a page. */
export class Uploads {
  readonly #deps: UploadDeps
  // The content of the newest ones, by their ids.
  readonly #kept = new Map<string, string>()

  constructor(deps: UploadDeps) {
    this.#deps = deps
  }

  /** The content of a file that this page has uploaded, if it is kept. */
  contentOf(upload: string): string | undefined {
    return this.#kept.get(upload)
  }

  /**
   * What a message has attached, after its files are uploaded.
   * @throws {ToolAgentError} if one cannot be uploaded; what `signal` was aborted with
   */
  async attach(input: readonly UserPart[], signal: AbortSignal): Promise<Attached> {
    return attachedOf(await this.uploaded(input, signal))
  }

  /** Parts with uploads in place of files. @throws as `attach` */
  async uploaded(input: readonly UserPart[], signal: AbortSignal): Promise<UserPart[]> {
    const sent: UserPart[] = []
    for (const part of input) {
      if (part.type !== 'file' || part.upload !== undefined) sent.push(part)
      else sent.push({ ...part, upload: await this.#upload(part, signal), data: '' })
    }
    return sent
  }

  async #upload(file: FilePart, signal: AbortSignal): Promise<string> {
    const data = file.data.replace(/^data:[^,]*;base64,/i, '')
    let response = await this.#post(file, data, signal)
    if (response.status === 401 && (await this.#renewed(signal))) response = await this.#post(file, data, signal)
    const answer: unknown = await response.json().catch(() => undefined)
    signal.throwIfAborted()
    const { id, error } = isObject(answer) ? answer : {}
    if (response.ok && typeof id === 'string') {
      this.#keep(id, data)
      return id
    }
    const { code, message } = isObject(error) ? (error as Partial<Failure>) : {}
    const known = [...codes].find(([status]) => response.status >= status)?.[1]
    throw refusedError(code ?? known, message ?? `Status ${response.status}.`)
  }

  /** Whether the page has renewed the sign-in of its visitor. */
  async #renewed(signal: AbortSignal): Promise<boolean> {
    try {
      const renewed = this.#deps.signIn()
      if (renewed) await untilAborted(renewed, signal)
      return renewed !== undefined
    } catch {
      signal.throwIfAborted()
      return false
    }
  }

  async #post({ mediaType }: FilePart, data: string, signal: AbortSignal): Promise<Response> {
    let body: Uint8Array<ArrayBuffer>
    try {
      body = Uint8Array.from(atob(data), (char) => char.charCodeAt(0))
    } catch {
      throw refusedError('invalid-option', 'expected base64. A server fetches no addresses.')
    }
    const { url, fetch: send = fetch } = this.#deps
    try {
      return await send(url.replace(/^ws/, 'http'), {
        method: 'POST',
        headers: { 'content-type': mediaType },
        body,
        credentials: 'include',
        redirect: 'error',
        signal,
      })
    } catch {
      signal.throwIfAborted()
      const isOffline = typeof navigator === 'object' && navigator.onLine === false
      if (isOffline) throw refusedError('offline', 'The browser is offline.')
      const why = 'Does the server have uploadHandler, and does the policy of this page allow https (connect-src)?'
      throw refusedError('network', why)
    }
  }

  #keep(id: string, data: string): void {
    this.#kept.set(id, data)
    let chars = [...this.#kept.values()].reduce((sum, one) => sum + one.length, 0)
    for (const [oldest, { length }] of this.#kept) {
      if (chars <= mostKept) return
      this.#kept.delete(oldest)
      chars -= length
    }
  }
}

/** What an answer without an error of ours means, such as that of a proxy: by the lowest status for which it does. */
const codes: ReadonlyMap<number, ErrorCode> = new Map([
  [500, 'server'],
  [429, 'rate-limited'],
  [414, 'bad-request'],
  [413, 'request-too-large'],
  [404, 'not-found'],
  [401, 'unauthorized'],
  [0, 'bad-request'],
])

function refusedError(code: ErrorCode = 'bad-request', why: string): ToolAgentError {
  const failure: Failure = { code, message: `An attached file could not be sent to the server of host: ${why}` }
  return toErrorValue(failure)
}
