// Waiting that an abort ends: at once, with the signal's reason, and without a listener left behind.

/** A promise that `begin` settles, unless the signal does; `onAbort` lets go of what was begun. */
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
