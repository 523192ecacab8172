// Styles of the list of conversations. Loaded when it is first opened.
import { css } from 'lit'

/** The styles of the list of conversations. */
export const menuStyles = css`
.sessions { flex: 1; min-block-size: 0; display: flex; flex-direction: column; }
.sessions header { padding-inline-start: .6rem; }
.sessions > p { padding: 1rem 1.1rem; }
.sessions ul { list-style: none; overflow-y: auto; padding: .5rem; }
.sessions li { display: flex; align-items: center; gap: .15rem; }
.session {
  flex: 1; min-inline-size: 0; display: grid; text-align: start; border-color: transparent; padding: .55rem .7rem;
}
.session span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.session .muted { font-size: .85em; }
.session[aria-current=true] { background: var(--_surface); }
.session[aria-current=true] .title { font-weight: 600; }
.row { flex: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .5rem .7rem; }
.row input, .row span { flex: 1; min-inline-size: 8rem; }
.row input {
  border: 1px solid var(--_line); border-radius: var(--_control); background: var(--_bg); padding: .4em .7em;
}
.danger { color: var(--_bad); border-color: currentColor; }
.row .quiet { padding: .4em .6em; }
`
