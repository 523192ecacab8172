// Prepares URLs for models: a path on this origin, a full URL elsewhere. Values of parameters that are named like
// secrets are redacted.
import { sensitiveKindIn } from './sensitive-kind.js'
import { normalizeText, truncate } from '../dom/text.js'

/** Replaces the values of private parameters in query and fragment by `[private]`. Also accepts a part of a URL. */
export const withoutPrivateParameters = (url: string): string =>
  url.replace(/([?&#])([^=?&#]+)=[^&#]*/g, (whole, sign: string, name: string) => {
    const [decoded = ''] = new URLSearchParams(`${name}=`).keys()
    return sensitiveKindIn(decoded) ? `${sign}${name}=[private]` : whole
  })

/** A redacted absolute URL of at most 200 characters. */
export function redactedUrl(address: string): string {
  const url = new URL(address)
  const whole = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
  return truncate(normalizeText(withoutPrivateParameters(whole)), 200)
}

/** The address without its private parts: a path on this site, or the whole address of another one. */
export function shownAddress(url: URL, withQuery = true): string {
  const bare = withQuery ? url.href : `${url.protocol}//${url.host}${url.pathname}`
  return /^https?:$/.test(url.protocol) || withQuery ? redactedUrl(bare) : url.protocol
}
