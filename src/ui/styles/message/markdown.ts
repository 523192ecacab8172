// Styles of Markdown, with its tables.
import { css } from 'lit'

/** The styles of Markdown. */
export const markdownStyles = css`
.text h3 { font-size: 1.15em; }
.text :is(h3, h4, h5, h6) { font-weight: 650; line-height: 1.3; margin-block-start: 1.1em; }
.text > :first-child { margin-block-start: 0; }
.text :is(ul, ol) { padding-inline-start: 1.4em; }
.text li + li { margin-block-start: .25em; }
.text li > p + p, .text li > :is(ul, ol, pre, blockquote) { margin-block-start: .35em; }
.text li.check { list-style: none; display: flex; gap: .5em; margin-inline-start: -1.4em; }
.text hr { border: 0; border-block-start: 1px solid var(--_line); margin-block: 1em; }
.text code {
  background: var(--tool-agent-code-background, var(--_surface)); border-radius: 5px; padding: .1em .35em;
  -webkit-box-decoration-break: clone; box-decoration-break: clone;
}
.text code.short { white-space: nowrap; }
.text pre {
  padding: .75em .9em; white-space: pre; line-height: 1.5; tab-size: 2;
}
.text pre code { background: none; padding: 0; font-size: 1em; }
.text .code { background: var(--tool-agent-code-background, var(--_surface)); border-radius: var(--_box); }
.code > div { display: flex; align-items: center; justify-content: space-between; padding: .15em .9em 0; }
.code tool-agent-copy { min-block-size: calc(2em + 2px); }
.code > div span { color: var(--_muted); font: .85em var(--_mono); }
/* The colours of the panel, so that a theme needs none of its own. */
.code-keyword { color: var(--tool-agent-link, var(--_accent)); }
:is(.code-string, .code-added) { color: var(--_good); }
.code-number { color: var(--_warn); }
.code-name { color: color-mix(in oklab, var(--tool-agent-link, var(--_accent)), var(--_bad)); }
.code-comment { color: var(--_muted); font-style: italic; }
.code-removed { color: var(--_bad); }
/*
 * The text fades at an edge that has more, where the browser knows how far it is scrolled. No motion, so it is there
 * with reduced motion, too.
 */
.text .code pre {
  padding-block-start: .2em;
  animation: more linear both !important; animation-timeline: scroll(self inline) !important;
}
@keyframes more {
  0% { mask: linear-gradient(to left, transparent, #000 1.5em); }
  .5%, 99.5% { mask: linear-gradient(to left, transparent, #000 1.5em calc(100% - 1.5em), transparent); }
  100% { mask: linear-gradient(to right, transparent, #000 1.5em); }
}
.text a { color: var(--tool-agent-link, var(--_accent)); text-underline-offset: .15em; }
/* Boxes of their own are not underlined, and the first one may end a line, so that no line begins with a space. */
.text .gap, .text .host { display: inline-block; white-space: pre-wrap; }
.text .host { color: var(--_muted); font-size: .85em; }
.text .host::before { content: '('; }
.text .host::after { content: ')'; }
.text .image { display: inline-flex; gap: .3em; align-items: center; vertical-align: bottom; }
`

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
