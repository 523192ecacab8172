// Styles of Markdown.
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
