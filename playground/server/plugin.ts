// The development server's part of the playground: `/offline/v1` is the offline model, `/v1` the relay where one is
// configured and the offline model otherwise, and every page of the playground is sent with the strict policy that the
// SDK promises to work under.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Plugin } from 'vite'
import { isSameOrigin, pathOf, sendError, sendJson } from './http.js'
import { offlineHandler } from './offline-handler.js'
import { relayFrom, relayHandler, type RelaySettings } from './relay.js'

export { offlineHandler }

type Next = () => void
type Handler = (request: IncomingMessage, response: ServerResponse, next: Next) => void

/** Any endpoint may be typed into the model panel, so connections are the one thing that is not `'self'`. */
const policyParts = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  'connect-src *',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types tool-agent',
]

/** The policy of a page by its path. The laboratory parses pasted HTML, so it has one more policy of Trusted Types. */
export function policyOf(path: string): string {
  const policy = policyParts.join('; ')
  return path.startsWith('/playground/lab/') ? `${policy} playground-lab` : policy
}

/** Connect-style middleware for any Node server; what is not the playground's goes to `next`. */
export function playgroundHandler(env: Readonly<Record<string, string | undefined>> = process.env): Handler {
  const relay = relayFrom(env)
  return (request, response, next) => {
    const path = pathOf(request)
    if (path === '/playground/config.json') config(request, response, relay)
    else if (isUnder(path, '/offline/v1')) void offline(request, response)
    else if (isUnder(path, '/v1')) void (relay ? relayHandler(request, response, relay) : offline(request, response))
    else {
      if (isPage(path)) response.setHeader('content-security-policy', policyOf(path))
      next()
    }
  }
}

/** The plugin for `vite` and `vite preview`. */
export function playground(): Plugin {
  return {
    name: 'tool-agent-playground',
    configureServer(server) {
      server.middlewares.use(playgroundHandler())
    },
    configurePreviewServer(server) {
      server.middlewares.use(playgroundHandler())
    },
  }
}

/** The page learns that there is a relay and what it asks, never the key nor where. */
function config(request: IncomingMessage, response: ServerResponse, relay: RelaySettings | undefined): void {
  if (!isSameOrigin(request)) sendError(response, 403, 'Only pages of this origin may ask')
  else sendJson(response, 200, { relay: relay ? { model: relay.model ?? null } : null })
}

function offline(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (isSameOrigin(request)) return offlineHandler(request, response)
  sendError(response, 403, 'Only pages of this origin may use the offline model')
  return Promise.resolve()
}

function isUnder(path: string, base: string): boolean {
  return path === base || path.startsWith(`${base}/`)
}

function isPage(path: string): boolean {
  return path === '/' || path === '/index.html' || (path.startsWith('/playground/') && /(\/|\.html)$/.test(path))
}
