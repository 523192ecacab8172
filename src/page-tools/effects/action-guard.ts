// Guards the page while an action runs. What is more serious than what was predicted or allowed is held, if it can be:
// the user is asked, and it is sent once, or fails. What cannot be held is stopped: a navigation or a submission is
// cancelled, a window does not open, a request fails as if the device were offline. Then the user is asked before one
// new attempt.
import { isAbove, type Effect, type TaskScope } from '../../core/data/effect.js'
import { stoppedWords, type DoneBefore, type StoppedEffect } from '../../core/data/stopped-effect.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { ActionPermission } from '../../core/data/action.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isTag, pageRoots } from '../dom/dom.js'
import { isDialog } from '../dom/roles.js'
import { nextTask } from '../waiting/until.js'
import { sentValues, type FilledField } from '../border/sent-values.js'
import { holdBeacon, holdFrame } from '../border/held-messages.js'
import { holdFetch, type FetchBorder } from '../border/held-fetch.js'
import { isUnread } from '../border/read-body.js'
import { HeldRequests, type HeldRequest, type HoldEnd } from '../border/held-requests.js'
import { watchBlobs } from '../border/held-navigation.js'
import { LeavingEvents } from '../border/leaving-events.js'
import { isWithoutHandle, openingOf, standIn, type Opening } from '../border/held-window.js'
import { submissionOf } from '../border/read-departure.js'
import type { Departure } from '../border/departure.js'
import { holdXhr, watchHeldXhr, type XhrBorder } from '../border/held-xhr.js'
import { heldNotSent, mayShowIt } from '../../core/prompt/failure-text.js'
import { forgetAllowed } from './page-confirmations.js'
import { noteEffect } from './declared-effects.js'
import { isRetry, noteStopped, setRequestGate } from '../border/gates.js'
import { allowDeed, isRefusedDeed, mayContainRefused, refuseDeed } from './refused-deeds.js'
import { frameMethod, noteChannel, watchRequests, type SentBy } from './page-requests.js'
import { effectOfRequest, type PageRequest } from './read-request.js'
import { traversalOf } from './traversal.js'
import { noteSent } from './unsaved-input.js'
import { isTelemetry, isUsual } from './telemetry.js'

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
  /** 'sending' until its answer is there; undefined if it failed; 'unknown' if the page gets no answer. */
  status: number | 'sending' | 'unknown' | undefined
  /** Whether the page sends such requests by itself. Nothing waits for them. */
  readonly isUsual: boolean
  /** Whether it was sent while the events of the action ran, so that the action has sent it. */
  readonly isActing: boolean
}

const nothing = (): void => undefined
/** What is to be known of a request that is sent now. */
const newStatus = ({ isUnanswered, method }: PageRequest): 'sending' | 'unknown' =>
  isUnanswered || method === frameMethod ? 'unknown' : 'sending'

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
  forgetAllowed()
  current = new ActionGuard(permission, roots, border)
  return current
}

/**
 * Guards the page while fields are filled, which may change values. Everything else that this leads to is held, or
 * stopped. The caller must end it. Without `border` nothing is held.
 */
export function guardFill({ permission }: Pick<ToolRun, 'permission'>, border?: Border): ActionGuard {
  const allowed: Effect = permission && isAbove(permission.effect, 'value') ? permission.effect : 'value'
  // A fill is predicted on this site. Another one is that which an earlier attempt was stopped before.
  const site = permission?.stopped?.find((one) => one.site !== undefined)?.site
  return guardAction({ effect: allowed, by: permission?.by ?? 'rule', site }, pageRoots(), border)
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
  readonly #leaving = new LeavingEvents(this.#ending.signal, {
    isPermitted: (what) => this.#isPermitted(what),
    passed: (departure) => this.#notePassed(departure),
    refused: (departure) => this.#refuse(departure),
    isUsers: () => this.#isUsers(),
  })
  #isLeaving = false
  /** What the user has allowed is done now. */
  #isRedoing = false
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
      holdFetch: (request, sent) => holdFetch(request, sent, this.#readingBorder()),
      holdXhr: (request, sent) => holdXhr(request, sent, this.#border),
      holdBeacon: (request, sent) => holdBeacon(request, sent, this.#readingBorder()),
      holdFrame: (request, sent) => holdFrame(request, sent, this.#border),
      answered: (request, status) => this.#noteAnswer(request, status),
      opening: (url, how) => this.#onOpening(openingOf(url, how), how),
      mayTraverse: (view, steps) => this.#isUsers() || this.#mayLeave(traversalOf(view, steps)),
      maySubmit: (form) => this.#mayLeave(submissionOf(form)),
      ending: (event) => this.#leaving.beforeEnd(event),
      clicking: (target, event) => this.#leaving.watchHidden(target, event),
    })
    for (const root of roots) this.#watch(root)
    const noteLeaving = (): void => {
      this.#isLeaving = true
    }
    window.addEventListener('beforeunload', noteLeaving, { signal: this.#ending.signal })
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
      if (what.does === 'download') return `download: ${what.url}`
      if (what.does === 'open')
        return status === undefined
          ? `not opened, because the browser opens a window only after a press: give the user the link ${what.url}`
          : `opened in a new tab: ${what.url}`
      const isSaved = this.#permission.effect === 'value' && what.effect === 'send'
      const words = isSaved ? 'the page saved' : 'sent'
      const usual = isUsual ? ' (the page also sends this by itself)' : ''
      if (status === 'unknown') return `${words}: ${addressOf(what)}, whether it arrived is not known${usual}`
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
      this.#allow(effects, allowed.by)
      this.#held.send((what) => effects.includes(what) || this.#isPermitted(what))
    } catch (error) {
      this.#held.end('refused')
      throw error
    } finally {
      this.#isAsking = false
    }
  }

  /**
   * Further requests of this action to this site belong to what was allowed, unless they delete, pay or leave it. A
   * visit alone allows none.
   */
  #allow(effects: readonly StoppedEffect[], by: ActionPermission['by']): void {
    const { stays: _left, ...permission } = this.#permission
    const { control, known } = permission
    const isSend = effects.some(({ effect }) => effect === 'send' || effect === 'destroy')
    if (by === 'off') this.#permission = { effect: 'destroy', by, control, known }
    else this.#permission = isSend ? { effect: 'send', by, control, known } : permission
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
    if (this.#isRedoing) return true
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

  /** The border for a request whose body may be read first. Whose it is is known when it is made, not by then. */
  #readingBorder(): FetchBorder {
    const wasActing = this.#isActing
    return {
      ...this.#border,
      judge: (request) => {
        this.#unread--
        return this.#decide(request, { canWait: true }, wasActing)
      },
      answered: (request, status) => this.#noteAnswer(request, status),
    }
  }

  /** How this guard holds a request. */
  readonly #border: XhrBorder = {
    add: (held) => this.#hold(held, effectOfRequest(held.request, location.origin)!),
    passed: (request) => {
      this.#noteSent(request)
      return (status) => this.#noteAnswer(request, status)
    },
  }

  /** Holds what was not asked about. Returns what to call if the page gives it up. */
  #hold(held: Omit<HeldRequest, 'what'>, plain: StoppedEffect): () => boolean {
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
  }

  /** Also called after the end, for what the action has opened. */
  #decide(
    request: PageRequest,
    { canWait, opened, args, isFrame }: SentBy,
    wasActing = this.#isActing,
  ): 'send' | 'stop' | 'hold' {
    const isActing = (opened !== undefined && this.#opened.delete(opened)) || wasActing
    const what = effectOfRequest(request, location.origin)
    const canHold = canWait && this.canHold && !this.#ending.signal.aborted && (isActing || !isFrame)
    if (what === undefined) return this.#reads(canWait && !isFrame)
    if (isTelemetry(request, this.#isUnknown)) {
      this.#measured.add(what.url ?? '')
      return 'send'
    }
    if (isUsual(request)) {
      this.#sent.push({ what, status: newStatus(request), isUsual: true, isActing })
      return 'send'
    }
    if (!isActing && this.#isVisitors()) {
      // The visitor has done what they are asked about.
      if (this.#isAsking && this.#held.has(request)) this.#held.end('withdrawn')
      return 'send'
    }
    // While the page is left, nothing can be read later.
    if (canHold && args && isUnread(args) && !this.#isLeaving) {
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
    this.#sent.push({ what, status: newStatus(request), isUsual: false, isActing })
    if (isFrame && !isActing) noteChannel()
    if (isActing && !isSaved) this.#noteControl(what)
    return 'send'
  }

  /** A held request is sent. */
  #noteSent(request: PageRequest): void {
    const what = effectOfRequest(request, location.origin)
    allowDeed(request)
    const status = newStatus(request) === 'unknown' ? undefined : 'sending'
    if (what) this.#sent.push({ what, status, isUsual: false, isActing: true })
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

  #watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    this.#leaving.watchForms(view ?? root)
    if (!view) return
    watchRequests(view)
    watchHeldXhr(view)
    watchBlobs(view)
    this.#watchInput(view)
    this.#leaving.watchWindow(view)
  }

  #watchInput(view: EventTarget): void {
    const noteInput = (event: Event): void => {
      if (!event.isTrusted) return
      this.#lastInput = performance.now()
      // Who goes on by hand in the same form has answered.
      const around = this.#permission.control && aroundDeed(this.#permission.control)
      if (this.#isAsking && around && event.composedPath().includes(around)) this.#held.end('withdrawn')
    }
    for (const type of ['pointerdown', 'keydown'])
      view.addEventListener(type, noteInput, { capture: true, passive: true, signal: this.#ending.signal })
  }

  #isUsers(): boolean {
    return performance.now() - this.#lastInput < afterInput
  }

  /** What the page gets instead of a window; undefined if it may be opened. */
  #onOpening(departure: Departure | undefined, how: Opening): { readonly answer: object | null } | undefined {
    if (departure === undefined || this.#isPermitted(departure.what)) return undefined
    const giveUp = this.#refuse(departure)
    if (giveUp === undefined || isWithoutHandle(how)) return { answer: null }
    const onUse = (): void => {
      if (giveUp() && !this.#isAsking) this.#permits(departure.what)
    }
    return { answer: standIn(onUse) }
  }

  /** Whether it may happen now. Otherwise it is held or stopped. */
  #mayLeave(departure: Departure | undefined): boolean {
    if (departure === undefined) return true
    const isPermitted = this.#isPermitted(departure.what)
    if (isPermitted) this.#notePassed(departure)
    else this.#refuse(departure)
    return isPermitted
  }

  #notePassed({ form, pings = [] }: Departure): void {
    if (form) noteSent(unclobbered(form).elements)
    for (const ping of pings) this.#noteSent(ping)
  }

  /** It was cancelled. It is held, or else stopped. Returns what to call if the page gives up what is held. */
  #refuse(departure: Departure): (() => boolean) | undefined {
    const { what, freeze } = departure
    if (!this.canHold || !freeze) {
      this.#permits(what)
      return undefined
    }
    const { request, redo, drop = nothing } = freeze()
    const send = (): void => {
      this.#notePassed(departure)
      if (what.does === 'download' || what.does === 'open') {
        const isBlocked = what.does === 'open' && (navigator as Partial<Navigator>).userActivation?.isActive === false
        this.#sent.push({ what, status: isBlocked ? undefined : 'unknown', isUsual: false, isActing: true })
      }
      this.#leaving.allow(request)
      this.#isRedoing = true
      try {
        redo()
      } finally {
        this.#isRedoing = false
      }
    }
    return this.#hold({ request, send, share: nothing, fail: drop }, what)
  }
}

/** The form or dialog of a control, or the control alone. */
const aroundDeed = (control: Element): Element =>
  ancestor(control, (above) => isTag(above, 'form', 'dialog') || isDialog(above)) ?? control
