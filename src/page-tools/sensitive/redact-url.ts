// Addresses on their way to the model: a path on this origin, a whole address elsewhere. The values of parameters whose
// names are those of secrets are left out.
import { sensitiveKindIn } from './sensitive-terms.js'
import { normalizeText, truncate } from '../dom/text.js'

/** An address or a part of one, with `[private]` for the values of private parameters in its query and fragment. */
export const withoutPrivateParameters = (address: string): string =>
  address.replace(/([?&#])([^=?&#]+)=[^&#]*/g, (whole, sign: string, name: string) => {
    const [decoded = ''] = new URLSearchParams(`${name}=`).keys()
    return sensitiveKindIn(decoded) ? `${sign}${name}=[private]` : whole
  })

/** At most 200 characters. */
export function redactedUrl(address: string): string {
  const url = new URL(address)
  const whole = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
  return truncate(normalizeText(withoutPrivateParameters(whole)), 200)
}
