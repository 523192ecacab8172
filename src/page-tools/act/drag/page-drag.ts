// page_drag: drags an element to another one, or by a distance, as a hand does. The effect is predicted for the
// approval from where it comes and where it goes.
import type { NamedPart } from '../../../core/data/action.js'
import { ToolAgentError } from '../../../core/data/errors.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import { ancestor, isTag } from '../../dom/dom.js'
import { takeSnapshot, textArgument, type PageSnapshot } from '../../dom/page-snapshot.js'
import { foldName, truncate } from '../../dom/text.js'
import { predicted } from '../../effects/predict-effect.js'
import { hasTouch } from '../../hands/finger.js'
import { MouseHand, type Aim } from '../../hands/mouse-drag.js'
import type { ActionTarget } from '../../hands/mouse.js'
import { dragByTouch } from '../../hands/touch-drag.js'
import { controlAt, namedControl } from '../../read/control-names.js'
import { isDraggable, keyHintOf } from '../../read/affordances.js'
import { headingAround } from '../../read/heading-around.js'
import { nameOfControl } from '../../read/places.js'
import { actAndCompare, actionTool, doneLine, type Action, type Input } from '../action-tool.js'
import { again, onceMore } from '../approved-plan.js'
import { describeTarget } from '../hit-point.js'
import type { ObservedChange } from '../page-diff.js'
import { alsoBy, planAction, type PlanRun } from '../planned-action.js'
import { checkUsable, describeApart, describeControl, unavailable } from '../resolve-target.js'
import { aimAt, itemOf, type Goal, type DropPlace } from './boxes.js'
import { dragEffect } from './drag-effect.js'
import { resolveDropTarget, resolveDragged } from './find-ends.js'
import { hasMoved, placeNow, standingOf } from './moved.js'

interface Drag extends Action {
  readonly input: Input
  /** What is dragged. */
  readonly element: Element
  readonly goal: Goal
  readonly start: ActionTarget
  /** Where it goes, in words: `listitem "A" after listitem "C"`. */
  readonly words: string
}

/** The output of page_drag. */
export interface Dragged extends ObservedChange {
  /** What was dragged and where: `listitem "A" after listitem "C"`. */
  readonly dragged: string
  /** The neighbours that it has now. */
  readonly now?: string
  /** The page did not accept the drop. */
  readonly refused?: true
  /** What the page says about moving it with keys; present if nothing changed. */
  readonly keys?: string
}

const wordsOf: Readonly<Record<DropPlace, string>> = { before: 'before', after: 'after', on: 'onto' }

/** @throws as `page_click`; `invalid-input` if there is no destination, or two */
function resolveDrag(input: Input, run: PlanRun): Drag {
  const snapshot = takeSnapshot(run)
  const source = resolveDragged(String(input['target'] ?? ''), snapshot)
  const words = describeControl(source, snapshot)
  checkUsable(source, snapshot)
  const control = isTag(source, 'label') ? source.control : source
  if (isTag(control, 'input') && control.type === 'range') throw unavailable(words, 'is set with form_fill')
  const goal = goalOf(input, source, snapshot)
  // Last, so that the target is in view: the destination may be scrolled into view during the drag.
  const start = describeTarget(gripOf(source), snapshot)
  checkUsable(start.on, snapshot)
  const to = 'by' in goal ? undefined : destinationOf(goal, snapshot)
  const effect = dragEffect(source, goal, snapshot)
  const prediction = predicted(source, effect, snapshot)
  const target = { on: namedControl(source, snapshot) }
  const plan = planAction({ does: 'drag', target, to, element: source, predicted: prediction }, snapshot, run)
  const where =
    'by' in goal
      ? `by ${goal.by.x}, ${goal.by.y} pixels`
      : `${wordsOf[goal.place]} ${describeApart(goal.title, snapshot)}`
  const refOf = (element: Element): string => snapshot.refs.refFor(element, snapshot.visibility)
  const end = 'by' in goal ? [goal.by.x, goal.by.y] : [refOf(goal.element), goal.place]
  return {
    input,
    element: source,
    goal,
    start,
    plan: alsoBy(plan, refOf(source), ...end),
    words: `${describeApart(source, snapshot)} ${where}`,
  }
}

/** Where it is dropped, for the question: the title of a column, or an item with the heading of its list. */
function destinationOf({ element, title }: Exclude<Goal, { by: unknown }>, snapshot: PageSnapshot): NamedPart {
  const { visibility } = snapshot
  const named = namedControl(title, snapshot)
  const heading = element === title ? headingAround(title, snapshot) : undefined
  // A part of a control is described with that control.
  const isPart = controlAt(title, visibility) !== title
  const isSaid = heading === undefined || isPart || foldName(nameOfControl(title, visibility)) === foldName(heading)
  return isSaid ? named : { ...named, place: { role: 'region', name: heading } }
}

/** By what a hand takes it: its only part that the markup marks as a handle, or else the element itself. */
function gripOf(source: Element): Element {
  const marked = isDraggable(source) ? [] : [...source.querySelectorAll('*')].filter((one) => isDraggable(one))
  return marked.length === 1 ? marked[0]! : source
}

function goalOf(input: Input, source: Element, snapshot: PageSnapshot): Goal {
  const to = textArgument(input['to'])
  const [x, y] = [input['x'], input['y']].map((length) => (typeof length === 'number' ? length : 0)) as [number, number]
  const isBy = x !== 0 || y !== 0
  if ((to === undefined) !== isBy)
    throw new ToolAgentError('invalid-input', 'Pass either "to", or the pixels to move by as "x" and "y".')
  if (to === undefined) return { by: { x, y } }
  const asked = input['place']
  const place = asked === 'before' || asked === 'after' ? asked : 'on'
  const { element, title } = resolveDropTarget(to, place, snapshot)
  const words = describeControl(element, snapshot)
  if (ancestor(element, (above) => above === source))
    throw new ToolAgentError('invalid-input', `${words} is the target itself, or in it. Pass another element as "to".`)
  checkUsable(element, snapshot)
  if (element.ownerDocument !== source.ownerDocument)
    throw unavailable(words, 'is in another frame', 'Only drags within one frame are possible.')
  describeTarget(element, snapshot)
  return { element, place, title }
}

/** What the page says about moving the element with keys. */
function keysFor(source: Element, { visibility, redact }: PageSnapshot): string | undefined {
  const described = ancestor(source, (above) => above.hasAttribute('aria-describedby'))
  const inside = source.querySelector('[aria-describedby]')
  const hints = [described, inside].flatMap((one) => (one && keyHintOf(one, visibility)) ?? [])
  return hints[0] && truncate(redact(hints[0].text), 300)
}

/** Runs one attempt and compares the page with what it was before. */
async function attempt(
  drag: Drag,
  run: ToolRun,
  act: () => Promise<void>,
): Promise<ObservedChange & { readonly now?: string }> {
  const item = itemOf(drag.element)
  const before = standingOf(item, takeSnapshot(run))
  const observed = await actAndCompare(drag.plan, run, { act })
  const after = takeSnapshot(run)
  if (!hasMoved(before, standingOf(item, after))) return observed
  const now = 'by' in drag.goal ? undefined : placeNow(before, after)
  return {
    ...observed,
    changed: true,
    ...(now === undefined ? {} : { now: after.redact(now) }),
    changes: observed.changed ? observed.changes : '',
  }
}

const aimOf = ({ element, goal, start }: Drag): Aim => aimAt(element, goal, start)

/** Drags with the mouse, and with a finger if that changed nothing. */
async function runDrag(drag: Drag, run: ToolRun): Promise<Dragged> {
  const { input, element, start, words } = drag
  const hand = new MouseHand(start, run.signal)
  let observed = await attempt(drag, run, () => hand.drag(aimOf(drag)))
  if (!observed.changed && !hand.isNative && element.isConnected && hasTouch(element)) {
    const byTouch = onceMore(run, () => resolveDrag(input, again(run)))
    if (byTouch) observed = await attempt(byTouch, run, () => dragByTouch(byTouch.start, aimOf(byTouch), run.signal))
  }
  const keys = observed.changed ? undefined : keysFor(element, takeSnapshot(run))
  return {
    dragged: words,
    ...observed,
    ...(hand.isRefused ? { refused: true } : {}),
    ...(keys === undefined ? {} : { keys }),
  }
}

/** `page_drag`. */
export const pageDrag = actionTool({
  name: 'page_drag',
  title: 'Drag on the page',
  description: 'Drags an element to another one, or by pixels. Returns what changed.',
  inputSchema: {
    type: 'object',
    properties: {
      target: { type: 'string', minLength: 1, description: 'Ref or name.' },
      to: { type: 'string', description: 'Ref or name.' },
      place: { type: 'string', enum: ['before', 'after', 'on'] },
      x: { type: 'number', description: 'Pixels, instead of to.' },
      y: { type: 'number' },
    },
    required: ['target'],
  },
  timeout: 45_000,
  plan: resolveDrag,
  run: runDrag,
  words: ({ dragged, now, refused, keys, changed, changes }) => [
    doneLine(`Dragged ${dragged}`, changed),
    now && `It is now ${now}.`,
    refused && 'The page does not accept it there.',
    keys && `The page says how to move it with keys, by page_press: ${keys}`,
    changes || undefined,
  ],
})
