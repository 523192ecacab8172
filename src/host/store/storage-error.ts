// The words for errors of the browser's storage.
import { ToolAgentError, errorMessage } from '../../core/data/errors.js'

const messages = new Map([
  ['QuotaExceededError', 'The browser’s storage is full, so this conversation cannot be saved.'],
  ['VersionError', 'The stored sessions were written by a newer version. Reload the page.'],
  ['NotFoundError', 'Another script uses the database tool-agent, so this conversation cannot be saved.'],
])

/** The error as a `ToolAgentError`. `name`: that of the browser’s error, for the details; empty for any other error. */
export function storageError(error: unknown, name: string): ToolAgentError {
  const message = messages.get(name) ?? `The browser’s storage failed: ${errorMessage(error)}`
  return new ToolAgentError('storage', message, { cause: error, details: name === '' ? undefined : { name } })
}
