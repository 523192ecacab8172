// Pointer capture for a simulated pointer. Browsers only capture pointers that are really pressed, so the methods of
// elements are replaced while a drag runs, for its pointer alone.

/** Captures of one pointer, from `begin` to `end`. */
export class PointerCapture {
  readonly #prototype: Element
  readonly #pointerId: number
  #own: PropertyDescriptorMap = {}
  /** The element that gets all events of the pointer. */
  #holder: Element | undefined
  /** The element that gets them from the next event on. */
  #next: Element | undefined

  constructor({ Element }: Window & typeof globalThis, pointerId: number) {
    this.#prototype = Element.prototype
    this.#pointerId = pointerId
  }

  /** Replaces the methods. The caller must `end` it. */
  begin(): void {
    const prototype = this.#prototype
    const pointerId = this.#pointerId
    const names = ['setPointerCapture', 'releasePointerCapture', 'hasPointerCapture'] as const
    const known = Object.getOwnPropertyDescriptors(prototype)
    this.#own = Object.fromEntries(names.map((name) => [name, known[name]]))
    const replace = (name: (typeof names)[number], own: (element: Element) => unknown): void => {
      const native = prototype[name] as (id: number) => unknown
      Object.defineProperty(prototype, name, {
        ...known[name],
        value(this: Element, id: number) {
          return id === pointerId ? own(this) : native.call(this, id)
        },
      })
    }
    replace('setPointerCapture', (element) => {
      this.#next = element
    })
    replace('releasePointerCapture', (element) => {
      if (this.#next === element) this.#next = undefined
    })
    replace('hasPointerCapture', (element) => this.#next === element)
  }

  /** The element that gets the next event; undefined if it is the one under the pointer. */
  update(fire: (type: string, to: Element) => void): Element | undefined {
    const before = this.#holder
    const next = this.#next?.isConnected ? this.#next : undefined
    if (before !== next) {
      this.#holder = next
      if (before) fire('lostpointercapture', before)
      if (next) fire('gotpointercapture', next)
    }
    return this.#holder
  }

  /** Ends the capture, as the release of the pointer does. */
  release(fire: (type: string, to: Element) => void): void {
    this.#next = undefined
    this.update(fire)
  }

  /** Restores the methods. */
  end(): void {
    Object.defineProperties(this.#prototype, this.#own)
  }
}
