// Runs a turn that nobody sees, up to its request, before the first message: a browser compiles each function when it
// is called for the first time, and that would be more than half of what the message waits for in the worker. The turn
// has an empty session in memory, and neither a page nor a network.
import { formatId } from '../core/data/ids.js'
import { isObject } from '../core/data/json.js'
import type { HostConfig, PageMessage, Port } from '../core/data/protocol.js'
import { providerNames } from '../core/data/model.js'
import { emptySession } from '../core/data/session.js'
import { Guest } from './guest.js'
import { providerFile } from './models/resolve-model.js'
import { turnModel } from './models/turn-model.js'
import { SessionWriter } from './session-writer.js'
import { memoryStore } from './store/memory-store.js'
import { Turns } from './turns.js'

/** Milliseconds after the `open` of the page. A message that comes with it must not wait for a rehearsal. */
const idleTime = 100

/** Calls `run` with the first configuration of a page, unless the page posts anything more before the host is idle. */
export function whenIdle(port: Port, run: (config: HostConfig) => unknown): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = ({ data }: { data: unknown }): void => {
    if (isObject(data) && data['type'] === 'open' && timer === undefined) {
      const { config } = data as unknown as Extract<PageMessage, { type: 'open' }>
      timer = setTimeout(() => run(config), idleTime)
    } else {
      clearTimeout(timer)
      port.removeEventListener('message', listen)
    }
  }
  port.addEventListener('message', listen)
}

/** Resolves with the body of the request that is not sent; undefined for a model that is not one of the providers. */
export async function rehearse(given: HostConfig): Promise<unknown> {
  const { endpoint, pageModel, provider: name } = given
  if (endpoint === undefined || pageModel || !providerNames.some((known) => known === name)) return undefined
  const { provider } = await providerFile(given)
  const store = memoryStore()
  const { epoch } = await store.claim('', 0)
  const session = { ...emptySession('', '', 0), epoch }
  const config = { ...given, debug: false, hooks: { beforeModel: false, headers: false, stopWhen: false } }
  return new Promise((resolve) => {
    const nothing = () => undefined
    const stopInstead: typeof fetch = (_url, init) => {
      resolve(init?.body)
      void turns.stop('closed')
      return new Promise(nothing)
    }
    const guest = new Guest({ post: nothing, untilPagePresent: () => new Promise(nothing) })
    guest.config = config
    const now = () => Date.now()
    const model = provider({ ...config, endpoint, headers: async () => ({}), fetch: stopInstead })
    const turns: Turns = new Turns(
      {
        now,
        writer: new SessionWriter(session, false, store, now, nothing),
        model: turnModel({ given: model, guest: () => guest, now, show: nothing }),
        hasOwnModel: false,
        present: (one) => one,
        id: (prefix) => prefix + formatId(crypto.getRandomValues(new Uint8Array(16))),
        report: () => resolve(undefined),
      },
      guest,
    )
    const facts = { url: 'https://example.com/', title: 'A page', lang: 'en', timeZone: 'UTC' }
    const input = [{ type: 'text', text: 'A message' }] as const
    turns.send(
      {
        type: 'send',
        turn: 'turn',
        whenBusy: 'queue',
        input,
        options: { facts },
        offer: { number: 0, tools: [] },
      },
      guest,
    )
  })
}
