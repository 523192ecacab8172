// A Redis server of one test, as a cluster of one node: it refuses scripts whose keys would be on different nodes.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages, packageFolder } from '../project/installed-packages.js'

/** What the tests use of the package `redis`. */
export interface Client {
  connect(): Promise<unknown>
  destroy(): void
  on(event: 'error', listener: (error: Error) => void): unknown
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>
}

/** A running server. */
export interface Redis {
  readonly port: number
  /** A connected client: of this server, or of the cluster that it is. */
  connect(kind: 'client' | 'cluster'): Promise<Client>
  /** Sends a command of one key, and returns what the server answers. */
  command(name: string, ...words: string[]): string
  stop(): Promise<void>
}

/** Why the server cannot start here; undefined if it can. */
export function missingRedis(): string | undefined {
  const { error } = spawnSync('redis-server', ['--version'])
  return error && 'needs redis-server: apt-get install redis-server'
}

/** Starts the server on a loopback port, without files. */
export async function startRedis(): Promise<Redis> {
  installPackages('relay')
  const [port, busPort] = await freePorts()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-redis-'))
  const options = {
    port,
    'cluster-port': busPort,
    bind: '127.0.0.1',
    dir: folder,
    save: '',
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
  }
  const server = spawn(
    'redis-server',
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise<void>((resolve, reject) => {
    let text = ''
    server.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('Ready to accept connections')) resolve()
    })
    void ended.then(() => reject(new Error(`redis-server ended: ${text}`)))
  })
  const clients: Client[] = []
  const redis: Redis = {
    port,
    async connect(kind) {
      const { createClient, createCluster } = createRequire(packageFolder('relay'))('redis') as {
        createClient(options: object): Client
        createCluster(options: object): Client
      }
      const url = `redis://127.0.0.1:${port}`
      const client = kind === 'client' ? createClient({ url }) : createCluster({ rootNodes: [{ url }] })
      client.on('error', () => {})
      clients.push(client)
      await client.connect()
      return client
    },
    command(...words) {
      const { stdout, stderr, status } = spawnSync('redis-cli', ['-p', String(port), ...words], { encoding: 'utf8' })
      if (status !== 0) throw new Error(`redis-cli failed: ${stderr}`)
      return stdout.trim()
    },
    async stop() {
      for (const client of clients) client.destroy()
      server.kill('SIGKILL')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
  redis.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  while (!redis.command('CLUSTER', 'INFO').includes('cluster_state:ok'));
  return redis
}

/** Two ports that were free a moment ago. */
async function freePorts(): Promise<[number, number]> {
  const servers = [createServer(), createServer()]
  const ports: number[] = []
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    ports.push((server.address() as AddressInfo).port)
  }
  for (const server of servers) await new Promise((resolve) => server.close(resolve))
  return [ports[0]!, ports[1]!]
}
