// Where a request of a browser comes from. CORS does not cover WebSockets, and any page may post, so both entries of a
// server ask this first.

/** What is needed of the request: an `IncomingMessage` of Node. */
export interface UpgradeRequest {
  readonly headers: {
    readonly host?: string | undefined
    readonly origin?: string | undefined
    readonly 'x-forwarded-proto'?: string | readonly string[] | undefined
  }
  /** `encrypted` is set by TLS. */
  readonly socket?: object
}

/** A browser always says the origin of a page, so a request without one is not from a page. */
export function isAllowed(request: UpgradeRequest, origins: readonly string[] | undefined): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return false
  if (origins) return origins.includes(origin)
  return host !== undefined && schemesOf(request).some((scheme) => origin === `${scheme}://${host}`)
}

/** What the page may have been loaded with. No page can set this header, and only what it says against one is used. */
function schemesOf({ headers, socket }: UpgradeRequest): readonly string[] {
  if (socket && 'encrypted' in socket && socket.encrypted === true) return ['https']
  // Of several proxies, the first one saw the page. Some say `wss`, because this is an upgrade.
  const [forwarded] = String(headers['x-forwarded-proto'] ?? '').split(',')
  return forwarded ? [forwarded.trim().toLowerCase().replace(/^ws/, 'http')] : ['https', 'http']
}
