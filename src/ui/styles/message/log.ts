// Styles of the list of messages while it is empty. Those of the messages load with the first one.
import { css } from 'lit'

/** The styles of the scrolling list and of the greeting. */
export const logStyles = css`
.log { flex: 1 1 calc(9 * var(--_rem)); min-inline-size: 0; min-block-size: calc(5 * var(--_rem)); overflow-y: auto;
  overscroll-behavior: contain; scrollbar-width: thin; }
/*
 * At the end the list follows by itself, and the browser must not scroll up when something above shrinks: that would
 * look like the user's scrolling. The place is kept for a reader who has scrolled away.
 */
.log:not([data-away]) { overflow-anchor: none; }
.log:focus-visible { outline-offset: -2px; }
.messages {
  display: flex; flex-direction: column; gap: calc(var(--_rem) * var(--_density)); min-block-size: 100%;
  padding: calc(1.1 * var(--_rem) * var(--_density)); max-inline-size: calc(52 * var(--_rem)); margin-inline: auto;
}
/* While a conversation is loading: where its end will be. Appears late, because that rarely takes long. The dots are
   for forced colours, which draw no background. */
.messages:empty::before, .messages:empty::after {
  content: '…'; color: transparent; animation: enter .2s .2s backwards;
}
.messages:empty::before {
  margin-block-start: auto; align-self: end; inline-size: 45%; block-size: 2.6em; border-radius: 16px;
  background: var(--_surface);
}
.messages:empty::after {
  margin-inline-end: 15%; block-size: 4.4em;
  background: repeating-linear-gradient(var(--_surface) 0 .9em, transparent 0 1.75em);
}
/* The greeting and what one can ask stand together, near the thumb and the field. */
.empty {
  flex: 1; display: flex; flex-direction: column; align-items: flex-start; justify-content: flex-end; gap: var(--_rem);
}
/* The texts of the page may have another direction than the panel. */
.empty * { unicode-bidi: plaintext; }
.greeting { font-size: 1.5em; font-weight: 650; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
.suggestions { display: grid; gap: calc(.5 * var(--_rem)); justify-items: start; }
.suggestion { border-radius: var(--tool-agent-radius-control, 14px); padding: .55em 1.1em; text-align: start; }
`
