// The reference server of the Model Context Protocol, which uses all features. Its packages are not among the
// project's own: the first spec that needs them installs them into `test/mcp`.
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('../../mcp/', import.meta.url))
const script = 'node_modules/@modelcontextprotocol/server-everything/dist/transports/streamableHttp.js'

/** A running server. */
export interface EverythingServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the server on a loopback port. Installs it where it is missing or older than the lockfile. */
export async function startEverythingServer(): Promise<EverythingServer> {
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (!existsSync(installed) || statSync(installed).mtimeMs < statSync(join(folder, 'package-lock.json')).mtimeMs) {
    console.log('Installing the packages of the MCP tests: npm ci in test/mcp')
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error('npm ci failed in test/mcp')
  }
  const server: ChildProcess = fork(join(folder, script), {
    execArgv: ['--import', pathToFileURL(join(folder, 'loopback.mjs')).href],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const port = await new Promise<number>((resolve, reject) => {
    server.once('message', (message) => resolve(Number(message)))
    void ended.then(() => reject(new Error('The server ended before it listened')))
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      server.kill('SIGKILL')
      await ended
    },
  }
}
