// Some pages take a value and drop it later: a check that runs after the event, a state that is put back. A page that
// reacts to what is written is watched a little longer, so that a value that is gone then is not reported as held.
import { isPageChange, pageRoots } from '../dom/dom.js'
import { patience, until } from '../waiting/until.js'

/** Watches the page from its creation until `end`. */
export class LateChanges {
  readonly #observer: MutationObserver
  #hasReacted = false

  constructor() {
    this.#observer = new MutationObserver((records) => {
      this.#hasReacted ||= records.some(isPageChange)
    })
    for (const root of pageRoots())
      this.#observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
  }

  /** Waits until the page no longer reacts, or a value has changed. Does not wait for a page that did nothing. */
  async settled(isChanged: () => boolean, signal: AbortSignal): Promise<void> {
    if (!this.#hasReacted) return
    let still = 0
    await until({
      done: () => {
        still = this.#hasReacted ? 0 : still + 1
        this.#hasReacted = false
        return still >= patience.lateChange.still || isChanged()
      },
      ...patience.lateChange,
      signal,
    })
  }

  /** Stops watching. */
  end(): void {
    this.#observer.disconnect()
  }
}
