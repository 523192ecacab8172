// What the panel looks like from above: header, tasks, transcript, questions, composer. Drawn from one plain state.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Failure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import type { AgentStatus } from '../../page/agent.js'
import { actionListener, type ActionEvent } from './actions.js'
import { agentsLine, callTitleOf } from '../message/tool-call-summary.js'
import type { pendingApprovals } from '../message/call-state.js'
import type { Layout } from '../element/element-options.js'
import { icon } from '../styles/icons.js'
import { isThinking } from '../message/message-view.js'
import { turnEndNotice, noticeView, errorNotice } from './notice-view.js'
import { todoView } from './todo-view.js'
import type { RenderState, RenderContext } from './render-context.js'

export interface PanelState {
  readonly layout: Layout
  readonly open: boolean
  readonly look: RenderState
  readonly session: Session | undefined
  readonly status: AgentStatus
  /** Another tab drives the session. */
  readonly isMirror: boolean
  readonly isStored: boolean
  readonly progress: RenderContext['progress']
  readonly opened: RenderContext['opened']
  readonly queue: readonly { readonly turn: string; readonly text: string }[]
  readonly heading: string
  readonly placeholder: string
  readonly suggestions: readonly string[]
  /** Errors that stay until their cause is mended. */
  readonly lasting: readonly Failure[]
  /** Errors that can be put away. */
  readonly passing: readonly Failure[]
  /** What the panel asks before calls. */
  readonly questions: ReturnType<typeof pendingApprovals>
  /** The card that asks has been loaded. */
  readonly canAsk: boolean
  readonly refusals: ReadonlyMap<CallId, { readonly text: string }>
  readonly retry: Retry | undefined
  /** The newest thing to be read out. */
  readonly said: string
  readonly menu: TemplateResult | undefined
}

/** A model call that is made again. */
export interface Retry {
  /** Milliseconds since the epoch. */
  readonly until: number
  readonly error: Failure
}

export function panelView(
  state: PanelState,
  act: (event: ActionEvent) => void,
  keydown: (event: KeyboardEvent) => void,
): TemplateResult {
  const {
    layout,
    open,
    look: { words },
    status,
    session,
    heading,
  } = state
  const floats = layout !== 'inline'
  const busy = status === 'running' || status === 'awaiting-approval'
  const view: RenderContext = { look: state.look, active: busy, progress: state.progress, opened: state.opened }
  const { questions } = state
  return html`<div class="root" @action=${act} @keydown=${keydown}>
    ${floats && !open ? launcher(state, questions.length > 0) : nothing}
    <section class="panel" part="panel" data-layout=${layout} popover=${floats ? 'manual' : nothing}
      role=${floats ? 'dialog' : 'region'} aria-label=${heading}>
      ${header(state, floats)}
      ${
        state.menu ??
        html`
        <div class="notices">${notices(state)}</div>
        ${todoView(session?.todos ?? [], session?.messages ?? [], words)}
        <tool-agent-transcript .session=${session} .view=${view} .working=${status === 'running' && isThinking(session?.messages ?? [], session?.draft)} .notice=${ending(state)}
          .empty=${status === 'loading' ? nothing : greeting(state)}></tool-agent-transcript>
        ${
          questions.length === 0 || !state.canAsk
            ? nothing
            : html`<dialog class="approvals" open role="region" aria-label=${words.approvals}>
          ${repeat(
            questions,
            ({ part }) => part.call.id,
            ({ part, agents }) => html`<tool-agent-approval .item=${part} .words=${words}
            .heading=${callTitleOf(part, state.look)} .agents=${agentsLine(agents, state.look)}
            .problem=${state.refusals.get(part.call.id)}></tool-agent-approval>`,
          )}
        </dialog>`
        }`
      }
      <tool-agent-composer ?hidden=${state.menu !== undefined} .words=${words} .busy=${busy} .placeholder=${state.placeholder}
        .queue=${status === 'idle' ? [] : state.queue.filter((one) => one.text !== '')}></tool-agent-composer>
      <p class="unseen" role="status" aria-live="polite">${state.said}</p>
    </section>
  </div>`
}

function launcher({ look: { words }, heading }: PanelState, isAsking: boolean): TemplateResult {
  return html`<button type="button" class="launcher" part="launcher" data-asking=${isAsking ? '' : nothing} title=${words.open}
    aria-label=${isAsking ? `${heading}: ${words.waiting}` : words.open} @click=${actionListener({ do: 'open' })}>${icon('chat')}</button>`
}

function header(
  { look: { words }, isStored, isMirror, heading, menu }: PanelState,
  floats: boolean,
): TemplateResult | typeof nothing {
  if (menu !== undefined) return nothing
  return html`<header part="header">
    <h2>${heading}</h2>
    ${isStored || isMirror ? nothing : html`<button type="button" class="badge" part="badge" title=${words.notSavedWhy} @click=${actionListener({ do: 'export' })}>${words.notSaved}</button>`}
    <button type="button" class="quiet" title=${words.conversations} aria-label=${words.conversations} @click=${actionListener({ do: 'sessions' })}>${icon('list')}</button>
    <button type="button" class="quiet" title=${words.newConversation} aria-label=${words.newConversation} @click=${actionListener({ do: 'new-session' })}>${icon('plus')}</button>
    ${floats ? html`<button type="button" class="quiet" title=${words.close} aria-label=${words.close} @click=${actionListener({ do: 'close' })}>${icon('close')}</button>` : nothing}
  </header>`
}

/** What is wrong with the panel as a whole, and what is not as usual. */
function notices({ lasting, passing, isMirror, isStored, look: { words } }: PanelState): unknown[] {
  return [
    ...lasting.map((failure) => errorNotice(failure, words)),
    ...passing.map((failure) => ({ ...errorNotice(failure, words), dismiss: words.dismiss })),
    // One that nobody keeps any more was deleted: there is nothing to take over.
    ...(isMirror && isStored
      ? [{ kind: 'info', text: words.mirror, action: { label: words.takeOver, action: { do: 'take-over' } } } as const]
      : []),
  ].map(noticeView)
}

function greeting({ look: { words }, suggestions }: PanelState): TemplateResult {
  return html`<div class="empty" part="empty">
    <p class="greeting">${words.greeting}</p>
    ${suggestions.map((text) => html`<button type="button" class="suggestion" part="suggestion" @click=${actionListener({ do: 'send', text })}>${text}</button>`)}
  </div>`
}

function ending({ retry, session, look: { words } }: PanelState): unknown {
  if (retry !== undefined) {
    const {
      until,
      error: { code, message },
    } = retry
    const text =
      code === 'offline'
        ? words.waitingForNetwork
        : words.retrying(
            Math.max(0, Math.ceil((until - Date.now()) / 1000)),
            words.problems[code]?.replace(/(?<=\.) .*/, '') ?? message,
          )
    // The seconds are for the eyes: read out is that there is a wait.
    return html`<p class="working" role="timer" title=${message}>${text}</p>`
  }
  const notice = turnEndNotice(session, words)
  return notice === undefined ? nothing : noticeView(notice)
}
