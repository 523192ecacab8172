// What only some runtimes have.

/** A timer that does not keep a process of Node alive: an answer that nobody reads must not. */
export function unreferenced<T>(timer: T): T {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
  return timer
}
