// What changes the page alone waits here: calls of exclusive tools run one after the other, whoever asked for them.

/** Exclusive tools of one agent run one after another, whoever calls them. */
export class ExclusiveLock {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined) // Reported to whoever asked for it.
    return done
  }
}
