// Long waits without waiting: a timer of a chosen length fires at once, so that a test sees what comes after it. Only the
// lengths that are named are hurried, and how often each was asked for is counted.

/** Timers of these lengths, in milliseconds, fire at once until `stop()`. */
export function hurry(...lengths: number[]): { asked(ms: number): number; stop(): void } {
  const { setTimeout: original } = globalThis
  const counts = new Map<number, number>()
  const hurried = ((work: () => void, ms = 0, ...rest: unknown[]) => {
    const isHurried = lengths.includes(ms)
    if (isHurried) counts.set(ms, (counts.get(ms) ?? 0) + 1)
    return original(work, isHurried ? 0 : ms, ...rest)
  }) as typeof setTimeout
  globalThis.setTimeout = hurried
  return {
    asked: (ms) => counts.get(ms) ?? 0,
    stop: () => {
      if (globalThis.setTimeout === hurried) globalThis.setTimeout = original
    },
  }
}
