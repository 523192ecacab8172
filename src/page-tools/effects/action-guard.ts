// Guards the page while an action runs. What is more serious than what was predicted or allowed is held, if it can be:
// the user is asked, and it is sent once, or fails. What cannot be held is stopped: a navigation or a submission is
// cancelled, a window does not open, a request fails as if the device were offline. Then the user is asked before one
// new attempt.
import {
  isAbove,
  stoppedWords,
  type DoneBefore,
  type Effect,
  type StoppedEffect,
  type TaskScope,
} from '../../core/data/effect.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionPermission } from '../../core/loop/action-preview.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, isTag } from '../dom/dom.js'
import { isDialog } from '../dom/roles.js'
import { nextTask } from '../fill/input-events.js'
import { sentValues, type FilledField } from '../border/sent-values.js'
import { holdFetch, isUnread, type FetchBorder } from '../border/held-fetch.js'
import { HeldRequests, type HoldEnd } from '../border/held-requests.js'
import { frozenBody, holdXhr, watchHeldXhr } from '../border/held-xhr.js'
import { heldNotSent, mayShowIt } from '../../core/prompt/failure-text.js'
import { noteEffect } from './declared-effects.js'
import { isRetry, noteStopped, setRequestGate } from '../border/gates.js'
import { allowDeed, isRefusedDeed, mayContainRefused, refuseDeed } from './refused-deeds.js'
import { watchRequests, type SentBy } from './page-requests.js'
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
  /** Its role, name and place before it did. */
  readonly known?: string | undefined
  /** It must not leave the page, because input would be lost. */
  readonly stays?: true | undefined
}

/** How what an action sends is held. */
export interface Border {
  /** Asks the user about it. Without it nothing is held, and what would be is stopped. */
  readonly ask?: ToolRun['ask']
  /** The fields whose values the question shows, if they are sent. */
  readonly filled?: readonly FilledField[]
  /** How far a fill is, for what the model reads if the user does not allow it. */
  readonly done?: () => DoneBefore
}

/** A request that the page sent because of an action. */
interface SentRequest {
  readonly what: StoppedEffect
  /** `sending` until its answer is there; undefined if there was none, or nobody can know it, as of a beacon. */
  status: number | 'sending' | undefined
  /** Whether the page sends such requests by itself. Nothing waits for them. */
  readonly isUsual: boolean
  /** Whether it was sent while the events of the action ran, so that the action has sent it. */
  readonly isActing: boolean
}

const addressOf = ({ method, url, operation }: StoppedEffect): string =>
  `${method} ${url}${operation === undefined ? '' : ` (${operation})`}`

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

/**
 * Guards the page until `end`. `roots`: all documents and shadow roots of the page.
 * @throws `unavailable` while another action waits for the user
 */
export function guardAction(
  permission: Permission,
  roots: readonly (Document | ShadowRoot)[],
  border?: Border,
): ActionGuard {
  if (current?.isAsking)
    throw new ToolAgentError(
      'unavailable',
      'Another action waits for the answer of the user: what it is about to send is held. Nothing was done. Call the ' +
        'tool again when that call has its result.',
    )
  current = new ActionGuard(permission, roots, border)
  return current
}

/** Guards the page from its creation until `end`. Actions are guarded by `guardAction`. */
export class ActionGuard {
  #permission: Permission
  readonly #ask: Border['ask']
  readonly #filled: readonly FilledField[]
  readonly #done: Border['done']
  /** What waits for the user. */
  readonly #held = new HeldRequests()
  #isAsking = false
  /** Something that was held was sent. From then on nothing is repeated: what is stopped is only reported. */
  #hasSentHeld = false
  #answeredAt = -Infinity
  #reading = 0
  /** Requests whose bodies are read before anything is decided. */
  #unread = 0
  readonly #ending = new AbortController()
  readonly #stopped: StoppedEffect[] = []
  readonly #sent: SentRequest[] = []
  /** Addresses of telemetry. Nothing waits for it. */
  readonly #measured = new Set<string>()
  /** What the action has opened and not sent yet. axios opens an `XMLHttpRequest` and then waits for a cookie. */
  readonly #opened = new Set<object>()
  readonly #openGate: () => void
  /** Events that were cancelled before all listeners of the page have run. */
  readonly #cancelled = new WeakSet<Event>()
  #isLeaving = false
  #isActing = true
  #isOnlyValue: boolean
  /** It runs without a question because what it sends is held. */
  readonly #isUnknown: boolean
  #lastInput = -Infinity

  /** `roots`: all documents and shadow roots of the page. */
  constructor(
    permission: Permission,
    roots: readonly (Document | ShadowRoot)[],
    { ask, filled = [], done }: Border = {},
  ) {
    this.#permission = permission
    this.#ask = ask
    this.#filled = filled
    this.#done = done
    this.#isUnknown = permission.effect === 'unknown' && permission.by === 'rule'
    this.#isOnlyValue = permission.effect === 'value'
    this.#openGate = setRequestGate({
      owns: (opened) => this.#owns(opened),
      decide: (request, by) => {
        const verdict = this.#decide(request, by)
        if (verdict === 'stop') noteStopped(request)
        return verdict
      },
      holdFetch: (request, sent) => holdFetch(request, sent, this.#border),
      holdXhr: (request, sent) => holdXhr(request, sent, this.#border),
      holdBeacon: (request, body, send) => {
        const drop = (): void => undefined
        const frozen = frozenBody(body)
        const transmit = (): void => {
          send(frozen)
          this.#border.passed(request)(undefined)
        }
        this.#border.add({ request, fail: drop, share: drop, send: transmit })
      },
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

  /** Whether the action must end, because something was stopped and may be tried once more. */
  get isStopped(): boolean {
    return this.#stopped.length > 0 && !this.#hasSentHeld
  }

  /** Whether what the action sends is held. Otherwise it is stopped. */
  get canHold(): boolean {
    return this.#ask !== undefined
  }

  /** What waits for the user. */
  get held(): readonly StoppedEffect[] {
    return this.#held.effects
  }

  /** Whether something waits for the user. */
  get isHolding(): boolean {
    return !this.#held.isEmpty
  }

  /** Whether it is not known yet if a request is held. */
  get isUndecided(): boolean {
    return this.#unread > 0
  }

  /** Whether the user is being asked. */
  get isAsking(): boolean {
    return this.#isAsking
  }

  /** When the newest answer to a request of the action came, by `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Whether the page waits for something that it reads. */
  get isReading(): boolean {
    return this.#reading > 0
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
    const lines = this.#sentLines
    const measured = [...this.#measured].slice(0, 3).join(', ')
    const gone = this.#held.givenUp.map((one) => `given up by the page: ${addressOf(one)}`)
    // What was stopped after a question cannot be asked about any more.
    const late = this.#hasSentHeld ? this.#stopped.map((one) => `refused: it ${stoppedWords(one)}. ${mayShowIt}`) : []
    return [
      ...[...new Set([...lines, ...gone, ...late])].slice(0, 6),
      ...(measured === '' ? [] : [`telemetry: ${measured}`]),
    ]
  }

  /** Where something was saved or sent to this site. */
  get saved(): readonly string[] {
    return this.#sent.flatMap(({ what, isUsual }) =>
      what.effect === 'send' && !isUsual ? [`${what.method} ${what.url}`] : [],
    )
  }

  get #sentLines(): readonly string[] {
    return this.#sent.map(({ what, status, isUsual }) => {
      const words = this.#permission.effect === 'value' ? 'the page saved' : 'sent'
      const usual = isUsual ? ' (the page also sends this by itself)' : ''
      return typeof status === 'number'
        ? `${words}: ${addressOf(what)}, ${status}${usual}`
        : `allowed and unanswered: ${addressOf(what)}${usual}`
    })
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

  /**
   * Asks about what is held, and sends it if the user allows that. What cannot be held any longer counts as stopped.
   * Rejects if the call is settled before, such as by a denial.
   */
  async settleHeld(): Promise<void> {
    const { effects } = this.#held
    this.#isAsking = true
    try {
      const allowed = await Promise.race([this.#ask!(this.#withDone(effects)), this.#held.ended()])
      if (typeof allowed === 'string') return this.#endHold(allowed, effects)
      if (allowed === undefined) return this.#endHold('given-up', effects)
      this.#hasSentHeld = true
      // Further requests of this action to this site belong to what was allowed, unless they delete, pay or leave it.
      this.#permission = {
        effect: allowed.by === 'off' ? 'destroy' : 'send',
        by: allowed.by,
        control: this.#permission.control,
        known: this.#permission.known,
      }
      this.#held.send()
    } catch (error) {
      this.#held.end('refused')
      throw error
    } finally {
      this.#isAsking = false
    }
  }

  /** Adds what the call has done by now. */
  #withDone([first, ...others]: readonly StoppedEffect[]): readonly StoppedEffect[] {
    if (first === undefined) return []
    const sent = this.#sentLines
    const refused = mayContainRefused() ? { refused: true as const } : {}
    const done = { ...this.#done?.(), ...refused, ...(sent.length > 0 ? { sent } : {}) }
    return [Object.keys(done).length > 0 ? { ...first, done } : first, ...others]
  }

  /** What was held has failed. If the visitor has done it themselves, nothing is tried again. */
  #endHold(why: HoldEnd, effects: readonly StoppedEffect[]): void {
    if (why !== 'withdrawn') return void this.#stopped.push(...effects)
    throw new ToolAgentError(
      'unavailable',
      `The user has gone on by hand where this call waited for them. ${heldNotSent}`,
    )
  }

  /** @throws `needs-approval` if something was stopped */
  throwIfStopped(): void {
    if (!this.isStopped) return
    const words = this.#stopped.map(stoppedWords)
    throw new ToolAgentError(
      'needs-approval',
      `The action was stopped before its effect, because the user was not asked: it ${words.join(' and ')}. ` +
        `Nothing of that happened. ${mayShowIt}`,
      { details: { stopped: this.#withDone(this.#stopped) as never } },
    )
  }

  /** Removes all listeners. */
  end(): void {
    this.#held.end('given-up')
    this.#ending.abort()
    this.#openGate()
    if (current === this) current = undefined
  }

  /** Notes an effect. Returns whether it may happen. */
  #permits(what: StoppedEffect): boolean {
    if (this.#isPermitted(what)) return true
    this.#noteControl(what)
    this.#noteStopped(what)
    return false
  }

  #noteStopped(what: StoppedEffect): void {
    if (!this.#stopped.some((one) => keyOf(one) === keyOf(what) && one.does === what.does)) this.#stopped.push(what)
  }

  #isPermitted(what: StoppedEffect): boolean {
    const { effect, site, stays } = this.#permission
    if (stays && what.effect === 'go' && what.does !== 'open') return false
    // An allowed visit of one site is none of another. Without a site both are downloads of this one.
    if (what.effect === 'outside') return effect === 'outside' && what.site === site
    return !isAbove(what.effect, this.limit) && this.#isInScope(what)
  }

  /** A grant for the task covers one method, address and operation. */
  #isInScope({ effect, method, url = '', operation }: StoppedEffect): boolean {
    const { scope, by } = this.#permission
    if (effect === 'send' && by === 'task' && mayContainRefused()) return false
    if (effect !== 'send' || scope?.covers !== 'send') return true
    return method === scope.method && url.replace(/[?#].*/s, '') === scope.url && operation === scope.operation
  }

  #owns(opened: object): boolean {
    if (this.#isActing) this.#opened.add(opened)
    else this.#opened.delete(opened)
    return this.#isActing
  }

  /** How this guard holds a request. */
  readonly #border: FetchBorder = {
    judge: (request) => {
      this.#unread--
      return this.#decide(request, { canWait: true })
    },
    add: (held) => {
      const plain = effectOfRequest(held.request, location.origin)!
      this.#noteControl(plain)
      const { body = '', isUnreadable } = held.request
      const what = isUnreadable ? plain : { ...plain, values: sentValues(body, this.#filled) }
      const fail = (why: HoldEnd): void => {
        // What the visitor does by hand then is no retry.
        if (why !== 'withdrawn') noteStopped(held.request)
        if (why === 'refused') refuseDeed(held.request)
        held.fail(why)
      }
      return this.#held.add({ ...held, what, fail })
    },
    passed: (request) => {
      this.#noteSent(request)
      return (status) => this.#noteAnswer(request, status)
    },
  }

  /** Also called after the end, for what the action has opened. */
  #decide(request: PageRequest, { canWait, opened, args }: SentBy): 'send' | 'stop' | 'hold' {
    const isActing = (opened !== undefined && this.#opened.delete(opened)) || this.#isActing
    const what = effectOfRequest(request, location.origin)
    const canHold = canWait && this.canHold && !this.#ending.signal.aborted
    if (what === undefined) return this.#reads(canWait)
    if (isTelemetry(request, this.#isUnknown)) {
      this.#measured.add(what.url ?? '')
      return 'send'
    }
    if (isUsual(request)) {
      this.#sent.push({ what, status: 'sending', isUsual: true, isActing })
      return 'send'
    }
    if (!isActing && this.#isVisitors()) {
      // The visitor has done what they are asked about.
      if (this.#isAsking && this.#held.has(request)) this.#held.end('withdrawn')
      return 'send'
    }
    if (canHold && args && isUnread(args)) {
      this.#unread++
      return 'hold'
    }
    // The page tries again what was refused. If the user has allowed a press, that may be meant by it.
    if (!isActing && isRefusedDeed(request)) return canHold && this.#permission.by === 'user' ? 'hold' : 'stop'
    // What a library sends again after a stop is not the deed that was allowed now, which was sent before it.
    const isSent = this.#sent.some((one) => keyOf(one.what) === keyOf(what))
    if (!isActing && isRetry(request) && (isSent || isAbove(what.effect, this.limit))) return 'stop'
    // What the page itself saves when a value changes belongs to the change, unless it deletes or pays.
    const isSaved = this.#isOnlyValue && what.effect === 'send' && !mayContainRefused()
    // What can be held belongs to the action until the page is still.
    const isInWindow = isActing || canHold
    if (isInWindow && !isSaved && !this.#isPermitted(what)) {
      if (canHold) return 'hold'
      this.#permits(what)
      return 'stop'
    }
    allowDeed(request)
    this.#sent.push({ what, status: 'sending', isUsual: false, isActing })
    if (isActing && !isSaved) this.#noteControl(what)
    return 'send'
  }

  /** A held request is sent. */
  #noteSent(request: PageRequest): void {
    const what = effectOfRequest(request, location.origin)
    allowDeed(request)
    if (what) this.#sent.push({ what, status: 'sending', isUsual: false, isActing: true })
  }

  #reads(canWait: boolean): 'send' {
    if (canWait && this.canHold) this.#reading++
    return 'send'
  }

  /** Whether a request follows an input of the visitor: in it, or soon after one while they are asked. */
  #isVisitors(): boolean {
    const { event } = window
    return (
      (event?.isTrusted === true && /^(click|pointer|mouse|key|submit|change|input)/.test(event.type)) ||
      (this.#isAsking && this.#isUsers())
    )
  }

  /** What a control was seen to do raises its class. */
  #noteControl(what: StoppedEffect): void {
    const { known } = this.#permission
    if (known !== undefined && what.effect !== 'outside') noteEffect(known, what)
  }

  #noteAnswer(request: PageRequest, status: number | undefined): void {
    this.#answeredAt = performance.now()
    const what = effectOfRequest(request, location.origin)
    if (what === undefined) this.#reading = Math.max(0, this.#reading - 1)
    const sent = what && this.#sent.find((one) => one.status === 'sending' && keyOf(one.what) === keyOf(what))
    if (sent) sent.status = status
  }

  #listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
    target.addEventListener(type, listener, { signal: this.#ending.signal })
  }

  #watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    if (view) {
      watchRequests(view)
      watchHeldXhr(view)
    }
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
      if (!event.isTrusted) return
      this.#lastInput = performance.now()
      // Who goes on by hand in the same form has answered.
      const around = this.#permission.control && aroundDeed(this.#permission.control)
      if (this.#isAsking && around && event.composedPath().includes(around)) this.#held.end('withdrawn')
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
    if (!/^(click|auxclick|submit)$/.test(event.type) || this.#cancelled.has(event)) return
    if (!event.cancelable || event.defaultPrevented || this.#isUsers()) return
    const what = this.#defaultOf(event)
    if (what === undefined || this.#isPermitted(what)) return this.#apply(event, what)
    event.preventDefault()
    this.#cancelled.add(event)
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

/** The form or dialog of a control, or the control alone. */
const aroundDeed = (control: Element): Element =>
  ancestor(control, (above) => isTag(above, 'form', 'dialog') || isDialog(above)) ?? control

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
