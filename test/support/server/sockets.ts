// A server of sessions on the loopback, and pages that connect to it with real sockets.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { WebSocket, WebSocketServer } from 'ws'
import type { JsonValue } from '../../../src/core/data/json.js'
import type { ModelAdapter } from '../../../src/core/data/model.js'
import type { HostMessage, PageQuery } from '../../../src/core/data/protocol.js'
import type { Store, StoreChange } from '../../../src/core/state/store.js'
import { memoryStore, type MemoryDisk } from '../../../src/host/store/memory-store.js'
import { guestProtocol, type ServerMessage } from '../../../src/server/protocol/server-messages.js'
import { SessionServer, type SessionServerOptions } from '../../../src/server/session-server.js'
import { upgradeHandler, type UpgradeOptions } from '../../../src/server/upgrade.js'
import { uploadHandler, type UploadOptions } from '../../../src/server/upload.js'
import { tool } from '../lab/actors.js'
import { withFiles, type KeptFiles } from './memory-files.js'

/** What users have stored. It outlives a server. */
export class Disks {
  readonly #byUser = new Map<string, MemoryDisk>()
  /** Set: commits fail. */
  isFull = false
  /** Changes that cannot be written. */
  refuses: (change: StoreChange) => boolean = () => false
  /** Set: commits wait for it. */
  held: Promise<void> | undefined

  readonly files: KeptFiles = new Map()
  /** Set: the store keeps no files. */
  hasNoFiles = false

  forUser(user: string): Store {
    const disk = this.#byUser.get(user) ?? new Map<string, never>()
    this.#byUser.set(user, disk as MemoryDisk)
    const store = memoryStore(disk as MemoryDisk)
    const commit: Store['commit'] = async (...given) => {
      await this.held
      if (this.isFull || this.refuses(given[2])) throw new Error('The disk is full')
      await store.commit(...given)
    }
    const served: Store = { ...store, kind: 'server', commit }
    return this.hasNoFiles ? served : withFiles(served, this.files, user)
  }
}

type Given = Partial<SessionServerOptions> &
  Partial<Pick<UpgradeOptions<IncomingMessage>, 'origins'>> &
  Partial<Pick<UploadOptions<IncomingMessage>, 'types'>>

/** A server whose users are named by a cookie. */
export async function aServer(model: ModelAdapter, { origins, types, ...given }: Given = {}) {
  const disks = new Disks()
  const limits = { pageWait: 60_000, ...given.limits }
  const server = new SessionServer({ store: disks, model, ...given, limits })
  const http = createServer()
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 1_048_576 })
  const authenticate = ({ headers: { cookie } }: IncomingMessage) => {
    const [, user, left] = /^user=(\w+)(?:; left=(-?\d+))?$/.exec(cookie ?? '') ?? []
    return user ? { user, ...(left ? { expires: Date.now() + Number(left) } : {}) } : undefined
  }
  const from = { authenticate, ...(origins ? { origins } : {}) }
  http.on('upgrade', upgradeHandler(server, { webSockets, ...from }))
  http.on('request', uploadHandler(server, { ...from, ...(types ? { types } : {}) }))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const close = async () => {
    const sockets = [...webSockets.clients].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await server.close()
    await Promise.all(sockets)
    webSockets.close()
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  }
  /** Breaks all connections without saying so. */
  const cut = () => {
    for (const socket of webSockets.clients) socket.terminate()
  }
  return { server, disks, host: `127.0.0.1:${port}`, cut, close }
}

/** How a page behaves. */
export interface PageManner {
  /** What it answers to a query; undefined: it does not answer. */
  readonly answers?: (ask: PageQuery) => JsonValue | undefined
  readonly headers?: Record<string, string>
}

export const bought = (callId: string) => ({
  callId,
  attempts: 1,
  startedAt: 1,
  endedAt: 2,
  output: 'yes',
  text: 'yes',
})

/** Offers a tool, lets it run without a question, and says that it worked. */
export const runs = (ask: PageQuery): JsonValue | undefined => {
  if (ask.type === 'prepare') return { path: '/', tools: [tool] } as unknown as JsonValue
  if (ask.type === 'check') return ask.calls.map(({ callId }) => ({ callId, do: 'run', hash: 'h1', input: {} }))
  return ask.type === 'execute' ? bought(ask.callId) : undefined
}

/** The same, but asks the user. */
export const asks = (ask: PageQuery): JsonValue | undefined =>
  ask.type === 'check'
    ? ask.calls.map(({ callId }) => ({ callId, do: 'ask', hash: 'q1', input: {}, title: 'Buy' }))
    : runs(ask)

/** Uploads a file as a page does. Returns the status and what the server says. */
export async function upload(
  host: string,
  user: string,
  body: BodyInit,
  { headers = {}, ...given }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
): Promise<{ status: number; id?: string; error?: { code: string; message: string }; headers: Headers }> {
  const own = { cookie: `user=${user}`, origin: `http://${host}`, 'content-type': 'image/png', ...headers }
  const response = await fetch(`http://${host}/`, { method: 'POST', headers: own, body, ...given })
  const said = (await response.json().catch(() => ({}))) as object
  return { status: response.status, ...said, headers: response.headers }
}

let pages = 0

/** A page with one socket. */
export class Page {
  readonly seen: ServerMessage[] = []
  readonly #socket: WebSocket
  readonly #waiting = new Set<() => void>()
  /** The code with which the socket was closed. */
  closed: number | undefined
  #answers = 0

  constructor(host: string, user: string, { answers = () => undefined, headers = {} }: PageManner = {}) {
    const origin = { origin: `http://${host}` }
    this.#socket = new WebSocket(`ws://${host}/`, { headers: { cookie: `user=${user}`, ...origin, ...headers } })
    this.#socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as ServerMessage
      this.seen.push(message)
      if (message.type === 'ask') {
        const value = answers(message.ask)
        if (value !== undefined) this.say({ type: 'answer', id: `a${this.#answers++}`, ask: message.id, value })
      }
      this.#look()
    })
    this.#socket.on('close', (code) => {
      this.closed = code
      this.#look()
    })
    this.#socket.on('error', () => undefined)
  }

  /** Sends a message as it is. */
  say(message: object | string): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  /** Opens a session with a new document, and returns it as it is sent. */
  async open(tab: string, session?: string, brought: object = {}) {
    await this.until(({ type }) => type === 'ready')
    const page = `page${(pages += 1)}`
    const given = {
      protocol: guestProtocol,
      tab,
      page,
      running: [],
      outcomes: [],
      ...(session ? { session } : {}),
      ...brought,
    }
    this.say({ type: 'open', ...given })
    const opened = await this.until((message) => message.type === 'session')
    return opened as Extract<HostMessage, { type: 'session' }>
  }

  send(id: string, text = 'Go', files: readonly object[] = []): void {
    const facts = { url: 'https://shop.example/', title: 'Shop', lang: 'en', timeZone: 'UTC' }
    this.say({ type: 'send', id, text, files, facts, whenBusy: 'queue' })
  }

  /** The first message for which `isIt` holds, seen or to come. */
  until(isIt: (message: ServerMessage) => boolean): Promise<ServerMessage> {
    return this.#when(() => this.seen.find(isIt))
  }

  event(type: string): Promise<ServerMessage> {
    return this.until((message) => message.type === 'event' && message.event.type === type)
  }

  acknowledged(id: string): Promise<ServerMessage> {
    return this.until((message) => message.type === 'acknowledged' && message.id === id)
  }

  untilClosed(): Promise<number> {
    return this.#when(() => this.closed)
  }

  kinds(): string[] {
    return this.seen.flatMap((message) => (message.type === 'ask' ? [message.ask.type] : []))
  }

  /** The number of the newest query of a kind. */
  asked(kind: PageQuery['type']): number | undefined {
    return this.seen
      .flatMap((message) => (message.type === 'ask' && message.ask.type === kind ? [message.id] : []))
      .at(-1)
  }

  /** Breaks the connection without saying so. */
  vanish(): void {
    this.#socket.terminate()
  }

  #when<T>(look: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const check = () => {
        const found = look()
        if (found === undefined) return
        this.#waiting.delete(check)
        resolve(found)
      }
      this.#waiting.add(check)
      check()
    })
  }

  #look(): void {
    for (const check of this.#waiting) check()
  }
}
