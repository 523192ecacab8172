// Styles of what the line below the field opens to, and of the line that a panel on a phone is while the page is shown.
import { css } from 'lit'

/** The styles. */
export const glassStyles = css`
tool-agent-glass { flex: 0 1 auto; min-block-size: 0; display: flex; flex-direction: column; }
.glass {
  min-block-size: 0; overflow: hidden auto; scrollbar-width: thin;
  display: flex; flex-direction: column; gap: calc(.5 * var(--_rem));
  margin: calc(.5 * var(--_rem)) calc(.75 * var(--_rem)) 0; inline-size: auto; font-size: .93em;
  padding: calc(.6 * var(--_rem)) calc(.9 * var(--_rem)) calc(.8 * var(--_rem));
  border: 1px solid var(--_line); border-radius: var(--_box); background: var(--_bg);
  box-shadow: 0 4px 18px rgb(0 0 0 / .12);
}
.glass > * { flex: none; }
.glass .top { display: flex; align-items: center; gap: .5em; }
.glass h3 { flex: 1; font-weight: 600; font-size: 1.05em; }
.glass dl { display: block; }
.glass dl > div {
  display: flex; gap: calc(.75 * var(--_rem)); align-items: baseline; padding-block: calc(.4 * var(--_rem));
  border-block-start: 1px solid var(--_line);
}
.glass dt { flex: 0 0 42%; display: flex; gap: .5em; align-items: start; min-inline-size: 0; color: var(--_text); }
.glass dt .icon { margin-block-start: .15em; color: var(--_muted); }
.glass dd { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; text-align: end; color: var(--_muted); }
.grant {
  display: flex; gap: calc(.5 * var(--_rem)); align-items: center; padding-block: calc(.5 * var(--_rem)) 0;
  border-block-start: 1px solid var(--_line);
}
.grant > div { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.grant .icon { flex: none; color: var(--_warn); }
.grant button { flex: none; padding: .25em .8em; }
.glass .acts { display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)); }
.glass .show[aria-pressed=true] { background: var(--_accent); color: var(--_on-accent); border-color: transparent; }
.glass :is(.found, .about):empty { display: none; }
.glass :is(.found, .about) { font-size: .92em; }
.glass .request {
  max-block-size: calc(18 * var(--_rem)); padding: calc(.6 * var(--_rem)); background: var(--_surface);
  border-radius: var(--_corner); user-select: text; unicode-bidi: plaintext; position: relative;
}
.glass-bar { display: none; }
/* On a phone the page is visible while it is shown. */
.panel[popover][data-place=glass] {
  inset-block: auto 0; block-size: auto; min-block-size: 64px; overflow: hidden;
  border-radius: var(--_radius) var(--_radius) 0 0; box-shadow: 0 0 24px rgb(0 0 0 / .25);
}
.panel[data-place=glass] > :not(tool-agent-glass), .panel[data-place=glass] .glass { display: none; }
.panel[data-place=glass] .glass-bar {
  display: flex; align-items: center; gap: calc(.75 * var(--_rem)); min-block-size: 64px;
  padding: calc(.5 * var(--_rem)) calc(.9 * var(--_rem));
}
.glass-bar p { flex: 1; min-inline-size: 0; font-weight: 600; }
@media (max-width: 24em) { .glass dt { flex-basis: 50%; } }
@media (forced-colors: active) {
  .glass { border-color: CanvasText; }
  .glass .show[aria-pressed=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
`
