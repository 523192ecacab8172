// Answers `before-model`: the request as `hooks.beforeModel` changed it, either in place or by returning another one.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { ModelRequest } from '../../core/data/model.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import { received } from '../parse-options.js'
import { warnAboutToolCount } from '../hints/lint-tool.js'
import type { QueryContext } from './query-context.js'

/** Rejects with `invalid-option` where the hook returns something that is not a request. */
export async function changedRequest(
  context: QueryContext,
  { request }: QueryOf<'before-model'>,
): Promise<ModelRequest> {
  // The hook gets a copy: if it throws, the original must be unchanged.
  const copy = structuredClone(request)
  const returned = await context.deps.options().hooks?.beforeModel?.(copy)
  // The host must receive JSON: what the hook put in may be anything.
  const changed: unknown = JSON.parse(JSON.stringify(returned ?? copy))
  if (!isModelRequest(changed))
    throw new ToolAgentError(
      'invalid-option',
      'hooks.beforeModel: expected a request with system, messages and tools, or nothing, ' +
        `received ${received(changed)}`,
    )
  context.hasWarnedAboutToolCount ||= warnAboutToolCount(changed.tools)
  return changed
}

/** Checks only what the host relies on. Messages and tools are checked by the endpoint. */
function isModelRequest(value: unknown): value is ModelRequest {
  return (
    isObject(value) &&
    typeof value['system'] === 'string' &&
    Array.isArray(value['messages']) &&
    Array.isArray(value['tools'])
  )
}
