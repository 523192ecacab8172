// Installs the packages of a folder that has a package.json and a lockfile of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether the packages are there and newer than the lockfile. @param {string} folder */
export function isInstalled(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

/**
 * Runs `npm ci` in the folder if that is needed. Where several processes ask for it, one runs it and the others wait.
 * @param {string} folder @param {string} name for messages
 */
export function installPackages(folder, name) {
  const lock = join(folder, 'node_modules.lock')
  while (!isInstalled(folder)) {
    if (!takes(lock)) continue
    try {
      if (!isInstalled(folder)) install(folder, name)
    } finally {
      rmdirSync(lock)
    }
  }
}

/** Milliseconds. Whoever has had a lock for longer was killed. */
const longest = 5 * 60_000

/** Makes the folder, or waits for a moment if another process has. @param {string} lock */
function takes(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
  if (Date.now() - since > longest) rmdirSync(lock)
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  return false
}

/** @param {string} folder @param {string} name */
function install(folder, name) {
  process.stderr.write(`Installing the packages of ${name}: npm ci\n`)
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...nodeHeaders() },
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ci failed in ${name}${error ? `: ${error.message}` : ''}`)
}

/** The headers that are installed with Node, so that a package with native code does not load them. */
function nodeHeaders() {
  const prefix = join(dirname(process.execPath), '..')
  return existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {}
}
