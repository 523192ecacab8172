// Apart from core/data/ids.ts, because core has no source of randomness.
import { formatId } from '../core/data/ids.js'

/** A random id of 128 bits, as hex digits. */
export function randomId(): string {
  return formatId(crypto.getRandomValues(new Uint8Array(16)))
}
