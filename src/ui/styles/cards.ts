// Cards of calls, questions before calls, and the list of conversations.
import { css } from 'lit'

export const cards = css`
tool-agent-call, tool-agent-approval { display: block; }
.call { border: 1px solid var(--_line); border-radius: 10px; font-size: .9375em; container-type: inline-size; }
.call .call { font-size: 1em; }
.call > summary { display: grid; grid-template-columns: auto fit-content(60%) minmax(0, 1fr); gap: 0 .55rem; align-items: center; padding: .45rem .7rem; border-radius: 10px; min-inline-size: 0; }
.call > summary > * { grid-row: 1; }
.call > summary:hover { background: var(--_surface); }
.call .state { display: grid; color: var(--_muted); }
.call[data-state=done] > summary .state { color: var(--_good); }
.call:is([data-state=failed], [data-state=timeout]) > summary :is(.state, .status) { color: var(--_bad); }
.call[data-state=asking] > summary :is(.state, .status) { color: var(--_warn); }
.call .title { font-weight: 550; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call .activity { grid-area: 2 / 2 / auto / span 5; font-size: .9375em; }
/* On a phone the title needs the row. */
@container (max-width: 22rem) {
  .call:is([data-state=asking], [data-state=writing]) > summary > .status { grid-area: 3 / 2 / auto / -1; }
}
.call :is(.line, .activity) { color: var(--_muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.call :is(.status, .time) { white-space: nowrap; font-size: .9em; color: var(--_muted); font-variant-numeric: tabular-nums; }
.call .time:empty, .call .status:empty { display: none; }
.spinner { inline-size: 1.05em; block-size: 1.05em; margin: .08em; border-radius: 50%; border: 2px solid var(--_line); border-block-start-color: var(--_accent); animation: spin .9s linear infinite; }
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

dl { display: grid; grid-template-columns: fit-content(40%) minmax(0, 1fr); gap: .25rem .9rem; }
dt { color: var(--_muted); overflow-wrap: anywhere; }
dd { min-inline-size: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
dd pre { padding: .35em .6em; background: var(--_surface); border-radius: 8px; }

.approvals { inline-size: 100%; max-inline-size: 53.5rem; margin-inline: auto; max-block-size: 60%; overflow-y: auto; padding: .35rem .75rem 0; display: grid; gap: .6rem; flex: 0 1 auto; min-block-size: 8rem; scrollbar-width: thin; }
.approval { display: grid; gap: .5rem; padding: .8rem .95rem 0; border: 1.5px solid var(--_warn); border-radius: 12px; background: var(--_bg); }
.approval h3 { display: flex; align-items: center; gap: .5rem; font-weight: 650; }
.approval h3 span { flex: 1; min-inline-size: 0; }
.approval h3 .icon { color: var(--_warn); }
.approval h3 code { color: var(--_muted); font-weight: 400; font-size: .8em; }
.arguments { padding: .6rem .75rem; background: var(--_surface); border-radius: 9px; }
.arguments pre { background: none; padding: 0; }
.approval .aside > :is(label, input) { margin-block-start: .5rem; }
.approval .aside label:has(textarea) { display: block; color: var(--_muted); font-size: .9em; }
.approval :is(.reason, .edit) { inline-size: 100%; border: 1px solid var(--_line); border-radius: 9px; background: var(--_bg); padding: .45em .7em; }
.approval .edit { color: var(--_text); font-family: var(--_mono); font-size: .875em; resize: vertical; margin-block-start: .4rem; }
.approval :is(input, textarea)::placeholder { color: var(--_muted); opacity: 1; }
.remember { display: flex; gap: .5rem; align-items: center; }
.remember input { accent-color: var(--_accent); margin: 0; inline-size: 1.05em; block-size: 1.05em; }
.decision { position: sticky; inset-block-end: 0; display: flex; flex-wrap: wrap; gap: .6rem; justify-content: flex-end; padding-block: .5rem .8rem; background: var(--_bg); border-radius: 0 0 11px 11px; }
.decision button { padding: .5em 1.2em; }
.approve { background: var(--_accent); color: var(--_on-accent); border-color: transparent; opacity: .5; transition: opacity .2s; }
.approve:hover { background: var(--_accent); filter: brightness(1.08); }
.decision[data-ready] .approve:enabled { opacity: 1; }

.sessions { flex: 1; min-block-size: 0; display: flex; flex-direction: column; }
.sessions header { padding-inline-start: .6rem; }
.sessions > p { padding: 1rem 1.1rem; }
.sessions ul { list-style: none; overflow-y: auto; padding: .5rem; }
.sessions li { display: flex; align-items: center; gap: .15rem; }
.session { flex: 1; min-inline-size: 0; display: grid; text-align: start; border-color: transparent; padding: .55rem .7rem; }
.session span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.session .muted { font-size: .85em; }
.session[aria-current=true] { background: var(--_surface); }
.session[aria-current=true] .title { font-weight: 600; }
.row { flex: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem .7rem; }
.row input, .row span { flex: 1; min-inline-size: 8rem; }
.row input { border: 1px solid var(--_line); border-radius: 9px; background: var(--_bg); padding: .4em .7em; }
.danger { color: var(--_bad); border-color: currentColor; }
.row .quiet { padding: .4em .6em; }
`
