// The static playground: `npx vite build` writes pages that work from any folder of any static host. Addresses are
// relative, the worker and the model clients are files beside the scripts, and the policy is in each page.
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { alone } from '../../scripts/build.mjs'

const pages = [
  'index.html',
  'playground/hero/index.html',
  'playground/booking/index.html',
  'playground/launcher/index.html',
  'playground/orders/index.html',
  'playground/shop/index.html',
  'playground/shop/product.html',
  'playground/shop/cart.html',
  'playground/shop/checkout.html',
  'playground/themes/index.html',
  'playground/model/index.html',
  'playground/lab/index.html',
  'playground/sessions/index.html',
]

/** The plugin for `vite build`. `policy` gets the path of a page. */
export function staticPlayground(policy: (path: string) => string): Plugin {
  let root = ''
  let outDir = ''
  return {
    name: 'tool-agent-static-playground',
    apply: 'build',
    enforce: 'pre',
    config: (given) => ({
      base: './',
      define: { isStaticPlayground: 'true' },
      build: {
        // Not `dist`, which is the package.
        outDir: given.build?.outDir ?? 'dist-playground',
        target: 'es2022',
        // The policy allows no data: URLs.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        rolldownOptions: {
          input: Object.fromEntries(pages.map((page) => [page.replace(/\.html$/, '').replaceAll('/', '-'), page])),
        },
      },
    }),
    configResolved(config) {
      root = config.root
      outDir = join(config.root, config.build.outDir)
      if (config.build.outDir.startsWith('/')) outDir = config.build.outDir
    },
    transform: {
      filter: { id: /[\\/](?:src|playground)[\\/].*\.ts$/, code: /./ },
      // The list of side effects in package.json is about dist/. The worker's files are written below, beside the scripts,
      // so the expressions that name them stay.
      handler: (code, id) => ({
        code: id.endsWith('/client/spawn.ts')
          ? code.replaceAll(/(?<!`)new URL\((?=')/g, 'new URL(/* @vite-ignore */ ')
          : code,
        map: null,
        moduleSideEffects: true,
      }),
    },
    transformIndexHtml: {
      order: 'pre',
      handler(html, { path }) {
        const top = '../'.repeat(path.split('/').length - 2) || './'
        // Styles and images stay files of their own: bundled, the order of the styles would change.
        const kept = html.replaceAll(
          /(?:href|src)="\/(playground\/[\w./-]+\.(?:css|svg))"/g,
          (all, file: string) => `vite-ignore ${all.startsWith('href') ? 'href' : 'src'}="${top}${file}"`,
        )
        // Browsers ignore frame-ancestors here.
        const content = policy(path).replace(/; frame-ancestors [^;]*/, '')
        const meta = { tag: 'meta', attrs: { 'http-equiv': 'content-security-policy', content } } as const
        return { html: kept, tags: [{ ...meta, injectTo: 'head-prepend' }] }
      },
    },
    async writeBundle() {
      await writeWorkers(root, join(outDir, 'assets'))
      await copyWhere(join(root, 'playground'), join(outDir, 'playground'), /\.(?:css|svg|session\.json)$/)
      await copyWhere(join(root, 'themes'), join(outDir, 'themes'), /\.css$/)
    },
  }
}

/** Files without imports, as in the package. */
async function writeWorkers(root: string, dir: string): Promise<void> {
  const { build } = await import('rolldown')
  for (const [name, source] of Object.entries(alone)) {
    await build({
      cwd: root,
      input: { [name]: join(root, source) },
      platform: 'browser',
      tsconfig: false,
      treeshake: { moduleSideEffects: (id) => (id.includes('node_modules') ? undefined : true) },
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
      logLevel: 'silent',
      output: { dir, format: 'es', entryFileNames: '[name].js', minify: true, codeSplitting: false },
    })
  }
}

/** Copies the files that scripts address relative to their page. */
async function copyWhere(from: string, to: string, pattern: RegExp): Promise<void> {
  for (const entry of await readdir(from, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && pattern.test(entry.name)) await cp(path, path.replace(from, to))
  }
}
