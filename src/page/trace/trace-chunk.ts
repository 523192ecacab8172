// What only developers ask for, as one file that no visitor loads: with `debug`, a line in the console and a bar in
// the performance timeline for what happens; and the trace, when it is exported.
import type { TraceEntry } from './recorder.js'
import { DebugLines } from './console-lines.js'
import { PerformanceMarks } from './performance-marks.js'

export { exportTrace } from './export.js'

/** Tells of each entry, `now` the performance time at which it was seen. */
export function createTraceWatcher(): (entry: TraceEntry, now: number) => void {
  const lines = new DebugLines()
  const marks = new PerformanceMarks()
  return (entry, now) => {
    lines.add(entry)
    marks.add(entry, now)
  }
}
