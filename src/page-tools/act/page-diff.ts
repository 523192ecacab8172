// Runs an action and reports what changed: URL, dialogs, announcements, new and removed items. It waits until the page
// is still, for a limited time, and reports only what is visible.
import { ToolAgentError } from '../../core/data/errors.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { ancestor, elementsUnder, frameDocument, isOffLimits, isTag, currentPage } from '../dom/dom.js'
import { waitForPageUpdates } from '../fill/input-events.js'
import type { OutlineItem } from '../read/outline.js'
import { fieldLine, outline } from '../read/outline.js'
import { redactItems, secretsHeld, takeSnapshot, redactSecrets } from '../dom/page-snapshot.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { createVisibility } from '../dom/visibility.js'
import { normalizeText, truncate } from '../dom/text.js'
import { fitting, summarized } from './change-list.js'
import { siteOf } from './planned-action.js'
import { describeControl } from './resolve-target.js'

/**
 * Milliseconds: without changes after the last one; if nothing happens; at most; at most if a navigation was requested.
 */
const waits = { still: 300, nothing: 1_000, most: 4_000, navigation: 12_000 }
const maxRemoved = 8

const live = '[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output'

/** What an action changed. */
export interface ActionEffect {
  /** The new URL, redacted, if it changed. */
  readonly url?: string
  /** Whether a change was seen, apart from the focus. False is no proof that the action had no effect. */
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
}

function captureState(run: ToolRun): PageState {
  const snapshot = takeSnapshot(run)
  const { items } = outline({
    root: currentPage().body,
    visibility: snapshot.visibility,
    refs: snapshot.refs,
    fields: snapshot.fields(),
  })
  return {
    snapshot,
    items,
    secrets: secretsHeld(snapshot.fields()),
    url: location.href,
    title: currentPage().title,
    focus: focused(),
  }
}

function focused(): Element | null {
  let element = currentPage().activeElement
  for (
    let inner = element;
    inner;
    inner = inner.shadowRoot?.activeElement ?? frameDocument(inner)?.activeElement ?? null
  )
    element = inner
  return element && (isOffLimits(element) || isTag(element, 'body', 'html')) ? null : element
}

/**
 * Runs the action, waits, and compares the page. `site` is the other site that the user has approved; a navigation to
 * any other site is blocked.
 * @throws `refused` if a navigation was blocked; the reason of the signal if the call is stopped
 */
export async function runAndCompare(
  run: ToolRun,
  site: string | undefined,
  action: () => void | Promise<void>,
): Promise<ActionEffect> {
  const before = captureState(run)
  const messages = new Set<string>()
  const known = new Set(announced())
  let changedAt: number | undefined
  let leaving = false
  const blocked: string[] = []
  const ending = new AbortController()
  const observer = new MutationObserver(() => {
    changedAt = performance.now()
    // A message may disappear before the page is still.
    for (const text of announced()) if (!known.has(text)) messages.add(text)
  })
  const listen = (target: EventTarget, type: string, listener: (event: Event) => void): void =>
    target.addEventListener(type, listener, { signal: ending.signal })
  // The user may navigate meanwhile. Navigation within a second after their input is theirs.
  let lastInput = -Infinity
  const noteInput = (event: Event): void => {
    if (event.isTrusted) lastInput = performance.now()
  }
  const guard = (event: Event, address: string | null | undefined): void => {
    if (
      !event.cancelable ||
      event.defaultPrevented ||
      address == null ||
      !URL.canParse(address, currentPage().baseURI) ||
      performance.now() - lastInput < 1_000
    )
      return
    const other = siteOf(new URL(address, currentPage().baseURI))
    if (other === undefined || other === site) return
    event.preventDefault()
    blocked.push(other)
  }
  for (const root of roots()) {
    observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true })
    const view = unclobbered(root as Partial<Document>).defaultView
    // Runs after the listeners of the page, which may change the target. A `submit` in a shadow root does not leave it,
    // so every root needs a listener.
    listen(view ?? root, 'submit', (event) => {
      const { target: form, submitter } = event as SubmitEvent & { target: Element }
      const declared = (name: string): string | null =>
        submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
      if (declared('method')?.toLowerCase() !== 'dialog') guard(event, declared('action') || currentPage().URL)
    })
    if (!view) continue
    for (const type of ['pointerdown', 'keydown'])
      view.addEventListener(type, noteInput, { capture: true, passive: true, signal: ending.signal })
    listen(view, 'click', (event) => {
      const link = ancestor(
        (event.composedPath()[0] ?? null) as Node | null,
        (above) => isTag(above, 'a', 'area') && above.hasAttribute('href'),
      )
      if (link) guard(event, link.getAttribute('href'))
    })
    const { navigation } = view as { navigation?: EventTarget }
    if (navigation)
      listen(navigation, 'navigate', (event) =>
        guard(event, (event as Event & { destination?: { url: string } }).destination?.url),
      )
  }
  listen(window, 'beforeunload', () => {
    leaving = true
  })
  try {
    await action()
    const start = performance.now()
    await waitForPageUpdates()
    for (;;) {
      run.signal.throwIfAborted()
      const now = performance.now()
      if (blocked.length > 0 || now - start >= (leaving ? waits.navigation : waits.most)) break
      const busy = leaving || currentPage().querySelector('[aria-busy=true]') !== null
      if (!busy && (changedAt === undefined ? now - start >= waits.nothing : now - changedAt >= waits.still)) break
      await new Promise((resolve) => {
        setTimeout(resolve, 50)
      })
    }
  } finally {
    ending.abort()
    observer.disconnect()
  }
  if (blocked.length > 0) {
    throw new ToolAgentError(
      'refused',
      `The action ran, but its navigation to another site (${blocked.join(', ')}) was blocked: ` +
        'the user did not approve it. Use page_navigate to ask.',
    )
  }
  return compare(before, captureState(run), messages, leaving)
}

function roots(): (Document | ShadowRoot)[] {
  return [
    document,
    ...[...elementsUnder(currentPage().documentElement)].flatMap((element) =>
      [element.shadowRoot, frameDocument(element)].filter((root) => root !== null),
    ),
  ]
}

/** The texts of all live regions now. */
function announced(): string[] {
  const visibility = createVisibility()
  return [...currentPage().querySelectorAll(live)]
    .filter((region) => !isOffLimits(region))
    .map((region) => truncate(visibility.visibleText(region, undefined, 1_000), 300))
    .filter((text) => text !== '')
}

const noEffect =
  'The action may have had no effect. If something is loading, use page_wait. ' +
  'Otherwise check the target with page_read and try another element or tool.'

const refIn = (line: string): string | undefined => /\[ref=(e\d+)\]/.exec(line)?.[1]

function compare(before: PageState, after: PageState, messages: ReadonlySet<string>, leaving: boolean): ActionEffect {
  const { snapshot } = after
  const [were, are] = [before, after].map(({ items }) => redactItems(items, snapshot.fields(), before.secrets)) as [
    OutlineItem[],
    OutlineItem[],
  ]
  const old = new Map<string, number>()
  for (const { line } of were) old.set(line, (old.get(line) ?? 0) + 1)
  const fresh = are.filter(({ line }) => {
    const left = old.get(line) ?? 0
    if (left > 0) old.set(line, left - 1)
    return left === 0
  })
  const now = new Set(fresh.map(({ line }) => refIn(line)))
  const gone = were.filter(({ line }) => {
    const left = old.get(line) ?? 0
    if (left > 0) old.set(line, left - 1)
    return left > 0 && (refIn(line) === undefined || !now.has(refIn(line)))
  })
  const lines: string[] = []
  const url = after.url === before.url ? undefined : redactedUrl(after.url)
  if (url !== undefined) lines.push(`url: ${url}`)
  if (after.title !== before.title) lines.push(`title: ${JSON.stringify(truncate(normalizeText(after.title), 200))}`)
  const isDialog = ({ line }: OutlineItem): boolean => /^- (alert)?dialog /.test(line)
  for (const { line } of gone.filter(isDialog)) lines.push(`closed: ${line.slice(2)}`)
  const shown = normalizeText(are.map(({ line }) => line).join(' '))
  for (const text of redactSecrets([...messages], snapshot.fields(), before.secrets))
    if (!shown.includes(text)) lines.push(`shown briefly: ${text}`)
  const changed = lines.length > 0 || fresh.length + gone.length > 0 || leaving
  const { focus } = after
  if (focus && focus !== before.focus && focus.isConnected) {
    const field = snapshot.fields().find(({ element }) => element === focus)
    const control = `${describeControl(focus, snapshot)} [ref=${snapshot.refs.refFor(focus, snapshot.visibility)}]`
    lines.push(`focus: ${field ? fieldLine(field, snapshot.refs, snapshot.visibility) : control}`)
  }
  if (fresh.length > 0) lines.push('new or changed:', ...fitting(summarized(fresh, are)))
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
  if (leaving)
    lines.push('A navigation was requested, but this page is still open: a download, a slow server, or a prompt.')
  if (!changed)
    lines.push(
      lines.length === 0
        ? 'No visible change. ' + noEffect
        : 'Only the focus moved. No other change was seen. ' + noEffect,
    )
  return {
    ...(url === undefined ? {} : { url }),
    changed,
    changes: redactSecrets(lines.join('\n'), snapshot.fields(), before.secrets),
  }
}
