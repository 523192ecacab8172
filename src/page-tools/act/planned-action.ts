// Predicts what an action will do, from the page as it is: the plan that the approval shows.
import type { NamedPart, NamedTarget, Preview } from '../../core/data/action.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isAbove, type Effect } from '../../core/data/effect.js'
import { dropUndefined, type JsonObject } from '../../core/data/json.js'
import type { ApprovalRun } from '../../page/tools/tool.js'
import { elementsUnder, isHiddenInput, isWithin } from '../dom/dom.js'
import { isDisabled } from '../dom/field-state.js'
import { redactSecrets, type PageSnapshot } from '../dom/page-snapshot.js'
import { filledValues, valueIn, type FilledValue } from '../effects/filled-values.js'
import { afterStop, type Prediction } from '../effects/predict-effect.js'
import { mayContainRefused } from '../effects/refused-deeds.js'
import { inWords, targetInWords } from '../read/control-names.js'
import { isWithheld } from '../read/field.js'
import type { Field } from '../read/form-fields.js'
import { headingAround, headingOfPage } from '../read/heading-around.js'
import type { ApprovedTarget } from './approved-target.js'
import {
  amountLine,
  belongsTo,
  readAround,
  surroundingsOf,
  unseenInBox,
  unseenInForm,
  type Surroundings,
  type UnseenValue,
} from './bound-parts.js'
import type { ActionSender, Destination } from './consequence.js'

/** The predicted effect of an action. */
export interface ActionPlan {
  /** What the approval shows. */
  readonly preview: Preview
  /** What is done, to what, and where it leads: must be the same when the action runs. */
  readonly key: string
  /** Where it leads: must be the same until the browser follows it. */
  readonly lead: string
  /** The visible values that are sent. */
  readonly values: readonly { readonly members: readonly Element[]; readonly field: string; readonly value: string }[]
  /** Hashes of what is sent and not shown: hidden and private values, and the values of options. */
  readonly unseen: readonly UnseenValue[]
  /** Whether a GET form would put private or hidden values into the URL. */
  readonly hides: boolean
  /** What the assistant has filled in beside what is sent. */
  readonly filled: readonly FilledValue[]
  /** What a person reads around the control: an action that the visitor allowed is about just that. */
  readonly around: string
  /** What the action does, as predicted. */
  readonly prediction: Prediction
  /** The target of a click, and what opened the menu around it. */
  readonly target?: ApprovedTarget
}

const mostValues = 40
/** Values that the assistant has filled in elsewhere. */
const mostFilled = 100

interface Sent extends Pick<ActionPlan, 'values' | 'unseen'> {
  readonly shown: NonNullable<Preview['values']>
  readonly more: number
}

/** Characters of a value. */
const longestValue = 4_000
/** A value as the question shows it: of a long one the beginning and the end. */
export const shownText = (value: string): string =>
  value.length <= longestValue
    ? value
    : `${value.slice(0, longestValue * 0.75)} […] ${value.slice(-longestValue * 0.2)}`

const shownValue = (value: string | boolean): string | boolean =>
  typeof value === 'boolean' ? value : shownText(value)

/** Visible values of fields, and of private ones only whether they are filled. */
function valuesOf(fields: readonly Field[], snapshot: PageSnapshot): Pick<Sent, 'values' | 'shown' | 'more'> {
  const entries = fields.map((field) => {
    const value = valueIn(field, snapshot)
    return {
      members: field.members,
      text: String(value),
      shown: {
        field: field.label,
        value: shownValue(value),
        ...(isWithheld(field) ? { private: true as const } : {}),
      },
    }
  })
  return {
    values: entries.map(({ members, text, shown: { field } }) => ({ members, field, value: text })),
    shown: entries.slice(0, mostValues).map((one) => one.shown),
    more: Math.max(0, entries.length - mostValues),
  }
}

/** The fields whose values the question shows. */
const openIn = (fields: readonly Field[]): ReadonlySet<Element> =>
  new Set(fields.filter((field) => !isWithheld(field)).flatMap(({ members }) => members))

/** What a form sends. Rich text and the controls of a library are in it, though the form does not own them. */
function sentBy({ form, button }: ActionSender, snapshot: PageSnapshot): Sent {
  const own = snapshot
    .fields()
    .filter((field) => (field.form === form || isWithin(field.element, form)) && !field.members.every(isDisabled))
  const { values, shown, more } = valuesOf(own, snapshot)
  // Only counted: hidden fields are not visible to the user.
  const hidden = [...elementsUnder(unclobbered(form.ownerDocument).documentElement)].filter(
    (one) => isHiddenInput(one) && one.form === form && one.name !== '' && !one.disabled,
  ).length
  return {
    values,
    shown,
    more: hidden + more,
    unseen: unseenInForm(form, button, openIn(own)),
  }
}

/**
 * What a button sends that is in no form: the values in the dialog, form, card or pane around it. Only a dialog, or a
 * press that is known to send, shows them; else the assistant's own are shown.
 */
function sentFrom({ group, isDialog }: Surroundings, effect: Effect, snapshot: PageSnapshot): Sent | undefined {
  if (!group || !/^(unknown|send|destroy)$/.test(effect)) return undefined
  const own = snapshot.fields().filter((field) => belongsTo(field.element, group))
  const sent = { ...valuesOf(own, snapshot), unseen: unseenInBox(group, openIn(own)) }
  return isDialog || effect !== 'unknown' ? sent : { ...sent, shown: [], more: 0 }
}

/** What the assistant has filled in elsewhere. Its steps may be gone by now, and a page need not have a form. */
function filledElsewhere(sent: Sent | undefined, snapshot: PageSnapshot): readonly FilledValue[] {
  const shown = new Set(sent && sent.shown.length > 0 ? sent.values.flatMap(({ members }) => members) : [])
  return filledValues(snapshot).filter(({ members }) => !members.some((one) => shown.has(one)))
}

/** What a plan is made for: a check before the question, or the call itself. */
export type PlanRun = Pick<ApprovalRun, 'sessionId' | 'messages' | 'stopped' | 'effects'>

/** An action, as its plan is made from it. */
export interface PlannedAction {
  readonly does: Preview['does']
  /** How it is clicked, if not plainly. */
  readonly how?: Preview['how'] | undefined
  /** What it acts on; missing for an address. */
  readonly target?: NamedTarget
  /** The text that is typed. */
  readonly text?: string | undefined
  /** What it is dragged to. */
  readonly to?: NamedPart | undefined
  readonly destination?: Destination
  /** The form that is sent. */
  readonly sender?: ActionSender | undefined
  /** What acts: the control, or what takes a key. */
  readonly element: Element
  /** What it does, as far as the page and its markup say. */
  readonly predicted: Prediction
}

/** A field of another part of the page. */
export const fieldIn = (field: string, group: string | undefined): string =>
  group === undefined ? field : `${field} (${group})`
const shownFilled = ({ field, value, group }: FilledValue): NonNullable<Preview['filled']>[number] => ({
  field,
  value: shownValue(value),
  ...(group === undefined ? {} : { group }),
})

/** The heading that a question names. A name that says nothing ("⚙", "256") has at least that of the page. */
function headingFor(
  control: Element,
  { name = '', around }: { readonly name: string | undefined; readonly around: string | undefined },
  snapshot: PageSnapshot,
): string | undefined {
  const heading = headingAround(control, snapshot)
  return heading ?? (around === undefined && !/\p{L}/u.test(name) ? headingOfPage(snapshot) : undefined)
}

/** Creates the plan of an action. After an attempt that was stopped, it is what that was stopped before at least. */
export function planAction(action: PlannedAction, snapshot: PageSnapshot, { stopped }: PlanRun): ActionPlan {
  const { does, how, text, to, sender, predicted } = action
  const { on, key, by } = action.target ?? {}
  const typed = text === undefined ? {} : { key: 'Text' }
  const target = action.target && targetInWords({ ...action.target, ...typed })
  const prediction = stopped ? afterStop(predicted, stopped, action.element, snapshot) : predicted
  const { whole, ...destination } = action.destination ?? {}
  const { effect, in: around, loses, task, control } = prediction
  let sent: Sent | undefined
  const near = control && isAbove(effect, 'go') ? surroundingsOf(control, snapshot) : undefined
  if (sender && destination.method !== 'DIALOG') sent = sentBy(sender, snapshot)
  else if (near) sent = sentFrom(near, effect, snapshot)
  const filled = filledElsewhere(sent, snapshot)
  const preview = dropUndefined({
    does,
    how,
    effect,
    on,
    key,
    by,
    target,
    types: text === undefined ? undefined : shownText(text),
    onto: to,
    to: to && inWords(to),
    in: around,
    amount: control && isAbove(effect, 'go') ? amountLine(control, snapshot) : undefined,
    heading: control && headingFor(control, { name: on?.name, around }, snapshot),
    ...destination,
    // The other site that the page was about to contact.
    site: destination.site ?? stopped?.find((one) => one.site !== undefined)?.site,
    values: sent && (sender || sent.shown.length > 0) ? sent.shown : undefined,
    filled: filled.length > 0 ? filled.slice(0, mostFilled).map(shownFilled) : undefined,
    more: (sent?.more ?? 0) + Math.max(0, filled.length - mostFilled) || undefined,
    loses,
    stopped,
    task,
    refused: (mayContainRefused() && isAbove(effect, 'go')) || undefined,
  })
  const lead = JSON.stringify([whole, destination.method, destination.site, destination.opens])
  return {
    preview: redactSecrets(preview as unknown as JsonObject, snapshot.fields()) as unknown as Preview,
    key: JSON.stringify([does, target, lead]),
    lead,
    values: [
      ...(sent?.values ?? []),
      ...filled.map(({ members, field, group, value }) => ({
        members,
        field: fieldIn(field, group),
        value: String(value),
      })),
    ],
    filled,
    unseen: sent?.unseen ?? [],
    hides:
      destination.method === 'GET' && sent !== undefined && (sent.more > 0 || sent.shown.some((one) => one.private)),
    around: control && near ? readAround(control, near, snapshot, sent?.values ?? []) : '',
    prediction,
  }
}

/** The plan of an action that differs from others in more than its target and where that leads. */
export const alsoBy = (plan: ActionPlan, ...more: readonly unknown[]): ActionPlan => ({
  ...plan,
  key: JSON.stringify([plan.key, ...more]),
})
