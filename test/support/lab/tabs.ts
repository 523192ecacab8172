// One origin for Node: Web Locks and BroadcastChannels like those of a browser, shared by any number of tabs. A tab
// that crashes loses its locks and channels without notice, as a dead thread does.
import type { ChannelPort, Channels } from '../../../src/host/tabs/session-channel.js'
import type { Locks } from '../../../src/host/tabs/session-lock.js'

export interface FakeTab {
  readonly locks: Locks
  readonly channels: Channels
  /** Ends the thread: its locks go to the next request, and it sends and receives no more messages. */
  crash(): void
}

interface Entry {
  readonly tab: object
  readonly name: string
  readonly mode: LockMode
  readonly grant: () => void
  /** Ends what was granted (stolen) or still waits (aborted). */
  readonly refuse: (why: unknown) => void
}

export class FakeOrigin {
  readonly #held = new Set<Entry>()
  #pending: Entry[] = []
  readonly #clients = new Set<object>()
  readonly #ports = new Set<Port>()

  /** The names of the locks that are held now. */
  get held(): readonly string[] {
    return [...this.#held].map(({ name }) => name)
  }

  /** How many channels are open. */
  get openChannels(): number {
    return this.#ports.size
  }

  #clientOf(tab: object): string {
    this.#clients.add(tab)
    return String([...this.#clients].indexOf(tab))
  }

  tab(): FakeTab {
    const tab = {}
    let isDead = false
    const request = async (name: string, ...rest: readonly unknown[]): Promise<unknown> => {
      const work = rest.at(-1) as (lock: { name: string; mode: LockMode } | null) => unknown
      const {
        mode = 'exclusive',
        steal = false,
        ifAvailable = false,
        signal,
      } = (rest.length > 1 ? rest[0] : {}) as LockOptions
      signal?.throwIfAborted()
      if (isDead) return new Promise(() => undefined)
      if (ifAvailable && !this.#isFree(name, mode)) return work(null)
      return new Promise((resolve, reject) => {
        const end = (settle: () => void) => {
          signal?.removeEventListener('abort', onAbort)
          this.#held.delete(entry)
          this.#pending = this.#pending.filter((one) => one !== entry)
          settle()
          this.#proceed()
        }
        const onAbort = () => {
          if (!this.#held.has(entry)) end(() => reject(signal?.reason))
        }
        const entry: Entry = {
          tab,
          name,
          mode,
          refuse: (why) => end(() => reject(why)),
          grant: () => {
            this.#held.add(entry)
            // In a task of its own: a lock is never granted inside its own request.
            setImmediate(() => {
              if (isDead || !this.#held.has(entry)) return
              void (async () => work({ name, mode }))().then(
                (value) => end(() => resolve(value)),
                (thrown: unknown) => end(() => reject(thrown)),
              )
            })
          },
        }
        signal?.addEventListener('abort', onAbort)
        if (steal) {
          const robbed = [...this.#held].filter((one) => one.name === name)
          for (const one of robbed) this.#held.delete(one)
          entry.grant()
          for (const one of robbed) one.refuse(new DOMException('The lock was stolen', 'AbortError'))
          return
        }
        this.#pending.push(entry)
        this.#proceed()
      })
    }
    const info = ({ tab, name, mode }: Entry) => ({ name, mode, clientId: this.#clientOf(tab) })
    const query = async () => ({ held: [...this.#held].map(info), pending: this.#pending.map(info) })
    return {
      locks: { request, query } as unknown as Locks,
      channels: (name) => new Port(name, this.#ports, tab),
      crash: () => {
        isDead = true
        for (const port of this.#ports) if (port.tab === tab) port.close()
        for (const entry of this.#held) if (entry.tab === tab) this.#held.delete(entry)
        this.#pending = this.#pending.filter((one) => one.tab !== tab)
        this.#proceed()
      },
    }
  }

  #isFree(name: string, mode: LockMode, before: readonly Entry[] = this.#pending): boolean {
    const others = [...this.#held, ...before].filter((one) => one.name === name)
    return others.every((one) => one.mode === 'shared' && mode === 'shared')
  }

  /** Grants locks in order: a request must not overtake an earlier one for the same name. */
  #proceed(): void {
    // A copy, because granted entries are removed while this runs.
    for (const entry of this.#pending.slice()) {
      const place = this.#pending.indexOf(entry)
      if (place < 0 || !this.#isFree(entry.name, entry.mode, this.#pending.slice(0, place))) continue
      this.#pending.splice(place, 1)
      entry.grant()
    }
  }
}

class Port implements ChannelPort {
  readonly tab: object
  readonly #name: string
  readonly #ports: Set<Port>
  readonly #listeners: ((event: { data: unknown }) => void)[] = []

  constructor(name: string, ports: Set<Port>, tab: object) {
    this.#name = name
    this.#ports = ports
    this.tab = tab
    ports.add(this)
  }

  postMessage(message: unknown): void {
    if (!this.#ports.has(this)) throw new DOMException('The channel is closed', 'InvalidStateError')
    for (const port of this.#ports) {
      if (port === this || port.#name !== this.#name) continue
      const data = structuredClone(message)
      setImmediate(() => {
        if (this.#ports.has(port)) for (const listener of port.#listeners) listener({ data })
      })
    }
  }

  addEventListener(_type: 'message', listener: (event: { data: unknown }) => void): void {
    this.#listeners.push(listener)
  }

  close(): void {
    this.#ports.delete(this)
  }
}
