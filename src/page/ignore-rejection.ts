// Promises whose rejection the caller may ignore.

/** Marks a rejection as handled, so that callers may ignore the promise. Those who await it still receive the error. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
