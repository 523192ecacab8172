// Starts a host on a ladder: the worker file beside the script, a blob that imports it (a script from another origin
// may not start its file), the same host in the page. Each rung has try/catch, an error event and a ready handshake
// with a time-out, because browsers report a blocked worker in three different ways, and one of them is silence.
import { errorMessage } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import { protocolVersion, type Port } from '../../core/data/protocol.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import * as log from '../log.js'

export interface SpawnedHost {
  readonly kind: 'worker' | 'blob-worker' | 'page'
  readonly port: Port
  /** Ends the thread; a page host ends with its port. */
  terminate(): void
}

const readyTimeout = 5_000

interface ScriptPolicy {
  createScriptURL(url: string): string
}
interface TrustedTypesLike {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy
}

const ownUrls = new Set<string>()
let policy: ScriptPolicy | undefined | null = null

/** One policy a page, for the worker's address alone; a page that forbids it gets the next rung. */
function scriptPolicy(): ScriptPolicy | undefined {
  if (policy !== null) return policy
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesLike }
  try {
    policy = trustedTypes?.createPolicy('tool-agent', {
      createScriptURL(url) {
        if (!ownUrls.has(url)) throw new TypeError(`Not a script of tool-agent: ${url}`)
        return url
      },
    })
  } catch (thrown) {
    policy = undefined
    log.debug('The policy was refused; add tool-agent to trusted-types for a worker', thrown)
  }
  return policy
}

/**
 * A file beside this script. The argument is written out in each place, because bundlers look for that expression; some
 * (Turbopack) give an object for it whose `href` has no origin, so it is resolved again.
 */
const beside = (found: URL): URL => new URL(found.href, unclobbered(document).baseURI)

/**
 * Where a worker finds what it loads by itself: beside its own file, which an author may have put elsewhere. A host
 * that is no worker has it all with it.
 */
export function modelUrls(workerUrl?: string): { readonly providerUrl?: string; readonly textProtocolUrl?: string } {
  if (typeof document !== 'object') return {}
  const place = workerUrl === undefined ? undefined : new URL(workerUrl, unclobbered(document).baseURI)
  return {
    providerUrl: (place ? new URL('./models/openai.js', place) : beside(new URL('./models/openai.js', import.meta.url)))
      .href,
    textProtocolUrl: (place
      ? new URL('./models/text-protocol.js', place)
      : beside(new URL('./models/text-protocol.js', import.meta.url))
    ).href,
  }
}

/** A host that has said it is ready. Rejects only where even the page cannot run one. */
export async function spawnHost(workerUrl?: string): Promise<SpawnedHost> {
  if (typeof Worker === 'function' && typeof document === 'object') {
    const url =
      workerUrl === undefined
        ? beside(new URL('./worker.js', import.meta.url))
        : new URL(workerUrl, unclobbered(document).baseURI)
    const isForeign = url.origin !== location.origin
    const explain = (kind: 'blob-worker' | 'page', why = '') => {
      import('../trace/explain-host.js')
        .then(({ explainHost }) => explainHost(kind, url.href, why))
        .catch(() => undefined) // A hint alone.
    }
    const host = await ready(isForeign ? 'blob-worker' : 'worker', () => startWorker(isForeign ? importing(url) : url))
    if (typeof host === 'object') {
      if (isForeign) explain('blob-worker')
      return host
    }
    explain('page', host)
  }
  return spawnInPage()
}

/** A script of this origin that imports one of another. */
function importing({ href }: URL): URL {
  return new URL(URL.createObjectURL(new Blob([`import ${JSON.stringify(href)}`], { type: 'text/javascript' })))
}

function startWorker(url: URL): Worker {
  const policy = scriptPolicy()
  ownUrls.add(url.href)
  return new Worker(policy ? policy.createScriptURL(url.href) : url, { type: 'module' })
}

/** The host, or why there is none. */
function ready(kind: 'worker' | 'blob-worker', start: () => Worker): Promise<SpawnedHost | string> {
  return new Promise((resolve) => {
    let worker: Worker
    try {
      worker = start()
    } catch (thrown) {
      return resolve(errorMessage(thrown))
    }
    const end = (host: SpawnedHost | string) => {
      clearTimeout(timer)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
      if (typeof host === 'string') worker.terminate()
      resolve(host)
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      if (!isObject(event.data) || event.data['type'] !== 'ready') return
      // A worker file of another version, out of some cache: the host in the page is of this one.
      if (event.data['protocol'] !== protocolVersion) end('its file is of another version')
      else end({ kind, port: worker, terminate: () => worker.terminate() })
    }
    const onError = (event: Event) => {
      event.preventDefault()
      end(
        'message' in event && typeof event.message === 'string' && event.message !== ''
          ? event.message
          : 'its file is missing or blocked',
      )
    }
    const timer = setTimeout(() => end('it did not answer'), readyTimeout)
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
  })
}

/** The same host over a channel in this thread: where no worker starts, and in Node. */
async function spawnInPage(): Promise<SpawnedHost> {
  const [{ serve }, { openStore }, { openChannels }] = await Promise.all([
    import('../../host/serve.js'),
    import('../../host/store/open-store.js'),
    import('../../host/tabs/session-channel.js'),
  ])
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: openStore(), locks: globalThis.navigator?.locks, channels: openChannels(), leaving: 600 })
  port1.start()
  return { kind: 'page', port: port1, terminate: () => port1.close() }
}
