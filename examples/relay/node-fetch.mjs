// `fetch` for the relay in Node, over `node:http`, which takes less CPU than the built-in one. It sends one body and
// follows no redirect.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { directReader } from './direct.mjs'

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

/**
 * For the option `fetch` of the relay.
 * @type {import('./relay.mjs').Fetch}
 */
export function nodeFetch(url, { method, headers, body, signal }) {
  return new Promise((resolve, reject) => {
    const { protocol, hostname, port, pathname, search } = url
    const isTls = protocol === 'https:'
    const call = (isTls ? httpsRequest : httpRequest)({
      protocol,
      // Without the brackets of an IPv6 address.
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      path: pathname + search,
      method,
      agent: agents[isTls ? 'https:' : 'http:'],
      headers: { ...Object.fromEntries(headers), 'content-length': Buffer.byteLength(body) },
    })
    const abort = () => call.destroy(asError(signal.reason))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    call.on('error', reject)
    call.on('close', () => signal.removeEventListener('abort', abort))
    call.on('response', (answer) => {
      const { statusCode: status = 502 } = answer
      if (status >= 300 && status < 400) {
        call.destroy()
        reject(new TypeError(`The model redirects with status ${status}`))
        return
      }
      resolve(/** @type {any} */ (new Answer(status, answer)))
    })
    call.end(body)
  })
}

/** @param {unknown} reason */
function asError(reason) {
  return reason instanceof Error ? reason : new Error(String(reason))
}

class Answer {
  /** @param {number} status @param {import('node:http').IncomingMessage} answer */
  constructor(status, answer) {
    this.status = status
    this.ok = status < 300
    const { headers } = answer
    this.headers = {
      /** @param {string} name */
      get(name) {
        const value = headers[name]
        return value === undefined ? null : String(value)
      },
    }
    Object.assign(this, { [directReader]: readerOf(decoded(answer)) })
  }
}

/** The relay asks for no encoding, but some servers encode all answers. @param {import('node:http').IncomingMessage} answer @returns {import('node:stream').Readable} */
function decoded(answer) {
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  const decoders = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }
  const create = Object.hasOwn(decoders, encoding) ? decoders[/** @type {'gzip'} */ (encoding)] : undefined
  if (create === undefined) return answer
  const decoder = create()
  answer.on('error', (error) => decoder.destroy(error))
  answer.on('aborted', () => decoder.destroy(new Error('The connection to the model broke')))
  return answer.pipe(decoder)
}

/** Reads the next chunk only when it is asked for, so a slow page slows the model down. @param {import('node:stream').Readable} stream @returns {import('./direct.mjs').Reader} */
function readerOf(stream) {
  /** @type {Error | undefined} */
  let failed
  let hasEnded = false
  /** @type {(() => void) | undefined} */
  let wake
  const wakeUp = () => {
    wake?.()
    wake = undefined
  }
  stream.on('readable', wakeUp)
  stream.on('end', () => {
    hasEnded = true
    wakeUp()
  })
  stream.on('error', (error) => {
    failed ??= error
    wakeUp()
  })
  stream.on('close', () => {
    if (!hasEnded) failed ??= new Error('The connection to the model broke')
    wakeUp()
  })
  return {
    async read() {
      for (;;) {
        /** @type {Buffer | null} */
        const value = stream.read()
        if (value !== null) return { done: false, value }
        if (hasEnded) return { done: true }
        if (failed) throw failed
        await new Promise((resolve) => (wake = () => resolve(undefined)))
      }
    },
    async cancel() {
      stream.destroy()
    },
  }
}
