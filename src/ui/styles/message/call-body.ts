// Styles of the bodies of tool call cards, and of lists with names and values.
import { css } from 'lit'

/** The styles of lists with names and values. */
export const valueStyles = css`
dl {
  display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr);
  gap: calc(.25 * var(--_rem)) calc(.9 * var(--_rem));
}
dt { color: var(--_muted); overflow-wrap: anywhere; }
/* On the side of its label, whatever the direction of its own text. */
dd {
  min-inline-size: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  text-align: -webkit-match-parent; text-align: match-parent;
}
:is(dt, dd).whole-line { grid-column: 1 / -1; }
dd.whole-line { margin-block-start: calc(-.2 * var(--_rem)); }
dd pre { padding: .35em .6em; background: var(--_surface); border-radius: var(--_corner); }
`

/** The styles of the bodies of cards. */
export const bodyStyles = css`
.body del { color: var(--_muted); }
.call .name { color: var(--_muted); }
.body section { min-inline-size: 0; }
.body .label { font-size: .8125em; font-weight: 600; color: var(--_muted); margin-block-end: calc(.2 * var(--_rem)); }
.technical > :not(summary) { margin-block-start: calc(.6 * var(--_rem)); }
.technical pre {
  background: var(--_surface); border-radius: var(--_corner); padding: .5em .7em;
  max-block-size: calc(18 * var(--_rem));
}
.child { padding-inline-start: calc(.75 * var(--_rem)); border-inline-start: 2px solid var(--_line); }
.child .message { margin: calc(.5 * var(--_rem)) 0; padding-inline: 0; content-visibility: visible; }
.child .copy { display: none; }
`
