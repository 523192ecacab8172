// Detects the answer of another API, which a relay may pass through. The error names the protocol; without this check
// such an answer looks like one that was cut.
import { isObject } from '../../../core/data/json.js'
import type { ToolAgentError } from '../../../core/data/errors.js'
import { badResponse } from '../http/answer-errors.js'

/** Name of a protocol, its option `provider` if there is one, and a test for its first event or its whole answer. */
const protocols: readonly [string, string, (event: Record<string, unknown>) => boolean][] = [
  ['OpenAI chat completions', 'openai', ({ choices }) => Array.isArray(choices)],
  [
    'Anthropic Messages',
    'anthropic',
    ({ type, content }) =>
      /^(message_|content_block_)/.test(String(type)) || (type === 'message' && Array.isArray(content)),
  ],
  [
    'OpenAI Responses',
    'openai-responses',
    ({ type, object }) => String(type).startsWith('response.') || object === 'response',
  ],
  ['Gemini', 'google', ({ candidates }) => Array.isArray(candidates)],
  [
    'Gemini Interactions',
    '',
    ({ event_type: type, object }) => /^(interaction|step)\./.test(String(type)) || object === 'interaction',
  ],
]

/**
 * A `bad-response` with `details.protocol` for an event or answer of another API; undefined for anything else.
 * `expected`: the name of the protocol that the adapter speaks.
 */
export function otherProtocolError(event: unknown, expected: string): ToolAgentError | undefined {
  const [name, provider] = (isObject(event) ? protocols.find(([, , fits]) => fits(event)) : undefined) ?? []
  if (name === undefined || name === expected) return undefined
  const hint = provider && ` or set provider="${provider}"`
  const message = `The endpoint uses the protocol ${name}, expected ${expected}. Check the endpoint attribute${hint}.`
  return badResponse(message, { protocol: name })
}
