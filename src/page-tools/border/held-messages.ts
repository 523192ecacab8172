// A beacon and a message on a socket that are held: sent as the page made them and in its order, or dropped. A page
// learns of neither.
import type { PageRequest } from '../effects/read-request.js'
import type { FetchBorder } from './held-fetch.js'
import { frozenBody, type XhrBorder } from './held-xhr.js'
import { isUnread, readBody } from './read-body.js'
import type { SentFrame } from '../effects/page-requests.js'

const nothing = (): void => undefined

/** Holds it, or decides about it when its body was read. `send` calls the original. */
export function holdBeacon(
  request: PageRequest,
  { body, send }: { readonly body: unknown; send(body: unknown): void },
  border: FetchBorder,
): void {
  const frozen = frozenBody(body)
  const hold = (read: PageRequest): void => {
    const sendLater = (): void => {
      border.passed(read)
      send(frozen)
    }
    border.add({ request: read, fail: nothing, share: nothing, send: sendLater })
  }
  if (!isUnread([undefined, { body }])) return hold(request)
  void readBody(new Response(frozen as BodyInit)).then((known) => {
    const read = { ...request, ...known }
    const verdict = border.judge(read)
    if (verdict === 'hold') hold(read)
    if (verdict === 'send') send(frozen)
  })
}

/** Holds it, until its socket is closed. */
export function holdFrame(request: PageRequest, { socket, body, send }: SentFrame, border: XhrBorder): void {
  const frozen = frozenBody(body)
  const ending = new AbortController()
  const drop = (): void => ending.abort()
  const giveUp = border.add({
    request,
    fail: drop,
    share: drop,
    send() {
      drop()
      border.passed(request)
      send(frozen)
    },
  })
  socket.addEventListener('close', giveUp, { signal: ending.signal })
}
