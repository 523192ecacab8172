// Finds the element that an action means, and checks that a user could use it now. Otherwise throws with the reason;
// nothing is guessed or forced.
import { ToolAgentError, type ErrorCode } from '../../core/data/errors.js'
import {
  ancestor,
  byIds,
  childrenOf,
  elementsUnder,
  isElement,
  isOffLimits,
  isTag,
  currentPage,
  detachedFrom,
  parentOf,
} from '../dom/dom.js'
import { isGroup } from '../controls/kinds.js'
import { nameOrText, roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { Field } from '../read/form-fields.js'
import { currentItems, elementOf, isInsidePrivate, refNamed } from '../read/named-parts.js'
import { isAction } from '../dom/roles.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled } from '../dom/field-state.js'
import { countWords, searchedLists } from '../read/long-lists/row-lists.js'
import { describeBox, looksClickable } from '../read/clickables.js'
import { describeControl, isControl, listedControl } from '../read/control-names.js'
import { controlNameOf } from '../read/icons.js'
import { placesAmong, placesApart, placeWords } from '../read/places.js'
import { containsWords, foldName, normalizeText, toComparable, truncate, withoutSymbols } from '../dom/text.js'

export { describeApart, describeControl, isControl, listedControl } from '../read/control-names.js'

/** What to do about a disabled element. */
export const enableFirst = 'Use page_read to see what must be filled or chosen first.'

/** The error of an element that cannot be used. */
export interface Unusable extends ToolAgentError {
  /** Its message without what to do about it, and without a full stop. */
  readonly problem: string
}

const unusable = (code: ErrorCode, problem: string, advice: string): Unusable =>
  Object.assign(new ToolAgentError(code, advice === '' ? problem : `${problem}. ${advice}`), { problem })

/** The error of an element that cannot be used. `words` describe it, `why` ends the sentence. */
export const unavailable = (words: string, why: string, advice = ''): Unusable =>
  unusable('unavailable', `${words} ${why}`, advice)

interface NamedElement {
  readonly element: Element
  /** What it may be called, redacted: by its accessible name, and as the outline shows it. */
  readonly names: readonly string[]
}

/** The innermost elements that match; none if only the body does. A child is tested only if its parent matches. */
function innermost(element: Element, matches: (element: Element) => boolean): Element[] {
  const inner = childrenOf(element).filter(isElement).filter(matches)
  if (inner.length > 0) return inner.flatMap((child) => innermost(child, matches))
  return isTag(element, 'body') ? [] : [element]
}

/** Up to five texts of the page that share words with the text, as a part of an error; '' if there are none. */
function similarTexts(words: readonly string[], listed: ReadonlySet<Element>, snapshot: PageSnapshot): string {
  const { visibility, refs, redact } = snapshot
  const found = words.flatMap((word) =>
    innermost(currentPage().body, (element) => containsWords(redact(visibility.visibleText(element)), word)),
  )
  const lines = [...new Set(found)]
    .filter((element) => visibility.isShown(element) && !isInsidePrivate(element, snapshot))
    .filter((element) => ancestor(element, (above) => listed.has(above)) === null)
    .slice(0, 5)
    .map((element) => {
      const shown = truncate(redact(visibility.visibleText(element)), 80)
      const ref = refs.refFor(element, visibility)
      return `- ${roleOf(element) ?? element.localName} ${JSON.stringify(shown)} [ref=${ref}]\n`
    })
  return lines.length > 0 ? `Similar texts:\n${lines.join('')}` : ''
}

/** What a name means, of which a call can mean one only, as lines of an error. */
function listedApart(found: readonly Element[], snapshot: PageSnapshot): string {
  const places = placesApart(found, '', snapshot)
  const lines = found.slice(0, 8).map((element, at) => {
    const place = places[at] === undefined ? '' : ` in ${JSON.stringify(places[at])}`
    return `${describeControl(element, snapshot)}${place} [ref=${snapshot.refs.refFor(element, snapshot.visibility)}]`
  })
  return lines.join('\n')
}

/** The controls and texts that share words with a name that nothing has, as a part of the error. */
function nearNames(asked: string, named: readonly NamedElement[], snapshot: PageSnapshot): string {
  const whole = toComparable(asked)
  // Each word is searched in the whole page.
  const words = [...new Set(whole.split(' '))].filter((word) => word.length > 2).slice(0, 8)
  const ranks = [
    (name: string) => whole !== '' && (name.includes(whole) || (name !== '' && whole.includes(name))),
    (name: string) => words.some((word) => name.includes(word)),
  ]
  const near = ranks.flatMap((fits) => named.filter(({ names }) => names.some((name) => fits(toComparable(name)))))
  const listed = [...new Set(near.map(({ element }) => element))].slice(0, 8)
  const lines = listed.map((element) => `- ${listedControl(element, snapshot)}\n`).join('')
  return `${lines && `Near names:\n${lines}`}${similarTexts(words, new Set(listed), snapshot)}`
}

/** The lists in which the element may be a row that is not in the document, as a part of the error. */
function hintOfLists({ visibility, refs }: PageSnapshot): string {
  return searchedLists(visibility)
    .map((list) => {
      const ref = refs.refFor(list.root, visibility)
      return (
        `Of the list ${ref}, only ${countWords(list)} are in the document: page_scroll with target ${ref} and the ` +
        'text of a row brings it there.\n'
      )
    })
    .join('')
}

/** The lists whose closed options have the name, as a part of the error: a click cannot choose them. */
function hintOfOptions(asked: string, snapshot: PageSnapshot): string {
  const names = [asked, ...readingsOf(asked).flatMap(({ role = 'option', name }) => (role === 'option' ? name : []))]
  const wanted = new Set(names.map(foldName))
  return snapshot
    .fields()
    .map(({ element }) => element as Element)
    .filter((one) => isTag(one, 'select') && [...one.options].some(({ label }) => wanted.has(foldName(label))))
    .slice(0, 3)
    .map((list) => `It is an option of ${listedControl(list, snapshot)}: choose it with form_fill.\n`)
    .join('')
}

/** The names of an element with a role, or of a box that looks clickable. `field`: the field that it is, if any. */
function namesOf(element: Element, field: Field | undefined, { visibility, fields, redact }: PageSnapshot): string[] {
  const names = [controlNameOf(element, visibility), nameOrText(element, visibility)]
  // As the outline shows it: a field by its label, a box without the controls inside.
  if (field && !isGroup(field)) names.push(field.label)
  if (roleOf(element) === null) {
    const isField = (one: Element): boolean =>
      fields().some(({ members }) => (members as readonly Element[]).includes(one))
    names.push(describeBox(element, { visibility, isField, refOf: () => '' })?.name ?? '')
  }
  // The outline cuts long names.
  return [...names, ...names.map((name) => truncate(name, 200))]
    .map((name) => normalizeText(redact(name)))
    .filter((name, index, all) => name !== '' && all.indexOf(name) === index)
}

/** Roles of fields that a click only focuses or opens. */
const clickableFields = /^(textbox|searchbox|combobox|spinbutton)$/

/** The fields that may be clicked, by label. */
const namedFields = ({ fields, visibility, redact }: PageSnapshot): NamedElement[] =>
  fields()
    .filter(({ element }) => clickableFields.test(roleOf(element) ?? 'textbox') && visibility.hasBox(element))
    .map(({ element, label, ownLabel }) => ({ element, names: [redact(label), redact(ownLabel)] }))

/**
 * Whether words stand directly beside the element in its line of text, so that it is a part of a phrase: `<b>Delete</b>
 * all messages`. The elements beside it are texts of their own.
 */
function isPartOfPhrase(element: Element, box: Element, visibility: Visibility): boolean {
  for (let node: Element | null = element; node && node !== box; node = parentOf(node)) {
    if (visibility.style(node).display !== 'inline') return false
    const around = parentOf(node)
    const beside = around ? visibility.children(around) : []
    if (beside.some((one) => !isElement(one) && /[\p{L}\p{N}]/u.test(one.data))) return true
  }
  return false
}

/** What a click on a text that stands alone acts on: the control that consists of it, or else its innermost element. */
function targetOfText(text: Element, fits: (name: string) => boolean, snapshot: PageSnapshot): Element | undefined {
  const { visibility, redact } = snapshot
  const control = ancestor(text, isControl)
  const box = control ?? ancestor(text, (above) => looksClickable(above, visibility))
  // A heading says what follows it. Only inside a clickable box it is a text to click on.
  if (!box) return roleOf(text) === 'heading' ? undefined : text
  if (fits(redact(visibility.visibleText(box)))) return box
  // A control is one thing: a part of its text is not its name.
  return control || isPartOfPhrase(text, box, visibility) ? undefined : text
}

/** What a target may mean that is written as in the outline. */
interface WrittenTarget {
  readonly role?: string | undefined
  readonly name: string
  readonly place?: string | undefined
}

/**
 * The ways to read `button "Remove" in "Item 2"`, or the same without the role or the quotation marks, and
 * `clickable in "Item 2"`, which has no name.
 */
function readingsOf(text: string): WrittenTarget[] {
  const [, unnamed, around] = /^([a-z]+) in "(.*)"$/s.exec(text) ?? []
  if (unnamed !== undefined) return [{ role: unnamed, name: '', place: around }]
  const [, role, name, place] =
    /^(?:([a-z]+) )?"(.*?)"(?: in (?:[a-z]+ )?"(.*)")?$/s.exec(text.replaceAll('\\"', "'")) ?? []
  if (name !== undefined) return [{ role, name, place }]
  const found: WrittenTarget[] = []
  for (let at = text.indexOf(' in '); at > 0; at = text.indexOf(' in ', at + 1))
    found.push({ name: text.slice(0, at), place: text.slice(at + 4).replace(/^"(.*)"$/s, '$1') })
  return found
}

/** Whether a name is the one that was asked for. Emoji and symbols before and after it may be missing. */
const isCalled = (name: string, asked: string): boolean =>
  foldName(name) === foldName(asked) || foldName(withoutSymbols(name)) === foldName(withoutSymbols(asked))

/** The controls with a whole name that are in a place with a whole name, or have the role that stands before it. */
function withPlace(text: string, all: readonly NamedElement[], snapshot: PageSnapshot): Element[] {
  const { visibility, redact } = snapshot
  const roleIn = (element: Element): string =>
    roleOf(element) ?? (looksClickable(element, visibility) ? 'clickable' : 'textbox')
  return readingsOf(text).flatMap(({ role, name, place }) => {
    const wanted = foldName(name)
    const equal = new Map<string, Element[]>()
    for (const { element, names } of all) {
      const own = roleIn(element)
      const isMeant = wanted === '' ? names.length === 0 : names.some((one) => isCalled(one, name))
      if (isMeant && (role === undefined || own === role)) equal.set(own, [...(equal.get(own) ?? []), element])
    }
    return [...equal.values()].flatMap((elements) => {
      if (place === undefined) return elements
      // What tells it from equal ones, or else anything around it.
      const apart = placesApart(elements, '', snapshot)
      const found = elements.filter((_, at) => isCalled(apart[at] ?? '', place))
      if (found.length > 0) return found
      const places = placesAmong(elements, visibility, redact)
      return elements.filter((_, at) => places[at]?.some((one) => isCalled(placeWords(one), place)))
    })
  })
}

/** Of matches inside each other that show the same text, a person sees one: the control, not a box around it. */
function withoutNested(found: readonly Element[], { visibility }: PageSnapshot): Element[] {
  const isSameAs = (outer: Element, inner: Element): boolean =>
    outer !== inner &&
    ancestor(inner, (above) => above === outer) !== null &&
    visibility.visibleText(outer) === visibility.visibleText(inner)
  const every = [...new Set(found)]
  // A label stands for its control.
  const all = every.filter((one) => !isTag(one, 'label') || one.control === null || !every.includes(one.control))
  const controls = all.filter((one) => isControl(one) || !all.some((other) => isSameAs(one, other)))
  return controls.filter((one) => !controls.some((other) => isSameAs(other, one)))
}

/**
 * Finds the element for a ref, a whole name or an exact visible text. Never a part of a name: `Delete` must not mean
 * "Delete all messages".
 * @throws `invalid-input` if none or several match, `stale-ref`
 */
export function resolveActionTarget(asked: string, role: string | undefined, snapshot: PageSnapshot): Element {
  const text = asked.trim()
  const ref = refNamed(text)
  if (ref !== undefined) return elementOf(ref, snapshot)
  const { visibility, redact } = snapshot
  const asWritten = normalizeText(text)
  const wanted = foldName(text)
  const isAnyRole = role === undefined || role.toLowerCase() === 'clickable'
  const mayBeMeant = (element: Element): boolean =>
    isAnyRole
      ? isAction(roleOf(element)) || looksClickable(element, visibility)
      : roleOf(element) === role.toLowerCase()
  const fieldOf = new Map(snapshot.fields().map((field) => [field.element as Element, field]))
  const named = [...elementsUnder(currentPage().body)]
    .filter((element) => mayBeMeant(element) && visibility.isInReach(element) && !isInsidePrivate(element, snapshot))
    .map((element): NamedElement => ({ element, names: namesOf(element, fieldOf.get(element), snapshot) }))
  const fields = isAnyRole ? namedFields(snapshot) : []
  // A listener of the page cannot be seen, so any text may be a control. Read only if no control has the name.
  let texts: readonly Element[] | undefined
  const readTexts = (): readonly Element[] =>
    (texts ??= innermost(currentPage().body, (element) =>
      foldName(redact(visibility.visibleText(element))).includes(wanted),
    ).filter((element) => visibility.isShown(element) && !isInsidePrivate(element, snapshot)))
  let found: Element[] = []
  const readings = [
    (name: string) => name === asWritten,
    (name: string) => foldName(name) === wanted,
    (name: string) => isCalled(name, text),
  ]
  for (const fits of readings) {
    const inNames = (among: readonly NamedElement[]): Element[] =>
      among.filter(({ names }) => names.some(fits)).map(({ element }) => element)
    const inTexts = (): Element[] =>
      (isAnyRole && asWritten !== '' ? readTexts() : [])
        .filter((element) => fits(redact(visibility.visibleText(element))))
        .flatMap((element) => targetOfText(element, fits, snapshot) ?? [])
    for (const find of [() => inNames(named), () => inNames(fields), inTexts]) {
      found = withoutNested(find(), snapshot)
      if (found[0] && found.length === 1) return found[0]
      if (found.length > 1) break
    }
    if (found.length > 1) break
  }
  if (found.length === 0) found = withoutNested(withPlace(text, [...named, ...fields], snapshot), snapshot)
  if (found[0] && found.length === 1) return found[0]
  if (found.length === 0)
    throw new ToolAgentError(
      'invalid-input',
      `No ${isAnyRole ? 'clickable element' : truncate(normalizeText(role), 40)} is named ` +
        `${JSON.stringify(truncate(text, 80))}. ${nearNames(text, [...named, ...fields], snapshot)}` +
        `${hintOfOptions(text, snapshot)}${hintOfLists(snapshot)}The page has:\n` +
        `${currentItems(snapshot)}\nPass a whole name or a ref. To click any other text, find it with dom_query ` +
        'and pass its ref.',
    )
  throw new ToolAgentError(
    'invalid-input',
    `${JSON.stringify(truncate(text, 80))} matches ${found.length} elements. Pass the ref of one:\n` +
      listedApart(found, snapshot),
  )
}

/** The only element with one of the roles and the whole name. */
export function namedWith(roles: RegExp, asked: string, snapshot: PageSnapshot): Element | undefined {
  const { visibility, redact } = snapshot
  const wanted = foldName(asked)
  const found = [...elementsUnder(currentPage().body)].filter(
    (one) =>
      roles.test(roleOf(one) ?? '') &&
      visibility.isShown(one) &&
      !isInsidePrivate(one, snapshot) &&
      foldName(redact(nameOrText(one, visibility))) === wanted,
  )
  return wanted !== '' && found.length === 1 ? found[0] : undefined
}

/** Resolves as a click does, or else by another step; the error is that of the click. */
export function orElse(resolve: () => Element, other: () => Element | undefined): Element {
  try {
    return resolve()
  } catch (error) {
    const found = error instanceof ToolAgentError && error.code === 'invalid-input' ? other() : undefined
    if (found) return found
    throw error
  }
}

/**
 * Checks that the element, and elements tied to it, are not excluded from tools. `byKeys`: keys may operate a select,
 * which a click cannot.
 * @throws `unavailable`, `sensitive-field`
 */
export function checkAllowed(element: Element, snapshot: PageSnapshot, byKeys = false): void {
  const taken = detachedFrom(element)
  if (taken)
    throw unusable(
      'unavailable',
      `A field is named "${taken}" and hides that property of its form, so it is unknown what the form does`,
      'Only the user can submit the form.',
    )
  const words = describeControl(element, snapshot)
  const tied = [
    element,
    (element as Partial<HTMLButtonElement>).form,
    ...['for', 'form', 'popovertarget', 'commandfor', 'aria-controls'].flatMap((name) => byIds(element, name)),
    ancestor(element, (above) => isTag(above, 'label')),
  ]
  for (const one of tied) {
    if (!one) continue
    if (isOffLimits(one) || (isTag(one, 'label') && one.control && isOffLimits(one.control)))
      throw unavailable(words, 'is marked data-tool-agent-ignore', 'Only the user can use it.')
  }
  if (isTag(element, 'iframe'))
    throw unavailable(
      words,
      element.contentDocument
        ? 'is a frame: pass the ref of an element inside'
        : 'is a frame from another site and cannot be read',
    )
  if (isTag(element, 'input') && element.type === 'file')
    throw unusable('sensitive-field', 'Only the user can choose files', 'Ask the user to do it.')
  if (!byKeys && isTag(element, 'select', 'option')) throw unavailable(words, 'is set with form_fill')
}

/**
 * Checks that a user could use the element: it is attached and neither disabled nor inert. `aria-disabled` also counts
 * on an ancestor, as ARIA defines it.
 * @throws `stale-ref`, `unavailable`
 */
export function checkReachable(element: Element, snapshot: PageSnapshot): void {
  const words = describeControl(element, snapshot)
  if (!element.isConnected)
    throw new ToolAgentError('stale-ref', `${words} is no longer on the page. The page has:\n${currentItems(snapshot)}`)
  const group = ancestor(parentOf(element), (above) => above.getAttribute('aria-disabled') === 'true')
  if (group)
    throw unavailable(words, `is disabled, because ${describeControl(group, snapshot)} around it is`, enableFirst)
  if (isDisabled(element)) throw unavailable(words, 'is disabled', enableFirst)
  if (ancestor(element, (above) => above.hasAttribute('inert')))
    throw unavailable(words, 'is inert', 'Something else is open: use page_read, and finish or close that first.')
}

/** Both checks. @throws as they do */
export function checkUsable(element: Element, snapshot: PageSnapshot, byKeys = false): void {
  checkAllowed(element, snapshot, byKeys)
  checkReachable(element, snapshot)
}
