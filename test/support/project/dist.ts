// What `npm run build` makes, built once for each state of the sources: a fixture `dist` that is the folder's path. It
// does not use `dist/` itself, which another process may be building or packing while tests run.
import { test as base } from 'playwright/test'
import { build } from '../../../scripts/build.mjs'
import { buildOnce, filesBelow, root } from './build-once.js'

export { root }

export const test = base.extend<object, { dist: string }>({
  dist: [async ({}, use) => use(await builtFolder()), { scope: 'worker', timeout: 120_000 }],
})
export { expect } from 'playwright/test'

/** The built files for the sources as they are now. */
export async function builtFolder(): Promise<string> {
  const files = [
    'package-lock.json',
    'scripts/build.mjs',
    'tsconfig.json',
    'tsconfig.build.json',
    ...(await filesBelow('src', ['.ts'])),
  ]
  return buildOnce('dist', files, async (folder) => void (await build({ outDir: folder })))
}
