// A whole agent in Node: the real Agent, the real host over a MessageChannel, real HTTP to a scripted server, and a
// store that outlives its hosts. After each test the fixture checks the invariants: every request was a valid history,
// no turn ended with an open call, and replica = host = stored.
import { expect, test as base } from 'playwright/test'
import { serve } from '../../../src/host/serve.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import { openToolCalls, type Session } from '../../../src/core/data/session.js'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { AgentEvent } from '../../../src/core/data/event.js'
import type { PageMessage, Port } from '../../../src/core/data/protocol.js'
import type { Store } from '../../../src/core/state/store.js'
import { Agent } from '../../../src/page/agent.js'
import type { SpawnedHost } from '../../../src/page/client/spawn.js'
import type { AgentOptions } from '../../../src/page/options.js'
import { startEndpoint, type Endpoint, type Handler, type RecordedRequest, type ScriptItem } from './endpoint.js'
import { historyFaults } from './history.js'
import type { FakeOrigin } from './tabs.js'

export interface Bench {
  readonly agent: Agent
  readonly endpoint: Endpoint
  readonly store: Store
  /** Every event the page saw, in order. */
  readonly events: AgentEvent[]
  /** Names of durable events in commit order. `post:` marks messages that the page received. */
  readonly log: string[]
  /** Messages the page sent to the host. */
  readonly sent: PageMessage[]
  /** The session in the store. */
  stored(): Promise<Session | undefined>
  /** What has happened since the first message of the user: see `killAt`. */
  readonly moments: readonly string[]
  /** Resolves when `killAfter`, `killBefore` or `killAt` has killed the host. */
  readonly dead: Promise<void>
  /** Ends the host without notice, as a reload does. */
  kill(): void
  /** With `worker`: ends the host but not the page, which notices the silence immediately and starts another host. */
  killHost(): void
}

export interface LabOptions {
  /** A store of an earlier bench, as the next page finds it. */
  store?: Store
  endpointServer?: Endpoint
  /** Kills the first host after this commit: the event is stored but was not posted. */
  killAfter?: number
  /** Kills the first host directly before this commit. */
  killBefore?: number
  /**
   * Kills the first host at this moment after the first message of the user. A moment is each message over the port,
   * each request, and the begin, the write and the end of each commit.
   */
  killAt?: number
  /** The disk takes as long as this, before and after each write. */
  diskTakes?: () => Promise<unknown>
  /** The page watches the host with heartbeats, as it does with a worker. */
  worker?: boolean
  /** A database that the hosts of several benches share. Each host opens its own store on it. */
  disk?: MemoryDisk
  /** Locks and channels of this origin. */
  origin?: FakeOrigin
  /** The id of its tab; by default all benches are pages of one tab. */
  tab?: string
  /** Called before each commit of this page's hosts. What it throws is the error of the disk. */
  onCommit?: () => void
}

export interface Lab {
  start(script: readonly ScriptItem[] | Handler, options?: AgentOptions & LabOptions): Promise<Bench>
}

export const test = base.extend<{ lab: Lab }>({
  lab: async ({}, use) => {
    const benches: Bench[] = []
    const endpoints = new Set<Endpoint>()
    await use({
      async start(
        script,
        {
          store: given,
          endpointServer,
          killAfter = Infinity,
          killBefore = Infinity,
          killAt = Infinity,
          diskTakes,
          worker = false,
          disk = new Map(),
          origin,
          tab: tabId,
          onCommit,
          ...options
        } = {},
      ) {
        const moments: string[] = []
        let onMoment: (() => void) | undefined
        const moment = (what: string) => {
          if (moments.length === 0 && what !== 'send') return
          if (moments.push(what) === killAt) onMoment?.()
        }
        const answer = (body: JsonObject, request: RecordedRequest) => {
          moment('request')
          return typeof script === 'function' ? script(body, request) : { status: 500 }
        }
        const endpoint = endpointServer ?? (await startEndpoint(typeof script === 'function' ? answer : script))
        endpoints.add(endpoint)
        const inner = given ?? memoryStore(disk)
        const log: string[] = []
        let facts = 0
        const dead = deferred()
        const sent: PageMessage[] = []
        let kill = () => {}
        const watch = { tick: () => {} }
        const spawn = async (): Promise<SpawnedHost> => {
          let isDead = false
          const { port1, port2 } = new MessageChannel()
          const tab = origin?.tab()
          const end = (kill = () => {
            isDead = true
            tab?.crash()
            port1.close()
            // Closing the agent of a killed host must not wait as long as for a hung host.
            port1.postMessage = (message: PageMessage) => {
              if (message.type === 'control' && message.do === 'close')
                port1.dispatchEvent(new MessageEvent('message', { data: { type: 'closed' } }))
            }
          })
          const own = given ?? memoryStore(disk)
          const gone = () => {
            isDead = true
            // Messages that it posted before still arrive.
            setTimeout(() => {
              end()
              dead.resolve()
            }, 0)
            return new Promise<never>(() => undefined)
          }
          onMoment ??= () => void gone()
          const store: Store = {
            ...own,
            ...(onCommit ? { kind: 'indexeddb' as const } : {}),
            claim: (id, limit) => own.claim(id, limit),
            async commit(id, epoch, change) {
              if (isDead) return new Promise(() => undefined) // A killed host never receives the result.
              if (change.head && facts + 1 === killBefore) {
                facts++
                return gone()
              }
              onCommit?.()
              moment('begin')
              await diskTakes?.()
              if (isDead) return new Promise(() => undefined)
              await own.commit(id, epoch, change)
              moment('write')
              if (change.head && ++facts === killAfter) return gone()
              await diskTakes?.()
              moment('end')
              if (isDead) return new Promise(() => undefined)
              log.push(
                `commit:${[change.head && 'head', change.messages && `messages(${change.messages.map((one) => one.index)})`, change.result && 'result', change.draft !== undefined && 'draft'].filter(Boolean).join('+')}`,
              )
            },
          }
          port2.addEventListener('message', ({ data }: MessageEvent<PageMessage>) => {
            sent.push(data)
            moment(data.type)
          })
          serve(port2, { store, locks: tab?.locks, channels: tab?.channels })
          port1.addEventListener(
            'message',
            (event: MessageEvent<{ type: string; event?: AgentEvent; ask?: { type: string } }>) => {
              const { type, event: fact, ask } = event.data
              const name = fact?.type ?? ask?.type ?? type
              log.push(`post:${name}`)
              moment(name)
            },
          )
          port1.start()
          const port = tabId === undefined ? port1 : inTab(port1, tabId)
          const host = { kind: 'page' as const, port, terminate: end }
          return worker ? watched(host, watch) : host
        }
        const agent = new Agent({ endpoint: endpoint.url, model: 'test-model', logErrors: false, ...options }, spawn)
        const events: AgentEvent[] = []
        agent.subscribe((event) => events.push(event))
        const bench: Bench = {
          agent,
          endpoint,
          store: inner,
          events,
          log,
          sent,
          moments,
          dead: dead.promise,
          stored: async () => inner.read(agent.session?.id ?? '', Infinity),
          kill: () => kill(),
          killHost: () => {
            kill()
            fallSilent(watch)
          },
        }
        benches.push(bench)
        return bench
      },
    })
    try {
      for (const { agent, stored } of benches) {
        if (agent.session === undefined || agent.status === 'running' || agent.status === 'awaiting-approval') continue
        expect(openToolCalls(agent.session), 'no turn ends with an open call').toEqual([])
        const record = await stored()
        // A session opens with its newest messages.
        const { start } = agent.session
        if (record && record.epoch === agent.session.epoch && agent.storage !== 'memory')
          expect(agent.session, 'the replica equals the stored session').toEqual({
            ...record,
            start,
            messages: record.messages.slice(start - record.start),
          })
      }
      for (const endpoint of endpoints) {
        for (const { body } of endpoint.requests) if (body) expect(historyFaults(body), 'a valid history').toEqual([])
        await endpoint.close()
      }
    } finally {
      for (const { agent, kill } of benches) {
        kill()
        void agent.close()
      }
      for (const endpoint of endpoints) await endpoint.stop()
    }
  },
})

/** The port of a page in the tab of this name. */
function inTab(port: Port, tab: string): Port {
  return {
    postMessage: (message: PageMessage) => port.postMessage(message.type === 'open' ? { ...message, tab } : message),
    addEventListener: (type, listener) => port.addEventListener(type, listener),
    removeEventListener: (type, listener) => port.removeEventListener(type, listener),
  }
}

/** The page's check of its worker, run by the test instead of a timer. */
export function watched(host: SpawnedHost, watch: { tick: () => void }): SpawnedHost {
  let isAsked = false
  return {
    ...host,
    terminate: () => {
      watch.tick = () => {}
      host.terminate()
    },
    // First called directly before the page begins to watch.
    get kind() {
      if (isAsked) return 'worker' as const
      isAsked = true
      const { setInterval: original } = globalThis
      globalThis.setInterval = ((work: () => void, ms: number, ...rest: unknown[]) => {
        if (ms !== lookEvery) return original(work, ms, ...rest)
        watch.tick = work
        return undefined
      }) as typeof setInterval
      queueMicrotask(() => {
        globalThis.setInterval = original
      })
      return 'worker' as const
    },
  }
}

const lookEvery = 2_000

/** Advances the clock until the page treats its worker as lost. */
export function fallSilent(watch: { tick: () => void }): void {
  const { now } = Date
  const { tick } = watch
  const begin = now()
  try {
    // The page starts the next host immediately, and another timer watches that one.
    for (let over = 1; over <= 10 && watch.tick === tick; over++) {
      Date.now = () => begin + over * lookEvery
      tick()
    }
  } finally {
    Date.now = now
  }
}

/** Resolves when `condition` holds after a notification of the agent. */
export function until(agent: Agent, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const check = () => {
      if (!condition()) return
      stop()
      resolve()
    }
    const stop = agent.observe(check)
    check()
  })
}

/** A promise with its resolve and reject functions. */
export function deferred<T = void>(): {
  promise: Promise<T>
  resolve: (value: T) => void
  reject: (reason: unknown) => void
} {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

export { expect }
