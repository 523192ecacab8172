// Styles of the list of conversations. Loaded when it is first opened.
import { css } from 'lit'

/** The styles of the list of conversations. */
export const menuStyles = css`
tool-agent-sessions { display: contents; }
.sessions { flex: 1; min-block-size: 0; display: flex; flex-direction: column; }
.sessions header { padding-inline-start: calc(.6 * var(--_rem)); gap: calc(.35 * var(--_rem)); }
.sessions .back:dir(rtl) .icon { scale: -1 1; }
.find { padding: calc(.75 * var(--_rem)) calc(.9 * var(--_rem)) calc(.15 * var(--_rem)); }
.sessions input {
  inline-size: 100%; border: 1px solid var(--_line); border-radius: var(--_corner); background: var(--_bg);
  padding: .45em .7em;
}
.sessions .list {
  flex: 1; min-block-size: 0; overflow-y: auto;
  padding: calc(.4 * var(--_rem)) calc(.5 * var(--_rem)) calc(.75 * var(--_rem));
}
.sessions input::placeholder { color: var(--_muted); opacity: 1; }
.sessions > .find { inline-size: 100%; }
.sessions > :is(.find, .undone), .list > * { max-inline-size: calc(53.5 * var(--_rem)); margin-inline: auto; }
.sessions .list > p, .sessions .none { padding: var(--_rem) calc(.75 * var(--_rem)); }
.sessions .none { padding-inline: calc(1.25 * var(--_rem)); }
.sessions:has(.none) .list { flex: none; padding-block: 0; }
.sessions h3 {
  font-size: .8125em; font-weight: 600; color: var(--_muted);
  padding: calc(.7 * var(--_rem)) calc(.7 * var(--_rem)) calc(.25 * var(--_rem));
}
.sessions ul { list-style: none; }
.sessions li { display: flex; flex-wrap: wrap; align-items: center; border-radius: var(--_corner); position: relative; }
.sessions li:has(.session):is(:hover, :focus-within), .sessions li:has([aria-current=true]) {
  background: var(--_surface);
}
.session, .session:hover {
  flex: 1; min-inline-size: 0; display: grid; text-align: start; border-color: transparent; background: none;
  padding: calc(.5 * var(--_rem)) calc(.7 * var(--_rem));
}
.session span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
/* A title is the beginning of the first message, so it is shown in full. */
.session .title {
  justify-self: start; max-inline-size: 100%; white-space: normal; overflow-wrap: anywhere;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
}
.session .muted { font-size: .85em; }
.session[aria-current=true] .title { font-weight: 600; }
.sessions .options { flex: none; margin-inline-end: calc(.25 * var(--_rem)); }
.options .icon { stroke-width: 3; }
.sessions .tools {
  flex: 1 0 100%; display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)); font-size: .93em;
  padding: 0 calc(.7 * var(--_rem)) calc(.6 * var(--_rem));
}
.row {
  flex: 1; display: flex; flex-wrap: wrap; gap: calc(.5 * var(--_rem)); align-items: center;
  padding: calc(.4 * var(--_rem)) calc(.5 * var(--_rem));
}
.sessions .row input { flex: 1; inline-size: auto; min-inline-size: calc(8 * var(--_rem)); }
.row .quiet { padding: .4em .6em; }
.undone {
  inline-size: calc(100% - 1.5 * var(--_rem)); display: flex; gap: calc(.75 * var(--_rem)); align-items: center;
  margin-block: calc(.25 * var(--_rem)) calc(.75 * var(--_rem));
  padding-block: calc(.5 * var(--_rem)); padding-inline: calc(.9 * var(--_rem)) calc(.5 * var(--_rem));
  background: var(--_surface); border: 1px solid var(--_line); border-radius: var(--_box);
}
.undone p { flex: 1; min-inline-size: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
`
