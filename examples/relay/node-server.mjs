// Runs a relay, or any other `fetch` handler, as a Node HTTP server.
import { createServer } from 'node:http'
import { Readable } from 'node:stream'

/**
 * A server that answers with `handle`. Closing the connection aborts the signal of its request.
 * @param {(request: Request) => Promise<Response>} handle
 */
export function nodeServer(handle) {
  return createServer(async (incoming, outgoing) => {
    const closed = new AbortController()
    outgoing.on('close', () => closed.abort())
    try {
      const response = await handle(requestOf(incoming, closed.signal))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      outgoing.flushHeaders()
      const reader = response.body?.getReader()
      closed.signal.addEventListener('abort', () => void reader?.cancel().catch(() => {}))
      // It may have been closed while `handle` was running.
      if (closed.signal.aborted) return void reader?.cancel().catch(() => {})
      for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
        if (!outgoing.write(part.value)) await drained(outgoing)
      }
      outgoing.end()
    } catch (error) {
      // The answer broke off. The page must see that, so the connection is closed without an end.
      if (outgoing.headersSent) outgoing.destroy()
      else {
        console.error(error)
        outgoing.writeHead(500).end()
      }
    }
  })
}

/** @param {import('node:http').IncomingMessage} incoming @param {AbortSignal} signal */
function requestOf(incoming, signal) {
  const { method = 'GET', headers, url = '/' } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).flatMap((one) => (one === undefined ? [] : [[name, one]])),
    ),
    signal,
    ...(hasBody ? { body: /** @type {any} */ (Readable.toWeb(incoming)), duplex: 'half' } : {}),
  })
}

/** @param {import('node:http').ServerResponse} outgoing @returns {Promise<void>} */
function drained(outgoing) {
  return new Promise((resolve) => {
    const end = () => {
      outgoing.off('drain', end)
      outgoing.off('close', end)
      resolve()
    }
    outgoing.once('drain', end)
    outgoing.once('close', end)
  })
}
