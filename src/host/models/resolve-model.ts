// Which model a configuration means. A provider is a file of its own, loaded once, when a session opens, so that the
// first message does not wait for it; providers that are not there yet are refused here with a clear word.
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'
import { bundledProviders } from './bundled-providers.js'
import { offlineError } from './offline.js'
import type { ModelIo, BundledProviders } from './provider.js'

type File<K extends keyof BundledProviders> = ReturnType<BundledProviders[K]>

const loaded = new Map<string, Promise<unknown>>()
let failures = 0

/** Throws `invalid-option` for a provider that is not available, `no-endpoint` where none was set. */
export function modelFor(config: HostConfig, io: ModelIo): ModelAdapter {
  if (config.provider !== 'openai') {
    throw new ToolAgentError(
      'invalid-option',
      `The provider "${config.provider}" is not available in this version; "openai" is, and works with every OpenAI-compatible endpoint.`,
    )
  }
  if (config.endpoint === undefined || config.endpoint.trim() === '') {
    throw new ToolAgentError(
      'no-endpoint',
      'There is no model to ask: set the endpoint attribute to the base URL of an OpenAI-compatible API, such as endpoint="/v1".',
    )
  }
  const { endpoint, credentials, stream, limits } = config
  const model = load('openai', config.providerUrl).then(({ provider }) =>
    provider({ ...io, endpoint, credentials, stream, limits }),
  )
  model.catch(() => undefined) // Whoever asks for a part is told.
  return { stream: (request, signal) => partsOf(model, request, signal) }
}

/** Calls by markup in text, for a model without tool calling. */
export function textProtocolFile({ textProtocolUrl }: HostConfig): File<'text-protocol'> {
  return load('text-protocol', textProtocolUrl)
}

/** Loads what the first model call will want. Whether it can be had is said by that call. */
export function warmUp(config: HostConfig): void {
  if (config.provider === 'openai' && config.endpoint !== undefined && !config.pageModel)
    load('openai', config.providerUrl).catch(() => undefined)
  if (config.textProtocol) textProtocolFile(config).catch(() => undefined)
}

function load<K extends keyof BundledProviders>(name: K, url = ''): File<K> {
  const key = `${name} ${url}`
  const known = loaded.get(key)
  if (known) return known as File<K>
  // Some browsers remember that a URL failed. With another fragment it is another one to them, and the same to servers.
  const address = failures === 0 ? url : `${url}#${failures}`
  // In a template, because Vite's development server puts its own client around any other address.
  const file: Promise<unknown> =
    bundledProviders[name]?.() ?? import(/* @vite-ignore */ /* webpackIgnore: true */ `${address}`)
  const loading = file.catch((thrown: unknown) => {
    failures++
    loaded.delete(key)
    throw (
      offlineError(thrown) ??
      new ToolAgentError(
        'network',
        `A part of the worker could not be loaded from ${url} (${errorMessage(thrown)}). It is published beside worker.js: copy it there, and let script-src of the Content-Security-Policy allow it.`,
        { cause: thrown, details: { retry: true } },
      )
    )
  })
  loaded.set(key, loading)
  return loading as File<K>
}

/** Parts of a model that may still be loading. Not a generator: one hears `return()` only behind a part that it waits for. */
function partsOf(model: Promise<ModelAdapter>, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
  let parts: AsyncIterator<ModelPart> | undefined
  let isReleased = false
  const end = { done: true, value: undefined } as const
  const iterator: AsyncIterator<ModelPart> = {
    async next() {
      const ready = await model
      if (isReleased) return end
      parts ??= ready.stream(request, signal)[Symbol.asyncIterator]()
      return parts.next()
    },
    async return() {
      isReleased = true
      return (await parts?.return?.()) ?? end
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
