// What pressing a control does, whoever presses it: the plans of a click and of a submission, and what became of a
// form. The tools that click, press a key and submit share it.
import type { NamedPart } from '../../core/data/action.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { rootOf, viewOf } from '../dom/dom.js'
import { isDisabled } from '../dom/field-state.js'
import { takeSnapshot, type PageSnapshot } from '../dom/page-snapshot.js'
import { normalizeText, truncate } from '../dom/text.js'
import { predictClick, predictView, type Lead } from '../effects/predict-effect.js'
import { siteOf } from '../effects/read-request.js'
import { activates, linkOpens, plainClick, type ClickManner } from '../hands/click.js'
import { namedControl, targetInWords } from '../read/control-names.js'
import type { Field } from '../read/form-fields.js'
import { formsOf } from '../read/forms.js'
import type { Action } from './action-tool.js'
import {
  consequenceOf,
  formDestination,
  leadOfForm,
  linkDestination,
  parse,
  type ActionSender,
  type Destination,
} from './consequence.js'
import type { ObservedChange } from './page-diff.js'
import { alsoBy, planAction, type ActionPlan, type PlanRun } from './planned-action.js'
import { checkAllowed, checkReachable, checkUsable } from './resolve-target.js'

/** The plan of a click. `element` receives it and decides where it leads, `on` is how the question names the target. */
export function planClick(
  element: Element,
  on: NamedPart,
  snapshot: PageSnapshot,
  { run, manner = plainClick }: { readonly run: PlanRun; readonly manner?: ClickManner },
): ActionPlan {
  const { sender, destination, by } = leadOf(element, manner)
  const { kind, modifiers } = manner
  const isView = kind === 'right' || kind === 'hover'
  const predicted = isView ? predictView(element, snapshot) : predictClick(element, by, snapshot)
  const how = kind === 'click' ? undefined : kind
  const action = { does: 'click', how, target: { on }, destination, sender, element, predicted } as const
  const plan = planAction(action, snapshot, run)
  return alsoBy(plan, kind, modifiers)
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

/** The submission of a form by its button; `button` is null if the form has none. */
export interface Submission extends Action, ActionSender {
  /** Names of the form and its button, redacted. */
  readonly name: string
}

/**
 * Plans the submission of a form by its button.
 * @throws `unavailable`, `sensitive-field` if a user could not submit it
 */
export function planSubmit({ form, button }: ActionSender, snapshot: PageSnapshot, run: PlanRun): Submission {
  checkAllowed(form, snapshot)
  if (button) checkUsable(button, snapshot)
  checkReachable(form, snapshot)
  // Invisible forms must not be submitted.
  if (
    !snapshot.visibility.hasBox(form) &&
    !snapshot.fields().some((field) => field.form === form) &&
    !(button && snapshot.visibility.isShown(button))
  )
    throw new ToolAgentError('unavailable', 'The form is hidden. Open what contains it, then use page_read.')
  const label = formsOf(snapshot.fields(), snapshot).get(form)
  const target = {
    on: { role: 'form', name: truncate(label ?? '', 80) },
    ...(button ? { by: namedControl(button, snapshot) } : {}),
  }
  const sender = { form, button }
  const destination = formDestination(form, button)
  const element = button ?? form
  const predicted = predictClick(element, leadOfForm(sender, destination), snapshot)
  const plan = planAction({ does: 'submit', target, destination, sender, element, predicted }, snapshot, run)
  return { form, button, name: targetInWords(target), plan, element }
}

/** A field that fails validation. */
export interface InvalidField {
  readonly field: string
  readonly problem: string
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

/** One line for each. */
export const invalidLines = (invalid: readonly InvalidField[] = []): string[] =>
  invalid.map(({ field, problem }) => `${field}: ${problem}`)

/** What became of a form during an action. */
interface SubmitOutcome {
  /** Whether the form dispatched `submit`. */
  readonly submitted: boolean
  /** The fields that prevented it; missing if there are none. */
  readonly invalid?: readonly InvalidField[]
  readonly observed: ObservedChange
}

/** Runs an action that should submit a form, and reports whether it did. */
export async function observeSubmit(
  form: HTMLFormElement,
  run: ToolRun,
  action: (isSubmitted: () => boolean) => Promise<ObservedChange>,
): Promise<SubmitOutcome> {
  let submitted = false
  const observed = await noticingSubmits(
    form,
    () => action(() => submitted),
    (target) => (submitted ||= target === form),
  )
  const invalid = submitted || !form.isConnected ? [] : invalidFieldsOf(form, takeSnapshot(run).fields())
  return { submitted, observed, ...(invalid.length > 0 ? { invalid } : {}) }
}

/** Runs a step and notices each `submit` of the page and of the tree that an element is in. */
export async function noticingSubmits<T>(
  near: Element,
  step: () => Promise<T>,
  notice: (target: EventTarget | null) => void,
): Promise<T> {
  const ending = new AbortController()
  for (const root of [viewOf(near), rootOf(near)])
    root.addEventListener('submit', ({ target }) => notice(target), { capture: true, signal: ending.signal })
  try {
    return await step()
  } finally {
    ending.abort()
  }
}
