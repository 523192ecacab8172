// Serves the project with Vite's development server, once per test worker, on a loopback port of its own.
import { fileURLToPath } from 'node:url'
import { test as base } from 'playwright/test'
import { createServer, type Plugin } from 'vite'

const root = fileURLToPath(new URL('../..', import.meta.url))

export const test = base.extend<object, { site: string }>({
  site: [async ({}, use, worker) => {
    // The offline model answers at once; a person gets it at the pace of speech.
    process.env['OFFLINE_MODEL_DELAY'] ??= '0'
    const server = await createServer({
      root,
      logLevel: 'error',
      plugins: [withoutClient()],
      // A cache of its own: two servers that pre-bundle into one folder spoil each other's files.
      cacheDir: `node_modules/.vite/test-${worker.parallelIndex}`,
      server: { host: '127.0.0.1', port: 0, hmr: false, ws: false, watch: null },
    })
    await server.listen()
    const address = server.httpServer?.address()
    if (typeof address !== 'object' || address === null) throw new Error('The development server has no port')
    await use(`http://127.0.0.1:${address.port}`)
    await server.close()
  }, { scope: 'worker' }],
})
export { expect } from 'playwright/test'

/** Vite puts its own client into every page; without a socket to talk to it reports errors that are none of ours. */
function withoutClient(): Plugin {
  return {
    name: 'test:without-client',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/\s*<script type="module" src="\/@vite\/client"><\/script>/, ''),
    },
  }
}
