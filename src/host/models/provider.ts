// The contract of a lazy model file: it exports `provider`, a function from an endpoint to a model adapter. And which
// of these files a host contains.
import type { JsonValue } from '../../core/data/json.js'
import type { ModelAdapter } from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'
import type { Limits } from '../../core/data/tool.js'
import type * as TextProtocolFile from './text-protocol/index.js'

/** What an adapter gets from its host. */
export interface ModelIo {
  /**
   * The request headers. Called before each request; after a 401 once more with `unauthorized`, so that the page can
   * refresh its credentials.
   */
  readonly headers: (reason: 'request' | 'unauthorized') => Promise<Record<string, string>>
  /** Called with each request body, never with headers. */
  onRequest?(body: JsonValue): void
  /**
   * Called once per call, also after an error. A stream gives `{ status, events }` as far as it was read, anything else
   * `{ status, body }`. Header values are replaced by `…`.
   */
  onResponse?(body: JsonValue): void
  /** @default globalThis.fetch */
  readonly fetch?: typeof fetch
}

/** The options of an adapter for an endpoint. */
export interface ProviderOptions extends ModelIo {
  /**
   * Base URL including the version, such as `https://api.example.com/v1`. A query is kept, a trailing slash ignored.
   */
  readonly endpoint: string
  /** Whether cookies are sent, as in `fetch`. */
  readonly credentials: RequestCredentials
  /** False requests the answer as one JSON body. */
  readonly stream: boolean
  /** `responseBytes`: a longer response fails as `bad-response`. */
  readonly limits: Pick<Limits, 'responseBytes'>
}

/** What the file `fallbacks` gets in addition, because it uses the model of another provider. */
export interface FallbackOptions {
  /** The models to use after the requested one, and their provider. */
  readonly fallbacks?: HostConfig['fallbacks']
  readonly limits: Partial<Pick<Limits, 'modelRetries'>>
  /** Creates the model of a configuration. */
  readonly modelFor?: (config: HostConfig, io: ModelIo) => ModelAdapter
}

/** A lazy file with a model adapter. */
export interface ProviderFile {
  /**
   * Creates an adapter; sends nothing yet. A wrong endpoint fails with `invalid-option` when the adapter streams.
   */
  readonly provider: (options: ProviderOptions & FallbackOptions) => ModelAdapter
}

/** The lazy files by name, each with the function that imports it. */
export interface BundledFiles {
  /** The model files, by the value of the option `provider`. */
  readonly providers: ReadonlyMap<string, () => Promise<ProviderFile>>
  /** Tool calls as markup in text. */
  readonly textProtocol?: () => Promise<typeof TextProtocolFile>
}
