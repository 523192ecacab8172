// Finds the elements of a page that a query means: those that meet all its conditions and may be told. Nothing is found
// by what a result would not show.
import { ToolAgentError } from '../../core/data/errors.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { kindOf } from '../controls/kinds.js'
import { elementsUnder, isElement, isHiddenInput, isTag, parentOf } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isAction } from '../dom/roles.js'
import { filter, filterElements, forEach, type Steps } from '../dom/steps.js'
import { containsWords, toComparable, toComparableName, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { parseSelector, selectElements } from '../sensitive/model-selectors.js'
import { holdsTyping, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { looksClickable } from './clickables.js'
import type { Field } from './field.js'
import { controlNameOf } from './icons.js'
import { isInsidePrivate } from './named-parts.js'

type FindBySelector = (snapshot: PageSnapshot) => Element[]

/** What a selector finds. @throws `invalid-input` for an invalid one */
export function bySelector(selector: string): FindBySelector {
  const list = parseSelector(selector)
  if (!list) throw new ToolAgentError('invalid-input', `Invalid CSS selector: ${truncate(selector, 200)}`)
  return (snapshot) => selectElements(list, snapshot)
}

/** The conditions of a search. All that are given must hold. */
export interface Conditions {
  readonly select: FindBySelector | undefined
  readonly role: string | undefined
  readonly name: string | undefined
  readonly label: string | undefined
  readonly text: string | undefined
}

/**
 * The elements under the root that meet all conditions, in document order. Of a name or label, whole matches exclude
 * partial ones.
 */
function* find(
  { select, role, name, label, text }: Conditions,
  snapshot: PageSnapshot,
  { root, fieldOf }: { readonly root: Element; readonly fieldOf: ReadonlyMap<Element, Field> },
): Steps<Element[]> {
  const { visibility, fields, redact } = snapshot
  // Redact before comparing, because a search must not find what a result does not show.
  const comparable = (one: string): string => toComparableName(redact(one))
  const isClickable = (element: Element): boolean => looksClickable(element, visibility)
  const hasRole = (element: Element, wanted: string): boolean => {
    if (wanted === (roleOf(element) ?? (isClickable(element) ? 'clickable' : null))) return true
    // As the outline shows a field of several elements.
    const field = fieldOf.get(element)
    return field?.element === element && kindOf(field).role === wanted
  }
  const namesOf = (element: Element): string[] => [
    accessibleNameOf(element, visibility) ||
      (roleOf(element) === 'heading' || roleOf(element) === null ? visibility.visibleText(element) : '') ||
      (isClickable(element) || isAction(roleOf(element)) ? controlNameOf(element, visibility) : ''),
    fieldOf.get(element)?.label ?? '',
  ]
  const isTextOnly = !select && role === undefined && name === undefined && label === undefined
  let found = yield* candidates()
  if (role !== undefined) found = yield* filter(found, (element) => hasRole(element, role.toLowerCase()))
  if (text !== undefined && found.length > 0) found = yield* showing(text)
  if (label !== undefined) {
    const wanted = toComparableName(label)
    const labels = ({ label: unique, ownLabel }: Field): string[] => [comparable(unique), comparable(ownLabel)]
    found = yield* wholeOrPart(
      (one) => labels(fieldOf.get(one)!).includes(wanted),
      (one) => comparable(fieldOf.get(one)!.label).includes(wanted),
    )
  }
  if (name !== undefined)
    found = yield* wholeOrPart(
      (one) => namesOf(one).map(comparable).includes(toComparableName(name)),
      (one) => namesOf(one).some((own) => containsWords(redact(own), name)),
    )
  return found

  function* candidates(): Steps<Element[]> {
    const all = select?.(snapshot)
    if (label !== undefined) {
      // Each button of a radio group has the label of the group. Without another condition the first one stands for it.
      const isWhole = all !== undefined || role !== undefined
      const labelled = new Set(fields().flatMap(({ element, members }) => [element, ...(isWhole ? members : [])]))
      return all ? all.filter((one) => labelled.has(one as HTMLElement)) : [...labelled]
    }
    if (all) return all
    const isNamed = name !== undefined && role === undefined
    return yield* filterElements(
      root,
      visibility,
      (element) =>
        (visibility.hasBox(element) || fieldOf.has(element)) &&
        (!isNamed || roleOf(element) !== null || isClickable(element)) &&
        !isInsidePrivate(element, snapshot),
    )
  }

  /** The innermost of the elements found that show a text. One around them counts if it shows it elsewhere as well. */
  function* showing(wanted: string): Steps<Element[]> {
    const isPrivate = (element: Element): boolean =>
      (fieldOf.get(element)?.secret ?? (holdsTyping(element) ? sensitiveKindOf(element, '') : undefined)) !== undefined
    const search = new TextSearch(wanted, visibility, { isPrivate, redact })
    const holding = new Set<Element>()
    yield* search.holders(root, holding)
    const meant = found.filter((element) => holding.has(element) && !(isTag(element, 'body') && isTextOnly))
    const all = new Set(meant)
    const outer = new Set<Element>()
    for (const element of meant)
      for (let up = parentOf(element); up && !outer.has(up); up = parentOf(up)) if (all.has(up)) outer.add(up)
    const kept: Element[] = []
    for (const element of meant)
      if (!outer.has(element) || (yield* search.shows(element, (inner) => all.has(inner)))) kept.push(element)
    return kept
  }

  function* wholeOrPart(
    isWhole: (element: Element) => boolean,
    isPart: (element: Element) => boolean,
  ): Steps<Element[]> {
    const whole = yield* filter(found, isWhole)
    return whole.length > 0 ? whole : yield* filter(found, isPart)
  }
}

interface SearchOptions {
  isPrivate(element: Element): boolean
  redact(text: string): string
}

/** A search for a text that a person sees. */
class TextSearch {
  readonly #wanted: string
  readonly #words: readonly string[]
  readonly #visibility: Visibility
  readonly #options: SearchOptions

  constructor(wanted: string, visibility: Visibility, options: SearchOptions) {
    this.#wanted = wanted
    this.#words = toComparable(wanted).split(' ')
    this.#visibility = visibility
    this.#options = options
  }

  /** Collects the element and those inside that show the text. Returns whether there are any. */
  *holders(element: Element, found: Set<Element>): Steps<boolean> {
    yield
    // The words may have hidden ones between them.
    if (this.#options.isPrivate(element) || !this.#holdsAll(element, this.#words)) return false
    let isInside = false
    for (const child of this.#visibility.children(element))
      if (isElement(child) && !isLeftOut(child) && (yield* this.holders(child, found))) isInside = true
    // What a part of it shows, it shows.
    if (!isInside && !(yield* this.#isSeen(element))) return false
    found.add(element)
    return true
  }

  /** Whether an element shows the text outside of some parts. */
  *shows(element: Element, skip: (inner: Element) => boolean): Steps<boolean> {
    const isPossible = !this.#options.isPrivate(element) && this.#holdsAll(element, [this.#words.join('')], skip)
    return isPossible && (yield* this.#isSeen(element, skip))
  }

  /**
   * Whether all text of an element has the words. What a person sees of it takes much longer to find out. White space
   * does not count.
   */
  #holdsAll(element: Element, words: readonly string[], skip?: (inner: Element) => boolean): boolean {
    let text = ''
    const add = (node: Element | Text): void => {
      if (!isElement(node)) text += node.data
      else if (!skip?.(node)) {
        if (isTag(node, 'img')) text += ` ${node.alt} `
        for (const child of this.#visibility.children(node)) add(child)
      }
    }
    for (const child of this.#visibility.children(element)) add(child)
    const raw = toComparable(text).replaceAll(' ', '')
    return words.every((word) => raw.includes(word))
  }

  *#isSeen(element: Element, skip?: (inner: Element) => boolean): Steps<boolean> {
    yield* forEach(elementsUnder(element, this.#visibility.children), (one) => {
      for (const child of this.#visibility.children(one)) if (!isElement(child)) this.#visibility.isTextVisible(child)
    })
    return containsWords(this.#options.redact(this.#visibility.visibleText(element, skip)), this.#wanted)
  }
}

/** Whether the contents are not part of the text around, as `visibleText` has it. */
const isLeftOut = (element: Element): boolean =>
  holdsTyping(element) || isTag(element, 'select', 'datalist') || element.getAttribute('aria-hidden') === 'true'

/** The field of each of its controls. */
export const fieldsByMember = (fields: readonly Field[]): Map<Element, Field> =>
  new Map([
    ...fields.flatMap((field) => field.members.map((member) => [member as Element, field] as const)),
    ...fields.map((field) => [field.element as Element, field] as const),
  ])

/** The elements that are found and may be told. */
export function* findTold(conditions: Conditions, snapshot: PageSnapshot, root: Element): Steps<Element[]> {
  const fieldOf = fieldsByMember(snapshot.fields())
  const found = yield* find(conditions, snapshot, { root, fieldOf })
  return yield* filter(found, (element) => !isHiddenInput(element) && !isInsidePrivate(element, snapshot))
}
