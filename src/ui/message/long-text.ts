// Long texts, drawn in pieces of bounded length: the browser needs a minute to lay out four million characters, and
// lays them out again whenever the panel changes.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { PanelPart, type RenderState } from '../panel/render-context.js'

/** Characters drawn at once. */
export const pieceLength = 100_000
/** How far from its place a cut may move to fall between two lines. */
const slack = 2_000

/** Shows the beginning of a complete text; each press of a button shows one more piece. */
export class LongText extends PanelPart {
  static override properties: PropertyDeclarations = {
    text: { attribute: false },
    look: { attribute: false },
    plain: { attribute: false },
    pieces: { state: true },
  }
  declare text: string
  declare look: RenderState
  /** The text is not Markdown. */
  declare plain: boolean
  /** How many pieces are shown. */
  declare pieces: number

  constructor() {
    super()
    this.pieces = 1
  }

  protected override render(): unknown {
    const {
      text,
      look: { markdown, words },
    } = this
    const shown: string[] = []
    let end = 0
    while (shown.length < this.pieces && end < text.length) {
      const start = end
      end = cutBefore(text, start + pieceLength)
      shown.push(text.slice(start, end))
    }
    const left = text.length - end
    return [
      shown.map((piece) =>
        guard(
          [piece, markdown],
          () =>
            html`<div class="text" tabindex="-1">${
              (this.plain ? undefined : markdown?.whole(piece)) ?? unreadLength(piece)
            }</div>`,
        ),
      ),
      left > 0
        ? html`<button type="button" class="quiet more" @click=${this.#more}>${words.more(left)}</button>`
        : nothing,
    ]
  }

  /** Reading goes on where the new piece begins; the button may be gone. */
  #more = async (): Promise<void> => {
    this.pieces++
    await this.updateComplete
    this.querySelector<HTMLElement>('.text:nth-last-of-type(1)')?.focus({ preventScroll: true })
  }
}

/** As it was written: until the Markdown part is loaded, and if it cannot be. */
export function unreadLength(text: string): TemplateResult {
  return html`<p class="plain">${text}</p>`
}

/** A text that is not Markdown. */
export function plainView(text: string, look: RenderState): TemplateResult {
  return text.length > pieceLength
    ? html`<tool-agent-text .text=${text} .look=${look} .plain=${true}></tool-agent-text>`
    : unreadLength(text)
}

/**
 * Where the drawn end of a text begins that is still being written: between half a piece and a whole one before its
 * end. It moves in steps of half a piece, so that nearly every delta extends what is drawn already.
 */
export function drawnFrom(text: string): number {
  const half = pieceLength / 2
  return text.length <= pieceLength ? 0 : cutBefore(text, Math.floor((text.length - half) / half) * half)
}

/** A cut at this place, or at the end of a line close before it; never inside a surrogate pair. */
function cutBefore(text: string, place: number): number {
  if (place >= text.length) return text.length
  const line = text.lastIndexOf('\n', place - 1) + 1
  return line > place - slack ? line : /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place
}
