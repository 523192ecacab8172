// The lines of text in a box, as far as they may say what the box is about: neither what is typed, nor the letters of a
// picture. The texts of controls are lines of their own.
import { isElement, isTag, parentOf, isTickBox } from '../dom/dom.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { roleOf } from '../dom/roles.js'
import { asLabel, saysNothing, toComparable, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { looksClickable } from './clickables.js'
import { isSpace } from './outline-item.js'
import { isLetters } from './own-labels.js'

/** A line of text in a box. */
export interface BoxLine {
  readonly text: string
  /** What the text stands in: the control whose text it is, or else the innermost box or title. */
  readonly holder: Element
  readonly isControl: boolean
  /** Whether it is the label of a field to type in or to choose from. It is then the text of a control, too. */
  readonly isLabel?: true
  readonly isTitle: boolean
}

/** Elements that say what follows them. */
export const titles = 'h1,h2,h3,h4,h5,h6,[role=heading],legend,strong,b,caption'
/** Characters. A box with more text is a part of the page, and no card. */
export const largestCard = 400
/** A box of more parts is a list or a grid. */
const mostParts = 80
const deepest = 40

/** Whether a box may be a card: it has little text and few parts. */
export const isSmallBox = cachedPerSnapshot(
  (box: Element, visibility: Visibility) =>
    visibility.children(box).length <= mostParts &&
    visibility.visibleText(box, undefined, largestCard).length <= largestCard,
)

const controlRoles = /^(button|link|tab|option|menuitem.*|checkbox|radio|switch|treeitem|combobox)$/
/** Whether it is a control, whose text is its name. */
const isOwnText = (element: Element, visibility: Visibility): boolean =>
  controlRoles.test(roleOf(element) ?? '') || isTag(element, 'a') || looksClickable(element, visibility)

/** Parts that hold controls and say nothing of what is beside them. */
const controlParts = /^(menu|menubar|listbox|tree|grid|dialog|tablist|toolbar|navigation)$/

const isSkipped = (element: Element): boolean =>
  holdsTyping(element) ||
  isTag(element, 'select', 'datalist', 'iframe', 'script', 'style') ||
  element.getAttribute('aria-hidden') === 'true'

/** Whether it is the label of a field. That of a box to tick says what the row is about. */
function isFieldLabel(element: Element): boolean {
  const field = isTag(element, 'label') ? element.control : null
  return field !== null && !isTickBox(field) && (holdsTyping(field) || isTag(field, 'select'))
}

/** The lines in a node that is in a small box, in the order of the page. */
export const linesOf = cachedPerSnapshot((node: Element | Text, visibility: Visibility): readonly BoxLine[] => {
  const parent = parentOf(node)
  return parent ? collect([node], parent, visibility) : []
})

/** The lines in nodes of a box, which follow each other. */
function collect(
  nodes: readonly (Element | Text)[],
  box: Element,
  visibility: Visibility,
  depth = 0,
): readonly BoxLine[] {
  const lines: BoxLine[] = []
  let run = ''
  let from: Element = box
  const end = (): void => {
    const text = asLabel(run)
    if (text !== '') lines.push({ text, holder: from, isControl: false, isTitle: from.matches(titles) })
    run = ''
    from = box
  }
  for (const child of nodes) {
    if (!isElement(child)) {
      if (isSpace(child) || visibility.isTextVisible(child)) run += child.data
      continue
    }
    if (isSkipped(child) || depth > deepest) continue
    if (isTag(child, 'img')) {
      if (!saysNothing(child.alt) && visibility.isShown(child)) run += ` ${child.alt} `
      continue
    }
    if (isFieldLabel(child)) {
      end()
      const text = asLabel(visibility.visibleText(child, isSkipped))
      if (text !== '') lines.push({ text, holder: child, isControl: true, isLabel: true, isTitle: false })
      continue
    }
    const isPart = controlParts.test(roleOf(child) ?? '')
    if (isPart || isOwnText(child, visibility)) {
      end()
      const text = isPart ? '' : asLabel(truncate(visibility.visibleText(child), largestCard))
      if (visibility.isShown(child)) lines.push({ text, holder: child, isControl: true, isTitle: false })
      continue
    }
    const inner = collect(visibility.children(child), child, visibility, depth + 1)
    const [only] = inner
    const isInline = !visibility.isBlock(child) && inner.length === 1 && only && !only.isControl && !only.isTitle
    if (isInline) {
      if (run.trim() === '') from = box
      run += visibility.isApart(child) ? ` ${only.text} ` : visibility.visibleText(child)
      continue
    }
    if (visibility.isBlock(child) || inner.length > 0) end()
    lines.push(...inner)
  }
  end()
  return lines
}

/** Pixels of the picture of a person or company. */
const [smallestPicture, largestPicture] = [14, 140]

/** Whether an element looks like a picture in whose place it stands: square or round, and filled. */
function looksLikePicture(element: Element, { style }: Visibility): boolean {
  const { width, height } = element.getBoundingClientRect()
  const [least, most] = [Math.min(width, height), Math.max(width, height)]
  if (least < smallestPicture || most > largestPicture || most > least * 1.3) return false
  const { backgroundColor, backgroundImage, borderRadius } = style(element)
  return (
    !/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor) ||
    backgroundImage !== 'none' ||
    parseFloat(borderRadius) > 0
  )
}

/** Whether a text has up to three letters, with which another begins, or its words: `AM` of "Ann Miller". */
function isShortFor(text: string, other: string): boolean {
  const [short, words] = [toComparable(text).replaceAll(' ', ''), toComparable(other).split(' ')]
  if (words.join('').length <= short.length) return false
  return (
    words
      .map((word) => word.slice(0, 1))
      .join('')
      .startsWith(short) || words.join('').startsWith(short)
  )
}

/** Whether a line is no text but the letters of a picture: initials of another line, or the sample of a font. */
export function isPictureText({ text, holder }: BoxLine, beside: readonly BoxLine[], visibility: Visibility): boolean {
  if (!/^\p{L}[\p{L}.]{0,2}$/u.test(text)) return false
  if (beside.some((other) => isShortFor(text, other.text))) return true
  if (text.length > 2) return false
  const around = parentOf(holder)
  return (
    looksLikePicture(holder, visibility) || (around?.childElementCount === 1 && looksLikePicture(around, visibility))
  )
}

/** A number with or without its unit: `3 KB`, `10:00am`. */
const isQuantity = (text: string): boolean => /^\P{L}*\d\P{L}*\p{L}{0,3}\.?$/u.test(text)
/** Whether a text may be a name: it has letters and is neither a number with its unit nor a sentence. */
export const mayName = (text: string): boolean => isLetters(text) && text.length <= 60 && !isQuantity(text)
