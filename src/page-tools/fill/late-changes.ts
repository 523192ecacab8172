// Some pages take a value and drop it later: a check that runs after the event, a state that is put back. A page that
// reacts to what is written is watched a little longer, so that a value that is gone then is not reported as held.
import { pageRoots } from '../effects/guard-fill.js'
import { pause } from '../waiting/until.js'

/** Milliseconds between two looks at the page. Looks are counted, because a busy page runs its timers late. */
const betweenLooks = 30
/** Looks without a reaction of the page, and at most. */
const looks = { still: 4, most: 16 }

/** Watches the page from its creation until `end`. */
export class LateChanges {
  readonly #observer: MutationObserver
  #hasReacted = false

  constructor() {
    this.#observer = new MutationObserver(() => {
      this.#hasReacted = true
    })
    for (const root of pageRoots())
      this.#observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
  }

  /** Waits until the page no longer reacts, or a value has changed. Does not wait for a page that did nothing. */
  async settled(isChanged: () => boolean, signal: AbortSignal): Promise<void> {
    if (!this.#hasReacted) return
    let still = 0
    for (let look = 0; look < looks.most && still < looks.still && !isChanged(); look++) {
      this.#hasReacted = false
      signal.throwIfAborted()
      await pause(betweenLooks)
      still = this.#hasReacted ? 0 : still + 1
    }
  }

  /** Stops watching. */
  end(): void {
    this.#observer.disconnect()
  }
}
