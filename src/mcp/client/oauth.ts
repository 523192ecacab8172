// The sign-in of the visitor to a protected server. The official client has the protocol; this file has its memory, who
// may be asked, and the way back of the code. Tokens are in memory only, so a page that is loaded again has none.
import {
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import { errorMessage, ToolAgentError } from '../../core/data/errors.js'
import { normalizeText, truncate } from '../../page-tools/dom/text.js'
import type { McpOAuthSettings } from '../options.js'
import { received, signInChannel, type SignInWindow } from '../sign-in-window.js'
import { bounded, type Tokens } from './mcp-http.js'

/** Milliseconds for one request of discovery, registration or token. */
const requestTimeout = 20_000
/** The longest answer to such a request, in bytes. */
const mostBytes = 1_048_576

/** What the server last asked for. */
interface Challenge {
  readonly resourceMetadataUrl?: URL
  readonly scope?: string
}

/** The tokens for one server, and how the page gets them. */
export class OAuthSession implements Tokens {
  readonly #server: URL
  readonly #settings: McpOAuthSettings
  /** By the issuer of the authorization server. */
  readonly #clients = new Map<string, StoredOAuthClientInformation>()
  #isClosed = false
  #tokens: StoredOAuthTokens | undefined
  /** The scopes of the newest sign-in, which a server need not repeat. */
  #asked: string | undefined
  #challenge: Challenge | undefined
  /** Several requests are refused at the same time, but a refresh token is often good for one use. */
  #refreshing: Promise<boolean> | undefined
  #flow: Flow | undefined
  /** The server refuses requests until the visitor signs in. */
  isSignInNeeded = false

  constructor(server: URL, settings: McpOAuthSettings) {
    this.#server = server
    this.#settings = settings
  }

  /** Whether a request would be refused for sure. */
  get isSignedOut(): boolean {
    return this.isSignInNeeded && this.#tokens === undefined
  }

  /** Whether the server has said where the visitor signs in. */
  get isChallenged(): boolean {
    return this.#challenge !== undefined
  }

  /** The header of each request. */
  get headers(): Readonly<Record<string, string>> {
    return this.#tokens ? { authorization: `Bearer ${this.#tokens.access_token}` } : {}
  }

  /**
   * Takes note of a refusal. Resolves with true if there is another token now, without the visitor. `sent`: the
   * `authorization` that was refused.
   */
  async renew(response: Response, sent: string | undefined, mayRefresh: boolean): Promise<boolean> {
    const { authorization } = this.headers
    if (authorization !== undefined && authorization !== sent) return true
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response)
    const granted = computeScopeUnion(this.#tokens?.scope, this.#asked)
    const wanted = response.status === 403 ? computeScopeUnion(granted, scope) : scope
    this.#challenge = {
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      ...(wanted === undefined ? {} : { scope: wanted }),
    }
    // A refresh cannot add scopes. A server that asks for what it has granted would ask for ever.
    if (response.status === 403) {
      this.isSignInNeeded = isStrictScopeSuperset(wanted, granted)
      return false
    }
    if (mayRefresh && this.#tokens?.refresh_token !== undefined) {
      this.#refreshing ??= this.#refresh().finally(() => {
        this.#refreshing = undefined
      })
      if (await this.#refreshing) return true
    } else this.#tokens = undefined
    this.isSignInNeeded = true
    return false
  }

  /**
   * Signs the visitor in. Rejects with `unavailable` if that fails, or if another sign-in begins.
   * @param window Opened in the press of the visitor.
   */
  async signIn(window: SignInWindow): Promise<void> {
    this.#flow?.end('Another sign-in began.')
    const flow = new Flow(window)
    this.#flow = flow
    const provider = this.#provider(flow)
    const options = { serverUrl: this.#server, fetchFn: this.#fetch, forceReauthorization: true, ...this.#challenge }
    try {
      await Promise.race([flow.ended, auth(provider, options)])
      const answer = await Promise.race([flow.ended, flow.answer])
      const authorizationCode = answer.get('code')
      if (authorizationCode === null)
        throw new Error(
          `the authorization server refused it (${/^\w{1,40}$/.exec(answer.get('error') ?? '') ?? 'no code'})`,
        )
      const iss = answer.get('iss')
      await Promise.race([
        flow.ended,
        auth(provider, { ...options, authorizationCode, ...(iss === null ? {} : { iss }) }),
      ])
    } catch (thrown) {
      window.close()
      if (thrown instanceof ToolAgentError) throw thrown
      const why = truncate(normalizeText(errorMessage(thrown)), 300)
      throw new ToolAgentError('unavailable', `The sign-in to ${this.#server.origin} failed: ${why}`)
    } finally {
      flow.close()
      if (this.#flow === flow) this.#flow = undefined
    }
  }

  /** Forgets everything. A sign-in that is under way fails. */
  close(): void {
    this.#isClosed = true
    this.#flow?.end('The connection to the server was closed.')
    this.#tokens = undefined
  }

  async #refresh(): Promise<boolean> {
    const before = this.#tokens
    try {
      await auth(this.#provider(), { serverUrl: this.#server, fetchFn: this.#fetch, ...this.#challenge })
    } catch {
      // What is wrong with a refresh is seen in its result. Without the network the token is tried again.
    }
    return this.#tokens !== undefined && this.#tokens !== before
  }

  /** `flow`: undefined where the visitor must not be asked. */
  #provider(flow?: Flow): OAuthClientProvider {
    const { redirectUrl, clientId } = this.#settings
    const isDocument = clientId !== undefined && /^https:\/\/[^/]+\/./.test(clientId)
    let discovery: OAuthDiscoveryState | undefined
    let verifier = ''
    return {
      redirectUrl,
      clientMetadata: {
        client_name: new URL(redirectUrl).host,
        redirect_uris: [redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      ...(isDocument ? { clientMetadataUrl: clientId } : {}),
      state: () => flow?.state ?? '',
      clientInformation: (context) => this.#client(context?.issuer ?? '', isDocument ? undefined : clientId),
      saveClientInformation: (client, context) => void this.#clients.set(context?.issuer ?? '', client),
      tokens: () => this.#tokens,
      saveTokens: (tokens) => {
        if (this.#isClosed || flow?.isEnded === true) return
        this.#tokens = tokens
        this.isSignInNeeded = false
      },
      redirectToAuthorization: (url) => {
        if (flow === undefined) throw new Error('the visitor has to sign in')
        if (flow.isEnded) return
        this.#check(url)
        this.#asked = url.searchParams.get('scope') ?? undefined
        flow.window.go(url)
      },
      saveCodeVerifier: (value) => {
        verifier = value
      },
      codeVerifier: () => verifier,
      invalidateCredentials: (what) => {
        if (what === 'all' || what === 'tokens') this.#tokens = undefined
        if (what === 'all' || what === 'client') this.#clients.clear()
      },
      saveDiscoveryState: (state) => {
        discovery = state
      },
      discoveryState: () => discovery,
    }
  }

  /** An id that the author has registered belongs to one authorization server: the first. */
  #client(issuer: string, fixed: string | undefined): StoredOAuthClientInformation | undefined {
    if (fixed !== undefined && this.#clients.size === 0) this.#clients.set(issuer, { client_id: fixed, issuer })
    return this.#clients.get(issuer)
  }

  /** A server names addresses, so they must be as safe as its own. */
  #check(url: string | URL): void {
    const { protocol, origin } = new URL(url)
    if (protocol !== 'https:' && protocol !== this.#server.protocol)
      throw new Error(`an address of the sign-in is not encrypted: ${origin}`)
  }

  readonly #fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    this.#check(url)
    const response = await fetch(url, {
      ...init,
      credentials: 'omit',
      // The body of a redirected request would go to another server, with the code in it.
      redirect: init.method === 'POST' ? 'error' : 'follow',
      signal: AbortSignal.timeout(requestTimeout),
    })
    return bounded(response, mostBytes)
  }
}

/** One sign-in, from the press to the token. */
class Flow {
  readonly window: SignInWindow
  /** 256 random bits. */
  readonly state = [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  /** The query with which the authorization server came back. */
  readonly answer: Promise<URLSearchParams>
  /** Rejects if the sign-in ends without an answer. */
  readonly ended: Promise<never>
  isEnded = false
  readonly #channel = signInChannel(this.state)
  #fail: (error: Error) => void = () => undefined

  constructor(window: SignInWindow) {
    this.window = window
    this.ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.ended.catch(() => undefined)
    this.answer = new Promise((resolve) => {
      this.#channel.onmessage = ({ data }: MessageEvent) => {
        const answer = new URLSearchParams(String(data))
        if (answer.get('state') !== this.state) return
        this.#channel.postMessage(received)
        resolve(answer)
      }
    })
  }

  end(why: string): void {
    this.isEnded = true
    this.#fail(new ToolAgentError('unavailable', why))
  }

  close(): void {
    this.#channel.close()
  }
}
