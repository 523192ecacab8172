// What a control is called, with its place: the only place where the outline, the answers, the errors and the questions
// to the visitor have these words from.
import type { NamedPart, NamedTarget } from '../../core/data/action.js'
import { dropUndefined } from '../../core/data/json.js'
import { isGroup } from '../controls/kinds.js'
import { ancestor, isTag, isWithin, parentOf } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isAction } from '../dom/roles.js'
import { foldName, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { looksClickable } from './clickables.js'
import { nameOfControl, placeApart, placeOf } from './places.js'

/** Characters of a name in messages. */
const longestName = 80

/** Whether it is a control by markup, or a label of one. */
export const isControl = (element: Element): boolean =>
  isAction(roleOf(element)) || (isTag(element, 'label') && element.control !== null)

/** Items that may hold controls without a role. */
const holders = /^(option|treeitem)$/

/** The control or clickable box of which the element is a part, as the outline lists it; null if there is none. */
function controlAround(element: Element | null, visibility: Visibility, isOne = isControl): Element | null {
  const control = ancestor(element, isOne)
  const box = ancestor(element, (above) => looksClickable(above, visibility))
  if (control === null || box === null) return control ?? box
  return isWithin(box, control) && holders.test(roleOf(control) ?? '') ? box : control
}

const fieldRoles = /^(combobox|slider|spinbutton|textbox|searchbox)$/
const isControlOrField = (element: Element): boolean =>
  isControl(element) || isTag(element, 'input', 'select', 'textarea') || fieldRoles.test(roleOf(element) ?? '')

/** The control or field that a click on the element reaches; the element itself if there is none. */
export function controlAt(element: Element, visibility: Visibility): Element {
  const around = controlAround(element, visibility, isControlOrField)
  return (isTag(around, 'label') ? around.control : around) ?? element
}

/** The page itself, which gets the keys that no control gets. `place`: the frame that it is in. */
export const namedPage = (place?: NamedPart): NamedPart => dropUndefined({ role: 'page', name: '', place })

/** A control or part, as messages name it. */
export function inWords({ role, name, place }: NamedPart): string {
  const words = role === 'page' ? 'the page' : `${role} ${JSON.stringify(name)}`
  return place ? `${words} in ${inWords(place)}` : words
}

/** What is acted on: `button "Pay"`, `Escape on dialog "Help"`, `form "Order" by button "Pay"`. */
export const targetInWords = ({ on, key, by }: NamedTarget): string =>
  `${key === undefined ? '' : `${key} on `}${inWords(on)}${by ? ` by ${inWords(by)}` : ''}`

/** Role and name of an element, redacted. Words inside a control are named with the control. */
export function namedControl(element: Element, snapshot: PageSnapshot): NamedPart {
  const { visibility, fields, redact } = snapshot
  const field = fields().find(
    ({ element: one, members }) => one === element || (members as readonly Element[]).includes(element),
  )
  const name = field && !isGroup(field) ? field.label : nameOfControl(element, visibility)
  const ownRole = roleOf(element) ?? (looksClickable(element, visibility) ? 'clickable' : undefined)
  const named = { role: ownRole ?? element.localName, name: truncate(redact(name), longestName) }
  const around = ownRole === undefined && !isControl(element) ? controlAround(parentOf(element), visibility) : null
  return around === null || foldName(nameOfControl(around, visibility)) === foldName(name)
    ? named
    : { ...named, place: namedControl(around, snapshot) }
}

/** Role and name of an element for messages. */
export const describeControl = (element: Element, snapshot: PageSnapshot): string =>
  inWords(namedControl(element, snapshot))

/** Whether it is called by the label of a field, which no other field has. */
const isLabelled = (element: Element, { fields }: PageSnapshot): boolean =>
  fields().some((field) => field.element === element && !isGroup(field))

/** Whether a name says nothing of what it acts on: numbers, symbols, a ligature of an icon font. */
const saysNothingAlone = (name: string): boolean => !/\p{L}/u.test(name) || /^[a-z]+(?:_[a-z]+)+$/.test(name)

/** The place of a control in messages: what tells it from equal ones, or what is near if its name says nothing. */
function placeInWords(element: Element, snapshot: PageSnapshot): string | undefined {
  if (isLabelled(element, snapshot)) return undefined
  const isAlone = saysNothingAlone(nameOfControl(element, snapshot.visibility))
  return isAlone && isListed(element, snapshot.visibility) ? placeOf(element, snapshot) : placeApart(element, snapshot)
}

const isListed = (element: Element, visibility: Visibility): boolean =>
  isAction(roleOf(element)) || looksClickable(element, visibility)

/** `describeControl` with its place: `button "Revoke access" in "Slack"`. */
export function describeApart(element: Element, snapshot: PageSnapshot): string {
  const place = placeInWords(element, snapshot)
  return `${describeControl(element, snapshot)}${place ? ` in ${JSON.stringify(place)}` : ''}`
}

/** A control in a list: what it is, its place, and its ref. */
export const listedControl = (element: Element, snapshot: PageSnapshot): string =>
  `${describeApart(element, snapshot)} [ref=${snapshot.refs.refFor(element, snapshot.visibility)}]`
