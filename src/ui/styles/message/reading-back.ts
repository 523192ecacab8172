// Styles of what a user needs who has scrolled away from the end.
import { css } from 'lit'

/** The styles of the list that is scrolled back, and of the button that returns to the end. */
export const readingStyles = css`
.log[data-restoring] { overflow-anchor: none; }
.latest {
  position: absolute; inset-block-end: calc(.5 * var(--_rem)); inset-inline: 0; margin-inline: auto;
  inline-size: fit-content;
  display: flex; align-items: center; gap: .4em; min-block-size: 2.2em; border-radius: 99px; font-size: .9em;
  box-shadow: 0 2px 10px rgb(0 0 0 / .18);
}
`
