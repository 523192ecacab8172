// An `XMLHttpRequest` and a beacon that are held. The request stays opened, and counts as sent for the page: it has its
// time limit, and `abort` ends it.
import type { SentXhr } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import type { HeldRequest } from './held-requests.js'

/** Who holds them. */
export interface XhrBorder {
  /** Holds it. Returns what to call if the page gives it up. */
  add(held: Omit<HeldRequest, 'what'>): () => void
  /** It is sent now. Returns what to call with its status. */
  passed(request: PageRequest): (status: number | undefined) => void
}

/** A body that the page cannot change any more. */
export function frozenBody(body: unknown): unknown {
  if (body instanceof ArrayBuffer) return body.slice(0)
  if (ArrayBuffer.isView(body)) return body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength)
  if (body instanceof URLSearchParams) return new URLSearchParams(body)
  if (!(body instanceof FormData)) return body
  const copy = new FormData()
  for (const [name, value] of body) copy.append(name, value as string)
  return copy
}

/** Holds it. Returns what to call when the page aborts it. */
export function holdXhr(request: PageRequest, { xhr, body, send, fail }: SentXhr, border: XhrBorder): () => void {
  const frozen = frozenBody(body)
  const giveUp = border.add({
    request,
    fail: () => over(() => fail('error')),
    // An answer cannot be put into another request.
    share: () => over(() => fail('error')),
    send: (twins) =>
      over(() => {
        for (const twin of twins) twin.share(undefined)
        const done = border.passed(request)
        xhr.addEventListener('loadend', () => done(xhr.status || undefined), { once: true })
        send(frozen)
      }),
  })
  const timer =
    xhr.timeout > 0
      ? setTimeout(() => {
          giveUp()
          fail('timeout')
        }, xhr.timeout)
      : undefined
  const over = (then: () => void): void => {
    clearTimeout(timer)
    then()
  }
  return () => over(giveUp)
}
