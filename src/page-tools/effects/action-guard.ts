// Guards the page while an action runs. What is more serious than what was predicted or allowed is held, if it can be:
// the user is asked, and it is sent once, or fails. What cannot be held is stopped: a navigation or a submission is
// cancelled, a window does not open, a request fails as if the device were offline. Then the user is asked before one
// new attempt.
import { isAbove, type Effect } from '../../core/data/effect.js'
import { stoppedWords, type DoneBefore, type StoppedEffect } from '../../core/data/stopped-effect.js'
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { pageRoots } from '../dom/dom.js'
import { nextTask } from '../waiting/until.js'
import { sentValues, type FilledField } from '../border/sent-values.js'
import type { FetchBorder } from '../border/held-fetch.js'
import { isUnread } from '../border/read-body.js'
import { HeldRequests, type HeldRequest, type HoldEnd } from '../border/held-requests.js'
import { Departures } from '../border/departures.js'
import type { XhrBorder } from '../border/held-xhr.js'
import { holdWaysOut, watchWaysOut } from '../border/ways-out.js'
import { heldNotSent, mayShowIt } from '../../core/prompt/failure-text.js'
import { forgetAllowed } from './page-confirmations.js'
import { noteEffect } from './declared-effects.js'
import { isRetry, noteStopped, setRequestGate } from '../border/gates.js'
import { allowDeed, isRefusedDeed, mayContainRefused, refuseDeed } from './refused-deeds.js'
import { noteChannel, type SentBy } from './page-requests.js'
import { covers, extended, limitOf, type Permission } from './permission.js'
import { effectOfRequest, type PageRequest } from './read-request.js'
import { addressOf, keyOf, newStatus, SentRequests } from './sent-requests.js'
import { isTelemetry, isUsual } from './telemetry.js'
import { isInputRunning, VisitorInput } from './visitor-input.js'

/** How what an action sends is held. */
export interface Border {
  /** Asks the user about it. Without it nothing is held, and what would be is stopped. */
  readonly ask?: ToolRun['hold']
  /** The fields whose values the question shows, if they are sent. */
  readonly filled?: readonly FilledField[]
  /** How far a fill is, for what the model reads if the user does not allow it. */
  readonly done?: () => DoneBefore
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
  /** Requests whose bodies are read before anything is decided. */
  #unread = 0
  readonly #ending = new AbortController()
  readonly #stopped: StoppedEffect[] = []
  readonly #sent = new SentRequests()
  /** What the action has opened and not sent yet. axios opens an `XMLHttpRequest` and then waits for a cookie. */
  readonly #opened = new Set<object>()
  readonly #openGate: () => void
  readonly #departures = new Departures(this.#ending.signal, {
    isPermitted: (what) => this.#isPermitted(what),
    isUsers: () => this.#input.isRecent,
    isAsking: () => this.#isAsking,
    canHold: () => this.canHold,
    hold: (held, what) => this.#hold(held, what),
    stop: (what) => this.#stop(what),
    sent: (request) => this.#noteSent(request),
    opened: (what, isBlocked) =>
      this.#sent.add({ what, status: isBlocked ? undefined : 'unknown', isUsual: false, isActing: true }),
  })
  #isLeaving = false
  #isActing = true
  #isOnlyValue: boolean
  /** It runs without a question because what it sends is held. */
  readonly #isUnknown: boolean
  readonly #input: VisitorInput

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
    this.#input = new VisitorInput(this.#ending.signal, permission.control, () => {
      if (this.#isAsking) this.#held.end('withdrawn')
    })
    this.#isUnknown = permission.effect === 'unknown' && permission.by === 'rule'
    this.#isOnlyValue = permission.effect === 'value'
    this.#openGate = setRequestGate({
      owns: (opened) => this.#owns(opened),
      decide: (request, by) => {
        const verdict = this.#decide(request, by)
        if (verdict === 'stop') noteStopped(request)
        return verdict
      },
      ...holdWaysOut(this.#border, () => this.#readingBorder()),
      answered: (request, status) => this.#sent.answer(request, status),
      opening: (url, how) => this.#departures.opening(url, how),
      mayTraverse: (view, steps) => this.#departures.mayTraverse(view, steps),
      maySubmit: (form) => this.#departures.maySubmit(form),
      ending: (event) => this.#departures.ending(event),
      clicking: (target, event) => this.#departures.clicking(target, event),
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
    return this.#sent.answeredAt
  }

  /** Whether the page waits for something that it reads. */
  get isReading(): boolean {
    return this.#sent.isReading
  }

  /** Whether a request of the action has no answer yet, or was not even sent. */
  get isSending(): boolean {
    return this.#opened.size > 0 || this.#sent.isSending
  }

  /** The most serious effect that may happen. */
  get limit(): Effect {
    return limitOf(this.#permission)
  }

  /** What the page really did, as lines for the model: `sent: POST /orders, 201`. */
  get report(): readonly string[] {
    const lines = this.#sentLines
    const gone = this.#held.givenUp.map((one) => `given up by the page: ${addressOf(one)}`)
    // What was stopped after a question cannot be asked about any more.
    const late = this.#hasSentHeld ? this.#stopped.map((one) => `refused: it ${stoppedWords(one)}. ${mayShowIt}`) : []
    return [...[...new Set([...lines, ...gone, ...late])].slice(0, 6), ...this.#sent.telemetry]
  }

  /** Where something was saved or sent to this site. */
  get saved(): readonly string[] {
    return this.#sent.saved
  }

  get #sentLines(): readonly string[] {
    return this.#sent.lines(this.#permission.effect === 'value')
  }

  /** Whether the action has sent something, and not only the page by itself meanwhile. */
  get hasSent(): boolean {
    return this.#sent.isByAction
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

  /** Stops the action unless the effect may happen. @throws `needs-approval` */
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
      this.#permission = extended(this.#permission, effects, allowed.by)
      this.#held.send((what) => effects.includes(what) || this.#isPermitted(what))
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

  /** It must not happen. */
  #stop(what: StoppedEffect): void {
    if (this.#isPermitted(what)) return
    this.#noteControl(what)
    this.#noteStopped(what)
  }

  #noteStopped(what: StoppedEffect): void {
    if (!this.#stopped.some((one) => keyOf(one) === keyOf(what) && one.does === what.does)) this.#stopped.push(what)
  }

  #isPermitted(what: StoppedEffect): boolean {
    return this.#departures.isRedoing || covers(this.#permission, what)
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
      answered: (request, status) => this.#sent.answer(request, status),
    }
  }

  /** How this guard holds a request. */
  readonly #border: XhrBorder = {
    add: (held) => this.#hold(held, effectOfRequest(held.request, location.origin)!),
    passed: (request) => {
      this.#noteSent(request)
      return (status) => this.#sent.answer(request, status)
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
      this.#sent.addTelemetry(what)
      return 'send'
    }
    if (isUsual(request)) {
      this.#sent.add({ what, status: newStatus(request), isUsual: true, isActing })
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
    if (!isActing && isRetry(request) && (this.#sent.has(what) || isAbove(what.effect, this.limit))) return 'stop'
    // What the page itself saves when a value changes belongs to the change, unless it deletes or pays.
    const isSaved = this.#isOnlyValue && what.effect === 'send' && !mayContainRefused()
    // What can be held belongs to the action until the page is still.
    const isInWindow = isActing || canHold
    if (isInWindow && !isSaved && !this.#isPermitted(what)) {
      if (canHold) return 'hold'
      this.#stop(what)
      return 'stop'
    }
    allowDeed(request)
    this.#sent.add({ what, status: newStatus(request), isUsual: false, isActing })
    if (isFrame && !isActing) noteChannel()
    if (isActing && !isSaved) this.#noteControl(what)
    return 'send'
  }

  /** A held request is sent. */
  #noteSent(request: PageRequest): void {
    const what = effectOfRequest(request, location.origin)
    allowDeed(request)
    const status = newStatus(request) === 'unknown' ? undefined : 'sending'
    if (what) this.#sent.add({ what, status, isUsual: false, isActing: true })
  }

  #reads(canWait: boolean): 'send' {
    if (canWait && this.canHold) this.#sent.addReading()
    return 'send'
  }

  /** Whether a request follows an input of the visitor: in it, or soon after one while they are asked. */
  #isVisitors(): boolean {
    return isInputRunning() || (this.#isAsking && this.#input.isRecent)
  }

  /** What a control was seen to do raises its effect. */
  #noteControl(what: StoppedEffect): void {
    const { known } = this.#permission
    if (known !== undefined && what.effect !== 'outside') noteEffect(known, what)
  }

  #watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    if (view) {
      watchWaysOut(view)
      this.#input.watch(view)
    }
    this.#departures.watch(root)
  }
}
