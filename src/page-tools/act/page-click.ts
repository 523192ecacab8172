// page_click: clicks one element. The effect is predicted for the approval and checked again before the click; the
// result reports what changed.
import { mayAct, previewAction } from '../../core/loop/action-preview.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { ancestor, isTag, parentOf } from '../dom/dom.js'
import { highlight } from '../dom/highlight.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import { waitForPageUpdates } from '../fill/input-events.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import { isConfirming } from '../effects/confirmed.js'
import { afterStop, predictClick, type Lead } from '../effects/predict-effect.js'
import { siteOf } from '../effects/site.js'
import type { ActionPlan, ActionSender, Destination, PlanRun } from './planned-action.js'
import {
  again,
  approvedPlan,
  checkPlanUnchanged,
  consequenceOf,
  leadOfForm,
  planWithPreview,
  permissionOf,
  planAction,
  parse,
  formDestination,
  linkDestination,
} from './planned-action.js'
import { dispatchClick, hoverOver } from './dispatch-click.js'
import type { HeldTarget } from './approved-target.js'
import { hasClosed, holdTarget } from './approved-target.js'
import type { ActionTarget } from './hit-point.js'
import { describeTarget } from './hit-point.js'
import { openAgain } from './open-again.js'
import { untilQuestionGone } from './agent-dialogs.js'
import { checkAllowed, checkReachable, resolveActionTarget, describeApart, describeControl } from './resolve-target.js'

interface Click {
  readonly element: Element
  readonly place: ActionTarget
  readonly plan: ActionPlan
  /** The target in words, with what tells it from equal ones. */
  readonly words: string
  /** The target is hidden. `place` is on the element around it, which must be hovered first. */
  readonly closed: boolean
}

/** The plan of a click. `on` receives it and decides where it leads, `words` describe the target. */
export function planClick(on: Element, words: string, snapshot: PageSnapshot, run: PlanRun): ActionPlan {
  const { sender, destination, by } = leadOf(on)
  const first = predictClick(on, by, snapshot)
  const prediction = run.stopped ? afterStop(first, run.stopped, on, snapshot) : first
  const isConfirmed = run.stopped === undefined && isConfirming(on, prediction.effect, run.sessionId)
  return planAction(
    {
      does: 'click',
      target: words,
      destination,
      sender,
      prediction: isConfirmed ? { ...prediction, isConfirmed } : prediction,
      stopped: run.stopped,
    },
    snapshot,
  )
}

/** Where a click leads by markup, for the question and for the prediction. */
function leadOf(on: Element): {
  readonly sender: ActionSender | undefined
  readonly destination: Destination
  readonly by: Lead | undefined
} {
  const consequence = consequenceOf(on)
  if (consequence === undefined) return { sender: undefined, destination: {}, by: undefined }
  if ('form' in consequence) {
    const destination = formDestination(consequence.form, consequence.button)
    return { sender: consequence, destination, by: leadOfForm(consequence, destination) }
  }
  const destination = linkDestination(consequence.link, consequence.href)
  const url = parse(consequence.href, consequence.link.baseURI)
  return { sender: undefined, destination, by: { url: siteOrUrl(url, destination), opens: destination.opens } }
}

/** The address that decides: that of the `ping`, if only it leads to another site. */
const siteOrUrl = (url: URL | undefined, { site }: Destination): URL | undefined =>
  site !== undefined && url !== undefined && siteOf(url) === undefined ? parse(site, url.href) : url

function resolveClick(input: Record<string, unknown>, run: PlanRun): Click {
  const snapshot = takeSnapshot(run)
  const target = String(input['target'] ?? '')
  const element = resolveActionTarget(target, textArgument(input['role']), snapshot)
  return clickOn(element, snapshot, run, input['hover'] === true)
}

/** @throws `unavailable`, `sensitive-field` if a user could not click it */
function clickOn(element: Element, snapshot: PageSnapshot, run: PlanRun, hover: boolean): Click {
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
    plan: { ...planClick(on, words, snapshot, run), held: holdTarget(element, words, snapshot) },
    words: closed?.words ?? describeApart(element, snapshot),
    closed: closed !== undefined,
  }
}

/** The target of an approved click, if the menu that held it has closed since. */
function closedSince(input: Record<string, unknown>, run: ToolRun): HeldTarget | undefined {
  const held = input['hover'] === true ? undefined : approvedPlan(run)?.held
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

/** Hovers and waits for the page. Returns the click as it is then, and the elements under the pointer. */
async function hoverFirst(
  first: Click,
  input: Record<string, unknown>,
  run: ToolRun,
): Promise<{ readonly click: Click; readonly inside: ReadonlySet<Element> }> {
  const inside = hoverOver(first.place)
  const start = performance.now()
  await waitForPageUpdates()
  // A closed menu must open; other pages get a moment to react.
  while (first.closed && !takeSnapshot(run).visibility.isShown(first.element) && performance.now() - start < mostHover)
    await waitForPageUpdates()
  run.signal.throwIfAborted()
  const click = resolveClick({ ...input, hover: false }, again(run))
  checkPlanUnchanged(run, click.plan)
  return { click, inside }
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

/** `page_click`. */
export const pageClick: Tool<Record<string, unknown>, ActionEffect & { clicked: string }> = {
  name: 'page_click',
  title: 'Click on the page',
  description:
    'Clicks a button, link or other element as a user would. Returns what changed on the page. The user is asked ' +
    'if it may have an effect. To fill fields use form_fill; to submit a form use form_submit.',
  inputSchema: {
    type: 'object',
    properties: {
      target: {
        type: 'string',
        minLength: 1,
        description: 'Ref from page_read, such as e12, or name of the element.',
      },
      role: {
        type: 'string',
        description: 'Role, such as button or link, if several elements have the name.',
      },
      hover: {
        type: 'boolean',
        description: 'Hover and wait before the click, for menus that a script opens on hover.',
      },
    },
    required: ['target'],
  },
  annotations: { untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [mayAct]: true,
  [previewAction](input, run) {
    const click = resolveClick(input, run)
    highlight({ element: click.element as HTMLElement, members: [] })
    return planWithPreview(run, click.plan)
  },
  async execute(input, run) {
    await untilQuestionGone(run)
    const held = closedSince(input, run)
    let approved = held ? undefined : resolveClick(input, again(run))
    if (approved) {
      checkPlanUnchanged(run, approved.plan)
      highlight({ element: approved.element as HTMLElement, members: [] })
    }
    const known = approved?.plan ?? approvedPlan(run)!
    const { preview } = known
    const effect = await runAndCompare(run, permissionOf(run, known), async () => {
      if (held) {
        approved = clickOn(await openAgain(held, run), takeSnapshot(run), again(run), false)
        checkPlanUnchanged(run, approved.plan)
      }
      const first = approved!
      const { click, inside } =
        input['hover'] === true ? await hoverFirst(first, input, run) : { click: first, inside: undefined }
      dispatchClick(
        click.place,
        () => {
          // Handlers of `mousedown` may have changed the target.
          const snapshot = takeSnapshot(run)
          const last = planClick(click.place.on, describeControl(first.element, snapshot), snapshot, again(run))
          if (first.element.isConnected && last.key !== first.plan.key)
            checkPlanUnchanged({ toolCallId: run.toolCallId }, last)
        },
        inside,
      )
    })
    return { clicked: approved?.words ?? preview.target ?? '', ...withElsewhere(effect, preview.opens) }
  },
  toModelOutput: ({ output: { clicked, changed, changes } }) =>
    `Clicked ${clicked}${changed ? '.' : ', but nothing happened that can be seen.'}\n${changes}`,
}
