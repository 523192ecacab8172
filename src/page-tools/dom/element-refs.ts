// Refs (`e12`): the names that a session gives to elements of this document. A ref keeps its element while the element
// lives. After a re-render it moves to the only element with the same fingerprint; otherwise it is stale.
import type { ToolRun } from '../../page/tools/tool.js'
import { elementsUnder, isOffLimits, isTag, nativeProperty, currentPage } from './dom.js'
import { normalizeText, toComparable, truncate } from './text.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import type { Visibility } from './visibility.js'

interface Entry {
  element: WeakRef<Element>
  fingerprint: string
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
const nameOf = (element: Element, visibility: Visibility): string =>
  (roleOf(element) === null ? truncate(visibility.visibleText(element, undefined, 80), 80) : '') ||
  accessibleNameOf(element, visibility)

/**
 * All that distinguishes an element from similar ones: tag, role, name, ids, form, and the text of the row or card
 * around it, so that equal buttons of two rows differ.
 */
function computeFingerprint(element: Element, visibility: Visibility): string {
  const row = element.closest('tr,li,[role=row],[role=listitem],article')
  const acts = !isTag(element, 'input', 'select', 'textarea') && !containers.test(roleOf(element) ?? 'group')
  let around: Element | null = containers.test(roleOf(element) ?? '') ? null : row
  // A button in a card that is not a list item: use the smallest ancestor with more text than the button.
  const name = nameOf(element, visibility)
  for (
    let up = element.parentElement, level = 0;
    acts && !row && up && level < 6 && up.localName !== 'body';
    up = up.parentElement, level++
  ) {
    if (toComparable(visibility.visibleText(up, undefined, 200)).length > toComparable(name).length + 2) {
      around = up
      break
    }
  }
  const form = element.closest('form')
  return [
    element.localName,
    element.getAttribute('type') ?? '',
    roleOf(element) ?? '',
    name,
    element.id,
    element.getAttribute('name') ?? '',
    form?.id ?? '',
    around && !(form && Node.prototype.contains.call(around, form))
      ? truncate(visibility.visibleText(around, undefined, 250), 200)
      : '',
  ].join('\n')
}

// Shared by all sessions, so that a ref of one session never means another element in another session.
let nextRef = 1

function createRefs(): Refs {
  const refs = new WeakMap<Element, string>()
  const entries = new Map<string, Entry>()
  const holders = new Map<string, Set<string>>()

  const isAttached = (element: Element | undefined): element is Element =>
    element?.isConnected === true && nativeProperty('Document', element.ownerDocument, 'defaultView') !== null

  /** The stale ref that an element may take over: the only one with this fingerprint, whose own element is gone. */
  function staleRefWith(fingerprint: string): string | undefined {
    const held = holders.get(fingerprint)
    if (held?.size !== 1) return undefined
    const [ref] = held
    const entry = ref === undefined ? undefined : entries.get(ref)
    return entry && !isAttached(entry.element.deref()) ? ref : undefined
  }

  function refFor(element: Element, visibility: Visibility): string {
    const known = refs.get(element)
    if (known !== undefined) return known
    const fingerprint = fingerprintOf(element, visibility)
    // Equal elements that exist at the same time never take over each other's ref.
    const stale = staleRefWith(fingerprint)
    const ref = stale !== undefined && countOf(element, fingerprint, visibility) === 1 ? stale : `e${nextRef++}`
    refs.set(element, ref)
    entries.set(ref, {
      element: new WeakRef(element),
      fingerprint: fingerprint,
      description: `${roleOf(element) ?? element.localName} "${nameOf(element, visibility)}"`,
    })
    holders.set(fingerprint, (holders.get(fingerprint) ?? new Set()).add(ref))
    return ref
  }

  function elementsWith(tag: string, fingerprint: string, visibility: Visibility): Element[] {
    const found: Element[] = []
    for (const element of elementsUnder(currentPage().documentElement)) {
      if (element.localName === tag && fingerprintOf(element, visibility) === fingerprint) found.push(element)
    }
    return found
  }
  // Counted once per snapshot: a long list that was re-rendered needs it for every row.
  const counts = new WeakMap<Visibility, Map<string, Map<string, number>>>()
  /** How many elements of the page have this fingerprint. */
  function countOf(element: Element, fingerprint: string, visibility: Visibility): number {
    const tag = element.localName
    let byTag = counts.get(visibility)
    if (!byTag) counts.set(visibility, (byTag = new Map<string, Map<string, number>>()))
    let marks = byTag.get(tag)
    if (!marks) {
      byTag.set(tag, (marks = new Map<string, number>()))
      for (const other of elementsUnder(currentPage().documentElement))
        if (other.localName === tag) {
          const one = fingerprintOf(other, visibility)
          marks.set(one, (marks.get(one) ?? 0) + 1)
        }
    }
    return marks.get(fingerprint) ?? 0
  }

  function find(ref: string, visibility: Visibility): Element | undefined {
    const entry = entries.get(ref)
    if (!entry) return undefined
    const element = entry.element.deref()
    if (isAttached(element)) return isOffLimits(element) ? undefined : element
    if (staleRefWith(entry.fingerprint) !== ref) return undefined
    const candidates = elementsWith(
      entry.fingerprint.slice(0, entry.fingerprint.indexOf('\n')),
      entry.fingerprint,
      visibility,
    )
    const successor = candidates[0]
    if (!successor || candidates.length > 1 || refs.has(successor)) return undefined
    refs.set(successor, ref)
    entries.set(ref, { ...entry, element: new WeakRef(successor) })
    return successor
  }

  const prepare = (element: Element, visibility: Visibility): void => {
    if (!refs.has(element)) fingerprintOf(element, visibility)
  }

  return { refFor, prepare, find, describe: (ref) => normalizeText(entries.get(ref)?.description ?? '') || undefined }
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
