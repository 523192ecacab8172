// What only a look says: which of several tabs, layers or buttons is chosen, which switch made of boxes is on. A
// control is compared with its siblings, because only the difference means something.
import { elementsUnder, isElement, isTag, parentOf, rootOf } from '../dom/dom.js'
import { isDisabled } from '../dom/field-state.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { isAction, roleOf } from '../dom/roles.js'
import type { Visibility } from '../dom/visibility.js'
import { effectOfWords } from '../effects/match-vocabulary.js'
import { looksClickable } from './clickables.js'
import { controlNameOf } from './icons.js'

/** Classes that say that an element is chosen or on; also with a prefix, or the code of a CSS module. */
const chosenClass = /(?:^|[-_]|^is)(?:active|selected|current|checked|chosen)(?:_{1,3}[\w-]+)?$/i
const onClass = /(?:^|^is-|--|__|(?:switch|toggle)[-_]?)on$/i
const chosenState = /^(active|on|checked|selected)$/i
const chosenMarks = ['data-active', 'data-selected', 'data-checked', 'data-current']
/** Classes of a button that stands out because it is the most important one. */
const important = /primary|danger|success|warning|submit|cta|accent|highlight|featured/i
const nativeStates = ['selected', 'pressed', 'checked', 'current'].map((name) => `aria-${name}`)
const inner = 'a,button,[role],[tabindex]'
/** Longer lists are content. */
const mostSiblings = 60

const isControl = (element: Element, visibility: Visibility): boolean =>
  (isAction(roleOf(element)) || looksClickable(element, visibility)) &&
  visibility.isShown(element) &&
  !isDisabled(element)

const hasState = (element: Element): boolean =>
  isTag(element, 'input', 'option') || nativeStates.some((name) => element.hasAttribute(name))

const isMarked = (element: Element): boolean =>
  [...element.classList].some((name) => chosenClass.test(name) || onClass.test(name)) ||
  chosenState.test(element.getAttribute('data-state') ?? '') ||
  chosenMarks.some((name) => /^(true|)$/.test(element.getAttribute(name) ?? 'false'))

/** The line below a box; '' if there is none. */
function borderOf(element: Element, visibility: Visibility): string {
  const { borderBottomWidth, borderBottomColor } = visibility.style(element)
  return parseFloat(borderBottomWidth) > 0 ? borderBottomColor : ''
}

/** What makes one of several equal boxes stand out. */
function lookOf(element: Element, visibility: Visibility): string {
  const { backgroundColor, backgroundImage, fontWeight } = visibility.style(element)
  return [backgroundColor, backgroundImage, fontWeight, borderOf(element, visibility)].join()
}

/** The only one of at least three that looks different from all others, which look equal. */
function oddOne(controls: readonly Element[], visibility: Visibility): Element | undefined {
  if (controls.length < 3 || controls.some((one) => one.matches(':hover,:focus-within'))) return undefined
  const byLook = new Map<string, Element[]>()
  for (const one of controls) {
    const look = lookOf(one, visibility)
    byLook.set(look, [...(byLook.get(look) ?? []), one])
  }
  const found = byLook.size === 2 ? [...byLook.values()].find((equal) => equal.length === 1)?.[0] : undefined
  return found && mayBeChosen(found, controls, visibility) ? found : undefined
}

/** Whether a look may be a choice, and not that of an important button, of stripes, or of the end of a list. */
function mayBeChosen(odd: Element, all: readonly Element[], visibility: Visibility): boolean {
  const isStripe = all.length === 3 && odd === all[1] && !isTag(odd, 'a', 'button')
  const isEnd = odd === all.at(-1) && borderOf(odd, visibility) === '' && borderOf(all[0]!, visibility) !== ''
  const isImportant =
    [...odd.classList].some((name) => important.test(name)) ||
    odd.closest('form,dialog,[role=dialog],[role=alertdialog]') !== null ||
    effectOfWords(controlNameOf(odd, visibility)) !== undefined
  return !isStripe && !isEnd && !isImportant
}

/** The controls that look chosen among the children of an element, each of which is or holds one. */
const chosenIn = cachedPerSnapshot((parent: Element, visibility: Visibility): ReadonlySet<Element> => {
  const children = visibility.children(parent).filter(isElement)
  if (children.length < 2 || children.length > mostSiblings) return new Set()
  const groups = new Map<string, { readonly control: Element; readonly around: Element }[]>()
  for (const around of children) {
    const control = isControl(around, visibility) ? around : around.querySelector(inner)
    if (!control || !isControl(control, visibility)) continue
    const key = `${around.localName} ${control.localName} ${roleOf(control)}`
    groups.set(key, [...(groups.get(key) ?? []), { control, around }])
  }
  const found = new Set<Element>()
  for (const group of groups.values()) {
    if (group.length < 2 || group.some(({ control, around }) => hasState(control) || hasState(around))) continue
    const marked = group.filter(({ control, around }) => isMarked(control) || isMarked(around))
    if (marked.length === group.length) continue
    for (const { control } of marked) found.add(control)
    const odd =
      marked.length > 0
        ? undefined
        : oddOne(
            group.map(({ control }) => control),
            visibility,
          )
    if (odd) found.add(odd)
  }
  return found
})

/** Classes that say nothing of a state. */
const kindOf = (element: Element): string =>
  [...element.classList].filter((name) => !chosenClass.test(name) && !onClass.test(name)).join('.')

/** Whether it is drawn as a switch: an empty box that is wider than high and round, or is called one. */
function isSwitchBox(element: Element, { style }: Visibility): boolean {
  if (/switch|toggle/i.test(element.getAttribute('class') ?? '')) return true
  const { width, height } = element.getBoundingClientRect()
  return width > height * 1.4 && width <= 90 && parseFloat(style(element).borderRadius) >= height / 3
}

/** So many boxes of one kind are looked at. */
const mostAlike = 100
/** Whether a box of the kind is shown that is not marked as on. Its siblings may be anywhere on the page. */
const unmarkedKinds = cachedPerSnapshot((_root: Node, _visibility: Visibility) => new Map<string, boolean>())
function isOneUnmarked(element: Element, visibility: Visibility): boolean {
  const kind = kindOf(element)
  const root = rootOf(element)
  const known = unmarkedKinds(element.getRootNode(), visibility)
  let found = known.get(kind)
  if (found === undefined && kind !== '') {
    const alike = [...root.querySelectorAll(`${element.localName}.${CSS.escape(kind.split('.')[0]!)}`)]
    found = alike
      .slice(0, mostAlike)
      .some((one) => kindOf(one) === kind && !isMarked(one) && !hasState(one) && visibility.isShown(one))
    known.set(kind, found)
  }
  return found === true
}

/** Whether an empty box that stands alone in its row is on, by its class: a switch, or a mark beside unmarked ones. */
const isSwitchOn = (element: Element, visibility: Visibility): boolean =>
  isMarked(element) &&
  roleOf(element) === null &&
  visibility.visibleText(element, undefined, 1) === '' &&
  looksClickable(element, visibility) &&
  (isSwitchBox(element, visibility) || isOneUnmarked(element, visibility))

/** Whether a control without a state in its markup looks chosen or on, and its siblings do not. */
export function looksSelected(element: Element, visibility: Visibility): boolean {
  if (hasState(element)) return false
  if (isSwitchOn(element, visibility)) return true
  let up = parentOf(element)
  for (let level = 0; up && level < 2; level++, up = parentOf(up))
    if (chosenIn(up, visibility).has(element)) return true
  return false
}

/** How a control looks, as far as scripts change it: its marks, and what is drawn of it and in it. */
export interface Look {
  readonly marks: readonly string[]
  readonly drawn: ReadonlyMap<string, string>
  /** The same of the control alone. */
  readonly own: ReadonlyMap<string, string>
  /** Its inline style, which scripts set, and neither the focus nor the mouse. */
  readonly inline: string
  /** How many parts were compared, and the text in it. */
  readonly parts: number
  readonly text: string
}

/** Parts of a switch or a button that are compared. */
const mostParts = 6
/** Characters of its text that are compared. */
const longestText = 200

/** The look of a control that is compared after an action. Classes for the focus and the mouse are left out. */
export function lookNow(element: Element, visibility: Visibility): Look {
  const parts = [...elementsUnder(element)].slice(0, mostParts)
  const drawn = drawnOf(parts, visibility)
  const classes = [...element.classList].filter(
    (name) => /^[\w-]{1,40}$/.test(name) && !/focus|hover|ripple|pressed|touched/i.test(name),
  )
  const states = ['data-state', ...chosenMarks].flatMap((name) => {
    const value = element.getAttribute(name) ?? ''
    return /^[\w-]{1,20}$/.test(value) ? [`${name}=${value}`] : []
  })
  const text = visibility.visibleText(element, undefined, longestText)
  const own = drawnOf([element], visibility)
  const inline = parts.map((part) => part.getAttribute('style') ?? '').join('\n')
  return { marks: [...classes, ...states], drawn, own, inline, parts: parts.length, text }
}

function drawnOf(parts: readonly Element[], visibility: Visibility): ReadonlyMap<string, string> {
  const drawn = new Map<string, string>()
  const note = (what: string, value: string): void => void drawn.set(what, `${drawn.get(what) ?? ''} ${value}`)
  for (const part of parts) {
    const css = visibility.style(part)
    note('background', `${css.backgroundColor} ${css.backgroundImage}`)
    note('color', `${css.color} ${css.fill} ${css.stroke}`)
    note('weight', css.fontWeight)
    note('border', `${css.borderBottomColor} ${css.borderBottomWidth} ${css.borderLeftColor}`)
    note('opacity', css.opacity)
    note('position', `${css.transform} ${css.translate} ${css.left} ${css.marginLeft}`)
    if (part.localName === 'use' || isTag(part, 'img'))
      note('icon', part.getAttribute('href') ?? part.getAttribute('src') ?? '')
  }
  return drawn
}

/** What changed of a look in words; undefined if nothing did, or only what the focus and the mouse change. */
export function lookChange(before: Look, after: Look, isFocused: boolean): string | undefined {
  // Other contents have another look, which the outline tells in words. Only the look of the box itself is compared.
  const isOther = before.parts !== after.parts && before.text !== after.text
  const [was, is] = isOther ? [before.own, after.own] : [before.drawn, after.drawn]
  const drawn = [...is].filter(([what, value]) => was.get(what) !== value).map(([what]) => what)
  const added = after.marks.filter((mark) => !before.marks.includes(mark))
  const removed = before.marks.filter((mark) => !after.marks.includes(mark))
  const marks = [...added.map((mark) => `+${mark}`), ...removed.map((mark) => `-${mark}`)].slice(0, 6).join(' ')
  const isByScript = marks !== '' || drawn.includes('icon') || before.inline !== after.inline
  if (drawn.length === 0 || (isFocused && !isByScript)) return undefined
  return `${drawn.join(', ')}${marks && ` (${marks})`}`
}
