// Styles of the files in a message. Loaded with the first one.
import { css } from 'lit'

/** The styles of the files in a message. */
export const fileStyles = css`
.message tool-agent-file { flex-wrap: wrap; }
.message tool-agent-file:not(:has(canvas)) > .line {
  flex: 1 1 0; text-align: -webkit-match-parent; text-align: match-parent;
}
.message tool-agent-file canvas {
  display: block; max-inline-size: 100%; max-block-size: calc(12 * var(--_rem)); border-radius: var(--_box);
  flex: 0 1 auto;
  object-fit: contain;
}
.message tool-agent-file:has(canvas) > .icon { display: none; }
.message tool-agent-file:has(canvas) { flex-direction: column; align-items: flex-start; font-size: .8125em; }
`
