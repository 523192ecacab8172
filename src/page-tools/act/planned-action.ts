// Predicts what an action will do, from the page as it is. The plan is shown in the approval and compared with the page
// again before the action runs: a changed destination is another action.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionForecast, Preview, PreviewChange } from '../../core/data/action.js'
import { isAbove, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { dropUndefined, type JsonObject } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { ApprovalRun, ToolRun } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import type { Lead, Prediction } from '../effects/predict-effect.js'
import type { Permission } from '../effects/action-guard.js'
import { mayContainRefused } from '../effects/refused-deeds.js'
import { siteOf } from '../effects/site.js'
import { leaks } from '../border/tightness.js'
import { seenRequest } from '../effects/declared-effects.js'
import { filledValues, noteEditedByUser, valueIn, type FilledValue } from '../effects/filled-values.js'
import type { HeldTarget } from './approved-target.js'
import { isAnotherTarget } from './approved-target.js'
import {
  belongsTo,
  readAround,
  surroundingsOf,
  unseenInBox,
  unseenInForm,
  type Surroundings,
  type UnseenValue,
} from './bound-parts.js'
import { ancestor, elementsUnder, isElement, isOffLimits, isTag, isWithin, currentPage, viewOf } from '../dom/dom.js'
import type { PageSnapshot, RunLike } from '../dom/page-snapshot.js'
import { redactSecrets } from '../dom/page-snapshot.js'
import { isDisabled } from '../dom/field-state.js'
import type { Field } from '../read/form-fields.js'
import { headingAround, headingOfPage } from '../read/heading-around.js'
import { normalizeText, truncate } from '../dom/text.js'

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
  readonly held?: HeldTarget
}

/** Where an action leads. `whole` is the URL that is not truncated. */
export type Destination = Pick<Preview, 'url' | 'method' | 'site' | 'opens'> & { readonly whole?: string }

/** A URL; undefined for a text that is none. */
export function parse(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined // Not a URL: the browser does not navigate.
  }
}

const shown = (url: URL): string =>
  /^(javascript|data):$/.test(url.protocol) ? url.protocol : truncate(normalizeText(url.href), 400)
const opens = (target: string | null | undefined): Pick<Preview, 'opens'> =>
  /^_blank$/i.test(target ?? '') ? { opens: 'tab' } : {}

/** The link around an element, in HTML or SVG. */
function linkOf(element: Element): { element: Element; href: string } | undefined {
  const hrefOf = (one: Element): string | null =>
    one.localName === 'a' || isTag(one, 'area')
      ? (one.getAttribute('href') ?? one.getAttributeNS('http://www.w3.org/1999/xlink', 'href'))
      : null
  const link = ancestor(element, (above) => hrefOf(above) !== null)
  return link ? { element: link, href: hrefOf(link) ?? '' } : undefined
}

/** Whether it is a submit button. */
export const isSubmit = (element: Element): element is HTMLButtonElement | HTMLInputElement =>
  (isTag(element, 'button') && element.type === 'submit') ||
  (isTag(element, 'input') && (element.type === 'submit' || element.type === 'image'))

/** A form and the button that submits it. */
export interface ActionSender {
  /** The form that is submitted. */
  readonly form: HTMLFormElement
  /** Its submit button; null if the form is submitted without one. */
  readonly button: HTMLElement | null
}

/** Whether a click acts on the element itself, so that a label around it does not activate its control. */
const interactive = (element: Element): boolean =>
  element.matches('button,input,select,textarea,details,summary') || linkOf(element)?.element === element

/** The link that is followed, or the form that is submitted. */
type Consequence = { readonly link: Element; readonly href: string } | ActionSender

/** What a click on the element triggers by markup alone. What scripts of the page do cannot be predicted. */
export function consequenceOf(element: Element): Consequence | undefined {
  const nearest = ancestor(element, (above) => isTag(above, 'label') || interactive(above))
  if (!isTag(nearest, 'label') || !nearest.control) return consequenceUpFrom(element)
  // A label clicks its control; a button around the label is clicked as well. A link around it is not followed.
  const around = ancestor(nearest, isSubmit)
  return consequenceUpFrom(nearest.control) ?? (around ? consequenceUpFrom(around) : undefined)
}

/** If a link and a button contain one another, browsers act on the inner one. */
function consequenceUpFrom(element: Element): Consequence | undefined {
  const link = linkOf(element)
  const button = ancestor(element, (above) => (isSubmit(above) && above.form !== null) || above === link?.element)
  if (button && isSubmit(button) && button.form) return { form: button.form, button }
  return link && { link: link.element, href: link.href }
}

/** Where a link leads. `forced`: what the click opens, whatever the link says. */
export function linkDestination(link: Element, href: string, forced?: 'tab' | 'download'): Destination {
  const url = parse(href, link.baseURI)
  if (!url) return {}
  // The `ping` attribute also sends a request to another site.
  const pinged = (link.getAttribute('ping') ?? '')
    .split(/\s+/)
    .flatMap((one) => (one === '' ? [] : [parse(one, link.baseURI)]))
    .find((one) => one && siteOf(one))
  const site = siteOf(url) ?? (pinged && siteOf(pinged))
  return {
    url: shown(url),
    whole: `${url.href} ${link.getAttribute('ping') ?? ''}`,
    ...(site ? { site } : {}),
    ...(link.hasAttribute('download') ? { opens: 'download' } : opens(link.getAttribute('target') ?? baseTarget(link))),
    ...(forced ? { opens: forced } : {}),
  }
}

const baseTarget = (element: Element): string | null | undefined =>
  unclobbered(element.ownerDocument).querySelector('base[target]')?.getAttribute('target')

/** Where a form leads. Read from attributes, because a field named `action` hides the property. */
export function formDestination(form: HTMLFormElement, button: Element | null): Destination {
  const declared = (name: string): string | null => button?.getAttribute(`form${name}`) ?? form.getAttribute(name)
  const method = (declared('method') ?? 'get').toUpperCase()
  if (method === 'DIALOG') return { method }
  const url = parse(declared('action') || unclobbered(form.ownerDocument).URL, unclobbered(form).baseURI)
  if (!url) return {}
  const site = siteOf(url)
  return {
    url: shown(url),
    whole: url.href,
    method: method === 'POST' ? method : 'GET',
    ...(site ? { site } : {}),
    ...opens(declared('target') ?? baseTarget(form)),
  }
}

const mostValues = 40
/** Values that the assistant has filled in elsewhere. */
const mostFilled = 100

interface Sent extends Pick<ActionPlan, 'values' | 'unseen'> {
  readonly shown: NonNullable<Preview['values']>
  readonly more: number
}

/** Characters of a value. Of a longer one the question shows the beginning and the end. */
const longestValue = 4_000
const shownValue = (value: string | boolean): string | boolean =>
  typeof value === 'boolean' || value.length <= longestValue
    ? value
    : `${value.slice(0, longestValue * 0.75)} […] ${value.slice(-longestValue * 0.2)}`

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
        ...(field.secret !== undefined || field.type === 'file' ? { private: true as const } : {}),
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
  new Set(
    fields.filter(({ secret, type }) => secret === undefined && type !== 'file').flatMap(({ members }) => members),
  )

/** What a form sends. Rich text and the controls of a library are in it, though the form does not own them. */
function sentBy({ form, button }: ActionSender, snapshot: PageSnapshot): Sent {
  const own = snapshot
    .fields()
    .filter((field) => (field.form === form || isWithin(field.element, form)) && !field.members.every(isDisabled))
  const { values, shown, more } = valuesOf(own, snapshot)
  // Only counted: hidden fields are not visible to the user.
  const hidden = [...elementsUnder(unclobbered(form.ownerDocument).documentElement)].filter(
    (one) => isTag(one, 'input') && one.type === 'hidden' && one.form === form && one.name !== '' && !one.disabled,
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

/** An action, as its plan is made from it. */
export interface PlannedAction {
  readonly does: Preview['does']
  /** How it is clicked, if not plainly. */
  readonly how?: Preview['how'] | undefined
  /** Role and name of the target. */
  readonly target?: string
  /** Role and name of what it is dragged to. */
  readonly to?: string | undefined
  readonly destination?: Destination
  /** The form that is sent. */
  readonly sender?: ActionSender | undefined
  readonly prediction: Prediction
  /** What an earlier attempt was stopped before. */
  readonly stopped?: readonly StoppedEffect[] | undefined
}

/** A field of another part of the page. */
const fieldIn = (field: string, group: string | undefined): string =>
  group === undefined ? field : `${field} (${group})`
const shownFilled = ({ field, value, group }: FilledValue): NonNullable<Preview['filled']>[number] => ({
  field,
  value: shownValue(value),
  ...(group === undefined ? {} : { group }),
})

/** The heading that a question names. A name that says nothing ("⚙", "256") has at least that of the page. */
function headingFor(
  control: Element,
  { target = '', around }: { readonly target: string | undefined; readonly around: string | undefined },
  snapshot: PageSnapshot,
): string | undefined {
  const heading = headingAround(control, snapshot)
  const [, name = ''] = /"((?:[^"\\]|\\.)*)"/.exec(target) ?? []
  return heading ?? (around === undefined && !/\p{L}/u.test(name) ? headingOfPage(snapshot) : undefined)
}

/** Creates the plan of an action. */
export function planAction(action: PlannedAction, snapshot: PageSnapshot): ActionPlan {
  const { does, how, target, to, sender, prediction, stopped } = action
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
    target,
    to,
    in: around,
    heading: control && headingFor(control, { target, around }, snapshot),
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

// When the user last changed a field. Their own changes while an approval is open are allowed.
const touched = new WeakMap<EventTarget, number>()
let isWatching = false
/** Starts to record the user's changes of fields. Idempotent. */
export function watchTyping(): void {
  if (isWatching) return
  isWatching = true
  for (const type of ['input', 'change']) {
    currentPage().addEventListener(
      type,
      (event) => {
        if (!event.isTrusted) return
        for (const target of event.composedPath()) touched.set(target, performance.now())
        const [field] = event.composedPath()
        if (isElement(field as Node)) noteEditedByUser(field as Element)
      },
      { capture: true, passive: true },
    )
  }
}

/** The plan that the user was asked about; undefined if there is none, or if they changed the arguments since. */
export const approvedPlan = ({ toolCallId, approval }: Pick<ToolRun, 'toolCallId' | 'approval'>) =>
  approval?.edited ? undefined : plans.get(toolCallId)?.plan

interface KnownPlan {
  readonly plan: ActionPlan
  readonly at: number
  /** How the action differed from an earlier question, which the next one says. */
  readonly changes?: readonly PreviewChange[]
}
const plans = new Map<string, KnownPlan>()

/** Keeps the plan for the check before the action, and returns what the approval shows. */
export function planWithPreview({ toolCallId }: Pick<ApprovalRun, 'toolCallId'>, plan: ActionPlan): ActionForecast {
  const { changes = [] } = plans.get(toolCallId) ?? {}
  plans.delete(toolCallId)
  plans.set(toolCallId, { plan, at: performance.now(), changes })
  for (const old of [...plans.keys()].slice(0, Math.max(0, plans.size - 50))) plans.delete(old)
  return {
    preview: changes.length > 0 ? { ...plan.preview, changes } : plan.preview,
    effect: plan.prediction.confirms ?? plan.prediction.effect,
    ...(plan.prediction.confirms ? { confirms: true } : {}),
    ...(mayBeHeld(plan) && leaks().length === 0 ? { isTight: true } : {}),
    ...(plan.prediction.known === undefined ? {} : { control: plan.prediction.known }),
    from: new URL(redactedUrl(location.href), location.href).href,
    hides: plan.hides,
  }
}

/**
 * Whether an action may run before anybody is asked, if all that it sends can be held: nobody knows what it does, it
 * says that it opens something, or it sends nothing that somebody has written. An address that the model has composed,
 * or a step of the history, is asked about before, and so is what the control was seen to do.
 */
function mayBeHeld({ prediction: { effect, known, announces, task }, preview }: ActionPlan): boolean {
  const { does, url, values = [], filled = [] } = preview
  if (does === 'go') return false
  if (effect === 'unknown') return true
  if (url !== undefined || task || known === undefined || seenRequest(known)) return false
  return announces === true || (effect === 'send' && [...values, ...filled].every(({ value }) => value === ''))
}

/** What a plan is made for: a check before the question, or the call itself. */
export type PlanRun = Pick<ApprovalRun, 'sessionId' | 'messages' | 'stopped' | 'effects'>

/** The call itself, with what its check knew: what an earlier attempt was stopped before. */
export const again = (run: RunLike & Pick<ToolRun, 'toolCallId'>): PlanRun => {
  const stopped = plans.get(run.toolCallId)?.plan.preview.stopped
  const { sessionId, messages, effects = [] } = run
  return { sessionId, messages, effects, ...(stopped ? { stopped } : {}) }
}

/** What sending a form leads to, for the prediction. */
export function leadOfForm(sender: ActionSender, { whole, method }: Destination): Lead {
  return { sender, method: method ?? 'GET', url: whole === undefined ? undefined : parse(whole, whole) }
}

/** What the action of a call may do. */
export function permissionOf({ permission }: Pick<ToolRun, 'permission'>, plan: ActionPlan): Permission {
  const { site } = plan.preview
  const { control, known, task, mayLose: stays } = plan.prediction
  const { by = 'rule', effect: allowed = 'view' } = permission ?? {}
  return {
    effect: allowed,
    by,
    site: by === 'rule' ? undefined : site,
    control,
    known,
    scope: by === 'task' ? task : undefined,
    ...(by === 'rule' ? { stays } : {}),
  }
}

/** That the call has done nothing by now, as a sentence. What it did before it was stopped to ask the user stays. */
export const nothingDone = ({ toolCallId }: Pick<ToolRun, 'toolCallId'>): string =>
  plans.get(toolCallId)?.plan.preview.stopped
    ? 'Nothing was done since the attempt that was stopped.'
    : 'Nothing was done.'

/** One difference of an action to the one that was checked: for the model, and for the next question. */
interface Difference {
  /** What changed, as the end of a sentence. */
  readonly how: string
  readonly shown?: PreviewChange
}

/** How an action differs from the one that was checked. What the visitor typed meanwhile is no difference. */
function differencesOf({ plan, at }: KnownPlan, now: ActionPlan, isAsked: boolean): readonly Difference[] {
  const { preview: was } = plan
  const { preview } = now
  const found: Difference[] = []
  const isOther = plan.held !== undefined && now.held !== undefined && isAnotherTarget(plan.held, now.held)
  if (now.key !== plan.key && preview.url !== was.url)
    found.push({ how: `it now ${leadsTo(now)}`, shown: { what: 'address', before: was.url, now: preview.url } })
  else if (now.key !== plan.key || isOther)
    found.push({ how: 'its target changed', shown: { what: 'target', before: was.target, now: preview.target } })
  if (isAsked && now.around !== plan.around)
    found.push({
      how: `what stands around it changed, and is now ${JSON.stringify(truncate(now.around, 120))}`,
      shown: { what: 'around', ...cutEqual(plan.around, now.around) },
    })
  // Which fields stand around a button depends on how much text does. Of a form it is known.
  const isUntold = !isAsked && was.values === undefined && preview.values === undefined
  const isTouched = (element: Element): boolean => (touched.get(element) ?? -Infinity) >= at
  for (const { members, field } of [...now.values, ...plan.values]) {
    const [before, after] = [plan, now].map(({ values }) => values.find((one) => one.field === field)?.value)
    if (before === after || members.some(isTouched) || found.some(({ shown }) => shown?.field === field)) continue
    if (isUntold && (before === undefined || after === undefined)) continue
    // As the questions show it: without private values, and not at all where they do not.
    const [said, says] = [was, preview].map((one) => shownIn(one, field))
    found.push({
      how: `the value of ${JSON.stringify(field)} changed`,
      shown: dropUndefined({ what: 'value', field, before: said, now: says }),
    })
  }
  const isInBoth = (element: Element): boolean =>
    [plan, now].every(({ unseen }) => unseen.some((one) => one.element === element))
  const hashes = ({ unseen }: ActionPlan): string =>
    unseen
      .filter(({ element }) => !isTouched(element) && (!isUntold || isInBoth(element)))
      .map(({ hash }) => hash)
      .join()
  if (hashes(now) !== hashes(plan)) found.push({ how: 'a hidden value changed', shown: { what: 'hidden' } })
  return found
}

/** A value as a question shows it. */
function shownIn({ values = [], filled = [] }: Preview, field: string): string | undefined {
  const all = [...values, ...filled.map(({ group, ...one }) => ({ ...one, field: fieldIn(one.field, group) }))]
  const found = all.find((one) => one.field === field)
  return found && found.private !== true ? truncate(String(found.value), 200) : undefined
}

/** Two texts without the words that both begin and end with, except two on each side. */
function cutEqual(before: string, now: string): { readonly before: string; readonly now: string } {
  const [old, fresh] = [before, now].map((text) => text.split(' ')) as [string[], string[]]
  let start = 0
  while (start < old.length && old[start] === fresh[start]) start++
  let end = 0
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const part = (words: string[]): string =>
    truncate(words.slice(Math.max(0, start - 2), words.length - Math.max(0, end - 2)).join(' '), 200)
  return { before: part(old), now: part(fresh) }
}

/**
 * Checks that the action is still the one that was checked. `done`: what the call has done by now, as a sentence.
 * @throws `needs-approval` if it changed while the visitor was asked, so that they are asked anew; else `unavailable`
 */
export function checkPlanUnchanged(
  { toolCallId, approval, permission }: Pick<ToolRun, 'toolCallId' | 'approval' | 'permission'>,
  now: ActionPlan,
  done?: string,
): void {
  const known = plans.get(toolCallId)
  if (!known) return
  const { plan } = known
  const text = (how: string): string =>
    `The action changed after it was checked: ${how}. ${done ?? nothingDone({ toolCallId })} ` +
    'Call the tool again if it is still needed.'
  if (approval?.edited) {
    // The user edited the arguments and has not seen a preview of the result.
    if (now.preview.site !== undefined && now.preview.site !== plan.preview.site)
      throw new ToolAgentError('unavailable', text(`it now leads to another site, ${now.preview.site}`))
    return
  }
  const differences = [...differencesOf(known, now, approval !== undefined)]
  if (permission && isAbove(now.prediction.effect, plan.prediction.effect))
    differences.push({ how: 'what it would do changed' })
  const [first] = differences
  if (first === undefined) return
  if (!approval || done !== undefined) throw new ToolAgentError('unavailable', text(first.how))
  plans.set(toolCallId, { ...known, changes: differences.flatMap(({ shown }) => shown ?? []) })
  throw new ToolAgentError('needs-approval', text(first.how), { details: { stopped: [] } })
}

const leadsTo = ({ preview }: ActionPlan): string => `leads to ${preview.url ?? 'no page'}`

/**
 * Where the action leads now that its press was sent, if the page has changed that meanwhile; else undefined. The name
 * of the target may change: a button that is called "Pause" from the press on is the button that was approved. Without
 * an approval the guard alone decides.
 */
export const turnedTo = ({ toolCallId }: Pick<ToolRun, 'toolCallId'>, was: ActionPlan, now: ActionPlan) =>
  plans.has(toolCallId) && now.lead !== was.lead ? leadsTo(now) : undefined

/** An action in another way, after an attempt that changed nothing; undefined if it is not possible any more. */
export function onceMore<T extends { readonly plan: ActionPlan }>(run: ToolRun, resolve: () => T): T | undefined {
  try {
    const action = resolve()
    checkPlanUnchanged(run, action.plan)
    return action
  } catch (error) {
    // The answer of the attempt before says what was done.
    if (error instanceof ToolAgentError) return undefined
    throw error
  }
}

/** The first submit button of the form, which Enter would press. */
export function defaultButton(form: HTMLFormElement): HTMLButtonElement | HTMLInputElement | null {
  for (const element of elementsUnder(unclobbered(form.ownerDocument).documentElement))
    if (isSubmit(element) && element.form === form && !isOffLimits(element)) return element
  return null
}

/** Calls `requestSubmit` of the prototype, because a field of this name hides the method. */
export function requestSubmit(form: HTMLFormElement, button: HTMLElement | null): void {
  viewOf(form).HTMLFormElement.prototype.requestSubmit.call(form, button)
}
