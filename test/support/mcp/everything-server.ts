// The reference server of the Model Context Protocol, which uses all features.
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installPackages, packageFolder } from '../project/installed-packages.js'

const mcpFolder = packageFolder('mcp')
const script = 'node_modules/@modelcontextprotocol/server-everything/dist/transports/streamableHttp.js'

/** A running server. */
export interface EverythingServer {
  readonly url: string
  stop(): Promise<void>
}

/** Starts the server on a loopback port. Installs it where it is missing or older than the lockfile. */
export async function startEverythingServer(): Promise<EverythingServer> {
  installPackages('mcp')
  const server: ChildProcess = fork(join(mcpFolder, script), {
    execArgv: ['--import', pathToFileURL(join(mcpFolder, 'loopback.mjs')).href],
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
