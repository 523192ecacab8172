// `fetch` for the relay in Node, over `node:http`, which takes less CPU than the built-in one. It sends one body and
// follows no redirect.
import { Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { directSource, onAbort } from './direct.mjs'

const agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

/**
 * For the option `fetch` of the relay.
 * @type {import('./relay.mjs').Fetch}
 */
export function nodeFetch(url, options) {
  return new Promise((resolve, reject) => {
    const { method, headers, body } = options
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
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    })
    call.on('error', reject)
    const forget = onAbort(options, (reason) => call.destroy(asError(reason ?? 'The request was aborted')))
    call.on('close', forget)
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

/** What the relay uses of a `Response`. */
class Answer {
  /** @type {import('./direct.mjs').Source} */
  [directSource]
  body = null

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
    this[directSource] = nodeSource(decoded(answer))
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
  decoder.on('close', () => answer.destroy())
  return answer.pipe(decoder)
}

/**
 * The source of a stream. It is paused while the sink waits, so a slow page slows the model down.
 * @param {import('node:stream').Readable} stream
 * @returns {import('./direct.mjs').Source}
 */
function nodeSource(stream) {
  /** @type {unknown} */
  let failed
  // It may fail before anybody reads.
  stream.on('error', (error) => (failed = error))
  return (sink) => {
    const fail = () => {
      if (!stream.readableEnded) sink.fail(failed ?? new Error('The connection to the model broke'))
    }
    if (stream.closed) setImmediate(fail)
    stream.on('close', fail)
    stream.on('end', () => sink.end())
    stream.on('data', (/** @type {Buffer} */ bytes) => {
      if (!sink.write(bytes)) stream.pause()
    })
    return { resume: () => void stream.resume(), cancel: () => void stream.destroy() }
  }
}
