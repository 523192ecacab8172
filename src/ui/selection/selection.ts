// Asking about text that the user has selected on the page: a button above the text field, and the quotes that it adds
// to the message. Loaded with the first selection. The model reads a quote as untrusted text of the page.
import { insertNodes } from '../element/nodes.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { html, nothing, render, type ReactiveController } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { TextPart, UserPart } from '../../core/data/message.js'
import { fenceUntrusted } from '../../core/prompt/cut-and-fence.js'
import type { AgentElement } from '../element/agent-element.js'
import type { SelectionWords } from '../i18n/en.js'
import { ActionEvent, sentCheck, type PanelAction } from '../panel/actions.js'
import type { Composer } from '../panel/composer.js'
import { iconButton } from '../panel/icon-button.js'
import { adoptStyles, type PanelPart } from '../panel/render-context.js'
import { icon } from '../styles/icons.js'
import { selectionStyles } from '../styles/selection.js'

const quoteMark = 'M5 6h14M5 11h9M5 16h6m6-3v7m-3.5-3.5h7'
/** Milliseconds. A selection changes with each movement of the pointer, and reading it takes time. */
const settleTime = 150
/** Quotes of one message. */
const mostQuotes = 5
/** Characters of a quote that the message shows. The model reads all of it. */
const shownLength = 120

const offers = new WeakMap<PanelPart, SelectionOffer>()

/**
 * Offers to ask about a selection of the page.
 * @param range A copy of the selected range.
 */
export async function offerSelection(panel: PanelPart, range: Range): Promise<void> {
  await panel.updateComplete
  const composer = panel.querySelector('tool-agent-composer')
  const root = panel.getRootNode()
  if (composer === null || !(root instanceof ShadowRoot)) return
  await composer.updateComplete
  let offer = offers.get(panel)
  if (offer === undefined) {
    offers.set(panel, (offer = new SelectionOffer(composer, root.host as AgentElement)))
    composer.addController(offer)
  }
  offer.consider(range)
}

/** The button and the quotes of one composer. */
class SelectionOffer implements ReactiveController {
  readonly #composer: Composer
  readonly #element: AgentElement
  readonly #box = unclobbered(document).createElement('div')
  readonly #status = unclobbered(document).createElement('p')
  #timer: ReturnType<typeof setTimeout> | undefined
  #endTimer: ReturnType<typeof setTimeout> | undefined
  /** The selected text; '' if there is none. */
  #offered = ''
  #quotes: readonly string[] = []
  /** A message with its quotes, on its way to the panel. */
  #sent: ActionEvent | undefined

  constructor(composer: Composer, element: AgentElement) {
    this.#composer = composer
    this.#element = element
    adoptStyles(element, selectionStyles)
    this.#box.className = 'selection'
    this.#status.className = 'unseen'
    this.#status.role = 'status'
    const field = composer.querySelector('.field')
    insertNodes(field?.parentNode, field, this.#box, this.#status)
    // Before the panel's own listener.
    composer.addEventListener('action', this.#onAction)
  }

  /** Called by Lit. */
  hostConnected(): void {
    addEventListener('selectionchange', this.#onChange, true)
  }

  /** Called by Lit. */
  hostDisconnected(): void {
    removeEventListener('selectionchange', this.#onChange, true)
    clearTimeout(this.#timer)
    clearTimeout(this.#endTimer)
  }

  /** Called by Lit when the composer was drawn, for example in another language. */
  hostUpdated(): void {
    this.#draw()
  }

  /** Reads the range when it no longer changes. */
  consider(range: Range): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      import('../../page-tools/implementation.js').then(
        ({ selectedText }) => {
          const text = selectedText(range)
          this.#offer(this.#element.selection === 'off' || this.#quotes.includes(text) ? '' : text)
        },
        () => {}, // Without it nothing is offered, and the next selection tries again.
      )
    }, settleTime)
  }

  /** The selection also ends when the user moves to the panel, or opens it, and then the offer must stay. */
  readonly #onChange = (): void => {
    if (getSelection()?.type === 'Range' || this.#hasFocus) return
    clearTimeout(this.#endTimer)
    this.#endTimer = setTimeout(() => {
      if (getSelection()?.type === 'Range' || this.#hasFocus) return
      clearTimeout(this.#timer)
      this.#offer('')
    }, settleTime)
  }

  /** Not `:focus-within`, which Chromium 156 does not match on the host of the focused field. */
  get #hasFocus(): boolean {
    return (this.#element.shadowRoot?.activeElement ?? null) !== null
  }

  get #words(): SelectionWords {
    return this.#composer.words.selection
  }

  #offer(text: string): void {
    this.#offered = text
    this.#draw()
  }

  #draw(): void {
    const words = this.#words
    const canAsk = this.#offered !== '' && this.#quotes.length < mostQuotes
    render(
      [
        this.#quotes.length === 0
          ? nothing
          : html`<ul aria-label=${words.quoted}>${repeat(
              this.#quotes,
              (quote) => quote,
              (quote) =>
                html`<li part="quote"><q dir="auto" title=${shortened(quote)}>${quote}</q>${iconButton({
                  name: 'close',
                  title: `${words.remove}: ${shortened(quote)}`,
                  click: () => this.#remove(quote),
                })}</li>`,
            )}</ul>`,
        canAsk
          ? html`<button type="button" part="ask-selection" class="ask-selection" title=${shortened(this.#offered)}
              @click=${this.#ask}>${icon(quoteMark)}${words.ask}</button>`
          : nothing,
      ],
      this.#box,
    )
  }

  readonly #ask = (): void => {
    this.#quotes = [...this.#quotes, this.#offered]
    this.#offer('')
    this.#status.textContent = this.#words.added
    this.#composer.focusField()
  }

  #remove(quote: string): void {
    this.#quotes = this.#quotes.filter((one) => one !== quote)
    this.#draw()
    this.#status.textContent = this.#words.removed
    this.#composer.focusField()
  }

  /** Adds the quotes to a message that is about to be sent, after its text and its files. */
  readonly #onAction = (event: Event): void => {
    if (!(event instanceof ActionEvent) || event === this.#sent) return
    const { action } = event
    if (action.do !== 'send' || this.#quotes.length === 0) return
    event.stopImmediatePropagation()
    this.#sent = new ActionEvent(this.#withQuotes(action))
    this.#quotes = []
    this.#status.textContent = ''
    this.#composer.dispatchEvent(this.#sent)
    this.#draw()
  }

  #withQuotes(action: Extract<PanelAction, { readonly text: string }>): PanelAction {
    const quotes = this.#quotes
    const input: readonly UserPart[] = [
      ...(action.input ?? [{ type: 'text', text: action.text } as const]),
      ...quotes.map(quotePart),
    ]
    const isSent = sentCheck(this.#element, input)
    return {
      do: 'send',
      text: action.text,
      input,
      restore: () => {
        // A turn that started has the message in the transcript.
        if (isSent()) return
        this.#quotes = [...quotes, ...this.#quotes]
        if (action.restore) action.restore()
        else this.#composer.restore(action.text)
        this.#draw()
      },
    }
  }
}

/** A quote as a part of a message. Its name is what the message shows. */
function quotePart(quote: string): TextPart {
  const boundary = crypto.getRandomValues(new Uint32Array(2)).join('')
  return {
    type: 'text',
    text: `The user asks about this text, which they selected on the page:\n${fenceUntrusted(quote, boundary)}`,
    name: `“${shortened(quote)}”`,
  }
}

function shortened(quote: string): string {
  const line = quote.replaceAll('\n', ' ')
  return line.length <= shownLength ? line : `${line.slice(0, shownLength).replace(/\s\S*$/, '')} …`
}
