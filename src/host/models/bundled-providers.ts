// What a host finds beside itself: in the page, in Node, served from source. The worker's file is built without it
// (scripts/build.mjs), since a bundler may move it alone; it loads each from the URL that the page names.
import type { BundledProviders } from './provider.js'

export const bundledProviders: Partial<BundledProviders> = {
  openai: () => import('./openai/index.js'),
  'text-protocol': () => import('./text-protocol.js'),
}
