// The lazy files of the host, as imports: used in the page, in Node and from source. The build of the worker replaces
// this file with an empty table (scripts/build.mjs), because a bundler may move worker.js alone; there, URLs are used.
import type { BundledFiles } from './load-file.js'
import type { ProviderFile } from './models/provider.js'

/** The lazy files that can be imported; a missing one is loaded from its URL. */
export const bundledFiles: BundledFiles = {
  providers: new Map<string, () => Promise<ProviderFile>>([
    ['openai', () => import('./models/openai/index.js')],
    ['openai-responses', () => import('./models/openai-responses/index.js')],
    ['anthropic', () => import('./models/anthropic/index.js')],
    ['fallbacks', () => import('./models/fallbacks.js')],
    ['google', () => import('./models/google/index.js')],
  ]),
  textProtocol: () => import('./models/text-protocol.js'),
}
