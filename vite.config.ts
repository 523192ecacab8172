// The development server: the playground for people (`npm start`), the pages of the browser specs for tests. What is
// published is made by scripts/build.mjs, with settings of its own.
import { defineConfig, type Plugin } from 'vite'
import { playground } from './playground/server/plugin.js'

export default defineConfig({
  appType: 'mpa',
  plugins: [workerFromSource(), playground()],
  server: { host: '127.0.0.1' },
  optimizeDeps: {
    // Named one by one: finding a package later would reload the page in the middle of somebody's turn. Only packages
    // of many files are here, and with all their entries, so that no page gets two copies of one.
    noDiscovery: true,
    include: [
      'marked',
      '@cfworker/json-schema',
      'zod-to-json-schema',
      'zod',
      'zod/mini',
      'zod/v3',
      'zod/v4',
      'zod/v4/core',
      'zod/v4-mini',
    ],
  },
})

/**
 * Published, the worker stands beside the script as `./worker.js`. Served from source there is no such file, and the
 * same expression has to lead to the worker's source.
 */
function workerFromSource(): Plugin {
  const published = /new URL\((['"])\.\/worker\.js\1, import\.meta\.url\)/g
  return {
    name: 'tool-agent:worker-from-source',
    apply: 'serve',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/page\/link\/spawn\.ts$/ },
      handler(code) {
        if (code.search(published) < 0)
          this.error("src/page/link/spawn.ts does not say new URL('./worker.js', import.meta.url)")
        return { code: code.replace(published, "new URL('../../host/worker.ts', import.meta.url)"), map: null }
      },
    },
  }
}
