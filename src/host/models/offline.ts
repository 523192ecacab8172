// What is said where the device has no network: by the model's part and by what loads that part, which are two files.
import { ToolAgentError } from '../../core/data/errors.js'

/** Undefined where the browser believes to be online. */
export function offlineError(cause: unknown): ToolAgentError | undefined {
  return globalThis.navigator?.onLine === false
    ? new ToolAgentError('offline', 'This device is offline.', { cause, details: { retry: true } })
    : undefined
}
