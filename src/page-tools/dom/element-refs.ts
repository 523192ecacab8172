// Refs (`e12`): a session's names for elements of this document. A ref means its element as long as that lives; after
// a re-render it means the one element that is the same in every respect that tells twins apart; else it is stale.
import type { ToolRun } from '../../page/tools/tool.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { elementsUnder, isOffLimits, isTag, nativeProperty, currentPage } from './dom.js'
import { normalizeText, toComparable, truncate } from './text.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import type { Visibility } from './visibility.js'

interface Entry {
  element: WeakRef<Element>
  print: string
  words: string
}

export interface Refs {
  of(element: Element, sight: Visibility): string
  /** The element a ref means, or undefined where it means none any more. */
  find(ref: string, sight: Visibility): Element | undefined
  /** What a ref once meant, in words. */
  words(ref: string): string | undefined
}

export const isRef = (text: string): boolean => /^e\d{1,8}$/.test(text)

const prints = new WeakMap<Visibility, Map<Element, string>>()
function print(element: Element, sight: Visibility): string {
  const known = prints.get(sight) ?? new Map<Element, string>()
  prints.set(sight, known)
  let found = known.get(element)
  if (found === undefined) known.set(element, (found = makePrint(element, sight)))
  return found
}

const containers =
  /^(main|navigation|banner|contentinfo|complementary|search|form|region|table|grid|dialog|alertdialog|group|radiogroup|list|article|document)$/
/** A row tells its buttons from those of the next row; the section a field stands in tells it from its twin. */
function makePrint(element: Element, sight: Visibility): string {
  const row = element.closest('tr,li,[role=row],[role=listitem],article')
  const acts = !isTag(element, 'input', 'select', 'textarea') && !containers.test(roleOf(element) ?? 'group')
  let around: Element | null = containers.test(roleOf(element) ?? '') ? null : row
  // A button in a card that is no list item: the smallest box that says more than the button.
  const name = accessibleNameOf(element, sight)
  for (
    let up = element.parentElement, level = 0;
    acts && !row && up && level < 6 && up.localName !== 'body';
    up = up.parentElement, level++
  ) {
    if (toComparable(sight.text(up, undefined, 200)).length > toComparable(name).length + 2) {
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
      ? truncate(sight.text(around, undefined, 250), 200)
      : '',
  ].join('\n')
}

// One count for all sessions: a ref of one means no other element in another.
let next = 1

function createRefs(): Refs {
  const refs = new WeakMap<Element, string>()
  const entries = new Map<string, Entry>()
  const holders = new Map<string, Set<string>>()

  const isHere = (element: Element | undefined): element is Element =>
    element?.isConnected === true && nativeProperty('Document', element.ownerDocument, 'defaultView') !== null

  /** The lost ref that this element takes over: the only one ever of its print, and its own element is gone. */
  function inherited(mark: string): string | undefined {
    const held = holders.get(mark)
    if (held?.size !== 1) return undefined
    const [ref] = held
    const entry = ref === undefined ? undefined : entries.get(ref)
    return entry && !isHere(entry.element.deref()) ? ref : undefined
  }

  function of(element: Element, sight: Visibility): string {
    const known = refs.get(element)
    if (known !== undefined) return known
    const mark = print(element, sight)
    // Twins that live at the same time never inherit from each other.
    const heir = inherited(mark)
    const ref = heir !== undefined && countOf(element, mark, sight) === 1 ? heir : `e${next++}`
    refs.set(element, ref)
    entries.set(ref, {
      element: new WeakRef(element),
      print: mark,
      words: `${roleOf(element) ?? element.localName} "${accessibleNameOf(element, sight)}"`,
    })
    holders.set(mark, (holders.get(mark) ?? new Set()).add(ref))
    return ref
  }

  function alike(tag: string, mark: string, sight: Visibility): Element[] {
    const found: Element[] = []
    for (const element of elementsUnder(currentPage().documentElement)) {
      if (element.localName === tag && print(element, sight) === mark) found.push(element)
    }
    return found
  }
  // Counted once in a reading: a long list that was drawn anew asks it for every row.
  const counts = new WeakMap<Visibility, Map<string, Map<string, number>>>()
  function countOf(element: Element, mark: string, sight: Visibility): number {
    const tag = element.localName
    let byTag = counts.get(sight)
    if (!byTag) counts.set(sight, (byTag = new Map<string, Map<string, number>>()))
    let marks = byTag.get(tag)
    if (!marks) {
      byTag.set(tag, (marks = new Map<string, number>()))
      for (const other of elementsUnder(currentPage().documentElement))
        if (other.localName === tag) {
          const one = print(other, sight)
          marks.set(one, (marks.get(one) ?? 0) + 1)
        }
    }
    return marks.get(mark) ?? 0
  }

  function find(ref: string, sight: Visibility): Element | undefined {
    const entry = entries.get(ref)
    if (!entry) return undefined
    const element = entry.element.deref()
    if (isHere(element)) return isOffLimits(element) ? undefined : element
    if (inherited(entry.print) !== ref) return undefined
    const candidates = alike(entry.print.slice(0, entry.print.indexOf('\n')), entry.print, sight)
    const heir = candidates[0]
    if (!heir || candidates.length > 1 || refs.has(heir)) return undefined
    refs.set(heir, ref)
    entries.set(ref, { ...entry, element: new WeakRef(heir) })
    return heir
  }

  return { of, find, words: (ref) => normalizeText(entries.get(ref)?.words ?? '') || undefined }
}

const bySession = new Map<string, Refs>()

/**
 * The refs of a run's session. They start behind every ref that the session's history holds, so that a ref of an
 * earlier page never means an element of this one.
 */
export function refsFor(run: Pick<ToolRun, 'sessionId' | 'messages'>): Refs {
  const known = bySession.get(run.sessionId)
  if (known) return known
  for (const [, digits] of (JSON.stringify(run.messages ?? []) ?? '').matchAll(/ref\W{1,8}e(\d{1,7})\b/g))
    next = Math.max(next, Number(digits) + 1)
  const refs = createRefs()
  bySession.set(run.sessionId, refs)
  return refs
}

/** The element, or `stale-ref` with what the page holds now. */
export function resolveRef(
  ref: string,
  refs: Refs,
  sight: Visibility,
  outline: () => string,
  hide: (text: string) => string,
): Element {
  const element = refs.find(ref, sight)
  if (element) return element
  const words = refs.words(ref)
  throw new ToolAgentError(
    'stale-ref',
    `${ref} ${words ? `(${hide(words)}) is no longer on the page` : 'is not a ref of this page'}. The page has:\n${outline()}`,
  )
}
