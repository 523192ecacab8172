// Which tools a step offers: those that the page posted last, or those with which it answers `prepare`; and those of
// the host itself. A call runs only if the request that led to it offered its tool, or `use_tool`, which calls those
// that the page knows beside its offer.
import { builtinTools } from './builtin-tools.js'
import { dropUndefined } from '../data/json.js'
import { textOf } from '../data/message.js'
import type { Prepared } from '../data/protocol.js'
import { latestToolCalls } from '../data/session.js'
import type { ToolSpec } from '../data/tool.js'
import { throwIfClosed, type OfferedTools, type TurnDeps } from './turn-deps.js'

/** How deep agents may be nested: an agent inside an agent must not call a third one. */
const maxAgentDepth = 2

/**
 * The definitions of tools that a request did not offer. None, without a query, for no names, and none after an abort:
 * the answer is kept as far as it came. Rejects if that was `closed`, or as the query does.
 */
export async function hiddenTools(
  deps: TurnDeps,
  signal: AbortSignal,
  names: readonly string[],
): Promise<OfferedTools> {
  if (names.length === 0) return new Map()
  const specs = await deps.ask({ type: 'tools', names }, signal).catch((thrown: unknown) => {
    throwIfClosed(signal)
    if (!signal.aborted) throw thrown
    return []
  })
  const allowed = specs.filter(({ name, agent }) => names.includes(name) && isAllowed(agent, deps))
  return new Map(allowed.map((spec) => [spec.name, spec]))
}

const isAllowed = (agent: ToolSpec['agent'], { depth }: TurnDeps): boolean =>
  agent === undefined || depth < maxAgentDepth

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
    const { session, config } = this.#deps
    const allowed = tools.filter(({ agent }) => isAllowed(agent, this.#deps))
    return new Map([...builtinTools(session(), config().todo), ...allowed].map((spec) => [spec.name, spec]))
  }

  /** A request has left. `offered`: its tools, after the page's hook, and those that its answer calls by `use_tool`. */
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
    return (this.#offered ??= await this.#offeredBefore(await this.ask(step)))
  }

  async #offeredBefore(prepared: Prepared): Promise<OfferedTools> {
    const session = this.#deps.session()
    const names = session.turn?.offered
    const offered = new Map([...this.offer(prepared)].filter(([name]) => names?.includes(name)))
    const open = latestToolCalls(session).filter(({ via, result }) => via && !result)
    const hidden = open.map(({ call }) => call.name).filter((name) => !offered.has(name))
    return new Map([...offered, ...(await hiddenTools(this.#deps, this.#signal, [...new Set(hidden)]))])
  }

  /** The calls of a step have run. */
  afterCalls(): void {
    this.#isFresh = this.#deps.session().turn?.reads === true && !this.#deps.config().hooks.stopWhen
  }
}
