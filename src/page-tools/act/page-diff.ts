// Runs an action and reports what changed: URL, dialogs, announcements, focus, values, states, new and removed items.
// It waits until the page is still, for a limited time. It reports only what is visible, and what live regions say.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactEchoes } from '../sensitive/redact.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { ancestor, isElement, isTag, currentPage, parentOf } from '../dom/dom.js'
import { focusByTool, forgetFocusByTool, pageFocus } from '../dom/page-focus.js'
import { isBusy, pause, waitForPageUpdates } from '../fill/input-events.js'
import type { OutlineItem } from '../read/outline-item.js'
import { fieldLine, outline } from '../read/outline.js'
import { redactItems, secretsHeld, takeSnapshot, redactSecrets } from '../dom/page-snapshot.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { Visibility } from '../dom/visibility.js'
import { normalizeText, truncate } from '../dom/text.js'
import { fitting, summarized } from './change-list.js'
import { guardAction, type ActionGuard, type Permission } from '../effects/action-guard.js'
import { pageRoots } from '../effects/guard-fill.js'
import { forgetConfirmation, noteConfirmation, shownQuestions } from '../effects/confirmed.js'
import { listedControl } from './resolve-target.js'
import type { WatchedState } from './watched-state.js'
import { drawnChanges, spokenText, watchedChanges, watchedState } from './watched-state.js'
import { isInsidePrivate } from '../read/named-parts.js'
import { watchValue } from './watch-value.js'

/**
 * Milliseconds: without changes after the last one; if nothing happens; for the answer to what the page sent; at most;
 * at most if a navigation was requested.
 */
const waits = { still: 300, nothing: 1_000, answer: 2_000, most: 4_000, navigation: 12_000 }
const maxRemoved = 8
/** So many controls that look different are told. */
const mostDrawn = 3
/** Characters of a message that are read, so that private values in it are found, and that are told. */
const [longestMessage, toldOfMessage] = [1_000, 300]

const live = '[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output'

/** What an action changed. */
export interface ActionEffect {
  /** The new URL, redacted, if it changed. */
  readonly url?: string
  /**
   * Whether a change was seen. The focus that the action itself gives to its target is none, except by a click on a
   * text.
   * False is no proof that the action had no effect.
   */
  readonly changed: boolean
  /** The changes as lines of text, the most important first. If there is none, one sentence that says so. */
  readonly changes: string
}

interface PageState {
  readonly snapshot: PageSnapshot
  readonly items: readonly OutlineItem[]
  readonly secrets: readonly string[]
  readonly url: string
  readonly title: string
  readonly focus: Element | null
  readonly watched: WatchedState
}

/** `held`: private values of an earlier moment, which the page may show now. `control`: what the action operates. */
function captureState(run: ToolRun, control: Element | undefined, held: readonly string[] = []): PageState {
  const snapshot = takeSnapshot(run)
  const hide = redactEchoes(held)
  const { items } = outline({
    root: currentPage().body,
    visibility: snapshot.visibility,
    refs: snapshot.refs,
    fields: snapshot.fields(),
    redact: (text) => snapshot.redact(hide(text)),
  })
  return {
    snapshot,
    items,
    secrets: secretsHeld(snapshot.fields()),
    url: location.href,
    title: currentPage().title,
    focus: focused(),
    watched: watchedState(snapshot, control),
  }
}

function focused(): Element | null {
  const element = pageFocus()
  return isTag(element, 'body', 'html') ? null : element
}

/**
 * Runs the action, waits, and compares the page. What is more serious than `permission` is stopped.
 * @throws `needs-approval` if something was stopped; the reason of the signal if the call is stopped
 */
export async function runAndCompare(
  run: ToolRun,
  permission: Permission,
  action: () => void | Promise<void>,
): Promise<ActionEffect> {
  const before = captureState(run, permission.control)
  const keepValue = watchValue(permission, before.snapshot)
  forgetFocusByTool()
  const all = pageRoots()
  const messages: Messages = new Map()
  const known = new Map(regionsIn(all).map((region) => [region, announcementOf(region)?.text]))
  const saidBefore = new Set(known.values())
  let changedAt: number | undefined
  const observer = new MutationObserver((records) => {
    changedAt = performance.now()
    noteMessages(messages, { known, saidBefore, all, records })
  })
  for (const root of all)
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
  // What the user allowed may only open a question of the page.
  const mayConfirm = permission.by === 'user' && /^(send|destroy)$/.test(permission.effect)
  const questions = new Set(mayConfirm ? shownQuestions(before.snapshot.visibility) : [])
  forgetConfirmation()
  const guard = guardAction(permission, run.sessionId, all)
  try {
    await action()
    await guard.acted()
    await untilStill(run.signal, guard, () => changedAt)
  } finally {
    guard.end()
    observer.disconnect()
  }
  const after = captureState(run, permission.control, before.secrets)
  keepValue?.(after.snapshot, run)
  const compared = compare(before, after, messages, guard.isLeaving)
  if (guard.stopped.length > 0) {
    leftByStop.clear()
    leftByStop.set(run.toolCallId, changedLines(compared))
  }
  guard.throwIfStopped()
  const effect = withTwice(compared, run.toolCallId)
  if (mayConfirm && guard.report.length === 0 && !guard.isLeaving) {
    const { visibility } = after.snapshot
    const fresh = shownQuestions(visibility).filter((one) => !questions.has(one))
    noteConfirmation(fresh, { effect: permission.effect, session: run.sessionId, visibility })
  }
  return withReport(effect, guard, permission)
}

/** What the stopped attempts of calls had changed on the page, by call. */
const leftByStop = new Map<string, ReadonlyMap<string, string>>()

/** The lines that are new or changed, by their ref, or else by their words without numbers. */
const changedLines = ({ changes }: ActionEffect): Map<string, string> =>
  new Map(
    changes
      .split('\ngone:')[0]!
      .split('\n')
      .filter((line) => line.startsWith('- '))
      .map((line) => [refIn(line) ?? line.replaceAll(/\d+/g, '#'), line]),
  )

/** Says so if the page has done on the second attempt what it did before the first one was stopped. */
function withTwice(effect: ActionEffect, call: string): ActionEffect {
  const before = leftByStop.get(call)
  leftByStop.delete(call)
  const twice = [...changedLines(effect).keys()].flatMap((key) => before?.get(key) ?? [])
  if (twice.length === 0) return effect
  const note =
    'The page did this once already, before the call was stopped to ask the user, so it may have happened twice. ' +
    `Check the values and correct them. After the first time it was:\n${twice
      .slice(0, 5)
      .map((line) => truncate(line, 160))
      .join('\n')}`
  return { ...effect, changes: `${note}\n${effect.changes}` }
}

/** Adds what the page really sent, which the outline does not show. */
function withReport(effect: ActionEffect, guard: ActionGuard, { effect: allowed }: Permission): ActionEffect {
  const { report, isLeaving } = guard
  if (report.length > 0) return { ...effect, changed: true, changes: [...report, effect.changes].join('\n') }
  const isSilent = /^(send|destroy)$/.test(allowed) && !isLeaving
  return isSilent ? { ...effect, changes: `nothing was sent\n${effect.changes}` } : effect
}

/** Waits until the page is still. `changedAt`: when it changed last, on the clock of `performance`. */
async function untilStill(signal: AbortSignal, guard: ActionGuard, changedAt: () => number | undefined): Promise<void> {
  const start = performance.now()
  await waitForPageUpdates()
  for (;;) {
    signal.throwIfAborted()
    const now = performance.now()
    const { stopped, isLeaving, isSending } = guard
    if (stopped.length > 0 || now - start >= (isLeaving ? waits.navigation : waits.most)) return
    const changed = changedAt()
    const isStill = changed === undefined ? now - start >= waits.nothing : now - changed >= waits.still
    const isAnswered = !isSending || now - (changed ?? start) >= waits.answer
    if (isStill && !isLeaving && !isBusy() && isAnswered) return
    await pause(50)
  }
}

/** What live regions said, and how: `seen` on the page, `heard` with a screen reader only, or `again` as before. */
type Messages = Map<string, 'seen' | 'heard' | 'again'>
const messageWords = { seen: 'shown briefly', heard: 'announced', again: 'announced again' }

const regionsIn = (all: readonly (Document | ShadowRoot)[]): Element[] =>
  all.flatMap((root) => [...unclobbered(root).querySelectorAll(live)])

/** The text of a live region now; undefined if it has none that may be read. */
function announcementOf(
  region: Element,
  visibility = new Visibility(),
): { readonly text: string; readonly how: 'seen' | 'heard' } | undefined {
  if (visibility.isOffLimits(region) || !region.isConnected) return undefined
  const shown = visibility.visibleText(region, undefined, longestMessage)
  const text = shown || spokenText(region, visibility).slice(0, longestMessage)
  return text === '' ? undefined : { text, how: shown ? 'seen' : 'heard' }
}

/** Notes new messages at once, because they may disappear before the page is still. */
function noteMessages(
  messages: Messages,
  {
    known,
    saidBefore,
    all,
    records,
  }: {
    /** The last text of each region. */
    readonly known: Map<Element, string | undefined>
    readonly saidBefore: ReadonlySet<string | undefined>
    readonly all: readonly (Document | ShadowRoot)[]
    readonly records: readonly MutationRecord[]
  },
): void {
  const visibility = new Visibility()
  const written = new Set<Element | null>(
    records.flatMap(({ type, target, addedNodes }) =>
      type === 'characterData' || (type === 'childList' && addedNodes.length > 0)
        ? [ancestor(isElement(target) ? target : parentOf(target), (above) => above.matches(live))]
        : [],
    ),
  )
  for (const region of regionsIn(all)) {
    const message = announcementOf(region, visibility)
    if (!message) {
      if (known.has(region)) known.set(region, undefined)
      continue
    }
    const { text, how } = message
    // A region that was rendered anew says nothing new.
    if (!known.has(region) && saidBefore.has(text)) known.set(region, text)
    if (known.get(region) !== text) messages.set(text, how)
    else if (written.has(region) && !messages.has(text)) messages.set(text, 'again')
    known.set(region, text)
  }
}

const noEffect =
  'The action may have had no effect. If something is loading, use page_wait. ' +
  'Otherwise check the target with page_read and try another element or tool.'

const refIn = (line: string): string | undefined => /\[ref=(e\d+)\]/.exec(line)?.[1]

/** The line as it is compared: without what tells it from equal ones. */
const ownLine = ({ plain, line }: OutlineItem): string => plain ?? line

const withoutRefs = (item: OutlineItem): string => ownLine(item).replaceAll(/=e\d+\b/g, '=')

/**
 * Leaves out the lines that are equal but for their refs: elements that were drawn anew and are among several equal
 * ones, so that it is unknown which one is which.
 */
function withoutRedrawn(
  fresh: readonly OutlineItem[],
  gone: readonly OutlineItem[],
): { readonly fresh: OutlineItem[]; readonly gone: OutlineItem[]; readonly redrawn: number } {
  const counts = new Map<string, number>()
  const count = (line: string, by: number): void => void counts.set(line, (counts.get(line) ?? 0) + by)
  for (const item of gone) if (refIn(item.line) !== undefined) count(withoutRefs(item), 1)
  let redrawn = 0
  const paired = new Map<string, number>()
  const left = fresh.filter((item) => {
    const plain = withoutRefs(item)
    if (refIn(item.line) === undefined || (counts.get(plain) ?? 0) < 1) return true
    count(plain, -1)
    paired.set(plain, (paired.get(plain) ?? 0) + 1)
    redrawn++
    return false
  })
  const others = gone.filter((item) => {
    const plain = withoutRefs(item)
    const pairs = refIn(item.line) === undefined ? 0 : (paired.get(plain) ?? 0)
    if (pairs > 0) paired.set(plain, pairs - 1)
    return pairs === 0
  })
  return { fresh: left, gone: others, redrawn }
}

/**
 * Describes the difference of two states. Lines are compared as a multiset: of equal lines, as many stay as there were
 * before, and only the others are new or gone. A line whose reference is still listed has changed, so it is not
 * reported as gone.
 *
 * Both states are redacted with the private values of both, because a value that was typed before may be shown now.
 */
function compare(before: PageState, after: PageState, messages: Messages, leaving: boolean): ActionEffect {
  const { snapshot } = after
  const [were, are] = [before, after].map(({ items }) => redactItems(items, snapshot.fields(), before.secrets)) as [
    OutlineItem[],
    OutlineItem[],
  ]
  // How many of the old lines have no equal new line yet. What is left at the end is gone.
  const unmatched = new Map<string, number>()
  for (const item of were) unmatched.set(ownLine(item), (unmatched.get(ownLine(item)) ?? 0) + 1)
  const take = (item: OutlineItem): boolean => {
    const line = ownLine(item)
    const count = unmatched.get(line) ?? 0
    if (count > 0) unmatched.set(line, count - 1)
    return count > 0
  }
  const unlike = are.filter((item) => !take(item))
  const freshRefs = new Set(unlike.map(({ line }) => refIn(line)))
  const missing = were.filter((item) => {
    const ref = refIn(item.line)
    return take(item) && (ref === undefined || !freshRefs.has(ref))
  })
  const { fresh, gone, redrawn } = withoutRedrawn(unlike, missing)
  const lines: string[] = []
  const url = after.url === before.url ? undefined : redactedUrl(after.url)
  if (url !== undefined) lines.push(`url: ${url}`)
  if (after.title !== before.title) lines.push(`title: ${JSON.stringify(truncate(normalizeText(after.title), 200))}`)
  const isDialog = ({ line }: OutlineItem): boolean => /^- (alert)?dialog /.test(line)
  for (const { line } of gone.filter(isDialog)) lines.push(`closed: ${line.slice(2)}`)
  const shown = normalizeText(are.map(({ line }) => line).join(' '))
  const hide = (text: string): string => redactSecrets(text, snapshot.fields(), before.secrets)
  for (const [said, how] of messages) {
    const text = truncate(hide(said), toldOfMessage)
    if (how !== 'seen' || !shown.includes(text)) lines.push(`${messageWords[how]}: ${text}`)
  }
  const nameOf = (element: Element): string => listedControl(element, snapshot)
  const watched = watchedChanges(before.watched, after.watched, nameOf)
  const refOf = (element: Element): string => snapshot.refs.refFor(element, snapshot.visibility)
  // What the outline tells of a control needs no second line.
  const drawn = drawnChanges(before.watched, after.watched)
    .filter(({ element }) => !freshRefs.has(refOf(element)))
    .slice(0, mostDrawn)
    .map(({ element, words }) => `look of ${nameOf(element)}: ${words}`)
  lines.push(...[...watched.lines, ...drawn].map((line) => truncate(hide(line), 300)))
  const told = new Set(watched.bars.map(refOf))
  const { focus } = after
  const changed =
    lines.length > 0 ||
    fresh.length + gone.length > 0 ||
    leaving ||
    (focus !== null && focus !== before.focus && focus !== focusByTool())
  if (focus?.isConnected && !isInsidePrivate(focus, snapshot)) {
    const field = snapshot.fields().find(({ element }) => element === focus)
    const isMoved = focus !== before.focus && field !== undefined
    lines.push(`focus: ${isMoved ? fieldLine(field, snapshot.refs, snapshot.visibility) : nameOf(focus)}`)
  }
  const listed = fresh.filter(({ line }) => !told.has(refIn(line) ?? ''))
  if (listed.length > 0) lines.push('new or changed:', ...fitting(summarized(listed, are)))
  const others = summarized(
    gone.filter((item) => !isDialog(item)),
    were,
  )
  if (others.length > 0)
    lines.push(
      'gone:',
      ...others.slice(0, maxRemoved).map(({ line }) => truncate(line, 160)),
      ...(others.length > maxRemoved ? [`(and ${others.length - maxRemoved} more)`] : []),
    )
  if (redrawn > 0)
    lines.push(
      `(the page has drawn ${redrawn} ${redrawn === 1 ? 'element' : 'elements'} anew, with new refs: page_read)`,
    )
  if (leaving)
    lines.push('A navigation was requested, but this page is still open: a download, a slow server, or a prompt.')
  if (!changed)
    lines.push(
      (focus && focus !== before.focus ? 'Only the focus moved. No other change was seen. ' : 'No visible change. ') +
        noEffect,
    )
  return {
    ...(url === undefined ? {} : { url }),
    changed,
    changes: redactSecrets(lines.join('\n'), snapshot.fields(), before.secrets),
  }
}
