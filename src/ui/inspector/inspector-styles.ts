// Styles of the inspector: dense, for reading data, in the colours of the panel.
import { css } from 'lit'

/** The styles of the inspector. */
export const inspectorStyles = css`
:host { display: block; block-size: var(--tool-agent-inspector-height, calc(32 * var(--_rem))); min-inline-size: 0; }
:host([hidden]) { display: none; }
.inspector {
  display: flex; flex-direction: column; block-size: 100%; overflow: hidden; background: var(--_bg);
  color: var(--_text);
  border: 1px solid var(--_line); border-radius: var(--_radius); text-align: start;
  font: 400 calc(.8125 * var(--_rem))/1.5
    var(--tool-agent-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
}
.tabs {
  display: flex; gap: calc(.15 * var(--_rem)); padding: calc(.4 * var(--_rem)) calc(.4 * var(--_rem)) 0;
  border-block-end: 1px solid var(--_line); overflow-x: auto;
  flex: none;
}
[role=tab] {
  border-color: transparent; border-radius: 8px 8px 0 0; background: none; color: var(--_muted); white-space: nowrap;
  border-block-end: 2px solid transparent;
}
[role=tab][aria-selected=true] { color: var(--_text); border-block-end-color: var(--_accent); font-weight: 600; }
.content {
  flex: 1; min-block-size: 0; overflow: auto; padding: calc(.6 * var(--_rem)); scrollbar-width: thin;
  overflow-wrap: anywhere;
}
.content:focus-visible { outline-offset: -2px; }
.hint { color: var(--_muted); padding: calc(.5 * var(--_rem)); }
.problem { color: var(--_bad); padding: calc(.5 * var(--_rem)); }
.bar {
  display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)) calc(.8 * var(--_rem)); align-items: center;
  padding-block-end: calc(.5 * var(--_rem));
}
.bar input[type=search] {
  flex: 1; min-inline-size: calc(10 * var(--_rem)); border: 1px solid var(--_line); border-radius: 8px;
  padding: .3em .6em;
  background: var(--_bg);
}
.bar label { display: flex; gap: calc(.35 * var(--_rem)); align-items: center; }
.bar input[type=checkbox] { accent-color: var(--_accent); margin: 0; }
.bar .summary { flex: 1; }
tool-agent-inspector-entry {
  display: block; content-visibility: auto; contain-intrinsic-size: auto calc(1.8 * var(--_rem));
}
.entry > summary {
  display: flex; gap: calc(.5 * var(--_rem)); align-items: center;
  padding: calc(.15 * var(--_rem)) calc(.35 * var(--_rem)); border-radius: 6px;
}
.entry > summary:hover { background: var(--_surface); }
.entry > summary > .icon { color: var(--_muted); inline-size: 1em; block-size: 1em; }
.entry[open] > summary > .icon { rotate: 90deg; }
time { color: var(--_muted); font-family: var(--_mono); font-size: .9em; font-weight: 400; flex: none; }
b { font-weight: 550; flex: none; }
.path, .count {
  color: var(--_muted); border: 1px solid var(--_line); border-radius: 99px; padding: 0 .5em; font-size: .9em;
  flex: none; max-inline-size: calc(9 * var(--_rem)); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  font-weight: 400;
}
.entry .summary {
  color: var(--_muted); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0;
}
.durable { color: var(--_accent); }
.json {
  position: relative;
  margin: calc(.2 * var(--_rem)) calc(.35 * var(--_rem)) calc(.5 * var(--_rem)) calc(1.5 * var(--_rem));
}
.json pre {
  background: var(--_surface); border-radius: 8px; padding: .6em .8em; max-block-size: calc(24 * var(--_rem));
  font-size: .95em;
}
.copy {
  position: absolute; inset-block-start: calc(.2 * var(--_rem)); inset-inline-end: calc(.6 * var(--_rem));
  background: var(--_surface);
}
.copy .icon + .icon, .copy[data-copied] .icon { display: none; }
.copy[data-copied] .icon + .icon { display: block; color: var(--_good); }
.call {
  border: 1px solid var(--_line); border-radius: 10px; padding: calc(.5 * var(--_rem));
  margin-block-end: calc(.5 * var(--_rem));
}
.call h2 {
  display: flex; flex-wrap: wrap; gap: calc(.5 * var(--_rem)); align-items: baseline; font-weight: 600;
  padding: 0 calc(.35 * var(--_rem)) calc(.2 * var(--_rem));
}
.call h2 .summary { color: var(--_muted); font-weight: 400; }
.call p { padding: 0 calc(.35 * var(--_rem)) calc(.25 * var(--_rem)); color: var(--_muted); }
.hints { display: flex; flex-wrap: wrap; gap: calc(.3 * var(--_rem)); }
.hints:empty { display: none; }
@media (forced-colors: active) {
  [role=tab][aria-selected=true] { forced-color-adjust: none; color: HighlightText; background: Highlight; }
}
`
