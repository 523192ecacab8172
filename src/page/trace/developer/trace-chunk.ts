// One chunk that only developers load: the export of traces and, with `debug`, console lines and performance bars.
import type { TraceEntry } from '../trace.js'
import { DebugLines } from './console-lines.js'
import { PerformanceMarks } from './performance-marks.js'

export { exportTrace } from './export.js'

/**
 * A function that shows entries in console and performance timeline. `now`: when the entry arrived, by
 * `performance.now()`.
 */
export function createTraceWatcher(): (entry: TraceEntry, now: number) => void {
  const lines = new DebugLines()
  const marks = new PerformanceMarks()
  return (entry, now) => {
    lines.add(entry, now)
    marks.add(entry, now)
  }
}
