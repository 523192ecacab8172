// A signed session cookie, for sites that have no session of their own. The value is `user.expiry.signature`. User and
// signature are Base64url, so no server, proxy or framework has to escape a character of it.

const encoder = new TextEncoder()
/** Cookies that were checked, so that the requests of a visitor do not check the same signature each time. */
const mostChecked = 10_000

function keyOf(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
}

/**
 * The value of a cookie that identifies `user`, for the answer to a login. Send it as `HttpOnly; Secure; SameSite=Lax`.
 * `seconds` is how long it is valid, a day by default. `sessionCookie` with the same secret reads it.
 */
export async function signSession(
  user: string,
  { secret, seconds = 86_400 }: { secret: string; seconds?: number },
): Promise<string> {
  const content = `${toBase64url(encoder.encode(user))}.${Math.floor(Date.now() / 1000) + seconds}`
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), encoder.encode(content))
  return `${content}.${toBase64url(new Uint8Array(signature))}`
}

/** A request with its headers: one of the web, or one of Node and its frameworks. */
export interface RequestWithCookies {
  /** The headers, as `Headers` or as an object with names in small letters. */
  readonly headers: Pick<Headers, 'get'> | { readonly cookie?: string | undefined }
}

/**
 * A function for the option `user` of a relay: the user of the cookie, or undefined if it is missing, expired or
 * forged. `name` is that of the cookie, `session` by default. The rest of your server can call it with its own
 * requests, also with those of Node.
 */
export function sessionCookie({
  secret,
  name = 'session',
}: {
  secret: string
  name?: string
}): (request: RequestWithCookies) => Promise<string | undefined> {
  const key = keyOf(secret)
  // Reported by each request that needs it.
  key.catch(() => {})
  const checked = new Map<string, { user: string; until: number }>()
  return async (request) => {
    const value = cookieIn(cookieHeaderOf(request), name)
    const known = checked.get(value)
    if (known) return known.until > Date.now() ? known.user : undefined
    const [, user = '', expiry = '', signature = ''] = /^([\w-]+)\.(\d+)\.([\w-]+)$/.exec(value) ?? []
    const until = Number(expiry) * 1000
    if (user === '' || until <= Date.now()) return undefined
    const [bytes, nameBytes] = [bytesOf(signature), bytesOf(user)]
    if (!bytes || !nameBytes) return undefined
    if (!(await crypto.subtle.verify('HMAC', await key, bytes, encoder.encode(`${user}.${expiry}`)))) return undefined
    if (checked.size >= mostChecked) checked.clear()
    const found = new TextDecoder().decode(nameBytes)
    checked.set(value, { user: found, until })
    return found
  }
}

function cookieHeaderOf({ headers }: RequestWithCookies): string {
  // A request of Node may have a header of this name.
  if ('get' in headers && typeof headers.get === 'function') return headers.get('cookie') ?? ''
  return (headers as { readonly cookie?: string }).cookie ?? ''
}

/** The value of a cookie, which may be in quotes; empty if there is none. */
function cookieIn(header: string, name: string): string {
  const pair = header.split(';').find((one) => one.trimStart().startsWith(`${name}=`)) ?? ''
  return pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1')
}

function toBase64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The bytes of Base64url; undefined if it is none. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
