// Describes what the markup does not: boxes that only look clickable, the days of a calendar.
import { elementsUnder, frameDocument, isTag, parentOf, rootOf, viewOf } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { isScrollable } from '../dom/scroll-boxes.js'
import { asLabel, normalizeText, saysNothing, toReadable, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { isDrawingArea, resizedEdges } from './affordances.js'
import { controlNameOf, textAttributes } from './icons.js'
import { joinedBy, type Line, named, piece, quote } from './line.js'
import { statesOf } from './outline-item.js'
import type { ControlLine, OutlineContext, OutlineItem } from './outline-item.js'

const controlRoles = /^(button|link|menuitem(checkbox|radio)?|tab|option|treeitem|radio|checkbox|switch)$/
/** Parts that have lines of their own. */
const partTags = 'h1,h2,h3,h4,h5,h6,[role=heading],ul,ol,table,[role=table],[role=grid],iframe,p + p'
/** Longer texts are read as text and not as a name. */
const longestName = 200
/** Pixels. A larger box without any name is a layer of the page, not an icon. */
const largestIcon = 150

/** Parts of class names that only controls have. */
const controlClass = /(^|[-_\s])(btn|button|clickable)([-_\s]|$)/i
/** Elements whose whole contents are one control. */
const wholeControls = 'a[href],button,label,summary,option'
/** Characters. A longer text is a part of the box around it and not a control. */
const longestInner = 40

/** The selectors of the rules that set a pointer cursor, for each style sheet and its number of rules. */
const knownSheets = new WeakMap<CSSStyleSheet, { length: number; selectors: string[] }>()

function pointerSelectors(rules: CSSRuleList, into: string[] = []): string[] {
  for (const rule of rules) {
    const { selectorText, style, cssRules, styleSheet } = rule as Partial<CSSStyleRule & CSSImportRule>
    // A rule for all descendants says no more than the inherited cursor.
    if (selectorText && style?.cursor === 'pointer' && !/\*\s*$/.test(selectorText)) into.push(selectorText)
    if (cssRules && cssRules.length > 0) pointerSelectors(cssRules, into)
    if (styleSheet) into.push(...selectorsOf(styleSheet))
  }
  return into
}

function selectorsOf(sheet: CSSStyleSheet): string[] {
  try {
    const { cssRules } = sheet
    const known = knownSheets.get(sheet)
    if (known?.length === cssRules.length) return known.selectors
    const selectors = pointerSelectors(cssRules)
    knownSheets.set(sheet, { length: cssRules.length, selectors })
    return selectors
  } catch {
    return [] // Scripts must not read the rules of another site.
  }
}

/** Whether a rule or its style attribute gives the element itself a pointer cursor. */
function setsPointer(element: Element): boolean {
  if ((element as Partial<HTMLElement>).style?.cursor === 'pointer') return true
  const { styleSheets, adoptedStyleSheets } = rootOf(element)
  return [...styleSheets, ...adoptedStyleSheets].some((sheet) =>
    selectorsOf(sheet).some((selector) => Element.prototype.matches.call(element, selector)),
  )
}

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

/**
 * Whether an element inside a clickable box, whose pointer cursor it shares, is a control of its own: by its own
 * cursor, a title of an icon, or its class.
 */
function isOwn(element: Element, visibility: Visibility): boolean {
  if (Element.prototype.closest.call(element, wholeControls)) return false
  const text = visibility.visibleText(element, undefined, longestInner + 1)
  const up = parentOf(element)
  if (!up || text.length > longestInner) return false
  const isTitled = !isWord(text) && textAttributes.some((name) => !saysNothing(element.getAttribute(name) ?? ''))
  if (!isTitled && !controlClass.test(element.getAttribute('class') ?? '') && !setsPointer(element)) return false
  // If it is all that the box around it shows, then the box is the control.
  for (let box: Element | null = up; box; box = parentOf(box)) {
    if (looksClickable(box, visibility))
      return visibility.visibleText(box) !== text || (text === '' && up.childElementCount > 1)
  }
  return false
}

const isList = /^(ul|ol|table|tbody)$/
/**
 * Whether a box looks clickable, whatever its role: a pointer cursor that its parent does not have, an inline listener,
 * a link without a target, a tab stop without a role.
 */
export const looksClickable = cachedPerSnapshot(looksClickableNow)

function looksClickableNow(element: Element, visibility: Visibility): boolean {
  const isPointed = (one: Element): boolean => visibility.style(one).cursor === 'pointer'
  if (
    !(
      isPointed(element) ||
      element.hasAttribute('onclick') ||
      element.localName === 'a' ||
      element.hasAttribute('tabindex') ||
      isEmptyTarget(element) ||
      takesRightClicks(element, visibility)
    ) ||
    isTag(element, 'html', 'body', 'form', 'legend', 'iframe') ||
    isList.test(element.localName)
  )
    return false
  const up = parentOf(element)
  return (
    (isPointed(element) && (!up || isList.test(up.localName) || !isPointed(up) || isOwn(element, visibility))) ||
    element.hasAttribute('onclick') ||
    isEmptyTarget(element) ||
    takesRightClicks(element, visibility) ||
    (isTag(element, 'a') && element.textContent !== '' && !element.hasAttribute('name')) ||
    // A box that scrolls has a tab stop so that keys can scroll it.
    (Number(element.getAttribute('tabindex') ?? -1) >= 0 &&
      roleOf(element) === null &&
      !isScrollable(element, visibility.style(element)))
  )
}

/** A listener that only takes the menu of the browser away, as from pictures. */
const takesMenuAway = /^\s*(event\.preventDefault\(\)[;\s]*)?(return false)?[;\s]*$/

/** Whether it opens a menu of its own on a right click: by its cursor, or an inline listener. */
function takesRightClicks(element: Element, { style }: Visibility): boolean {
  const listener = element.getAttribute('oncontextmenu')
  if (listener !== null && !takesMenuAway.test(listener)) return true
  const up = parentOf(element)
  const isPointed = (one: Element): boolean => style(one).cursor === 'context-menu'
  return isPointed(element) && !(up && isPointed(up))
}

/** Whether it is an edge or corner by which another box is resized. */
export const isResizer = (element: Element, visibility: Visibility): boolean =>
  element.childElementCount === 0 &&
  !isWord(element.textContent ?? '') &&
  resizedEdges(element, visibility.style) !== undefined

/** Properties in which scripts keep what a press on an element does. */
const handlers = ['onclick', 'ondblclick', 'oncontextmenu', 'onpointerdown', 'onmousedown'] as const

/** Whether it is an empty box on which a script waits for presses, such as an hour of a calendar. */
const isEmptyTarget = (element: Element): boolean =>
  handlers.some((name) => typeof (element as Partial<HTMLElement>)[name] === 'function') &&
  element.childElementCount === 0 &&
  element.textContent?.trim() === ''

/** Whether it is an empty layer over the box around it, which takes the clicks on that box, as over a card. */
function isSurface(element: Element, visibility: Visibility): boolean {
  const up = parentOf(element)
  if (!up || isTag(up, 'body', 'html') || element.childElementCount > 0) return false
  const [own, around] = [element.getBoundingClientRect(), up.getBoundingClientRect()]
  const { innerWidth, innerHeight } = viewOf(element)
  const area = own.width * own.height
  // Larger ones are the shade behind a modal.
  if (area < around.width * around.height * 0.8 || area > (innerWidth * innerHeight) / 2) return false
  return visibility.style(element).position === 'absolute' && visibility.visibleText(up) !== ''
}

/** A box that looks clickable; undefined if its contents tell enough. */
export function describeBox(
  element: Element,
  { visibility, refOf, isField }: Pick<OutlineContext, 'visibility' | 'refOf' | 'isField'>,
): ControlLine | undefined {
  const edges = isResizer(element, visibility) ? resizedEdges(element, visibility.style) : undefined
  if (edges !== undefined) {
    const name = `resize ${edges}`
    return { line: [...named('handle', name), piece('ref', refOf(element))], name }
  }
  if (!looksClickable(element, visibility) && isDrawingArea(element, visibility.style)) {
    const name = controlNameOf(element, visibility) || toReadable(element.id)
    const line = [...named('canvas', truncate(name, longestInner)), piece('ref', refOf(element)), ...statesOf(element)]
    return { line, name, hasContents: true }
  }
  let hasParts = false
  // Whether all parts are controls beside or within one text.
  let isOneText = true
  const inner = new Set<Element>()
  for (const one of elementsUnder(element)) {
    if (one === element) continue
    // The field is what a click acts on.
    if (isField(one)) return undefined
    const isControl = controlRoles.test(roleOf(one) ?? '') || isResizer(one, visibility)
    const isBox = !isControl && looksClickable(one, visibility)
    const isPart = isControl || isBox || Element.prototype.matches.call(one, partTags)
    if (!isPart || !visibility.isShown(one)) continue
    if (isControl || (isBox && isOwn(one, visibility))) inner.add(one)
    else isOneText = false
    hasParts = true
  }
  const lineFor = (name: string): ControlLine & { readonly name: string } => {
    const own = roleOf(element)
    const clickable: Line = [piece('role', 'clickable'), ...(own === 'heading' ? [' heading'] : [])]
    // What can only be dragged is called what it is.
    const role = looksClickable(element, visibility) ? clickable : [piece('role', own ?? element.localName)]
    const start = name ? [...role, ` ${quote(name)}`] : role
    return { line: [...start, piece('ref', refOf(element)), ...flags, ...statesOf(element)], name }
  }
  const flags = [
    ...(element.querySelector('select') ? ['opens list'] : []),
    ...(takesRightClicks(element, visibility) ? ['right click'] : []),
  ].map((state) => piece('state', state))
  const text = visibility.visibleText(element, (one) => inner.has(one))
  // Its only text is that of the controls inside.
  if (inner.size > 0 && text === '') return undefined
  if (hasParts && isOneText && text.length <= longestName) {
    const name = asLabel(element.getAttribute('aria-label') ?? '') || text
    return { ...lineFor(name), hasContents: true, hasText: true }
  }
  if (hasParts || text.length > longestName) {
    const isPart = (one: Element): boolean =>
      inner.has(one) || visibility.isBlock(one) || Element.prototype.matches.call(one, partTags)
    const own = asLabel(element.getAttribute('aria-label') ?? '') || visibility.visibleText(element, isPart)
    const name = own.length > longestName ? '' : own
    return { ...lineFor(name), hasContents: true }
  }
  // Computing an accessible name is slow, and a box without a role has none from its text.
  const isNamed =
    !isWord(text) || ['aria-label', 'aria-labelledby'].some((attribute) => element.hasAttribute(attribute))
  const name = (isNamed ? '' : text) || controlNameOf(element, visibility)
  const { width, height } = element.getBoundingClientRect()
  const isLarge = Math.max(width, height) > largestIcon
  if (name === '' && isLarge && !isEmptyTarget(element) && !isSurface(element, visibility)) return undefined
  return lineFor(truncate(name, longestName))
}

/** The name of a box that looks clickable, as the outline shows it. */
export const boxNameOf = cachedPerSnapshot(
  (element: Element, visibility: Visibility) =>
    describeBox(element, { visibility, isField: () => false, refOf: () => '' })?.name ??
    controlNameOf(element, visibility),
)

/** Joins the items of a calendar's days to one line. `numbers`: the items that may be days, and their elements. */
export function joinDays(
  items: readonly OutlineItem[],
  numbers: ReadonlyMap<OutlineItem, Element>,
  { refOf }: OutlineContext,
): OutlineItem[] {
  const joined: OutlineItem[] = []
  let run: [OutlineItem, Element][] = []
  const numberOf = (element: Element): string => normalizeText(element.textContent ?? '')
  const end = (): void => {
    if (new Set(run.map(([, element]) => numberOf(element))).size < 28) joined.push(...run.map(([item]) => item))
    else {
      const [first] = run
      // Days without a listener of their own are those of other months, if others have one.
      const hasTargets = run.some(([, element]) => !/^t[dh]$/.test(element.localName))
      const weekOf = (element: Element | undefined): Element | null => element?.closest('tr,[role=row]') ?? null
      const days = run.map(([, element], index): Line => {
        const isNewWeek = index > 0 && weekOf(element) !== weekOf(run[index - 1]?.[1])
        const ref = hasTargets && element.localName === 'td' ? [] : [piece('day', refOf(element))]
        const cell = element.closest('td,[role=gridcell]')
        const own = statesOf(element)
        const states = own.length === 0 && cell ? statesOf(cell) : own
        return [`${isNewWeek ? '/ ' : ''}${numberOf(element)}`, ...ref, ...states]
      })
      const line = [piece('role', 'days'), ' (', piece('note', 'number=ref'), '): ', ...joinedBy(days, ' ')]
      joined.push({ depth: first?.[0].depth ?? 0, kind: 'control', line })
    }
    run = []
  }
  for (const item of items) {
    const element = numbers.get(item)
    if (run.length > 0 && (!element || item.depth !== run[0]?.[0].depth)) end()
    if (element) run.push([item, element])
    else joined.push(item)
  }
  end()
  return joined
}

/** Why a frame cannot be read: nested too deep, one of too many, another site, or a sandbox. */
export function whyOpaque(frame: HTMLIFrameElement): string {
  if (frame.contentDocument) return frameDocument(frame) ? 'too many frames' : 'too deep'
  const origin = URL.canParse(frame.src) ? new URL(frame.src).origin : 'null'
  if (origin !== 'null' && origin !== location.origin) return `another site, ${normalizeText(origin)}`
  return frame.hasAttribute('sandbox') ? 'sandboxed' : 'another site'
}

/** Splits a text whose lines and spaces count, at the end of a line if possible. */
export const writtenPieces = (text: string, most = 600): string[] =>
  text.match(new RegExp(`[^]{1,${most}}$|[^]{0,${most - 1}}\\n|[^]{1,${most}}`, 'gu')) ?? []

/** Splits a text of more than `most` characters after a sentence, or else after a word. */
export function pieces(text: string, most = 600): string[] {
  const found: string[] = []
  while (text.length > most) {
    const part = text.slice(0, most)
    const end = Math.max(part.search(/[.!?。！？]\s[^.!?。！？]*$/) + 1, 0) || part.lastIndexOf(' ') || most
    found.push(text.slice(0, end > 0 ? end : most).trim())
    text = text.slice(end > 0 ? end : most).trim()
  }
  if (text !== '') found.push(text)
  return found
}
