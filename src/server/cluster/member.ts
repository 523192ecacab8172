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

/** Times of a lease until it listens again on a database that did not tell. */
const listenPause = 4

/** Milliseconds until it takes over the next ones. */
const adoptPause = 250

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
  #isOver = false
  // Until when it is alive, unless it renews.
  #expiry: ReturnType<typeof setTimeout> | undefined
  #beating: ReturnType<typeof setTimeout> | undefined
  #polling: ReturnType<typeof setTimeout> | undefined
  #isAdopting = false
  #telling: Promise<void> = Promise.resolve()
  // Mail that was read, and that the next look deletes.
  #read: readonly string[] = []
  #collecting: Promise<void> | undefined
  #isWoken = false
  #isTold = false
  // When to listen, unless it does.
  #listenAt = 0
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
    this.#telling = Promise.all([this.#telling, this.#tell(notice)])
      .then(() => undefined)
      .catch((thrown: unknown) => log.logError(toFailure(thrown, 'storage')))
  }

  /** Asks who is alive: one that began a moment ago may have a page of the user as well. */
  async #tell(notice: Notice): Promise<void> {
    await this.#joined
    for (const process of await this.#deps.cluster.alive()) if (process !== this.#id) this.links.tell(process, notice)
  }

  async close(): Promise<void> {
    await this.#joined.catch(() => undefined)
    if (this.#isOver) return
    await this.#telling
    await this.links.posted()
    this.#stop()
    await this.#collecting
    // Without it, the others find that it does not renew.
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
    const { cluster } = this.#deps
    const asked = performance.now()
    try {
      const alive = await cluster.renew(this.#id)
      if (this.#isOver) return
      if (alive === undefined) return this.#end()
      this.#extend(asked)
      if (asked >= this.#listenAt) void this.#listen()
      this.links.beat(new Set(alive), asked)
      // Not awaited: it waits for a connection, and the next renewal must not.
      this.#adopt().catch((thrown: unknown) => log.logError(toFailure(thrown, 'storage')))
    } catch (thrown) {
      // It tries again until it is over.
      log.logError(toFailure(thrown, 'storage'))
    } finally {
      if (!this.#isOver) this.#beating = setTimeout(() => void this.#beat(), cluster.leaseTime / 3)
    }
  }

  async #adopt(): Promise<void> {
    if (this.#isAdopting) return
    this.#isAdopting = true
    try {
      for (let count = mostAdopted; count >= mostAdopted && !this.#isOver;) {
        const adopted = await this.#deps.cluster.adopt(this.#id, mostAdopted)
        if (this.#isOver) return
        for (const session of adopted) this.#deps.adopt(session)
        count = adopted.length
        if (count >= mostAdopted) await new Promise<void>((resolve) => void setTimeout(resolve, adoptPause))
      }
    } finally {
      this.#isAdopting = false
    }
  }

  /** Is told of mail from now on. What was told before is not told again, so it looks as well. */
  async #listen(): Promise<void> {
    const { cluster } = this.#deps
    const wake = (): void => this.#wake()
    const lost = (): void => {
      this.#isTold = false
      this.#listenAt = 0
    }
    this.#listenAt = Infinity
    try {
      const unlisten = await cluster.listen(this.#id, wake, lost)
      if (this.#isOver) return unlisten?.()
      this.#unlisten = unlisten
      this.#isTold = unlisten !== undefined && this.#listenAt === Infinity
      // A pool that had too much to do looks the same as one that cannot.
      if (unlisten === undefined && this.#listenAt === Infinity)
        this.#listenAt = performance.now() + listenPause * cluster.leaseTime
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
    try {
      do {
        this.#isWoken = false
        const arrived = await cluster.collect(this.#id, mailVersion, this.#read)
        if (this.#isOver) return
        for (const { body } of arrived) this.links.receive(body)
        this.#read = arrived.map(({ id }) => id)
      } while (this.#read.length >= cluster.mostMail || this.#isWoken)
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
