// Styles of the element before the panel is loaded: its space, and the button that opens a floating panel or a sidebar.
// Plain text, because the panel's code, which includes Lit, is loaded later.
const css = String.raw

/**
 * Reserves the space of an inline panel, and draws the launcher. The colours are those of theme.ts. `all` keeps the
 * inherited styles of the page out, except the direction of text.
 */
export const hostStyle = css`
:host { display: block; block-size: var(--tool-agent-height, calc(40 * var(--_rem))); min-inline-size: 0; }
:host([layout=floating]), :host([layout=sidebar]) { display: contents; }
:host([hidden]) { display: none; }
.launcher, .launcher:hover {
  all: initial; position: fixed;
  inset-block-end: max(var(--tool-agent-offset-block, calc(1.25 * var(--_rem))), env(safe-area-inset-bottom));
  inset-inline-end: var(--tool-agent-offset-inline, calc(1.25 * var(--_rem)));
  box-sizing: border-box; min-inline-size: calc(3.5 * var(--_rem)); block-size: calc(3.5 * var(--_rem));
  border-radius: 99px; display: grid;
  place-items: center; padding: 0 calc(.9 * var(--_rem)); font-size: calc(1.25 * var(--_rem)); cursor: pointer;
  color-scheme: light dark;
  background: var(--_accent);
  color: var(--tool-agent-on-accent, light-dark(#fff, #0e1526)); box-shadow: 0 4px 18px rgb(0 0 0 / .28);
  /* Visible with forced colours. */
  border: 1px solid transparent;
}
.launcher:hover { filter: brightness(1.08); }
.launcher:focus-visible { outline: revert; outline-offset: 3px; }
.launcher:has(img) { padding: 0; background: Canvas; border: 2px solid var(--_accent); }
.launcher img { inline-size: 1.6em; block-size: 1.6em; object-fit: contain; }
.unloaded {
  all: initial; position: fixed; box-sizing: border-box;
  max-inline-size: min(22 * var(--_rem), 100vw - 2.5 * var(--_rem));
  inset-block-end: calc(var(--tool-agent-offset-block, calc(1.25 * var(--_rem))) + 4.25 * var(--_rem));
  inset-inline-end: var(--tool-agent-offset-inline, calc(1.25 * var(--_rem)));
  padding: calc(.75 * var(--_rem)) var(--_rem); border: 1px solid;
  border-radius: 10px; font: 400 calc(.9375 * var(--_rem))/1.5 system-ui, sans-serif; color-scheme: light dark;
  background: Canvas;
  color: CanvasText;
}
:host(:not([layout=floating], [layout=sidebar])) .unloaded { position: static; display: block; max-inline-size: none; }
.launcher svg {
  inline-size: 1.2em; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round;
}
`
