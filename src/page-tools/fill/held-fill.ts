// What a fill does when something of it waits for the user: what the model reads if they do not allow it, and a fresh
// look at the other fields if they do.
import type { DoneBefore, StoppedEffect } from '../../core/data/stopped-effect.js'
import { ancestor, currentPage, elementsUnder, isElement, isTag, isWithin, rootOf } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isDialog } from '../dom/roles.js'
import type { ActionGuard } from '../effects/action-guard.js'
import type { UserWatch } from '../hands/own-input.js'
import { until, type Patience } from '../waiting/until.js'
import type { FillAttempt } from './fill-attempt.js'

/** How far a fill is. `waiting`: the field that is put back unless the user allows what its value led to. */
export function doneBy(attempts: readonly FillAttempt[], waiting: FillAttempt | undefined): DoneBefore {
  const labels = (which: (one: FillAttempt) => boolean): string[] =>
    attempts.filter((one) => one !== waiting && which(one)).map(({ label }) => label)
  const [filled, left] = [labels(({ written }) => written), labels(({ written }) => !written)]
  return {
    ...(filled.length > 0 ? { filled } : {}),
    ...(waiting ? { putBack: waiting.label } : {}),
    ...(left.length > 0 ? { left } : {}),
  }
}

/** The field whose value led to what is held: the newest one, unless the request names others. */
export function heldField(attempts: readonly FillAttempt[], held: readonly StoppedEffect[]): FillAttempt | undefined {
  const written = attempts.filter((one) => one.written)
  const named = new Set(held.flatMap(({ values = [] }) => values.map(({ field }) => field)))
  const last = written.at(-1)
  return last && named.has(last.label) ? last : (written.findLast(({ label }) => named.has(label)) ?? last)
}

/** Waits for the answers to what was sent: the page may show another form then. */
export async function untilAnswered(guard: ActionGuard, limit: Patience, signal: AbortSignal): Promise<void> {
  await until({ done: () => !guard.isSending, ...limit, signal })
}

/** Looks again at a field that is not filled yet. What cannot be filled any more gets its problem. */
export function lookAgain(
  one: FillAttempt,
  snapshot: PageSnapshot,
  { watch, isCovered }: { readonly watch: UserWatch; readonly isCovered: (element: Element) => boolean },
): void {
  const { field, label } = one
  if (!field) return
  const now = snapshot.fields().find(({ element }) => element === field.element)
  if (now && now.label !== label) {
    const called = JSON.stringify(now.label)
    one.problem = `Not filled: the page changed meanwhile, and this field is now ${called}. Read the form again`
  } else if (field.members.some((member) => watch.touched(member)))
    one.problem = 'Skipped: the user is editing this field'
  else if (isCovered(field.element))
    one.problem = 'Not filled: something covers it now. Read the page, and use that first'
}

/** The modal dialogs that are open, whatever their role is called. */
const openModals = (): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (one) => (isTag(one, 'dialog') && one.matches(':modal')) || (isDialog(one) && one.ariaModal === 'true'),
  )

/** Whether a field is below something that came since this call. */
export function watchCovers(): (element: Element) => boolean {
  const before = new Set(openModals())
  const wasUnder = new WeakSet<Element>()
  for (const one of elementsUnder(currentPage().documentElement))
    if (isTag(one, 'input', 'select', 'textarea') && isUnderOther(one)) wasUnder.add(one)
  return (element) =>
    openModals().some((one) => !before.has(one) && !isWithin(element, one)) ||
    (isUnderOther(element) && !wasUnder.has(element))
}

/** Whether a press in its middle would reach something else. The panel is nothing of the page. */
function isUnderOther(element: Element): boolean {
  if (!element.isConnected) return false
  const { left, top, width, height } = element.getBoundingClientRect()
  const hit = rootOf(element).elementFromPoint(left + width / 2, top + height / 2)
  if (!isElement(hit) || width === 0 || hit.localName === 'tool-agent') return false
  if (isWithin(hit, element) || isWithin(element, hit)) return false
  return ancestor(hit, (above) => isTag(above, 'label')) === null
}
