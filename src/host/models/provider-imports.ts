// The lazy files of the host, as imports: used in the page, in Node and from source. The build of the worker replaces
// this file with an empty table (scripts/build.mjs), because a bundler may move worker.js alone; there, URLs are used.
import type { ProviderName } from '../../core/data/model.js'
import type { BundledFiles, ProviderFile } from './provider.js'

const providers: Readonly<Record<ProviderName | 'fallbacks', () => Promise<ProviderFile>>> = {
  openai: () => import('./openai/index.js'),
  'openai-responses': () => import('./openai-responses/index.js'),
  anthropic: () => import('./anthropic/index.js'),
  google: () => import('./google/index.js'),
  'ag-ui': () => import('./ag-ui/index.js'),
  fallbacks: () => import('./fallbacks/index.js'),
}

/** The lazy files that can be imported; a missing one is loaded from its URL. */
export const bundledFiles: BundledFiles = {
  providers: new Map(Object.entries(providers)),
  textProtocol: () => import('./text-protocol/index.js'),
}
