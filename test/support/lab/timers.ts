// Makes timers of chosen lengths fire immediately, so a test does not wait for them. Other timers are unchanged. It
// also counts how often each length was used.

/** Timers of these lengths, in milliseconds, fire immediately until `stop()`. */
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

/** Counts how often a timer of this length starts. `started(n)` resolves with the start number `n`. */
export function watchTimer(ms: number): { started(count: number): Promise<void>; stop(): void } {
  const { setTimeout: original } = globalThis
  let starts = 0
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const watched = ((work: () => void, length = 0, ...rest: unknown[]) => {
    if (length === ms) {
      starts++
      for (const { count, resolve } of waiting) if (starts >= count) resolve()
    }
    return original(work, length, ...rest)
  }) as typeof setTimeout
  globalThis.setTimeout = watched
  return {
    started: (count) =>
      new Promise((resolve) => {
        if (starts >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    stop: () => {
      if (globalThis.setTimeout === watched) globalThis.setTimeout = original
    },
  }
}
