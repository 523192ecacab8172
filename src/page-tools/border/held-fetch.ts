// A `fetch` that is held: frozen as a `Request` in the call of the page, so that it is sent as the page made it,
// whatever the page changes meanwhile, and so that the errors and `bodyUsed` are those of the browser.
import type { SentFetch } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import type { HeldRequest } from './held-requests.js'

/** Bytes of a body that are read for its class, and of what they are unpacked to. */
const mostRead = { packed: 65_536, plain: 200_000 }
/** Milliseconds after which a body counts as one that cannot be read. */
const longestRead = 500

/** Who decides about a frozen request. */
export interface FetchBorder {
  /** Decides about a request whose body is known now. */
  judge(request: PageRequest): 'send' | 'stop' | 'hold'
  /** Holds it. Returns what to call if the page gives it up. */
  add(held: Omit<HeldRequest, 'what'>): () => void
  /** It is sent without a question. Returns what to call with its status. */
  passed(request: PageRequest): (status: number | undefined) => void
}

/** Whether the body can be read, but only later. A stream is never read: it can be read once. */
export function isUnread([input, init]: readonly unknown[]): boolean {
  const body = (init as RequestInit | undefined)?.body
  if (body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return true
  const given = input as Partial<Request> | null
  const isGiven = body == null && typeof given === 'object' && typeof given?.method === 'string'
  // `Request.body` is not in every browser; without a body it is null.
  return isGiven && !/^(GET|HEAD)$/i.test(given.method!) && given.body !== null
}

/** Holds the request, or decides about it when its body was read. Returns the answer for the page. */
export function holdFetch(
  request: PageRequest,
  { view, args, send }: SentFetch,
  border: FetchBorder,
): Promise<Response> {
  const { Promise: PagePromise, TypeError: PageTypeError, Request: PageRequestClass } = view
  let frozen: Request
  try {
    frozen = new PageRequestClass(...(args as ConstructorParameters<typeof Request>))
  } catch (error) {
    return PagePromise.reject(error)
  }
  return new PagePromise<Response>((resolve, reject) => {
    const fail = (): void => reject(new PageTypeError('Failed to fetch'))
    const transmit = (read: PageRequest, twins: readonly HeldRequest[] = []): void => {
      const done = border.passed(read)
      const answer = send(frozen)
      // Copied before the page can read the body.
      for (const twin of twins) twin.share(answer.then((response) => response.clone()))
      answer.then(
        (response) => {
          done(response.status)
          resolve(response)
        },
        (error: unknown) => {
          done(undefined)
          reject(error)
        },
      )
    }
    const hold = (read: PageRequest): void => {
      const giveUp = border.add({
        request: read,
        fail,
        share: (answer) => (answer ? answer.then(resolve, reject) : fail()),
        send: (twins) => transmit(read, twins),
      })
      const onAbort = (): void => {
        reject(frozen.signal.reason)
        giveUp()
      }
      frozen.signal.addEventListener('abort', onAbort, { once: true })
      if (frozen.signal.aborted) onAbort()
    }
    const decide = (read: PageRequest): void => {
      const verdict = border.judge(read)
      if (verdict === 'hold') hold(read)
      else if (verdict === 'send') transmit(read)
      else fail()
    }
    if (!isUnread(args)) return hold(request)
    void textOf(frozen).then((body) =>
      decide(body === undefined ? { ...request, isUnreadable: true } : { ...request, body, isUnreadable: false }),
    )
  })
}

/**
 * The body as text, unpacked; undefined if it is long, slow or cannot be read. A copy is read: the body is sent once.
 */
async function textOf(request: Request): Promise<string | undefined> {
  const copy = request.clone()
  // Not in every browser.
  if ((copy.body as ReadableStream<Uint8Array> | null | undefined) === undefined)
    return copy.text().catch(() => undefined)
  if (copy.body === null) return ''
  const end = performance.now() + longestRead
  const bytes = await bytesOf(copy.body, mostRead.packed, end)
  const isPacked = bytes?.[0] === 0x1f && bytes[1] === 0x8b
  const unpacked = isPacked ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')) : undefined
  const plain = unpacked ? await bytesOf(unpacked, mostRead.plain, end) : bytes
  return plain && new TextDecoder().decode(plain)
}

/** All bytes of a stream; undefined if they are too many, too late or damaged. */
async function bytesOf(
  stream: ReadableStream<Uint8Array>,
  most: number,
  end: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let length = 0; length <= most;) {
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, end - performance.now()))
    const next = await Promise.race([reader.read().catch(() => undefined), late])
    if (next === undefined) break
    if (next.done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    length += next.value.byteLength
    chunks.push(next.value as Uint8Array<ArrayBuffer>)
  }
  void reader.cancel().catch(() => undefined)
  return undefined
}
