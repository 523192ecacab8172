// Reads the body of a request that is held, for its class: what can only be read later, and what is packed by gzip.
import { deadline, patience, pause } from '../waiting/until.js'

/** Bytes of a body that are read, and of what it unpacks to. */
const mostRead = { sent: 65_536, unpacked: 200_000 }

/** Whether the body can be read, but only later. A stream is never read: it can be read once. */
export function isUnread([input, init]: readonly unknown[]): boolean {
  const body = (init as { readonly body?: unknown } | undefined)?.body
  if (body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return true
  const given = input as Partial<Request> | null
  const isGiven = body == null && typeof given === 'object' && typeof given?.method === 'string'
  // `Request.body` is not in every browser; without a body it is null.
  return isGiven && !/^(GET|HEAD)$/i.test(given.method!) && given.body !== null
}

/** What a body says, of a copy: the original is sent once. A long, slow or strange one cannot be read. */
export async function readBody(
  copy: Request | Response,
): Promise<{ readonly body?: string; readonly isUnreadable: boolean }> {
  const bytes = await bytesOf(copy)
  const body = bytes && (isPacked(bytes) ? await unpacked(bytes) : decode(bytes))
  return body === undefined ? { isUnreadable: true } : { body, isUnreadable: false }
}

async function bytesOf(copy: Request | Response): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { body } = copy as { readonly body?: ReadableStream<Uint8Array> | null }
  if (body) return drain(body, mostRead.sent)
  // Not every browser has `Request.body`.
  return copy.arrayBuffer().then(
    (all) => new Uint8Array(all),
    () => undefined,
  )
}

/** All bytes of a stream; undefined if there are too many, or if it is slow or broken. */
async function drain(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  const isLate = deadline(patience.heldBody)
  for (let bytes = 0; bytes <= most && !isLate();) {
    const next = await Promise.race([reader.read().catch(() => undefined), pause(patience.heldBody)])
    if (!next) break
    if (next.done) return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer())
    bytes += next.value.byteLength
    chunks.push(next.value)
  }
  void reader.cancel().catch(() => undefined)
  return undefined
}

const isPacked = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string | undefined> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const plain = await drain(stream, mostRead.unpacked)
  return plain && decode(plain)
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
