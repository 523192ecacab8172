// Which tools a step offers: those that the page posted last, or those with which it answers `prepare`; and those of
// the host itself. A call runs only if the request that led to it offered its tool.
import { builtinTools } from './builtin-tools.js'
import { dropUndefined } from '../data/json.js'
import { textOf } from '../data/message.js'
import type { Prepared } from '../data/protocol.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'

/** How deep agents may be nested: an agent inside an agent must not call a third one. */
const maxAgentDepth = 2

/** The tools of one turn, from step to step. */
export class StepTools {
  readonly #deps: TurnDeps
  readonly #signal: AbortSignal
  // The tools that the page must wait for. Only the first query after a reload waits.
  #expected: readonly string[] | undefined
  // Whether the newest offer of the page is as good as an answer. After an action, components register their tools a
  // frame later, and then the page must be asked.
  #isFresh: boolean
  // Those of the newest request. Unknown in a resumed turn.
  #offered: OfferedTools | undefined

  constructor(deps: TurnDeps, signal: AbortSignal, expect: readonly string[] | undefined) {
    this.#deps = deps
    this.#signal = signal
    this.#expected = expect
    this.#isFresh = expect === undefined
  }

  /** What the page has posted for the next request; undefined if it must be asked. */
  posted(): Prepared | undefined {
    return this.#isFresh ? this.#deps.postedOffer() : undefined
  }

  /** What the page answers for a step. */
  async ask(step: number): Promise<Prepared> {
    const { turn, messages } = this.#deps.session()
    const text = textOf(messages.findLast((message) => message.role === 'user'))
    const query = dropUndefined({ type: 'prepare', turn: turn?.id ?? '', step, text, expect: this.#expected })
    const prepared = await this.#deps.ask(query, this.#signal)
    this.#expected = undefined
    return prepared
  }

  /** The tools of a request. Those of the host come first: they are in every request. */
  offer({ tools }: Prepared): OfferedTools {
    const { session, config, depth } = this.#deps
    const allowed = tools.filter((spec) => spec.agent === undefined || depth < maxAgentDepth)
    return new Map([...builtinTools(session(), config().todo), ...allowed].map((spec) => [spec.name, spec]))
  }

  /** A request has left. `offered`: its tools, after the page's hook. */
  sent(offered: OfferedTools): void {
    this.#offered = offered
    this.#isFresh = false
  }

  /** Whether this host has sent the request that led to the open calls. */
  get areKnown(): boolean {
    return this.#offered !== undefined
  }

  /** The tools for the open calls. In a resumed turn only those that the request of these calls offered. */
  async ofCalls(step: number): Promise<OfferedTools> {
    return (this.#offered ??= this.#offeredBefore(await this.ask(step)))
  }

  #offeredBefore(prepared: Prepared): OfferedTools {
    const names = this.#deps.session().turn?.offered
    return new Map([...this.offer(prepared)].filter(([name]) => names?.includes(name)))
  }

  /** The calls of a step have run. */
  afterCalls(): void {
    this.#isFresh = this.#deps.session().turn?.reads === true && !this.#deps.config().hooks.stopWhen
  }
}
