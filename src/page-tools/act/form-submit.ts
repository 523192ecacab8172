// form_submit: submits a form with its submit button, validation and the page's handlers. Reports validation errors by
// field.
import { ToolAgentError } from '../../core/data/errors.js'
import { internals } from '../../core/data/tool.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { elementsUnder, isTag, currentPage, rootOf, viewOf } from '../dom/dom.js'
import { asToolInput } from '../fill/watch-user.js'
import type { Field } from '../read/form-fields.js'
import { findPart, formNamed } from '../read/find-part.js'
import { formsOf } from '../read/forms.js'
import { currentItems } from '../read/named-parts.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../dom/page-snapshot.js'
import { isDisabled } from '../dom/field-state.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { ActionEffect } from './page-diff.js'
import { runAndCompare } from './page-diff.js'
import { previewClick, runClick, withElsewhere } from './page-click.js'
import { highlightTarget, untilQuestionGone } from './agent-dialogs.js'
import type { Permission } from '../effects/action-guard.js'
import { predictClick } from '../effects/predict-effect.js'
import { again, permissionOf, checkPlanUnchanged, planWithPreview } from './approved-plan.js'
import { leadOfForm, defaultButton, isSubmit, requestSubmit, formDestination } from './consequence.js'
import { type ActionPlan, type PlanRun, planAction } from './planned-action.js'
import { checkAllowed, checkReachable, resolveActionTarget, describeControl } from './resolve-target.js'

/** A field that fails validation. */
export interface InvalidField {
  readonly field: string
  readonly problem: string
}
/** A form that will be submitted, and the plan that its question shows. */
export interface SubmitTarget {
  readonly form: HTMLFormElement
  /** The submit button; null if the form has none. */
  readonly button: HTMLElement | null
  /** Names of the form and its button, redacted. */
  readonly name: string
  readonly plan: ActionPlan
}

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

/** The click that is meant if the named button submits no form by markup: a script of the page may do it. */
function clickInstead(input: Record<string, unknown>, run: PlanRun): { readonly target: string } | undefined {
  const target = textArgument(input['button'])
  return target === undefined || isSubmit(resolveActionTarget(target, undefined, takeSnapshot(run)))
    ? undefined
    : { target }
}

function resolveSubmit(input: Record<string, unknown>, run: PlanRun): SubmitTarget {
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
  return planSubmit(form, chosen && isSubmit(chosen) ? chosen : defaultButton(form), snapshot, run)
}

/**
 * Plans the submission of a form by its button.
 * @throws `unavailable`, `sensitive-field` if a user could not submit it
 */
export function planSubmit(
  form: HTMLFormElement,
  button: HTMLElement | null,
  snapshot: PageSnapshot,
  run: PlanRun,
): SubmitTarget {
  checkAllowed(form, snapshot)
  if (button) {
    checkAllowed(button, snapshot)
    checkReachable(button, snapshot)
  }
  checkReachable(form, snapshot)
  // Invisible forms must not be submitted.
  if (
    !snapshot.visibility.hasBox(form) &&
    !snapshot.fields().some((field) => field.form === form) &&
    !(button && snapshot.visibility.isShown(button))
  )
    throw new ToolAgentError('unavailable', 'The form is hidden. Open what contains it, then use page_read.')
  const label = formsOf(snapshot.fields(), snapshot).get(form)
  const by = button ? ` by ${describeControl(button, snapshot)}` : ''
  const name = `form ${JSON.stringify(truncate(label ?? '', 80))}${by}`
  const sender = { form, button }
  const destination = formDestination(form, button)
  const on = button ?? form
  const predicted = predictClick(on, leadOfForm(sender, destination), snapshot)
  return {
    form,
    button,
    name,
    plan: planAction({ does: 'submit', target: name, destination, sender, on, predicted }, snapshot, run),
  }
}

/** The fields that fail validation. Private fields only report that they do. */
function invalidFieldsOf(form: HTMLFormElement, fields: readonly Field[]): InvalidField[] {
  return fields.flatMap(({ form: own, members, label, secret }) => {
    const invalid =
      own === form &&
      members.find((member) => !isDisabled(member) && (member as Partial<HTMLInputElement>).validity?.valid === false)
    if (!invalid) return []
    const { validity, validationMessage } = invalid as HTMLInputElement
    const privateProblem = validity.valueMissing ? 'is empty' : 'invalid'
    const problem = secret ? privateProblem : truncate(normalizeText(validationMessage), 300) || 'invalid'
    return [{ field: label, problem }]
  })
}

/** What happened to a form during an action. */
interface SubmitOutcome {
  /** Whether the form dispatched `submit`. */
  readonly submitted: boolean
  /** The fields that prevented it. */
  readonly invalid: readonly InvalidField[]
  readonly effect: ActionEffect
}

/**
 * Runs an action that should submit a form, and reports whether it did.
 * @throws as `runAndCompare`
 */
export async function observeSubmit(
  form: HTMLFormElement,
  run: ToolRun,
  { permission, action }: { readonly permission: Permission; readonly action: () => void | Promise<void> },
): Promise<SubmitOutcome> {
  let submitted = false
  const effect = await noticing(
    form,
    () => runAndCompare(run, permission, action),
    (target) => (submitted ||= target === form),
  )
  const invalid = submitted || !form.isConnected ? [] : invalidFieldsOf(form, takeSnapshot(run).fields())
  return { submitted, invalid, effect }
}

/** Runs a step and notices each `submit` of the page and of the tree that an element is in. */
async function noticing<T>(near: Element, step: () => Promise<T>, notice: (target: EventTarget | null) => void) {
  const ending = new AbortController()
  for (const root of [viewOf(near), rootOf(near)])
    root.addEventListener('submit', ({ target }) => notice(target), { capture: true, signal: ending.signal })
  try {
    return await step()
  } finally {
    ending.abort()
  }
}

/** The output of form_submit. */
export interface Submitted extends ActionEffect {
  /** Whether the form dispatched `submit`. */
  readonly submitted: boolean
  /** The name of the form and its button; of a button that submits none by markup, what it is. */
  readonly form: string
  /** The button was clicked, because it submits no form by markup. */
  readonly clicked?: true
  /** The fields that prevented it. */
  readonly invalid?: readonly InvalidField[]
}

/** `form_submit`. */
export const formSubmit: Tool<Record<string, unknown>, Submitted> = {
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
  annotations: { untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [internals]: {
    mayAct: true,
    preview(input, run) {
      const click = clickInstead(input, run)
      if (click) return previewClick(click, run)
      const { button, form, plan } = resolveSubmit(input, run)
      highlightTarget(button ?? form, run)
      return planWithPreview(run, plan)
    },
  },
  async execute(input, run) {
    await untilQuestionGone(run)
    const click = clickInstead(input, again(run))
    if (click) {
      let submitted = false
      const { clicked, ...effect } = await noticing(
        resolveActionTarget(click.target, undefined, takeSnapshot(run)),
        () => runClick(click, run),
        () => (submitted = true),
      )
      return { ...effect, submitted, form: clicked, clicked: true }
    }
    const { form, button, name, plan } = resolveSubmit(input, again(run))
    checkPlanUnchanged(run, plan)
    const { submitted, invalid, effect } = await observeSubmit(form, run, {
      permission: permissionOf(run, plan),
      action: () => asToolInput(() => requestSubmit(form, button)),
    })
    return {
      submitted,
      form: name,
      ...(invalid.length > 0 ? { invalid } : {}),
      ...withElsewhere(effect, submitted ? plan.preview.opens : undefined),
    }
  },
  toModelOutput: ({ output: { submitted, clicked, form, invalid, changes } }) =>
    [
      clicked ? `Clicked ${form}${submitted ? ', which submitted a form' : ''}.` : undefined,
      !clicked && (submitted ? `Submitted ${form}.` : `${form} was not submitted.`),
      ...(invalid ?? []).map(({ field, problem }) => `${field}: ${problem}`),
      changes,
    ]
      .filter(Boolean)
      .join('\n'),
}
