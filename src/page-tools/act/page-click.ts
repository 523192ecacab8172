// page_click: clicks one element. The effect is predicted for the approval and checked again before the click; the
// result reports what changed.
import type { ActionForecast } from '../../core/loop/action-preview.js'
import { internals } from '../../core/data/tool.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { ancestor, isTag, parentOf, viewOf } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import { undoableFields } from '../definitions/field-changes.js'
import { waitForPageUpdates } from '../fill/input-events.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import { predictClick, predictView, type Lead } from '../effects/predict-effect.js'
import { siteOf } from '../effects/site.js'
import {
  again,
  approvedPlan,
  checkPlanUnchanged,
  onceMore,
  planWithPreview,
  permissionOf,
  turnedTo,
} from './approved-plan.js'
import {
  type ActionSender,
  type Destination,
  consequenceOf,
  leadOfForm,
  parse,
  formDestination,
  linkDestination,
} from './consequence.js'
import { alsoBy, type ActionPlan, type PlanRun, planAction } from './planned-action.js'
import { activates, type ClickManner, clickKinds, linkOpens, mannerOf, plainClick } from './click-manner.js'
import { type ClickOutcome, type ClickRun, dispatchClick, hoverOver, pressLong } from './dispatch-click.js'
import { hasTouch } from './finger.js'
import type { HeldTarget } from './approved-target.js'
import { hasClosed, holdTarget } from './approved-target.js'
import type { ActionTarget } from './hit-point.js'
import { describeTarget } from './hit-point.js'
import { openAgain } from './open-again.js'
import { highlightTarget, untilQuestionGone } from './agent-dialogs.js'
import {
  checkAllowed,
  checkReachable,
  describeApart,
  describeControl,
  namedWith,
  orElse,
  resolveActionTarget,
} from './resolve-target.js'

interface Click {
  readonly element: Element
  readonly place: ActionTarget
  readonly plan: ActionPlan
  /** The target in words, with what tells it from equal ones. */
  readonly words: string
  readonly manner: ClickManner
  /** The target is hidden. `place` is on the element around it, which must be hovered first. */
  readonly closed: boolean
}

/** The plan of a click. `on` receives it and decides where it leads, `words` describe the target. */
export function planClick(
  on: Element,
  words: string,
  snapshot: PageSnapshot,
  { run, manner = plainClick }: { readonly run: PlanRun; readonly manner?: ClickManner },
): ActionPlan {
  const { sender, destination, by } = leadOf(on, manner)
  const { kind, held } = manner
  const predicted = kind === 'right' || kind === 'hover' ? predictView(on, snapshot) : predictClick(on, by, snapshot)
  const how = kind === 'click' ? undefined : kind
  const plan = planAction({ does: 'click', how, target: words, destination, sender, on, predicted }, snapshot, run)
  return alsoBy(plan, kind, held)
}

/** Where a click leads by markup, for the question and for the prediction. */
function leadOf(
  on: Element,
  manner: ClickManner,
): {
  readonly sender: ActionSender | undefined
  readonly destination: Destination
  readonly by: Lead | undefined
} {
  const none = { sender: undefined, destination: {}, by: undefined }
  const consequence = activates(manner) || manner.kind === 'middle' ? consequenceOf(on) : undefined
  if (consequence === undefined) return none
  if ('form' in consequence) {
    if (!activates(manner)) return none
    const destination = formDestination(consequence.form, consequence.button)
    return { sender: consequence, destination, by: leadOfForm(consequence, destination) }
  }
  const destination = linkDestination(consequence.link, consequence.href, linkOpens(manner))
  const url = parse(consequence.href, consequence.link.baseURI)
  return { sender: undefined, destination, by: { url: siteOrUrl(url, destination), opens: destination.opens } }
}

/** The address that decides: that of the `ping`, if only it leads to another site. */
const siteOrUrl = (url: URL | undefined, { site }: Destination): URL | undefined =>
  site !== undefined && url !== undefined && siteOf(url) === undefined ? parse(site, url.href) : url

function resolveClick(input: Record<string, unknown>, run: PlanRun): Click {
  const manner = mannerOf(input)
  const snapshot = takeSnapshot(run)
  const target = String(input['target'] ?? '')
  const element = resolveClicked(target, textArgument(input['role']), { manner, snapshot })
  return clickOn(element, snapshot, run, { manner, hover: isHovering(input) })
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
const isHovering = (input: Record<string, unknown>): boolean =>
  input['hover'] === true || mannerOf(input).kind === 'hover'

/** @throws `unavailable`, `sensitive-field` if a user could not click it */
function clickOn(
  element: Element,
  snapshot: PageSnapshot,
  run: PlanRun,
  { manner, hover }: { readonly manner: ClickManner; readonly hover: boolean },
): Click {
  checkAllowed(element, snapshot)
  checkReachable(element, snapshot)
  const closed = hover ? inClosedMenu(element, snapshot) : undefined
  const place = describeTarget(closed?.around ?? element, snapshot)
  // A person aims at the link in a menu item.
  const on = closed ? (element.querySelector('a[href]') ?? element) : place.on
  if (!closed) {
    // Such as a label of a field that is off limits.
    checkAllowed(on, snapshot, true)
    checkReachable(on, snapshot)
  }
  const consequence = consequenceOf(on)
  if (consequence && 'form' in consequence) checkAllowed(consequence.form, snapshot)
  const words = closed?.words ?? describeControl(element, snapshot)
  return {
    element,
    place,
    plan: { ...planClick(on, words, snapshot, { run, manner }), held: holdTarget(element, words, snapshot) },
    words: closed?.words ?? describeApart(element, snapshot),
    manner,
    closed: closed !== undefined,
  }
}

/** The target of an approved click, if the menu that held it has closed since. */
function closedSince(input: Record<string, unknown>, run: ToolRun): HeldTarget | undefined {
  const held = isHovering(input) ? undefined : approvedPlan(run)?.held
  return held && hasClosed(held, takeSnapshot(run)) ? held : undefined
}

/** A hidden item that was visible when it was read, with the visible element around it that may open on hover. */
function inClosedMenu(
  element: Element,
  { visibility, refs, redact }: PageSnapshot,
): { readonly around: Element; readonly words: string } | undefined {
  // A styled checkbox is hidden behind its label, not in a menu.
  if (visibility.isShown(element) || isTag(element, 'input')) return undefined
  // A hidden element has no name that may be read, so the question shows the name that it had.
  const [, role, name] = /^(\S+) "(.+)"$/.exec(refs.describe(refs.refFor(element, visibility)) ?? '') ?? []
  const around = ancestor(parentOf(element), (above) => visibility.isShown(above) && !isTag(above, 'body', 'html'))
  return around && role && name ? { around, words: `${role} ${JSON.stringify(truncate(redact(name), 80))}` } : undefined
}

/** Milliseconds that a menu may take to open after it is hovered. */
const mostHover = 1_500

/** Moves the mouse over the target, and waits for the page. Returns the elements under the pointer. */
async function hoverAndWait({ place, manner, closed, element }: Click, run: ToolRun): Promise<ReadonlySet<Element>> {
  const inside = hoverOver(place, undefined, manner.held)
  const start = performance.now()
  await waitForPageUpdates()
  // A closed menu must open; other pages get a moment to react.
  while (closed && !takeSnapshot(run).visibility.isShown(element) && performance.now() - start < mostHover)
    await waitForPageUpdates()
  run.signal.throwIfAborted()
  return inside
}

/** Hovers first, if the call says so, and then clicks. */
async function clickNow(first: Click, input: Record<string, unknown>, run: ToolRun): Promise<ClickOutcome> {
  const { manner } = first
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
      const words = describeControl(first.element, snapshot)
      return turnedTo(run, first.plan, planClick(click.place.on, words, snapshot, { run: again(run), manner }))
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

/** Effects that this page cannot observe. */
const unobservable = new Map([
  ['tab', 'A new tab was requested. Whether it opened is unknown.'],
  ['download', 'A download was requested. Whether it succeeded is unknown.'],
])

/** Adds a note on a new tab or a download, which this page cannot observe. */
export const withElsewhere = ({ changes, ...effect }: ActionEffect, opens: string | undefined): ActionEffect => ({
  ...effect,
  ...(opens === undefined ? {} : { changed: true }),
  changes: [unobservable.get(opens ?? ''), changes].filter((text) => text !== undefined).join('\n'),
})

const howOf = ({ words }: ClickManner): Pick<Clicked, 'how'> => (words === plainClick.words ? {} : { how: words })

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
export interface Clicked extends ActionEffect {
  /** Role and name of the target. */
  readonly clicked: string
  /** How it was clicked: `Double-clicked`; missing for a plain click. */
  readonly how?: string
  /** The mouse was only moved. */
  readonly hovered?: true
}

/** What the question of a click shows. @throws as the click, if it is not possible */
export function previewClick(
  input: Record<string, unknown>,
  run: PlanRun & { readonly toolCallId: string },
): ActionForecast {
  const click = resolveClick(input, run)
  highlightTarget(click.element, run)
  return planWithPreview(run, click.plan)
}

/** Clicks, and reports what changed. @throws `invalid-input`, `unavailable`, `sensitive-field`, `stale-ref` */
export async function runClick(input: Record<string, unknown>, run: ToolRun): Promise<Clicked> {
  await untilQuestionGone(run)
  const held = closedSince(input, run)
  let approved = held ? undefined : resolveClick(input, again(run))
  if (approved) {
    checkPlanUnchanged(run, approved.plan)
    highlightTarget(approved.element, run)
  }
  const known = approved?.plan ?? approvedPlan(run)!
  const { preview } = known
  const manner = mannerOf(input)
  let outcome: ClickOutcome = {}
  let effect = await runAndCompare(run, permissionOf(run, known), async () => {
    if (held) {
      const { element, done } = await openAgain(held, run)
      approved = clickOn(element, takeSnapshot(run), again(run), { manner, hover: false })
      checkPlanUnchanged(run, approved.plan, done)
    }
    outcome = await clickNow(approved!, input, run)
  })
  const { element } = approved!
  if (manner.kind === 'hold' && !effect.changed && element.isConnected && hasTouch(element)) {
    // The page may listen to the mouse alone.
    const byMouse = onceMore(run, () => resolveClick(input, again(run)))
    if (byMouse)
      effect = await runAndCompare(run, permissionOf(run, byMouse.plan), () =>
        pressLong(byMouse.place, 'mouse', { manner, signal: run.signal }),
      )
  }
  const all = withElsewhere(effect, preview.opens)
  const changes = [...notesOn(outcome, effect.changed), all.changes].join('\n')
  return {
    clicked: approved?.words ?? preview.target ?? '',
    ...(outcome.turned === undefined ? howOf(manner) : { how: 'Pressed the mouse on' }),
    ...(manner.kind === 'hover' ? { hovered: true } : {}),
    ...all,
    changes,
  }
}

/** `page_click`. */
export const pageClick: Tool<Record<string, unknown>, Clicked> = {
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
  annotations: { untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [internals]: {
    mayAct: true,
    fieldChanges: undoableFields,
    preview: previewClick,
  },
  execute: runClick,
  toModelOutput: ({ output: { clicked, how = plainClick.words, changed, changes } }) =>
    `${how} ${clicked}${changed ? '.' : ', but nothing happened that can be seen.'}\n${changes}`,
}
