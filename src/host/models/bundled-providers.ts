// The lazy model files, as imports: used in the page, in Node and from source. The build of the worker replaces this
// file with an empty table (scripts/build.mjs), because a bundler may move worker.js alone; there, URLs are used.
import type { BundledProviders } from './provider.js'

/** The lazy files that can be imported; a missing one is loaded from its URL. */
export const bundledProviders: Partial<BundledProviders> = {
  openai: () => import('./openai/index.js'),
  'text-protocol': () => import('./text-protocol.js'),
}
