// Promises whose rejection the caller may ignore, promises that a signal ends early, and a queue of promises.

/** Marks a rejection as handled, so that callers may ignore the promise. Those who await it still receive the error. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

/** The result of the work, or a rejection with the reason of the signal as soon as it is aborted. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

/** Runs the exclusive tools of one agent one at a time, in the order of the calls: of the model and of `callTool`. */
export class ExclusiveLock {
  #last: Promise<unknown> = Promise.resolve()

  /** Starts `work` after all earlier work has settled. A rejection does not stop the queue. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => undefined) // The caller receives the rejection through `done`.
    return done
  }
}
