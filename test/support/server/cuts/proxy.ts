// A proxy on the loopback that delays what it passes on, and breaks connections: each end loses what was on its way, and
// learns of it at a time of its own.
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Dice } from '../../lab/generator.js'

/** A connection through the proxy. */
class Passage {
  readonly #dice: Dice
  readonly #page: Socket
  readonly #server: Socket
  #isLost = false

  constructor(page: Socket, server: Socket, dice: Dice) {
    this.#dice = dice
    this.#page = page
    this.#server = server
    this.#pass(page, server)
    this.#pass(server, page)
  }

  #pass(from: Socket, to: Socket): void {
    // One after another, because timers may change their order.
    let last = Promise.resolve()
    const later = (work: () => unknown) => {
      const delay = this.#dice.chance(0.7) ? undefined : wait(this.#dice.from(0, 20))
      last = last.then(() => delay).then(() => void work())
    }
    from.on('data', (chunk: Buffer) => later(() => this.#isLost || to.write(chunk)))
    from.on('close', () => later(() => to.destroy()))
    from.on('error', () => undefined)
  }

  /** Breaks it. */
  cut(): void {
    const [one, other] = this.#dice.chance(0.5) ? [this.#page, this.#server] : [this.#server, this.#page]
    this.#isLost = this.#dice.chance(0.5)
    one.destroy()
    setTimeout(() => other.destroy(), this.#dice.from(0, 200))
  }
}

/** The proxy. */
export class BreakingProxy {
  readonly #passages = new Map<string, Passage>()
  readonly #listener: Server

  /** @param port of the server; undefined while none runs */
  constructor(port: () => number | undefined, dice: Dice) {
    this.#listener = createServer((page) => {
      page.on('error', () => undefined)
      page.once('data', (first: Buffer) => {
        const target = port()
        const name = /^GET \/(\w+)/.exec(first.toString('latin1'))?.[1] ?? ''
        if (target === undefined) return page.destroy()
        const server = connect(target, '127.0.0.1')
        this.#passages.set(name, new Passage(page, server, dice))
        server.write(first)
        page.once('close', () => this.#passages.delete(name))
      })
    })
  }

  /** Resolves with its port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#listener.listen(0, '127.0.0.1', resolve))
    return (this.#listener.address() as AddressInfo).port
  }

  /** Breaks a connection, by the path that it asked for. */
  cut(name: string): void {
    this.#passages.get(name)?.cut()
  }

  close(): void {
    for (const passage of this.#passages.values()) passage.cut()
    this.#listener.close()
  }
}
