// The error for a device without a network. A file of its own, because both the worker and the lazy model file use it.
import { ToolAgentError } from '../../core/data/errors.js'

/** An `offline` error, or undefined if the browser reports a network. */
export function offlineError(cause: unknown): ToolAgentError | undefined {
  return globalThis.navigator?.onLine === false
    ? new ToolAgentError('offline', 'This device is offline.', { cause, details: { retry: true } })
    : undefined
}
