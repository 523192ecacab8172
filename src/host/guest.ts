// One connection to a session: a page with its tools. What ends with the connection, or differs between pages, is
// here; what exists once per session is in the actor that the guest joins (session-actor.ts).
import { ToolAgentError } from '../core/data/errors.js'
import type { HostConfig, HostMessage, Offer } from '../core/data/protocol.js'
import type { TurnDeps } from '../core/loop/turn-deps.js'
import { PageQueries } from './rpc/page-queries.js'

/** What a guest needs from its connection. */
export interface GuestLink {
  /** Posts to the page. Must not throw, also after the connection has ended. */
  readonly post: (message: HostMessage) => void
  /** Resolves when the page has answered that it still exists: see `TurnDeps.untilPagePresent`. */
  readonly untilPagePresent: TurnDeps['untilPagePresent']
  /** Whether a query waits until the page is connected again. @default false */
  readonly isAway?: () => boolean
  /** Whether the page gets what is posted now. @default true */
  readonly isConnected?: () => boolean
  /** The queries have the numbers after it. @default 0 */
  readonly lastQuery?: number
}

/** A page, as the session sees it. */
export class Guest {
  readonly post: GuestLink['post']
  readonly untilPagePresent: GuestLink['untilPagePresent']
  readonly #isAway: () => boolean
  readonly #isConnected: () => boolean
  /** The queries to this page. */
  readonly queries: PageQueries
  /** Id of the page's tab. */
  tab = ''
  #config: HostConfig | undefined
  /** The tools that it has posted for its messages that run or wait, by turn; undefined: it must be asked. */
  readonly offers = new Map<string, Offer | undefined>()

  constructor({ post, untilPagePresent, isAway = () => false, isConnected = () => true, lastQuery }: GuestLink) {
    this.post = post
    this.untilPagePresent = untilPagePresent
    this.#isAway = isAway
    this.#isConnected = isConnected
    this.queries = new PageQueries(post, lastQuery)
  }

  /** Whether a query waits until the page is connected again. */
  get isAway(): boolean {
    return this.#isAway()
  }

  /** Whether the page gets what is posted now. */
  get isConnected(): boolean {
    return this.#isConnected()
  }

  /** The newest configuration. Throws `not-open` before the first one. */
  get config(): HostConfig {
    if (this.#config === undefined) throw new ToolAgentError('not-open', 'No session is open.')
    return this.#config
  }

  /** It counts from the next step on. */
  set config(config: HostConfig) {
    this.#config = config
  }

  /** The tools of a turn have changed. Ignored for a turn that neither runs nor waits. */
  changeOffer(turn: string, offer: Offer | undefined): void {
    if (this.offers.has(turn)) this.offers.set(turn, offer)
  }

  /** The tools that the page has posted for its turn; the next queries are about them. */
  postedOffer(turn: string): Offer | undefined {
    const offer = this.offers.get(turn)
    this.queries.offer = offer?.number
    return offer
  }
}
