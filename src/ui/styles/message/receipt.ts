// Styles of the receipt of a turn, with its tasks, and of the line of what only looked.
import { css } from 'lit'

/** The styles of the receipt. */
export const receiptStyles = css`
tool-agent-receipt, .receipt { display: block; }
.receipt { border: 1px solid var(--_line); border-radius: var(--_box); font-size: .9375em; overflow: clip; }
.receipt:is([data-state=running], [data-state=asking]) {
  border-color: var(--_control); animation: enter .2s;
}
.receipt .call { border: 0; font-size: 1em; }
.receipt .head {
  display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: calc(.35 * var(--_rem)) calc(.55 * var(--_rem));
  align-items: baseline; padding: calc(.55 * var(--_rem) * var(--_density)) calc(.7 * var(--_rem));
}
.receipt .head:not(:last-child) { border-block-end: 1px solid var(--_line); }
.receipt .head .title { font-weight: 600; overflow-wrap: anywhere; }
.receipt .head .count { color: var(--_muted); font-size: .9em; white-space: nowrap; }
.receipt .head progress { grid-column: 1 / -1; }
.receipt .state { display: grid; align-self: center; color: var(--_muted); }
.receipt[data-state=done] > .head .state, .tasks [data-status=completed] > .task .state { color: var(--_good); }
.receipt[data-state=asking] > .head .state { color: var(--_warn); }
.receipt[data-state=undone] > .head .title { color: var(--_muted); font-weight: inherit; }
:is(.lines, .tasks ol) { list-style: none; }
.lines > li { position: relative; }
/* The button is beside the chevron, inside the border. It is no part of the line, which is a button itself. */
.lines > [data-undo] > tool-agent-call > .call > summary { padding-inline-end: calc(2.9 * var(--_rem)); }
.lines .one {
  position: absolute; inset-block-start: calc(.1 * var(--_rem)); inset-inline-end: calc(.3 * var(--_rem));
  display: grid; place-items: center; min-block-size: 32px; min-inline-size: 32px; padding: 0;
}
.tasks { padding-block: calc(.3 * var(--_rem)); }
.task {
  display: grid; grid-template-columns: auto minmax(0, 1fr); gap: calc(.55 * var(--_rem));
  padding: calc(.2 * var(--_rem)) calc(.7 * var(--_rem)); overflow-wrap: anywhere;
}
.task > .state { align-self: start; margin-block-start: .2em; }
.tasks [data-status=in_progress] > .task { font-weight: 600; }
.tasks [data-status=pending] > .task { color: var(--_muted); }
.tasks .lines { padding-inline-start: calc(1.1 * var(--_rem)); }
.tasks .folded > summary {
  display: flex; flex-direction: row-reverse; justify-content: flex-end; gap: calc(.55 * var(--_rem));
  align-items: center; padding: calc(.2 * var(--_rem)) calc(.7 * var(--_rem)); color: var(--_muted);
}
.receipt .foot {
  display: flex; flex-wrap: wrap; align-items: center; gap: calc(.35 * var(--_rem)) calc(.7 * var(--_rem));
  padding: calc(.4 * var(--_rem)) calc(.7 * var(--_rem)); border-block-start: 1px solid var(--_line);
  background: var(--_surface); color: var(--_muted); font-size: .9375em;
}
.receipt .foot:has(> .unseen:only-child) { display: none; }
.left { flex: 1 0 100%; min-inline-size: 0; overflow-wrap: anywhere; }
.receipt button.undo {
  display: flex; align-items: center; gap: .4em; min-block-size: 32px; margin-inline-start: auto; color: var(--_text);
  font-weight: 550; background: var(--_bg);
}
.undo-note {
  padding: calc(.35 * var(--_rem)) calc(.7 * var(--_rem)); color: var(--_muted); font-size: .9375em;
  overflow-wrap: anywhere;
}
.receipt .undo-note { border-block-start: 1px solid var(--_line); }
/* What a call has changed. */
.activity del { opacity: .85; }
.activity .to { display: inline-block; }
.to:dir(rtl) { scale: -1 1; }
.call[data-undone] > summary .title { color: var(--_muted); text-decoration: line-through; }
.call[data-undone] > summary .state { color: var(--_muted) !important; }
/* What only looked needs no box. */
.call[data-look] { border-color: transparent; }
.call[data-look] > summary { color: var(--_muted); }
.call[data-look][open] { border-color: var(--_line); }
.looks > summary {
  display: flex; gap: calc(.55 * var(--_rem)); align-items: center;
  padding: calc(.3 * var(--_rem)) calc(.7 * var(--_rem)); color: var(--_muted); font-size: .9375em;
  border-radius: var(--_box);
}
.looks > tool-agent-call { margin-block-start: calc(.35 * var(--_rem)); }
`
