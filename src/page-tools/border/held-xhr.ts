// An `XMLHttpRequest` that is held or stopped. Held it stays opened, and counts as sent for the page: it has its time
// limit, and `abort` ends it. Stopped it fails as without a network.
import { wrap, type SentXhr, type View } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import type { HeldRequest } from './held-requests.js'

/** Who holds them. */
export interface XhrBorder {
  /** Holds it. Returns what to call if the page gives it up. */
  add(held: Omit<HeldRequest, 'what'>): () => void
  /** It is sent now. Returns what to call with its status. */
  passed(request: PageRequest): (status: number | undefined) => void
}

type Ending = 'error' | 'timeout' | 'abort'

/** Those that count as sent: how they end, and what ends the wait. */
const waiting = new WeakMap<XMLHttpRequest, { readonly sent: SentXhr; readonly leave: () => void }>()

/** The wait of a request is over. */
function leave(xhr: XMLHttpRequest): SentXhr | undefined {
  const { sent, leave: end } = waiting.get(xhr) ?? {}
  waiting.delete(xhr)
  end?.()
  return sent
}

const watched = new WeakSet<View>()

/** What the page does meanwhile with requests that are stopped or held. Does nothing the second time. */
export function watchHeldXhr(view: View): void {
  if (watched.has(view)) return
  watched.add(view)
  const { prototype } = view.XMLHttpRequest
  wrap(prototype, 'open', (self, args, original) => {
    leave(self as XMLHttpRequest)
    Reflect.deleteProperty(self as XMLHttpRequest, 'readyState')
    return original(...args)
  })
  for (const name of ['setRequestHeader', 'send'] as const)
    wrap(prototype, name, (self, args, original) => {
      if (!waiting.has(self as XMLHttpRequest)) return original(...args)
      throw new view.DOMException('The request has been sent already.', 'InvalidStateError')
    })
  wrap(prototype, 'abort', (self, args, original) => {
    const sent = leave(self as XMLHttpRequest)
    return sent ? end(sent, 'abort') : original(...args)
  })
}

/** It fails as without a network. */
export function stopXhr(sent: SentXhr): void {
  const { view, xhr } = sent
  const timer = view.setTimeout(() => {
    leave(xhr)
    end(sent, 'error')
  })
  waiting.set(xhr, { sent, leave: () => view.clearTimeout(timer) })
  begin(sent)
}

/** Holds it. */
export function holdXhr(request: PageRequest, sent: SentXhr, border: XhrBorder): void {
  const { view, xhr } = sent
  const body = frozenBody(sent.body)
  let isOver = false
  const over = (): void => {
    isOver = true
    leave(xhr)
  }
  const failBy = (how: Ending): void => {
    over()
    begin(sent)
    end(sent, how)
  }
  const fail = (): void => failBy('error')
  const giveUp = border.add({
    request,
    fail,
    // An answer cannot be put into another request.
    share: fail,
    send(twins) {
      over()
      const done = border.passed(request)
      xhr.addEventListener('loadend', () => done(xhr.status || undefined), { once: true })
      sent.send(body)
      for (const twin of twins) twin.share(undefined)
    },
  })
  const late = (): void => {
    isOver = true
    giveUp()
    failBy('timeout')
  }
  const timer = xhr.timeout > 0 ? view.setTimeout(late, xhr.timeout) : undefined
  waiting.set(xhr, {
    sent,
    leave() {
      view.clearTimeout(timer)
      if (!isOver) giveUp()
    },
  })
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

const hasBody = ({ body }: SentXhr): boolean => body != null

function begin(sent: SentXhr): void {
  const { view, xhr } = sent
  for (const target of hasBody(sent) ? [xhr, xhr.upload] : [xhr])
    target.dispatchEvent(new view.ProgressEvent('loadstart'))
}

/** What an `XMLHttpRequest` does whose network fails, or that is aborted. Its state stays until it is opened again. */
function end(sent: SentXhr, how: Ending): void {
  const { view, xhr } = sent
  Object.defineProperty(xhr, 'readyState', { configurable: true, value: 4 })
  xhr.dispatchEvent(new view.Event('readystatechange'))
  for (const target of hasBody(sent) ? [xhr.upload, xhr] : [xhr])
    for (const name of [how, 'loadend']) target.dispatchEvent(new view.ProgressEvent(name))
}
