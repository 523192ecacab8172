// Creates the model that a configuration names. Its file is loaded when a session opens, so that the first message does
// not wait for it: once, and again after a failure. Load errors surface at the first model call.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../core/data/model.js'
import type { HostConfig } from '../../core/data/protocol.js'
import { bundledFiles } from './provider-imports.js'
import type { ModelIo, ProviderFile } from './provider.js'
import type * as TextProtocolFile from './text-protocol/index.js'
import { loadExplained } from '../../core/loading/load-explained.js'

/**
 * The model of a configuration. Its file may still be loading: the first part rejects with why it cannot be loaded.
 * @throws {ToolAgentError} `no-endpoint` without an endpoint.
 */
export function modelFor(config: HostConfig, io: ModelIo): ModelAdapter {
  const { endpoint } = config
  if (endpoint === undefined || endpoint.trim() === '') {
    throw new ToolAgentError(
      'no-endpoint',
      'No model endpoint is set. Set endpoint to the base URL of a model API, such as "/v1".',
    )
  }
  const model = providerFile(config).then(({ provider }) => provider({ ...config, ...io, endpoint, modelFor }))
  model.catch(() => undefined) // The caller gets the error with the first part.
  return { stream: (request, signal) => partsOf(model, request, signal) }
}

/** Loads the file for tool calls as markup in text, for models without tool calling. */
export function textProtocolFile({ textProtocolUrl }: HostConfig): Promise<typeof TextProtocolFile> {
  return loadFile(bundledFiles.textProtocol, textProtocolUrl, 'textModel')
}

/** The file of the provider. Rejects with why it cannot be loaded. */
export function providerFile({ provider, providerUrl }: HostConfig): Promise<ProviderFile> {
  return loadFile(bundledFiles.providers.get(provider), providerUrl, 'provider')
}

/** Loads the files that the first model call needs. Ignores errors: the call loads again and reports them. */
export function warmUp(config: HostConfig): void {
  if (config.endpoint !== undefined && !config.pageModel) providerFile(config).catch(() => undefined)
  if (config.textProtocol) textProtocolFile(config).catch(() => undefined)
}

/**
 * The parts of a model that may still be loading. A plain iterator, because a generator that waits for a part handles
 * `return()` only after that part.
 */
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

/** The files by what loads them: the import function, or the URL. */
const loaded = new Map<unknown, Promise<unknown>>()
let failures = 0

/**
 * Loads a file once: with `bundled`, or from its URL if this host does not contain it. Rejects as `loadExplained` does;
 * the next call tries again.
 * @param has The export that is used.
 */
function loadFile<File>(
  bundled: (() => Promise<File>) | undefined,
  url: string | undefined,
  has: keyof File & string,
): Promise<File> {
  const key = bundled ?? url
  const known = loaded.get(key)
  if (known) return known as Promise<File>
  // Some browsers cache a failed import by its URL. Another fragment makes them try again.
  const address = failures === 0 ? (url ?? '') : `${url ?? ''}#${failures}`
  // A template literal, because Vite's development server rewrites any other argument.
  const load: () => Promise<File> = bundled ?? (() => import(/* @vite-ignore */ /* webpackIgnore: true */ `${address}`))
  const loading = loadExplained(globalThis, load, { has, url }).catch((thrown: unknown) => {
    failures++
    loaded.delete(key)
    throw thrown
  })
  loaded.set(key, loading)
  return loading
}
