// The development server: serves the playground (`npm start`) and the pages of the browser specs. `vite build` writes the
// static playground. The package is built by scripts/build.mjs, which has its own settings.
import { defineConfig, type Plugin } from 'vite'
import { playground, policyOf } from './playground/server/plugin.js'
import { litApart } from './scripts/lit-apart.mjs'
import { staticPlayground } from './playground/server/static-build.js'

export default defineConfig({
  appType: 'mpa',
  plugins: [litApart, workerFromSource(), playground(), staticPlayground(policyOf)],
  server: { host: '127.0.0.1' },
  optimizeDeps: {
    // Listed, because discovering a package later would reload the page during a turn. Only packages with many files are
    // listed, with all their entries, so that no page loads two copies.
    noDiscovery: true,
    include: [
      // Its files for the browser import one that is CommonJS.
      'highlight.js/lib/core',
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
 * In the package, the worker is the file `./worker.js` next to the script. The development server has no such file, so
 * the same expression must resolve to the worker's source.
 */
function workerFromSource(): Plugin {
  const published = /new URL\((['"])\.\/worker\.js\1, import\.meta\.url\)/g
  return {
    name: 'tool-agent:worker-from-source',
    apply: 'serve',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/page\/client\/spawn\.ts$/ },
      handler(code) {
        if (code.search(published) < 0)
          this.error("src/page/client/spawn.ts does not contain new URL('./worker.js', import.meta.url)")
        return { code: code.replace(published, "new URL('../../host/worker.ts', import.meta.url)"), map: null }
      },
    },
  }
}
