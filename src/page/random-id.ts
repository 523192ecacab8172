// An id that no other page, tab or session has.
import { idFrom } from '../core/data/ids.js'

export function randomId(): string {
  return idFrom(crypto.getRandomValues(new Uint8Array(16)))
}
