// What the pages of the single-page applications are served with: one document, and its code bundled with the packages of
// `test/frameworks`. And the three ways in which such applications talk to a server with one address for all changes.
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { installPackages } from '../../../scripts/install-packages.mjs'

/** @typedef {import('../server.mjs').App} App */
/** @typedef {import('../server.mjs').Answer} Answer */
/** @typedef {import('../server.mjs').Received} Received */
/**
 * Answers a request with what `html` draws.
 * @typedef {(request: Received, data: any, html: () => string) => Answer | undefined} Handle
 */

const here = fileURLToPath(new URL('pages/', import.meta.url))
const folder = fileURLToPath(new URL('../../../test/frameworks/', import.meta.url))
const packages = createRequire(join(folder, 'package.json'))
/** @type {Map<string, Promise<string>>} */
const bundles = new Map()

/** The code of a page, bundled once. @param {string} file */
function bundleOf(file) {
  const made = bundles.get(file) ?? bundle(file)
  bundles.set(file, made)
  return made
}

/** @param {string} file */
async function bundle(file) {
  installPackages(folder, 'test/frameworks')
  const build = await rolldown({
    input: join(here, file),
    cwd: folder,
    platform: 'browser',
    resolve: {
      modules: [join(folder, 'node_modules')],
      alias: { vue: join(dirname(packages.resolve('vue/package.json')), 'dist/vue.esm-bundler.js') },
    },
    transform: {
      define: {
        'process.env.NODE_ENV': '"production"',
        __VUE_OPTIONS_API__: 'true',
        __VUE_PROD_DEVTOOLS__: 'false',
        __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
      },
    },
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'esm', codeSplitting: false })
  await build.close()
  return output[0].code
}

/**
 * An application of one document, whose code is `pages/<page>`.
 * @param {Omit<App, 'handle'> & Pick<Required<App>, 'group' | 'jobs'> & { page: string, language?: string, title: string,
 *   head?: string, body?: (data: any) => string, handle: (request: Received, data: any) => Answer | undefined }} options
 *   `head`: what runs before the assistant is loaded
 * @returns {App}
 */
export function spa({ page, language = 'en', title, head = '', body = () => '<div id="app"></div>', handle, ...app }) {
  const direction = language === 'ar' ? ' dir="rtl"' : ''
  const html = (
    /** @type {any} */ data,
  ) => `<!doctype html><html lang="${language}"${direction}><head><meta charset="utf-8"><title>${title}</title>
<link rel="icon" href="data:,"><style>${styles}</style>${head}</head>
<body>${body(data)}<script type="module" src="/page.js"></script></body></html>`
  return {
    ...app,
    async handle(request, data) {
      if (request.path === '/' && request.method === 'GET') return { html: html(data) }
      if (request.path === '/page.js') return { script: await bundleOf(page) }
      // An answer from far away: the page has shown the change by then.
      if (request.method !== 'GET') await new Promise((resolve) => setTimeout(resolve, 60))
      return handle(request, data)
    },
  }
}

/** The whole state at one address. @param {Received} request @param {any} data @returns {Answer | undefined} */
export function stateApi({ method, path, body }, data) {
  if (path !== '/api/state') return undefined
  if (method === 'PUT') Object.assign(data, body)
  return { json: data }
}

/**
 * One address for all procedures.
 * @param {Record<string, (data: any, params: any) => unknown>} procedures
 * @returns {(request: Received, data: any) => Answer | undefined}
 */
export const rpcApi =
  (procedures) =>
  ({ path, body }, data) =>
    path === '/rpc' ? { json: { result: procedures[body.method]?.(data, body.params) ?? null } } : undefined

/**
 * One address for all queries and mutations.
 * @param {Record<string, (data: any, variables: any) => unknown>} resolvers by operation
 * @returns {(request: Received, data: any) => Answer | undefined}
 */
export const graphqlApi =
  (resolvers) =>
  ({ path, body }, data) =>
    path === '/graphql' ? { json: { data: resolvers[body.operationName]?.(data, body.variables) ?? null } } : undefined

/** The entry of a list. @param {any[]} list @param {unknown} id */
export const entry = (list, id) => list.find((one) => one.id === id) ?? {}

/** Removes the entry of a list. @param {any[]} list @param {unknown} id */
export function drop(list, id) {
  const at = list.findIndex((one) => one.id === id)
  if (at >= 0) list.splice(at, 1)
}

/** Boxes that look like what they are; nothing says it to a machine. */
const styles = `
*{box-sizing:border-box} body{font:15px/1.5 sans-serif;margin:0;color:#222;width:820px} main{padding:14px}
h1{font-size:20px;margin:0 0 10px} .bar{display:flex;gap:8px;align-items:center;margin-bottom:10px}
.btn,.icon,.tab,.item,.opt,.row,.card{cursor:pointer} .btn{padding:5px 12px;border-radius:6px;background:#e8e8ee;display:inline-block}
.btn.main{background:#2f5fd0;color:#fff} .icon{width:28px;height:28px;display:inline-grid;place-items:center;border-radius:6px}
.icon svg{width:18px;height:18px} .row{display:flex;gap:12px;align-items:center;padding:8px;border-bottom:1px solid #ddd} .row>:first-child{flex:1}
.tab{padding:5px 10px} .tab.on{border-bottom:2px solid #2f5fd0} .shade{position:fixed;inset:0;background:#0006;z-index:20}
.sheet{position:fixed;inset-block:0;inset-inline-start:420px;width:380px;background:#fff;border:1px solid #ccc;padding:16px;z-index:10;transition:transform .2s}
.modal{position:fixed;top:120px;inset-inline-start:200px;width:360px;background:#fff;border-radius:10px;padding:18px;z-index:30;box-shadow:0 8px 30px #0005}
.menu{position:absolute;background:#fff;border:1px solid #ccc;border-radius:8px;z-index:40;padding:4px;min-width:150px} .item,.opt{padding:6px 10px}
.toast{position:fixed;bottom:20px;inset-inline-start:20px;background:#222;color:#fff;padding:10px 14px;border-radius:8px;z-index:50;display:flex;gap:14px}
.toggle{width:38px;height:22px;border-radius:11px;background:#bbb;cursor:pointer;position:relative} .toggle i{position:absolute;inset:3px auto 3px 3px;width:16px;border-radius:8px;background:#fff}
.toggle.active{background:#2a9d5c} .toggle.active i{inset-inline:auto 3px} .board{display:flex;gap:12px} .column{flex:1;background:#f1f1f4;border-radius:8px;padding:8px;min-height:260px}
.card{background:#fff;border:1px solid #ddd;border-radius:6px;padding:8px;margin-bottom:8px;display:flex;justify-content:space-between}
input,textarea{font:inherit;padding:5px;border:1px solid #bbb;border-radius:6px} .muted{color:#777} .editor{border:1px solid #bbb;border-radius:6px;padding:8px;min-height:40px}
`
