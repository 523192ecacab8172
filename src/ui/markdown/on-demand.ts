// Code for Markdown that few texts use. Each part is loaded with the first text that needs it.

/** What draws texts again. Held weakly, because a panel may be removed before a part is loaded. */
const listeners = new Set<WeakRef<() => void>>()

/** Calls `listener` whenever a part has been loaded, or cannot be: texts that need it must be drawn again. */
export function whenPartsLoad(listener: () => void): void {
  listeners.add(new WeakRef(listener))
}

/** One part. */
export class OnDemand<T> {
  /** The part, or undefined until it is loaded. */
  value: T | undefined
  readonly #import: () => Promise<T>
  #loaded: Promise<void> | undefined
  #isMissing = false

  constructor(load: () => Promise<T>) {
    this.#import = load
  }

  /** Whether the part is still being loaded. False after a failure: texts are drawn without it. */
  get isAwaited(): boolean {
    return this.value === undefined && !this.#isMissing
  }

  /** Loads the part. Resolves when it is loaded or cannot be. A part that cannot be loaded is not tried again. */
  load(): Promise<void> {
    this.#loaded ??= this.#import().then(
      (value) => {
        this.value = value
        drawAgain()
      },
      () => {
        this.#isMissing = true
        drawAgain()
      },
    )
    return this.#loaded
  }
}

function drawAgain(): void {
  for (const listener of listeners) {
    const draw = listener.deref()
    if (draw === undefined) listeners.delete(listener)
    else draw()
  }
}
