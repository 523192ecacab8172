// page_click: one press on one element. Foreseen for the question, worked out anew when it is done, and told by what
// changed.
import { previewAction } from '../../core/turn/action-preview.js'
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

/** `on`: what gets the press, which may be a part of the element that leads elsewhere. */
function plan(element: Element, on: Element, snapshot: PageSnapshot): ActionPlan {
  const led = consequenceOf(on)
  const way = led ? ('form' in led ? formDestination(led.form, led.button) : linkDestination(led.link, led.href)) : {}
  return planAction('click', describeControl(element, snapshot), way, led && 'form' in led ? led : undefined, snapshot)
}

function clickOf(input: Record<string, unknown>, run: RunLike): Click {
  const snapshot = takeSnapshot(run)
  const element = resolveActionTarget(String(input['target'] ?? ''), textArgument(input['role']), snapshot)
  checkAllowed(element, snapshot)
  checkReachable(element, snapshot)
  const place = describeTarget(element, snapshot)
  const led = consequenceOf(place.on)
  if (led && 'form' in led) checkAllowed(led.form, snapshot)
  return { element, place, plan: plan(element, place.on, snapshot) }
}

/** What a browser does where this page cannot see it. */
const elsewhere = new Map([
  ['tab', 'A new tab was requested. Whether it opened is unknown.'],
  ['download', 'A download was requested. Whether it succeeded is unknown.'],
])

export const withElsewhere = ({ changes, ...effect }: ActionEffect, opens: string | undefined): ActionEffect => ({
  ...effect,
  changes: [elsewhere.get(opens ?? ''), changes].filter((text) => text !== undefined).join('\n'),
})

export const pageClick: Tool<Record<string, unknown>, ActionEffect & { clicked: string }> = {
  name: 'page_click',
  title: 'Click on the page',
  description:
    'Clicks a button, link or other element as a user would. Returns what changed on the page. The user is asked first. ' +
    'To fill fields use form_fill; to submit a form use form_submit.',
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
    const click = clickOf(input, run)
    highlight({ element: click.element as HTMLElement, members: [] })
    return planWithPreview(run, click.plan)
  },
  async execute(input, run) {
    const { element, place, plan: now } = clickOf(input, run)
    checkPlanUnchanged(run, now)
    highlight({ element: element as HTMLElement, members: [] })
    const effect = await runAndCompare(run, now.preview.site, () =>
      dispatchClick(place, () => {
        // Its own handlers may have changed where it leads while the button was down.
        const snapshot = takeSnapshot(run)
        const last = plan(element, place.on, snapshot)
        if (element.isConnected && last.key !== now.key) checkPlanUnchanged({ toolCallId: run.toolCallId }, last)
      }),
    )
    return { clicked: now.preview.target ?? '', ...withElsewhere(effect, now.preview.opens) }
  },
  toModelOutput: ({ output: { clicked, changes } }) => `Clicked ${clicked}.\n${changes}`,
}
