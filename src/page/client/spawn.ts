// Starts a host. Tries, in this order: the worker file beside the script; a blob that imports it, if it is of another
// origin (browsers do not start those); the same host in the page. Browsers report a blocked worker as an exception, as
// an error event or not at all, so each try listens for all three and waits for a ready message, with a time limit.
import { errorMessage } from '../../core/data/errors.js'
import { loadExplained } from '../../core/loading/load-explained.js'
import { isObject } from '../../core/data/json.js'
import { protocolVersion, type HostConfig, type Port } from '../../core/data/protocol.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Turn, TurnEnd } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { AgentState } from '../agent-state.js'
import type { Provider } from '../options.js'
import type { PendingTurns } from '../pending-turns.js'
import { allowedWorkerUrl } from '../trusted-types.js'
import * as log from '../log.js'

/** The part of a page that knows how its turns end: see `SessionReplica`. */
export interface TurnEnds {
  readonly state: AgentState
  endTurn(turn: { readonly counted: number }, end: Pick<TurnEnd, 'turn' | 'reason' | 'error'>): void
  lostResult(): TurnResult
}

/** A host that is ready to receive messages. */
export interface SpawnedHost {
  /** Where it runs: a thread of the page, or a server. */
  readonly kind: 'worker' | 'blob-worker' | 'page' | 'server'
  /** The page's end of the channel. */
  readonly port: Port
  /** Ends the thread; closes the port of a host in the page, and the socket to a server. */
  terminate(): void
  /**
   * Of a server, which no page owns: settles the turns of this page that have gone on while it heard nothing, by the
   * session that the server has sent. `running`: the turn before that.
   */
  settle?(replica: TurnEnds, pending: PendingTurns, running: Turn | undefined): void
}

/** How long a worker may take to report that it is ready, in milliseconds. */
const readyTimeout = 5_000

/**
 * Resolves a URL against the base URL of the page.
 *
 * The development server of Vite 5 to 7 moves our scripts into its cache, `node_modules/.vite/deps/`, without the files
 * that they name with `new URL()`. Those files stay in the package, so this names them there.
 */
const absolute = (url: string): URL =>
  new URL(url.replace(/\/node_modules\/\..*\/deps\//, '/node_modules/tool-agent/dist/'), unclobbered(document).baseURI)

/**
 * The URLs of the files that a worker loads itself: beside its own file. Empty outside a page, where the host includes
 * them.
 *
 * `new URL('./file.js', import.meta.url)` must be written out each time, because bundlers look for that expression.
 * Some (Turbopack) replace it by an object whose `href` has no origin, so it is resolved again.
 */
export function modelUrls(
  provider: Exclude<Provider, 'browser'>,
  workerUrl?: string,
): Pick<HostConfig, 'providerUrl' | 'textProtocolUrl'> & { readonly fallbacksUrl?: string } {
  if (typeof document !== 'object') return {}
  // Functions, because `import.meta.url` is missing in some bundles. Their pages set `workerUrl`.
  const besideWorker = (file: string, besideScript: () => URL) =>
    (workerUrl === undefined ? absolute(besideScript().href) : new URL(file, absolute(workerUrl))).href
  return {
    providerUrl: besideWorker(`./models/${provider}.js`, providerFiles[provider]),
    textProtocolUrl: besideWorker(
      './models/text-protocol.js',
      () => new URL('./models/text-protocol.js', import.meta.url),
    ),
    fallbacksUrl: besideWorker('./models/fallbacks.js', () => new URL('./models/fallbacks.js', import.meta.url)),
  }
}

const providerFiles: Readonly<Record<Exclude<Provider, 'browser'>, () => URL>> = {
  anthropic: () => new URL('./models/anthropic.js', import.meta.url),
  openai: () => new URL('./models/openai.js', import.meta.url),
  google: () => new URL('./models/google.js', import.meta.url),
  'openai-responses': () => new URL('./models/openai-responses.js', import.meta.url),
  'ag-ui': () => new URL('./models/ag-ui.js', import.meta.url),
}

/** Starts a host and resolves when it is ready. Rejects only if no host can run in the page either. */
export async function spawnHost(workerUrl?: string): Promise<SpawnedHost> {
  if (typeof Worker === 'function' && typeof document === 'object') {
    const url = absolute(workerUrl ?? new URL('./worker.js', import.meta.url).href)
    const isForeign = url.origin !== location.origin
    const host = await startWorker(isForeign ? 'blob-worker' : 'worker', isForeign ? blobThatImports(url) : url)
    if (typeof host === 'object') {
      if (isForeign) explainHost('blob-worker', url.href)
      return host
    }
    explainHost('page', url.href, host)
  }
  const port = (
    await loadExplained(globalThis, () => import('../../host/in-page.js'), { has: 'serveInPage' })
  ).serveInPage()
  return { kind: 'page', port, terminate: () => port.close() }
}

/** The URL of a script of this origin that imports one of another origin. */
function blobThatImports({ href }: URL): URL {
  return new URL(URL.createObjectURL(new Blob([`import ${JSON.stringify(href)}`], { type: 'text/javascript' })))
}

function createWorker({ href }: URL): Worker {
  const worker = new Worker(allowedWorkerUrl(href), { type: 'module' })
  // Page tools watch what a page posts to its workers.
  return Object.assign(worker, { [Symbol.for('tool-agent:worker')]: true })
}

/** Starts a worker. Resolves with the host when it is ready, or with the reason why there is none. */
function startWorker(kind: 'worker' | 'blob-worker', url: URL): Promise<SpawnedHost | string> {
  return new Promise((resolve) => {
    let worker: Worker
    try {
      worker = createWorker(url)
    } catch (thrown) {
      return resolve(errorMessage(thrown))
    }
    const settled = new AbortController()
    const settle = (host: SpawnedHost | string) => {
      clearTimeout(timer)
      settled.abort()
      if (typeof host === 'string') worker.terminate()
      resolve(host)
    }
    const { signal } = settled
    const onMessage = ({ data }: MessageEvent<unknown>) => {
      if (!isObject(data) || data['type'] !== 'ready') return
      // A cached worker file of another version. The host in the page has the version of this script.
      if (data['protocol'] !== protocolVersion) settle('its file is of another version')
      else settle({ kind, port: worker, terminate: () => worker.terminate() })
    }
    const onError = (event: Event) => {
      event.preventDefault()
      settle((event as Partial<ErrorEvent>).message || 'its file is missing or blocked')
    }
    const timer = setTimeout(() => settle('it did not answer'), readyTimeout)
    worker.addEventListener('message', onMessage, { signal })
    worker.addEventListener('error', onError, { signal })
  })
}

/**
 * Explains in the console why the host does not run in a worker of its own file, and how to fix that. `why`: the error
 * of the worker. `url`: the file that was tried.
 */
function explainHost(kind: 'blob-worker' | 'page', url: string, why = ''): void {
  log.logInfo(
    [
      kind === 'page'
        ? `No worker could start (${why}), so the host runs in the page.`
        : 'The worker file is on another origin, so it is started from a blob.',
      `Worker file: ${url}.`,
      'To fix it, serve worker.js and the folder models beside it from the origin of the page,',
      'set worker-url if the file is not beside the script,',
      "and allow it with worker-src 'self'.",
      'With Vite 7 or older, add tool-agent to optimizeDeps.exclude.',
    ].join(' '),
    'host',
  )
}
