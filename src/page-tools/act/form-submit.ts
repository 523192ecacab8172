// form_submit: a form sent as its own button sends it, with validation and the page’s handlers. What the browser or the
// page finds wrong is told by field.
import { ToolAgentError } from '../../core/data/errors.js'
import { previewAction } from '../../core/turn/action-preview.js'
import type { Tool } from '../../page/tools/tool.js'
import { elementsUnder, isTag, currentPage, rootOf, viewOf } from '../dom/dom.js'
import { asToolInput } from '../fill/input-events.js'
import { highlight } from '../dom/highlight.js'
import type { Field } from '../read/form-fields.js'
import { formNamed, formsOf } from '../read/form-read.js'
import type { PageSnapshot, RunLike } from '../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../dom/page-snapshot.js'
import { isDisabled } from '../dom/field-state.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import { withElsewhere } from './page-click.js'
import type { ActionPlan } from './planned-action.js'
import {
  checkPlanUnchanged,
  defaultButton,
  planWithPreview,
  isSubmit,
  planAction,
  requestSubmit,
  formDestination,
} from './planned-action.js'
import { checkAllowed, checkReachable, resolveActionTarget, describeControl } from './resolve-target.js'

interface Wrong {
  readonly field: string
  readonly problem: string
}
interface Submit {
  readonly form: HTMLFormElement
  readonly button: HTMLElement | null
  readonly name: string
  readonly plan: ActionPlan
  readonly snapshot: PageSnapshot
}

function formOf(asked: string | undefined, button: Element | undefined, snapshot: PageSnapshot): HTMLFormElement {
  const forms = formsOf(snapshot.fields(), snapshot)
  const all = [...forms].filter(([form]) => isTag(form, 'form')) as [HTMLFormElement, string][]
  // Some have buttons alone.
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
    const part = formNamed(asked, new Map<Element, string>(all)) ?? snapshot.findPart(asked)
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

function submitOf(input: Record<string, unknown>, run: RunLike): Submit {
  const snapshot = takeSnapshot(run)
  const asked = textArgument(input['button'])
  const chosen = asked === undefined ? undefined : resolveActionTarget(asked, undefined, snapshot)
  const form = formOf(textArgument(input['form']), chosen, snapshot)
  checkAllowed(form, snapshot)
  if (!form.isConnected)
    throw new ToolAgentError(
      'stale-ref',
      `The form is no longer on the page. The page has:\n${snapshot.currentItems()}`,
    )
  if (chosen && !(isSubmit(chosen) && chosen.form === form))
    throw new ToolAgentError(
      'invalid-input',
      `${describeControl(chosen, snapshot)} does not submit this form. Use page_click.`,
    )
  const button = chosen && isSubmit(chosen) ? chosen : defaultButton(form)
  if (button) {
    checkAllowed(button, snapshot)
    checkReachable(button, snapshot)
  }
  checkReachable(form, snapshot)
  // A form that nobody sees is sent by nobody.
  if (
    !snapshot.visibility.hasBox(form) &&
    !snapshot.fields().some((field) => field.form === form) &&
    !(button && snapshot.visibility.isShown(button))
  )
    throw new ToolAgentError('unavailable', 'The form is hidden')
  const label = formsOf(snapshot.fields(), snapshot).get(form)
  const name = `form ${JSON.stringify(truncate(label ?? '', 80))}${button ? ` by ${describeControl(button, snapshot)}` : ''}`
  return {
    form,
    button,
    name,
    snapshot,
    plan: planAction('submit', name, formDestination(form, button), { form, button }, snapshot),
  }
}

/** Fields that the browser finds wrong; of a private one only that it is. */
function wrongIn(form: HTMLFormElement, fields: readonly Field[]): Wrong[] {
  return fields.flatMap(({ form: own, members, label, secret }) => {
    const invalid =
      own === form &&
      members.find((member) => !isDisabled(member) && (member as Partial<HTMLInputElement>).validity?.valid === false)
    if (!invalid) return []
    const { validity, validationMessage } = invalid as HTMLInputElement
    return [
      {
        field: label,
        problem: secret
          ? validity.valueMissing
            ? 'is empty'
            : 'invalid'
          : truncate(normalizeText(validationMessage), 300) || 'invalid',
      },
    ]
  })
}

export interface Submitted extends ActionEffect {
  readonly submitted: boolean
  readonly form: string
  readonly invalid?: readonly Wrong[]
}

export const formSubmit: Tool<Record<string, unknown>, Submitted> = {
  name: 'form_submit',
  title: 'Send the form',
  description:
    "Submits a form as its submit button would, with the page's validation. Returns what changed, or which fields are " +
    'invalid and why. The user is asked first and sees the values. Fill the form with form_fill first.',
  inputSchema: {
    type: 'object',
    properties: {
      form: {
        type: 'string',
        description: 'Name or ref from form_read. Optional if the page has one form.',
      },
      button: {
        type: 'string',
        description: 'Name or ref of the submit button. Default: the first of the form.',
      },
    },
  },
  annotations: { consequentialHint: true, untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [previewAction](input, run) {
    const { button, form, plan } = submitOf(input, run)
    highlight({ element: button ?? form, members: [] })
    return planWithPreview(run, plan)
  },
  async execute(input, run) {
    const { form, button, name, plan } = submitOf(input, run)
    checkPlanUnchanged(run, plan)
    let submitted = false
    const root = rootOf(form)
    const note = (event: Event): void => {
      submitted ||= event.target === form
    }
    viewOf(form).addEventListener('submit', note, true)
    root.addEventListener('submit', note, true)
    let effect: ActionEffect
    try {
      effect = await runAndCompare(run, plan.preview.site, () => asToolInput(() => requestSubmit(form, button)))
    } finally {
      viewOf(form).removeEventListener('submit', note, true)
      root.removeEventListener('submit', note, true)
    }
    const invalid = submitted || !form.isConnected ? [] : wrongIn(form, takeSnapshot(run).fields())
    return {
      submitted,
      form: name,
      ...(invalid.length > 0 ? { invalid } : {}),
      ...withElsewhere(effect, submitted ? plan.preview.opens : undefined),
    }
  },
  toModelOutput: ({ output: { submitted, form, invalid, changes } }) =>
    [
      submitted ? `Submitted ${form}.` : `${form} was not submitted.`,
      ...(invalid ?? []).map(({ field, problem }) => `${field}: ${problem}`),
      changes,
    ].join('\n'),
}
