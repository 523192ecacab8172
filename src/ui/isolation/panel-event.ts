// The event that listeners inside the panel get in place of one of the browser. It has the class and the fields of the
// original and passes `preventDefault()` on. The browser has no default action for it, so nothing happens twice.

// The page may replace these later. What counts as a press of the user must not depend on it.
const { apply } = Reflect
const { composedPath } = Event.prototype
const contains = globalThis.Node?.prototype.contains

/** The prototypes of the copies, by that of their originals. */
const prototypes = new WeakMap<object, object>()

/** A copy of an event. It never leaves the tree in which it is dispatched. */
export class PanelEvent extends Event {
  readonly #original: Event
  #isStopped = false

  constructor(original: Event) {
    super(original.type, { bubbles: original.bubbles, cancelable: original.cancelable })
    this.#original = original
    Object.setPrototypeOf(this, prototypeFor(original))
  }

  /** Dispatches a copy at each node in turn, until a listener stops it. */
  static dispatch(original: Event, targets: readonly Node[]): void {
    const copy = new PanelEvent(original)
    for (const target of targets) {
      target.dispatchEvent(copy)
      if (copy.#isStopped) return
    }
  }

  /**
   * Whether the user, not a script, causes this event right now, at this element or inside it. Only the browser's own
   * event says so: the page may keep a copy and dispatch it again elsewhere.
   */
  static isByUser(event: Event, element: Node | null): boolean {
    if (element === null || !(#original in event)) return false
    const original = event.#original
    // Empty when the event of the browser is over.
    const target = (apply(composedPath, original, []) as EventTarget[])[0]
    return original.isTrusted && target !== undefined && (apply(contains, element, [target]) as boolean)
  }

  /** The event of the browser. */
  static originalOf(event: Event): Event {
    return #original in event ? event.#original : event
  }

  /** Notes that the trees around do not get the event. */
  static stop(event: Event): void {
    if (#original in event) event.#isStopped = true
  }
}

const { originalOf } = PanelEvent

/** Members of `Event` that concern the original, too. */
const common: PropertyDescriptorMap & ThisType<Event> = {
  timeStamp: {
    get() {
      return originalOf(this).timeStamp
    },
  },
  defaultPrevented: {
    get() {
      return originalOf(this).defaultPrevented
    },
  },
  returnValue: {
    get() {
      return !this.defaultPrevented
    },
    set(value: boolean) {
      if (!value) this.preventDefault()
    },
  },
  cancelBubble: {
    set(value: boolean) {
      if (value) this.stopPropagation()
    },
  },
  preventDefault: {
    value(this: Event) {
      originalOf(this).preventDefault()
    },
  },
  stopPropagation: {
    value(this: Event) {
      PanelEvent.stop(this)
      Event.prototype.stopPropagation.call(this)
    },
  },
  stopImmediatePropagation: {
    value(this: Event) {
      PanelEvent.stop(this)
      Event.prototype.stopImmediatePropagation.call(this)
    },
  },
}

/** Coordinates inside the target. Those of the original are inside the element of the page. */
const offsets: PropertyDescriptorMap & ThisType<MouseEvent> = {
  offsetX: {
    get() {
      return this.clientX - edgesOf(this.target).left
    },
  },
  offsetY: {
    get() {
      return this.clientY - edgesOf(this.target).top
    },
  },
}

function edgesOf(target: EventTarget | null): { readonly left: number; readonly top: number } {
  if (!(target instanceof Element)) return { left: 0, top: 0 }
  const { left, top } = target.getBoundingClientRect()
  return { left: left + target.clientLeft, top: top + target.clientTop }
}

/** A prototype below that of the original, so that `instanceof` holds, whose members read the original. */
function prototypeFor(original: Event): object {
  const native = Object.getPrototypeOf(original) as object
  const known = prototypes.get(native)
  if (known !== undefined) return known
  const made = Object.create(native, 'offsetX' in native ? { ...common, ...offsets } : common) as object
  let level: object | null = native
  for (; level !== null && !Object.hasOwn(level, 'composedPath'); level = Object.getPrototypeOf(level) as object | null)
    for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (name === 'constructor' || Object.hasOwn(made, name)) continue
      if (get) Object.defineProperty(made, name, { get: readerOf(name) })
      else if (typeof value === 'function') Object.defineProperty(made, name, { value: callerOf(name) })
    }
  prototypes.set(native, made)
  return made
}

function readerOf(name: string): (this: Event) => unknown {
  return function () {
    return Reflect.get(originalOf(this), name) as unknown
  }
}

function callerOf(name: string): (this: Event, ...args: unknown[]) => unknown {
  return function (...args) {
    const original = originalOf(this)
    return apply(Reflect.get(original, name) as (...args: unknown[]) => unknown, original, args)
  }
}
