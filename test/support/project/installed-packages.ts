// Packages of tests that are not among the project's own: the first spec that needs them installs them into a folder
// of `test/`.
import { fileURLToPath } from 'node:url'
import { installPackages as install } from '../../../scripts/install-packages.mjs'

/** A folder of `test/` that has its own packages, with a separator at its end. */
export function packageFolder(
  name: 'better-sqlite3' | 'mastra' | 'mcp' | 'newer-node' | 'postgres' | 'providers' | 'relay' | 'widgets',
): string {
  return fileURLToPath(new URL(`../../${name}/`, import.meta.url))
}

/** Installs the packages of a folder where they are missing or older than the lockfile. */
export function installPackages(name: Parameters<typeof packageFolder>[0]): void {
  install(packageFolder(name), `test/${name}`)
}
