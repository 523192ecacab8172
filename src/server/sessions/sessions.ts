// The sessions that are open, each with one lease. The key is the user and the id, so the session of another user is
// found by nobody: for them it is one that does not exist.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { parseJson } from '../../core/data/json.js'
import { allToolCalls } from '../../core/data/message.js'
import type { Requests } from '../../core/data/protocol.js'
import type { LeasedSession } from '../../core/state/cluster.js'
import { isFencing, type SessionActor } from '../../host/session-actor.js'
import { answerRequest } from '../../host/requests.js'
import * as log from '../../page/log.js'
import type { Link } from '../cluster/links.js'
import type { Member } from '../cluster/member.js'
import type { GuestMessage } from '../protocol/guest-messages.js'
import type { ServerMessage } from '../protocol/server-messages.js'
import type { RemotePage } from '../remote-page.js'
import { Imports, storeImport } from './imports.js'
import { pieceOf, inputOf } from './sent-files.js'
import {
  ServedSession,
  type PageLink,
  type PageOpening,
  type ServedSettings,
  type SessionPlace,
} from './served-session.js'

type Request = Extract<GuestMessage, { type: 'request' }>
type Import = Extract<Request, { what: 'import' }>

/** The session that a page has joined. */
export interface Joined {
  readonly session: ServedSession
  readonly page: RemotePage
}

/** The page that requests something. */
export interface Asked {
  /** The session that it has joined, or that its request names. */
  readonly place: SessionPlace
  readonly link: PageLink
}

/** The answer to a request. */
type Answer = { readonly value: unknown } | { readonly error: Failure }

/** The requests that write a session through its actor. */
const writes: ReadonlySet<Request['what']> = new Set(['rename', 'replace', 'undo'])

/** Sessions of one user that may be open at a time. */
const maxOpen = 100

/** Milliseconds until a session goes on here whose lease could not be given back, or asked for. */
const adoptPause = 2_000

/** What a server does with all sessions. */
export interface SessionsSettings extends ServedSettings {
  /** Characters of an imported conversation. @default 0: none is taken */
  readonly importChars?: number
}

/** The leases of one server. */
export class Sessions {
  readonly #settings: ServedSettings
  readonly #member: Member | undefined
  readonly #imports: Imports
  readonly #open = new Map<string, ServedSession>()
  // Work that needs the lease of a session that is not open, such as renaming it.
  readonly #reserved = new Map<string, Promise<unknown>>()
  #isClosed = false

  /** @param member this process, if several share the store */
  constructor(settings: SessionsSettings, member?: Member) {
    this.#settings = settings
    this.#member = member
    this.#imports = new Imports(settings.importChars ?? 0)
  }

  /**
   * A page takes part in a session of its user, by this socket. Waits until an earlier lease of it has ended. Returns
   * the id of another process if that works on the session.
   * @throws what `Store.claim` throws, and `host-lost` while the server closes
   */
  async join(place: SessionPlace, opening: PageOpening, link: PageLink): Promise<Joined | string> {
    for (;;) {
      const session = await this.#opened(place)
      if (typeof session === 'string') return session
      // At once, or the session could end before the page counts.
      if (session.end === undefined) return { session, page: await session.join(opening, link) }
    }
  }

  /** The session, which is opened if no process has it; the id of another process that has it. */
  async #opened(place: SessionPlace): Promise<ServedSession | string> {
    const key = keyOf(place.user, place.id)
    for (;;) {
      const wait = this.#open.get(key)?.end ?? this.#reserved.get(key)
      if (wait !== undefined) {
        await wait.catch(() => undefined)
        continue
      }
      // After the wait: the lease of a page that waited would begin when all others have ended.
      if (this.#isClosed) throw new ToolAgentError('host-lost', 'The server closes. Connect again.')
      const session = this.#open.get(key)
      if (session) return session
      if (this.#member === undefined) return this.#begin(place)
      // As long as the lease is reserved, or it could be given back before the session counts.
      const holder = await this.#reserve(key, async () => {
        const other = await this.#member?.lease(leaseOf(place))
        if (other === undefined) await this.#beginLeased(place)
        return other
      })
      if (holder !== undefined) return holder
    }
  }

  /**
   * Goes on with a session without a page, unless another process has it: one that a process has left, or whose lease
   * could not be given back here.
   */
  adopt(place: SessionPlace): void {
    const key = keyOf(place.user, place.id)
    this.#reserve(key, async () => {
      if (this.#isClosed || (await this.#lease(place)) !== undefined) return
      const session = this.#open.get(key) ?? (await this.#beginLeased(place))
      await session?.resume()
    }).catch((thrown: unknown) => log.logError(toFailure(thrown, 'storage')))
  }

  /** The process that has the lease; undefined: this one. If it cannot be asked for, the session goes on later. */
  async #lease(place: SessionPlace): Promise<string | undefined> {
    try {
      return await this.#member?.lease(leaseOf(place))
    } catch (thrown) {
      this.#adoptLater(place)
      throw thrown
    }
  }

  #adoptLater(place: SessionPlace): void {
    if (!this.#isClosed) setTimeout(() => this.adopt(place), adoptPause)
  }

  /** Opens a session whose lease is taken. If it cannot be, another process goes on with what may be unfinished. */
  async #beginLeased(place: SessionPlace): Promise<ServedSession | undefined> {
    // What is leased while the server closes goes on elsewhere.
    if (this.#isClosed) return undefined
    try {
      return this.#begin(place)
    } catch (thrown) {
      await this.#member?.release(leaseOf(place), true)
      throw thrown
    }
  }

  /** No session is leased any more: other processes may have taken them. */
  lost(): void {
    for (const session of this.#open.values()) session.lost('lost-session')
  }

  /** A page at another process has deleted these sessions. */
  deleted(user: string, ids: readonly string[]): void {
    for (const id of ids) this.#open.get(keyOf(user, id))?.deleted()
  }

  /** @throws `limit` */
  #begin(place: SessionPlace): ServedSession {
    // A page that opens one after another leaves each open for a while.
    const own = [...this.#open.values()].filter((one) => one.place.user === place.user)
    if (own.length >= maxOpen)
      throw new ToolAgentError('limit', 'Too many sessions of this user are open. Open this one in a moment.')
    const key = keyOf(place.user, place.id)
    const session: ServedSession = new ServedSession(place, this.#settings, (isUnfinished) => {
      if (this.#open.get(key) === session) this.#open.delete(key)
      return this.#release(place, isUnfinished)
    })
    this.#open.set(key, session)
    return session
  }

  /** Gives the lease of a session back, unless it was opened again meanwhile. */
  async #release(place: SessionPlace, isUnfinished: boolean): Promise<void> {
    const member = this.#member
    if (member === undefined) return
    const key = keyOf(place.user, place.id)
    await this.#reserve(key, async () => {
      if (!this.#open.has(key)) await member.release(leaseOf(place), isUnfinished)
    }).catch((thrown: unknown) => {
      log.logError(toFailure(thrown, 'storage'))
      // Nobody else can take it as long as this process is alive.
      if (isUnfinished) this.#adoptLater(place)
    })
  }

  /** Answers a request of a page about the sessions of its user. Sessions that it ends, end after the reply. */
  async request(asked: Asked, request: Request, reply: (answer: Answer) => void): Promise<void> {
    const { what, with: given } = request
    const { place } = asked
    const { user, store, id: ownId } = place
    const id = 'id' in given && given.id !== undefined ? given.id : ownId
    const isDeleted = what === 'delete' || what === 'clear'
    const session = isDeleted ? undefined : this.#open.get(keyOf(user, id))
    try {
      const before = what === 'clear' ? (await store.list(user)).map((one) => one.id) : [id]
      reply({ value: await this.#answer(place, request, id, session) })
      if (!isDeleted) return
      for (const one of before) this.#open.get(keyOf(user, one))?.deleted(asked.link)
      this.#member?.tell({ type: 'deleted', user, sessions: before })
    } catch (thrown) {
      const error = toFailure(thrown, 'storage')
      reply({ error })
      // Its writer writes nothing after this. Other requests only read, and leave it as it is.
      if (session && writes.has(what) && isFencing(error.code)) session.lost(error.code)
    }
  }

  /** @throws as `answerRequest`, and `invalid-option` for what a server does not do */
  async #answer(
    place: SessionPlace,
    { what, with: given }: Request,
    id: string,
    session: ServedSession | undefined,
  ): Promise<unknown> {
    const { user, store } = place
    if (what === 'undo') this.#checkUndo(given as Requests['undo']['with'], await session?.actor())
    if (what === 'validate') return this.#validate(given as Requests['validate']['with'], session)
    if (what === 'file') return pieceOf({ id, store }, given as Extract<Request, { what: 'file' }>['with'])
    if (what === 'import') return this.#import({ user, id, store }, given as Import['with'])
    const named = { ...(what === 'replace' ? await this.#replacement(place, given) : given), id }
    const answer = (actor: SessionActor | undefined) =>
      answerRequest({ type: 'request', id: 0, what, with: named } as never, {
        store,
        disk: store,
        writer: actor?.writer,
        watched: undefined,
        scope: user,
        now: () => Date.now(),
      })
    // A claim of its own would end the lease of whoever opens the session meanwhile.
    if (what === 'rename' && !session) {
      // It may have been opened while this waited.
      const write = async () => answer(await this.#open.get(keyOf(user, id))?.actor())
      return this.#rename({ user, id, store }, named, write)
    }
    return answer(await session?.actor())
  }

  /** Renames a session that is not open here. */
  async #rename(place: SessionPlace, given: object, write: () => Promise<unknown>): Promise<unknown> {
    const done = await this.#leased(place, write)
    if (!('other' in done)) return done.value
    return askElsewhere(this.#member?.connect(done.other, place.user), { what: 'rename', with: given })
  }

  /** Resolves with the id of the new session, or how much of the conversation is here. */
  async #import(place: SessionPlace, given: Import['with']): Promise<string | number> {
    const arrived = this.#imports.take(place.user, given)
    if (typeof arrived === 'number') return arrived
    const isOpen = (): boolean => this.#open.has(keyOf(place.user, place.id))
    const done = await this.#leased(place, () => storeImport(place, arrived, isOpen()))
    return 'value' in done ? done.value : storeImport(place, arrived, true)
  }

  /** Writes a session that is not open here, with its lease. `other`: the process that has the lease instead. */
  #leased<T>(place: SessionPlace, write: () => Promise<T>): Promise<{ value: T } | { other: string }> {
    const member = this.#member
    return this.#reserve(keyOf(place.user, place.id), async () => {
      const other = await member?.lease(leaseOf(place))
      if (other !== undefined) return { other }
      try {
        return { value: await write() }
      } finally {
        // It may have been left unfinished: who adopts it finds out.
        if (!this.#open.has(keyOf(place.user, place.id)))
          await member
            ?.release(leaseOf(place), true)
            .catch((thrown: unknown) => log.logError(toFailure(thrown, 'storage')))
      }
    })
  }

  /** @throws `invalid-input` for arguments that the tool of a question does not take */
  async #validate({ callId, input }: Requests['validate']['with'], session: ServedSession | undefined): Promise<null> {
    const actor = await session?.actor()
    const error = actor && (await session?.validate(actor, callId, input))
    if (error) throw toErrorValue(error)
    return null
  }

  /** The arguments of `replace` as the host takes them. */
  async #replacement(place: SessionPlace, given: Request['with']): Promise<Requests['replace']['with']> {
    const { text, files = [] } = given as Extract<Request, { what: 'replace' }>['with']
    return text === undefined && files.length === 0 ? {} : { input: await inputOf(place, { text: text ?? '', files }) }
  }

  /** A page can take back what a page did. Of a call of the server it knows nothing, and imported ones are claims. */
  #checkUndo({ callId, path }: Requests['undo']['with'], actor: SessionActor | undefined): void {
    const [outer = callId] = path
    const { messages = [], start = 0, imported = 0 } = actor?.writer.session ?? {}
    const own = messages.slice(Math.max(0, imported - start))
    const call = allToolCalls(own).find(({ part }) => part.call.id === outer)
    if (actor && (!call || this.#settings.tools?.registry.get(call.part.call.name)))
      throw new ToolAgentError('invalid-option', `request.undo.callId: '${callId}' is no call of a page.`)
  }

  /** Ends all leases. Turns that run go on in another process, or when their sessions are opened again. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#imports.close()
    await Promise.all([...this.#open.values()].map((session) => session.close()))
    await Promise.allSettled(this.#reserved.values())
  }

  /** The number of sessions that are open. */
  get size(): number {
    return this.#open.size
  }

  async #reserve<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#reserved.get(key)
    const done = (before?.catch(() => undefined) ?? Promise.resolve()).then(work)
    this.#reserved.set(key, done)
    try {
      return await done
    } finally {
      if (this.#reserved.get(key) === done) this.#reserved.delete(key)
    }
  }
}

/** Has another process answer a request. It knows the user by the link. */
function askElsewhere(
  link: Link | undefined,
  request: { readonly what: string; readonly with: object },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    link?.addEventListener('message', ({ data }) => {
      const reply = parseJson(String(data)) as Extract<ServerMessage, { type: 'reply' | 'refused' }>
      if (reply.error) reject(toErrorValue(reply.error))
      else resolve('value' in reply ? reply.value : null)
      link.close()
    })
    // After an answer this changes nothing.
    link?.addEventListener('close', () => reject(new ToolAgentError('host-lost', 'The server was stopped. Try again.')))
    link?.send(JSON.stringify({ type: 'request', id: 0, ...request }))
  })
}

const leaseOf = ({ user, id }: SessionPlace): LeasedSession => ({ user, session: id })
const keyOf = (user: string, id: string): string => JSON.stringify([user, id])
