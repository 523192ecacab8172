// What scripts of the page have sent, as the browser has timed it, also before the tag was there.

const entries: PerformanceResourceTiming[] = []
let observer: PerformanceObserver | undefined
let firstInput = Infinity

function note(all: PerformanceEntryList): void {
  for (const entry of all)
    if (entry.entryType === 'first-input') firstInput = entry.startTime
    else if (/^(?:fetch|xmlhttprequest|beacon|other)$/.test((entry as PerformanceResourceTiming).initiatorType))
      // Its own list ends after 250 entries.
      entries.push(entry as PerformanceResourceTiming)
}

/** Notes from now on what the browser times. */
export function watchTimings(): void {
  if (observer) return
  observer = new PerformanceObserver((list) => note(list.getEntries()))
  // What a browser does not know it ignores.
  for (const type of ['resource', 'first-input']) observer.observe({ type, buffered: true })
}

/** Each request that was timed. Firefox says `other` of a beacon, as of icons. */
export function timings(): readonly PerformanceResourceTiming[] {
  watchTimings()
  note(observer?.takeRecords() ?? [])
  return entries
}

/** When the visitor has pressed something on the page for the first time; infinite before, or where nobody knows. */
export function firstInputTime(): number {
  timings()
  return firstInput
}
