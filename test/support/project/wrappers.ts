// The apps that use `tool-agent/react` and `tool-agent/vue`, bundled in development mode, because only there React mounts
// each component twice. They load the built SDK by its URL, as a page does.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { root } from './build-once.js'

const folder = join(root, 'test/frameworks')
const sources = { React: 'wrappers/wrapper-react.jsx', Vue: 'wrappers/wrapper-vue.js' }
export type Wrapper = keyof typeof sources
export const wrappers = Object.keys(sources) as Wrapper[]

/**
 * The code of an app.
 * @param sdk Where it finds the files of the SDK: a URL of the page or of a folder.
 */
export async function wrapperApp(name: Wrapper, dist: string, sdk: string): Promise<string> {
  const vue = dirname(createRequire(join(root, 'package.json')).resolve('vue/package.json'))
  const outside: Plugin = {
    name: 'test:sdk',
    resolveId(id) {
      if (id === 'tool-agent/react') return join(dist, 'react.js')
      if (id === 'tool-agent/vue') return join(dist, 'vue.js')
      if (id === './tool-agent.js') return { id: `${sdk}tool-agent.js`, external: 'absolute' }
      return undefined
    },
  }
  const packages: Plugin = {
    name: 'test:packages',
    resolveId: {
      // A file of dist/ is not below the folder with the packages.
      filter: { id: /^(?:react|vue)$/ },
      handler(id, importer) {
        if (importer?.startsWith(folder) === true) return undefined
        return this.resolve(id, join(folder, sources[name]))
      },
    },
  }
  const build = await rolldown({
    input: join(folder, sources[name]),
    cwd: folder,
    platform: 'browser',
    plugins: [outside, packages],
    resolve: {
      alias: {
        'vue/server-renderer': join(vue, 'server-renderer/index.mjs'),
        vue: join(vue, 'dist/vue.runtime.esm-bundler.js'),
      },
    },
    transform: {
      define: {
        'process.env.NODE_ENV': '"development"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    // About the directive 'use client'.
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'es', codeSplitting: false })
  await build.close()
  return output[0].code
}
