// What an action may change beside the text of the page: values of bars and meters, states of rows and cells, the
// active item of a composite, the look of an edited text, the selected text, and what live regions say. Private fields
// are never watched. What it changes in the field that it operates, such as a checkbox, is noted for the undo.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { roleOf } from '../dom/accessible-name.js'
import { ancestor, byIds, elementsUnder, isElement, isOffLimits, isTag, currentPage, parentOf } from '../dom/dom.js'
import { stageAnimation } from '../stage/layer.js'
import { pageFocus } from '../dom/page-focus.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { normalizeText } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { barRoles, barValueOf } from '../dom/field-state.js'
import { isAction } from '../dom/roles.js'
import { lookChange, lookNow, type Look } from '../read/looks.js'
import { isInsidePrivate, isPrivateAmong } from '../read/named-parts.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import type { ToolRun } from '../../page/tools/tool.js'
import type { Permission } from '../effects/permission.js'
import { kindOf } from '../controls/kinds.js'
import { keepForUndo } from '../fill/undo/undo-record.js'
import { isWithheld, type Field } from '../read/field.js'
import { fieldStateOf } from '../read/field-values.js'

/** The watched state of the page at one moment. */
export interface WatchedState {
  /** Values and states in words, of elements that the outline does not describe. */
  readonly words: ReadonlyMap<Element, string>
  /** The active items, by the element that names them. */
  readonly active: ReadonlyMap<Element, Element>
  /** How many characters of an edited text have which look. */
  readonly looks: ReadonlyMap<Element, ReadonlyMap<string, number>>
  /** How the control of the action and its siblings look, by what they were before it. */
  readonly drawn: ReadonlyMap<Element, Drawn>
  /** Where a text is selected, and how many characters. */
  readonly selection: { readonly place: string; readonly length: number }
}

const stateNames = ['selected', 'checked', 'expanded', 'pressed', 'current', 'sort']

/** Longer lists are content. */
const mostSiblings = 30

/** A control with its look. */
interface Drawn {
  readonly element: Element
  /** By which it is found again if the page draws it anew; undefined if it has none. */
  readonly ref: string | undefined
  readonly look: Look
}

const rows = 'tr,li,article,[role=row],[role=listitem],[role=article]'

/** The row and the clickable box that a control is a part of: a press selects or marks them as a whole. */
function boxesAround(control: Element, { style }: Visibility): readonly Element[] {
  const isPointed = (element: Element): boolean =>
    style(element).cursor === 'pointer' && !isTag(element, 'body', 'html')
  let box = control
  for (let up = parentOf(box); isPointed(box) && up && isPointed(up); up = parentOf(up)) box = up
  const row = ancestor(control, (above) => above.matches(rows))
  return row ? [row, box] : [box]
}

/** The looks of a control, of those beside it, and of the boxes that it is a part of. */
function looksAround(control: Element | undefined, snapshot: PageSnapshot): Map<Element, Drawn> {
  const { visibility } = snapshot
  const around = control?.isConnected ? parentOf(control) : null
  const beside = around ? visibility.children(around).filter(isElement) : []
  const near = beside.length > mostSiblings || !control ? [control] : [control, ...beside]
  const all = control?.isConnected ? [...near, ...boxesAround(control, visibility)] : near
  return new Map(
    [...new Set(all)].flatMap((one) => {
      const drawn = one && drawnNow(one, snapshot)
      return drawn ? [[one, drawn]] : []
    }),
  )
}

function drawnNow(element: Element, { visibility, refs }: PageSnapshot): Drawn | undefined {
  if (!element.isConnected || visibility.isOffLimits(element) || !visibility.isShown(element)) return undefined
  // What moves by itself looks different at every moment.
  const isMoving = element
    .getAnimations({ subtree: true })
    .some(({ playState, id }) => playState === 'running' && id !== stageAnimation)
  if (isMoving) return undefined
  return { element, ref: refs.known(element, visibility), look: lookNow(element, visibility) }
}

/** The looks of what had a look before, or of what the page has drawn in its place. */
const looksSince = (former: WatchedState, snapshot: PageSnapshot): Map<Element, Drawn> =>
  new Map(
    [...former.drawn].flatMap(([element, { ref }]) => {
      const isGone = !element.isConnected && ref !== undefined
      const now = isGone ? snapshot.refs.find(ref, snapshot.visibility) : element
      const drawn = now && drawnNow(now, snapshot)
      return drawn ? [[element, drawn]] : []
    }),
  )

/** Reads the state that is compared after an action. `control`: what it operates. `former`: the state before it. */
export function watchedState(snapshot: PageSnapshot, control?: Element, former?: WatchedState): WatchedState {
  const { visibility, fields } = snapshot
  const words = new Map<Element, string>()
  const active = new Map<Element, Element>()
  const looks = new Map<Element, ReadonlyMap<string, number>>()
  const isPrivate = isPrivateAmong(fields())
  const known = new Set<Element>(fields().flatMap(({ element, members }) => [element, ...members]))
  for (const element of elementsUnder(currentPage().body, visibility.children)) {
    if (isPrivate(element)) continue
    const [item] = byIds(element, 'aria-activedescendant')
    if (item && visibility.isShown(item) && !isInsidePrivate(item, snapshot)) active.set(element, item)
    if (isEdited(element)) {
      if (!isInsidePrivate(element, snapshot)) looks.set(element, looksIn(element, visibility))
    } else if (!known.has(element)) {
      const found = wordsOf(element)
      if (found !== '' && visibility.isShown(element) && !isInsidePrivate(element, snapshot)) words.set(element, found)
    }
  }
  const drawn = former ? looksSince(former, snapshot) : looksAround(control, snapshot)
  return { words, active, looks, drawn, selection: selectionIn(snapshot) }
}

/** The value of a bar, or the states of a row, a cell or another element that is no control of the outline. */
function wordsOf(element: Element): string {
  const role = element.hasAttribute('role') || isTag(element, 'progress', 'meter') ? roleOf(element) : null
  if (role !== null && barRoles.test(role)) return barValueOf(element)
  if (isAction(role)) return ''
  const states = stateNames.flatMap((name) => {
    const value = element.getAttribute(`aria-${name}`)
    if (!value || value === 'false' || value === 'none') return []
    return [value === 'true' ? name : `${name}: ${normalizeText(value)}`]
  })
  return states.map((state) => `[${state}]`).join(' ')
}

/** Whether it is the outermost element of a rich text, or a text area, whose letters pages format as a whole. */
const isEdited = (element: Element): boolean =>
  isTag(element, 'textarea') ||
  ((element as HTMLElement).isContentEditable && !(parentOf(element) as HTMLElement | null)?.isContentEditable)

/** Longer texts are compared up to here. */
const mostTexts = 1_000

function looksIn(editor: Element, visibility: Visibility): Map<string, number> {
  const found = new Map<string, number>()
  const note = (look: readonly string[], length: number): void => {
    for (const word of look) found.set(word, (found.get(word) ?? 0) + length)
  }
  if (isTag(editor, 'textarea')) note(lookOf(editor, editor, visibility), 1)
  let texts = 0
  for (const element of elementsUnder(editor, visibility.children))
    for (const child of visibility.children(element)) {
      // Spaces do not count: another markup joins or splits the texts at them.
      const length = isElement(child) ? 0 : child.data.replace(/\s/g, '').length
      if (length > 0 && ++texts <= mostTexts) note(lookOf(element, editor, visibility), length)
    }
  return found
}

const blocks = new Map([
  ['ul', 'bulleted list'],
  ['ol', 'numbered list'],
  ['blockquote', 'quote'],
  ['pre', 'code'],
  ['code', 'code'],
  ['a', 'link'],
  ['sub', 'subscript'],
  ['sup', 'superscript'],
  ...[1, 2, 3, 4, 5, 6].map((level): [string, string] => [`h${level}`, `heading ${level}`]),
])

/** How the text of an element looks, in words. */
function lookOf(element: Element, editor: Element, visibility: Visibility): string[] {
  const css = visibility.style(element)
  const look = [
    ...(Number(css.fontWeight) >= 600 ? ['bold'] : []),
    ...(css.fontStyle === 'normal' ? [] : ['italic']),
    `size ${css.fontSize}`,
    `font ${normalizeText(css.fontFamily).replaceAll('"', '')}`,
    // Focus alone may change the color of a whole field.
    ...(isTag(editor, 'textarea') ? [] : [`color ${css.color}`]),
    `align ${css.textAlign}`,
  ]
  ancestor(element, (above) => {
    // Lines and backgrounds are not inherited, but seen.
    const { textDecorationLine, backgroundColor } = visibility.style(above)
    if (textDecorationLine && textDecorationLine !== 'none') look.push(...textDecorationLine.split(' '))
    if (above !== editor && !/^(transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor))
      look.push(`background ${backgroundColor}`)
    const block = blocks.get(above.localName)
    if (block !== undefined && above !== editor) look.push(block)
    return above === editor
  })
  return [...new Set(look)]
}

/** The selected text, outside of private fields. Only its length is told. */
function selectionIn(snapshot: PageSnapshot): WatchedState['selection'] {
  const focus = pageFocus()
  const none = { place: '', length: 0 }
  if (focus && (isPrivateAmong(snapshot.fields())(focus) || isInsidePrivate(focus, snapshot))) return none
  if (isTag(focus, 'textarea', 'input')) {
    const { selectionStart: start, selectionEnd: end } = focus
    return start === null || end === null ? none : { place: `${start} ${end}`, length: end - start }
  }
  const selection = unclobbered(focus?.ownerDocument ?? document).getSelection()
  const start = selection?.anchorNode
  if (!selection || !start || isOffLimits(start)) return none
  const { length } = normalizeText(selection.toString())
  return { place: `${selection.anchorOffset} ${selection.focusOffset} ${length}`, length }
}

/** At most so many values, states and looks are told. */
const mostLines = 6

/** What changed beside the text of the page. */
interface WatchedChanges {
  /** Lines of text, most important first. */
  readonly lines: string[]
  /** The bars whose values these lines tell. */
  readonly bars: readonly Element[]
}

/** The differences of two states. `nameOf` gives role, name and ref of an element. */
export function watchedChanges(
  before: WatchedState,
  after: WatchedState,
  nameOf: (element: Element) => string,
): WatchedChanges {
  const lines: string[] = []
  for (const [owner, item] of after.active)
    if (before.active.get(owner) !== item && item.isConnected) lines.push(`active: ${nameOf(item)}`)
  const values: string[] = []
  const bars: Element[] = []
  for (const element of new Set([...before.words.keys(), ...after.words.keys()])) {
    const [was, is] = [before.words.get(element), after.words.get(element)]
    if (was === is || !element.isConnected) continue
    const now = is === undefined ? `no longer ${was}` : `${is}${was === undefined ? '' : ` (was ${was})`}`
    values.push(`${nameOf(element)}: ${now}`)
    if (barRoles.test(roleOf(element) ?? '') && values.length <= mostLines) bars.push(element)
  }
  for (const [editor, look] of after.looks) {
    const old = before.looks.get(editor)
    const difference = old && lookDifference(old, look)
    if (difference) values.push(`formatting of ${nameOf(editor)}: ${difference}`)
  }
  lines.push(...values.slice(0, mostLines))
  if (values.length > mostLines) lines.push(`(and ${values.length - mostLines} more)`)
  const { place, length } = after.selection
  if (length > 0 && place !== before.selection.place) lines.push(`selected text: ${length} characters`)
  return { lines, bars }
}

/** What looks different of the control of an action and those beside it, in words. */
export function drawnChanges(
  before: WatchedState,
  after: WatchedState,
): readonly { readonly element: Element; readonly words: string }[] {
  return [...after.drawn].flatMap(([former, { element, look }]) => {
    const old = before.drawn.get(former)
    const words = old && lookChange(old.look, look, element.matches(':focus,:focus-within,:hover'))
    return words === undefined ? [] : [{ element, words }]
  })
}

function lookDifference(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string | undefined {
  const more = [...after].filter(([word, count]) => count > (before.get(word) ?? 0)).map(([word]) => word)
  const less = [...before].filter(([word, count]) => count > (after.get(word) ?? 0)).map(([word]) => word)
  // Another text has other counts of every look that it has. That is a change of the text, which the outline tells.
  const isOther = (words: readonly string[]): boolean => words.some((word) => word.startsWith('size '))
  if (isOther(more) !== isOther(less)) return undefined
  if (more.length > 0) return more.join(', ')
  return less.length > 0 ? `no longer ${less.join(', ')}` : undefined
}

/** What a live region says, also if only a screen reader reads it. '' if it is hidden altogether. */
export function spokenText(region: Element, visibility: Visibility): string {
  const parts: string[] = []
  const visit = (element: Element): void => {
    if (
      element.getAttribute('aria-hidden') === 'true' ||
      holdsTyping(element) ||
      isTag(element, 'select', 'datalist', 'iframe')
    )
      return
    if (isTag(element, 'img') && visibility.hasBox(element)) parts.push(` ${element.alt} `)
    const isHidden = visibility.level(element) === 'hidden'
    for (const child of visibility.children(element)) {
      if (isElement(child)) visit(child)
      else if (!isHidden) parts.push(child.data)
    }
    if (visibility.isApart(element)) parts.push(' ')
  }
  if (!ancestor(region, (above) => above.getAttribute('aria-hidden') === 'true')) visit(region)
  return normalizeText(parts.join(''))
}

/** The field that a control is, or is a part of. Not a private one. */
function fieldOf(control: Element, fields: readonly Field[]): Field | undefined {
  const open = fields.filter((field) => !isWithheld(field))
  return (
    open.find(({ members }) => members.includes(control)) ??
    open.find(({ element }) => Node.prototype.contains.call(element, control))
  )
}

/**
 * Reads the field that an action of the effect `value` operates. The function that it returns reads the field again and
 * keeps the difference. Undefined for other actions and without a field.
 */
export function watchValue(
  { effect, control }: Permission,
  { fields }: PageSnapshot,
): ((after: PageSnapshot, run: ToolRun, saved: readonly string[]) => void) | undefined {
  const field = effect === 'value' && control ? fieldOf(control, fields()) : undefined
  if (field === undefined) return undefined
  const before = fieldStateOf(field)
  const nodes = kindOf(field).copy?.(field)
  return (after, run, saved) => {
    const now = field.element.isConnected
      ? field
      : after.fields().find(({ label, type }) => label === field.label && type === field.type)
    if (now) keepForUndo([{ field: now, before, after: fieldStateOf(now), nodes }], run, saved)
  }
}
