// What the buttons of a message open: the text field for editing it, and its time, model and tokens.
import { html, type TemplateResult } from 'lit'
import type { AssistantMessage, UserMessage, UserPart } from '../../core/data/message.js'
import type { Words } from '../i18n/en.js'
import { ownTextOf } from './own-text.js'

/** Draws the field. `send` receives the edited text, trimmed and not empty, with the files and quotes of a message. */
export function editForm(
  message: UserMessage,
  words: Words,
  { send, cancel }: { readonly send: (input: string | readonly UserPart[]) => void; readonly cancel: () => void },
): TemplateResult {
  const text = ownTextOf(message)
  const others = message.parts.filter((part) => part.type === 'file' || part.name !== undefined)
  const texts = words.actions
  const submit = (event: Event): void => {
    event.preventDefault()
    const form = (event.target as Element).closest('form')
    const edited = form?.querySelector('textarea')?.value.trim() ?? ''
    if (edited !== '') send(others.length === 0 ? edited : [{ type: 'text', text: edited }, ...others])
  }
  const onKeydown = (event: KeyboardEvent): void => {
    // In WebKit, isComposing is already false for the Enter that ends a composition; its key code is 229.
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'Enter' && !event.shiftKey) submit(event)
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    cancel()
  }
  return html`<form class="edit-form" @submit=${submit} @keydown=${onKeydown}>
    <textarea rows=${Math.min(8, text.split('\n').length + 1)} dir="auto" aria-label=${texts.edit}
      .value=${text}></textarea>
    <div><button type="button" @click=${cancel}>${texts.cancel}</button>
      <button type="submit" class="primary">${words.send}</button></div>
  </form>`
}

/** Draws when a message was written, by which model, and what it used. */
export function detailsLine({ at, model, usage }: AssistantMessage, words: Words): TemplateResult {
  const texts = words.actions
  const time = new Intl.DateTimeFormat(words.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at)
  const { inputTokens, outputTokens } = usage ?? {}
  const tokens =
    inputTokens === undefined && outputTokens === undefined ? [] : [texts.tokens(inputTokens ?? 0, outputTokens ?? 0)]
  const parts = [time, ...(model === undefined ? [] : [model]), ...tokens]
  return html`<p class="ending" role="status">${parts.join(' · ')}</p>`
}
