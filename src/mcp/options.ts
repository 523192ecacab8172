// The options of `mcpTools`, checked when they are passed.
import { unclobbered } from '../core/data/dom-clobbering.js'
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import { isFreeName, meantName } from '../page/hints/unknown-names.js'
import type { ElicitationHandler } from './client/elicitation.js'
import type { SignInHandler } from './client/sign-in.js'

/**
 * The headers of each request to the server. A function is called before each request, without an argument. If the
 * server answers with 401, or with 403 because of too few scopes, it is called once more with the value of
 * `WWW-Authenticate` ('' if the browser hides it), and the request is repeated with the new headers.
 */
export type McpHeaders =
  | Readonly<Record<string, string>>
  | ((challenge?: string) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>)

/** How visitors sign in to a protected server, by OAuth. Tokens are kept in memory only. */
export interface McpOAuth {
  /**
   * A page of the same origin that calls `finishSignIn()`: the authorization server leads there after the sign-in. A
   * relative address is resolved against the page. The redirect address of the registered client is this one.
   */
  readonly redirectUrl: string | URL
  /**
   * The client: the https address of its metadata document (Client ID Metadata Document), or the id that the
   * authorization server gave you. Default: the page registers itself with the first sign-in after it was loaded, which
   * it also does where the server reads no such documents.
   */
  readonly clientId?: string
}

/** Options of `mcpTools`. */
export interface McpOptions {
  /** The address of the server's streamable HTTP endpoint. A relative one is resolved against the page. */
  readonly url: string | URL
  /** Headers of each request, such as `authorization`. Default: none. */
  readonly headers?: McpHeaders
  /**
   * Lets visitors sign in to the server. Not together with `headers` as a function. Default: the page signs in itself.
   */
  readonly oauth?: McpOAuth
  /**
   * The prefix of the tools' names: 1 to 24 letters, digits, "_" or "-". Default: the first label of the host name
   * without `mcp.`, `api.` and `www.`; `mcp` for an IP address.
   */
  readonly name?: string
  /** Offers only these tools, by the names that the server uses. Default: all. */
  readonly tools?: readonly string[]
  /** Offers at most this many tools; the others are left out with a warning. Default: 64. */
  readonly maxTools?: number
  /** Milliseconds that a call may take, without the time that the visitor needs for an answer. Default: 15,000. */
  readonly timeout?: number
  /** The longest message of the server, in bytes. A call whose result is longer fails. Default: 4,194,304. */
  readonly messageBytes?: number
  /** Answers questions of the server to the visitor during a call. Default: the server learns that it cannot ask. */
  readonly onElicitation?: ElicitationHandler
  /**
   * Asks the visitor to sign in, when a request of theirs needs the server. Only with `oauth`. Default: nobody asks,
   * and the server is not available until the page calls `signIn()`.
   */
  readonly onSignIn?: SignInHandler
}

const optionNames = {
  url: true,
  headers: true,
  name: true,
  tools: true,
  maxTools: true,
  timeout: true,
  messageBytes: true,
  onElicitation: true,
  oauth: true,
  onSignIn: true,
} satisfies Record<keyof McpOptions, true>

/** Checked options. */
export interface McpSettings {
  /** Absolute. */
  readonly url: URL
  readonly headers: McpHeaders
  readonly oauth: McpOAuthSettings | undefined
  /** The prefix of the tools' names. */
  readonly name: string
  /** Undefined: all. */
  readonly tools: ReadonlySet<string> | undefined
  readonly maxTools: number
  /** Milliseconds; 0 for no limit. */
  readonly timeout: number
  readonly messageBytes: number
  readonly onElicitation: ElicitationHandler | undefined
  readonly onSignIn: SignInHandler | undefined
}

/** Checked options of the sign-in. */
export interface McpOAuthSettings {
  /** Absolute. */
  readonly redirectUrl: string
  readonly clientId: string | undefined
}

/** @throws ToolAgentError `invalid-option` */
export function parseMcpOptions(options: McpOptions): McpSettings {
  if (!isObject(options)) throw invalid('options', 'an object with url', options)
  for (const option of Object.keys(options)) {
    if (Object.hasOwn(optionNames, option) || isFreeName(option)) continue
    const meant = meantName(option, Object.keys(optionNames), {
      url: 'endpoint href server',
      headers: 'token',
      oauth: 'auth authProvider signIn',
    })
    const help = meant === undefined ? `There are: ${Object.keys(optionNames).join(', ')}` : `Did you mean "${meant}"?`
    throw new ToolAgentError('invalid-option', `mcpTools: ${option}: there is no such option. ${help}`)
  }
  const { url, headers = {}, name, tools, maxTools = 64, timeout = 15_000, messageBytes = 4_194_304 } = options
  const address = parseUrl(url)
  if (typeof headers !== 'function') checkHeaders(headers)
  const prefix = name ?? nameFromHost(address.hostname)
  if (typeof prefix !== 'string' || !/^[A-Za-z0-9_-]{1,24}$/.test(prefix))
    throw invalid('name', '1 to 24 letters, digits, "_" or "-"', name)
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((one) => typeof one === 'string')))
    throw invalid('tools', 'an array of names', tools)
  const counts = { maxTools, messageBytes }
  for (const [option, value] of Object.entries(counts))
    if (!Number.isInteger(value) || value < 1) throw invalid(option, 'a whole number from 1', value)
  if (!Number.isFinite(timeout) || timeout < 0) throw invalid('timeout', 'milliseconds from 0', timeout)
  const { onElicitation, onSignIn } = options
  for (const [option, value] of Object.entries({ onElicitation, onSignIn }))
    if (value !== undefined && typeof value !== 'function') throw invalid(option, 'a function', value)
  const oauth = parseOAuth(options.oauth)
  if (onSignIn !== undefined && oauth === undefined) throw invalid('oauth', 'an object beside onSignIn', oauth)
  if (oauth !== undefined && typeof headers === 'function')
    throw invalid('headers', 'an object beside oauth', 'a function')
  if (oauth !== undefined && Object.keys(headers).some((name) => /^authorization$/i.test(name)))
    throw new ToolAgentError('invalid-option', 'mcpTools: headers: expected no authorization beside oauth')
  return {
    url: address,
    headers,
    oauth,
    name: prefix,
    tools: tools && new Set(tools),
    maxTools,
    timeout,
    messageBytes,
    onElicitation,
    onSignIn,
  }
}

function parseOAuth(oauth: unknown): McpOAuthSettings | undefined {
  if (oauth === undefined) return undefined
  if (!isObject(oauth)) throw invalid('oauth', 'an object with redirectUrl', oauth)
  const { redirectUrl, clientId } = oauth
  const address = resolved(redirectUrl)
  const origin = typeof location === 'undefined' ? address?.origin : location.origin
  // Only a page of this origin can hand the code over.
  if (address === undefined || address.origin !== origin)
    throw invalid('oauth.redirectUrl', `an address of the origin ${origin ?? 'of the page'}`, redirectUrl)
  if (clientId !== undefined && (typeof clientId !== 'string' || clientId === ''))
    throw invalid('oauth.clientId', 'a text', clientId)
  return { redirectUrl: address.href, clientId }
}

/** An http or https address. */
function resolved(url: unknown): URL | undefined {
  const base = typeof document === 'undefined' ? undefined : unclobbered(document).baseURI
  if (!((typeof url === 'string' && url !== '') || url instanceof URL) || !URL.canParse(url, base)) return undefined
  const parsed = new URL(url, base)
  return /^https?:$/.test(parsed.protocol) ? parsed : undefined
}

/**
 * Checks what the option or the function gave. The message omits the value: it may be secret.
 * @throws ToolAgentError `invalid-option`
 */
export function checkHeaders(headers: unknown): asserts headers is Readonly<Record<string, string>> {
  if (!isObject(headers)) throw invalid('headers', 'an object of strings', headers)
  for (const [name, value] of Object.entries(headers))
    if (typeof value !== 'string')
      throw new ToolAgentError(
        'invalid-option',
        `mcpTools: headers: expected a string for "${name}", received ${typeof value}`,
      )
}

function parseUrl(url: unknown): URL {
  const parsed = resolved(url)
  if (parsed === undefined) throw invalid('url', 'an http or https address', url)
  if (parsed.username || parsed.password)
    throw new ToolAgentError('invalid-option', 'mcpTools: url: expected no user name and password: use headers')
  return parsed
}

/** `mcp.shop.example` gives `shop`. */
function nameFromHost(host: string): string {
  if (/^[\d.]+$|^\[/.test(host)) return 'mcp'
  const label = host.replace(/^(?:(?:mcp|api|www)\.)+/, '').split('.')[0] ?? ''
  return label.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 24) || 'mcp'
}

function invalid(option: string, expected: string, value: unknown): ToolAgentError {
  const received = value === null || typeof value === 'object' || value === undefined ? typeName(value) : String(value)
  return new ToolAgentError('invalid-option', `mcpTools: ${option}: expected ${expected}, received ${received}`)
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
