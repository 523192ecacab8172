// The error of an assembly that is tested without its adapter, which words the error.
import * as httpErrors from '../../../src/host/models/http/http-errors.js'
import { LateError } from '../../../src/host/models/http/late-errors.js'

/** What an adapter throws for an error of its assembly. */
export function worded(thrown: unknown): { readonly code?: unknown; readonly details?: unknown } {
  return (thrown instanceof LateError ? thrown.explain(httpErrors) : thrown) as { code?: unknown; details?: unknown }
}
