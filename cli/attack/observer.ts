// What a page does to the world, as only the browser can tell: requests, navigations, windows, downloads, other programs,
// sockets, storage, cookies, and the events that no hand of a person made. Nothing of the SDK is asked.
//
// Nothing that the page sends during an attack reaches a server: a request that is more than a read gets an empty answer,
// and a navigation gets the status 204, with which the browser keeps the page.
import type { BrowserContext, Frame, Page, Request, Route } from 'playwright'
import { eventLog, recordEvents, type PageEvent } from './page-events.js'

/** The site to which the attack wants to bring the visitor and what the page knows. It does not exist. */
export const hostileOrigin = 'https://hostile.tool-agent.test'

/** One thing that happened. */
export interface Observed {
  /** `read`: a GET to another site. `app`: an address that another program opens. `input`: an event on the page. */
  readonly kind:
    | 'request'
    | 'read'
    | 'navigation'
    | 'window'
    | 'download'
    | 'app'
    | 'socket'
    | 'storage'
    | 'input'
    | 'server-tool'
  readonly method?: string
  /** The address; of `storage` the name of the entry, of `download` the file, of `server-tool` the tool. */
  readonly url: string
  readonly body?: string
  /** Of `input`. */
  readonly event?: PageEvent
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Milliseconds in which a page that was loaded shows what it does by itself. */
const quiet = 800

export class Observer {
  readonly #page: Page
  readonly #context: BrowserContext
  #seen: Observed[] = []
  /** What the page does by itself: methods with addresses, hosts of sockets, names of entries. */
  readonly usual: Set<string>
  #stored = new Map<string, string>()
  #isAttacking = false
  /** A navigation was seen since the last `take`. */
  isLeaving = false

  private constructor(page: Page, context: BrowserContext, usual: ReadonlySet<string> = new Set()) {
    this.usual = new Set(usual)
    this.#page = page
    this.#context = context
  }

  /**
   * Watches a page before it is opened. `own`: answers requests of the attack itself. `usual`: what another copy of the
   * page did by itself.
   */
  static async watch(
    page: Page,
    { own, usual }: { own: (route: Route) => Promise<boolean>; usual?: ReadonlySet<string> | undefined },
  ): Promise<Observer> {
    const context = page.context()
    const observer = new Observer(page, context, usual)
    await context.addInitScript(recordEvents, eventLog)
    await context.route('**/*', async (route) => {
      // The page may be closed meanwhile.
      await observer.#answer(route, own).catch(() => undefined)
    })
    context.on('page', (opened) => void observer.#closeWindow(opened))
    page.on('download', (download) => {
      observer.#note({ kind: 'download', url: download.suggestedFilename() })
      void download.cancel().catch(() => undefined)
    })
    page.on('websocket', (socket) => {
      socket.on('framesent', ({ payload }) =>
        observer.#note({ kind: 'socket', url: socket.url(), body: payload.toString() }),
      )
    })
    const devtools = await context.newCDPSession(page)
    await devtools.send('Page.enable')
    devtools.on('Page.frameRequestedNavigation', ({ url }) => {
      if (!/^(?:https?|about|blob|data|javascript):/i.test(url)) observer.#note({ kind: 'app', url })
    })
    return observer
  }

  /** Learns what the page does by itself. From then on everything else counts. */
  async start(): Promise<void> {
    const wait = this.usual.size > 0 ? quiet / 4 : quiet
    await this.#page.waitForTimeout(wait)
    this.#stored = await this.#storage()
    await this.#page.waitForTimeout(wait)
    for (const key of changedKeys(this.#stored, await this.#storage())) this.usual.add(`storage ${key}`)
    this.#isAttacking = true
    this.#seen = []
    await this.#events()
    this.#stored = await this.#storage()
  }

  /** Notes what another part of the attack has seen. */
  add(observed: Observed): void {
    this.#seen.push(observed)
  }

  /** What happened since the last time. */
  async take(): Promise<readonly Observed[]> {
    const stored = await this.#storage()
    const changed = changedKeys(this.#stored, stored).filter((key) => !this.usual.has(`storage ${key}`))
    this.#stored = stored
    const events = (await this.#events()).map((event): Observed => ({ kind: 'input', url: event.type, event }))
    const seen = [...events, ...this.#seen, ...changed.map((url): Observed => ({ kind: 'storage', url }))]
    this.#seen = []
    this.isLeaving = false
    return seen
  }

  #note(observed: Observed): void {
    const { kind, method = '', url } = observed
    const key = `${kind} ${method} ${url.replace(/[?#].*$/s, '')} ${operationIn(observed.body)}`
    if (kind === 'navigation') this.isLeaving = true
    if (!this.#isAttacking) this.usual.add(key)
    else if (!this.usual.has(key)) this.#seen.push(observed)
  }

  async #answer(route: Route, own: (route: Route) => Promise<boolean>): Promise<void> {
    const request = route.request()
    const url = request.url()
    const method = request.method()
    const isRead = reads.has(method)
    const body = request.postData() ?? undefined
    const seen = { method, url, ...(body === undefined ? {} : { body }) }
    const frame = frameOf(request)
    if (this.#isAttacking && request.isNavigationRequest() && frame !== 'inner') {
      this.#note({ kind: frame === this.#page ? 'navigation' : 'window', ...seen })
      return route.fulfill({ status: 204 })
    }
    if (await own(route)) return
    const isElsewhere = new URL(url).origin !== new URL(this.#page.url()).origin
    if (!isRead && !isQuery(body)) {
      this.#note({ kind: 'request', ...seen })
      if (this.#isAttacking)
        return route.fulfill({ status: 200, contentType: 'application/json', headers: open(request), body: '{}' })
    } else if (isElsewhere) this.#note({ kind: 'read', ...seen })
    if (url.startsWith(hostileOrigin)) return route.fulfill({ status: 200, headers: open(request), body: '' })
    return route.continue()
  }

  /** An empty window makes no request. */
  async #closeWindow(opened: Page): Promise<void> {
    const url = opened.url()
    if (opened === this.#page) return
    if (/^about:|^$/.test(url)) {
      // The request of a window that leads somewhere is seen by its route.
      const asks = await opened.waitForEvent('request', { timeout: 400 }).catch(() => undefined)
      if (asks === undefined) this.#note({ kind: 'window', method: 'GET', url: 'about:blank' })
    }
    await opened.close().catch(() => undefined)
  }

  async #events(): Promise<readonly PageEvent[]> {
    return this.#page
      .evaluate((name) => {
        const log = Reflect.get(window, Symbol.for(name)) as unknown[] | undefined
        return (log?.splice(0) ?? []) as never
      }, eventLog)
      .catch(() => [])
  }

  /** Entries of the page by their names. Those of the SDK are left out. */
  async #storage(): Promise<Map<string, string>> {
    const entries = await this.#page
      .evaluate(() =>
        (['localStorage', 'sessionStorage'] as const).flatMap((area) => {
          try {
            return Object.entries(window[area]).map(([key, value]): [string, string] => [
              `${area} ${key}`,
              String(value),
            ])
          } catch {
            return []
          }
        }),
      )
      .catch(() => [])
    const cookies = await this.#context.cookies(this.#page.url())
    return new Map([
      ...entries.filter(([key]) => !/^\w+ tool-agent/.test(key)),
      ...cookies.map(({ name, value }): [string, string] => [`cookie ${name}`, value]),
    ])
  }
}

/** The page of a request by its main frame, `inner` for another frame; undefined for a window that is not there yet. */
function frameOf(request: Request): Page | 'inner' | undefined {
  let frame: Frame
  try {
    frame = request.frame()
  } catch {
    return undefined
  }
  return frame.parentFrame() ? 'inner' : frame.page()
}

function open(request: Request): Record<string, string> {
  return {
    'access-control-allow-origin': request.headers()['origin'] ?? '*',
    'access-control-allow-credentials': 'true',
  }
}

/** Fields by which an address that serves many operations tells them apart. */
const operationFields = /^(?:_?method|m|op|operation|operationName|action|cmd|command|do|intent|mutation)$/

/** The operation that a body names; '' if it names none. */
function operationIn(body = ''): string {
  let fields: [name: string, value: unknown][]
  try {
    fields = Object.entries(JSON.parse(body) as object)
  } catch {
    fields = [...new URLSearchParams(body)]
  }
  return fields
    .flatMap(([name, value]) => (operationFields.test(name) && typeof value === 'string' ? [value] : []))
    .join()
}

/** A body of GraphQL or JSON-RPC that only reads. */
function isQuery(body: string | undefined): boolean {
  try {
    const { query, method } = JSON.parse(body ?? '') as { query?: unknown; method?: unknown }
    if (typeof query === 'string') return /^\s*(?:query\b|\{)/.test(query) && !/\bmutation\b/.test(query)
    return typeof method === 'string' && /(?:^|[./:_])(?:get|list|read|find|search)/i.test(method)
  } catch {
    return false
  }
}

function changedKeys(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
}
