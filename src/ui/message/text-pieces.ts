// How texts of any length are drawn without blocking the page: in pieces of bounded length. The element that shows long
// complete texts is loaded with the first of them.
import { html, type TemplateResult } from 'lit'
import { definePart, type RenderState } from '../panel/render-context.js'

/** Characters per piece. */
export const pieceLength = 100_000
/** Characters that a cut may move back to fall between two lines. */
const slack = 2_000

let loading: Promise<void> | undefined

/** Draws a complete text that is longer than a piece. Empty until the element is loaded. */
export function longTextView(text: string, renderState: RenderState, isPlain: boolean): TemplateResult {
  loading ??= import('./long-text.js').then(
    ({ LongText }) => {
      definePart('tool-agent-text', LongText)
    },
    () => {
      loading = undefined // The next text tries again.
    },
  )
  return html`<tool-agent-text .text=${text} .renderState=${renderState} .plain=${isPlain}></tool-agent-text>`
}

/** Text as it was written: before Markdown is loaded, and if it cannot be loaded. */
export function plainParagraph(text: string): TemplateResult {
  return html`<p class="plain">${text}</p>`
}

/** Draws text that is not Markdown, in pieces if it is long. */
export function plainView(text: string, renderState: RenderState): TemplateResult {
  return text.length > pieceLength ? longTextView(text, renderState, true) : plainParagraph(text)
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
