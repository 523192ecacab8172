// How texts of any length are drawn without blocking the page: in pieces of bounded length. values/long-text.ts
// draws complete ones.
import { html, type TemplateResult } from 'lit'

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
export function cutBefore(text: string, place: number): number {
  if (place >= text.length) return text.length
  const line = text.lastIndexOf('\n', place - 1) + 1
  if (line > place - slack) return line
  return /[\udc00-\udfff]/.test(text.charAt(place)) ? place - 1 : place
}
