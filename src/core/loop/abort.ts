// A promise that an abort signal can end. It removes its listener in every case.

/**
 * A promise that `begin` settles, or that rejects with the signal's reason as soon as the signal is aborted. `onAbort`
 * releases what `begin` started; it is not called if the signal was aborted before. `begin` is not called then, either.
 */
export function abortable<T>(
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (reason: unknown) => void) => void,
  onAbort?: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const release = () => signal.removeEventListener('abort', abort)
    const abort = () => {
      release()
      onAbort?.()
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort)
    begin(
      (value) => {
        release()
        resolve(value)
      },
      (reason) => {
        release()
        reject(reason)
      },
    )
  })
}

/**
 * The parts that `start` yields. Calling `return()` on the iterator aborts the signal that `start` received, because a
 * generator that waits for a part handles `return()` only after it.
 */
export function abortOnReturn<T>(
  signal: AbortSignal,
  start: (signal: AbortSignal) => AsyncGenerator<T, void, undefined>,
): AsyncIterable<T> {
  const released = new AbortController()
  const parts = start(AbortSignal.any([signal, released.signal]))
  const iterator: AsyncIterator<T> = {
    next: () => parts.next(),
    return() {
      released.abort()
      return parts.return()
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
