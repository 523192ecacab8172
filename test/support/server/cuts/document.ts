// A document of a browser, as far as the client of a page notices one: a window with events, the storage of its tab,
// timers and sockets that end with it, and modules of its own.
import { compileFunction } from 'node:vm'
import type * as PageCode from './page.js'

/** What a page has of its browser. */
export interface DocumentGlobals {
  readonly WebSocket: unknown
  readonly setTimeout: unknown
  readonly clearTimeout: unknown
  readonly setInterval: unknown
  readonly clearInterval: unknown
  readonly crypto: unknown
}

/** The storage of a tab. Outlives its documents. */
export type TabStorage = Map<string, string>

type Listener = (event: object) => void

const names = [
  'globalThis',
  'window',
  'sessionStorage',
  'localStorage',
  'navigator',
  'WebSocket',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'crypto',
] as const

/** The code of a page, compiled once. */
export class PageProgram {
  readonly #run: (...given: unknown[]) => typeof PageCode

  /** @param text the bundle of page.ts, which declares `CutPage`. */
  constructor(text: string) {
    this.#run = compileFunction(`${text}\nreturn CutPage`, names as unknown as string[], {
      filename: 'page.js',
    }) as (...given: unknown[]) => typeof PageCode
  }

  /** Runs it in a document. */
  open(tab: TabStorage, given: DocumentGlobals): OpenDocument {
    return new OpenDocument(this.#run, tab, given)
  }
}

/** A document whose modules have run. */
export class OpenDocument {
  /** What its script exports. */
  readonly code: typeof PageCode
  readonly #listeners = new Map<string, Set<Listener>>()
  // A document that is gone writes nothing.
  #isGone = false

  constructor(run: (...given: unknown[]) => typeof PageCode, tab: TabStorage, given: DocumentGlobals) {
    const window = {
      addEventListener: (type: string, listener: Listener, options: { signal?: AbortSignal } = {}) => {
        const all = this.#listeners.get(type) ?? new Set()
        this.#listeners.set(type, all.add(listener))
        options.signal?.addEventListener('abort', () => all.delete(listener))
      },
      removeEventListener: (type: string, listener: Listener) => this.#listeners.get(type)?.delete(listener),
    }
    const globals = {
      ...given,
      window,
      sessionStorage: this.#storage(tab),
      localStorage: this.#storage(new Map()),
      navigator: undefined,
    }
    const properties = Object.entries(globals).map(([key, value]) => [key, { value, writable: true }] as const)
    const own: object = Object.create(globalThis, Object.fromEntries(properties)) as object
    const all: Record<string, unknown> = { ...globals, globalThis: own }
    this.code = run(...names.map((name) => all[name]))
  }

  /** An event of its window. */
  dispatch(type: string, event: object = {}): void {
    for (const listener of this.#listeners.get(type) ?? []) listener(event)
  }

  /** Nothing of it runs any more, and nothing that still runs is seen. */
  end(): void {
    this.#isGone = true
    this.#listeners.clear()
  }

  #storage(items: Map<string, string>) {
    return {
      getItem: (key: string) => items.get(key) ?? null,
      setItem: (key: string, value: string) => void (this.#isGone || items.set(key, value)),
      removeItem: (key: string) => void (this.#isGone || items.delete(key)),
    }
  }
}
