// Lines that say what is wrong and what can be done: one shape for errors, endings, and states of the whole panel.
import { html, nothing, type TemplateResult } from 'lit'
import type { Failure } from '../../core/data/errors.js'
import type { Session, TurnEnd } from '../../core/data/session.js'
import { actionListener, type PanelAction } from './actions.js'
import { toVisibleText } from '../message/json-view.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'

export interface PanelNotice {
  readonly kind: 'error' | 'info'
  readonly text: string
  /** The technical message, for whoever runs the page. */
  readonly detail?: string
  readonly action?: { readonly label: string; readonly action: PanelAction }
  readonly dismiss?: string
}

export function noticeView({ kind, text, detail, action, dismiss }: PanelNotice): TemplateResult {
  return html`<div class="notice" part="notice" data-kind=${kind} role=${kind === 'error' ? 'alert' : 'status'}>
    ${icon(kind === 'error' ? 'alert' : 'info')}
    <div><p>${text}</p>${detail === undefined || detail === text ? nothing : html`<p class="detail">${toVisibleText(detail)}</p>`}</div>
    ${action === undefined ? nothing : html`<button type="button" @click=${actionListener(action.action)}>${action.label}</button>`}
    ${
      dismiss === undefined
        ? nothing
        : html`<button type="button" class="quiet" title=${dismiss} aria-label=${dismiss} @click=${actionListener({ do: 'dismiss' })}>${icon('close')}</button>`
    }
  </div>`
}

/** An error in words a person can act on, with its own message behind. */
export function errorNotice(failure: Failure, words: Words): PanelNotice {
  const notice: PanelNotice = {
    kind: 'error',
    text: words.problems[failure.code] ?? failure.message,
    detail: failure.message,
  }
  return failure.code === 'session-deleted'
    ? { ...notice, action: { label: words.newConversation, action: { do: 'new-session' } } }
    : notice
}

const goesOn: ReadonlySet<TurnEnd['reason']> = new Set([
  'max-steps',
  'max-tool-calls',
  'max-time',
  'repeated-calls',
  'format-errors',
  'length',
  'no-answer',
  'interrupted',
])

/** How the newest turn ended, where the user may want to know or to do something about it. */
export function turnEndNotice(session: Session | undefined, words: Words): PanelNotice | undefined {
  if (session === undefined) return undefined
  const goOn = { label: words.goOn, action: { do: 'continue' } } as const
  if (session.status === 'interrupted') return { kind: 'info', text: words.interrupted, action: goOn }
  const { end } = session
  if (session.status !== 'idle' || end === undefined) return undefined
  if (end.error !== undefined) {
    const label = end.error.code === 'stream-cut' ? words.goOn : words.retry
    return { ...errorNotice(end.error, words), action: { label, action: { do: 'continue' } } }
  }
  const text = words.endings[end.reason]
  return text === undefined ? undefined : { kind: 'info', text, ...(goesOn.has(end.reason) ? { action: goOn } : {}) }
}
