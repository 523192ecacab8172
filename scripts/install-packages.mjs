// Installs the packages of a folder that has a package.json and a lockfile of its own.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Whether the packages are there and newer than the lockfile. @param {string} folder */
export function isInstalled(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json')
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs
}

/** Runs `npm ci` in the folder if that is needed. @param {string} folder @param {string} name for messages */
export function installPackages(folder, name) {
  if (isInstalled(folder)) return
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
