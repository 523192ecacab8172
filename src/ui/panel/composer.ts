// The text field with its buttons and the queued messages. Keeps the text itself, so that typing draws nothing else,
// and unsent text in the session storage of the tab: over a reload, a navigation and the turn of another user.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { ActionEvent } from './actions.js'
import { icon } from '../styles/icons.js'
import { iconButton } from './icon-button.js'
import type { Words } from '../i18n/en.js'
import { PanelPart, reactiveProperties, type QueuedMessage } from './render-context.js'

/** Dispatches `send`, `stop` and `drop` as `ActionEvent`s. */
export class Composer extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties('words', 'busy', 'placeholder', 'queue', 'text')
  /** The words of the panel's language. */
  declare words: Words
  /** A turn is running, so there is a stop button. */
  declare busy: boolean
  /** The text in the empty field; also its label. */
  declare placeholder: string
  /** Messages that wait for the running turn to end. */
  declare queue: readonly QueuedMessage[]
  /** What the user has typed. */
  declare text: string

  constructor() {
    super()
    this.text = ''
  }

  /** Puts an unsent text back: after other restored texts, and before what the user has typed since. */
  restore(text: string): void {
    const typed = this.text.slice(this.#restored.length).trimStart()
    this.#restored = joinTexts(this.#restored, text)
    this.text = joinTexts(this.#restored, typed)
  }

  /** Empties the field, if it has this restored text and the user has not typed since. Returns whether it did. */
  takeRestored(text: string): boolean {
    if (this.#restored === '' || this.text !== text) return false
    this.text = this.#restored = ''
    return true
  }

  /** Moves the focus to the text field. */
  focusField(): void {
    this.querySelector('textarea')?.focus()
  }

  /** Draws the queue, the field and its buttons. */
  protected override render(): TemplateResult {
    const { words, busy, text } = this
    return html`
      ${
        this.queue.length === 0
          ? nothing
          : html`<ul class="queue" part="queue">${repeat(
              this.queue,
              ({ turn }) => turn,
              ({ turn, text: queued }) => html`<li class="queued" part="queued">
        <span class="muted">${words.queued}</span><span class="line" dir="auto">${queued}</span>
        ${iconButton({
          name: 'close',
          title: `${words.unqueue}: ${queued}`,
          click: { do: 'drop', turn },
        })}
      </li>`,
            )}</ul>`
      }
      <div class="field" part="composer">
        <div class="grow" data-text=${text}>
          <textarea rows="1" part="input" aria-label=${this.placeholder} placeholder=${this.placeholder}
            enterkeyhint="send" @input=${this.#onInput} @keydown=${this.#onKeydown}></textarea>
        </div>
        ${busy ? iconButton({ name: 'stop', title: words.stop, kind: 'round stop', click: { do: 'stop' } }) : nothing}
        ${
          busy && text.trim() === ''
            ? nothing
            : html`<button type="button" class="round send" part="round send" title=${words.send}
          aria-disabled=${text.trim() === ''} @click=${this.#send}>${icon('send')}</button>`
        }
      </div>`
  }

  /** The element that had the focus before the update. */
  #focused: Element | null = null
  /** Restored texts since the user's last input. */
  #restored = ''

  /** Remembers which element of the composer has the focus. */
  protected override willUpdate(): void {
    const root = this.getRootNode()
    this.#focused =
      root instanceof ShadowRoot && root.activeElement !== null && this.contains(root.activeElement)
        ? root.activeElement
        : null
  }

  /** Copies `text` to the field, and keeps the focus inside the composer. */
  protected override updated(changed: PropertyValues<this>): void {
    // Not in the template: the user's typing changes the field without an update.
    const field = this.querySelector('textarea')
    if (field !== null && field.value !== this.text) field.value = this.text
    // Measuring takes time, and an answer that streams draws the composer often.
    if (field !== null && changed.has('text')) this.#widen(field)
    // The button with the focus was removed: keep the focus inside the panel.
    if (this.#focused?.isConnected === false) this.focusField()
    this.#focused = null
  }

  /** How long the text was when it needed a second line; undefined while it has one. */
  #wideFrom: number | undefined

  /** From two lines on, the text has the whole width and the buttons are below. Until it fits beside them again. */
  #widen(field: HTMLTextAreaElement): void {
    if (this.#wideFrom !== undefined && this.text.length < this.#wideFrom) this.#wideFrom = undefined
    // Measuring an empty field would delay the message that was just sent.
    if (this.#wideFrom === undefined && this.text !== '') {
      const lineHeight = parseFloat(getComputedStyle(field).lineHeight)
      if (field.offsetHeight > 2 * lineHeight) this.#wideFrom = this.text.length
    }
    this.querySelector('.field')?.toggleAttribute('data-wide', this.#wideFrom !== undefined)
  }

  /** From now on, restored texts count as the user's own. */
  #onInput = (event: Event): void => {
    this.text = (event.currentTarget as HTMLTextAreaElement).value
    this.#restored = ''
  }

  /** Enter sends; Shift+Enter starts a new line. Arrow up in an empty field brings the last message back. */
  #onKeydown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowUp' && this.text === '') this.dispatchEvent(new ActionEvent({ do: 'recall' }))
    // In WebKit, isComposing is already false for the Enter that ends a composition; its key code is 229.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    this.#send()
  }

  /** Sends the trimmed text and empties the field. Does nothing for an empty text. */
  #send = (): void => {
    const text = this.text.trim()
    if (text === '') return
    this.text = this.#restored = ''
    this.focusField()
    this.dispatchEvent(new ActionEvent({ do: 'send', text }))
  }
}

/** The texts that are not empty, as paragraphs. */
export const joinTexts = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n\n')

const key = (scope: string): string => `tool-agent:unsent:${scope}`

/** Stores the text for the next panel of the scope in this tab. An empty text removes it. */
export function saveDraft(scope: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key(scope))
    else sessionStorage.setItem(key(scope), text)
  } catch {
    // A sandboxed page has no storage, so the text is lost with the page.
  }
}

/** Returns the stored text and removes it; an empty string if there is none. */
export function restoreDraft(scope: string): string {
  try {
    const text = sessionStorage.getItem(key(scope)) ?? ''
    sessionStorage.removeItem(key(scope))
    return text
  } catch {
    return '' // A sandboxed page has no storage.
  }
}
