// The drag and drop of the browser: the drag events in order, with a `DataTransfer` that keeps what the page sets.
import { viewOf } from '../dom/dom.js'
import { fire } from './events.js'
import { fieldsAt, type Point } from './mouse.js'

type Effect = DataTransfer['dropEffect']

/** A `DataTransfer` made by a script ignores both effects, so it gets own properties. */
function newTransfer({ DataTransfer }: Window & typeof globalThis): DataTransfer {
  const transfer = new DataTransfer()
  for (const [name, value, known] of [
    ['dropEffect', 'none', /^(none|copy|link|move)$/],
    ['effectAllowed', 'uninitialized', /^(none|copy|copyLink|copyMove|link|linkMove|move|all|uninitialized)$/],
  ] as const) {
    let now: string = value
    Object.defineProperty(transfer, name, {
      configurable: true,
      get: () => now,
      set(to: unknown) {
        if (known.test(String(to))) now = String(to)
      },
    })
  }
  return transfer
}

/** Whether the page allows the effect. */
const isAllowed = (effect: Effect, allowed: string): boolean =>
  effect !== 'none' && (/^(all|uninitialized)$/.test(allowed) || allowed.toLowerCase().includes(effect))

/** The effect that the browser proposes. */
const proposed = (allowed: string): Effect =>
  (['copy', 'link', 'move'] as const).find((effect) => isAllowed(effect, allowed)) ?? 'none'

/** One drag of the browser. */
export class NativeDrag {
  readonly #source: Element
  readonly #view: Window & typeof globalThis
  readonly #transfer: DataTransfer
  #at: Point
  #over: Element | undefined
  /** What the element under the pointer accepts. */
  #accepted: Effect = 'none'

  constructor(source: Element, start: Point) {
    this.#source = source
    this.#view = viewOf(source)
    this.#transfer = newTransfer(this.#view)
    this.#at = start
  }

  /** Whether the page accepts a drop where the pointer is. */
  get isAccepted(): boolean {
    return this.#accepted !== 'none'
  }

  /** Dispatches `dragstart`. Returns whether the drag has begun. */
  begin(now: Point): boolean {
    const hasBegun = this.#fire('dragstart', this.#source)
    this.#at = now
    return hasBegun
  }

  moveOver(under: Element, point: Point): void {
    this.#at = point
    this.#fire('drag', this.#source)
    const before = this.#over
    if (before !== under) {
      this.#transfer.dropEffect = proposed(this.#transfer.effectAllowed)
      this.#fire('dragenter', under, { relatedTarget: before ?? null })
      this.#over = under
      if (before) this.#leave(before, under)
    }
    this.#transfer.dropEffect = proposed(this.#transfer.effectAllowed)
    const isCanceled = !this.#fire('dragover', under)
    const { dropEffect, effectAllowed } = this.#transfer
    this.#accepted = isCanceled && isAllowed(dropEffect, effectAllowed) ? dropEffect : 'none'
  }

  /** Drops where the pointer is, if the page accepts it there. */
  drop(): void {
    const over = this.#over
    this.#transfer.dropEffect = this.#accepted
    if (over && this.#accepted !== 'none') this.#fire('drop', over)
    else if (over) this.#leave(over, null)
    this.#end()
  }

  /** Gives up, as Escape does. */
  cancel(): void {
    this.#accepted = 'none'
    if (this.#over) this.#leave(this.#over, null)
    this.#end()
  }

  #end(): void {
    this.#transfer.dropEffect = this.#accepted
    this.#fire('dragend', this.#source, { cancelable: false })
  }

  #leave(from: Element, to: Element | null): void {
    this.#fire('dragleave', from, { relatedTarget: to, cancelable: false })
  }

  #fire(type: string, to: Element, more: object = {}): boolean {
    return fire(to, type, {
      ...fieldsAt(this.#at, this.#view),
      buttons: type === 'drop' || type === 'dragend' ? 0 : 1,
      dataTransfer: this.#transfer,
      ...more,
    })
  }
}
