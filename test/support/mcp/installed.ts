// The packages of the MCP tests, which are not among the project's own: the first spec that needs them installs them
// into `test/mcp`.
import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** With a separator at its end. */
export const mcpFolder = fileURLToPath(new URL('../../mcp/', import.meta.url))

/** Installs the packages where they are missing or older than the lockfile. */
export function installMcpPackages(): void {
  const installed = join(mcpFolder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(mcpFolder, 'package-lock.json')).mtimeMs)
    return
  console.log('Installing the packages of the MCP tests: npm ci in test/mcp')
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: mcpFolder,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) throw new Error('npm ci failed in test/mcp')
}
