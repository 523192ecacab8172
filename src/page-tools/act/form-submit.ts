// form_submit: submits a form with its submit button, validation and the page's handlers. Reports validation errors by
// field.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { takeSnapshot, textArgument, type PageSnapshot } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import { requestSubmit } from '../hands/events.js'
import { asToolInput } from '../hands/own-input.js'
import { findPart, formNamed } from '../read/find-part.js'
import { formsOf } from '../read/forms.js'
import { currentItems } from '../read/named-parts.js'
import { actAndCompare, actionTool, type Input } from './action-tool.js'
import {
  invalidLines,
  noticingSubmits,
  observeSubmit,
  planSubmit,
  type InvalidField,
  type Submission,
} from './activation.js'
import { defaultButton, isSubmit } from './consequence.js'
import { planClickCall, runClick, type ClickCall } from './page-click.js'
import type { ObservedChange } from './page-diff.js'
import type { PlanRun } from './planned-action.js'
import { checkAllowed, describeControl, resolveActionTarget } from './resolve-target.js'

function formOf(asked: string | undefined, button: Element | undefined, snapshot: PageSnapshot): HTMLFormElement {
  const forms = formsOf(snapshot.fields(), snapshot)
  const all = [...forms].filter(([form]) => isTag(form, 'form')) as [HTMLFormElement, string][]
  // Forms with buttons only have no fields.
  for (const form of elementsUnder(currentPage().documentElement))
    if (isTag(form, 'form') && !forms.has(form) && snapshot.visibility.hasBox(form)) all.push([form, ''])
  const list =
    all
      .map(
        ([form, label]) =>
          `${JSON.stringify(truncate(label, 80))} [ref=${snapshot.refs.refFor(form, snapshot.visibility)}]`,
      )
      .join(', ') || 'none'
  if (asked !== undefined) {
    const part = formNamed(asked, new Map<Element, string>(all)) ?? findPart(asked, snapshot)
    const form =
      !part || isTag(part, 'form') ? part : ((part as Partial<HTMLInputElement>).form ?? part.closest('form'))
    if (form) return form
    throw new ToolAgentError(
      'invalid-input',
      `${JSON.stringify(truncate(asked, 80))} is not a form. Forms on the page: ${list}`,
    )
  }
  if (button && isSubmit(button) && button.form) return button.form
  const only = all[0]
  if (only && all.length === 1) return only[0]
  throw new ToolAgentError('invalid-input', `Pass a form. Forms on the page: ${list}`)
}

/** The button that is named, if it submits no form by markup: a script of the page may do it, so it is clicked. */
function clickedInstead(input: Input, run: PlanRun): Element | undefined {
  const asked = textArgument(input['button'])
  const button = asked === undefined ? undefined : resolveActionTarget(asked, undefined, takeSnapshot(run))
  return button && !isSubmit(button) ? button : undefined
}

/** @throws `invalid-input`, `stale-ref`; as `planSubmit` */
function resolveSubmit(input: Input, run: PlanRun): Submission {
  const snapshot = takeSnapshot(run)
  const asked = textArgument(input['button'])
  const chosen = asked === undefined ? undefined : resolveActionTarget(asked, undefined, snapshot)
  const form = formOf(textArgument(input['form']), chosen, snapshot)
  checkAllowed(form, snapshot)
  if (!form.isConnected)
    throw new ToolAgentError('stale-ref', `The form is no longer on the page. The page has:\n${currentItems(snapshot)}`)
  if (chosen && !(isSubmit(chosen) && chosen.form === form))
    throw new ToolAgentError(
      'invalid-input',
      `${describeControl(chosen, snapshot)} submits another form. Omit the form, or pass another button.`,
    )
  return planSubmit({ form, button: chosen && isSubmit(chosen) ? chosen : defaultButton(form) }, snapshot, run)
}

/** The output of form_submit. */
export interface Submitted extends ObservedChange {
  /** Whether the form dispatched `submit`. */
  readonly submitted: boolean
  /** The name of the form and its button; of a button that submits none by markup, what it is. */
  readonly form: string
  /** The button was clicked, because it submits no form by markup. */
  readonly clicked?: true
  /** The fields that prevented it. */
  readonly invalid?: readonly InvalidField[]
}

/** A click in place of a submission. */
interface Instead {
  readonly click: ClickCall
  readonly button: Element
}

async function runInstead({ click, button }: Instead, run: ToolRun): Promise<Submitted> {
  let submitted = false
  const {
    clicked,
    name: _name,
    ...observed
  } = await noticingSubmits(
    button,
    () => runClick(click, run),
    () => (submitted = true),
  )
  return { ...observed, submitted, form: clicked, clicked: true }
}

/** `form_submit`. */
export const formSubmit = actionTool({
  name: 'form_submit',
  title: 'Send the form',
  description: 'Submits a form. Returns what changed or is invalid. The user is asked. Fill it with form_fill first.',
  inputSchema: {
    type: 'object',
    properties: {
      form: { type: 'string', description: 'Name or ref, if there are several.' },
      button: { type: 'string', description: 'Name or ref. Default: the first.' },
    },
  },
  plan(input, run, approved) {
    const button = clickedInstead(input, run)
    if (!button) return resolveSubmit(input, run)
    const click = planClickCall({ target: textArgument(input['button']) }, run, approved)
    return { click, button, plan: click.plan, element: click.element }
  },
  async run(action, run): Promise<Submitted> {
    if ('click' in action) return runInstead(action, run)
    const { form, button, name, plan } = action
    const { submitted, invalid, observed } = await observeSubmit(form, run, (isSubmitted) =>
      actAndCompare(plan, run, {
        act: () => asToolInput(() => requestSubmit(form, button)),
        hasFollowed: isSubmitted,
      }),
    )
    return { submitted, form: name, ...(invalid ? { invalid } : {}), ...observed }
  },
  words: ({ submitted, clicked, form, invalid, changes }) => [
    clicked ? `Clicked ${form}${submitted ? ', which submitted a form' : ''}.` : undefined,
    !clicked && submitted ? `Submitted ${form}.` : undefined,
    !clicked && !submitted ? `${form} was not submitted.` : undefined,
    ...invalidLines(invalid),
    changes || undefined,
  ],
})
