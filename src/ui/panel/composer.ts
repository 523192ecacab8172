// Where the user writes. Keeps the text, so that typing draws nothing else again, and takes it back when it was not sent.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { repeat } from 'lit/directives/repeat.js'
import { ActionEvent, actionListener } from './actions.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { PanelPart } from './render-context.js'

export class Composer extends PanelPart {
  static override properties: PropertyDeclarations = {
    words: { attribute: false },
    busy: { attribute: false },
    placeholder: { attribute: false },
    queue: { attribute: false },
    text: { state: true },
  }
  declare words: Words
  /** A turn is running: there is something to stop. */
  declare busy: boolean
  declare placeholder: string
  declare queue: readonly { readonly turn: string; readonly text: string }[]
  declare text: string

  constructor() {
    super()
    this.text = ''
  }

  /** Puts a text that was not sent before what has been typed since, and behind others that came back. */
  restore(text: string): void {
    const typed = this.text.slice(this.#returned.length).trimStart()
    this.#returned = joined(this.#returned, text)
    this.text = joined(this.#returned, typed)
  }

  focusField(): void {
    this.querySelector('textarea')?.focus()
  }

  protected override render(): TemplateResult {
    const { words, busy, text } = this
    return html`
      ${
        this.queue.length === 0
          ? nothing
          : html`<ul class="queue">${repeat(
              this.queue,
              ({ turn }) => turn,
              ({ turn, text: waiting }) => html`<li class="queued">
        <span class="muted">${words.queued}</span><span class="line">${waiting}</span>
        <button type="button" class="quiet" title=${words.takeBack} aria-label=${`${words.takeBack}: ${waiting}`} @click=${actionListener({ do: 'take-back', turn })}>${icon('close')}</button>
      </li>`,
            )}</ul>`
      }
      <div class="field" part="composer">
        <div class="grow" data-text=${text}>
          <textarea rows="1" part="input" aria-label=${this.placeholder} placeholder=${this.placeholder} enterkeyhint="send"
            .value=${live(text)} @input=${this.#input} @keydown=${this.#keydown}></textarea>
        </div>
        ${busy ? html`<button type="button" class="round stop" title=${words.stop} aria-label=${words.stop} @click=${actionListener({ do: 'stop' })}>${icon('stop')}</button>` : nothing}
        ${
          busy && text.trim() === ''
            ? nothing
            : html`<button type="button" class="round send" title=${words.send} aria-label=${words.send}
          aria-disabled=${text.trim() === '' ? 'true' : 'false'} @click=${this.#send}>${icon('send')}</button>`
        }
      </div>`
  }

  /** Had the focus before this was drawn. */
  #focused: Element | null = null
  /** What came back since the user has last typed. */
  #returned = ''

  protected override willUpdate(): void {
    const root = this.getRootNode()
    this.#focused =
      root instanceof ShadowRoot && root.activeElement !== null && this.contains(root.activeElement)
        ? root.activeElement
        : null
  }

  protected override updated(): void {
    // The button that had the focus is gone: keep it inside the panel.
    if (this.#focused?.isConnected === false) this.focusField()
    this.#focused = null
  }

  #input = (event: Event): void => {
    this.text = (event.currentTarget as HTMLTextAreaElement).value
    this.#returned = ''
  }

  #keydown = (event: KeyboardEvent): void => {
    // 229: the Enter that ends a composition in WebKit, where isComposing is false again already.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return
    event.preventDefault()
    this.#send()
  }

  #send = (): void => {
    const text = this.text.trim()
    if (text === '') return
    this.text = this.#returned = ''
    this.focusField()
    this.dispatchEvent(new ActionEvent({ do: 'send', text }))
  }
}

const joined = (...texts: string[]): string => texts.filter((text) => text !== '').join('\n\n')
