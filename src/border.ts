// The first script of a page, `<script src="…/border.js">`: a classic one, which runs before all others. What the page
// keeps or freezes of `fetch` and its like leads through here, so that whatever is loaded later can hold what is sent.
// It imports nothing, and does nothing else. Without it, a control whose effect is not known is asked about before.
import type { EarlyBorder, WayHandler } from './page-tools/effects/early-border.js'

;(() => {
  const key = Symbol.for('tool-agent:border')
  if (key in window) return
  // Elements of the page hide no properties of the prototype.
  const [current, all] = ['currentScript', 'scripts'].map((name): unknown =>
    Reflect.get(Document.prototype, name, document),
  ) as [unknown, Document['scripts']]
  const handlers: EarlyBorder['handlers'] = new Map()
  const early: EarlyBorder = {
    handlers,
    isFirst: current !== null && current === all[0],
    hasChannel: false,
  }

  const watch = (owner: object, names: readonly string[]): void => {
    const ways: Record<string, WayHandler | undefined> = {}
    handlers.set(owner, ways)
    for (const name of names) {
      const described = Object.getOwnPropertyDescriptor(owner, name)
      const original: unknown = described?.value
      if (typeof original !== 'function') {
        early.isFirst &&= !(name in owner)
        continue
      }
      ways[name] = undefined
      const value = new Proxy(original, {
        apply(target, self: unknown, args: unknown[]) {
          const send = (...given: unknown[]): unknown => {
            const answer: unknown = Reflect.apply(target as never, self, given)
            early.hasChannel ||= owner === window && name === 'open' && answer !== null
            return answer
          }
          return ways[name] ? ways[name](self, args, send) : send(...args)
        },
      })
      Object.defineProperty(owner, name, { ...described, value })
    }
  }
  watch(window, ['fetch', 'fetchLater', 'open'])
  watch(XMLHttpRequest.prototype, ['open', 'setRequestHeader', 'send', 'abort'])
  watch(Navigator.prototype, ['sendBeacon'])
  watch(HTMLFormElement.prototype, ['submit'])
  watch(History.prototype, ['back', 'forward', 'go'])

  // What is sent on these is not seen, so it counts that there is one. Ours is marked as soon as it was made.
  const channels = ['WebSocket', 'WebSocketStream', 'EventSource', 'WebTransport', 'BroadcastChannel']
  const others = ['RTCPeerConnection', 'webkitRTCPeerConnection', 'Worker', 'SharedWorker']
  for (const name of [...channels, ...others]) {
    const described = Object.getOwnPropertyDescriptor(window, name)
    const original: unknown = described?.value
    if (typeof original !== 'function') {
      early.isFirst &&= !(name in window)
      continue
    }
    const value = new Proxy(original, {
      construct(target, args: unknown[], made) {
        const channel = Reflect.construct(target, args, made) as object
        queueMicrotask(() => {
          early.hasChannel ||= !(Symbol.for('tool-agent:worker') in channel)
        })
        return channel
      },
    })
    Object.defineProperty(window, name, { ...described, value })
  }
  Object.defineProperty(window, key, { value: early })
})()
