// Bundles every module that a test page or a page of the playground loads by its address, under that same address
// (`/src/index.ts`, `/test/pages/panel/panel.js`). One build, so that all of them share one copy of each module.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { litApart } from '../../../scripts/lit-apart.mjs'
import { buildOnce, filesBelow, root } from '../project/build-once.js'

/** Always served: specs import them, and the page names the worker by this address. */
const always = ['src/index.ts', 'src/host/worker.ts', 'src/tools.ts']

/** The folder that holds a bundle for each module that some page asks for. */
export async function bundledPages(): Promise<string> {
  const code = ['.ts', '.js', '.html']
  const files = [
    'package-lock.json',
    'scripts/lit-apart.mjs',
    'index.html',
    ...(
      await Promise.all(
        ['src', 'test/pages', 'test/support', 'test/browser', 'playground'].map((folder) => filesBelow(folder, code)),
      )
    ).flat(),
  ]
  return buildOnce('pages', files, async (folder) => {
    const build = await rolldown({
      cwd: root,
      input: Object.fromEntries((await requestedModules()).map((file) => [file, join(root, file)])),
      platform: 'browser',
      tsconfig: false,
      preserveEntrySignatures: 'strict',
      // The list of side effects in package.json is about dist/. In the source, every module may have one.
      treeshake: { moduleSideEffects: (id) => (id.includes('node_modules') ? undefined : true) },
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      transform: { define: { 'process.env.NODE_ENV': '"production"' } },
      plugins: [litApart, fromRoot, workerFromSource],
      logLevel: 'silent',
    })
    await build.write({
      dir: folder,
      format: 'es',
      entryFileNames: '[name]',
      chunkFileNames: 'src/_[name]-[hash].js',
      codeSplitting: { groups },
    })
    await build.close()
  })
}

/** One file for each part of the SDK, so that a page makes a handful of requests. */
const groups = [
  { name: 'packages', test: /[\\/]node_modules[\\/](?:lit|lit-html|@lit|lit-element)[\\/]/ },
  ...['core', 'page', 'ui', 'page-tools'].map((name) => ({
    name,
    // Not the colours of code, so that specs can take their file away.
    test: new RegExp(String.raw`[\\/]src[\\/]${name}[\\/](?!highlight[\\/])`),
  })),
  // Not the worker's entry, which starts a host as it is loaded.
  { name: 'host', test: /[\\/]src[\\/]host[\\/](?!worker\.ts)/ },
]

/** Paths of the modules that pages and specs name as an address from the root, and of scripts beside a page. */
async function requestedModules(): Promise<string[]> {
  const found = new Set(always)
  const folders = ['test/browser', 'test/pages', 'test/support', 'playground']
  const files = [
    'index.html',
    ...(await Promise.all(folders.map((folder) => filesBelow(folder, ['.ts', '.js', '.html'])))).flat(),
  ]
  for (const file of files) {
    const text = await readFile(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/["'`}]\/((?:src|test|playground)\/[\w./-]+\.(?:ts|js))/g))
      found.add(path)
    if (!file.endsWith('.html')) continue
    for (const [, path = ''] of text.matchAll(/src="(\.\/[\w./-]+\.(?:ts|js))"/g))
      found.add(posix.join(dirname(file), path))
  }
  return [...found].filter((file) => existsSync(join(root, file))).sort()
}

/** `/src/index.ts` in a page's script is a path from the project's root. */
const fromRoot: Plugin = {
  name: 'test:from-root',
  resolveId: {
    filter: { id: /^\/(?:src|test|playground)\// },
    handler: (id) => join(root, id),
  },
}

/** Published, the worker is `./worker.js` beside the script; here it is the bundle of its source. */
const workerFromSource: Plugin = {
  name: 'test:worker-from-source',
  transform: {
    filter: { id: /[\\/]src[\\/]page[\\/]client[\\/]spawn\.ts$/ },
    handler: (code) => ({
      code: code.replaceAll(
        /new URL\((['"])\.\/worker\.js\1, import\.meta\.url\)/g,
        "new URL('./host/worker.ts', import.meta.url)",
      ),
      map: null,
    }),
  },
}
