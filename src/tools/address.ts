// Addresses on their way to the model: a path on this origin, a whole address elsewhere, and what a form has put into
// one under the name of a secret left out.
import { secretIn } from './secret-words.js'
import { clean, short } from './text.js'

/** At most 200 characters. */
export function addressOf(address: string): string {
  const url = new URL(address)
  for (const name of [...url.searchParams.keys()]) if (secretIn(name)) url.searchParams.set(name, '[private]')
  const whole = url.origin === location.origin ? url.pathname + url.search + url.hash : url.href
  return short(clean(whole.replaceAll('%5Bprivate%5D', '[private]')), 200)
}
