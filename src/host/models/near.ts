// The providers that a host finds beside itself: in the page, in Node, served from source. The worker's file is built
// without them (scripts/build.mjs), since a bundler may move it alone; it loads each from the URL that the page names.
import type { ProviderFile } from './provider.js'

export const near: ReadonlyMap<string, () => Promise<ProviderFile>> = new Map([['openai', () => import('./openai.js')]])
