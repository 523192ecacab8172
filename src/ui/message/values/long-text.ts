// Draws texts of any length without blocking the page: in pieces of bounded length. A browser needs a minute to lay out
// four million characters, and does so again whenever the panel changes.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { textsOf } from '../message-texts.js'
import { PanelPart, reactiveProperties, type RenderState } from '../../panel/render-context.js'

/** Characters per piece. */
export const pieceLength = 100_000
/** Characters that a cut may move back to fall between two lines. */
const slack = 2_000

/** Text as it was written: before Markdown is loaded, and if it cannot be loaded. */
export function plainParagraph(text: string): TemplateResult {
  return html`<p class="plain">${text}</p>`
}

/**
 * The index where the drawn part of a streaming text starts: 0, or between half a piece and one piece before the end.
 * It moves in steps of half a piece, so that nearly every delta only extends what is drawn.
 */
export function drawnFrom(text: string): number {
  const half = pieceLength / 2
  return text.length <= pieceLength ? 0 : cutBefore(text, Math.floor((text.length - half) / half) * half)
}

/** The index of a cut at `place`, or after the last line that ends shortly before. Never inside a surrogate pair. */
function cutBefore(text: string, place: number): number {
  if (place >= text.length) return text.length
  const line = text.lastIndexOf('\n', place - 1) + 1
  if (line > place - slack) return line
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place
}

/** Shows the first piece of a complete text, and a button that shows one more piece. */
export class LongText extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties('text', 'renderState', 'plain', 'pieces')
  /** The complete text. */
  declare text: string
  /** Words and Markdown. */
  declare renderState: RenderState
  /** True for text that is not Markdown. */
  declare plain: boolean
  /** The number of pieces shown. */
  declare pieces: number

  constructor() {
    super()
    this.pieces = 1
  }

  /** Draws the first pieces. A piece is drawn again only when Markdown has been loaded. */
  protected override render(): unknown {
    const {
      text,
      renderState: { markdown, words },
    } = this
    const shown: string[] = []
    let end = 0
    while (shown.length < this.pieces && end < text.length) {
      const start = end
      end = cutBefore(text, start + pieceLength)
      shown.push(text.slice(start, end))
    }
    const remaining = text.length - end
    return [
      shown.map((piece) =>
        guard(
          [piece, markdown],
          () =>
            html`<div class="text" tabindex="-1">${
              (this.plain ? undefined : markdown?.render(piece)) ?? plainParagraph(piece)
            }</div>`,
        ),
      ),
      remaining > 0
        ? html`<button type="button" class="quiet more" @click=${this.#more}>${textsOf(words).more(remaining)}</button>`
        : nothing,
    ]
  }

  /** Moves the focus to the start of the new piece, because the button may be removed. */
  #more = async (): Promise<void> => {
    this.pieces++
    await this.updateComplete
    this.querySelector<HTMLElement>('.text:nth-last-of-type(1)')?.focus({ preventScroll: true })
  }
}

/** Draws a complete text that is longer than a piece. */
export const longTextView = (text: string, renderState: RenderState, isPlain: boolean): TemplateResult =>
  html`<tool-agent-text .text=${text} .renderState=${renderState} .plain=${isPlain}></tool-agent-text>`

/** Draws text that is not Markdown, in pieces if it is long. */
export function plainView(text: string, renderState: RenderState): TemplateResult {
  return text.length > pieceLength ? longTextView(text, renderState, true) : plainParagraph(text)
}
