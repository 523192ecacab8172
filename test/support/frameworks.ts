// Fixture pages built with the real frameworks: bundled once, kept in a temporary folder under the hash of what went in,
// and put into the page by a route, as are the page tools.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { rolldown, type Plugin } from 'rolldown'
import { open } from '../browser/page-tools-call.js'

const folder = fileURLToPath(new URL('../frameworks/', import.meta.url))
/** Components of many libraries on one page. */
export const libraries = 'Libraries'
const sources = new Map([[libraries, 'libraries.jsx'], ['React', 'react.jsx'], ['Vue', 'vue.js'], ['Angular', 'angular.js'], ['Svelte', 'svelte.js'], ['Lit', 'lit.js'], ['jQuery UI', 'jquery-ui.js']])
export const frameworks = [...sources.keys()].filter((name) => name !== libraries && existsSync(join(folder, sources.get(name) ?? '')))

/** Components in files of their own; everything else the bundler can read by itself. */
const svelte: Plugin = {
  name: 'test:svelte',
  transform: {
    filter: { id: /\.svelte$/ },
    async handler(code, id) {
      const { compile } = await import('svelte/compiler')
      return { code: compile(code, { filename: id, generate: 'client' }).js.code, map: null }
    },
  },
}

const versions = readFileSync(new URL('../../package-lock.json', import.meta.url))

/** Once for each test worker. */
const made = new Map<string, Promise<string>>()
function once(name: string, make: () => Promise<string>): Promise<string> {
  const making = made.get(name) ?? make()
  made.set(name, making)
  return making
}

/** The page tools in one file: a page asks for them once, not forty times. */
async function tools(): Promise<string> {
  const build = await rolldown({ input: fileURLToPath(new URL('../../src/tools/index.ts', import.meta.url)), platform: 'browser', logLevel: 'silent' })
  const { output: [{ code }] } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return code
}

async function bundle(name: string): Promise<string> {
  const entry = join(folder, sources.get(name) ?? '')
  const hash = createHash('sha256').update(versions).update(readFileSync(fileURLToPath(import.meta.url)))
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  const cache = join(tmpdir(), `tool-agent-frameworks-${process.getuid?.() ?? ''}`)
  const kept = join(cache, `${name.replace(/\W/g, '-')}-${hash.digest('hex').slice(0, 24)}.js`)
  if (existsSync(kept)) return readFileSync(kept, 'utf8')
  const build = await rolldown({
    input: entry,
    cwd: folder,
    platform: 'browser',
    plugins: [svelte],
    resolve: { alias: { vue: join(dirname(createRequire(import.meta.url).resolve('vue/package.json')), 'dist/vue.esm-bundler.js') } },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"', ngDevMode: 'false', ngJitMode: 'true',
        __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    logLevel: 'silent',
  })
  const { output: [{ code }] } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  mkdirSync(cache, { recursive: true })
  // Another worker may write the same file: whole or not at all.
  writeFileSync(`${kept}.${process.pid}`, code)
  renameSync(`${kept}.${process.pid}`, kept)
  return code
}

const theme = (): string => readFileSync(createRequire(import.meta.url).resolve('jquery-ui/dist/themes/base/jquery-ui.css'), 'utf8').replaceAll(/url\([^)]*\)/g, 'none')

/** Opens the framework's page, with the page tools ready to be called. */
export async function openFramework(page: Page, site: string, name: string): Promise<void> {
  const scripts = { 'framework.js': await once(name, () => bundle(name)), 'src/tools/index.ts': await once('tools', tools) }
  for (const [path, body] of Object.entries(scripts)) await page.route(`${site}/${path}`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.route(`${site}/framework`, (route) => route.fulfill({
    contentType: 'text/html',
    body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><style>${name === 'jQuery UI' ? theme() : ''}</style><body><div id="app"></div><script type="module" src="/framework.js"></script></body></html>`,
  }))
  const broken = new Promise<never>((_, reject) => { page.once('pageerror', reject) })
  await Promise.race([open(page, `${site}/framework`).then(() => page.locator('html[data-ready]').waitFor({ state: 'attached' })), broken])
}
