// How many things run at once, and waiting for all of them.

export type SemaphoreSlot = <T>(run: () => Promise<T>) => Promise<T>

/** At most `size` at a time, in the order asked for. A call that waits for the user has not asked yet. */
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

/** Waits for all, then rejects with the first reason: a sibling is never left behind unawaited. */
export async function allSettled(work: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find((one) => one.status === 'rejected')
  if (failed) throw failed.reason
}
