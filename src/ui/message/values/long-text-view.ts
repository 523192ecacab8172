// Draws complete texts of any length.
import { html, type TemplateResult } from 'lit'
import { pieceLength, plainParagraph } from '../text-pieces.js'
import type { RenderState } from '../../panel/render-context.js'

/** Draws a complete text that is longer than a piece; see long-text.ts. */
export const longTextView = (text: string, renderState: RenderState, isPlain: boolean): TemplateResult =>
  html`<tool-agent-text .text=${text} .renderState=${renderState} .plain=${isPlain}></tool-agent-text>`

/** Draws text that is not Markdown, in pieces if it is long. */
export function plainView(text: string, renderState: RenderState): TemplateResult {
  return text.length > pieceLength ? longTextView(text, renderState, true) : plainParagraph(text)
}
