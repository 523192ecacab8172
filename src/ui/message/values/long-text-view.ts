// Draws complete texts of any length. The element that shows long ones is loaded with the first of them.
import { html, type TemplateResult } from 'lit'
import { pieceLength, plainParagraph } from '../text-pieces.js'
import { definePart, type RenderState } from '../../panel/render-context.js'

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

/** Draws text that is not Markdown, in pieces if it is long. */
export function plainView(text: string, renderState: RenderState): TemplateResult {
  return text.length > pieceLength ? longTextView(text, renderState, true) : plainParagraph(text)
}
