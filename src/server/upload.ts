// The other entry of a server: a file that a page posts before the message that names it. It is checked like a socket
// (where it comes from, who it is), then what it says it is, and its bytes are counted while they arrive. A file is
// never served over HTTP again, so a page of this origin cannot be made of one.
import { toFailure, type Failure } from '../core/data/errors.js'
import * as log from '../page/log.js'
import { isAllowed, type UpgradeRequest } from './origin.js'
import type { SessionServer, SocketUser } from './session-server.js'

/** What is needed of the request: an `IncomingMessage` of Node, whose body nobody has read. */
export interface UploadRequest extends UpgradeRequest {
  readonly method?: string | undefined
  readonly headers: UpgradeRequest['headers'] & {
    readonly 'content-type'?: string | undefined
    readonly 'content-length'?: string | undefined
  }
  on(type: 'data', listener: (chunk: Uint8Array) => void): unknown
  on(type: 'end' | 'close' | 'error', listener: () => void): unknown
  /** Its body was read to the end. */
  readonly readableEnded?: boolean
  /** Nothing more comes. */
  readonly destroyed?: boolean
  resume(): unknown
  destroy(): unknown
}

/** What is needed of the response: a `ServerResponse` of Node. */
export interface UploadResponse {
  /** Somebody has answered, such as a time-out of the app. */
  readonly headersSent?: boolean
  readonly writableEnded?: boolean
  writeHead(status: number, headers: Record<string, string>): unknown
  end(text?: string): unknown
  destroy(): unknown
}

/** How requests become files of users. */
export interface UploadOptions<R> {
  /** Who sends a request, by its cookie or the like; undefined: nobody whom the sign-in knows. Called for each one. */
  readonly authenticate: (request: R) => SocketUser | undefined | Promise<SocketUser | undefined>
  /**
   * The origins of pages that may upload, as for `upgradeHandler`. They get the headers of CORS.
   * @default the host of the request
   */
  readonly origins?: readonly string[]
  /**
   * The media types that are kept. The model must read them. What a PNG, JPEG, GIF, WebP or PDF contains is compared
   * with its type.
   * @default the types of PNG, JPEG, GIF, WebP and PDF
   */
  readonly types?: readonly string[]
}

const defaultTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf']

/** How the content of a type begins. The bytes as characters. */
const beginnings = new Map<string, RegExp>([
  ['image/png', /^\x89PNG\r\n\x1a\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  // Readers accept it after some other bytes.
  ['application/pdf', /^[^]{0,1024}%PDF-/],
])

/**
 * The listener for `request` of a server of Node, for the path of `host`. It answers a POST with 201 and the id of the
 * file, 403 to a page of another origin, 401 to a stranger, 413 to a file that is too large, and 415 to one of another
 * type. Its body must not be parsed before.
 */
export function uploadHandler<R extends UploadRequest>(
  server: SessionServer,
  { authenticate, origins, types = defaultTypes }: UploadOptions<R>,
): (request: R, response: UploadResponse) => void {
  const { fileBytes, uploadTime } = server.uploadLimits
  const tooLarge = () => refused(413, 'request-too-large', `A file of more than ${fileBytes} bytes is not taken.`)

  const upload = async (request: R): Promise<Answer> => {
    const { method, headers } = request
    if (!isAllowed(request, origins)) return refused(403, 'unauthorized', 'This page may not upload to this server.')
    if (method === 'OPTIONS') return { status: 204 }
    if (method !== 'POST') return refused(405, 'bad-request', 'Files are sent with POST.')
    const mediaType = mediaTypeOf(request)
    if (!types.includes(mediaType))
      return refused(415, 'invalid-option', `This server takes ${types.join(', ')}, and no other files.`)
    if (Number(headers['content-length'] ?? 0) > fileBytes) return tooLarge()
    return server.whenSignedIn(
      () => authenticate(request),
      (who) => take(request, who),
    )
  }

  const take = (request: R, who: SocketUser | undefined): Answer | Promise<Answer> => {
    const hasEnded = () => refused(401, 'unauthorized', 'The sign-in of this user has ended.')
    if (!who || isPast(who)) return hasEnded()
    // Such a body has no more events.
    if (request.readableEnded) {
      log.logError({ code: 'server', message: wasRead })
      return refused(500, 'server', wasRead)
    }
    const late = () => refused(408, 'network', 'The file did not arrive in time.')
    if (request.destroyed) return late()
    const answer = server.whileUploading(who.user, async (signal) => {
      const { data = '', problem } = await read(request, { most: fileBytes, time: uploadTime, signal })
      if (problem === 'large') return tooLarge()
      if (problem === 'late') return late()
      if (problem === 'aborted' || isPast(who)) return hasEnded()
      const mediaType = mediaTypeOf(request)
      const beginning = beginnings.get(mediaType)
      if (data === '' || beginning?.test(atob(data.slice(0, 1_400))) === false)
        return refused(415, 'invalid-option', `The content of the file is not ${mediaType}.`)
      return { status: 201, body: { id: await server.keepFile(who.user, { mediaType, data }) } }
    })
    return answer ?? refused(429, 'rate-limited', 'This user sends several files already.')
  }

  return (request, response) => {
    request.on('error', () => undefined)
    upload(request)
      .catch(answerTo)
      .then((answer) => respond(request, response, answer, origins))
      .catch((thrown: unknown) => {
        log.logError(toFailure(thrown, 'server'))
        response.destroy()
      })
  }
}

const mediaTypeOf = ({ headers }: UploadRequest): string =>
  (headers['content-type'] ?? '').toLowerCase().split(';')[0]?.trim() ?? ''

const wasRead = 'An upload cannot be kept: its body was read before uploadHandler.'

const isPast = ({ expires }: SocketUser): boolean => expires !== undefined && !(expires > Date.now())

/** What a page gets to know of an error. */
function answerTo(thrown: unknown): Answer {
  const { code, message } = toFailure(thrown, 'server')
  if (code === 'request-too-large') return refused(413, code, message)
  if (code === 'invalid-option') return refused(501, code, message)
  // It may name what only the server knows.
  log.logError({ code, message })
  return refused(500, 'server', 'The file cannot be kept now. Try again later.')
}

interface Answer {
  readonly status: number
  readonly body?: { readonly id: string } | { readonly error: Failure }
}

const refused = (status: number, code: Failure['code'], message: string): Answer => ({
  status,
  body: { error: { code, message } },
})

function respond(
  request: UploadRequest,
  response: UploadResponse,
  { status, body }: Answer,
  origins: readonly string[] | undefined,
): void {
  if (response.headersSent || response.writableEnded) return
  const { origin = '' } = request.headers
  const cors = {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
  }
  const isOver = status < 300
  if (!isOver) drain(request)
  response.writeHead(status, {
    ...(isAllowed(request, origins) ? cors : {}),
    ...(isOver ? {} : { connection: 'close' }),
    ...(body ? { 'content-type': 'application/json' } : {}),
    'cache-control': 'no-store',
    vary: 'origin',
    'x-content-type-options': 'nosniff',
  })
  response.end(body && JSON.stringify(body))
}

/** The process may end while it runs. */
function unreferenced<T extends object | number>(timer: T): T {
  if (typeof timer === 'object' && 'unref' in timer && typeof timer.unref === 'function') timer.unref()
  return timer
}

/** Bytes and milliseconds of a refused body that are read and dropped. */
const mostDropped = { bytes: 25_000_000, time: 30_000 }

/** Reads what still arrives of a refused body: many clients look for the answer only when all of it is sent. */
function drain(request: UploadRequest): void {
  if (request.readableEnded || request.destroyed) return
  let bytes = 0
  const timer = unreferenced(setTimeout(() => request.destroy(), mostDropped.time))
  request.on('data', (chunk) => {
    bytes += chunk.length
    if (bytes > mostDropped.bytes) request.destroy()
  })
  const over = () => clearTimeout(timer)
  request.on('end', over)
  request.on('close', over)
  request.resume()
}

type Problem = 'large' | 'late' | 'aborted'

/** Reads the body as base64. It is encoded as it arrives, so that a large one does not stop the server at its end. */
function read(
  request: UploadRequest,
  { most, time, signal }: { readonly most: number; readonly time: number; readonly signal: AbortSignal },
): Promise<{ readonly data?: string; readonly problem?: Problem }> {
  return new Promise((resolve) => {
    const encoded: string[] = []
    let [left, bytes, isOver]: [Uint8Array, number, boolean] = [new Uint8Array(), 0, false]
    const end = (read: { readonly data: string } | { readonly problem: Problem }): void => {
      clearTimeout(timer)
      isOver = true
      encoded.length = 0
      resolve(read)
    }
    const timer = setTimeout(() => end({ problem: 'late' }), time)
    signal.addEventListener('abort', () => end({ problem: 'aborted' }))
    request.on('data', (chunk) => {
      if (isOver) return
      bytes += chunk.length
      if (bytes > most) return end({ problem: 'large' })
      const all = new Uint8Array(left.length + chunk.length)
      all.set(left)
      all.set(chunk, left.length)
      // Three bytes are four characters.
      const whole = all.length - (all.length % 3)
      encoded.push(base64(all.subarray(0, whole)))
      left = all.slice(whole)
    })
    request.on('end', () => end({ data: encoded.join('') + base64(left) }))
    // After the end it means nothing.
    request.on('close', () => end({ problem: 'late' }))
  })
}

function base64(bytes: Uint8Array): string {
  const pieces: string[] = []
  for (let at = 0; at < bytes.length; at += 32_768) pieces.push(String.fromCharCode(...bytes.subarray(at, at + 32_768)))
  return btoa(pieces.join(''))
}
