// What the buttons of a message open: the text field for editing it, and its time, model and tokens.
import { html, nothing, type TemplateResult } from 'lit'
import type { AssistantMessage, UserMessage, UserPart } from '../../core/data/message.js'
import type { Words } from '../i18n/en.js'
import { iconButton } from '../panel/icon-button.js'
import { ownTextOf } from './own-text.js'

/** What the field for editing needs from the element around it. */
export interface EditOptions {
  /** Files and quotes that the user has removed. */
  readonly removed: readonly UserPart[]
  /** Removes a file or quote. */
  remove(part: UserPart): void
  /** Receives the edited text, trimmed, with the remaining files and quotes. Not called if both are empty. */
  send(input: string | readonly UserPart[]): void
  /** Closes the field. */
  cancel(): void
}

/** The files and quotes of a message. */
export const attachedTo = ({ parts }: UserMessage): UserPart[] =>
  parts.filter((part) => part.type === 'file' || part.name !== undefined)

/** Draws the field with the files and quotes of the message, which can be removed. */
export function editForm(
  message: UserMessage,
  words: Words,
  { removed, remove, send, cancel }: EditOptions,
): TemplateResult {
  const text = ownTextOf(message)
  const others = attachedTo(message).filter((part) => !removed.includes(part))
  const texts = words.actions
  const submit = (event: Event): void => {
    event.preventDefault()
    const form = (event.target as Element).closest('form')
    const edited = form?.querySelector('textarea')?.value.trim() ?? ''
    if (others.length === 0) {
      if (edited !== '') send(edited)
    } else send([...(edited === '' ? [] : [{ type: 'text', text: edited } as const]), ...others])
  }
  const attached = (part: UserPart): TemplateResult => {
    const name = part.name ?? (part.type === 'file' ? part.mediaType : '')
    const title = `${words.attachments.remove}: ${name}`
    const click = ({ currentTarget }: Event): void => {
      // Its button leaves the document.
      ;(currentTarget as Element).closest('form')?.querySelector('textarea')?.focus()
      remove(part)
    }
    return html`<li><span class="line" dir="auto" title=${name}>${name}</span>
      ${iconButton({ name: 'close', title, click })}</li>`
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
    ${others.length === 0 ? nothing : html`<ul aria-label=${words.attachments.attached}>${others.map(attached)}</ul>`}
    <div><button type="button" @click=${cancel}>${texts.cancel}</button>
      <button type="submit" class="primary">${words.send}</button></div>
  </form>`
}

/** When a message was written, in words. */
export const timeOf = (at: number, { language }: Words): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at)

/** Draws when a message was written, by which model, and what it used. */
export function detailsLine({ at, model, usage }: AssistantMessage, words: Words): TemplateResult {
  const texts = words.actions
  const { inputTokens, outputTokens } = usage ?? {}
  const tokens =
    inputTokens === undefined && outputTokens === undefined ? [] : [texts.tokens(inputTokens ?? 0, outputTokens ?? 0)]
  const parts = [timeOf(at, words), ...(model === undefined ? [] : [model]), ...tokens]
  return html`<p class="ending" role="status">${parts.join(' · ')}</p>`
}
