// The fixture `dist`: the folder of a build of the current sources, made once and then reused. It does not use `dist/`
// itself, because another process may build or pack it while tests run.
import { test as base } from 'playwright/test'
import { build } from '../../../scripts/build.mjs'
import { buildOnce, filesBelow, root } from './build-once.js'

export { root }

export const test = base.extend<object, { dist: string }>({
  dist: [async ({}, use) => use(await builtFolder()), { scope: 'worker', timeout: 120_000 }],
})
export { expect } from 'playwright/test'

/** The folder with the build of the current sources. */
export async function builtFolder(): Promise<string> {
  const files = [
    'package-lock.json',
    'scripts/build.mjs',
    'scripts/lit-apart.mjs',
    'scripts/manifest.mjs',
    ...(await filesBelow('themes', ['.css'])),
    'tsconfig.json',
    'tsconfig.build.json',
    ...(await filesBelow('scripts/licenses', ['.md'])),
    ...(await filesBelow('src', ['.ts'])),
    ...(await filesBelow('cli', ['.ts'])),
    ...(await filesBelow('playground/server', ['.ts'])),
    ...(await filesBelow('playground/offline', ['.ts'])),
  ]
  return buildOnce('dist', files, async (folder) => void (await build({ outDir: folder })))
}
