// page_click: clicks one element, in one of several manners. What the press of a button does is in activation.ts.
import type { NamedPart } from '../../core/data/action.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { ancestor, isTag, parentOf, viewOf } from '../dom/dom.js'
import { takeSnapshot, textArgument, type PageSnapshot } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import {
  clickKinds,
  dispatchClick,
  hoverOver,
  mannerOf,
  plainClick,
  pressLong,
  type ClickManner,
  type ClickOutcome,
  type ClickRun,
} from '../hands/click.js'
import { hasTouch } from '../hands/finger.js'
import type { ActionTarget } from '../hands/mouse.js'
import { inWords, namedControl } from '../read/control-names.js'
import { patience, until } from '../waiting/until.js'
import { actAndCompare, actionTool, doneLine, type Action, type Input } from './action-tool.js'
import { planClick } from './activation.js'
import { again, checkPlanUnchanged, onceMore, turnedTo } from './approved-plan.js'
import { hasClosed, rememberTarget, type ApprovedTarget } from './approved-target.js'
import { consequenceOf, parse } from './consequence.js'
import { describeTarget } from './hit-point.js'
import { openAgain } from './open-again.js'
import type { ObservedChange } from './page-diff.js'
import type { ActionPlan, PlanRun } from './planned-action.js'
import { checkAllowed, checkUsable, describeApart, namedWith, orElse, resolveActionTarget } from './resolve-target.js'

/** A click that is possible now. */
interface Click extends Action {
  readonly input: Input
  readonly element: Element
  readonly place: ActionTarget
  readonly named: NamedPart
  /** The target in words, with what tells it from equal ones. */
  readonly words: string
  /** The target is hidden. `place` is on the element around it, which must be hovered first. */
  readonly closed: boolean
}

/** A click that the user was asked about, on an item of a menu that has closed since. */
interface ClosedClick extends Action {
  readonly input: Input
  readonly target: ApprovedTarget
}

/** What a call means. */
export type ClickCall = Click | ClosedClick

/** @throws `invalid-input`, `unavailable`, `sensitive-field`, `stale-ref` if it is not possible */
export function planClickCall(input: Input, run: PlanRun, approved?: ActionPlan): ClickCall {
  const target = isHovering(input) ? undefined : approved?.target
  return approved && target && hasClosed(target, takeSnapshot(run))
    ? { input, target, plan: approved }
    : resolveClick(input, run)
}

function resolveClick(input: Input, run: PlanRun): Click {
  const manner = mannerOf(input)
  const snapshot = takeSnapshot(run)
  const target = String(input['target'] ?? '')
  const element = resolveClicked(target, textArgument(input['role']), { manner, snapshot })
  return clickOn(element, snapshot, run, input)
}

/** `resolveActionTarget`; a right click may also mean a heading, as it opens the menu of the part below that. */
function resolveClicked(
  target: string,
  role: string | undefined,
  { manner, snapshot }: { readonly manner: ClickManner; readonly snapshot: PageSnapshot },
): Element {
  const resolve = (): Element => resolveActionTarget(target, role, snapshot)
  if (manner.kind !== 'right' || role !== undefined) return resolve()
  return orElse(resolve, () => namedWith(/^heading$/, target, snapshot))
}

/** Whether the mouse waits over the target first. */
const isHovering = (input: Input): boolean => input['hover'] === true || mannerOf(input).kind === 'hover'

/** @throws `unavailable`, `sensitive-field` if a user could not click it */
function clickOn(element: Element, snapshot: PageSnapshot, run: PlanRun, input: Input): Click {
  checkUsable(element, snapshot)
  const closed = isHovering(input) ? inClosedMenu(element, snapshot) : undefined
  const place = describeTarget(closed?.around ?? element, snapshot)
  // A person aims at the link in a menu item.
  const on = closed ? (element.querySelector('a[href]') ?? element) : place.on
  if (!closed) {
    // Such as a label of a field that is off limits.
    checkUsable(on, snapshot, true)
  }
  const consequence = consequenceOf(on)
  if (consequence && 'form' in consequence) checkAllowed(consequence.form, snapshot)
  const named = closed?.named ?? namedControl(element, snapshot)
  const plan = planClick(on, named, snapshot, { run, manner: mannerOf(input) })
  return {
    input,
    element,
    place,
    plan: { ...plan, target: rememberTarget(element, inWords(named), snapshot) },
    named,
    words: closed ? inWords(named) : describeApart(element, snapshot),
    closed: closed !== undefined,
  }
}

/** A hidden item that was visible when it was read, with the visible element around it that may open on hover. */
function inClosedMenu(
  element: Element,
  { visibility, refs, redact }: PageSnapshot,
): { readonly around: Element; readonly named: NamedPart } | undefined {
  // A styled checkbox is hidden behind its label, not in a menu.
  if (visibility.isShown(element) || isTag(element, 'input')) return undefined
  // A hidden element has no name that may be read, so the question shows the name that it had.
  const known = refs.describe(refs.refFor(element, visibility))
  const around = ancestor(parentOf(element), (above) => visibility.isShown(above) && !isTag(above, 'body', 'html'))
  if (!around || !known?.name) return undefined
  return { around, named: { role: known.role, name: truncate(redact(known.name), 80) } }
}

/** Moves the mouse over the target, and waits for the page. Returns the elements under the pointer. */
async function hoverAndWait({ place, closed, element, input }: Click, run: ToolRun): Promise<ReadonlySet<Element>> {
  const inside = hoverOver(place, undefined, mannerOf(input).modifiers)
  // A closed menu must open; other pages get a moment to react.
  const isThere = (): boolean => !closed || takeSnapshot(run).visibility.isShown(element)
  await until({ done: isThere, ...patience.openMenu, waitsFirst: true, signal: run.signal })
  return inside
}

/** Opens the menu again that held the target. @throws as `openAgain`, and if the click is another one now */
async function openedAgain({ target, input }: ClosedClick, run: ToolRun): Promise<Click> {
  const { element, done } = await openAgain(target, run)
  const click = clickOn(element, takeSnapshot(run), again(run), input)
  checkPlanUnchanged(run, click.plan, done)
  return click
}

/** Hovers first, if the call says so, and then clicks. */
async function clickNow(first: Click, run: ToolRun): Promise<ClickOutcome> {
  const { input } = first
  const manner = mannerOf(input)
  const inside = isHovering(input) ? await hoverAndWait(first, run) : undefined
  if (manner.kind === 'hover') return {}
  let click = first
  if (inside) {
    click = resolveClick({ ...input, hover: false }, again(run))
    checkPlanUnchanged(run, click.plan, 'The mouse is over it, and it was not clicked.')
  }
  const clickRun: ClickRun = {
    manner,
    inside,
    signal: run.signal,
    turned() {
      const snapshot = takeSnapshot(run)
      const named = namedControl(first.element, snapshot)
      return turnedTo(run, first.plan, planClick(click.place.on, named, snapshot, { run: again(run), manner }))
    },
    follow() {
      const { link, href } = { link: undefined, href: '', ...consequenceOf(click.place.on) }
      const url = link && parse(href, link.baseURI)
      if (url) viewOf(link).open(url, '_blank', 'noopener')
    },
  }
  const release = takeSnapshot(run).visibility.holdHover(click.element)
  try {
    if (manner.kind !== 'hold') return await dispatchClick(click.place, clickRun)
    await pressLong(click.place, hasTouch(click.place.on) ? 'touch' : 'mouse', clickRun)
    return {}
  } finally {
    release()
  }
}

/** A long press with the mouse, after one with a finger that changed nothing: a page may listen to the mouse alone. */
async function holdByMouse({ input }: Click, run: ToolRun): Promise<ObservedChange | undefined> {
  const click = onceMore(run, () => resolveClick(input, again(run)))
  const clickRun = { manner: mannerOf(input), signal: run.signal }
  return click && actAndCompare(click.plan, run, { act: () => pressLong(click.place, 'mouse', clickRun) })
}

/** What else the model must know about a click. */
function notesOn({ isMenuMissing, isHalf, turned }: ClickOutcome, changed: boolean): readonly string[] {
  if (turned !== undefined)
    return [
      `The press changed it: it now ${turned}. So it was pressed and not clicked. Click it again if that is meant.`,
    ]
  if (isHalf) return ['The first click changed what is there, so there was no second one.']
  return isMenuMissing && !changed ? ['The page has no menu of its own there. That of the browser cannot be used.'] : []
}

/** The output of page_click. */
export interface Clicked extends ObservedChange {
  /** Role and name of the target. */
  readonly clicked: string
  /** Its name; empty if it has none. */
  readonly name: string
  /** How it was clicked: `Double-clicked`; missing for a plain click. */
  readonly how?: string
  /** The mouse was only moved. */
  readonly hovered?: true
}

/** Clicks, and reports what changed. @throws as `runAndCompare`; `unavailable` if a closed menu does not open again */
export async function runClick(call: ClickCall, run: ToolRun): Promise<Clicked> {
  const manner = mannerOf(call.input)
  let click = 'target' in call ? undefined : call
  let outcome: ClickOutcome = {}
  let observed = await actAndCompare(call.plan, run, {
    async act() {
      click ??= await openedAgain(call as ClosedClick, run)
      outcome = await clickNow(click, run)
    },
  })
  const { element, named, words } = click!
  if (manner.kind === 'hold' && !observed.changed && element.isConnected && hasTouch(element))
    observed = (await holdByMouse(click!, run)) ?? observed
  const isPlain = manner.words === plainClick.words
  const how = outcome.turned === undefined ? manner.words : 'Pressed the mouse on'
  return {
    clicked: words,
    name: named.name,
    ...(isPlain && outcome.turned === undefined ? {} : { how }),
    ...(manner.kind === 'hover' ? { hovered: true } : {}),
    ...observed,
    changes: [...notesOn(outcome, observed.changed), observed.changes].join('\n'),
  }
}

/** `page_click`. */
export const pageClick = actionTool({
  name: 'page_click',
  title: 'Click on the page',
  description:
    'Clicks an element. Returns what changed. The user may be asked. Fill with form_fill, submit with form_submit.',
  inputSchema: {
    type: 'object',
    properties: {
      target: { type: 'string', minLength: 1, description: 'Ref or name.' },
      role: { type: 'string', description: 'If several have the name.' },
      how: { type: 'string', enum: [...clickKinds] },
      with: { type: 'string', description: 'Held keys: Control+Shift.' },
      hover: { type: 'boolean', description: 'Hover first, to open a menu.' },
    },
    required: ['target'],
  },
  plan: planClickCall,
  run: runClick,
  words: ({ clicked, how = plainClick.words, changed, changes }) => [doneLine(`${how} ${clicked}`, changed), changes],
})
