// Builds something once per state of its sources and caches it under `node_modules/.cache`. If several test workers
// need it at the same time, the first one builds and the others wait for the folder.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))
const cache = join(root, 'node_modules/.cache/tool-agent')

/**
 * Returns the folder that `build(folder)` filled from these files. `files` are paths relative to the project's root.
 */
export async function buildOnce(
  name: string,
  files: readonly string[],
  build: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(cache, `${name}-${await digest(files)}`)
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
    // A long build must not look like one that was killed.
    const beat = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => undefined), 10_000)
    try {
      if (existsSync(folder)) break
      const unfinished = `${folder}.${process.pid}`
      await build(unfinished)
      await rename(unfinished, folder)
      await dropOld(folder)
    } finally {
      clearInterval(beat)
      await rm(lock, { recursive: true, force: true })
    }
  }
  return folder
}

/** Every file in `folder` and its subfolders that has one of these extensions. */
export async function filesBelow(folder: string, endings: readonly string[]): Promise<string[]> {
  const names = await readdir(join(root, folder), { recursive: true })
  return names
    .filter((name) => endings.some((ending) => name.endsWith(ending)))
    .sort()
    .map((name) => join(folder, name))
}

async function digest(files: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(await readFile(join(root, file)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

/** Removes the lock of a builder that was killed. */
async function dropStale(lock: string): Promise<void> {
  const age = await stat(lock).then(
    (found) => Date.now() - found.mtimeMs,
    () => 0,
  )
  if (age > 60_000) await rm(lock, { recursive: true, force: true })
}

/** Removes builds older than a day. This run or another one may still be reading newer ones, and a run can take hours. */
async function dropOld(newest: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    const { mtimeMs } = await stat(path)
    if (path !== newest && !name.endsWith('.lock') && Date.now() - mtimeMs > 86_400_000)
      await rm(path, { recursive: true, force: true })
  }
}
