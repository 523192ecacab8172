// A server in a process of its own, which is killed: Node's http, `ws`, SQLite in a file, or PostgreSQL. It waits for a
// line with the file, or the schema, before it opens anything, so that the next process is there when this one is killed.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocketServer } from 'ws'
import { SessionServer, type SessionServerOptions } from '../../../../src/server/session-server.js'
import { upgradeHandler } from '../../../../src/server/upgrade.js'
import { plannedModel } from './model.js'

/** What the parent writes, a line each. */
export type Command =
  | { readonly open: string; readonly pageWait: number }
  | { readonly read: string; readonly user: string }

/** What a server serves. */
export type ServedStore = SessionServerOptions['store'] & { close(): unknown }

/** @param open opens a file, or a schema */
export async function serve(open: (place: string) => ServedStore, say: (value: unknown) => void): Promise<void> {
  let store: ServedStore | undefined
  say({ isLoaded: true })
  for await (const line of createInterface({ input: process.stdin })) {
    const command = JSON.parse(line) as Command
    if ('open' in command) {
      store = open(command.open)
      say({ port: await listen(store, command.pageWait) })
    } else {
      const session = await store?.forUser(command.user).read(command.read, 200)
      say({ session: session ?? null })
    }
  }
}

async function listen(store: ServedStore, pageWait: number): Promise<number> {
  const pause = () => wait(Math.random() < 0.9 ? Math.random() * 10 : Math.random() * 150)
  const model = plannedModel(pause, () => String(Math.floor(Math.random() * 1e15)))
  const server = new SessionServer({ store, model, limits: { pageWait, sockets: 10_000 } })
  const http = createServer()
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 1_048_576 })
  const authenticate = ({ headers: { cookie } }: IncomingMessage) => {
    const user = /user=(\w+)/.exec(cookie ?? '')?.[1]
    return user === undefined ? undefined : { user }
  }
  http.on('upgrade', upgradeHandler(server, { webSockets, authenticate }))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  process.once('SIGTERM', () => {
    void server
      .close()
      .then(() => store.close())
      .then(() => process.exit(0))
  })
  return (http.address() as AddressInfo).port
}
