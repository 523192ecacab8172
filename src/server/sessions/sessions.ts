// The sessions that are open, each with one lease. The key is the user and the id, so the session of another user is
// found by nobody: for them it is one that does not exist.
import { toErrorValue, toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { allToolCalls } from '../../core/data/message.js'
import type { Requests } from '../../core/data/protocol.js'
import { isFencing, type SessionActor } from '../../host/session-actor.js'
import { answerRequest } from '../../host/requests.js'
import type { GuestMessage } from '../protocol/guest-messages.js'
import type { RemotePage } from '../remote-page.js'
import { pieceOf, inputOf } from './sent-files.js'
import {
  ServedSession,
  type PageLink,
  type PageOpening,
  type ServedSettings,
  type SessionPlace,
} from './served-session.js'

type Request = Extract<GuestMessage, { type: 'request' }>

/** The session that a page has joined. */
export interface Joined {
  readonly session: ServedSession
  readonly page: RemotePage
}

/** The page that requests something. */
export interface Asked {
  /** The session that it has joined. */
  readonly session: ServedSession
  readonly link: PageLink
}

/** The answer to a request. */
type Answer = { readonly value: unknown } | { readonly error: Failure }

/** The requests that write a session through its actor. */
const writes: ReadonlySet<Request['what']> = new Set(['rename', 'replace', 'undo'])

/** Sessions of one user that may be open at a time. */
const maxOpen = 100

/** The leases of one server. */
export class Sessions {
  readonly #settings: ServedSettings
  readonly #open = new Map<string, ServedSession>()
  // Work that needs the lease of a session that is not open, such as renaming it.
  readonly #reserved = new Map<string, Promise<unknown>>()
  #isClosed = false

  constructor(settings: ServedSettings) {
    this.#settings = settings
  }

  /**
   * A page takes part in a session of its user, by this socket. Waits until an earlier lease of it has ended.
   * @throws what `Store.claim` throws, and `host-lost` while the server closes
   */
  async join(place: SessionPlace, opening: PageOpening, link: PageLink): Promise<Joined> {
    const { user, id } = place
    const key = keyOf(user, id)
    for (;;) {
      const wait = this.#open.get(key)?.end ?? this.#reserved.get(key)
      if (wait === undefined) break
      await wait.catch(() => undefined)
    }
    // After the wait: the lease of a page that waited would begin when all others have ended.
    if (this.#isClosed) throw new ToolAgentError('host-lost', 'The server closes. Connect again.')
    const session = this.#open.get(key) ?? this.#begin(place)
    // At once, or the session could end before the page counts.
    return { session, page: await session.join(opening, link) }
  }

  /** @throws `limit` */
  #begin(place: SessionPlace): ServedSession {
    // A page that opens one after another leaves each open for a while.
    const own = [...this.#open.values()].filter((one) => one.place.user === place.user)
    if (own.length >= maxOpen)
      throw new ToolAgentError('limit', 'Too many sessions of this user are open. Open this one in a moment.')
    const key = keyOf(place.user, place.id)
    const session: ServedSession = new ServedSession(place, this.#settings, () => {
      if (this.#open.get(key) === session) this.#open.delete(key)
    })
    this.#open.set(key, session)
    return session
  }

  /** Answers a request of a page about the sessions of its user. Sessions that it ends, end after the reply. */
  async request(asked: Asked, request: Request, reply: (answer: Answer) => void): Promise<void> {
    const { what, with: given } = request
    const { place } = asked.session
    const { user, store, id: ownId } = place
    const id = 'id' in given && given.id !== undefined ? given.id : ownId
    const isDeleted = what === 'delete' || what === 'clear'
    const session = isDeleted ? undefined : this.#open.get(keyOf(user, id))
    try {
      const before = what === 'clear' ? (await store.list(user)).map((one) => one.id) : [id]
      reply({ value: await this.#answer(place, request, id, session) })
      if (isDeleted) for (const one of before) this.#open.get(keyOf(user, one))?.deleted(asked.link)
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
    if (what === 'import') throw new ToolAgentError('invalid-option', 'This server imports no conversations.')
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
    if (what === 'rename' && !session) return this.#reserve(keyOf(user, id), () => answer(undefined))
    return answer(await session?.actor())
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

  /** A page can take back what a page did. Of a call of the server it knows nothing. */
  #checkUndo({ callId, path }: Requests['undo']['with'], actor: SessionActor | undefined): void {
    const [outer = callId] = path
    const call = allToolCalls(actor?.writer.session.messages ?? []).find(({ part }) => part.call.id === outer)
    if (actor && (!call || this.#settings.tools?.registry.get(call.part.call.name)))
      throw new ToolAgentError('invalid-option', `request.undo.callId: '${callId}' is no call of a page.`)
  }

  /** Ends all leases. Unfinished turns go on when their sessions are opened again. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#open.values()].map((session) => session.close()))
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

const keyOf = (user: string, id: string): string => JSON.stringify([user, id])
