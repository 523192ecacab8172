// Tools that run beside the host and not on a page, as a server has them. The turn asks one object about all tools: it
// answers for its own and asks the page about the rest, so that the loop does not know where a tool runs.
import type { CallId } from '../core/data/message.js'
import type { AnswerTo, Offer, ProgressOf, QueryKind, QueryOf } from '../core/data/protocol.js'
import type { Guest } from './guest.js'

/** How a query is asked. */
export interface Asking<K extends QueryKind> {
  /** Aborting it cancels the query. */
  readonly signal: AbortSignal
  readonly onProgress: (value: ProgressOf<K>) => void
  /** The calls of agents that the query belongs in. */
  readonly path: readonly CallId[]
}

/** What a host asks instead of the page, if it has tools of its own. */
export interface HostTools {
  /** Whether the tool of this name runs beside the host, whatever a page offers. */
  has(name: string): boolean
  /** As `PageQueries.ask`. `guest`: the page that the step belongs to. */
  ask<K extends QueryKind>(guest: Guest, query: QueryOf<K>, asking: Asking<K>): Promise<AnswerTo<K>>
  /** The tools that a page has posted, with those of the host. They are what the next calls may use. */
  offer(guest: Guest, offer: Offer): Offer
}
