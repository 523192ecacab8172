// Packages of long tests that are not among the project's own: the first spec that needs them installs them into a folder
// of `test/`.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A folder of `test/` that has its own packages, with a separator at its end. */
export function packageFolder(name: 'mcp' | 'providers' | 'relay' | 'widgets'): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.url))
}

/** Installs the packages of a folder where they are missing or older than the lockfile. */
export function installPackages(name: Parameters<typeof packageFolder>[0]): void {
  const folder = packageFolder(name)
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return
  console.log(`Installing the packages of long tests: npm ci in test/${name}`)
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error(`npm ci failed in test/${name}`)
}
