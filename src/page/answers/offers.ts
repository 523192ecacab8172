// The tools that each agent's newest request offered or could have found. A call runs one only if
// its definition is still the same: a tool that was replaced since has another hash.
import { internals } from '../../core/data/tool.js'
import type { AvailableTool, StepOffer } from '../tools/available-tools.js'
import { definitionHash } from '../tools/compiled-tool.js'
import { isCompiled } from '../tools/registered-tool.js'
import type { QueryDeps, CallPath, ResultSource } from './query-deps.js'

/** The offers of one page. */
export class Offers {
  readonly #deps: QueryDeps
  /** By the joined path of the calls around an agent; the user's own turn has the key ''. */
  readonly #offers = new Map<string, StepOffer>()
  /** Those that the page has posted and the host may still use. */
  readonly #posted = new Map<number, { readonly turn: string; readonly offer: StepOffer }>()
  /** The number of the newest offer that the host has used; undefined if that was the answer to a query. */
  #used: number | undefined

  constructor(deps: QueryDeps) {
    this.#deps = deps
  }

  /** Stores the offer of one agent. A new offer of the turn itself discards those of agents inside its older calls. */
  set(path: CallPath, offer: StepOffer): void {
    if (path.length === 0) {
      this.#offers.clear()
      this.#used = undefined
    }
    this.#offers.set(path.join(), offer)
  }

  /** Keeps an offer that the page posts, until the host uses a newer one of the turn. */
  posts(number: number, turn: string, offer: StepOffer): void {
    for (const [one, before] of this.#posted)
      if (this.#deps.send(before.turn).options === undefined) this.#posted.delete(one)
    this.#posted.set(number, { turn, offer })
  }

  /** The newest request used a posted offer. The host never returns to an older one of the turn. */
  use(number: number): void {
    const posted = this.#posted.get(number)
    if (posted === undefined || this.#used === number) return
    for (const [one, { turn }] of this.#posted) if (turn === posted.turn && one < number) this.#posted.delete(one)
    this.set([], posted.offer)
    this.#deps.registry.inOrder(posted.offer.sent)
    this.#used = number
  }

  /** The tool as it was offered or could be found, whatever is registered by now. */
  offered(name: string, path: CallPath): AvailableTool | undefined {
    return this.#offers.get(path.join())?.callable.get(name)
  }

  /** Whether the newest request of an agent contains a description that others have written. */
  describesForeignTools(path: CallPath): boolean {
    const sent = this.#offers.get(path.join())?.sent.values() ?? []
    return [...sent].some(({ entry }) => entry.tool[internals]?.isDiscovered)
  }

  /** The tool as it would run now, if its definition is still the one with this hash. */
  current(name: string, hash: string, path: CallPath): AvailableTool | undefined {
    // The document before this one may have offered it, to a server: the definition must be the same.
    const isFirst = this.#offers.size === 0 && path.length === 0
    const offered = isFirst ? this.#registered(name) : this.offered(name, path)
    if (offered === undefined || offered.spec.hash !== hash) return undefined
    // Only the page's own registrations can change between the offer and the call.
    if (path.length > 0 || offered.entry.source === 'provider') return offered
    const { session, send } = this.#deps
    const ofSend = send(session().turn?.id ?? '').options?.tools
    if (ofSend?.some((tool) => tool.name === name)) return offered
    const registered = this.#registered(name)
    return registered?.spec.hash === hash ? registered : undefined
  }

  /** The tool as it would run now. Before the first offer of a page, as it is registered. */
  available(name: string, path: CallPath = []): AvailableTool | undefined {
    const hash = this.offered(name, path)?.spec.hash
    if (hash !== undefined) return this.current(name, hash, path)
    return path.length > 0 ? undefined : this.#registered(name)
  }

  #registered(name: string): AvailableTool | undefined {
    const { registry, page } = this.#deps
    const entry = registry.get(name)
    return entry && isCompiled(entry)
      ? { entry, spec: definitionHash(entry, registry.describe(entry, page())) }
      : undefined
  }
}

/** `made`: the result of an agent that ran as this tool. It is as untrusted as what that agent's own tools read. */
export function resultSourceOf({ entry, spec }: AvailableTool, made?: ResultSource): ResultSource {
  const untrusted = spec.annotations.untrustedContentHint === true
  const isForeign = made?.foreign || (untrusted && (entry.tool[internals]?.isDiscovered || entry.source !== undefined))
  return {
    untrusted: untrusted || made?.untrusted === true,
    ...(isForeign ? { foreign: true } : {}),
    ...(entry.tool[internals]?.repeatsAsChanges ? { repeats: true } : {}),
  }
}
