// Refs (`e12`): the names that a session gives to elements of this document. A ref keeps its element while the element
// lives and shows the same row. After a re-render it moves to the only element with the same fingerprint; or, if the
// text around it changed, to the only one with its role and name in a row that is the same by its words or key
// (`row-identity.ts`). Otherwise it is stale.
import type { NamedPart } from '../../core/data/action.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { ancestor, elementsUnder, isOffLimits, nativeProperty, currentPage, parentOf } from './dom.js'
import { isGeneratedId, normalizeText, truncate } from './text.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import { isAnotherRow, isSameRow, rowStateOf, type RowState } from './row-identity.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import { watchTypedTexts } from './typed-texts.js'
import type { Visibility } from './visibility.js'

/** An element as it was read. */
interface Known {
  readonly element: Element
  readonly fingerprint: string
  readonly kin: Kin
}

interface Entry {
  readonly element: WeakRef<Element>
  readonly fingerprint: string
  kin: Kin
}

/** The refs of one session. */
export interface Refs {
  /** The ref of an element; creates one if it has none. */
  refFor(element: Element, visibility: Visibility): string
  /** The ref of an element; undefined if it has none. */
  known(element: Element, visibility: Visibility): string | undefined
  /** Computes what `refFor` needs, without creating a ref. */
  prepare(element: Element, visibility: Visibility): void
  /** The element of a ref, or undefined if the ref is unknown or stale. */
  find(ref: string, visibility: Visibility): Element | undefined
  /** Role and name of the element that a ref was created for, also of a stale one. */
  describe(ref: string): NamedPart | undefined
  /** The first text of the row that it was in. */
  placeOf(ref: string): string | undefined
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

/** A name for elements with and without a role. */
const nameOf = cachedPerSnapshot(
  (element: Element, visibility: Visibility): string =>
    (roleOf(element) === null ? truncate(visibility.visibleText(element, undefined, 80), 80) : '') ||
    accessibleNameOf(element, visibility),
)

/** What the element is, wherever it is. `id`: as far as it counts. */
function baseOf(element: Element, name: string, id: string): string {
  return [
    element.localName,
    element.getAttribute('type') ?? '',
    roleOf(element) ?? '',
    name,
    id,
    element.getAttribute('name') ?? '',
    element.closest('form')?.id ?? '',
  ].join('\n')
}

/** Deeper boxes inside each other are not told apart. */
const mostLevels = 5
/** How many boxes around an element without a role say the same: those of one list entry are not equal elements. */
function levelOf(element: Element, name: string, visibility: Visibility): number {
  if (roleOf(element) !== null || name === '') return 0
  let level = 0
  let up = parentOf(element)
  while (up?.localName === element.localName && level < mostLevels && nameOf(up, visibility) === name) {
    level++
    up = parentOf(up)
  }
  return level
}

/** All that distinguishes an element from similar ones: what it is, and the text of the row or card around it. */
function computeFingerprint(element: Element, visibility: Visibility): string {
  const name = nameOf(element, visibility)
  const row = rowStateOf(element, visibility)
  const around = row?.element.deref()
  const form = element.closest('form')
  const text = row && !(form && around && Node.prototype.contains.call(around, form)) ? row.text.whole : ''
  return `${baseOf(element, name, element.id)}\n${kinOf(element, visibility).level}\n${text}`
}

/** By what an element is known after the text around it changed. */
interface Kin {
  readonly tag: string
  readonly role: string | null
  readonly name: string
  /** All that it is. Without an id that has a number or is made up: another element has it after a re-render. */
  readonly base: string
  /** Undefined if it is in no row. */
  readonly row: RowState | undefined
  /** How many boxes around it say the same. */
  readonly level: number
}

const kinOf = cachedPerSnapshot((element: Element, visibility: Visibility): Kin => {
  const name = nameOf(element, visibility)
  const isOtherAnew = /\d/.test(element.id) || isGeneratedId(element.id)
  return {
    tag: element.localName,
    role: roleOf(element),
    name,
    base: baseOf(element, name, isOtherAnew ? '' : element.id),
    row: rowStateOf(element, visibility),
    level: levelOf(element, name, visibility),
  }
})

/** Whether two elements can be the same one, before and after it was drawn anew with another text around. */
function isKin(one: Kin, other: Kin): boolean {
  if (one.base !== other.base) return false
  return one.row && other.row ? isSameRow(one.row, other.row) : one.row === other.row
}

/** The elements of a page with one tag. */
interface Marks {
  readonly byFingerprint: Map<string, Element[]>
  readonly byKin: Map<string, Element[]>
}

/** Boxes inside each other that say the same are one thing: the outermost. */
function withoutNested(found: readonly Element[]): Element[] {
  const all = new Set(found)
  return found.filter((one) => ancestor(parentOf(one), (above) => all.has(above)) === null)
}

/** More refs that were named alike are not compared with each other. */
const mostKin = 200

// Shared by all sessions, so that a ref of one session never means another element in another session.
let nextRef = 1

function createRefs(): Refs {
  watchTypedTexts()
  const refs = new WeakMap<Element, string>()
  const entries = new Map<string, Entry>()
  const holders = new Map<string, Set<string>>()
  const byBase = new Map<string, Set<string>>()

  const isAttached = (element: Element | undefined): element is Element =>
    element?.isConnected === true && nativeProperty('Document', element.ownerDocument, 'defaultView') !== null

  /** Whether the element of a ref has become that of another row. */
  function isOfAnotherRow(element: Element, { fingerprint, kin }: Entry, visibility: Visibility): boolean {
    const row = kin.row && rowStateOf(element, visibility, kin.row)
    const isUnchanged = row?.text.whole === kin.row?.text.whole
    if (!isUnchanged || kinOf(element, visibility).base !== kin.base) {
      const equal = marksOf(element.localName, visibility).byFingerprint.get(fingerprint) ?? []
      // What it was is now elsewhere.
      if (equal.length === 1 && equal[0] !== element) return true
    }
    return kin.row !== undefined && row !== undefined && isAnotherRow(kin.row, row, visibility)
  }

  // Asked for the same refs again and again: for each element of a list that was drawn anew.
  const owned = new WeakMap<Visibility, Map<Entry, boolean>>()
  /** The element of a ref, as long as it is in the document and the same row. */
  function ownElement(entry: Entry, visibility: Visibility): Element | undefined {
    const element = entry.element.deref()
    if (!isAttached(element)) return undefined
    let known = owned.get(visibility)
    if (!known) owned.set(visibility, (known = new Map<Entry, boolean>()))
    let isOwn = known.get(entry)
    if (isOwn === undefined) known.set(entry, (isOwn = !isOfAnotherRow(element, entry, visibility)))
    return isOwn ? element : undefined
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
    const { byFingerprint, byKin } = marksOf(kin.tag, visibility)
    if ((byFingerprint.get(fingerprint)?.length ?? 0) > 0) return undefined
    const found = (byKin.get(kin.base) ?? []).filter(
      (one) =>
        // What another stale ref means exactly is not this one.
        (holders.get(fingerprintOf(one, visibility))?.size ?? 0) === 0 &&
        ownRef(one, visibility) === undefined &&
        isKin(kin, kinOf(one, visibility)),
    )
    const outermost = withoutNested(found)
    if (outermost.length !== 1) return undefined
    return found.find((one) => kinOf(one, visibility).level === kin.level) ?? outermost[0]
  }

  function refFor(element: Element, visibility: Visibility): string {
    const known = ownRef(element, visibility)
    const kin = kinOf(element, visibility)
    const fingerprint = fingerprintOf(element, visibility)
    if (known !== undefined) {
      renew(known, { element, fingerprint, kin }, visibility)
      return known
    }
    // Equal elements that exist at the same time never take over each other's ref.
    const stale = staleRefWith(fingerprint, visibility)
    const isOnly = (): boolean => marksOf(element.localName, visibility).byFingerprint.get(fingerprint)?.length === 1
    const exact = stale !== undefined && isOnly() ? stale : undefined
    const ref = exact ?? (stale === undefined ? staleKinOf(element, kin, visibility) : undefined) ?? `e${nextRef++}`
    note(ref, { element, fingerprint, kin })
    return ref
  }

  /** What a ref means is what was read last: its row may have changed little by little, and its list since. */
  function renew(ref: string, now: Known, visibility: Visibility): void {
    const entry = entries.get(ref)!
    const row = entry.kin.row && rowStateOf(now.element, visibility, entry.kin.row)
    // Of an element that is hidden now, what was read stays.
    const isHidden = row?.text.whole === '' || (entry.kin.name !== '' && now.kin.name === '')
    if (isHidden) return
    const kin = row ? { ...now.kin, row } : now.kin
    if (entry.fingerprint === now.fingerprint && entry.kin.base === kin.base) entry.kin = kin
    else note(ref, { ...now, kin })
  }

  function note(ref: string, { element, fingerprint, kin }: Known): void {
    const old = entries.get(ref)
    if (old && old.fingerprint !== fingerprint) holders.get(old.fingerprint)?.delete(ref)
    if (old && old.kin.base !== kin.base) byBase.get(old.kin.base)?.delete(ref)
    refs.set(element, ref)
    const entry = {
      element: new WeakRef(element),
      fingerprint,
      kin,
    }
    entries.set(ref, entry)
    holders.set(fingerprint, (holders.get(fingerprint) ?? new Set()).add(ref))
    byBase.set(kin.base, (byBase.get(kin.base) ?? new Set()).add(ref))
  }

  // Computed once per snapshot: a long list that was re-rendered needs it for every row.
  const marked = new WeakMap<Visibility, Map<string, Marks>>()
  /** The elements of the page with this tag. */
  function marksOf(tag: string, visibility: Visibility): Marks {
    let byTag = marked.get(visibility)
    if (!byTag) marked.set(visibility, (byTag = new Map<string, Marks>()))
    let marks = byTag.get(tag)
    if (!marks) {
      byTag.set(tag, (marks = { byFingerprint: new Map(), byKin: new Map() }))
      const add = (map: Map<string, Element[]>, key: string, element: Element): void => {
        const same = map.get(key)
        if (same) same.push(element)
        else map.set(key, [element])
      }
      for (const other of elementsUnder(currentPage().documentElement)) {
        if (other.localName !== tag) continue
        add(marks.byFingerprint, fingerprintOf(other, visibility), other)
        add(marks.byKin, kinOf(other, visibility).base, other)
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
    const equal = marksOf(kin.tag, visibility).byFingerprint.get(fingerprint) ?? []
    let successor: Element | undefined
    if (equal.length > 0)
      successor = staleRefWith(fingerprint, visibility) === ref && equal.length === 1 ? equal[0] : undefined
    else {
      const only = onlyKinOf(entry, visibility)
      successor = only && staleKinOf(only, kinOf(only, visibility), visibility) === ref ? only : undefined
    }
    if (!successor || ownRef(successor, visibility) !== undefined) return undefined
    const now = { fingerprint: fingerprintOf(successor, visibility), kin: kinOf(successor, visibility) }
    note(ref, { element: successor, ...now })
    return successor
  }

  /** The elements that have now the tag, role and name of a stale ref. */
  function namesakes(ref: string, visibility: Visibility): Element[] {
    const entry = entries.get(ref)
    if (!entry) return []
    const { tag, role, name } = entry.kin
    const found = [...elementsUnder(currentPage().body)].filter(
      (one) => one.localName === tag && roleOf(one) === role && name !== '' && nameOf(one, visibility) === name,
    )
    return withoutNested(found)
  }

  const prepare = (element: Element, visibility: Visibility): void => {
    fingerprintOf(element, visibility)
    kinOf(element, visibility)
  }

  const describe = (ref: string): NamedPart | undefined => {
    const kin = entries.get(ref)?.kin
    return kin && { role: kin.role ?? kin.tag, name: normalizeText(kin.name) }
  }
  const placeOf = (ref: string): string | undefined => {
    const row = entries.get(ref)?.kin.row
    return row?.isListed ? row.text.title || undefined : undefined
  }
  return { refFor, known: ownRef, prepare, find, describe, placeOf, namesakes }
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
