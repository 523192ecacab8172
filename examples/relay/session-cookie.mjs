// A signed session cookie, for sites that have no session of their own. The value is `user.expiry.signature`.

const encoder = new TextEncoder()

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
  // A dot separates the parts.
  const name = encodeURIComponent(user).replaceAll('.', '%2E')
  const content = `${name}.${Math.floor(Date.now() / 1000) + seconds}`
  const signature = await crypto.subtle.sign('HMAC', await keyOf(secret), encoder.encode(content))
  return `${content}.${btoa(String.fromCharCode(...new Uint8Array(signature))).replaceAll('=', '')}`
}

/**
 * A function for the option `user` of the relay: the user of the cookie, or undefined if it is missing, expired or forged.
 * @param {{ secret: string, name?: string }} options `name` of the cookie. Default `session`.
 * @returns {(request: Request) => Promise<string | undefined>}
 */
export function sessionCookie({ secret, name = 'session' }) {
  return async (request) => {
    const pairs = (request.headers.get('cookie') ?? '').split(/;\s*/)
    const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    const [, user = '', expiry = '', signature = ''] = /^([^.]+)\.(\d+)\.([\w+/]+)$/.exec(value ?? '') ?? []
    if (user === '' || Number(expiry) * 1000 <= Date.now()) return undefined
    const bytes = bytesOf(signature)
    const content = encoder.encode(`${user}.${expiry}`)
    return bytes && (await crypto.subtle.verify('HMAC', await keyOf(secret), bytes, content))
      ? decodeURIComponent(user)
      : undefined
  }
}

/** The bytes of a signature; undefined if it is not Base64. @param {string} signature */
function bytesOf(signature) {
  try {
    return Uint8Array.from(atob(signature), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
