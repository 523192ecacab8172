// The heading that a person reads above a control: the title of its dialog, section or pane.
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, isTag, parentOf } from '../dom/dom.js'
import { isDialog } from '../dom/roles.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { isAmount } from './amounts.js'

interface Seen {
  readonly visibility: Visibility
  /** Removes private values. */
  redact(text: string): string
}

/** Characters. A longer text is no heading. */
const longestHeading = 80
const headings = 'h1,h2,h3,h4,h5,h6,legend,[role=heading]'
const controls = 'button,a,input,select,textarea,label,option,[role=button],[role=tab],[role=option],[contenteditable]'
/** A value and what it is: `Total` before `€ 24.00` is no title of what is below. */
const pairs = 'dt,dd,th,td,[role=term],[role=definition],[role=cell],[role=rowheader],[role=columnheader]'
const hasLetters = (text: string): boolean => /\p{L}/u.test(text)

/** Characters of a dialog without a role. */
const largestDialog = 2_000

/** Whether a box without a role lies over the page: it does not scroll with the page, and is not all of it. */
function isOverPage(box: Element, visibility: Visibility): boolean {
  if (visibility.style(box).position !== 'fixed' || isTag(box, 'header', 'footer', 'nav', 'aside', 'body')) return false
  const { length } = visibility.visibleText(box, undefined, largestDialog + 1)
  const enough = length * 1.2 + 20
  return length <= largestDialog && visibility.visibleText(currentPage().body, undefined, enough).length >= enough
}

/** The dialog around an element, also one without a role. */
export function dialogAround(element: Element, { visibility }: Pick<Seen, 'visibility'>): Element | null {
  return ancestor(
    parentOf(element),
    (above) =>
      isDialog(above) ||
      above.getAttribute('aria-modal') === 'true' ||
      above.hasAttribute('popover') ||
      isOverPage(above, visibility),
  )
}

const textOf = (element: Element, { visibility, redact }: Seen): string => {
  const text = redact(normalizeText(visibility.visibleText(element, undefined, longestHeading + 1)))
  return text.length <= longestHeading && hasLetters(text) ? text : ''
}

/** Whether a text stands out from the text of the page, as headings without markup do. */
function standsOut(element: Element, { visibility }: Seen): boolean {
  if (element.matches(pairs) || isAmount(visibility.visibleText(element, undefined, longestHeading))) return false
  const { fontWeight, fontSize } = visibility.style(element)
  const body = Number.parseFloat(visibility.style(currentPage().body).fontSize)
  return Number(fontWeight) >= 600 || Number.parseFloat(fontSize) >= body * 1.15
}

/** The first heading in an element; if `isTitled`, also its first line of text that is no control. */
function headingIn(box: Element, seen: Seen, isTitled = false): string {
  if (box.matches(headings)) return textOf(box, seen)
  const { visibility } = seen
  let first = ''
  for (const one of elementsUnder(box, visibility.children)) {
    if (!visibility.isShown(one)) continue
    if (one.matches(headings)) {
      const text = textOf(one, seen)
      if (text !== '') return text
    }
    const isPlain = one.childElementCount === 0 && ancestor(one, (above) => above.matches(controls)) === null
    if (first === '' && isPlain && (isTitled || standsOut(one, seen))) first = textOf(one, seen)
  }
  return first
}

/** Whether two elements are items of one list, of which each has a heading of its own. */
const isAlike = (one: Element, other: Element): boolean =>
  one.localName === other.localName && (one.getAttribute('class') ?? '') === (other.getAttribute('class') ?? '')

/** The heading before an element in its parent: of its section, or the title of a pane. */
function headingBefore(element: Element, seen: Seen): string {
  let before = element.previousElementSibling
  for (let tried = 0; before && tried < 8; tried++, before = before.previousElementSibling) {
    if (isTag(before, 'script', 'style') || (isAlike(before, element) && !before.matches(headings))) continue
    // A part with controls of its own is beside, not above. The title of a pane may have buttons in its line.
    const isPart = before.querySelector('input,select,textarea') !== null
    const found = isPart ? '' : headingIn(before, seen)
    if (found !== '') return found
  }
  return ''
}

const isNamedPart = (element: Element): boolean =>
  isTag(element, 'section', 'form', 'fieldset', 'article', 'aside', 'main') ||
  /^(group|region|form|tabpanel|complementary|radiogroup)$/.test(roleOf(element) ?? '')

/** The heading of the dialog, section or pane around a control; undefined if there is none. */
export function headingAround(control: Element, seen: Seen): string | undefined {
  const { visibility, redact } = seen
  const nameOf = (part: Element): string => {
    const name = redact(normalizeText(accessibleNameOf(part, visibility)))
    return hasLetters(name) ? truncate(name, longestHeading) : ''
  }
  const dialog = dialogAround(control, seen)
  if (dialog) return nameOf(dialog) || headingIn(dialog, seen, true) || undefined
  for (let up: Element | null = control; up && !isTag(up, 'body', 'html'); up = parentOf(up)) {
    const found = (up !== control && isNamedPart(up) && nameOf(up)) || headingBefore(up, seen)
    if (found) return found
  }
  return undefined
}

/** What a page is called, where nothing nearer says what a control is about. */
export function headingOfPage({ redact }: Seen): string {
  const { title } = currentPage()
  return redact(truncate(normalizeText(title), longestHeading)) || location.host + location.pathname
}
