// page_click: clicks one element. The effect is predicted for the approval and checked again before the click; the
// result reports what changed.
import { previewAction } from '../../core/calls/action-preview.js'
import type { Tool } from '../../page/tools/tool.js'
import { highlight } from '../dom/highlight.js'
import type { RunLike, PageSnapshot } from '../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../dom/page-snapshot.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import type { ActionPlan } from './planned-action.js'
import {
  checkPlanUnchanged,
  consequenceOf,
  planWithPreview,
  planAction,
  formDestination,
  linkDestination,
} from './planned-action.js'
import { dispatchClick } from './dispatch-click.js'
import type { ActionTarget } from './resolve-target.js'
import { checkAllowed, checkReachable, describeTarget, resolveActionTarget, describeControl } from './resolve-target.js'

interface Click {
  readonly element: Element
  readonly place: ActionTarget
  readonly plan: ActionPlan
}

/** `on` is the element that receives the click, which may be inside `element` and lead unobservable. */
function planClick(element: Element, on: Element, snapshot: PageSnapshot): ActionPlan {
  const consequence = consequenceOf(on)
  const sender = consequence && 'form' in consequence ? consequence : undefined
  const link = consequence && 'link' in consequence ? consequence : undefined
  const destination = sender
    ? formDestination(sender.form, sender.button)
    : link && linkDestination(link.link, link.href)
  return planAction('click', describeControl(element, snapshot), destination ?? {}, sender, snapshot)
}

function resolveClick(input: Record<string, unknown>, run: RunLike): Click {
  const snapshot = takeSnapshot(run)
  const element = resolveActionTarget(String(input['target'] ?? ''), textArgument(input['role']), snapshot)
  checkAllowed(element, snapshot)
  checkReachable(element, snapshot)
  const place = describeTarget(element, snapshot)
  const consequence = consequenceOf(place.on)
  if (consequence && 'form' in consequence) checkAllowed(consequence.form, snapshot)
  return { element, place, plan: planClick(element, place.on, snapshot) }
}

/** Effects that this page cannot observe. */
const unobservable = new Map([
  ['tab', 'A new tab was requested. Whether it opened is unknown.'],
  ['download', 'A download was requested. Whether it succeeded is unknown.'],
])

/** Adds a note on a new tab or a download, which this page cannot observe. */
export const withElsewhere = ({ changes, ...effect }: ActionEffect, opens: string | undefined): ActionEffect => ({
  ...effect,
  changes: [unobservable.get(opens ?? ''), changes].filter((text) => text !== undefined).join('\n'),
})

/** `page_click`. */
export const pageClick: Tool<Record<string, unknown>, ActionEffect & { clicked: string }> = {
  name: 'page_click',
  title: 'Click on the page',
  description:
    'Clicks a button, link or other element as a user would. Returns what changed on the page. The user is asked ' +
    'first. To fill fields use form_fill; to submit a form use form_submit.',
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
    },
    required: ['target'],
  },
  annotations: { consequentialHint: true, untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [previewAction](input, run) {
    const click = resolveClick(input, run)
    highlight({ element: click.element as HTMLElement, members: [] })
    return planWithPreview(run, click.plan)
  },
  async execute(input, run) {
    const { element, place, plan: now } = resolveClick(input, run)
    checkPlanUnchanged(run, now)
    highlight({ element: element as HTMLElement, members: [] })
    const effect = await runAndCompare(run, now.preview.site, () =>
      dispatchClick(place, () => {
        // Handlers of `mousedown` may have changed the target.
        const snapshot = takeSnapshot(run)
        const last = planClick(element, place.on, snapshot)
        if (element.isConnected && last.key !== now.key) checkPlanUnchanged({ toolCallId: run.toolCallId }, last)
      }),
    )
    return { clicked: now.preview.target ?? '', ...withElsewhere(effect, now.preview.opens) }
  },
  toModelOutput: ({ output: { clicked, changes } }) => `Clicked ${clicked}.\n${changes}`,
}
