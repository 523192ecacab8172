// A plain static server on a loopback port: files as they are, with the types browsers insist on. What a page author's
// own server would be: no transforms, optional headers on every answer, a relay for the model, a place for reports.
import { readFile } from 'node:fs/promises'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { extname, join, normalize } from 'node:path'

export interface StaticOptions {
  /** Path prefix with slashes at both ends → folder, or folders that are tried in order. */
  readonly folders?: Record<string, string | readonly string[]>
  /** Gets each request first; calls `next` for what it does not answer. */
  readonly middleware?: (request: IncomingMessage, response: ServerResponse, next: () => void) => void
  /** Path → text. The extension of the path decides the type. */
  readonly files?: Record<string, string>
  /** Sent with every answer but those of the relay. */
  readonly headers?: Record<string, string>
  /** Path prefix → base URL that it is relayed to, such as `/v1` → `http://127.0.0.1:4010/v1`. */
  readonly relay?: Record<string, string>
}

export interface StaticServer {
  readonly url: string
  /** Bodies that were posted to `/reports`. */
  readonly reports: readonly unknown[]
  /** The requested paths, in order. */
  readonly requests: readonly string[]
  close(): Promise<void>
}

/** The strict policy under which everything has to work. */
export const strictPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types tool-agent',
].join('; ')

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.md': 'text/markdown; charset=utf-8',
}

export async function serveStatic(options: StaticOptions): Promise<StaticServer> {
  const reports: unknown[] = []
  const requests: string[] = []

  const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost')
    requests.push(pathname)
    if (pathname === '/reports') {
      reports.push(JSON.parse(await text(incoming)))
      return void response.writeHead(204).end()
    }
    for (const [prefix, target] of Object.entries(options.relay ?? {})) {
      if (pathname.startsWith(`${prefix}/`))
        return relay(incoming, response, target + pathname.slice(prefix.length) + search)
    }
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    const body = options.files?.[path] ?? (await fromFolders(path, options.folders ?? {}))
    if (body === undefined)
      return void response.writeHead(404, { ...options.headers, 'content-type': 'text/plain' }).end('Not found')
    response
      .writeHead(200, { ...options.headers, 'content-type': types[extname(path)] ?? 'application/octet-stream' })
      .end(body)
  }

  const server = createServer((incoming, response) => {
    const next = () =>
      void answer(incoming, response).catch((error: unknown) => {
        if (response.headersSent) response.destroy()
        else response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error))
      })
    if (options.middleware) options.middleware(incoming, response, next)
    else next()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    reports,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

async function fromFolders(path: string, folders: NonNullable<StaticOptions['folders']>): Promise<Buffer | undefined> {
  // The longest prefix wins, whatever the order of the entries.
  for (const [prefix, places] of Object.entries(folders).sort(([a], [b]) => b.length - a.length)) {
    if (!path.startsWith(prefix)) continue
    for (const folder of [places].flat()) {
      const file = join(folder, normalize(`/${decodeURIComponent(path.slice(prefix.length))}`))
      try {
        return await readFile(file)
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code !== 'ENOENT' && code !== 'EISDIR' && code !== 'ENOTDIR') throw error
      }
    }
  }
  return undefined
}

async function text(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Relays bytes as they arrive, so a stream stays a stream. A client that disconnects ends the relayed request. */
function relay(incoming: IncomingMessage, response: ServerResponse, target: string): void {
  const { host: _host, connection: _connection, ...headers } = incoming.headers
  const outgoing = request(target, { method: incoming.method ?? 'GET', headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  outgoing.on('error', (error) => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { 'content-type': 'text/plain' }).end(error.message)
  })
  response.on('close', () => outgoing.destroy())
  incoming.pipe(outgoing)
}
