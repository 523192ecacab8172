// Clicks: with which button, how often, how long, and which keys are held meanwhile. The pointer and mouse events come
// in their order, then the focus, and last the `click` that triggers the action of the element once.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { ancestor, currentPage, isOffLimits, isTag, isWithin, parentOf } from '../dom/dom.js'
import { pageFocus } from '../dom/page-focus.js'
import { textArgument } from '../dom/page-snapshot.js'
import { nextTask, waitForFrame } from '../waiting/until.js'
import { Finger, fingerId, rest } from './finger.js'
import { focusByUser } from './focus.js'
import { whileHeld } from './key-press.js'
import { parseModifiers, type Modifiers } from './keys.js'
import { fireMouse, type ActionTarget } from './mouse.js'
import { asToolInput } from './own-input.js'
import { topmost, withoutOwnModals } from './point.js'

/** The kinds of clicks. `hover` only moves the mouse, and `hold` is a long press. */
export const clickKinds = ['click', 'double', 'right', 'middle', 'hold', 'hover'] as const

/** How a click is made. */
export interface ClickManner {
  readonly kind: (typeof clickKinds)[number]
  readonly modifiers: Modifiers
  /** What was done, as the answer begins: `Double-clicked with Control`. */
  readonly words: string
}

const verbs: Readonly<Record<ClickManner['kind'], string>> = {
  click: 'Clicked',
  double: 'Double-clicked',
  right: 'Right-clicked',
  middle: 'Middle-clicked',
  hold: 'Held down',
  hover: 'Moved the mouse over',
}

/** One click with the main button and no key. */
export const plainClick: ClickManner = { kind: 'click', modifiers: parseModifiers(''), words: verbs.click }

/** The manner that a call asks for. @throws `invalid-input` if it names another one, or no modifiers */
export function mannerOf(input: Record<string, unknown>): ClickManner {
  const asked = textArgument(input['how'])?.toLowerCase() ?? 'click'
  const kind = clickKinds.find((one) => one === asked)
  if (kind === undefined)
    throw new ToolAgentError('invalid-input', `"how" must be one of ${clickKinds.join(', ')}, received ${asked}.`)
  const { words, ...modifiers } = parseModifiers(textArgument(input['with']) ?? '')
  return { kind, modifiers, words: words === '' ? verbs[kind] : `${verbs[kind]} with ${words}` }
}

/** Whether the browser activates what is clicked: follows a link, submits a form, checks a box. */
export const activates = ({ kind }: ClickManner): boolean => kind === 'click' || kind === 'double'

/** What a link opens that is clicked so, instead of leading away: a tab or window, or a download. */
export function linkOpens({ kind, modifiers }: ClickManner): 'tab' | 'download' | undefined {
  if (kind === 'middle' || modifiers.ctrlKey || modifiers.metaKey || modifiers.shiftKey) return 'tab'
  return modifiers.altKey ? 'download' : undefined
}

type Fire = (type: string, more?: object, to?: Element) => boolean

/** Dispatches events of the mouse at the point of the target. `shared`: what all of them say. */
const firing =
  (place: ActionTarget, shared: object = {}): Fire =>
  (type, more = {}, to) =>
    fireMouse(place, type, { ...shared, ...more }, to)

/**
 * Moves the mouse over a target: over, enter and move events. Returns the elements under the pointer now.
 * @param inside elements that the pointer is in already, which get no enter events
 */
export function hoverOver(
  place: ActionTarget,
  inside: ReadonlySet<Element> = new Set(),
  modifiers: object = {},
): ReadonlySet<Element> {
  const fire = firing(place, { detail: 0, ...modifiers })
  const under: Element[] = []
  for (let node: Element | null = place.on; node && !isTag(node, 'html'); node = parentOf(node)) under.unshift(node)
  for (const kind of ['pointer', 'mouse']) {
    if (!inside.has(place.on)) fire(`${kind}over`)
    for (const one of under)
      if (!inside.has(one)) fire(`${kind}enter`, { bubbles: false, composed: false, cancelable: false }, one)
    fire(`${kind}move`)
  }
  return new Set(under)
}

/** How a click runs. */
export interface ClickRun {
  /** Default: one click with the main button. */
  readonly manner?: ClickManner
  /** Elements that the pointer is in already. */
  readonly inside?: ReadonlySet<Element> | undefined
  /**
   * Runs after the mouse is released and before each click. What the press has made of the target, if that must not be
   * clicked; else undefined.
   */
  turned?(): string | undefined
  /** Opens the link that was clicked with the middle button: no browser does so for the events of a script. */
  follow?(): void
  readonly signal: AbortSignal
}

/** What became of a click beside the reactions of the page. */
export interface ClickOutcome {
  /** The page left a right click to the browser, whose menu no script can open. */
  readonly isMenuMissing?: boolean
  /** The first of two clicks changed what is at its place, so there was no second one. */
  readonly isHalf?: boolean
  /** What the press has made of the target, such as `leads to /other`, so that no click followed. */
  readonly turned?: string
}

/** Clicks a target, with the events of the manner. What was pressed is released when it settles. */
export async function dispatchClick(place: ActionTarget, run: ClickRun): Promise<ClickOutcome> {
  const { manner = plainClick, inside, signal } = run
  const { kind, modifiers } = manner
  hoverOver(place, inside, modifiers)
  const focusOf = (): Element => pageFocus() ?? currentPage().body
  return whileHeld(modifiers, focusOf, async () => {
    signal.throwIfAborted()
    const first = await pressAndRelease(place, run, 1)
    if (kind !== 'double' || first.turned !== undefined) return first
    const { on } = place
    const text = on.textContent
    await nextTask()
    signal.throwIfAborted()
    const second = sameAgain(place, text)
    if (!second) return { isHalf: true }
    const last = await pressAndRelease(second, run, 2)
    if (last.turned === undefined && second.on.isConnected) firing(second, { ...modifiers, detail: 2 })('dblclick')
    return last
  })
}

const buttons = { left: [0, 1], middle: [1, 4], right: [2, 2] } as const

/** Presses and releases a button. Between all events the page has a task to react, as between those of a hand. */
async function pressAndRelease(place: ActionTarget, run: ClickRun, detail: number): Promise<ClickOutcome> {
  const { manner = plainClick, turned, follow, signal } = run
  const { on } = place
  const [button, pressed] = buttons[manner.kind === 'right' || manner.kind === 'middle' ? manner.kind : 'left']
  const fire = firing(place, { ...manner.modifiers, button, detail })
  // Canceling `pointerdown` suppresses mouse events and the focus.
  const byMouse = fire('pointerdown', { buttons: pressed, pressure: 0.5 })
  await nextTask()
  if (byMouse && fire('mousedown', { buttons: pressed })) asToolInput(() => focusByUser(on, true))
  // Two clicks of a double click must follow each other within 400 ms, also on a busy machine.
  await (manner.kind === 'double' ? nextTask() : waitForFrame())
  const { to, isHit } = hitNow(place)
  fire('pointerup', {}, to)
  await nextTask()
  const takesMouse = ancestor(to, (above) => above.matches(inDisabled)) === null
  if (byMouse && takesMouse) fire('mouseup', {}, to)
  await nextTask()
  signal.throwIfAborted()
  // Some menu entries act on `mousedown` and disappear. A browser then clicks at most a box around them.
  if (!isHit || !takesMouse || !on.isConnected) return {}
  const other = turned?.()
  if (other !== undefined) return { turned: other }
  const isDefault = fire(activates(manner) ? 'click' : 'auxclick')
  if (isDefault && manner.kind === 'middle') asToolInput(() => follow?.())
  return { isMenuMissing: manner.kind === 'right' && on.isConnected && fire('contextmenu') }
}

/** Controls that get no events of the mouse while they are disabled. */
const inDisabled = ':is(button,input,select,textarea):disabled'

/**
 * What gets the release of a press: what is at its point by now. `isHit`: it is still the target, so that a click
 * follows. That may also have moved, such as when a message above it disappeared.
 */
function hitNow({ on, x, y }: ActionTarget): { readonly to: Element; readonly isHit: boolean } {
  const page = on.ownerDocument
  const isOn = (hit: Element | undefined): boolean => hit !== undefined && isWithin(hit, on)
  const { left, top, width, height } = on.getBoundingClientRect()
  const isHere = (): true | undefined =>
    isOn(topmost(page, x, y)) || isOn(topmost(page, left + width / 2, top + height / 2)) || undefined
  if (on.isConnected && (isHere() ?? withoutOwnModals(isHere))) return { to: on, isHit: true }
  const under = topmost(page, x, y)
  return { to: under && !isOffLimits(under) ? under : unclobbered(page).documentElement, isHit: false }
}

/** The target at the same point for a second click, if it is still there; a new element may have the same text. */
function sameAgain(place: ActionTarget, text: string | null): ActionTarget | undefined {
  const { on, x, y } = place
  if (on.isConnected) return hitNow(place).isHit ? place : undefined
  const now = topmost(on.ownerDocument, x, y)
  return now?.localName === on.localName && now.textContent === text ? { ...place, on: now } : undefined
}

/**
 * A long press: a finger, or the mouse, rests on the target. The browser sends `contextmenu` for a finger. There is no
 * click at the end. After an abort it is released.
 */
export async function pressLong(place: ActionTarget, by: 'touch' | 'mouse', run: ClickRun): Promise<void> {
  const { on } = place
  const { signal, manner = plainClick } = run
  const fireMouse = firing(place, { ...manner.modifiers, button: 0 })
  const finger = by === 'touch' ? new Finger(on, place) : undefined
  const fire = (pointer: string, mouse: string, touch: string): void => {
    const buttons = pointer === 'pointerdown' ? 1 : 0
    if (!finger) {
      const byMouse = fireMouse(pointer, { buttons, pressure: buttons / 2 })
      if (byMouse) fireMouse(mouse, { buttons })
    } else {
      finger.fire(pointer)
      finger.fire(touch)
    }
  }
  if (!finger) hoverOver(place, run.inside, manner.modifiers)
  asToolInput(() => fire('pointerdown', 'mousedown', 'touchstart'))
  let isDone = false
  try {
    await rest(signal)
    isDone = true
  } finally {
    asToolInput(() => {
      if (isDone && finger && on.isConnected) fireMouse('contextmenu', { pointerType: 'touch', pointerId: fingerId })
      if (isDone) fire('pointerup', 'mouseup', 'touchend')
      else fire('pointercancel', 'mouseup', 'touchcancel')
    })
  }
}
