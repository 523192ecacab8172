// Builds something once per state of its sources and caches it under `node_modules/.cache`. If several test workers
// need it at the same time, the first one builds and the others wait for the folder.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
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
      await writeFile(lock, String(process.pid), { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await dropStale(lock)
      await pause(100)
      continue
    }
    try {
      if (existsSync(folder)) break
      const unfinished = `${folder}.${process.pid}`
      await build(unfinished)
      await rename(unfinished, folder)
      await dropOld(folder)
    } finally {
      await rm(lock, { force: true })
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

/**
 * Removes the lock of a builder that was killed. Its age says nothing: a build is one long task, in which a busy machine
 * runs no timer for a minute.
 */
async function dropStale(lock: string): Promise<void> {
  const builder = Number(await readFile(lock, 'utf8').catch(() => ''))
  if (builder > 0 && !isRunning(builder)) await rm(lock, { force: true })
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
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
