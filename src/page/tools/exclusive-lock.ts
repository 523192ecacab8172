// A queue for exclusive tools. Calls of the model and calls of the page (`callTool`) share it.

/** Runs the exclusive tools of one agent one at a time, in the order of the calls. */
export class ExclusiveLock {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts `work` after all earlier work has settled. A rejection does not stop the queue. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined) // The caller receives the rejection through `done`.
    return done
  }
}
