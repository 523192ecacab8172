// Loads the model files of the host. Each is loaded once, and again after a failure.
import { loadExplained } from '../core/loading/load-explained.js'
import type { ProviderFile } from './models/provider.js'
import type * as TextProtocolFile from './models/text-protocol/index.js'

/** The lazy files by name, each with the function that imports it. */
export interface BundledFiles {
  /** The model files, by the value of the option `provider`. */
  readonly providers: ReadonlyMap<string, () => Promise<ProviderFile>>
  /** Tool calls as markup in text. */
  readonly textProtocol?: () => Promise<typeof TextProtocolFile>
}

/** The files by what loads them: the import function, or the URL. */
const loaded = new Map<unknown, Promise<unknown>>()
let failures = 0

/**
 * Loads a file once: with `bundled`, or from its URL if this host does not contain it. Rejects as `loadExplained` does;
 * the next call tries again.
 * @param has The export that is used.
 */
export function loadFile<File>(
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
