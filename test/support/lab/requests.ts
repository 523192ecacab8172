// Reads recorded requests: what was sent to the model.
import { isObject } from '../../../src/core/data/json.js'
import type { RecordedRequest } from './endpoint.js'

export function messagesOf(request: RecordedRequest | undefined): Record<string, unknown>[] {
  const messages = request?.body?.['messages']
  return Array.isArray(messages) ? messages.filter(isObject) : []
}

/** Texts of all tool results, in order. */
export function resultsOf(request: RecordedRequest | undefined): string[] {
  return messagesOf(request)
    .filter((message) => message['role'] === 'tool')
    .map((message) => String(message['content']))
}

/** Names of the offered tools; undefined if the request has no `tools` field. */
export function toolNames(request: RecordedRequest | undefined): unknown[] | undefined {
  const tools = request?.body?.['tools']
  return Array.isArray(tools)
    ? tools.filter(isObject).map((tool) => (isObject(tool['function']) ? tool['function']['name'] : ''))
    : undefined
}
