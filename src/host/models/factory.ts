// Which model a configuration means. Providers that need a file of their own come with it; until then their names
// are refused here with a clear word.
import { ToolAgentError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { ModelAdapter } from '../../core/model.js'
import type { HostConfig } from '../../core/protocol.js'
import { chatCompletions } from './chat-completions.js'

export interface ModelIo {
  readonly headers: (reason: 'request' | 'unauthorized') => Promise<Record<string, string>>
  onRequest?(body: JsonValue): void
  onResponse?(body: JsonValue): void
  readonly fetch?: typeof fetch
}

/** Throws `invalid-option` for a provider that is not available, `no-endpoint` where none was set. */
export function modelFor(config: HostConfig, io: ModelIo): ModelAdapter {
  if (config.provider !== 'openai') {
    throw new ToolAgentError('invalid-option', `The provider "${config.provider}" is not available in this version; "openai" is, and works with every OpenAI-compatible endpoint.`)
  }
  if (config.endpoint === undefined || config.endpoint.trim() === '') {
    throw new ToolAgentError('no-endpoint', 'There is no model to ask: set the endpoint attribute to the base URL of an OpenAI-compatible API, such as endpoint="/v1".')
  }
  const { endpoint, credentials, stream, limits } = config
  return chatCompletions({ ...io, endpoint, credentials, stream, limits })
}
