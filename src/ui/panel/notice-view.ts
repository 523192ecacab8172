// Notices: errors, ends of turns, and states of the whole panel, in one shape with an optional action. Loaded with the
// first message, so that they are there when the connection is lost, or with the first notice.
import { html, nothing, type TemplateResult } from 'lit'
import type { Failure } from '../../core/data/errors.js'
import type { Session } from '../../core/data/session.js'
import { actionListener, type PanelAction } from './actions.js'
import { toVisibleText } from '../message/json-view.js'
import { icon } from '../styles/icons.js'
import { iconButton } from './icon-button.js'
import type { Words } from '../i18n/en.js'
import { noticeWords, type NoticeWords } from '../i18n/en-notices.js'
import { fallbackOf, type PanelState } from './panel-view.js'

export { noticeStyles } from '../styles/notices.js'

type Texts = Words & NoticeWords

const textsOf = ({ words }: PanelState['renderState']): Texts => ({
  ...words,
  ...noticeWords,
  ...words.notices,
  problems: { ...noticeWords.problems, ...words.notices?.problems },
})

/** One notice. */
interface PanelNotice {
  /** `error` interrupts a screen reader; `info` waits. */
  readonly kind: 'error' | 'info'
  /** A sentence for the user. */
  readonly text: string
  /** The technical message, for the developer of the page. Hidden if it equals `text`. */
  readonly detail?: string
  /** A button with what it does. */
  readonly action?: { readonly label: string; readonly action: PanelAction }
  /** The label of the button that dismisses the notice. Undefined: no such button. */
  readonly dismiss?: string
}

/** Draws a notice. */
function noticeView({ kind, text, detail, action, dismiss }: PanelNotice): TemplateResult {
  return html`<div class="notice" part="notice" data-kind=${kind} role=${kind === 'error' ? 'alert' : 'status'}>
    ${icon(kind === 'error' ? 'alert' : 'info')}
    <div>
      <p>${text}</p>
      ${detail === undefined || detail === text ? nothing : html`<p class="detail">${toVisibleText(detail)}</p>`}
    </div>
    ${
      action &&
      html`<button type="button" part="notice-button" @click=${actionListener(action.action)}>${action.label}</button>`
    }
    ${dismiss && iconButton({ name: 'close', title: dismiss, click: { do: 'dismiss' } })}
  </div>`
}

/** An error in words that a user can act on, with the technical message as detail. */
function errorNotice(failure: Failure, words: Texts): PanelNotice {
  const notice: PanelNotice = {
    kind: 'error',
    text: words.problems[failure.code] ?? failure.message,
    detail: failure.message,
  }
  return failure.code === 'session-deleted'
    ? { ...notice, action: { label: words.newConversation, action: { do: 'new-session' } } }
    : notice
}

/** The notice about how the newest turn ended; undefined if it simply ended. */
function turnEndNotice(session: Session | undefined, words: Texts): PanelNotice | undefined {
  if (session === undefined) return undefined
  const resume = { label: words.goOn, action: { do: 'continue' } } as const
  if (session.status === 'interrupted') return { kind: 'info', text: words.interrupted, action: resume }
  const { end } = session
  if (session.status !== 'idle' || end === undefined) return undefined
  if (end.error !== undefined) {
    const label = end.error.code === 'stream-cut' ? words.goOn : words.retry
    return { ...errorNotice(end.error, words), action: { label, action: { do: 'continue' } } }
  }
  const text = words.endings[end.reason]
  if (text === undefined) return undefined
  // Continuing makes no sense after the user stopped the turn, or after a content filter did.
  const canResume = end.reason !== 'stopped' && end.reason !== 'content-filter'
  return { kind: 'info', text, ...(canResume ? { action: resume } : {}) }
}

/** Above the messages: problems, errors, and that another tab drives the session. */
export function notices({ problems, errors, isMirror, isStored, renderState }: PanelState): TemplateResult {
  const words = textsOf(renderState)
  const drawn = [
    ...problems.map((failure) => errorNotice(failure, words)),
    ...errors.map((failure) => ({ ...errorNotice(failure, words), dismiss: words.dismiss })),
    // A mirrored session that is no longer stored was deleted, so it cannot be taken over.
    ...(isMirror && isStored
      ? [{ kind: 'info', text: words.mirror, action: { label: words.takeOver, action: { do: 'take-over' } } } as const]
      : []),
  ].map(noticeView)
  return html`<div class="notices">${drawn}</div>`
}

/** Below the messages: a retry with its countdown, or how the turn ended. */
export function turnNotice({ retry, session, renderState }: PanelState): unknown {
  const words = textsOf(renderState)
  if (retry !== undefined) {
    const {
      until,
      error: { code, message, details },
    } = retry
    const problem = words.problems[code]?.replace(/(?<=\.) .*/, '') ?? message
    const fallback = fallbackOf(retry)
    const next = fallback
      ? words.fallback((details as { readonly model: string }).model, fallback, problem)
      : words.retrying(Math.max(0, Math.ceil((until - Date.now()) / 1000)), problem)
    const text = code === 'offline' ? words.waitingForNetwork : next
    // A timer role, so that screen readers do not announce every second.
    return html`<p class="working" role="timer" title=${message}>${text}</p>`
  }
  const notice = turnEndNotice(session, words)
  return notice === undefined ? nothing : noticeView(notice)
}
