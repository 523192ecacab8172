// What a screen reader hears of a conversation: that the assistant works, each answer once it is complete, the question
// that is shown, a call that failed, a message that waits, a retry, how a turn ended, and what runs if nothing was said
// for some seconds. Two live regions, so that an answer does not cut off what happened at the same time.
import { textOf, toolCallsOf, pendingApprovals } from '../../core/data/message.js'
import type { Agent, Notice } from '../../page/agent.js'
import type { conversation } from '../conversation.js'
import { callTitleOf } from '../message/call-title.js'
import type { Texts } from '../message/message-texts.js'
import type { LazyPart } from '../element/lazy-part.js'
import { waitingOf } from './panel-view.js'
import type { RenderContext, RenderState } from './render-context.js'

type AgentEvent = Extract<Notice, { type: 'event' }>['event']

/** Characters of an answer that are announced at most. The transcript has the rest. */
const announcedLength = 500
/** Milliseconds without news until what runs is announced, and until it is announced again. */
const silences = { first: 5_000, later: 20_000 }
/** Milliseconds. A wait of this length before another attempt is announced. */
const longDelay = 3_000

/** What the announcer needs of the panel. */
export interface AnnouncerDeps {
  /** The chunk of the conversation, which has the texts. */
  readonly conversation: LazyPart<typeof conversation>
  /** The connected agent. */
  agent(): Agent | undefined
  /** Words and titles. */
  renderState(): RenderState
  /** What the cards need, for the line about what runs. */
  context(): RenderContext
  /** The name of the assistant. */
  name(): string
  /** The panel shows its notices. */
  isOpen(): boolean
  /** Draws the live regions soon. */
  draw(): void
}

/** Keeps the texts of the two live regions. */
export class Announcer {
  /** The start of an answer, or a question. */
  message = ''
  /** That the assistant works, what failed, or how its turn ended. */
  activity = ''
  #silence: ReturnType<typeof setTimeout> | undefined
  /** The turns of the messages that wait. */
  #queued: ReadonlySet<string> = new Set()
  /** The step that is being repeated, and why. */
  #retried: string | undefined
  readonly #deps: AnnouncerDeps

  constructor(deps: AnnouncerDeps) {
    this.#deps = deps
  }

  /** Ends the timer. */
  stop(): void {
    clearTimeout(this.#silence)
    this.#silence = undefined
  }

  /** Announces an event of the assistant itself. */
  handle(event: AgentEvent): void {
    // Announced when the text is complete: a screen reader cannot follow single words.
    if (event.type === 'step-end') void this.#announceAnswer(textOf(event.message))
    if (event.type === 'turn-start') {
      // So that the same answer is announced again.
      this.message = ''
      this.#announce((texts) => texts.working)
    }
    if (event.type === 'tool-result') this.#announceFailure(event)
    if (event.type === 'step-retry') this.#announceRetry(event)
    else if (event.type !== 'step-start') this.#retried = undefined
    if (event.type === 'turn-end') {
      this.#announce((texts) => {
        if (event.error === undefined) return texts.endings[event.reason] ?? (this.#changes() || texts.states.done)
        // The alert in a visible panel says what failed.
        return this.#deps.isOpen() ? '' : texts.states.failed
      })
    }
    this.#watchSilence(event)
  }

  /** Announces what the user has just done. */
  say(text: string): void {
    this.activity = text === '' ? '' : this.#named(text)
    this.#deps.draw()
  }

  /** Announces the question that is shown. */
  ask(question: string): void {
    this.message = question
    this.#deps.draw()
  }

  /** Announces a message that waits until the assistant has time. */
  handleQueue(): void {
    const agent = this.#deps.agent()
    const waiting = agent === undefined ? [] : waitingOf(agent)
    const newest = waiting.at(-1)
    const isNew = newest !== undefined && !this.#queued.has(newest.turn)
    this.#queued = new Set(waiting.map(({ turn }) => turn))
    if (isNew) this.say(`${this.#deps.renderState().words.queued}: ${newest.text}`)
  }

  /** Announces a text of the messages, when they are loaded. */
  #announce(pick: (texts: Texts) => string): void {
    const { conversation, renderState } = this.#deps
    void conversation.load().then(() => {
      const texts = conversation.value?.textsOf(renderState().words)
      const text = texts && pick(texts)
      this.activity = text ? this.#named(text) : ''
      this.#deps.draw()
    })
  }

  /** Announces the start of an answer as plain text. */
  async #announceAnswer(text: string): Promise<void> {
    this.message = ''
    if (text === '') return
    await this.#deps.conversation.load()
    // Markdown needs more characters than its text.
    const start = text.slice(0, 4 * announcedLength)
    const plain = (this.#deps.renderState().markdown?.toPlainText(start) ?? start).trim()
    const isLong = plain.length > announcedLength
    this.message ||= this.#named(isLong ? plain.slice(0, announcedLength).replace(/\s\S*$/, ' …') : plain)
    this.#deps.draw()
  }

  /** What the user or the page decided needs no words: they know. */
  #announceFailure({ callId, result }: Extract<AgentEvent, { type: 'tool-result' }>): void {
    const part = toolCallsOf(this.#deps.agent()?.messages.at(-1)).find(({ call }) => call.id === callId)
    if (part === undefined || result.error === undefined) return
    const state = this.#deps.conversation.value?.callState({ ...part, result }, true)
    if (state === 'failed' || state === 'timeout')
      this.#announce(({ states }) => `${callTitleOf(part, this.#deps.renderState())}: ${states[state]}`)
  }

  /** The first failure of a kind, and each long wait. Short waits follow each other too fast to be listened to. */
  #announceRetry({ step, delay, error }: Extract<AgentEvent, { type: 'step-retry' }>): void {
    const retried = `${step} ${error.code}`
    const isFirst = this.#retried !== retried
    this.#retried = retried
    const retry = { until: Date.now() + delay, delay, error }
    const { conversation, renderState } = this.#deps
    if (isFirst || delay >= longDelay)
      this.#announce(() => conversation.value?.retryText(retry, renderState().words) ?? '')
  }

  /** A step or a call is news; the single words of an answer and the progress of a call are not. */
  #watchSilence({ type }: AgentEvent): void {
    const isNews = type !== 'tool-progress' && !type.endsWith('-delta')
    if (!isNews && this.#silence !== undefined) return
    this.stop()
    if (type !== 'turn-end') this.#silence = setTimeout(this.#breakSilence, silences.first)
  }

  #breakSilence = (): void => {
    const { agent, conversation, context } = this.#deps
    const session = agent()?.session
    const isAsking = pendingApprovals(session?.messages ?? []).length > 0
    if (session?.status !== 'running' || isAsking) return this.stop()
    this.#announce((texts) => texts.stillWorking(conversation.value?.activityLine(session, context()) ?? texts.working))
    this.#silence = setTimeout(this.#breakSilence, silences.later)
  }

  /** What the newest turn has changed: once, and not call by call. */
  #changes(): string {
    const { agent, conversation, context } = this.#deps
    return conversation.value?.receiptHeadline(agent()?.session?.messages ?? [], context()) ?? ''
  }

  /** A text with the name of the assistant. */
  #named(text: string): string {
    return `${this.#deps.name()}: ${text}`
  }
}
