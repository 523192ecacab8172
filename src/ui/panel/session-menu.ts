// The list of conversations: open, rename, delete, start a new one. Loaded when it is first opened.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { SessionSummary } from '../../core/data/session.js'
import { ActionEvent, actionListener } from './actions.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'

export { menuStyles } from '../styles/session-menu.js'

export interface MenuState {
  /** undefined while they are being read. */
  readonly sessions: readonly SessionSummary[] | undefined
  readonly current: string | undefined
  /** The line being renamed or asked about. */
  readonly editing?: { readonly id: string; readonly do: 'rename' | 'delete' }
}

export function sessionMenu(state: MenuState, words: Words, change: (state: MenuState) => void): TemplateResult {
  const { sessions, current } = state
  const edit = (id: string, what: 'rename' | 'delete') => () => {
    change({ sessions, current, editing: { id, do: what } })
  }
  const rest = (): void => {
    change({ sessions, current })
  }
  return html`<div class="sessions" part="sessions" role="dialog" aria-label=${words.conversations}>
    <header>
      <button type="button" class="quiet" title=${words.back} aria-label=${words.back} @click=${actionListener({ do: 'sessions' })}>${icon('back')}</button>
      <h2>${words.conversations}</h2>
      <button type="button" class="quiet" title=${words.newConversation} aria-label=${words.newConversation} @click=${actionListener({ do: 'new-session' })}>${icon('plus')}</button>
    </header>
    ${sessions?.length === 0 ? html`<p class="muted">${words.noConversations}</p>` : nothing}
    <ul>${repeat(
      sessions ?? [],
      (session) => session.id,
      (session) => {
        const editing = state.editing?.id === session.id ? state.editing.do : undefined
        if (editing === 'rename') return html`<li>${renaming(session, words, rest)}</li>`
        if (editing === 'delete') return html`<li>${deleting(session, words, rest)}</li>`
        return html`<li>
        <button type="button" class="session" aria-current=${session.id === current ? 'true' : 'false'} @click=${actionListener({ do: 'open-session', id: session.id })}>
          <span class="title">${session.title ?? words.untitled}</span>
          <span class="muted">${new Date(session.updatedAt).toLocaleString(words.language, { dateStyle: 'medium', timeStyle: 'short' })} · ${words.messages(session.messages)}</span>
        </button>
        <button type="button" class="quiet" title=${words.rename} aria-label=${`${words.rename}: ${session.title ?? words.untitled}`} @click=${edit(session.id, 'rename')}>${icon('pencil')}</button>
        <button type="button" class="quiet" title=${words.remove} aria-label=${`${words.remove}: ${session.title ?? words.untitled}`} @click=${edit(session.id, 'delete')}>${icon('trash')}</button>
      </li>`
      },
    )}</ul>
  </div>`
}

function renaming(session: SessionSummary, words: Words, rest: () => void): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const title = form.querySelector('input')?.value.trim() ?? ''
    if (title !== '') form.dispatchEvent(new ActionEvent({ do: 'rename-session', id: session.id, title }))
    rest()
  }
  return html`<form class="row" @submit=${submit}>
    <input type="text" autocomplete="off" aria-label=${words.rename} .value=${session.title ?? ''} autofocus>
    <button type="submit">${words.save}</button><button type="button" class="quiet" @click=${rest}>${words.cancel}</button>
  </form>`
}

function deleting(session: SessionSummary, words: Words, rest: () => void): TemplateResult {
  return html`<div class="row" role="group" aria-label=${words.removeQuestion}>
    <span>${words.removeQuestion}</span>
    <button type="button" class="danger" @click=${actionListener({ do: 'delete-session', id: session.id })}>${words.remove}</button>
    <button type="button" class="quiet" @click=${rest}>${words.cancel}</button>
  </div>`
}
