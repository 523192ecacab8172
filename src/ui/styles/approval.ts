// Styles of the questions.
import { css, type CSSResult } from 'lit'
import { valueStyles } from './message/cards.js'

/** The title and the buttons stay in place; only the arguments scroll. */
const questionStyles = css`
tool-agent-questions { display: contents; }
tool-agent-approval { display: flex; flex-direction: column; min-block-size: 0; }
.approvals {
  inline-size: 100%; max-inline-size: calc(53.5 * var(--_rem)); margin-inline: auto; max-block-size: 70%;
  min-block-size: calc(9.75 * var(--_rem));
  padding: calc(.35 * var(--_rem)) calc(.75 * var(--_rem)) 0; flex: 0 1 auto; display: flex; flex-direction: column;
  overflow: visible;
  border: 0; background: none; color: inherit; outline: 0;
}
.approvals[hidden] { display: none; }
.approvals:not(:modal) { position: static; }
.approvals:modal {
  inline-size: min(34 * var(--_rem), calc(100vw - 2 * var(--_rem))); max-block-size: calc(100dvh - 2 * var(--_rem));
  margin: auto; padding: calc(.75 * var(--_rem));
  border-radius: var(--_radius); background: var(--_bg); color: var(--_text);
}
.approvals:has(.form) { max-block-size: 88%; }
/* The transcript makes room first. */
tool-agent-transcript:has(+ tool-agent-questions) { flex-shrink: 100; min-block-size: calc(2.5 * var(--_rem)); }
tool-agent-transcript:has(+ tool-agent-questions) .log { min-block-size: 0; }
/* It would cover what is left of the transcript. */
tool-agent-transcript:has(+ tool-agent-questions .approvals:not([hidden], :modal)) .latest { display: none; }
.approval {
  display: flex; flex-direction: column; gap: calc(.5 * var(--_rem)); min-block-size: 0;
  padding: calc(.75 * var(--_rem)) calc(.9 * var(--_rem)) calc(.8 * var(--_rem));
  border: 1.5px solid var(--_level); border-radius: var(--_box); background: var(--_card);
  --_level: var(--_warn); --_card: var(--_bg);
  /* Its text is there from the first frame, at rest: the reading time runs. */
  animation: ask .2s;
}
@keyframes ask { from { box-shadow: 0 0 0 5px var(--_level); } }
.approval[data-level=harmless] { --_level: var(--_control); }
.approval[data-level=final] {
  --_level: var(--_bad); --_card: color-mix(in srgb, var(--_bad) 4%, var(--_bg)); border-width: 2px;
}
.approval:focus-visible { outline-offset: 2px; }
.ask { flex: none; display: grid; gap: calc(.1 * var(--_rem)); }
.from { display: flex; gap: calc(.75 * var(--_rem)); justify-content: space-between; font-size: .85em; }
.from span:last-child { white-space: nowrap; font-variant-numeric: tabular-nums; }
.approval h3 {
  display: flex; align-items: flex-start; gap: calc(.5 * var(--_rem)); font-weight: 650; max-block-size: 4.7em;
  overflow-y: auto;
}
.approval h3 span { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.approval h3 .icon { color: var(--_level); margin-block-start: .17em; }
.approval[data-level=harmless] h3 .icon { color: var(--_accent); }
.reading-box {
  position: relative; flex: 0 1 auto; min-block-size: calc(3 * var(--_rem)); display: flex; flex-direction: column;
}
.reading {
  min-block-size: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; scroll-behavior: smooth;
  display: flex; flex-direction: column; gap: calc(.5 * var(--_rem));
  /* A field with the focus is neither cut nor below the hint that there is more. */
  scroll-padding-block: calc(.75 * var(--_rem)) calc(2.5 * var(--_rem));
}
.reading > * { flex: none; }
.reading:focus-visible { outline-offset: -2px; border-radius: var(--_corner); }
.end { block-size: 0; margin-block-start: calc(-.5 * var(--_rem)); }
.below {
  position: absolute; inset-inline: 0; inset-block-end: 0;
  display: flex; align-items: flex-end; justify-content: center;
  gap: calc(.35 * var(--_rem)); padding: calc(2 * var(--_rem)) calc(.5 * var(--_rem)) calc(.15 * var(--_rem));
  border: 0; border-radius: 0; font-size: .85em; font-weight: 550;
  background: linear-gradient(transparent, var(--_card) 62%); color: var(--_text);
}
.below:hover { background: linear-gradient(transparent, var(--_card) 62%); text-decoration: underline; }
.below .icon { margin-block-end: .12em; }
:is(.arguments, .preview dl, .form) {
  padding: calc(.6 * var(--_rem)) calc(.75 * var(--_rem)); background: var(--_surface); border-radius: var(--_corner);
}
.preview { display: grid; gap: calc(.5 * var(--_rem)); }
.changes { color: var(--_text); }
.changes > p { font-weight: 550; }
.changes del { color: var(--_muted); }
.changes ins { font-weight: 600; text-decoration: none; }
.changes :is(del, ins) { unicode-bidi: isolate; }
:is(.filled, .changes) > p { margin-block-end: calc(.25 * var(--_rem)); }
.preview:not(:has(dt, .site, .warning, .question)) { display: none; }
.preview:has(> dl) + .arguments {
  margin-block-start: calc(-.75 * var(--_rem)); border-start-start-radius: 0; border-start-end-radius: 0;
}
.arguments :is(dd, li) > dl {
  padding-inline-start: calc(.75 * var(--_rem)); border-inline-start: 2px solid var(--_line);
}
.arguments :is(ul, ol) { padding-inline-start: calc(1.2 * var(--_rem)); }
.arguments li { unicode-bidi: plaintext; }
.arguments li + li { margin-block-start: calc(.2 * var(--_rem)); }
.arguments pre { padding: 0; background: none; }
.site {
  display: flex; gap: calc(.6 * var(--_rem)); align-items: flex-start;
  padding: calc(.6 * var(--_rem)) calc(.75 * var(--_rem)); border-radius: var(--_corner);
  color: var(--_text);
  border: 1.5px solid var(--_bad); background: color-mix(in srgb, var(--_bad) 10%, var(--_bg));
}
.warning { display: flex; gap: calc(.5 * var(--_rem)); align-items: flex-start; font-weight: 550; }
.warning .icon { color: var(--_warn); margin-block-start: .17em; }
.warning[data-grave] { color: var(--_bad); }
.cut { white-space: normal; }
.cut .quiet { padding: .1em .5em; background: var(--_bg); border: 1px solid var(--_line); font-size: .9em; }
.covers { font-size: .85em; }
.site .icon { color: var(--_bad); margin-block-start: .17em; }
.site strong { overflow-wrap: anywhere; }
.approval .tools {
  display: flex; flex-wrap: wrap; gap: calc(.15 * var(--_rem)) calc(1.1 * var(--_rem)); align-items: center;
  font-size: .9em;
}
.approval .tools .quiet { padding: calc(.15 * var(--_rem)) 0; }
.approval .tools .quiet:hover { background: none; text-decoration: underline; }
.approval .raw { min-inline-size: 0; }
.approval .raw[open] { flex-basis: 100%; }
.approval .raw > summary {
  font-size: 1em; display: flex; align-items: center; justify-content: flex-end; line-height: 1.35;
  padding-block: calc(.15 * var(--_rem) + 1px);
}
.approval .raw > :not(summary) { margin-block-start: calc(.35 * var(--_rem)); }
.approval .raw pre { padding: .5em .7em; background: var(--_surface); border-radius: var(--_corner); }
.edited { font-size: .9em; }

.form { display: grid; gap: calc(.6 * var(--_rem)); }
.form-row { display: grid; gap: calc(.2 * var(--_rem)) calc(.75 * var(--_rem)); }
.form-row:is([data-kind=text], [data-kind=number], [data-kind^=date], [data-kind=choice]) {
  grid-template-columns: minmax(calc(5 * var(--_rem)), 32%) minmax(0, 1fr); align-items: center;
}
.form-row[data-kind=boolean] {
  grid-template-columns: auto 1fr; gap: calc(.2 * var(--_rem)) calc(.5 * var(--_rem)); align-items: center;
}
.form-row > p { grid-column: 1 / -1; font-size: .9em; }
.form :is(label, legend) { color: var(--_muted); font-size: .9em; overflow-wrap: anywhere; }
.form [data-kind=boolean] label { color: var(--_text); font-size: 1em; padding-block: calc(.2 * var(--_rem)); }
.form fieldset {
  display: grid; gap: calc(.6 * var(--_rem)); min-inline-size: 0; margin: 0;
  padding: calc(.1 * var(--_rem)) 0 0 calc(.75 * var(--_rem)); border: 0;
  border-inline-start: 2px solid var(--_line);
}
.form legend { float: inline-start; padding: 0; font-weight: 600; }
.form legend + .form-row { clear: both; }
:is(.form :is(input:not([type=checkbox]), select, textarea), .reason) {
  inline-size: 100%; min-inline-size: 0; border: 1px solid var(--_muted); border-radius: var(--_corner);
  background: var(--_bg);
  color: var(--_text); padding: .42em .65em;
}
.form textarea { resize: vertical; display: block; }
.form .edit { font-family: var(--_mono); font-size: .875em; }
.form [aria-invalid=true] { border-color: var(--_bad); }
.form input[type=checkbox] { accent-color: var(--_accent); margin: 0; inline-size: 1.15em; block-size: 1.15em; }
.reason { flex: none; }
.reason::placeholder { color: var(--_muted); opacity: 1; }

.decision {
  flex: none; display: flex; flex-wrap: wrap; gap: calc(.5 * var(--_rem)); justify-content: flex-end;
  align-items: stretch;
}
.decision[hidden] { display: none; }
.left-to-user { align-items: center; justify-content: space-between; }
.left-to-user p { flex: 1; min-inline-size: 0; font-weight: 550; }
.decision button { padding: .5em 1.05em; min-block-size: 2.4em; }
.decision:has(.approve-task) button { padding-inline: .75em; }
.split { display: inline-flex; position: relative; min-inline-size: 0; }
.split .approve { overflow-wrap: anywhere; }
.split .approve:has(+ .menu-box) { border-start-end-radius: 0; border-end-end-radius: 0; }
.menu-box { display: inline-flex; position: relative; margin-inline-start: 1px; }
.decision .approve-menu {
  border-start-start-radius: 0; border-end-start-radius: 0; padding-inline: .5em; display: grid; place-items: center;
}
.approve-menu .icon { rotate: 90deg; }
/* While an approval does not count yet: without the accent colour, with a dashed line. */
:is(.approve, .approve-task, .approve-menu) {
  background: var(--_surface); color: var(--_text); border: 1px dashed var(--_muted);
}
:is(.approve, .approve-task, .approve-menu):is(:disabled, [aria-disabled=true]) { opacity: 1; }
.decision[data-ready] .approve-task { background: var(--_bg); border: 1px solid var(--_accent); color: var(--_accent); }
:is(.approve, .approve-task)[aria-disabled=true], .decision:not([data-ready]) .approve-menu { color: var(--_muted); }
.decision:not([data-ready]) .approve-menu { border-inline-start: 0; }
.decision[data-ready] :is(.approve:not([aria-disabled=true]), .approve-menu) {
  background: var(--_accent); color: var(--_on-accent); border-color: transparent; border-style: solid;
}
.approval[data-level=final] .decision[data-ready] .approve:not([aria-disabled=true]) {
  background: var(--_danger); color: #fff;
}
.decision[data-ready] :is(.approve:not([aria-disabled=true]), .approve-menu):enabled:hover { filter: brightness(1.08); }
.decision button:disabled { opacity: .45; }
.menu {
  position: absolute; inset-block-end: calc(100% + .35 * var(--_rem)); inset-inline-end: 0; z-index: 1; display: grid;
  inline-size: max-content; max-inline-size: min(20 * var(--_rem), 70vw); padding: calc(.3 * var(--_rem));
  border: 1px solid var(--_line); border-radius: var(--_box);
  background: var(--_bg); box-shadow: 0 6px 24px rgb(0 0 0 / .2);
}
.menu button { border: 0; background: none; text-align: start; border-radius: calc(var(--_box) - 3px); }
.menu button:is(:hover, :focus-visible) { background: var(--_surface); }

/*
 * In a low window the question takes the place of the transcript. In a very low one the composer is below the window,
 * and the panel scrolls to it. It must not cover a question that does not fit.
 */
@media (max-height: 32em) {
  tool-agent-transcript:has(+ tool-agent-questions .approvals:not([hidden], :modal)) { display: none; }
  .approvals:not(:modal) { max-block-size: none; flex: 1 1 auto; min-block-size: 0; }
  .panel[data-asking]:has(> tool-agent-questions > .approvals:not([hidden], :modal)) .trust { display: none; }
}
@media (max-height: 18em) {
  .panel[data-asking]:has(> tool-agent-questions > .approvals:not([hidden], :modal)) {
    scroll-padding: 0; isolation: isolate;
  }
  .panel > tool-agent-questions:has(.approvals:not([hidden], :modal)) ~ tool-agent-composer {
    position: absolute; inset: 100% 0 auto; z-index: -1;
  }
  .approval { padding-block: calc(.4 * var(--_rem)); gap: calc(.3 * var(--_rem)); }
  .approval .from { position: absolute; clip-path: inset(50%); }
  .below { inset-inline: auto 0; padding-block-start: 0; }
}
@media (forced-colors: active) {
  .approval, .site, .menu { border-color: CanvasText; }
  .panel .approval[data-level=final] { border: 4px double CanvasText; }
  .panel .approval[data-level] h3 .icon, .site .icon { color: CanvasText; }
  .panel .approval .tools .quiet { padding-inline: .5em; }
  .decision .split :is(.approve, .approve-menu) {
    forced-color-adjust: none; background: ButtonFace; color: GrayText; border: 1px dashed GrayText;
  }
  .decision[data-ready] .split :is(.approve:not([aria-disabled=true]), .approve-menu) {
    background: ButtonText; color: ButtonFace; border: 1px solid ButtonText;
  }
  .below, .below:hover {
    background: Canvas; padding-block-start: calc(.15 * var(--_rem)); border-block-start: 1px solid CanvasText;
  }
  .menu button:focus-visible { outline: 2px solid Highlight; }
}
`

/** The styles of the questions. */
export const approvalStyles: readonly CSSResult[] = [valueStyles, questionStyles]
