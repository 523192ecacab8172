// Opens a menu, list or popover again that closed while the user decided about a click on something inside: only by the
// element that opened it, by one click, and only if this element does nothing else by markup.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { roleOf } from '../dom/accessible-name.js'
import { announced, isCollapsed, namedBy, popUpRoles } from '../dom/openers.js'
import { takeSnapshot, type PageSnapshot } from '../dom/page-snapshot.js'
import { dispatchClick } from '../hands/click.js'
import { patience, until } from '../waiting/until.js'
import { nothingDone } from './approved-plan.js'
import { findAgain, type ApprovedTarget, type PopUpPlace } from './approved-target.js'
import { consequenceOf } from './consequence.js'
import { describeTarget } from './hit-point.js'
import { checkUsable, describeControl, unavailable, type Unusable } from './resolve-target.js'

/** Why the pop-up may not be opened again; undefined if it may. */
function whyNot({ popUp, opener, openerWords }: PopUpPlace, snapshot: PageSnapshot): string | undefined {
  if (!opener.isConnected || describeControl(opener, snapshot) !== openerWords)
    return `${openerWords}, which opened it, is no longer on the page`
  const named = namedBy(opener)
  const isNamed = named.length > 0 ? !popUp.isConnected || named.includes(popUp) : announced(opener) !== ''
  if (!isNamed) return `${openerWords} does not say that it opens it`
  if (isCollapsed(opener, popUp) === false) return `${openerWords} says that something is open`
  if (consequenceOf(opener) || roleOf(opener) === 'link') return `${openerWords} does more than open it`
  try {
    checkUsable(opener, snapshot)
    describeTarget(opener, snapshot)
    return undefined
  } catch (error) {
    if (error instanceof ToolAgentError) return (error as Partial<Unusable>).problem ?? error.message
    throw error
  }
}

/** `then`: what was done about it, as the end of a sentence and one of its own. */
const closedError = (
  { target, words, place }: ApprovedTarget,
  then: string,
  snapshot: PageSnapshot,
): ToolAgentError => {
  const role = place && roleOf(place.popUp)
  const kind = role && popUpRoles.test(role) ? role : 'part of the page'
  const { opener } = place ?? {}
  const by = opener?.isConnected
    ? ` with page_click on ${describeControl(opener, snapshot)} ` +
      `[ref=${snapshot.refs.refFor(opener, snapshot.visibility)}]`
    : ''
  const item = roleOf(target) ?? 'target'
  return unavailable(
    `The ${kind} with ${words}`,
    `closed after the click was checked${then} ` +
      `Open it again${by}, and click the ${item} in the same step. If it closes again, ask the user to choose it.`,
  )
}

/**
 * Opens what held the target by one click on its opener, and waits for the target. `done` says so, as a sentence.
 * @throws `unavailable` if it must not be opened, or if the same target is not there then
 */
export async function openAgain(
  approved: ApprovedTarget,
  run: ToolRun,
): Promise<{ readonly element: Element; readonly done: string }> {
  const first = takeSnapshot(run)
  const { place } = approved
  const why = place ? whyNot(place, first) : ''
  if (!place || why !== undefined)
    throw closedError(approved, `${why ? `, and was not opened again: ${why}` : ''}. ${nothingDone(run)}`, first)
  const { turned } = await dispatchClick(describeTarget(place.opener, first), {
    signal: run.signal,
    turned: () => (consequenceOf(place.opener) ? `${place.openerWords} does more than open it` : undefined),
  })
  if (turned !== undefined)
    throw closedError(approved, `. ${place.openerWords} was pressed and not clicked: ${turned}.`, takeSnapshot(run))
  const done = `${place.openerWords} was clicked to open it again, and ${approved.words} was not clicked.`
  const element = await until({
    done() {
      const snapshot = takeSnapshot(run)
      const found = isCollapsed(place.opener, place.popUp) === true ? undefined : findAgain(approved, snapshot)
      return found && canBeClicked(found, snapshot) ? found : undefined
    },
    ...patience.openMenu,
    waitsFirst: true,
    signal: run.signal,
  })
  if (element) return { element, done }
  throw closedError(approved, `, and no longer has the same item at the same place. ${done}`, takeSnapshot(run))
}

/** Whether it is in place already: a pop-up may move or fade in. */
function canBeClicked(element: Element, snapshot: PageSnapshot): boolean {
  try {
    describeTarget(element, snapshot)
    return true
  } catch {
    return false
  }
}
