// An authorization server on the loopback address, with what the sign-in of a visitor needs: metadata, registration, a
// page that signs in at once, codes that are bound to client, address and PKCE, and refresh tokens for one use.
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isObject, type JsonObject } from '../../../src/core/data/json.js'
import { finishSignIn } from '../../../src/mcp.js'

interface Grant {
  readonly client: string
  readonly redirect: string
  readonly challenge: string
  readonly scope: string
  readonly resource: string
}

export interface AuthorizationServer {
  readonly url: string
  /** Each request to the endpoints, such as `authorize` or `token refresh_token`, in order. */
  readonly log: string[]
  /** The parameters of the newest request to the page of the sign-in. */
  asked: URLSearchParams
  /** Metadata in place of the usual ones. */
  metadata: JsonObject
  /** The parameters with which the visitor comes back in place of the usual ones. */
  comeBack: (usual: URLSearchParams) => URLSearchParams
  /** Shows a page with a link back, which is cut off from its opener, instead of signing in at once. */
  showsPage: boolean
  /** The clients that the author has registered. */
  readonly clients: Set<string>
  /** Returns the challenge for a request without a token that is good for these scopes. */
  challenge(headers: IncomingMessage['headers'], resource: string, scope?: string): string | undefined
  /** Access tokens are refused from now on, and refresh tokens too if `isRevoked`. */
  expire(isRevoked?: boolean): void
  /** Everything secret that it has issued. */
  readonly secrets: string[]
  close(): Promise<void>
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const codes = new Map<string, Grant>()
  const access = new Map<string, Grant>()
  const refresh = new Map<string, Grant>()
  let resource = ''
  let port = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', api.url)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    const json = (value: object, status = 200) =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    switch (url.pathname) {
      case '/resource':
        return json({ resource, authorization_servers: [api.url] })
      case '/.well-known/oauth-authorization-server':
        return json({
          issuer: api.url,
          authorization_endpoint: `${api.url}/authorize`,
          token_endpoint: `${api.url}/token`,
          registration_endpoint: `${api.url}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
          ...api.metadata,
        })
      case '/register': {
        api.log.push('register')
        const client_id = `client-${api.clients.size}`
        api.clients.add(client_id)
        return json({ ...(JSON.parse(body) as JsonObject), client_id }, 201)
      }
      case '/authorize':
        return authorize(url.searchParams, response)
      case '/token': {
        const grant = redeem(new URLSearchParams(body))
        return grant === undefined ? json({ error: 'invalid_grant' }, 400) : json(issue(grant))
      }
      default:
        return void response.writeHead(404).end()
    }
  }

  function authorize(given: URLSearchParams, response: ServerResponse): void {
    api.log.push('authorize')
    api.asked = given
    const get = (name: string) => given.get(name) ?? ''
    if (!api.clients.has(get('client_id')) || get('code_challenge_method') !== 'S256')
      return void response.writeHead(400).end('refused')
    const code = secret('code')
    codes.set(code, {
      client: get('client_id'),
      redirect: get('redirect_uri'),
      challenge: get('code_challenge'),
      scope: get('scope'),
      resource: get('resource'),
    })
    const back = new URL(get('redirect_uri'))
    back.search = api.comeBack(new URLSearchParams({ code, state: get('state'), iss: api.url })).toString()
    if (!api.showsPage) return void response.writeHead(302, { location: back.href }).end()
    const headers = { 'content-type': 'text/html', 'cross-origin-opener-policy': 'same-origin' }
    const page = `<!doctype html><title>Accounts</title><a href="${back.href.replaceAll('&', '&amp;')}">Allow</a>`
    response.writeHead(200, headers).end(page)
  }

  function redeem(given: URLSearchParams): Grant | undefined {
    const get = (name: string) => given.get(name) ?? ''
    api.log.push(`token ${get('grant_type')}`)
    const [grants, key] = get('grant_type') === 'refresh_token' ? [refresh, get('refresh_token')] : [codes, get('code')]
    const grant = grants.get(key)
    grants.delete(key)
    if (grant === undefined || grant.client !== get('client_id') || grant.resource !== get('resource')) return undefined
    if (grants === refresh) return grant
    const challenge = createHash('sha256').update(get('code_verifier')).digest('base64url')
    return grant.challenge === challenge && grant.redirect === get('redirect_uri') ? grant : undefined
  }

  function issue(grant: Grant): object {
    const [access_token, refresh_token] = [secret('access'), secret('refresh')]
    access.set(access_token, grant)
    refresh.set(refresh_token, grant)
    return { access_token, refresh_token, token_type: 'Bearer', expires_in: 3_600 }
  }

  function secret(kind: string): string {
    const value = `${kind}-${randomBytes(12).toString('hex')}`
    api.secrets.push(value)
    return value
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  const api: AuthorizationServer = {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    log: [],
    asked: new URLSearchParams(),
    metadata: {},
    comeBack: (usual) => usual,
    showsPage: false,
    clients: new Set(),
    challenge(headers, of, scope = '') {
      resource = of
      const given = access.get(String(headers.authorization).replace(/^Bearer /, ''))
      const metadata = `Bearer resource_metadata="${api.url}/resource"`
      const asked = scope === '' ? '' : `, scope="${scope}"`
      if (given === undefined || given.resource !== of) return `${metadata}${asked}`
      const granted = given.scope.split(' ')
      if (scope.split(' ').every((one) => one === '' || granted.includes(one))) return undefined
      return `${metadata}, error="insufficient_scope"${asked}`
    },
    expire(isRevoked = false) {
      access.clear()
      if (isRevoked) refresh.clear()
    },
    secrets: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (isObject(address)) port = Number(address['port'])
  return api
}

/** What a test sees of the windows of sign-ins. */
export interface Windows {
  /** The addresses to which they were led, one for each window. */
  readonly addresses: string[]
  /** The windows that are open. */
  readonly open: Set<object>
  /** What the page of the return ended with. */
  readonly returns: boolean[]
  /** False: the browser opens none. */
  isAllowed: boolean
  /** Waits for all pages. */
  restore(): Promise<void>
}

/**
 * Windows for Node: each follows the redirects of the address to which it is led, and runs the page at `redirectUrl`, which
 * calls `finishSignIn()`.
 */
export function openWindowsInNode(redirectUrl: string): Windows {
  const visits: Promise<void>[] = []
  const windows: Windows = {
    addresses: [],
    open: new Set(),
    returns: [],
    isAllowed: true,
    async restore() {
      await Promise.all(visits)
      for (const name of ['open', 'close']) Reflect.deleteProperty(globalThis, name)
    },
  }
  async function visit(first: string, opened: object): Promise<void> {
    windows.addresses.push(first)
    for (let address: string | null = first; address !== null;) {
      if (!address.startsWith(redirectUrl)) {
        const response: Response = await fetch(address, { redirect: 'manual' })
        address = response.headers.get('location')
        continue
      }
      const page = { location: new URL(address), history: { replaceState: () => undefined } }
      const before = Object.keys(page).map(
        (name) => [name, Reflect.getOwnPropertyDescriptor(globalThis, name)] as const,
      )
      for (const [name, value] of Object.entries(page))
        Object.defineProperty(globalThis, name, { value, configurable: true })
      const returned = finishSignIn()
      for (const [name, descriptor] of before) {
        Reflect.deleteProperty(globalThis, name)
        if (descriptor) Object.defineProperty(globalThis, name, descriptor)
      }
      windows.returns.push(await returned)
      windows.open.delete(opened)
      return
    }
  }
  const open = () => {
    if (!windows.isAllowed) return null
    const opened = {
      opener: globalThis as unknown,
      location: { replace: (address: string) => void visits.push(visit(address, opened)) },
      close: () => void windows.open.delete(opened),
    }
    windows.open.add(opened)
    return opened
  }
  Object.defineProperty(globalThis, 'open', { value: open, configurable: true })
  Object.defineProperty(globalThis, 'close', { value: () => undefined, configurable: true })
  return windows
}
