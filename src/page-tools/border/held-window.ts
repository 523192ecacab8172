// A window that the page opens while an action runs. Its address is held, and the page gets a stand-in. A page that
// needs more of the window than that it is there cannot be answered later: then the opening counts as stopped.
import { currentPage } from '../dom/dom.js'
import { leavingTo } from './read-departure.js'
import type { Departure } from './departure.js'
import { freezeVisit } from './held-navigation.js'

/** How a window is opened. */
export interface Opening {
  /** Its name. */
  readonly target: string
  readonly features: string
}

/** Opening a window; undefined for an address that cannot be parsed, which opens none. */
export function openingOf(address: string, { target }: Opening): Departure | undefined {
  // Where an empty window leads is not known, and the page fills it by its handle.
  if (address === '') return { what: { effect: 'unknown', does: 'open' } }
  const base = currentPage().baseURI
  if (!URL.canParse(address, base)) return undefined
  const url = new URL(address, base)
  const what = leavingTo(url, 'open')
  const attributes = [
    ['target', target],
    ['rel', 'noopener'],
  ] as const
  return url.protocol === 'javascript:' ? { what } : { what, freeze: () => freezeVisit(url, attributes, window) }
}

/** Whether the page asks for no handle of the window. */
export const isWithoutHandle = ({ features }: Opening): boolean => /\bno(?:opener|referrer)\b/i.test(features)

/** What the page may do with a window that it only shows. */
const harmless = new Set<PropertyKey>(['focus', 'blur', 'opener', 'then'])

/** A window that is there when the page looks whether it was blocked, and closed later. `onUse`: it needs more. */
export function standIn(onUse: () => void): object {
  let isNew = true
  setTimeout(() => {
    isNew = false
  })
  return new Proxy(
    {},
    {
      get(_target, name) {
        if (name === 'focus' || name === 'blur') return () => undefined
        if (name === 'closed' && isNew) return false
        if (harmless.has(name) || typeof name === 'symbol') return name === 'opener' ? null : undefined
        onUse()
        return name === 'closed' ? true : undefined
      },
      set(_target, name) {
        if (!harmless.has(name)) onUse()
        return true
      },
    },
  )
}
