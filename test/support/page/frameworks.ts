// Fixture pages built with the real frameworks. Their packages are not among the project's own: the first spec that
// needs them installs them into `test/frameworks`. Each page is bundled once and served to the browser by a route.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright/test'
import { rolldown, type Plugin } from 'rolldown'
import { open } from './page-tools-call.js'
import { installPackages as install, isInstalled } from '../../../scripts/install-packages.mjs'
import { buildOnce } from '../project/build-once.js'
import { test as onePage } from './one-page.js'

const folder = fileURLToPath(new URL('../../frameworks/', import.meta.url))
/** Components of many libraries on one page. */
export const libraries = 'Libraries'
/** Widgets of jQuery UI that are chosen from. */
export const pickers = 'jQuery UI pickers'
/** Menus, lists and popovers of many libraries on one page. */
export const menus = 'Menus'
/** Tables of which all rows can be selected, in React. */
export const selectableRows = 'React rows'
/** Lists in React whose rows have their index as key. */
export const rowsByIndex = 'Rows by index'
/** Lists, boards and sliders of many libraries, moved by dragging. */
export const draggables = 'Draggables'
/** Editors of rich text and code. */
export const editors = 'Editors'
/** Editors whose code is large. */
export const largeEditors = 'Large editors'
/** Lists and grids of many libraries with more rows than the document has. */
export const longLists = 'Long lists'
/** Text fields of mask libraries and formatting scripts. */
export const masks = 'Masks'
/** Small applications of many libraries, with the places of their controls. */
export const placeApps = ['Places', 'Places in React'] as const
const sources = new Map([
  ['Places', 'places.js'],
  ['Places in React', 'places.jsx'],
  [masks, 'masks.js'],
  [editors, 'editors.jsx'],
  [largeEditors, 'editors-large.js'],
  [longLists, 'lists.jsx'],
  [draggables, 'drag.jsx'],
  [menus, 'menus.jsx'],
  [libraries, 'libraries.jsx'],
  [pickers, 'jquery-ui-pickers.js'],
  [selectableRows, 'react-rows.jsx'],
  [rowsByIndex, 'rows-by-index.jsx'],
  ['React', 'react.jsx'],
  ['Vue', 'vue.js'],
  ['Angular', 'angular.js'],
  ['Svelte', 'svelte.js'],
  ['Lit', 'lit.js'],
  ['jQuery UI', 'jquery-ui.js'],
])
export const frameworks = [...sources.keys()].filter(
  (name) =>
    ![
      libraries,
      pickers,
      menus,
      selectableRows,
      rowsByIndex,
      draggables,
      masks,
      editors,
      largeEditors,
      longLists,
      ...placeApps,
    ].includes(name) && existsSync(join(folder, sources.get(name) ?? '')),
)

/** Components in files of their own; everything else the bundler can read by itself. */
export const svelte: Plugin = {
  name: 'test:svelte',
  transform: {
    filter: { id: /\.svelte$/ },
    handler(code, id) {
      const { compile } = packages('svelte/compiler') as {
        compile(code: string, options: object): { js: { code: string } }
      }
      return { code: compile(code, { filename: id, generate: 'client' }).js.code, map: null }
    },
  },
}

/** Styles that code imports, which editors need to place their parts. */
export const styles: Plugin = {
  name: 'test:styles',
  load: {
    filter: { id: /\.css$/ },
    handler(id) {
      const css = JSON.stringify(readFileSync(id, 'utf8').replaceAll(/url\([^)]*\)/g, 'none'))
      const code = `document.head.appendChild(Object.assign(document.createElement('style'), { textContent: ${css} }))`
      return { code, moduleType: 'js', map: null }
    },
  },
}

const lockfile = join(folder, 'package-lock.json')
const packages = createRequire(lockfile)

export const test = onePage.extend<object, { frameworkPackages: undefined }>({
  /** Installs the packages of `test/frameworks` where they are missing or older than the lockfile. */
  frameworkPackages: [
    async ({}, use) => {
      await installPackages()
      await use(undefined)
    },
    { scope: 'worker', auto: true, timeout: 600_000 },
  ],
})
export { expect } from './one-page.js'

/** Installs those of a folder of `test/` if needed. The first test worker does it; the others wait until it is done. */
export async function installPackages(name: 'frameworks' | 'telemetry' = 'frameworks'): Promise<void> {
  const place = fileURLToPath(new URL(`../../${name}/`, import.meta.url))
  const lock = join(place, 'node_modules.lock')
  while (!isInstalled(place)) {
    try {
      mkdirSync(lock)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      if (Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Infinity) > 600_000)
        rmSync(lock, { recursive: true, force: true })
      await pause(500)
      continue
    }
    try {
      install(place, `test/${name}`)
    } finally {
      rmSync(lock, { recursive: true, force: true })
    }
  }
}

/** Once for each test worker. */
const made = new Map<string, Promise<string>>()
function once(name: string, make: () => Promise<string>): Promise<string> {
  const making = made.get(name) ?? make()
  made.set(name, making)
  return making
}

async function bundle(name: string): Promise<string> {
  const pages = [folder, join(folder, 'requests'), join(folder, '../telemetry')]
    .flatMap((place) => readdirSync(place).map((file) => relative(folder, join(place, file))))
    .filter((file) => /\.(?:jsx?|svelte)$|(?:^|\/)package-lock\.json$/.test(file))
    .sort()
  const made = await buildOnce(
    `framework-${name.replace(/\W/g, '-')}`,
    ['test/support/page/frameworks.ts', ...pages.map((file) => `test/frameworks/${file}`)],
    async (into) => {
      const build = await rolldown({
        input: join(folder, sources.get(name) ?? name),
        cwd: folder,
        platform: 'browser',
        plugins: [svelte, styles],
        resolve: { alias: { vue: join(dirname(packages.resolve('vue/package.json')), 'dist/vue.esm-bundler.js') } },
        transform: {
          define: {
            'process.env.NODE_ENV': '"production"',
            ngDevMode: 'false',
            ngJitMode: 'true',
            __VUE_OPTIONS_API__: 'true',
            __VUE_PROD_DEVTOOLS__: 'false',
            __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
          },
        },
        logLevel: 'silent',
      })
      await build.write({ file: join(into, 'framework.js'), format: 'esm', codeSplitting: false })
      await build.close()
    },
  )
  return readFileSync(join(made, 'framework.js'), 'utf8')
}

/** The code of one page of `test/frameworks/requests/`, such as `ky.js`. */
export const requestPage = (file: string): Promise<string> => once(file, () => bundle(`requests/${file}`))

/** The code of one page of `test/telemetry/`, which has packages of its own. */
export const telemetryPage = (file: string): Promise<string> =>
  once(file, async () => {
    await installPackages('telemetry')
    return bundle(`../telemetry/${file}`)
  })

const theme = (): string =>
  readFileSync(packages.resolve('jquery-ui/dist/themes/base/jquery-ui.css'), 'utf8').replaceAll(/url\([^)]*\)/g, 'none')

/** Serves the framework's page as `/framework`. `first`: a script that the page runs before. */
export async function serveFramework(page: Page, site: string, name: string, first = ''): Promise<void> {
  const body = await once(name, () => bundle(name))
  const styles = /jQuery UI|Menus/.test(name) ? theme() : ''
  await page.route(`${site}/framework.js`, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.route(`${site}/framework?*`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><html lang="en"><meta charset="utf-8"><title>${name}</title><style>${styles}</style><body><div id="app"></div><script type="module">${first}</script><script type="module" src="/framework.js"></script></body></html>`,
    }),
  )
}

/** Opens the framework's page, with the page tools ready to be called. */
export async function openFramework(page: Page, site: string, name: string): Promise<void> {
  await serveFramework(page, site, name)
  const broken = new Promise<never>((_, reject) => {
    page.once('pageerror', reject)
  })
  await Promise.race([
    open(page, `${site}/framework?`).then(() => page.locator('html[data-ready]').waitFor({ state: 'attached' })),
    broken,
  ])
}
