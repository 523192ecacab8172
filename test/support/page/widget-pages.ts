// Pages with the widgets of component libraries, from `test/widgets`, which has packages of its own. The first spec that
// needs them installs them. Each page is bundled once and served to the browser by a route; what its widgets ask a
// server for comes from a server of the test.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readFileSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright/test'
import { rolldown } from 'rolldown'
import { buildOnce } from '../project/build-once.js'
import { installPackages, packageFolder } from '../project/installed-packages.js'
import { styles } from './frameworks.js'
import { test as onePage } from './one-page.js'
import { open } from './page-tools-call.js'

const folder = packageFolder('widgets')
const packages = createRequire(join(folder, 'package-lock.json'))

/** Each library with the file of its page. */
export const widgetPages: ReadonlyMap<string, string> = new Map([
  ['MUI', 'mui.jsx'],
  ['Ant Design', 'antd.jsx'],
  ['Mantine', 'mantine.jsx'],
  ['Radix and shadcn', 'radix.jsx'],
  ['PrimeReact', 'primereact.jsx'],
  ['Bootstrap with flatpickr and Tom Select', 'bootstrap.js'],
  ['Vuetify', 'vuetify.js'],
  ['Angular Material', 'angular-material.js'],
  ['Element Plus', 'element-plus.js'],
  ['Naive UI', 'naive-ui.js'],
])

/** The cities that the server knows. */
const cities = ['Madrid', 'Madison', 'Mainz', 'Paris', 'Parma', 'Berlin', 'Bern']

/** A widget of a page: what it is, and what a model passes to it. */
export interface WidgetRow {
  readonly widget: string
  readonly label: string
  readonly value: unknown
  /** What the application must hold after the fill. */
  readonly state: unknown
  /** Why it cannot be filled. */
  readonly fails?: string
}

export const test = onePage.extend<object, { citiesUrl: string }>({
  /** The address of the server that autocompletes ask. */
  citiesUrl: [
    async ({}, use) => {
      installPackages('widgets')
      const server = createServer((request, response) => {
        const wanted = new URL(request.url ?? '/', 'http://localhost').searchParams.get('q')?.toLowerCase() ?? ''
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(cities.filter((city) => city.toLowerCase().includes(wanted))))
      })
      await new Promise<void>((listening) => {
        server.listen(0, '127.0.0.1', listening)
      })
      await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/cities`)
      await new Promise((closed) => {
        server.close(closed)
        server.closeAllConnections()
      })
    },
    { scope: 'worker', timeout: 600_000 },
  ],
})
export { expect } from './one-page.js'

async function bundle(library: string): Promise<string> {
  const pages = readdirSync(folder).filter((file) => /\.jsx?$/.test(file) || file === 'package-lock.json')
  const made = await buildOnce(
    `widgets-${library.replace(/\W/g, '-')}`,
    ['test/support/page/widget-pages.ts', ...pages.sort().map((file) => `test/widgets/${file}`)],
    async (into) => {
      const build = await rolldown({
        input: join(folder, widgetPages.get(library) ?? ''),
        cwd: folder,
        platform: 'browser',
        plugins: [styles],
        resolve: { alias: { vue$: join(dirname(packages.resolve('vue/package.json')), 'dist/vue.esm-bundler.js') } },
        transform: {
          define: {
            'process.env.NODE_ENV': '"production"',
            'process.env.DEBUG_IME': 'undefined',
            'process.env': '({})',
            ngDevMode: 'false',
            ngJitMode: 'true',
            __VUE_OPTIONS_API__: 'true',
            __VUE_PROD_DEVTOOLS__: 'false',
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
          },
        },
        logLevel: 'silent',
      })
      await build.write({ file: join(into, 'widgets.js'), format: 'esm', codeSplitting: false })
      await build.close()
    },
  )
  return readFileSync(join(made, 'widgets.js'), 'utf8')
}

/** Opens the page of a library, with the page tools ready to be called. Returns its table. */
export async function openWidgets(page: Page, site: string, library: string, citiesUrl: string): Promise<WidgetRow[]> {
  const body = await bundle(library)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.route(`${site}/widgets.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  // From the origin of the page, because browsers ask before a page may use another server of this machine.
  await page.route(`${site}/cities?*`, async (route) => {
    const { search } = new URL(route.request().url())
    await route.fulfill({ response: await route.fetch({ url: citiesUrl + search }) })
  })
  await page.route(`${site}/widgets?*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${library}</title><link rel="icon" href="data:,"><body><main id="app"></main><script type="module" src="/widgets.js"></script></body></html>`,
    }),
  )
  const broken = new Promise<never>((_, reject) => {
    page.once('pageerror', reject)
  })
  await Promise.race([
    open(page, `${site}/widgets?`).then(() => page.locator('html[data-ready]').waitFor({ state: 'attached' })),
    broken,
  ])
  return page.evaluate(() => (window as unknown as { widgets: { rows: WidgetRow[] } }).widgets.rows)
}

/** What the application holds, by the labels of its widgets. */
export const widgetState = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => (window as unknown as { widgets: { state(): Record<string, unknown> } }).widgets.state())
