// Answers `headers`: the headers of one model request. The option may be a function, which cannot cross the port.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { QueryOf } from '../../core/turn/turn-deps.js'
import type { AnswerContext } from './answer-context.js'

/** Rejects with `invalid-option` unless it is an object of strings. The message has no value, which may be secret. */
export async function requestHeaders(
  { deps }: AnswerContext,
  { reason }: QueryOf<'headers'>,
): Promise<Record<string, string>> {
  const { headers } = deps.options()
  const given: unknown = typeof headers === 'function' ? await headers(reason) : headers
  if (!isObject(given) || !Object.values(given).every((value) => typeof value === 'string'))
    throw new ToolAgentError('invalid-option', 'headers must be an object of strings, or a function returning one')
  return given as Record<string, string>
}
