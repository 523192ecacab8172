// The only file of a page that uses `console`: messages for developers of the page. Must never log a secret or a value
// of the tool context, because console output ends up in bug reports.
/* oxlint-disable no-console */
import type { Failure } from '../core/data/errors.js'

const prefix = '[tool-agent]'
const loggedKeys = new Set<string>()
let isDebugOn = false

/** Whether a message with this key was not logged yet on this page. Without a key always true. */
function isFirst(key: string | undefined): boolean {
  if (key === undefined) return true
  if (loggedKeys.has(key)) return false
  loggedKeys.add(key)
  return true
}

/** Turns the messages of `debug` on or off. Warnings and errors are always logged. */
export function setDebug(isOn: boolean): void {
  isDebugOn = isOn
}

/** Logs a problem that the developer can fix. With a `key`, only the first message of that key. */
export function logWarning(message: string, key?: string): void {
  if (isFirst(key)) console.warn(prefix, message)
}

/** Logs that something works in a worse way than it could. Only the first message of its `key`. */
export function logInfo(message: string, key: string): void {
  if (isFirst(key)) console.info(prefix, message)
}

/** Logs an error that nothing else reports. With a `key`, only the first message of that key. */
export function logError({ code, message, details }: Failure, key?: string): void {
  if (isFirst(key)) console.error(prefix, `${code}: ${message}`, ...(details === undefined ? [] : [details]))
}

/** Logs what a tool threw, as text. */
export function logThrownError(text: string): void {
  console.error(prefix, text)
}

/** Logs details if `setDebug(true)` was called. */
export function debug(...values: readonly unknown[]): void {
  if (isDebugOn) console.debug(prefix, ...values)
}
