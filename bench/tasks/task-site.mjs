// The site of the tasks: the page tools bundled from the source, the task pages, and jQuery UI. Everything is answered
// by a route of the browser context, so that no page needs a server or the network.
import { existsSync, readFileSync } from 'node:fs'
import { extname, join, normalize } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** The origin of the task pages. */
export const origin = 'https://tasks.example'
/** Milliseconds until an address below `/slow/` answers. */
const slow = 400

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
const packages = join(root, 'test/frameworks/node_modules')
const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
])

/** Whether the packages that some pages use are installed in test/frameworks. */
export const hasPackages = () => existsSync(join(packages, 'jquery-ui/dist/jquery-ui.js'))

/**
 * The modules of the page tools by file name; `tools.js` is the entry.
 * @returns {Promise<Map<string, string>>}
 */
async function bundleTools() {
  const build = await rolldown({
    cwd: root,
    input: { tools: join(root, 'src/tools.ts') },
    platform: 'browser',
    tsconfig: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    logLevel: 'silent',
  })
  const { output } = await build.generate({
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await build.close()
  return new Map(output.flatMap((one) => (one.type === 'chunk' ? [[one.fileName, one.code]] : [])))
}
/** @type {Promise<Map<string, string>> | undefined} */
let bundled

/**
 * Answers all requests of a browser context.
 * @param {import('playwright').BrowserContext} context
 */
export async function serveTasks(context) {
  const tools = await (bundled ??= bundleTools())
  await context.route('**/*', async (route) => {
    const { origin: from, pathname } = new URL(route.request().url())
    const path = normalize(pathname.replace(/^\/slow\//, '/'))
    if (pathname.startsWith('/slow/')) await pause(slow)
    const file = path.startsWith('/packages/') ? join(packages, path.slice('/packages/'.length)) : join(here, path)
    const body =
      tools.get(path.replace(/^\/tools\//, '')) ??
      (from === origin && existsSync(file) && types.has(extname(file)) ? readFileSync(file, 'utf8') : undefined)
    await (body === undefined
      ? route.fulfill({ status: 404, contentType: 'text/plain', body: 'Not found' })
      : route.fulfill({ contentType: types.get(extname(path)) ?? 'text/plain', body }))
  })
}
