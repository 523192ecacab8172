// The list of conversations: open, rename, delete, or start one. Loaded when it is first opened.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { SessionSummary } from '../../core/data/session.js'
import { ActionEvent, actionListener } from './actions.js'
import { iconButton } from './icon-button.js'
import type { IconName } from '../styles/icons.js'
import { menuWords, type MenuWords } from '../i18n/en-menu.js'
import type { Words } from '../i18n/en.js'

export { menuStyles } from '../styles/session-menu.js'

/** What the menu shows. */
export interface MenuState {
  /** Undefined while the list is loading. */
  readonly sessions: readonly SessionSummary[] | undefined
  /** The id of the open conversation. */
  readonly current: string | undefined
  /** The conversation that is being renamed, or whose deletion is being confirmed. */
  readonly editing?: { readonly id: string; readonly do: 'rename' | 'delete' }
}

/** Draws the menu. `change` receives the next state; everything else is an `ActionEvent`. */
export function sessionMenu(state: MenuState, common: Words, change: (state: MenuState) => void): TemplateResult {
  const words = { ...common, ...menuWords, ...common.menu }
  const { sessions, current } = state
  const edit = (id: string, what: 'rename' | 'delete') => () => {
    change({ sessions, current, editing: { id, do: what } })
  }
  const stopEditing = (): void => {
    change({ sessions, current })
  }
  return html`<div class="sessions" part="sessions" role="dialog" aria-label=${words.conversations}>
    <header>
      ${iconButton({ name: 'back', title: words.back, click: { do: 'sessions' } })}
      <h2>${words.conversations}</h2>
      ${iconButton({ name: 'plus', title: words.newConversation, click: { do: 'new-session' } })}
    </header>
    ${sessions?.length === 0 ? html`<p class="muted">${words.noConversations}</p>` : nothing}
    <ul>${repeat(
      sessions ?? [],
      (session) => session.id,
      (session) => {
        const editing = state.editing?.id === session.id ? state.editing.do : undefined
        if (editing === 'rename') return html`<li>${renameForm(session, words, stopEditing)}</li>`
        if (editing === 'delete') return html`<li>${deleteForm(session, words, stopEditing)}</li>`
        const { id, title = words.untitled, updatedAt, messages } = session
        const date = new Date(updatedAt).toLocaleString(words.language, { dateStyle: 'medium', timeStyle: 'short' })
        const editButton = (name: IconName, what: string, click: () => void): TemplateResult =>
          iconButton({ name, title: what, label: `${what}: ${title}`, click })
        return html`<li>
        <button type="button" class="session" part="session" aria-current=${id === current}
          @click=${actionListener({ do: 'open-session', id })}>
          <span class="title">${title}</span>
          <span class="muted">${date} · ${words.messages(messages)}</span>
        </button>
        ${editButton('pencil', words.rename, edit(id, 'rename'))}
        ${editButton('trash', words.remove, edit(id, 'delete'))}
      </li>`
      },
    )}</ul>
  </div>`
}

function renameForm(session: SessionSummary, words: MenuWords, stopEditing: () => void): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const title = form.querySelector('input')?.value.trim() ?? ''
    if (title !== '') form.dispatchEvent(new ActionEvent({ do: 'rename-session', id: session.id, title }))
    stopEditing()
  }
  return html`<form class="row" @submit=${submit}>
    <input type="text" autocomplete="off" aria-label=${words.rename} .value=${session.title ?? ''} autofocus>
    <button type="submit">${words.save}</button>
    <button type="button" class="quiet" @click=${stopEditing}>${words.cancel}</button>
  </form>`
}

function deleteForm(session: SessionSummary, words: MenuWords, stopEditing: () => void): TemplateResult {
  return html`<div class="row" role="group" aria-label=${words.removeQuestion}>
    <span>${words.removeQuestion}</span>
    <button type="button" class="danger"
      @click=${actionListener({ do: 'delete-session', id: session.id })}>${words.remove}</button>
    <button type="button" class="quiet" @click=${stopEditing}>${words.cancel}</button>
  </div>`
}
