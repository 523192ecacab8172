// A message on a socket that is held: sent in the order of the page, or dropped. A page learns of neither.
import type { SentFrame } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import { frozenBody, type XhrBorder } from './held-xhr.js'

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
