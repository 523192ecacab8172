// A part of the panel that is imported when it is first needed, as a Lit reactive controller: the host is drawn again
// when the import settles. A failed import stays failed until `reset`, so that a render cannot retry in a loop.
import type { ReactiveController, ReactiveControllerHost } from 'lit'

/** Where a part is between its first use and its value. */
export type LazyState<T> =
  | { readonly status: 'unloaded' }
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      /** The imported part. The same object until the host is gone. */
      readonly value: T
    }
  | {
      readonly status: 'failed'
      /** What the import, or preparing the part, rejected with. */
      readonly error: unknown
    }

/** Imports one part for one host. */
export class LazyPart<T> implements ReactiveController {
  /** Changes before the host is asked to update. */
  state: LazyState<T> = { status: 'unloaded' }
  readonly #host: ReactiveControllerHost
  readonly #import: () => Promise<T>
  readonly #onError: ((error: unknown) => void) | undefined
  #settled: Promise<void> | undefined

  /**
   * @param load Imports the part and prepares it, for example by adding its styles.
   * @param onError Called once for each failed import, before the host updates.
   */
  constructor(host: ReactiveControllerHost, load: () => Promise<T>, onError?: (error: unknown) => void) {
    this.#host = host
    this.#import = load
    this.#onError = onError
    host.addController(this)
  }

  /** The part, or undefined until it is ready. */
  get value(): T | undefined {
    return this.state.status === 'ready' ? this.state.value : undefined
  }

  /** A host that is put into a document again may retry. */
  hostConnected(): void {
    this.reset()
  }

  /** Starts the import if the part is unloaded. Resolves when the import has settled; never rejects. */
  load(): Promise<void> {
    this.#settled ??= this.#run()
    return this.#settled
  }

  /** Makes a failed part unloaded, so that the next `load` retries. Does nothing in every other state. */
  reset(): void {
    if (this.state.status !== 'failed') return
    this.state = { status: 'unloaded' }
    this.#settled = undefined
  }

  async #run(): Promise<void> {
    this.state = { status: 'loading' }
    try {
      this.state = { status: 'ready', value: await this.#import() }
    } catch (error) {
      this.state = { status: 'failed', error }
      this.#onError?.(error)
    }
    this.#host.requestUpdate()
  }
}
