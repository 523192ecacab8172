// Limits how many promises run at once, and waits for all of them.

/** Runs the function when a slot is free, and releases the slot when its promise settles. */
export type SemaphoreSlot = <T>(run: () => Promise<T>) => Promise<T>

/**
 * A semaphore with `size` slots (at least one). Waiting functions run in the order in which they were passed in. Calls
 * that await approval must not hold a slot, so they request it after the decision.
 */
export function createSemaphore(size: number): SemaphoreSlot {
  let free = Math.max(1, size)
  const queue: (() => void)[] = []
  return async (run) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free++
    }
  }
}

/** Waits until all promises have settled, then rejects with the first reason, if any. No promise stays unawaited. */
export async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
