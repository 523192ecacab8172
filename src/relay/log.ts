// The log of a relay, which belongs to the author of the site. The functions of `console` are looked up with each call,
// because logging libraries replace them.
/* oxlint-disable no-console */

/** An error that the page must not see, such as an exception of a function of the site. */
export function logError(error: unknown): void {
  console.error(error)
}

/** A hint about something that the relay did otherwise than the author may expect. */
export function logWarning(message: string): void {
  console.warn(message)
}
