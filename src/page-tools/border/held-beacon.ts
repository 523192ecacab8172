// A beacon that is held: sent as the page made it, or dropped. A page learns of neither.
import type { PageRequest } from '../effects/read-request.js'
import type { FetchBorder } from './held-fetch.js'
import { frozenBody } from './held-xhr.js'
import { isUnread, readBody } from './read-body.js'

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
