// Styles of the tool call cards, and of lists with names and values.
import { css } from 'lit'

/** The styles of the tool call cards. */
export const cardStyles = css`
tool-agent-call { display: block; }
.call { border: 1px solid var(--_line); border-radius: var(--_box); font-size: .9375em; container-type: inline-size; }
.call .call { font-size: 1em; }
.call > summary {
  display: grid; grid-template-columns: auto fit-content(60%) minmax(0, 1fr); gap: 0 .55rem; align-items: center;
  padding: calc(.45rem * var(--_density)) .7rem; border-radius: var(--_box); min-inline-size: 0;
}
.call > summary > * { grid-row: 1; }
.call > summary:hover { background: var(--_surface); }
.call .state { display: grid; color: var(--_muted); }
.call[data-state=done] > summary .state { color: var(--_good); }
.call:is([data-state=failed], [data-state=timeout]) > summary :is(.state, .status) { color: var(--_bad); }
.call[data-state=asking] > summary :is(.state, .status) { color: var(--_warn); }
.call .title { font-weight: 550; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call .activity { grid-area: 2 / 2 / auto / span 5; font-size: .9375em; }
/* In a narrow panel the title needs the whole row. */
@container (max-width: 22rem) {
  .call:is([data-state=asking], [data-state=writing]) > summary > .status { grid-area: 3 / 2 / auto / -1; }
}
.call :is(.line, .activity) { color: var(--_muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call :is(.status, .time) {
  white-space: nowrap; font-size: .9em; color: var(--_muted); font-variant-numeric: tabular-nums;
}
.call .time:empty, .call .status:empty { display: none; }
.spinner {
  inline-size: 1.05em; block-size: 1.05em; margin: .08em; border-radius: 50%; border: 2px solid var(--_line);
  border-block-start-color: var(--_accent); animation: spin .9s linear infinite;
}
@keyframes spin { to { rotate: 1turn; } }
.call .body { padding: .2rem .85rem .85rem; display: grid; gap: .7rem; min-inline-size: 0; }
.call .name { color: var(--_muted); }
.body section { min-inline-size: 0; }
.body h4 { font-size: .8125em; font-weight: 600; color: var(--_muted); margin-block-end: .2rem; }
.body pre { background: var(--_surface); border-radius: 8px; padding: .5em .7em; max-block-size: 18rem; }
.child { padding-inline-start: .75rem; border-inline-start: 2px solid var(--_line); }
.child .message { margin: .5rem 0; padding-inline: 0; content-visibility: visible; }
.child .copy { display: none; }
.problem { color: var(--_bad); overflow-wrap: anywhere; }
.progress { display: grid; gap: .25rem; padding: .4rem .75rem 0; color: var(--_muted); font-size: .875em; }

.undo { padding: .25rem .75rem 0; color: var(--_muted); font-size: .875em; }

dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .25rem .9rem; }
dt { color: var(--_muted); overflow-wrap: anywhere; }
dd { min-inline-size: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dd pre { padding: .35em .6em; background: var(--_surface); border-radius: 8px; }
`
