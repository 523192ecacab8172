// A signed session cookie, for sites that have no session of their own. The value is `user.expiry.signature`. User and
// signature are Base64url, so no server, proxy or framework has to escape a character of it.

const encoder = new TextEncoder()
/** Cookies that were checked, so that the requests of a visitor do not check the same signature each time. */
const mostChecked = 10_000

/** @param {string} secret */
function keyOf(secret) {
  return crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
    'verify',
  ])
}

/**
 * The value of a cookie that identifies `user`. Send it as `HttpOnly; Secure; SameSite=Lax`.
 * @param {string} user
 * @param {{ secret: string, seconds?: number }} options `seconds` is how long it is valid. Default 86400, a day.
 */
export async function signSession(user, { secret, seconds = 86_400 }) {
  const content = `${toBase64url(encoder.encode(user))}.${Math.floor(Date.now() / 1000) + seconds}`
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), encoder.encode(content))
  return `${content}.${toBase64url(new Uint8Array(signature))}`
}

/**
 * A function for the option `user` of the relay: the user of the cookie, or undefined if it is missing, expired or forged.
 * @param {{ secret: string, name?: string }} options `name` of the cookie. Default `session`.
 * @returns {(request: Request) => Promise<string | undefined>}
 */
export function sessionCookie({ secret, name = 'session' }) {
  const key = keyOf(secret)
  // Reported by each request that needs it.
  key.catch(() => {})
  /** @type {Map<string, { user: string, until: number }>} */
  const checked = new Map()
  return async (request) => {
    const value = cookieIn(request.headers.get('cookie') ?? '', name)
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

/** The value of a cookie, which may be in quotes; empty if there is none. @param {string} header @param {string} name */
function cookieIn(header, name) {
  const pair = header.split(';').find((one) => one.trimStart().startsWith(`${name}=`)) ?? ''
  return pair
    .slice(pair.indexOf('=') + 1)
    .trim()
    .replace(/^"(.*)"$/, '$1')
}

/** @param {Uint8Array} bytes */
function toBase64url(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The bytes of Base64url; undefined if it is none. @param {string} text */
function bytesOf(text) {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
