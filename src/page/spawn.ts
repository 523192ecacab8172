// Starts a host on a ladder: the worker file beside the script, a blob that imports it (a script from another origin
// may not start its file), the same host in the page. Each rung has try/catch, an error event and a ready handshake
// with a time-out, because browsers report a blocked worker in three different ways, and one of them is silence.
import { isObject } from '../core/json.js'
import { protocolVersion, type Port } from '../core/protocol.js'
import { pristine } from '../core/pristine.js'
import * as log from './log.js'

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
 * Where a worker finds what it loads by itself: beside its own file, which an author may have put elsewhere. A host that
 * is no worker has it all with it.
 */
export function modelUrls(workerUrl?: string): { readonly providerUrl?: string; readonly textProtocolUrl?: string } {
  if (typeof document !== 'object') return {}
  const place = workerUrl === undefined ? undefined : new URL(workerUrl, pristine(document).baseURI)
  return {
    providerUrl: (place ? new URL('./models/openai.js', place) : new URL('./models/openai.js', import.meta.url)).href,
    textProtocolUrl: (place ? new URL('./models/text-protocol.js', place) : new URL('./models/text-protocol.js', import.meta.url)).href,
  }
}

/** A host that has said it is ready. Rejects only where even the page cannot run one. */
export async function spawnHost(workerUrl?: string): Promise<SpawnedHost> {
  if (typeof Worker === 'function' && typeof document === 'object') {
    const url = workerUrl === undefined ? new URL('./worker.js', import.meta.url) : new URL(workerUrl, pristine(document).baseURI)
    const isForeign = url.origin !== location.origin
    const direct = isForeign ? undefined : await ready('worker', () => startWorker(url))
    if (direct) return direct
    if (isForeign) {
      const blob = await ready('blob-worker', () => startWorker(new URL(URL.createObjectURL(
        new Blob([`import ${JSON.stringify(url.href)}`], { type: 'text/javascript' })))))
      if (blob) return blob
    }
  }
  return spawnInPage()
}

function startWorker(url: URL): Worker {
  const policy = scriptPolicy()
  ownUrls.add(url.href)
  return new Worker(policy ? policy.createScriptURL(url.href) : url, { type: 'module' })
}

function ready(kind: 'worker' | 'blob-worker', start: () => Worker): Promise<SpawnedHost | undefined> {
  return new Promise((resolve) => {
    let worker: Worker
    try {
      worker = start()
    } catch (thrown) {
      log.debug(`No ${kind}`, thrown)
      return resolve(undefined)
    }
    const end = (host: SpawnedHost | undefined, why?: unknown) => {
      clearTimeout(timer)
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
      if (host === undefined) {
        worker.terminate()
        log.debug(`No ${kind}`, why)
      }
      resolve(host)
    }
    const onMessage = (event: MessageEvent<unknown>) => {
      if (!isObject(event.data) || event.data['type'] !== 'ready') return
      // A worker file of another version, out of some cache: the host in the page is of this one.
      if (event.data['protocol'] !== protocolVersion) end(undefined, 'it is of another version')
      else end({ kind, port: worker, terminate: () => worker.terminate() })
    }
    const onError = (event: Event) => {
      event.preventDefault()
      end(undefined, 'message' in event ? event.message : 'blocked')
    }
    const timer = setTimeout(() => end(undefined, 'it did not answer'), readyTimeout)
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
  })
}

/** The same host over a channel in this thread: where no worker starts, and in Node. */
async function spawnInPage(): Promise<SpawnedHost> {
  const [{ serve }, { openStore }, { openChannels }] = await Promise.all([import('../host/serve.js'), import('../host/store/open.js'), import('../host/session-channel.js')])
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: openStore(), locks: globalThis.navigator?.locks, channels: openChannels(), leaving: 600 })
  port1.start()
  return { kind: 'page', port: port1, terminate: () => port1.close() }
}
