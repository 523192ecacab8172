// Styles of the list of conversations. Loaded when it is first opened.
import { css } from 'lit'

/** The styles of the list of conversations. */
export const menuStyles = css`
tool-agent-sessions { display: contents; }
.sessions { flex: 1; min-block-size: 0; display: flex; flex-direction: column; }
.sessions header { padding-inline-start: .6rem; gap: .35rem; }
.sessions .back:dir(rtl) .icon { scale: -1 1; }
.find { padding: .75rem .9rem .15rem; }
.sessions input {
  inline-size: 100%; border: 1px solid var(--_line); border-radius: var(--_corner); background: var(--_bg);
  padding: .45em .7em;
}
.sessions .list { flex: 1; min-block-size: 0; overflow-y: auto; padding: .4rem .5rem .75rem; }
.sessions input::placeholder { color: var(--_muted); opacity: 1; }
.sessions > .find { inline-size: 100%; }
.sessions > :is(.find, .undone), .list > * { max-inline-size: 53.5rem; margin-inline: auto; }
.sessions .list > p, .sessions .none { padding: 1rem .75rem; }
.sessions .none { padding-inline: 1.25rem; }
.sessions:has(.none) .list { flex: none; padding-block: 0; }
.sessions h3 { font-size: .8125em; font-weight: 600; color: var(--_muted); padding: .7rem .7rem .25rem; }
.sessions ul { list-style: none; }
.sessions li { display: flex; align-items: center; border-radius: var(--_corner); position: relative; }
.sessions li:has(.session):is(:hover, :focus-within), .sessions li:has([aria-current=true]) {
  background: var(--_surface);
}
.session, .session:hover {
  flex: 1; min-inline-size: 0; display: grid; text-align: start; border-color: transparent; background: none;
  padding: .5rem .7rem;
}
.session span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.session .title { justify-self: start; max-inline-size: 100%; }
.session .muted { font-size: .85em; }
.session[aria-current=true] .title { font-weight: 600; }
.sessions .tools { display: flex; padding-inline-end: .25rem; }
@media (hover: hover) {
  .sessions li:not(:hover, :focus-within) .tools { opacity: 0; position: absolute; inset-inline-end: 0; }
}
@media (pointer: coarse) { .sessions .tools button, .sessions header button { padding: .65em; } }
.row { flex: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .4rem .5rem; }
.sessions .row input { flex: 1; inline-size: auto; min-inline-size: 8rem; }
.row .quiet { padding: .4em .6em; }
.undone {
  inline-size: calc(100% - 1.5rem); display: flex; gap: .75rem; align-items: center; margin-block: .25rem .75rem;
  padding-block: .5rem; padding-inline: .9rem .5rem;
  background: var(--_surface); border: 1px solid var(--_line); border-radius: var(--_box);
}
.undone p { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
`
