// Styles of tables in Markdown.
import { css } from 'lit'

/** The styles of tables. */
export const tableStyles = css`
/* Shadows at the edges that have more. The first two backgrounds scroll with the table and cover them at its ends. */
.scroll {
  --_shade: light-dark(rgb(0 0 0 / .2), rgb(255 255 255 / .22));
  overflow-x: auto; max-inline-size: 100%; border: 1px solid var(--_line); border-radius: var(--_box);
  background:
    linear-gradient(to right, var(--_bg) 40%, transparent) 0 0 / calc(2.5 * var(--_rem)) 100% no-repeat local,
    linear-gradient(to left, var(--_bg) 40%, transparent) 100% 0 / calc(2.5 * var(--_rem)) 100% no-repeat local,
    linear-gradient(to right, var(--_shade), transparent) 0 0 / calc(.8 * var(--_rem)) 100% no-repeat scroll,
    linear-gradient(to left, var(--_shade), transparent) 100% 0 / calc(.8 * var(--_rem)) 100% no-repeat scroll;
}
/* The button that copies is on the upper edge, where it covers no cell, for a pointer or a finger on the table. */
.table { position: relative; }
.table > tool-agent-copy {
  position: absolute; inset-block-end: calc(100% - .3 * var(--_rem)); inset-inline-end: calc(.5 * var(--_rem));
}
.table > tool-agent-copy:empty { display: none; }
.table .copy { background: var(--_bg); border-color: var(--_line); padding: .15em; }
.table .copy:hover { background: var(--_surface); }
.table .copy { opacity: 0; transition: opacity .1s; }
.table:hover .copy, .table .copy:is(:focus-visible, [data-copied]) { opacity: 1; }
/* A finger on the line above means that line. */
@media (hover: none) {
  .table .copy:not(:focus) { pointer-events: none; }
  [data-tapped] .table .copy { opacity: 1; pointer-events: auto; }
}
.text table { border-collapse: collapse; inline-size: 100%; font-size: .94em; overflow-wrap: normal; }
.text :is(th, td) {
  padding: .4em .75em; text-align: -webkit-match-parent; text-align: match-parent;
  border-block-end: 1px solid var(--_line); vertical-align: top;
}
.text tr:last-child td { border-block-end: 0; }
.text th { font-weight: 600; white-space: nowrap; }
.text .long { min-inline-size: calc(8 * var(--_rem)); }
.text .right { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.text .center { text-align: center; }
`
