// A `fetch` that is held: frozen as a `Request` in the call of the page, so that it is sent as the page made it,
// whatever the page changes meanwhile, and so that the errors and `bodyUsed` are those of the browser.
import type { SentFetch } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import type { HeldRequest } from './held-requests.js'
import type { XhrBorder } from './held-xhr.js'
import { isUnread, readBody } from './read-body.js'

/** Who decides about a frozen request. */
export interface FetchBorder extends XhrBorder {
  /** Decides about a request whose body is known now. */
  judge(request: PageRequest): 'send' | 'stop' | 'hold'
  /** What was not held has its answer. */
  answered(request: PageRequest, status: number | undefined): void
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
    const transmit = (done: (status: number | undefined) => void, twins: readonly HeldRequest[] = []): void => {
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
        send: (twins) => transmit(border.passed(read), twins),
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
      else if (verdict === 'send') transmit((status) => border.answered(read, status))
      else fail()
    }
    if (!isUnread(args)) return hold(request)
    void readBody(frozen.clone()).then((body) => decide({ ...request, ...body }))
  })
}
