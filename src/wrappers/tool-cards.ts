// The calls of one tool that components draw: one container per card of the panel, which the component of a framework
// fills. The panel places the container and removes it with the card; this file finds out when.
import { unclobbered } from '../core/data/dom-clobbering.js'
import type { Agent, CallId, ErrorCode, JsonValue, ToolCallPart } from '../index.js'
import { logWarning } from '../page/log.js'

/**
 * What a component that draws a call receives. `asking`: the call waits for the user's decision. `running`: it is
 * checked or runs, or its turn was interrupted. `failed`: it has no output; `error.code` says why, also for a call that
 * was denied.
 */
export type ToolCallProps<Input = JsonValue, Output = JsonValue> = {
  /** The arguments: as the tool received them once it ran, and as the model wrote them before. */
  readonly input: Input
  /** The whole call. */
  readonly part: ToolCallPart
} & (
  | { readonly state: 'asking' | 'running'; readonly output?: undefined; readonly error?: undefined }
  | {
      readonly state: 'done'
      /** What the tool returned. */
      readonly output: Output
      readonly error?: undefined
    }
  | {
      readonly state: 'failed'
      readonly output?: undefined
      /** Why. The message is for developers, and can contain what a server answered. */
      readonly error: { readonly code: ErrorCode; readonly message: string }
    }
)

/** A card that is in the document. Immutable: another state of the call is another object. */
export interface ToolCard {
  readonly callId: CallId
  /** Where the component is drawn. */
  readonly container: HTMLElement
  readonly part: ToolCallPart
}

/** Milliseconds after which a card that nothing was drawn into is named in the console. */
const mayBeEmpty = 1_000

/** The props of the component for a call. */
export function toolCallProps(part: ToolCallPart): ToolCallProps {
  const { call, approval, started, result } = part
  const input = result?.input ?? started?.input ?? approval?.input ?? call.input
  if (result === undefined)
    return { input, part, state: approval !== undefined && started === undefined ? 'asking' : 'running' }
  return result.error === undefined
    ? { input, part, state: 'done', output: result.output }
    : { input, part, state: 'failed', error: result.error }
}

/** The cards of one tool, for one component that draws them. */
export class ToolCards {
  /** Every container that the panel was given and has not removed. */
  readonly #known = new Map<CallId, { container: HTMLElement; part: ToolCallPart; root?: Node }>()
  readonly #drawn = new Set<CallId>()
  readonly #failed = new Map<CallId, unknown>()
  readonly #listeners = new Set<() => void>()
  #shown: readonly ToolCard[] = []
  #isQueued = false
  #observer: MutationObserver | undefined
  #redraw: (() => void) | undefined
  #name = ''

  /** The cards that are in the document. Immutable: every change replaces it. */
  get shown(): readonly ToolCard[] {
    return this.#shown
  }

  /** Calls the listener after `shown` has changed. Returns the function that removes it. */
  observe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Draws the calls of the tool `name`. Returns the function that ends it: the panel shows its own cards again. */
  start(agent: Agent, name: string): () => void {
    this.#name = name
    let remove = (): void => {}
    this.#redraw = () => {
      remove()
      // Another function, so that a later `remove` of an older registration does not remove this one.
      remove = agent.registerToolRenderer(name, (part) => this.#containerOf(part))
    }
    this.#redraw()
    return () => {
      remove()
      this.#redraw = undefined
      this.#observer?.disconnect()
      this.#observer = undefined
      this.#known.clear()
      this.#drawn.clear()
      this.#failed.clear()
      this.#show([])
    }
  }

  /** The component was drawn into the card of this call. */
  drawn(callId: CallId): void {
    this.#drawn.add(callId)
  }

  /** The component threw. The panel shows its sentence for this card. */
  failed(callId: CallId, thrown: unknown): void {
    this.#failed.set(callId, thrown)
    this.#redraw?.()
  }

  /** Called while the panel draws, so nothing of the page may change now. */
  #containerOf(part: ToolCallPart): HTMLElement {
    const { id } = part.call
    if (this.#failed.has(id)) throw this.#failed.get(id)
    const known = this.#known.get(id) ?? { container: unclobbered(document).createElement('div'), part }
    known.part = part
    this.#known.set(id, known)
    this.#updateSoon()
    return known.container
  }

  #updateSoon(): void {
    if (this.#isQueued) return
    this.#isQueued = true
    queueMicrotask(() => {
      this.#isQueued = false
      this.#update()
    })
  }

  /** Keeps the containers that are where the panel has put them, and shows those. */
  #update(): void {
    for (const [callId, known] of this.#known) {
      const root = known.container.getRootNode()
      // A closed card has no place for it, and a card that is gone has taken it away.
      const isPlaced = root !== known.container && (known.root === undefined || known.root === root)
      if (!isPlaced) {
        this.#known.delete(callId)
        this.#drawn.delete(callId)
      } else if (known.root === undefined) {
        known.root = root
        this.#observer ??= new MutationObserver(() => this.#update())
        this.#observer.observe(root, { childList: true, subtree: true })
        setTimeout(() => this.#warnIfEmpty(callId), mayBeEmpty)
      }
    }
    const before = new Map(this.#shown.map((card) => [card.callId, card]))
    this.#show(
      [...this.#known].map(([callId, { container, part }]) => {
        const card = before.get(callId)
        return card?.container === container && card.part === part ? card : { callId, container, part }
      }),
    )
  }

  #show(cards: readonly ToolCard[]): void {
    if (cards.length === this.#shown.length && cards.every((card, index) => card === this.#shown[index])) return
    this.#shown = cards
    for (const listener of this.#listeners) listener()
  }

  #warnIfEmpty(callId: CallId): void {
    if (this.#drawn.has(callId) || !this.#known.has(callId)) return
    logWarning(
      `useToolRenderer("${this.#name}"): its return value is not rendered, so the cards of the tool are empty. ` +
        'Write it into the JSX of the component: {cards}.',
      `cards ${this.#name}`,
    )
  }
}
