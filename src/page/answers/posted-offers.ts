// The offers that the page posts before the host asks: with each message, and again when its tools have changed. Only
// what is known without asking anybody can be posted; for anything else the host asks.
import type { Offer, PageMessage } from '../../core/data/protocol.js'
import type { TurnOptions } from '../../core/data/session.js'
import { dropUndefined } from '../../core/data/json.js'
import { toolsOnOffer, type StepOffer } from '../tools/available-tools.js'
import { isCompiled } from '../tools/registered-tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import { preparedFrom } from './prepare-step.js'
import type { QueryContext } from './query-context.js'
import { knownOffer } from './step-offer.js'

/** What a turn offers besides the registered tools. */
export interface TurnOffer {
  /** The options of the turn, as the host stores them. */
  readonly options: Pick<TurnOptions, 'activeTools' | 'output'>
  /** The tools of the `send`. */
  readonly own: ToolRegistry | undefined
}

interface PostedTurn extends TurnOffer {
  /** What the host knows: equal keys are equal offers. Undefined: that it must ask. */
  readonly key: string | undefined
}

/** The offers of the messages that one page sends. */
export class PostedOffers {
  readonly #context: QueryContext
  readonly #turns = new Map<string, PostedTurn>()
  #number = 0
  // What the newest offers were made from.
  #from = ''

  constructor(context: QueryContext) {
    this.#context = context
  }

  /** The offer to post with the message of a turn; undefined if the host must ask. */
  begin(turn: string, given: TurnOffer): Offer | undefined {
    // Posted again if a lost host had not started the turn.
    this.#turns.delete(turn)
    this.#forgetEnded()
    return this.#next(turn, { ...given, key: undefined })?.offer
  }

  /** What to post before any other message: the offers that have changed. */
  changed(): PageMessage[] {
    const { registry, providers, state } = this.#context.deps
    const from = `${registry.changes} ${providers.size > 0} ${state.session?.toolSearch}`
    if (from === this.#from) return []
    this.#from = from
    this.#forgetEnded()
    return [...this.#turns].flatMap(([turn, before]): PageMessage[] => {
      const next = this.#next(turn, before)
      return next === undefined ? [] : [dropUndefined({ type: 'offer', turn, offer: next.offer })]
    })
  }

  #forgetEnded(): void {
    const { send } = this.#context.deps
    for (const turn of this.#turns.keys()) if (send(turn).options === undefined) this.#turns.delete(turn)
  }

  /** The offer of a turn, if it is another one than the host has. Without `offer`: the host must ask. */
  #next(turn: string, { options, own, key: before }: PostedTurn): { readonly offer: Offer | undefined } | undefined {
    // While another turn runs or waits, its new tools keep the places before those of this one.
    const isNext = [...this.#turns.keys(), turn][0] === turn
    const known = this.#offer({ options, own }, isNext)
    const specs = known && preparedFrom(this.#context, known.sent, options.output).tools
    const key = specs
      ?.map((spec) => [spec.hash, spec.exclusive, spec.timeout, spec.maxRetries, spec.returnDirect].join())
      .join('\n')
    this.#turns.set(turn, { options, own, key })
    if (key === before) return undefined
    if (known === undefined || specs === undefined) return { offer: undefined }
    const number = ++this.#number
    this.#context.offers.posts(number, turn, known)
    return { offer: { number, tools: specs } }
  }

  /** Undefined if it is not known: a provider or a function has to be called, code loaded, or a schema compiled. */
  #offer({ options: { activeTools }, own }: TurnOffer, isNext: boolean): StepOffer | undefined {
    const { registry, providers, page, report } = this.#context.deps
    const entries = [...registry.entries(), ...(own?.entries() ?? [])]
    const isKnown = entries.every((entry) => isCompiled(entry) && typeof entry.tool.description !== 'function')
    if (!isKnown || providers.size > 0) return undefined
    try {
      const request = { registry, activeTools, isFirst: true, isManual: false, isNext, page: page(), report }
      return knownOffer(this.#context, toolsOnOffer(request, own))
    } catch {
      // The turn ends with this error, when the host asks.
      return undefined
    }
  }
}
