// Answers `headers`: the headers of a request to the endpoint, from the option `headers`.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { QueryOf } from '../../core/loop/turn-deps.js'
import type { QueryContext } from './query-context.js'

/** Rejects with `invalid-option` unless it is an object of strings. The message omits the value: it may be secret. */
export async function requestHeaders(
  { deps }: QueryContext,
  { reason }: QueryOf<'headers'>,
): Promise<Record<string, string>> {
  const { headers } = deps.options()
  const given: unknown = typeof headers === 'function' ? await headers(reason) : headers
  const [name, wrong] = isObject(given)
    ? (Object.entries(given).find(([, value]) => typeof value !== 'string') ?? [])
    : ['', given]
  if (name !== undefined) {
    const expected = name === '' ? 'headers: expected an object of strings' : `headers: expected a string for "${name}"`
    throw new ToolAgentError('invalid-option', `${expected}, received ${wrong === null ? 'null' : typeof wrong}`)
  }
  return given as Record<string, string>
}
