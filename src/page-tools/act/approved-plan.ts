// The plans that calls were checked with. What runs must be the action that was checked: a changed target, destination
// or value makes it another one, about which the visitor is asked anew.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionForecast, Preview, PreviewChange } from '../../core/data/action.js'
import { isAbove } from '../../core/data/effect.js'
import { dropUndefined } from '../../core/data/json.js'
import type { ApprovalRun, ToolRun } from '../../page/tools/tool.js'
import { leaks } from '../border/tightness.js'
import { currentPage, isElement } from '../dom/dom.js'
import type { RunLike } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import type { Permission } from '../effects/permission.js'
import { seenRequest } from '../effects/declared-effects.js'
import { noteEditedByUser } from '../effects/filled-values.js'
import { redactedUrl } from '../sensitive/redact.js'
import { isAnotherTarget } from './approved-target.js'
import { fieldIn, type ActionPlan, type PlanRun } from './planned-action.js'

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

/** The call itself, with what its check knew: what an earlier attempt was stopped before. */
export const again = (run: RunLike & Pick<ToolRun, 'toolCallId'>): PlanRun => {
  const stopped = plans.get(run.toolCallId)?.plan.preview.stopped
  const { sessionId, messages, effects = [] } = run
  return { sessionId, messages, effects, ...(stopped ? { stopped } : {}) }
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
  const isOther = plan.target !== undefined && now.target !== undefined && isAnotherTarget(plan.target, now.target)
  if (now.key !== plan.key && preview.url !== was.url)
    found.push({ how: `it now ${leadsTo(now)}`, shown: { what: 'address', before: was.url, now: preview.url } })
  else if (now.key !== plan.key || isOther)
    found.push({
      how: 'its target changed',
      shown: dropUndefined({
        what: 'target',
        before: was.target,
        now: preview.target,
        was: was.on,
        is: preview.on,
      }),
    })
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
