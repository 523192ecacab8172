// Serves the pages of the browser specs: the project's files as they are, and in place of each module that a page asks
// for, its bundle. A page from source makes 164 requests, a bundled one about eight.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test as base } from 'playwright/test'
import { createServer, type Plugin } from 'vite'
import { playgroundHandler } from '../../../playground/server/plugin.js'
import { bundledPages } from './page-bundle.js'
import { serveStatic } from './static-server.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const test = base.extend<object, { site: string; devSite: string }>({
  /** The address of the bundled pages. */
  site: [
    async ({}, use) => {
      answerAtOnce()
      const bundle = await bundledPages()
      const handler = playgroundHandler()
      const server = await serveStatic({
        // `/second/` is the same script from another address, as a page gets it that loads two bundles.
        folders: { '/second/': bundle, '/': [bundle, root] },
        middleware(request, response, next) {
          const { pathname } = new URL(request.url ?? '/', 'http://localhost')
          // Never the source itself, which no browser can read.
          if (pathname.endsWith('.ts') && !pathname.startsWith('/second/') && !existsSync(join(bundle, pathname))) {
            response
              .writeHead(404, { 'content-type': 'text/plain' })
              .end(`${pathname} is not bundled: see requestedModules in page-bundle.ts`)
          } else handler(request, response, next)
        },
      })
      await use(server.url)
      await server.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],

  /** The address of Vite's development server, as `npm start` runs it. */
  devSite: [
    async ({}, use, worker) => {
      answerAtOnce()
      const server = await createServer({
        root,
        logLevel: 'error',
        plugins: [withoutClient()],
        // Two servers must not pre-bundle into the same folder.
        cacheDir: `node_modules/.vite/test-${worker.parallelIndex}`,
        server: { host: '127.0.0.1', port: 0, hmr: false, ws: false, watch: null },
      })
      await server.listen()
      const address = server.httpServer?.address()
      if (typeof address !== 'object' || address === null) throw new Error('The development server has no port')
      await use(`http://127.0.0.1:${address.port}`)
      await server.close()
    },
    { scope: 'worker' },
  ],
})
export { expect } from 'playwright/test'

/** The offline model streams at reading speed for people, and without delay for tests. */
function answerAtOnce(): void {
  process.env['OFFLINE_MODEL_DELAY'] ??= '0'
}

/** Removes Vite's own client from each page: without its socket it reports errors. */
function withoutClient(): Plugin {
  return {
    name: 'test:without-client',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/\s*<script type="module" src="\/@vite\/client"><\/script>/, ''),
    },
  }
}
