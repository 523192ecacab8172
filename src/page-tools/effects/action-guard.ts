// Guards the page while an action runs: what is more serious than what was predicted or allowed is stopped, not held.
// A navigation or a submission is cancelled, a request fails as if the device were offline, a window does not open. The
// user is asked afterwards, before one new attempt.
import { isAbove, stoppedWords, type Effect, type StoppedEffect, type TaskScope } from '../../core/data/effect.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionPermission } from '../../core/loop/action-preview.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, isTag } from '../dom/dom.js'
import { nextTask } from '../fill/input-events.js'
import { noteEffect } from './declared-effects.js'
import { isRetry, setRequestGate, watchRequests } from './page-requests.js'
import { effectOfQuery, effectOfRequest, type PageRequest } from './read-request.js'
import { shownAddress } from '../sensitive/redact-url.js'
import { siteOf } from './site.js'
import { effectOfTraversal } from './traversal.js'
import { noteSent } from './unsaved-input.js'
import { isTelemetry } from './telemetry.js'
import { isUsual } from './usual-requests.js'
import { effectOfCodeName } from './words.js'

/** Milliseconds after an input of the user in which a navigation is theirs. */
const afterInput = 1_000

/** What an action may do. */
export interface Permission extends Pick<ActionPermission, 'effect' | 'by'> {
  /** The other site that the user has approved. */
  readonly site?: string | undefined
  /** What a grant for the task covers, if it allowed the action. */
  readonly scope?: TaskScope | undefined
  /** The control that acts. */
  readonly control?: Element | undefined
}

/** A request that the page sent because of an action. */
interface SentRequest {
  readonly what: StoppedEffect
  /** 'sending' until its answer is there; undefined if it failed. */
  status: number | 'sending' | undefined
  /** Whether the page sends such requests by itself. Nothing waits for them. */
  readonly isUsual: boolean
  /** Whether it was sent while the events of the action ran, so that the action has sent it. */
  readonly isActing: boolean
}

const keyOf = ({ method, url, operation }: StoppedEffect): string => [method, url, operation].join(' ')

/** The most serious class on this site that a permission covers. */
function limitOf({ effect, by }: Permission): Effect {
  if (by === 'off') return 'destroy'
  if (effect === 'outside') return 'go'
  // The user has allowed a press whose effect nobody knows: it may send, but neither destroy nor leave the site.
  return effect === 'unknown' && by === 'user' ? 'send' : effect
}

let current: ActionGuard | undefined
/** The guard of the action that runs. Only one action runs at a time. */
export const currentGuard = (): ActionGuard | undefined => current

/** Guards the page until `end`. `roots`: all documents and shadow roots of the page. */
export function guardAction(permission: Permission, roots: readonly (Document | ShadowRoot)[]): ActionGuard {
  current = new ActionGuard(permission, roots)
  return current
}

/** Guards the page from its creation until `end`. Created by `guardAction`. */
export class ActionGuard {
  readonly #permission: Permission
  readonly #ending = new AbortController()
  readonly #stopped: StoppedEffect[] = []
  readonly #sent: SentRequest[] = []
  /** Addresses of telemetry. Nothing waits for it. */
  readonly #measured = new Set<string>()
  /** What the action has opened and not sent yet. axios opens an `XMLHttpRequest` and then waits for a cookie. */
  readonly #opened = new Set<object>()
  readonly #openGate: () => void
  /** Events that were cancelled before all listeners of the page have run. */
  readonly #held = new WeakSet<Event>()
  #isLeaving = false
  #isActing = true
  #isOnlyValue: boolean
  #lastInput = -Infinity

  /** `roots`: all documents and shadow roots of the page. */
  constructor(permission: Permission, roots: readonly (Document | ShadowRoot)[]) {
    this.#permission = permission
    this.#isOnlyValue = permission.effect === 'value'
    this.#openGate = setRequestGate({
      owns: (opened) => this.#owns(opened),
      allows: (request, opened) => this.#allowsRequest(request, opened),
      answered: (request, status) => this.#noteAnswer(request, status),
      mayOpen: (url) => this.#mayOpen(url),
      mayTraverse: (view, steps) => this.#mayTraverse(view, steps),
      maySubmit: (form) => this.#permitsSubmit(form, this.#submission(form, null)),
      ending: (event) => this.#beforeEnd(event),
      clicking: (target, event) => this.#watchHidden(target, event),
    })
    for (const root of roots) this.#watch(root)
    this.#listen(window, 'beforeunload', () => {
      this.#isLeaving = true
    })
  }

  /** Whether a navigation of the page has begun. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** What was stopped so far. */
  get stopped(): readonly StoppedEffect[] {
    return this.#stopped
  }

  /** Whether a request of the action has no answer yet, or was not even sent. */
  get isSending(): boolean {
    return this.#opened.size > 0 || this.#sent.some(({ status, isUsual }) => status === 'sending' && !isUsual)
  }

  /** The most serious class that may happen. */
  get limit(): Effect {
    return limitOf(this.#permission)
  }

  /** What the page really did, as lines for the model: `sent: POST /orders, 201`. */
  get report(): readonly string[] {
    const lines = this.#sent.map(({ what, status, isUsual }) => {
      const operation = what.operation === undefined ? '' : ` (${what.operation})`
      const answer = status === 'sending' ? 'no answer yet' : (status ?? 'failed')
      const words = this.#permission.effect === 'value' ? 'the page saved' : 'sent'
      const usual = isUsual ? ' (the page also sends this by itself)' : ''
      return `${words}: ${what.method} ${what.url}${operation}, ${answer}${usual}`
    })
    const measured = [...this.#measured].slice(0, 3).join(', ')
    return [...new Set(lines)].slice(0, 5).concat(measured === '' ? [] : `telemetry: ${measured}`)
  }

  /** Whether the action has sent something, and not only the page by itself meanwhile. */
  get hasSent(): boolean {
    return this.#sent.some(({ isUsual, isActing }) => isActing || !isUsual)
  }

  /**
   * The events of the action and what follows at once are over: later requests are reported, not stopped, unless they
   * were opened before.
   */
  async acted(): Promise<void> {
    await nextTask()
    this.#isActing = false
  }

  /**
   * What comes now may be a command instead of a value, such as an option of a palette or Enter in a chat: what the
   * page sends is not only saved.
   */
  mayRunCommand(): void {
    this.#isOnlyValue = false
  }

  /** The page has left the key to the browser: it was no command. */
  changesValue(): void {
    this.#isOnlyValue = this.#permission.effect === 'value'
  }

  /** Stops the action unless the class may happen. @throws `needs-approval` */
  require(what: StoppedEffect): void {
    if (!isAbove(what.effect, this.limit)) return
    this.#stopped.push(what)
    this.throwIfStopped()
  }

  /** @throws `needs-approval` if something was stopped */
  throwIfStopped(): void {
    if (this.#stopped.length === 0) return
    const words = this.#stopped.map(stoppedWords)
    throw new ToolAgentError(
      'needs-approval',
      `The action was stopped before its effect, because the user was not asked: it ${words.join(' and ')}. ` +
        'Nothing of that happened. What it changed on the page before stays.',
      { details: { stopped: this.#stopped as never } },
    )
  }

  /** Removes all listeners. */
  end(): void {
    this.#ending.abort()
    this.#openGate()
    if (current === this) current = undefined
  }

  /** Notes an effect. Returns whether it may happen. */
  #permits(what: StoppedEffect): boolean {
    if (this.#isPermitted(what)) return true
    this.#noteControl(what)
    if (!this.#stopped.some((one) => keyOf(one) === keyOf(what) && one.does === what.does)) this.#stopped.push(what)
    return false
  }

  #isPermitted(what: StoppedEffect): boolean {
    const { effect, site } = this.#permission
    // An allowed visit of one site is none of another. Without a site both are downloads of this one.
    if (what.effect === 'outside') return effect === 'outside' && what.site === site
    return !isAbove(what.effect, this.limit) && this.#isInScope(what)
  }

  /** A grant for the task covers one method, address and operation. */
  #isInScope({ effect, method, url = '', operation }: StoppedEffect): boolean {
    const { scope } = this.#permission
    if (effect !== 'send' || scope?.covers !== 'send') return true
    return method === scope.method && url.replace(/[?#].*/s, '') === scope.url && operation === scope.operation
  }

  #owns(opened: object): boolean {
    if (this.#isActing) this.#opened.add(opened)
    else this.#opened.delete(opened)
    return this.#isActing
  }

  /** Also called after the end, for what the action has opened. */
  #allowsRequest(request: PageRequest, opened?: object): boolean {
    const isActing = (opened !== undefined && this.#opened.delete(opened)) || this.#isActing
    const what = effectOfRequest(request, location.origin)
    if (what === undefined) return true
    if (isTelemetry(request)) {
      this.#measured.add(what.url ?? '')
      return true
    }
    if (isUsual(request)) {
      this.#sent.push({ what, status: 'sending', isUsual: true, isActing })
      return true
    }
    // What a library sends again after a stop is not the deed that was allowed now, which was sent before it.
    const isSent = this.#sent.some((one) => keyOf(one.what) === keyOf(what))
    if (!isActing && isRetry(request) && (isSent || isAbove(what.effect, this.limit))) return false
    // What the page itself saves when a value changes belongs to the change, unless it deletes or pays.
    const isSaved = this.#isOnlyValue && what.effect === 'send'
    const isAllowed = !isActing || isSaved || this.#permits(what)
    if (!isAllowed) return false
    this.#sent.push({ what, status: 'sending', isUsual: false, isActing })
    if (isActing && !isSaved) this.#noteControl(what)
    return true
  }

  /** What a control was seen to do raises its class. */
  #noteControl(what: StoppedEffect): void {
    const { control } = this.#permission
    if (control && what.effect !== 'outside') noteEffect(control, what)
  }

  #noteAnswer(request: PageRequest, status: number | undefined): void {
    const what = effectOfRequest(request, location.origin)
    const sent = what && this.#sent.find((one) => one.status === 'sending' && keyOf(one.what) === keyOf(what))
    if (sent) sent.status = status
  }

  #listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
    target.addEventListener(type, listener, { signal: this.#ending.signal })
  }

  #watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    if (view) watchRequests(view)
    // Runs after the listeners of the page, which may change the target. A `submit` in a shadow root does not leave it,
    // so every root needs a listener.
    this.#listen(view ?? root, 'submit', (event) => this.#check(event))
    if (view) this.#watchWindow(view)
  }

  /**
   * The window does not get every event, or not with its target: one that does not bubble, stays in its shadow root or
   * in a tree that is in no document, or comes out of a closed shadow root. The guard then listens where the event is
   * last seen as it is. Listeners of the page outside of a closed root run later, and may still cancel it.
   */
  #watchHidden(target: Node, event: Event | undefined): void {
    if (event?.bubbles === false) this.#listen(target, 'click', this.#onHidden)
    const root = unclobbered(target).getRootNode()
    if ('defaultView' in root) return
    this.#listen(root, 'submit', this.#onSubmit)
    if (event?.composed === false || isHidden(root)) this.#listen(root, 'click', this.#onHidden)
  }

  // One function each, so that adding it twice adds it once.
  #onHidden = (event: Event): void => this.#beforeEnd(event)
  #onSubmit = (event: Event): void => this.#check(event)

  #watchWindow(view: EventTarget): void {
    const noteInput = (event: Event): void => {
      if (event.isTrusted) this.#lastInput = performance.now()
    }
    for (const type of ['pointerdown', 'keydown'])
      view.addEventListener(type, noteInput, { capture: true, passive: true, signal: this.#ending.signal })
    for (const type of ['click', 'auxclick']) this.#listen(view, type, (event) => this.#check(event))
    const { navigation } = view as { navigation?: EventTarget }
    if (navigation)
      this.#listen(navigation, 'navigate', (event) => {
        const { destination, userInitiated, downloadRequest } = event as Event & {
          destination?: { url: string; sameDocument: boolean }
          userInitiated?: boolean
          downloadRequest?: string | null
        }
        // The presses in the panel are not seen here, and it has links, too.
        if (userInitiated) return
        const isDownload = typeof downloadRequest === 'string'
        // A router that shows another view leaves nothing.
        if (!isDownload && destination?.sameDocument === true) return
        this.#apply(event, this.#visit(destination?.url, isDownload ? 'download' : 'go'))
      })
  }

  /** Prevents what the browser would do after an event, unless it may happen. */
  #check(event: Event): void {
    this.#apply(event, this.#defaultOf(event))
  }

  /** What the browser does after a `click`, `auxclick` or `submit`: it follows a link or sends a form. */
  #defaultOf(event: Event): StoppedEffect | undefined {
    const start = (event.composedPath()[0] ?? null) as Node | null
    if (event.type === 'submit')
      return this.#submission(start as HTMLFormElement, (event as Partial<SubmitEvent>).submitter)
    const link = ancestor(start, (above) => isTag(above, 'a', 'area') && above.hasAttribute('href'))
    const { button, ctrlKey, metaKey, shiftKey, altKey } = event as MouseEvent
    // The middle button follows a link by `auxclick`; the right one does not.
    if (!link || button === 2) return undefined
    const isHeld = button === 1 || ctrlKey || metaKey || shiftKey
    const isNew = isHeld || /^_blank$/i.test(link.getAttribute('target') ?? '')
    let does: StoppedEffect['does'] = isNew ? 'open' : 'go'
    if (link.hasAttribute('download') || (altKey && !isHeld)) does = 'download'
    return this.#visit(link.getAttribute('href'), does)
  }

  /** Cancels an event whose default may not happen, unless it follows an input of the user. */
  #apply(event: Event, what: StoppedEffect | undefined): void {
    if (what === undefined || !event.cancelable || event.defaultPrevented || this.#isUsers()) return
    if (!this.#permits(what)) event.preventDefault()
    else if (what.does === 'submit') noteSent(unclobbered(event.composedPath()[0] as HTMLFormElement).elements)
  }

  /**
   * A listener of the page ends the way of an event, so that no listener of the guard runs after those of the page.
   * What may not happen is cancelled now. It counts as stopped only if the page does not cancel it as well.
   */
  #beforeEnd(event: Event): void {
    if (!/^(click|auxclick|submit)$/.test(event.type) || this.#held.has(event)) return
    if (!event.cancelable || event.defaultPrevented || this.#isUsers()) return
    const what = this.#defaultOf(event)
    if (what === undefined || this.#isPermitted(what)) return this.#apply(event, what)
    event.preventDefault()
    this.#held.add(event)
    let isPages = false
    const cancel = (): void => {
      isPages = true
    }
    Object.defineProperties(event, {
      preventDefault: { configurable: true, value: cancel },
      defaultPrevented: { configurable: true, get: () => isPages },
      returnValue: {
        configurable: true,
        get: () => !isPages,
        set: (value) => {
          if (value === false) cancel()
        },
      },
    })
    queueMicrotask(() => {
      if (!isPages) this.#permits(what)
    })
  }

  #isUsers(): boolean {
    return performance.now() - this.#lastInput < afterInput
  }

  /** Following an address; undefined if that leaves nothing. */
  #visit(address: string | null | undefined, does: StoppedEffect['does']): StoppedEffect | undefined {
    const base = currentPage().baseURI
    if (address == null || !URL.canParse(address, base)) return undefined
    const url = new URL(address, base)
    if (url.protocol === 'javascript:' || (does === 'go' && isSameDocument(url))) return undefined
    return leaving(url, does)
  }

  #mayOpen(address: string): boolean {
    const base = currentPage().baseURI
    if (address !== '' && !URL.canParse(address, base)) return true
    const url = new URL(address === '' ? 'about:blank' : address, base)
    // Where an empty window leads is not known.
    return this.#permits(address === '' ? { effect: 'unknown', does: 'open' } : leaving(url, 'open'))
  }

  #mayTraverse(view: Window, steps: number): boolean {
    const what = effectOfTraversal(view, steps)
    return what === undefined || this.#isUsers() || this.#permits(what)
  }

  #permitsSubmit(form: HTMLFormElement, what: StoppedEffect | undefined): boolean {
    const isAllowed = what === undefined || this.#permits(what)
    if (isAllowed) noteSent(unclobbered(form).elements)
    return isAllowed
  }

  /** Sending a form; undefined for one that only closes its dialog. */
  #submission(form: HTMLFormElement, submitter: Element | null | undefined): StoppedEffect | undefined {
    const declared = (name: string): string | null =>
      submitter?.getAttribute(`form${name}`) ?? Element.prototype.getAttribute.call(form, name)
    const method = (declared('method') ?? 'get').toUpperCase()
    if (method === 'DIALOG') return undefined
    const base = currentPage().baseURI
    const address = declared('action') || currentPage().URL
    const url = URL.canParse(address, base) ? new URL(address, base) : new URL(base)
    const site = siteOf(url)
    const isNamed = effectOfCodeName(url.pathname.split('/').at(-1) ?? '') === 'destroy'
    const destroys = isNamed || effectOfQuery(url) === 'destroy'
    const sends: Effect = method === 'POST' ? 'send' : 'go'
    const onSite = destroys ? 'destroy' : sends
    return {
      effect: site === undefined ? onSite : 'outside',
      does: 'submit',
      method: method === 'POST' ? method : 'GET',
      url: shownAddress(url),
      ...(site ? { site } : {}),
    }
  }
}

/** Whether an event in this root comes out without its target, or never: in no document, or in a closed shadow root. */
function isHidden(root: Node): boolean {
  const { mode, host } = root as Partial<ShadowRoot>
  if (mode === 'closed') return true
  return mode === 'open' && host ? isHidden(host.getRootNode()) : !root.isConnected
}

const isSameDocument = (url: URL): boolean => {
  const here = new URL(currentPage().URL)
  return (
    url.origin === here.origin && url.pathname === here.pathname && url.search === here.search && url.href.includes('#')
  )
}

function leaving(url: URL, does: StoppedEffect['does']): StoppedEffect {
  const site = siteOf(url)
  const isOutside = site !== undefined || does === 'download'
  return { effect: isOutside ? 'outside' : 'go', does, url: shownAddress(url), ...(site ? { site } : {}) }
}
