// An id that no other page, tab or session has.
import { formatId } from '../core/data/ids.js'

export function randomId(): string {
  return formatId(crypto.getRandomValues(new Uint8Array(16)))
}
