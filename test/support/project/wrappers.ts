// The apps that use `tool-agent/react` and `tool-agent/vue`, and those with the element in Svelte and Angular, bundled in development mode unless a test asks for another,
// because only there React mounts each component twice. They load the built SDK by its URL, as a page does.
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { svelte } from '../page/frameworks.js'
import { root } from './build-once.js'

const folder = join(root, 'test/frameworks')
const endings = { React: 'react.jsx', Vue: 'vue.js', Svelte: 'svelte.js', Angular: 'angular.js' }
export type FrameworkApp = keyof typeof endings
/** The frameworks with components of ours. */
export const wrappers = ['React', 'Vue'] as const satisfies FrameworkApp[]
export type Wrapper = (typeof wrappers)[number]

/**
 * The code of an app.
 * @param sdk Where it finds the files of the SDK: a URL of the page or of a folder.
 * @param app The start of the name of its file.
 */
export async function wrapperApp(
  name: FrameworkApp,
  dist: string,
  sdk: string,
  { app = 'wrapper', mode = 'development' } = {},
): Promise<string> {
  const source = join(folder, `wrappers/${app}-${endings[name]}`)
  const vue = dirname(createRequire(join(root, 'package.json')).resolve('vue/package.json'))
  const outside: Plugin = {
    name: 'test:sdk',
    resolveId(id) {
      if (id === 'tool-agent/react') return join(dist, 'react.js')
      if (id === 'tool-agent/vue') return join(dist, 'vue.js')
      if (id === 'tool-agent' || id === './tool-agent.js') return { id: `${sdk}tool-agent.js`, external: 'absolute' }
      return undefined
    },
  }
  const packages: Plugin = {
    name: 'test:packages',
    resolveId: {
      // A file of dist/ is not below the folder with the packages.
      filter: { id: /^(?:react|react-dom|vue)$/ },
      handler(id, importer) {
        if (importer?.startsWith(folder) === true) return undefined
        return this.resolve(id, source)
      },
    },
  }
  const build = await rolldown({
    input: source,
    cwd: folder,
    platform: 'browser',
    plugins: [outside, packages, svelte],
    resolve: {
      alias: {
        'vue/server-renderer': join(vue, 'server-renderer/index.mjs'),
        vue: join(vue, 'dist/vue.runtime.esm-bundler.js'),
      },
    },
    transform: {
      define: {
        'process.env.NODE_ENV': JSON.stringify(mode),
        ngDevMode: 'false',
        ngJitMode: 'true',
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

/** The files of a page that runs an app. `code`: its bundle. */
export const appPage = (code: string): Record<string, string> => ({
  '/index.html':
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><link rel="icon" href="/icon.svg"><main></main><script type="module" src="/app.js"></script></html>',
  '/app.js': code,
  '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
})
