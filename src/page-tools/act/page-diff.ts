// Runs an action and reports what changed: URL, dialogs, announcements, focus, values, states, new and removed items.
// It waits until the page is still, for a limited time. It reports only what is visible, and what live regions say.
import type { ToolRun } from '../../page/tools/tool.js'
import { redactEchoes, redactedUrl } from '../sensitive/redact.js'
import { currentPage, elementsUnder, frameDocument, isElement, isTag, pageRoots } from '../dom/dom.js'
import { noteOpened } from '../dom/openers.js'
import { focusByTool, forgetFocusByTool, pageFocus } from '../dom/page-focus.js'
import { has, type Line, refIn, roleIn, textOf, withBlankRefs, without } from '../read/line.js'
import { itemText, type OutlineItem } from '../read/outline-item.js'
import { fieldLine, outline } from '../read/outline.js'
import { nameOfControl, surroundings } from '../read/places.js'
import { redactItems, secretsHeld, takeSnapshot, redactSecrets } from '../dom/page-snapshot.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { Visibility } from '../dom/visibility.js'
import { normalizeText, truncate } from '../dom/text.js'
import { fitting, type ListItem, summarized, toldText } from './change-list.js'
import { noteAllowed, watchDialogs } from '../effects/page-confirmations.js'
import { noteDecided, watchFilled } from '../effects/filled-values.js'
import { guardAction, type ActionGuard } from '../effects/action-guard.js'
import type { Permission } from '../effects/permission.js'
import { filledFields } from '../border/sent-values.js'
import { approvedPlan } from './approved-plan.js'
import { listedControl } from './resolve-target.js'
import { type WatchedState, drawnChanges, watchedChanges, watchedState, watchValue } from './watched-state.js'
import { Announcements, type Said } from './announcements.js'
import { PageWatch } from './stillness.js'
import { isInsidePrivate } from '../read/named-parts.js'

const maxRemoved = 8
/** So many controls that look different are told. */
const mostDrawn = 3
/** Characters of a message that are told. */
const toldOfMessage = 300
/** What an action changed. */
export interface ObservedChange {
  /** The new URL, redacted, if it changed. */
  readonly url?: string
  /**
   * Whether a change was seen. The focus that the action itself gives to its target is none, except by a click on a
   * text.
   * False is no proof that the action had no effect.
   */
  readonly changed: boolean
  /** Set if all that was seen is a dialog that opened, and nothing was sent: the next step is in the dialog. */
  readonly onlyOpened?: true
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

/** `control`: what the action operates. `before`: an earlier moment, whose private values the page may show now. */
function captureState(run: ToolRun, control: Element | undefined, before?: PageState): PageState {
  const snapshot = takeSnapshot(run)
  const hide = redactEchoes(before?.secrets ?? [])
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
    watched: watchedState(snapshot, control, before?.watched),
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
): Promise<ObservedChange> {
  const before = captureState(run, permission.control)
  const keepValue = watchValue(permission, before.snapshot)
  const noteValues = permission.effect === 'value' ? watchFilled(before.snapshot) : undefined
  forgetFocusByTool()
  const all = pageRoots()
  const announcements = new Announcements(all)
  const added = new Set<Node>()
  const watch = new PageWatch(all, (records) => {
    announcements.note(records)
    for (const { addedNodes } of records) for (const node of addedNodes) added.add(node)
  })
  const { control } = permission
  const around = control ? surroundings(control, before.snapshot.visibility) : []
  const noteDialogs = watchDialogs(all, permission.effect)
  const guard = guardAction(permission, all, {
    ...(run.hold ? { ask: run.hold } : {}),
    filled: filledFields(before.snapshot),
  })
  try {
    await action()
    await guard.acted()
    await watch.untilStill(run.signal, guard)
    // What the page sends because of the answers is asked about, too. The host ends the call after three questions.
    while (guard.isHolding && !guard.isStopped) {
      await guard.settleHeld()
      await watch.untilStill(run.signal, guard)
    }
    noteDialogs()
  } finally {
    guard.end()
    watch.end()
  }
  const after = captureState(run, permission.control, before)
  keepValue?.(after.snapshot, run, guard.saved)
  if (control) noteOpened(control, { listed: listedSince(before, after), added, around }, after.snapshot.visibility)
  const { isLeaving, hasSent } = guard
  const { observed, changed } = compare(before, after, {
    said: announcements.said,
    isLeaving,
    hasSent,
    isMoving: watch.isMoving,
  })
  if (guard.isStopped) {
    leftByStop.clear()
    leftByStop.set(run.toolCallId, changed)
  }
  guard.throwIfStopped()
  if (run.approval) noteDecision(run, permission, hasSent || isLeaving, before)
  noteValues?.(after.snapshot)
  return withReport(withTwice(observed, changed, run.toolCallId), guard, permission)
}

/** What the visitor has read in the question is known from now on, and the page may ask whether they mean it. */
function noteDecision(
  run: ToolRun,
  { control, effect, by }: Permission,
  isDone: boolean,
  { snapshot }: PageState,
): void {
  const plan = approvedPlan(run)
  noteDecided(plan?.filled ?? [])
  if (!plan || !control || isDone || by !== 'user' || !/^(send|destroy)$/.test(effect)) return
  const { in: place, heading = '', values = [] } = plan.preview
  const name = nameOfControl(control, snapshot.visibility)
  noteAllowed({
    control,
    effect,
    name,
    place,
    said: [heading, plan.around, ...values.map(({ value }) => String(value))],
  })
}

/** What the stopped attempts of calls had changed on the page, by call. */
const leftByStop = new Map<string, ReadonlyMap<string, string>>()

/** The outer lines that are new, changed or moved, by their ref, or else by their words without numbers. */
function changedLines(...lists: readonly (readonly ListItem[])[]): Map<string, string> {
  const outer = lists.flatMap((items) => {
    const least = Math.min(...items.map(({ depth }) => depth))
    return items.filter(({ depth, isNote }) => depth === least && !isNote)
  })
  return new Map(outer.map((item) => [refIn(item.line) ?? itemText(item).replaceAll(/\d+/g, '#'), itemText(item)]))
}

/** Says so if the page has done on the second attempt what it did before the first one was stopped. */
function withTwice(observed: ObservedChange, changed: ReadonlyMap<string, string>, call: string): ObservedChange {
  const before = leftByStop.get(call)
  leftByStop.delete(call)
  const twice = [...changed.keys()].flatMap((key) => before?.get(key) ?? [])
  if (twice.length === 0) return observed
  const note =
    'The page did this once already, before the call was stopped to ask the user, so it may have happened twice. ' +
    `Check the values and correct them. After the first time it was:\n${twice
      .slice(0, 5)
      .map((line) => truncate(line, 160))
      .join('\n')}`
  return { ...observed, changes: `${note}\n${observed.changes}` }
}

/** Adds what the page really sent, which the outline does not show. */
function withReport(observed: ObservedChange, guard: ActionGuard, { effect: allowed }: Permission): ObservedChange {
  const { report, isLeaving, hasSent } = guard
  const isSilent = report.length === 0 && /^(send|destroy)$/.test(allowed) && !isLeaving
  const lines = isSilent ? ['nothing was sent'] : report
  return { ...observed, changed: observed.changed || hasSent, changes: [...lines, observed.changes].join('\n') }
}

const noEffect =
  'The action may have had no effect. If something is loading, use page_wait. ' +
  'Otherwise check the target with page_read and try another element or tool.'

const messageWords = {
  seen: 'shown briefly',
  'shown-again': 'shown briefly',
  heard: 'announced',
  again: 'announced again',
}

/** The line as it is compared: without what tells it from equal ones, which changes with these. */
const ownLine = ({ line }: OutlineItem): Line => without(line, 'place')

const ownText = (item: OutlineItem): string => textOf(ownLine(item))

/** The elements that are listed now and were not before. */
function listedSince(before: PageState, { items, snapshot: { refs, visibility } }: PageState): Element[] {
  const known = new Set(before.items.map(({ line }) => refIn(line)))
  const fresh = items.flatMap(({ line }) => refIn(line) ?? []).filter((ref) => !known.has(ref))
  return fresh.flatMap((ref) => refs.find(ref, visibility) ?? [])
}

const withoutRefs = (item: OutlineItem): string => withBlankRefs(ownLine(item))

/**
 * Leaves out the lines that are equal but for their refs: elements that were drawn anew and are among several equal
 * ones, so that it is unknown which one is which. Those in the same place are paired before the others, so that what is
 * left is in the place that changed.
 */
function withoutRedrawn(
  fresh: readonly OutlineItem[],
  gone: readonly OutlineItem[],
): { readonly fresh: readonly OutlineItem[]; readonly gone: readonly OutlineItem[]; readonly redrawn: number } {
  const near = withoutPairs(fresh, gone, withPlace)
  const rest = withoutPairs(near.fresh, near.gone, withoutRefs)
  return { ...rest, redrawn: fresh.length - rest.fresh.length }
}

const withPlace = ({ line }: OutlineItem): string => withBlankRefs(line)

/**
 * The lines between the first and the last one whose place among the others has changed, in their new order. Only lines
 * that both states have once are compared: of equal ones, nobody knows which is which.
 */
function movedItems(were: readonly OutlineItem[], are: readonly OutlineItem[]): readonly OutlineItem[] {
  const [placesBefore, placesNow] = [were, are].map((items) => {
    const places = new Map<string, OutlineItem | undefined>()
    for (const item of items) places.set(withPlace(item), places.has(withPlace(item)) ? undefined : item)
    return places
  }) as [Map<string, OutlineItem | undefined>, Map<string, OutlineItem | undefined>]
  const inBoth = (items: readonly OutlineItem[]): OutlineItem[] =>
    items.filter((item) => placesBefore.get(withPlace(item)) && placesNow.get(withPlace(item)))
  const [old, now] = [inBoth(were), inBoth(are)]
  const isElsewhere = (item: OutlineItem, index: number): boolean => withPlace(item) !== withPlace(old[index]!)
  return now.slice(now.findIndex(isElsewhere), now.findLastIndex(isElsewhere) + 1)
}

/** Leaves out the lines with refs that are equal in the form `as`, as many on both sides. */
function withoutPairs(
  fresh: readonly OutlineItem[],
  gone: readonly OutlineItem[],
  as: (item: OutlineItem) => string,
): { readonly fresh: readonly OutlineItem[]; readonly gone: readonly OutlineItem[] } {
  const withRefs = (items: readonly OutlineItem[]): OutlineItem[] =>
    items.filter(({ line }) => refIn(line) !== undefined)
  const others = new Map<string, OutlineItem[]>()
  for (const item of withRefs(gone)) others.set(as(item), [...(others.get(as(item)) ?? []), item])
  const paired = new Set<OutlineItem>()
  for (const item of withRefs(fresh)) {
    const other = others.get(as(item))?.shift()
    if (other) paired.add(item).add(other)
  }
  const left = (items: readonly OutlineItem[]): OutlineItem[] => items.filter((item) => !paired.has(item))
  return { fresh: left(fresh), gone: left(gone) }
}

/** Roles of controls that look different while their dialog is open. */
const opensDialogs = /^(button|link|menuitem|tab)$/

/** The difference of two states. */
interface Compared {
  readonly observed: ObservedChange
  /** The lines that the page has made or changed. */
  readonly changed: ReadonlyMap<string, string>
}

/** What was observed between two states. */
interface Observed {
  /** What live regions said. */
  readonly said: ReadonlyMap<string, Said>
  readonly isLeaving: boolean
  /** Whether the action has sent something, which then is its effect. */
  readonly hasSent: boolean
  /** Whether something that the action set in motion still moves. */
  readonly isMoving: boolean
}

/** So many parts that cannot be read are named. */
const mostUnread = 3

/** Names what a person sees and no tool can read, where the effect may be; '' if there is nothing of the kind. */
function unreadNote({ visibility }: PageSnapshot): string {
  const found = new Set<string>()
  for (const element of elementsUnder(currentPage().body, visibility.children))
    if (isUnreadable(element, visibility)) found.add(`<${element.localName}>`)
  const names = [...found].slice(0, mostUnread).join(', ')
  return names && ` What ${names} shows cannot be read: the effect may be there.`
}

/** Whether its contents are those of another site, or of a closed shadow root, which has no other sign than its box. */
function isUnreadable(element: Element, visibility: Visibility): boolean {
  if (isTag(element, 'iframe')) return frameDocument(element) === null && visibility.isShown(element)
  if (!element.localName.includes('-') || element.shadowRoot || !visibility.isShown(element)) return false
  const children = visibility.children(element)
  return !children.some((one) => (isElement(one) ? visibility.hasBox(one) : visibility.isTextVisible(one)))
}

/**
 * Describes the difference of two states. Lines are compared as a multiset: of equal lines, as many stay as there were
 * before, and only the others are new or gone. A line whose reference is still listed has changed, so it is not
 * reported as gone.
 *
 * Both states are redacted with the private values of both, because a value that was typed before may be shown now.
 */
function compare(before: PageState, after: PageState, { said, isLeaving, hasSent, isMoving }: Observed): Compared {
  const { snapshot } = after
  const [were, are] = [before, after].map(({ items }) => redactItems(items, snapshot.fields(), before.secrets)) as [
    OutlineItem[],
    OutlineItem[],
  ]
  // How many of the old lines have no equal new line yet. What is left at the end is gone.
  const unmatched = new Map<string, number>()
  for (const item of were) unmatched.set(ownText(item), (unmatched.get(ownText(item)) ?? 0) + 1)
  const take = (item: OutlineItem): boolean => {
    const line = ownText(item)
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
  // A line with a ref that was listed before is the same element with other words, and not one that is drawn anew.
  const knownRefs = new Set(were.map(({ line }) => refIn(line)))
  const isKnown = ({ line }: OutlineItem): boolean => refIn(line) !== undefined && knownRefs.has(refIn(line))
  const rest = withoutRedrawn(
    unlike.filter((item) => !isKnown(item)),
    missing,
  )
  const { gone, redrawn } = rest
  const left = new Set(rest.fresh)
  const fresh = unlike.filter((item) => isKnown(item) || left.has(item))
  const lines: string[] = []
  const url = after.url === before.url ? undefined : redactedUrl(after.url)
  if (url !== undefined) lines.push(`url: ${url}`)
  if (after.title !== before.title) lines.push(`title: ${JSON.stringify(truncate(normalizeText(after.title), 200))}`)
  const isDialog = ({ line }: OutlineItem): boolean => /^(alert)?dialog$/.test(roleIn(line) ?? '')
  for (const { line } of gone.filter(isDialog)) lines.push(`closed: ${textOf(line)}`)
  const shown = normalizeText(are.map(itemText).join(' '))
  const hide = (text: string): string => redactSecrets(text, snapshot.fields(), before.secrets)
  const repeated: string[] = []
  for (const [message, how] of said) {
    const text = truncate(hide(message), toldOfMessage)
    const isShown = shown.includes(text)
    if (how === 'drawn-again') repeated.push(`shown again: ${text}`)
    else if (how === 'shown-again' && isShown) lines.push(`shown again: ${text}`)
    else if (how === 'heard' || how === 'again' || !isShown) lines.push(`${messageWords[how]}: ${text}`)
  }
  const nameOf = (element: Element): string => listedControl(element, snapshot)
  const watched = watchedChanges(before.watched, after.watched, nameOf)
  const refOf = (element: Element): string => snapshot.refs.refFor(element, snapshot.visibility)
  // What the outline tells of a control needs no second line, unless a line only lost that it looks chosen.
  const isChosen = ({ line }: OutlineItem): boolean => has(line, 'look')
  const wereChosen = new Set(unlike.some(isChosen) ? [] : were.filter(isChosen).map(({ line }) => refIn(line)))
  const drawn = drawnChanges(before.watched, after.watched)
    .filter(({ element }) => !freshRefs.has(refOf(element)) || wereChosen.has(refOf(element)))
    .slice(0, mostDrawn)
    .map(({ element, words }) => `look of ${nameOf(element)}: ${words}`)
  lines.push(...[...watched.lines, ...drawn].map((line) => truncate(hide(line), 300)))
  const told = new Set(watched.bars.map(refOf))
  const { focus } = after
  const isFocusMoved = focus !== null && focus !== before.focus && focus !== focusByTool()
  // What a page draws anew at every change is told only where nothing else is.
  if (lines.length + fresh.length + gone.length === 0) lines.push(...repeated)
  const moved = movedItems(were, are)
  const changed = lines.length + fresh.length + gone.length + moved.length > 0 || isLeaving || isMoving || isFocusMoved
  const isOnlyDialog =
    fresh.some((item) => isDialog(item) && !isKnown(item)) &&
    fresh.every((item) => !isKnown(item) || opensDialogs.test(roleIn(item.line) ?? '')) &&
    url === undefined &&
    said.size === 0 &&
    !hasSent &&
    !isLeaving
  // After a dialog has closed, the focus may be on what nobody sees.
  if (focus?.isConnected && snapshot.visibility.hasBox(focus) && !isInsidePrivate(focus, snapshot)) {
    const field = snapshot.fields().find(({ element }) => element === focus)
    const isMoved = focus !== before.focus && field !== undefined
    lines.push(`focus: ${isMoved ? textOf(fieldLine(field, snapshot)) : nameOf(focus)}`)
  }
  const listed = summarized(
    fresh.filter(({ line }) => !told.has(refIn(line) ?? '')),
    are,
  )
  const reordered = summarized(moved, are)
  if (listed.length > 0) lines.push('new or changed:', ...fitting(listed))
  if (reordered.length > 0) lines.push('now in this order:', ...fitting(reordered))
  const others = summarized(
    gone.filter((item) => !isDialog(item)),
    were,
  )
  if (others.length > 0)
    lines.push(
      'gone:',
      ...others.slice(0, maxRemoved).map((item) => truncate(toldText(item), 160)),
      ...(others.length > maxRemoved ? [`(and ${others.length - maxRemoved} more)`] : []),
    )
  if (redrawn > 0)
    lines.push(
      `(the page has drawn ${redrawn} ${redrawn === 1 ? 'element' : 'elements'} anew, with new refs: page_read)`,
    )
  if (isMoving) lines.push('(something is still moving on the page: page_read)')
  if (isLeaving)
    lines.push('A navigation was requested, but this page is still open: a download, a slow server, or a prompt.')
  if (!changed) {
    const what =
      focus && focus !== before.focus ? 'Only the focus moved. No other change was seen.' : 'No visible change.'
    lines.push(`${what}${hasSent ? '' : ` ${noEffect}`}${unreadNote(snapshot)}`)
  }
  const observed: ObservedChange = {
    ...(url === undefined ? {} : { url }),
    changed,
    ...(isOnlyDialog ? { onlyOpened: true } : {}),
    changes: redactSecrets(lines.join('\n'), snapshot.fields(), before.secrets),
  }
  return { observed, changed: changedLines(listed, reordered) }
}
