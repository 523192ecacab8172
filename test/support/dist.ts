// What `npm run build` makes, built once for each state of the sources: a fixture `dist` that is the folder's path. It
// does not use dist/ itself, which somebody may be building or packing while tests run.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { test as base } from 'playwright/test'
import { build } from '../../scripts/build.mjs'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/tool-agent')

export const test = base.extend<object, { dist: string }>({
  dist: [async ({}, use) => use(await builtFolder()), { scope: 'worker', timeout: 120_000 }],
})
export { expect } from 'playwright/test'

/** The built files for the sources as they are now. The first to come builds, the others wait for the folder to appear. */
export async function builtFolder(): Promise<string> {
  const folder = join(cache, await digest())
  const lock = `${folder}.lock`
  await mkdir(cache, { recursive: true })
  while (!existsSync(folder)) {
    try {
      await mkdir(lock)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await dropStale(lock)
      await pause(100)
      continue
    }
    try {
      if (existsSync(folder)) break
      const unfinished = `${folder}.${process.pid}`
      await build({ outDir: unfinished })
      await rename(unfinished, folder)
      await dropOld(folder)
    } finally {
      await rm(lock, { recursive: true, force: true })
    }
  }
  return folder
}

async function digest(): Promise<string> {
  const hash = createHash('sha256')
  const sources = (await readdir(join(root, 'src'), { recursive: true })).filter((file) => file.endsWith('.ts')).sort().map((file) => join('src', file))
  for (const file of ['package-lock.json', 'scripts/build.mjs', 'tsconfig.json', 'tsconfig.build.json', ...sources]) {
    hash.update(`${file}\0`).update(await readFile(join(root, file))).update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

/** A builder that was killed leaves its lock. */
async function dropStale(lock: string): Promise<void> {
  const age = await stat(lock).then((found) => Date.now() - found.mtimeMs, () => 0)
  if (age > 60_000) await rm(lock, { recursive: true, force: true })
}

/** Runs of earlier sources may still be reading theirs; an hour later they are not. */
async function dropOld(newest: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = await stat(path)
    if (path !== newest && !name.endsWith('.lock') && Date.now() - mtimeMs > 3_600_000) await rm(path, { recursive: true, force: true })
  }
}
