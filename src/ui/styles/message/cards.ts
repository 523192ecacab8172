// Styles of the tool call cards and their bodies, and of lists with names and values.
import { css } from 'lit'

/** The styles of the tool call cards. */
export const cardStyles = css`
tool-agent-call { display: block; }
.call { border: 1px solid var(--_line); border-radius: var(--_box); font-size: .9375em; container-type: inline-size; }
/* Finished work is quiet; what runs, waits or has failed stands out. One rule, so that a card appears once. */
.call:is([data-state=writing], [data-state=checking], [data-state=running], [data-state=asking], [data-state=failed],
  [data-state=timeout]) { border-color: var(--_control); animation: enter .2s; }
.call .call { font-size: 1em; }
.call > summary {
  display: grid; grid-template-columns: auto fit-content(60%) minmax(0, 1fr); gap: 0 calc(.55 * var(--_rem));
  align-items: center;
  padding: calc(.45 * var(--_rem) * var(--_density)) calc(.7 * var(--_rem)); border-radius: var(--_box);
}
.call > summary > * { grid-row: 1; }
:is(.call, .looks) > summary:hover { background: var(--_surface); }
.call .state { display: grid; color: var(--_muted); }
.call[data-state=done] > summary .state { color: var(--_good); }
.call:is([data-state=failed], [data-state=timeout]) > summary :is(.state, .status) { color: var(--_bad); }
.call[data-state=asking] > summary :is(.state, .status) { color: var(--_warn); }
:is(.call, .queued) :is(.title, .line, .activity) {
  overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  text-align: -webkit-match-parent; text-align: match-parent;
}
.call .title { font-weight: 550; }
/* A sentence needs all the space and may have two lines. The question has its own words. */
.call:not([data-state=asking]) > summary > .title:has(+ .line:empty) {
  grid-column: 2 / span 2; white-space: normal; overflow-wrap: anywhere;
}
.call:is([data-state=done], [data-state=denied]) .title:has(+ .line:empty) { font-weight: inherit; }
.call .activity { grid-area: 2 / 2 / auto / span 3; font-size: .9375em; }
/* An open card has the whole values below. */
.call[open]:not([data-state=running]) > summary > .line { visibility: hidden; }
/* In a narrow panel the title needs the whole row, and what follows it has the next one. */
@container (max-width: 25em) {
  .call:not([data-state=done]) > summary > .line:not(:empty) { grid-area: 3 / 2 / auto / -1; }
  .call:not([data-state=done]) > summary > .title:not(:has(+ .line:empty)) { grid-column: 2 / span 2; }
  .call[data-state=writing] > summary > .status { grid-area: 4 / 2 / auto / -1; }
}
/* Inside an agent inside an agent, on a phone. */
@container (max-width: 20em) {
  .call[data-state=asking] > summary > .status { grid-area: 4 / 2 / auto / -1; }
}
.call :is(.line, .activity) { color: var(--_muted); }
.call :is(.status, .time) {
  white-space: nowrap; font-size: .9em; color: var(--_muted); font-variant-numeric: tabular-nums;
}
.call :is(.status, .time):empty { display: none; }
.spinner {
  inline-size: 1.05em; block-size: 1.05em; margin: .08em; border-radius: 50%; border: 2px solid var(--_line);
  border-block-start-color: var(--_accent); animation: spin .9s linear infinite;
}
@keyframes spin { to { rotate: 1turn; } }
.call .body {
  padding: calc(.2 * var(--_rem)) calc(.85 * var(--_rem)) calc(.85 * var(--_rem)); display: grid;
  gap: calc(.7 * var(--_rem));
}
.problem { color: var(--_bad); overflow-wrap: anywhere; }
progress {
  appearance: none; display: block; inline-size: 100%; block-size: 4px; border: 0; border-radius: 9px;
  background: var(--_line); overflow: hidden; forced-color-adjust: none;
}
progress::-webkit-progress-bar { background: var(--_line); }
progress::-webkit-progress-value { background: var(--_accent); border-radius: 9px; transition: inline-size .2s; }
progress::-moz-progress-bar { background: var(--_accent); }
/* On the lower edge of the card. */
tool-agent-call > .progress { margin-block-start: -3px; padding-inline: var(--_box); }
.reload {
  display: flex; align-items: center; gap: .4em; min-block-size: 2.3em; color: var(--_muted); font-size: .9375em;
}
.reload button { min-block-size: 32px; color: var(--_text); font-weight: 550; }
`

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
