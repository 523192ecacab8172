// What the user has refused on this page: the page may still show it, keep it, and send it again by itself. Until the
// visitor acts on the page, the same deed stays refused, also after a reload: only hashes are kept for that. Until a
// reload, whatever the page sends may contain it, so nothing is sent for a grant or saved without a question.
import { parseJson } from '../../core/data/json.js'
import type { PageRequest } from './read-request.js'

const storageKey = 'tool-agent:refused'
/** So many are kept. */
const most = 100

/** Method and address of a request. */
export const keyOf = ({ method, url }: PageRequest): string => `${method} ${url.origin}${url.pathname}`

/** What a request is about: the same again is no other deed. */
export const deedOf = (request: PageRequest): string => [keyOf(request), request.url.search, request.body].join(' ')

/** 53 bits of a text, by cyrb53. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    high = Math.imul(high ^ code, 2_654_435_761)
    low = Math.imul(low ^ code, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}

let hashes: Set<string> | undefined
let isTainted = false

function refused(): Set<string> {
  if (hashes) return hashes
  let stored: unknown
  try {
    stored = parseJson(sessionStorage.getItem(storageKey) ?? '')
  } catch {
    stored = undefined // Storage is denied.
  }
  return (hashes = new Set(Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : []))
}

function save(): void {
  try {
    if (refused().size === 0) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify([...refused()].slice(-most)))
  } catch {
    // Storage is denied or full: then it is forgotten by a reload.
  }
}

/** The user has refused it. */
export function refuseDeed(request: PageRequest): void {
  isTainted = true
  refused().add(hashOf(deedOf(request)))
  save()
}

/** The user has allowed it since. */
export function allowDeed(request: PageRequest): void {
  if (refused().delete(hashOf(deedOf(request)))) save()
}

/** The visitor acts on the page: what they send is theirs. */
export function forgetDeeds(): void {
  if (refused().size === 0) return
  refused().clear()
  save()
}

/** Whether the user has refused this and nobody has acted since. */
export const isRefusedDeed = (request: PageRequest): boolean =>
  refused().size > 0 && refused().has(hashOf(deedOf(request)))

/** Whether the page may contain something that was refused since it was loaded. */
export const mayContainRefused = (): boolean => isTainted
