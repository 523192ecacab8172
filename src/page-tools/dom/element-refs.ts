// Refs (`e12`): the names that a session gives to elements of this document. A ref keeps its element while the element
// lives and shows the same row. After a re-render it moves to the only element with the same fingerprint; or, if the
// text around it changed, to the only one with its role and name in a row that is the same by its own text or key.
// Otherwise it is stale.
import type { ToolRun } from '../../page/tools/tool.js'
import { elementsUnder, isOffLimits, isTag, nativeProperty, currentPage } from './dom.js'
import { normalizeText, toComparable, truncate } from './text.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import { rowSelector } from './roles.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import type { Visibility } from './visibility.js'

interface Entry {
  element: WeakRef<Element>
  fingerprint: string
  kin: Kin
  /** Role and name when the ref was created, for the error of a stale ref. */
  description: string
}

/** The refs of one session. */
export interface Refs {
  /** The ref of an element; creates one if it has none. */
  refFor(element: Element, visibility: Visibility): string
  /** Computes what `refFor` needs, without creating a ref. */
  prepare(element: Element, visibility: Visibility): void
  /** The element of a ref, or undefined if the ref is unknown or stale. */
  find(ref: string, visibility: Visibility): Element | undefined
  /** Role and name of the element that a ref was created for, also of a stale one. */
  describe(ref: string): string | undefined
  /** The elements that have now the tag, role and name of a stale ref. */
  namesakes(ref: string, visibility: Visibility): Element[]
}

/** Whether a text has the form of a ref: `e` and one to eight digits. The ref may be unknown or stale. */
export const isRef = (text: string): boolean => /^e\d{1,8}$/.test(text)

const fingerprints = new WeakMap<Visibility, Map<Element, string>>()
/** The fingerprint of an element, cached for one snapshot. */
function fingerprintOf(element: Element, visibility: Visibility): string {
  const known = fingerprints.get(visibility) ?? new Map<Element, string>()
  fingerprints.set(visibility, known)
  let found = known.get(element)
  if (found === undefined) known.set(element, (found = computeFingerprint(element, visibility)))
  return found
}

const containers = new RegExp(
  '^(main|navigation|banner|contentinfo|complementary|search|form|region|table|grid|(alert)?dialog|(radio)?group|' +
    'list|article|document)$',
)
/** A name for elements with and without a role. */
const nameOf = cachedPerSnapshot(
  (element: Element, visibility: Visibility): string =>
    (roleOf(element) === null ? truncate(visibility.visibleText(element, undefined, 80), 80) : '') ||
    accessibleNameOf(element, visibility),
)

/**
 * What tells equal buttons of two rows apart: the row or card around the element. Null for parts of the page, and if
 * nothing around has more text than the element.
 */
const rowOf = cachedPerSnapshot((element: Element, visibility: Visibility): Element | null => {
  const role = roleOf(element)
  if (containers.test(role ?? '')) return null
  const row = element.closest(rowSelector)
  if (row || isTag(element, 'input', 'select', 'textarea') || role === null || containers.test(role ?? 'group'))
    return row
  // A button in a card that is not a list item: use the smallest ancestor with more text than the button.
  const name = nameOf(element, visibility)
  for (
    let up = element.parentElement, level = 0;
    up && level < 6 && up.localName !== 'body';
    up = up.parentElement, level++
  )
    if (toComparable(visibility.visibleText(up, undefined, 200)).length > toComparable(name).length + 2) return up
  return null
})

/** What the element is, wherever it is. */
function baseOf(element: Element, name: string): string {
  return [
    element.localName,
    element.getAttribute('type') ?? '',
    roleOf(element) ?? '',
    name,
    element.id,
    element.getAttribute('name') ?? '',
    element.closest('form')?.id ?? '',
  ].join('\n')
}

/** All that distinguishes an element from similar ones: what it is, and the text of the row or card around it. */
function computeFingerprint(element: Element, visibility: Visibility): string {
  const name = nameOf(element, visibility)
  const around = rowOf(element, visibility)
  const form = element.closest('form')
  const text =
    around && !(form && Node.prototype.contains.call(around, form))
      ? truncate(visibility.visibleText(around, undefined, 250), 200)
      : ''
  return `${baseOf(element, name)}\n${text}`
}

/** By what an element is known after the text around it changed. */
interface Kin {
  readonly base: string
  /** The text of its row without buttons, whose names tell a state: Done, Undo. Undefined if it is in no row. */
  readonly own: string | undefined
  /** The attribute that names the row. */
  readonly key: string
  /** The attribute that numbers the row. It changes if a row is inserted above. */
  readonly place: string
}

const buttonRoles = /^(button|checkbox|switch|radio|menuitem)$/
const ownTextOf = cachedPerSnapshot((row: Element, visibility: Visibility) =>
  toComparable(visibility.visibleText(row, (one) => buttonRoles.test(roleOf(one) ?? ''), 250)),
)
const keyNames = /^(id|data-([a-z]+-)*(id|key|uuid|guid))$/
const placeNames = /^(aria-(rowindex|posinset)|(data-)?([a-z]+-)*index)$/
const attributesOf = (row: Element, names: RegExp): string =>
  row
    .getAttributeNames()
    .filter((name) => names.test(name) && !/^(data-testid|tabindex)$/.test(name))
    .map((name) => `${name}=${row.getAttribute(name)}`)
    .join(' ')

const kinOf = cachedPerSnapshot((element: Element, visibility: Visibility): Kin => {
  const name = nameOf(element, visibility)
  const row = rowOf(element, visibility)
  return {
    base: baseOf(element, name),
    own: row ? ownTextOf(row, visibility) : undefined,
    key: row ? attributesOf(row, keyNames) : '',
    place: row ? attributesOf(row, placeNames) : '',
  }
})

/** Whether one text has all words of the other, in order and side by side. */
const holdsText = (one: string, other: string): boolean => other !== '' && ` ${one} `.includes(` ${other} `)

/** Whether two elements can be the same one, before and after its row was drawn anew with another text. */
function isKin(one: Kin, other: Kin): boolean {
  if (one.base !== other.base || one.own === undefined || other.own === undefined) return false
  if (one.key !== other.key) return false
  if (one.own === other.own || holdsText(one.own, other.own) || holdsText(other.own, one.own)) return true
  if (one.key === '') return false
  // The key may be a number that another row has now. Then little else is the same.
  return sharedWords(one.own, other.own) >= 0.5
}

/** Which part of the words two texts have in common, from 0 to 1. */
function sharedWords(one: string, other: string): number {
  const words = new Set(one.split(' '))
  const others = new Set(other.split(' '))
  const shared = [...words].filter((word) => others.has(word)).length
  return shared / Math.max(words.size, others.size)
}

/** More refs that were named alike are not compared with each other. */
const mostKin = 200

// Shared by all sessions, so that a ref of one session never means another element in another session.
let nextRef = 1

function createRefs(): Refs {
  const refs = new WeakMap<Element, string>()
  const entries = new Map<string, Entry>()
  const holders = new Map<string, Set<string>>()
  const byBase = new Map<string, Set<string>>()

  const isAttached = (element: Element | undefined): element is Element =>
    element?.isConnected === true && nativeProperty('Document', element.ownerDocument, 'defaultView') !== null

  /**
   * Whether the element of a ref has become that of another row: lists that do not key their rows write other texts
   * into the same elements, and so do lists that use the elements of rows out of view again.
   */
  function isOfAnotherRow(element: Element, { fingerprint, kin }: Entry, visibility: Visibility): boolean {
    const now = kinOf(element, visibility)
    if (now.own === kin.own && now.base === kin.base) return false
    const equal = marksOf(element.localName, visibility).get(fingerprint) ?? []
    // What it was is now elsewhere.
    if (equal.length === 1 && equal[0] !== element) return true
    const { own } = now
    if (own === undefined || kin.own === undefined || own === kin.own) return false
    if (holdsText(own, kin.own) || holdsText(kin.own, own)) return false
    if (now.key !== kin.key || now.place !== kin.place) return true
    return now.key === '' && sharedWords(own, kin.own) === 0
  }

  /** The element of a ref, as long as it is in the document and the same row. */
  function ownElement(entry: Entry, visibility: Visibility): Element | undefined {
    const element = entry.element.deref()
    return isAttached(element) && !isOfAnotherRow(element, entry, visibility) ? element : undefined
  }

  /** The ref of an element, if it still means it. */
  function ownRef(element: Element, visibility: Visibility): string | undefined {
    const ref = refs.get(element)
    const entry = ref === undefined ? undefined : entries.get(ref)
    return entry && ownElement(entry, visibility) === element ? ref : undefined
  }

  /** The stale ref that an element may take over: the only one with this fingerprint, whose own element is gone. */
  function staleRefWith(fingerprint: string, visibility: Visibility): string | undefined {
    const held = holders.get(fingerprint)
    if (held?.size !== 1) return undefined
    const [ref] = held
    const entry = ref === undefined ? undefined : entries.get(ref)
    return entry && !ownElement(entry, visibility) ? ref : undefined
  }

  /** The stale ref of the same element in a row whose text has changed since: the only one, and for this one only. */
  function staleKinOf(element: Element, kin: Kin, visibility: Visibility): string | undefined {
    const named = byBase.get(kin.base)
    if (!named || named.size > mostKin) return undefined
    const found = [...named].filter((ref) => {
      const entry = entries.get(ref)
      return entry && !ownElement(entry, visibility) && isKin(entry.kin, kin)
    })
    const [ref] = found
    const entry = ref === undefined ? undefined : entries.get(ref)
    if (ref === undefined || !entry || found.length > 1) return undefined
    return onlyKinOf(entry, visibility) === element ? ref : undefined
  }

  /** The only element without a ref that a stale ref can mean; undefined if an equal one is there, or several. */
  function onlyKinOf({ fingerprint, kin }: Entry, visibility: Visibility): Element | undefined {
    const tag = kin.base.slice(0, kin.base.indexOf('\n'))
    const marks = marksOf(tag, visibility)
    if ((marks.get(fingerprint)?.length ?? 0) > 0) return undefined
    const found = [...marks].flatMap(([mark, elements]) => {
      const isNamed = mark.startsWith(`${kin.base}\n`)
      // What another stale ref means exactly is not this one.
      if (!isNamed || (holders.get(mark)?.size ?? 0) > 0) return []
      return elements.filter((one) => ownRef(one, visibility) === undefined && isKin(kin, kinOf(one, visibility)))
    })
    return found.length === 1 ? found[0] : undefined
  }

  function refFor(element: Element, visibility: Visibility): string {
    const known = ownRef(element, visibility)
    if (known !== undefined) return known
    const fingerprint = fingerprintOf(element, visibility)
    const kin = kinOf(element, visibility)
    // Equal elements that exist at the same time never take over each other's ref.
    const stale = staleRefWith(fingerprint, visibility)
    const isOnly = (): boolean => marksOf(element.localName, visibility).get(fingerprint)?.length === 1
    const exact = stale !== undefined && isOnly() ? stale : undefined
    const ref = exact ?? (stale === undefined ? staleKinOf(element, kin, visibility) : undefined) ?? `e${nextRef++}`
    note(ref, element, { fingerprint, kin }, visibility)
    return ref
  }

  function note(
    ref: string,
    element: Element,
    { fingerprint, kin }: Pick<Entry, 'fingerprint' | 'kin'>,
    visibility: Visibility,
  ): void {
    const old = entries.get(ref)
    if (old && old.fingerprint !== fingerprint) holders.get(old.fingerprint)?.delete(ref)
    refs.set(element, ref)
    entries.set(ref, {
      element: new WeakRef(element),
      fingerprint,
      kin,
      description: `${roleOf(element) ?? element.localName} "${nameOf(element, visibility)}"`,
    })
    holders.set(fingerprint, (holders.get(fingerprint) ?? new Set()).add(ref))
    byBase.set(kin.base, (byBase.get(kin.base) ?? new Set()).add(ref))
  }

  // Computed once per snapshot: a long list that was re-rendered needs it for every row.
  const marked = new WeakMap<Visibility, Map<string, Map<string, Element[]>>>()
  /** The elements of the page with this tag, by fingerprint. */
  function marksOf(tag: string, visibility: Visibility): ReadonlyMap<string, readonly Element[]> {
    let byTag = marked.get(visibility)
    if (!byTag) marked.set(visibility, (byTag = new Map<string, Map<string, Element[]>>()))
    let marks = byTag.get(tag)
    if (!marks) {
      byTag.set(tag, (marks = new Map<string, Element[]>()))
      for (const other of elementsUnder(currentPage().documentElement)) {
        if (other.localName !== tag) continue
        const one = fingerprintOf(other, visibility)
        const same = marks.get(one)
        if (same) same.push(other)
        else marks.set(one, [other])
      }
    }
    return marks
  }

  function find(ref: string, visibility: Visibility): Element | undefined {
    const entry = entries.get(ref)
    if (!entry) return undefined
    const element = ownElement(entry, visibility)
    if (element) return isOffLimits(element) ? undefined : element
    const { fingerprint, kin } = entry
    const equal = marksOf(kin.base.slice(0, kin.base.indexOf('\n')), visibility).get(fingerprint) ?? []
    let successor: Element | undefined
    if (equal.length > 0)
      successor = staleRefWith(fingerprint, visibility) === ref && equal.length === 1 ? equal[0] : undefined
    else {
      const only = onlyKinOf(entry, visibility)
      successor = only && staleKinOf(only, kinOf(only, visibility), visibility) === ref ? only : undefined
    }
    if (!successor || ownRef(successor, visibility) !== undefined) return undefined
    const now = { fingerprint: fingerprintOf(successor, visibility), kin: kinOf(successor, visibility) }
    note(ref, successor, now, visibility)
    return successor
  }

  /** The elements that have now the tag, role and name of a stale ref. */
  function namesakes(ref: string, visibility: Visibility): Element[] {
    const entry = entries.get(ref)
    if (!entry) return []
    const [tag = '', , role = '', name = ''] = entry.kin.base.split('\n')
    return [...elementsUnder(currentPage().body)].filter(
      (one) => one.localName === tag && (roleOf(one) ?? '') === role && name !== '' && nameOf(one, visibility) === name,
    )
  }

  const prepare = (element: Element, visibility: Visibility): void => {
    if (!refs.has(element)) fingerprintOf(element, visibility)
    kinOf(element, visibility)
  }

  const describe = (ref: string): string | undefined => normalizeText(entries.get(ref)?.description ?? '') || undefined
  return { refFor, prepare, find, describe, namesakes }
}

const bySession = new Map<string, Refs>()

/**
 * The refs of a run's session. New refs have higher numbers than all refs in the session's history, so that a ref of an
 * earlier page never means an element of this one.
 */
export function refsFor(run: Pick<ToolRun, 'sessionId' | 'messages'>): Refs {
  const known = bySession.get(run.sessionId)
  if (known) return known
  for (const [, digits] of (JSON.stringify(run.messages ?? []) ?? '').matchAll(/(?:ref\W{1,8}|\d=)e(\d{1,7})\b/g))
    nextRef = Math.max(nextRef, Number(digits) + 1)
  const refs = createRefs()
  bySession.set(run.sessionId, refs)
  return refs
}
