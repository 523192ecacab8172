// The only file that names `console`. What a programmer should know while developing; never a secret and never a
// value of the tool context, since consoles end up in bug reports.
import type { Failure } from '../core/data/errors.js'

const prefix = '[tool-agent]'
const said = new Set<string>()
let debugging = false

/** Whether `debug` prints; warnings and errors always do. */
export function setDebug(on: boolean): void {
  debugging = on
}

/** A hint for the programmer. With a `key`, only the first one of that key in the life of the page. */
export function logWarning(message: string, key?: string): void {
  if (key !== undefined) {
    if (said.has(key)) return
    said.add(key)
  }
  console.warn(prefix, message)
}

/** What works, but not as it should. With a `key`, only once. */
export function logInfo(message: string, key: string): void {
  if (said.has(key)) return
  said.add(key)
  console.info(prefix, message)
}

/** An error that has no other place to go. With a `key`, only once. */
export function logError(failure: Failure, key?: string): void {
  if (key !== undefined) {
    if (said.has(key)) return
    said.add(key)
  }
  console.error(
    prefix,
    `${failure.code}: ${failure.message}`,
    ...(failure.details === undefined ? [] : [failure.details]),
  )
}

/** What a tool threw, as text. */
export function logThrownError(text: string): void {
  console.error(prefix, text)
}

/** Details for whoever set `debug`. */
export function debug(...values: readonly unknown[]): void {
  if (debugging) console.debug(prefix, ...values)
}
