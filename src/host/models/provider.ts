// What a provider's file is: one function from an endpoint to a model, exported as `provider`.
import type { JsonValue } from '../../core/data/json.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { Limits } from '../../core/data/tool.js'
import type * as TextProtocolFile from './text-protocol.js'

export interface ModelIo {
  /** Asked before each call, and once more after a 401. */
  readonly headers: (reason: 'request' | 'unauthorized') => Promise<Record<string, string>>
  /** Each body as it is sent. Never headers. */
  onRequest?(body: JsonValue): void
  /** Once a call, however it ended: `{ status, events }` of a stream as far as it came, or `{ status, body }`, without what was sent in a header. */
  onResponse?(body: JsonValue): void
  readonly fetch?: typeof fetch
}

export interface ProviderOptions extends ModelIo {
  /** Base URL up to and including the version; its query is kept, a trailing slash ignored. */
  readonly endpoint: string
  readonly credentials: RequestCredentials
  readonly stream: boolean
  readonly limits: Pick<Limits, 'responseBytes'>
}

export interface ProviderFile {
  readonly provider: (options: ProviderOptions) => ModelAdapter
}

/** The files that a host loads when a configuration asks for them. */
export interface BundledProviders {
  readonly openai: () => Promise<ProviderFile>
  readonly 'text-protocol': () => Promise<typeof TextProtocolFile>
}
