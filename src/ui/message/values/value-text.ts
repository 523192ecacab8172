// A value in a question. A long one shows its beginning and its end, and the rest on request. Until then the question
// counts as unread, so that nothing in the middle is allowed unseen.
import { html, type PropertyDeclarations, type TemplateResult } from 'lit'
import type { ApprovalWords } from '../../i18n/en.js'
import { endsOf, foldedText } from './shown-text.js'
import { PanelPart, reactiveProperties } from '../../panel/render-context.js'

/** Characters of a value that are shown at once. */
const mostShown = 300
/** Characters of the beginning and of the end of a longer value. */
const shownEnds = [180, 90] as const

/** A long value, cut in its middle until the user opens it. */
export class CutValue extends PanelPart {
  /** Set by the templates of the question. */
  static override properties: PropertyDeclarations = reactiveProperties('text', 'words', 'isOpen')
  /** The whole value. */
  declare text: string
  /** The words of the question. */
  declare words: ApprovalWords
  /** The whole value is shown. */
  declare isOpen: boolean

  constructor() {
    super()
    this.isOpen = false
  }

  /** Draws the ends of the value, or all of it. */
  protected override render(): TemplateResult {
    const { text, words } = this
    if (this.isOpen) return html`<span class="whole" tabindex="-1">${text}</span>`
    const { head, tail } = endsOf(text, ...shownEnds)
    return html`${head}<span class="cut"><button type="button" class="quiet"
      @click=${this.#open}>… ${words.showAll(text.length)} …</button></span>${tail}`
  }

  /** The button disappears, so the keyboard focus goes to the text. */
  #open = async (event: Event): Promise<void> => {
    const hasFocus = (event.currentTarget as Element).matches(':focus')
    this.isOpen = true
    await this.updateComplete
    if (hasFocus) this.querySelector<HTMLElement>('.whole')?.focus({ preventScroll: true })
  }
}

/** Draws a value, with repeated line breaks folded. */
export function valueText(value: string, words: ApprovalWords): string | TemplateResult {
  const text = foldedText(value)
  return text.length > mostShown ? html`<tool-agent-value .text=${text} .words=${words}></tool-agent-value>` : text
}
