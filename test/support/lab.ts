// A whole agent in Node: the real Agent, the real host over a MessageChannel, the real wire against a scripted server,
// a store that outlives its hosts. Whatever a test does, the laws are checked behind it: every request was a valid
// history, no turn ended with an open call, and replica = host = stored.
import { expect, test as base } from 'playwright/test'
import { serve } from '../../src/host/serve.js'
import { memoryStore } from '../../src/host/store/memory.js'
import { openCalls, type Session } from '../../src/core/session.js'
import type { AgentEvent } from '../../src/core/event.js'
import type { PageMessage } from '../../src/core/protocol.js'
import type { Store } from '../../src/core/store.js'
import { Agent } from '../../src/page/agent.js'
import type { AgentOptions } from '../../src/page/options.js'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from './endpoint.js'
import { historyFaults } from './history.js'

export interface Bench {
  readonly agent: Agent
  readonly endpoint: Endpoint
  readonly store: Store
  /** Every event the page saw, in order. */
  readonly events: AgentEvent[]
  /** Names of durable facts in the order they were committed, `post:` for what the page was told or asked. */
  readonly log: string[]
  /** Messages the page sent to the host. */
  readonly sent: PageMessage[]
  /** The session as it stands in the store. */
  stored(): Promise<Session | undefined>
  /** Resolves when `killAfter` has come true. */
  readonly dead: Promise<void>
  /** Ends the host without a word, as a reload does. */
  kill(): void
}

export interface LabOptions {
  /** A store of an earlier bench, as the next page finds it. */
  store?: Store
  endpointServer?: Endpoint
  /** Kills the host after this commit of a fact. */
  killAfter?: number
}

export interface Lab {
  start(script: readonly ScriptItem[] | Handler, options?: AgentOptions & LabOptions): Promise<Bench>
}

export const test = base.extend<{ lab: Lab }>({
  lab: async ({}, use) => {
    const benches: Bench[] = []
    const endpoints = new Set<Endpoint>()
    await use({
      async start(script, { store: given, endpointServer, killAfter = Infinity, ...options } = {}) {
        const endpoint = endpointServer ?? await startEndpoint(script)
        endpoints.add(endpoint)
        const inner = given ?? memoryStore()
        const log: string[] = []
        let isDead = false
        let facts = 0
        const dead = deferred()
        const store: Store = {
          ...inner,
          claim: (id, limit) => inner.claim(id, limit),
          async commit(id, epoch, change) {
            if (isDead) return new Promise(() => undefined) // A killed host never hears of it.
            await inner.commit(id, epoch, change)
            if (change.head && ++facts === killAfter) {
              isDead = true
              dead.resolve()
              return new Promise(() => undefined)
            }
            log.push(`commit:${[change.head && 'head', change.messages && `messages(${change.messages.map((one) => one.index)})`, change.result && 'result', change.draft !== undefined && 'draft'].filter(Boolean).join('+')}`)
          },
        }
        const { port1, port2 } = new MessageChannel()
        const sent: PageMessage[] = []
        port2.addEventListener('message', (event: MessageEvent<PageMessage>) => sent.push(event.data))
        const agent = new Agent({ endpoint: endpoint.url, model: 'test-model', ...options }, async () => {
          serve(port2, { store })
          port1.addEventListener('message', (event: MessageEvent<{ type: string; event?: AgentEvent; ask?: { type: string } }>) => {
            const { type, event: fact, ask } = event.data
            log.push(`post:${fact?.type ?? ask?.type ?? type}`)
          })
          port1.start()
          return { kind: 'page', port: port1, terminate: () => port1.close() }
        })
        const events: AgentEvent[] = []
        agent.subscribe((event) => events.push(event))
        const bench: Bench = {
          agent, endpoint, store: inner, events, log, sent, dead: dead.promise,
          stored: async () => inner.read(agent.session?.id ?? '', Infinity),
          kill: () => {
            isDead = true
            port1.close()
          },
        }
        benches.push(bench)
        return bench
      },
    })
    try {
      for (const { agent, stored } of benches) {
        if (agent.session === undefined || agent.status === 'running' || agent.status === 'awaiting-approval') continue
        expect(openCalls(agent.session), 'no turn ends with an open call').toEqual([])
        const record = await stored()
        // A session opens with its newest messages.
        const { start } = agent.session
        if (record && record.epoch === agent.session.epoch) expect(agent.session, 'the replica equals the stored session').toEqual({ ...record, start, messages: record.messages.slice(start - record.start) })
      }
      for (const endpoint of endpoints) {
        for (const { body } of endpoint.requests) if (body) expect(historyFaults(body), 'a valid history').toEqual([])
        await endpoint.close()
      }
    } finally {
      for (const { agent, kill } of benches) {
        agent.close()
        kill()
      }
      for (const endpoint of endpoints) await endpoint.stop()
    }
  },
})

/** Resolves when `condition` holds after some notice of the agent. */
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

/** A promise with its handles. */
export function deferred<T = void>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void } {
  let resolve!: (value: T) => void
  let reject!: (reason: unknown) => void
  const promise = new Promise<T>((yes, no) => { resolve = yes; reject = no })
  return { promise, resolve, reject }
}

export { expect }
