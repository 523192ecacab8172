// The template of the panel: header, transcript, approval cards, composer. Draws one plain state object.
import { html, nothing, type TemplateResult } from 'lit'
import type { Failure } from '../../core/data/errors.js'
import type { CallId, Reason, pendingApprovals } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { AgentStatus } from '../../page/agent.js'
import { actionListener, type ActionEvent } from './actions.js'
import type { Layout } from '../element/element-options.js'
import { errorText } from '../i18n/error-text.js'
import { icon } from '../styles/icons.js'
import { iconButton } from './icon-button.js'
import type { QueuedMessage, RenderState, RenderContext } from './render-context.js'
import { trustLine, type Trust } from './trust-line.js'

/** All that the panel shows. */
export interface PanelState {
  /** Where the panel is. */
  readonly layout: Layout
  /** What does not depend on the running turn: words, Markdown, renderers. */
  readonly renderState: RenderState
  /** Undefined while the session is loading. */
  readonly session: Session | undefined
  /** What the agent is doing. */
  readonly status: AgentStatus
  /** Another tab drives the session. */
  readonly isMirror: boolean
  /** Another assistant of this page has the same session open. */
  readonly isShownTwice: boolean
  /** The session is kept in this browser's storage. */
  readonly isStored: boolean
  /** The newest progress of running calls. */
  readonly progress: RenderContext['progress']
  /** Which cards the user opened or closed. */
  readonly opened: RenderContext['opened']
  /** Messages whose turn has not started. */
  readonly queue: readonly QueuedMessage[]
  /** The panel's title. */
  readonly heading: string
  /** The text in the empty input field. */
  readonly placeholder: string
  /** The first line of an empty conversation. */
  readonly greeting: string
  /** The address of an image for the header and the greeting. Undefined: the first letter of the title. */
  readonly icon: string | undefined
  /** A line below the text field. Undefined: none. */
  readonly disclaimer: string | undefined
  /** Buttons of an empty conversation; each sends its text. */
  readonly suggestions: readonly string[]
  /** Buttons below the newest answer; each sends its text. */
  readonly followUps: readonly string[]
  /** Problems with the options. They stay until the page fixes them. */
  readonly problems: readonly Failure[]
  /** Errors that the user can dismiss. */
  readonly errors: readonly Failure[]
  /** The calls whose approval cards are drawn. Empty until the card is loaded. */
  readonly questions: ReturnType<typeof pendingApprovals>
  /** Why the last decision about a call was not accepted. */
  readonly decisionErrors: ReadonlyMap<CallId, Failure>
  /** The calls whose question has changed since it was first asked. */
  readonly changedQuestions: ReadonlySet<CallId>
  /** Whether a decision is being checked. */
  isDeciding(): boolean
  /** The model call that is about to be retried. */
  readonly retry: Retry | undefined
  /** The language of the element, which may have no words. */
  readonly language: string
  /** `Announcer.message` */
  readonly announcement: string
  /** `Announcer.activity` */
  readonly activity: string
  /** Draws the conversation. Undefined until its chunk is loaded. */
  readonly conversation: ConversationViews | undefined
  /** The chunk cannot be loaded. */
  readonly isConversationMissing: boolean
  /** The open list of conversations; it replaces the transcript. */
  readonly menu: TemplateResult | undefined
  /** The line below the field. */
  readonly trust: Trust
  /** Draws what the line opens to. Undefined while it is closed, and until its chunk is loaded. */
  readonly glass: ((state: PanelState) => TemplateResult) | undefined
}

/** Whether there is anything to draw of a session. The code that draws messages is loaded with the first one. */
export function hasMessages(session: Session | undefined): boolean {
  return session !== undefined && (session.messages.length > 0 || session.draft !== undefined)
}

/** The message whose turn is about to start. It is shown as it will be then, because storing it first takes time. */
export function sendingOf({ status, queue }: Pick<PanelState, 'status' | 'queue'>): QueuedMessage | undefined {
  return isBusy(status) ? undefined : queue[0]
}

/** The messages that wait until a turn ends. */
export function waitingOf(state: Pick<PanelState, 'status' | 'queue'>): readonly QueuedMessage[] {
  const sending = sendingOf(state)
  const waiting = state.queue.filter((one) => one !== sending && one.parts.length > 0)
  // The same list each time, so that the field is not drawn again.
  return waiting.length === 0 ? nobody : waiting
}

const nobody: readonly QueuedMessage[] = []

const isBusy = (status: AgentStatus): boolean => status === 'running' || status === 'awaiting-approval'

/** The templates of the notices, above and below the messages. */
interface ConversationViews {
  notices(state: PanelState): TemplateResult
  turnNotice(state: PanelState): unknown
  grantsView(state: PanelState): TemplateResult
}

/** A model call that is about to be retried. */
export interface Retry {
  /** When it is retried, in milliseconds since the epoch. */
  readonly until: number
  /** The whole wait, in milliseconds; 0 while the step waits for the network. */
  readonly delay: number
  /** Why the last attempt failed. */
  readonly error: Failure
}

/** Ends of a turn without a notice. */
const simpleEnds: ReadonlySet<Reason> = new Set(['stop', 'direct', 'condition'])

/** Whether there may be something that the notices draw. */
export function hasNotices(state: PanelState): boolean {
  const { problems, errors, followUps, isMirror, retry, progress, session } = state
  const { status, end } = session ?? {}
  return (
    isMirror ||
    retry !== undefined ||
    problems.length + errors.length + followUps.length > 0 ||
    progress.has('model-download') ||
    status === 'interrupted' ||
    (status === 'idle' && end !== undefined && !simpleEnds.has(end.reason))
  )
}

/** Whether a failure may be over when the network is back, so that it is worth trying again. */
export function isOfNetwork(failure: Pick<Failure, 'code'> | null | undefined): boolean {
  return failure?.code === 'offline' || failure?.code === 'network'
}

/** The model that answers next instead of the one that failed; undefined if the same model is tried again. */
export function fallbackOf(retry: Retry | undefined): string | undefined {
  return (retry?.error.details as { readonly fallback?: string } | undefined)?.fallback
}

/** Draws the panel. `onAction` receives the requests of all parts. */
export function panelView(
  state: PanelState,
  onAction: (event: ActionEvent) => void,
  onKeydown: (event: KeyboardEvent) => void,
): TemplateResult {
  const {
    layout,
    renderState: { words },
    status,
    session,
    heading,
  } = state
  const floats = layout !== 'inline'
  const sending = sendingOf(state)
  const busy = isBusy(status) || sending !== undefined
  const hasTranscript = hasMessages(session) || Boolean(sending?.parts.length)
  const view: RenderContext = {
    renderState: state.renderState,
    active: isBusy(status),
    progress: state.progress,
    opened: state.opened,
  }
  const { questions } = state
  return html`<div class="root" lang=${words.language} dir=${state.language === words.language ? nothing : 'ltr'}
    @action=${onAction} @keydown=${onKeydown}>
    <section class="panel" part="panel" data-layout=${layout} popover=${floats ? 'manual' : nothing}
      role=${floats ? 'dialog' : 'region'} aria-label=${heading} ?data-asking=${questions.length > 0}>
      ${header(state, floats)}
      ${
        state.menu ??
        html`
        ${state.conversation?.notices(state) ?? plainErrors(state)}
        ${
          state.conversation && hasTranscript
            ? html`<tool-agent-transcript .session=${session} .sending=${sending} .view=${view}
                .notice=${state.conversation.turnNotice(state)}
                .working=${
                  (status === 'running' || sending !== undefined) &&
                  (state.retry === undefined || Boolean(fallbackOf(state.retry)))
                }></tool-agent-transcript>`
            : html`<div class="log" part="transcript"><div class="messages">${
                status === 'loading' || hasTranscript ? nothing : greeting(state)
              }</div></div>`
        }
        ${
          questions.length === 0
            ? nothing
            : html`<tool-agent-questions .questions=${questions} .renderState=${state.renderState}
              .errors=${state.decisionErrors} .changed=${state.changedQuestions}
              .isDeciding=${state.isDeciding}></tool-agent-questions>`
        }
        ${state.conversation?.grantsView(state) ?? nothing}
        ${state.glass?.(state) ?? nothing}`
      }
      <tool-agent-composer ?hidden=${state.menu !== undefined} .words=${words} .busy=${busy}
        @focusin=${actionListener({ do: 'compose' })}
        .placeholder=${state.placeholder}
        .queue=${waitingOf(state)}></tool-agent-composer>
      ${
        state.menu === undefined && questions.length === 0
          ? trustLine(state.trust, state.glass !== undefined, words)
          : nothing
      }
      ${
        state.disclaimer === undefined || state.menu !== undefined
          ? nothing
          : html`<p class="disclaimer muted" part="disclaimer">${state.disclaimer}</p>`
      }
      <slot name="footer"></slot>
    </section>
    <div class="unseen" role="status" aria-live="polite" aria-atomic="false"><p>${
      state.announcement
    }</p><p>${state.activity}</p></div>
  </div>`
}

/** Errors in plain words, if what draws a conversation cannot be loaded. */
function plainErrors({
  isConversationMissing,
  problems,
  errors,
  retry,
  session,
  renderState: { words },
}: PanelState): unknown {
  if (!isConversationMissing) return nothing
  const failures = [...problems, ...errors, retry?.error ?? session?.end?.error].filter((one) => one !== undefined)
  if (failures.length === 0) return nothing
  const texts = new Set(failures.map((failure) => errorText(failure, words)))
  return html`<div class="plain-errors">
    ${[...texts].map((text) => html`<p role="alert">${icon('alert')}<span>${text}</span></p>`)}
    ${
      failures.some(isOfNetwork)
        ? html`<button type="button" part="notice-button" @click=${actionListener({ do: 'retry' })}>${
            words.notices.retry
          }</button>`
        : nothing
    }
  </div>`
}

function header(state: PanelState, floats: boolean): TemplateResult | typeof nothing {
  const {
    renderState: { words },
    isStored,
    isMirror,
    heading,
    menu,
  } = state
  if (menu !== undefined) return nothing
  const kind = 'quiet header-button'
  return html`<header part="header" role="presentation">
    <slot name="header"><span class="mark" part="mark" aria-hidden="true">${iconOf(state)}</span>
      <h2 part="title">${heading}</h2></slot>
    ${
      isStored || isMirror
        ? nothing
        : html`<button type="button" class="badge" part="badge" title=${words.notSavedWhy}
      @click=${actionListener({ do: 'export' })}>${words.notSaved}</button>`
    }
    ${iconButton({ name: 'list', title: words.conversations, kind, click: { do: 'sessions' } })}
    ${iconButton({ name: 'plus', title: words.newConversation, kind, click: { do: 'new-session' } })}
    ${floats ? iconButton({ name: 'close', title: words.close, kind, click: { do: 'close' } }) : nothing}
  </header>`
}

/** The icon of the page, or the first letter of the title. */
function iconOf({ icon: address, heading }: PanelState): TemplateResult | string {
  if (address) return html`<img src=${address} alt="">`
  const [letter = ''] = heading.trim()
  return letter.toUpperCase()
}

function greeting(state: PanelState): TemplateResult {
  const { greeting: text, suggestions } = state
  return html`<slot name="empty"><div class="empty" part="empty">
    <p class="greeting" part="greeting">${text}</p>
    <div class="suggestions">
    ${suggestions.map(
      (suggestion, index) => html`<button type="button" class="suggestion" part="suggestion suggestion-${index + 1}"
      @click=${actionListener({ do: 'suggest', text: suggestion })}>${suggestion}</button>`,
    )}
    </div>
  </div></slot>`
}
