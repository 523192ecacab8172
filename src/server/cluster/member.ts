// This process as one of several that share a database. It is alive as long as it renews in time, by a clock that only
// runs forward; the database counts by its own. When it is over it must not work on any session, and begins anew with
// another id.
import { ToolAgentError, toFailure } from '../../core/data/errors.js'
import { formatId } from '../../core/data/ids.js'
import type { Cluster, LeasedSession } from '../../core/state/cluster.js'
import * as log from '../../page/log.js'
import { Links, mailVersion, type Link, type Notice } from './links.js'

/** Sessions that a process takes over at a time. */
const mostAdopted = 20

/** Milliseconds between two looks at the mail, if the database tells of it, and if it does not. */
const pollTimes = { told: 1_000, untold: 100 }

/** What a process does as a member. */
export interface MemberDeps {
  readonly cluster: Cluster
  /** Another process has opened a link for a page of a user. */
  readonly accept: (link: Link, user: string) => void
  readonly noticed: (notice: Notice) => void
  /** Nothing that was leased is leased any more. Must return before anything else is awaited. */
  readonly lost: () => void
  /** Goes on with a session that another process has left. Its lease is taken. */
  readonly adopt: (session: LeasedSession) => void
}

/** This process. */
export class Member {
  readonly #deps: MemberDeps
  #life: Life
  #isClosed = false

  constructor(deps: MemberDeps) {
    this.#deps = deps
    this.#life = this.#begin()
  }

  #begin(): Life {
    return new Life({
      ...this.#deps,
      lost: () => {
        this.#deps.lost()
        if (!this.#isClosed) this.#life = this.#begin()
      },
    })
  }

  /**
   * The id of the process that works on a session; undefined: this one, and no other until `release`.
   * @throws `storage`
   */
  lease(session: LeasedSession): Promise<string | undefined> {
    return this.#life.lease(session)
  }

  /** Gives a lease back. `isUnfinished`: another process goes on with the session. */
  release(session: LeasedSession, isUnfinished: boolean): Promise<void> {
    return this.#life.release(session, isUnfinished)
  }

  /** Opens a link to another process, for a page of a user. */
  connect(process: string, user: string): Link {
    return this.#life.links.connect(process, user)
  }

  /** Tells something to all other processes. */
  tell(notice: Notice): void {
    this.#life.tell(notice)
  }

  /** What is leased goes on elsewhere. */
  close(): Promise<void> {
    this.#isClosed = true
    return this.#life.close()
  }
}

/** From joining until it is over. */
class Life {
  readonly #id = formatId(crypto.getRandomValues(new Uint8Array(16)))
  readonly links: Links
  readonly #deps: MemberDeps
  readonly #joined: Promise<void>
  #alive: ReadonlySet<string> = new Set()
  #isOver = false
  // Until when it is alive, unless it renews.
  #expiry: ReturnType<typeof setTimeout> | undefined
  #beating: ReturnType<typeof setTimeout> | undefined
  #polling: ReturnType<typeof setTimeout> | undefined
  #collecting: Promise<void> | undefined
  #isWoken = false
  #isTold = false
  // Whether another attempt to listen makes sense.
  #mayListen = true
  #unlisten: (() => void) | undefined

  constructor(deps: MemberDeps) {
    this.#deps = deps
    const { cluster, accept, noticed } = deps
    this.links = new Links({ own: this.#id, post: (mail) => cluster.post(mail), accept, noticed })
    this.#joined = this.#join()
    // Those who wait for it are told. It tries again by beginning anew.
    this.#joined.catch((thrown: unknown) => {
      log.logError(toFailure(thrown, 'storage'))
      this.#beating = setTimeout(() => this.#end(), cluster.leaseTime / 3)
    })
  }

  async lease(session: LeasedSession): Promise<string | undefined> {
    await this.#joined
    const holder = await this.#deps.cluster.lease(session, this.#id)
    // What it has taken meanwhile is free again.
    if (this.#isOver) throw new ToolAgentError('storage', 'The database did not answer in time.')
    return holder === this.#id ? undefined : holder
  }

  async release(session: LeasedSession, isUnfinished: boolean): Promise<void> {
    if (!this.#isOver) await this.#deps.cluster.release(session, this.#id, isUnfinished)
  }

  tell(notice: Notice): void {
    const known = this.#alive
    this.#tell(known, notice)
    // Others have begun since it has renewed. If it cannot ask for them, they cannot be told either.
    this.#deps.cluster.renew(this.#id).then(
      (alive = []) => this.#tell(new Set(alive.filter((process) => !known.has(process))), notice),
      (thrown: unknown) => log.logError(toFailure(thrown, 'storage')),
    )
  }

  #tell(processes: ReadonlySet<string>, notice: Notice): void {
    for (const process of processes) if (process !== this.#id) this.links.tell(process, notice)
  }

  async close(): Promise<void> {
    await this.#joined.catch(() => undefined)
    if (this.#isOver) return
    await this.links.posted()
    this.#stop()
    await this.#collecting
    // If it cannot, it is over soon.
    await this.#deps.cluster.leave(this.#id).catch((thrown: unknown) => log.logError(toFailure(thrown, 'storage')))
  }

  async #join(): Promise<void> {
    const { cluster } = this.#deps
    const asked = performance.now()
    await cluster.join(this.#id)
    this.#extend(asked)
    this.#poll()
    await this.#beat()
  }

  /** It is alive for a lease from `asked` on. */
  #extend(asked: number): void {
    clearTimeout(this.#expiry)
    if (!this.#isOver)
      this.#expiry = setTimeout(() => this.#end(), asked + this.#deps.cluster.leaseTime - performance.now())
  }

  async #beat(): Promise<void> {
    const { cluster, adopt } = this.#deps
    const asked = performance.now()
    try {
      const alive = await cluster.renew(this.#id)
      if (this.#isOver) return
      if (alive === undefined) return this.#end()
      this.#extend(asked)
      if (this.#mayListen) void this.#listen()
      this.#alive = new Set(alive)
      this.links.beat(this.#alive)
      const adopted = await cluster.adopt(this.#id, mostAdopted)
      if (!this.#isOver) for (const session of adopted) adopt(session)
    } catch (thrown) {
      // It tries again until it is over.
      log.logError(toFailure(thrown, 'storage'))
    } finally {
      if (!this.#isOver) this.#beating = setTimeout(() => void this.#beat(), cluster.leaseTime / 3)
    }
  }

  /** Is told of mail from now on. What was told before is not told again, so it looks as well. */
  async #listen(): Promise<void> {
    const { cluster } = this.#deps
    const wake = (): void => this.#wake()
    const lost = (): void => {
      this.#isTold = false
      this.#mayListen = true
    }
    this.#mayListen = false
    try {
      const unlisten = await cluster.listen(this.#id, wake, lost)
      if (this.#isOver) return unlisten?.()
      this.#unlisten = unlisten
      this.#isTold = unlisten !== undefined && !this.#mayListen
    } catch {
      lost()
    }
  }

  #poll(): void {
    this.#wake()
    if (!this.#isOver) this.#polling = setTimeout(() => this.#poll(), pollTimes[this.#isTold ? 'told' : 'untold'])
  }

  #wake(): void {
    this.#isWoken = true
    if (this.#isOver) return
    this.#collecting ??= this.#collect().finally(() => {
      this.#collecting = undefined
      // Told after the last look.
      if (this.#isWoken) this.#wake()
    })
  }

  async #collect(): Promise<void> {
    const { cluster } = this.#deps
    let read: string[] = []
    try {
      do {
        this.#isWoken = false
        const arrived = await cluster.collect(this.#id, mailVersion, read)
        if (this.#isOver) return
        for (const { body } of arrived) this.links.receive(body)
        read = arrived.map(({ id }) => id)
      } while (read.length > 0 || this.#isWoken)
    } catch (thrown) {
      log.logError(toFailure(thrown, 'storage'))
    }
  }

  #stop(): void {
    this.#isOver = true
    clearTimeout(this.#expiry)
    clearTimeout(this.#beating)
    clearTimeout(this.#polling)
    this.#unlisten?.()
  }

  #end(): void {
    if (this.#isOver) return
    this.#stop()
    this.links.drop()
    this.#deps.lost()
  }
}
