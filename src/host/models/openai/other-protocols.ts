// A relay may pass on the stream of another API. It is named at its first event: nothing of it can be used, and without
// a name it looks like an answer that was cut.
import { isObject } from '../../../core/data/json.js'
import type { ToolAgentError } from '../../../core/data/errors.js'
import { badResponse } from './http-errors.js'

const protocols: readonly [string, (event: Record<string, unknown>) => boolean][] = [
  [
    'Anthropic Messages',
    ({ type, content }) =>
      /^(message_|content_block_)/.test(String(type)) || (type === 'message' && Array.isArray(content)),
  ],
  ['OpenAI Responses', ({ type, object }) => String(type).startsWith('response.') || object === 'response'],
  [
    'Gemini',
    ({ candidates, event_type: type }) => Array.isArray(candidates) || String(type).startsWith('interaction.'),
  ],
]

/** The error for an event or a whole answer of another API; undefined for anything else. */
export function otherProtocolError(event: unknown): ToolAgentError | undefined {
  const name = isObject(event) ? protocols.find(([, fits]) => fits(event))?.[0] : undefined
  return name === undefined
    ? undefined
    : badResponse(
        `The endpoint answers in another protocol (${name}). ` +
          'An OpenAI-compatible one (chat completions) is needed: check the endpoint attribute.',
      )
}
