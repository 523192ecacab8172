// Styles of the element before the panel is loaded: its space, and the button that opens a floating panel or a sidebar.
// Plain text, because the panel's code, which includes Lit, is loaded later.
const css = String.raw

/**
 * Reserves the space of an inline panel, and draws the launcher. The colours are those of theme.ts. `all` keeps the
 * inherited styles of the page out, except the direction of text.
 */
export const hostStyle = css`
:host { display: block; block-size: var(--tool-agent-height, 40rem); min-inline-size: 0; }
:host([layout=floating]), :host([layout=sidebar]) { display: contents; }
:host([hidden]) { display: none; }
.launcher, .launcher:hover {
  all: initial; position: fixed;
  inset-block-end: max(var(--tool-agent-offset-block, 1.25rem), env(safe-area-inset-bottom));
  inset-inline-end: var(--tool-agent-offset-inline, 1.25rem);
  box-sizing: border-box; min-inline-size: 3.5rem; block-size: 3.5rem; border-radius: 99px; display: grid;
  place-items: center; padding: 0 .9rem; font-size: 1.25rem; cursor: pointer; color-scheme: light dark;
  background: var(--tool-agent-accent, light-dark(#2f5bd0, #8fb0ff));
  color: var(--tool-agent-on-accent, light-dark(#fff, #0e1526)); box-shadow: 0 4px 18px rgb(0 0 0 / .28);
  /* Visible with forced colours. */
  border: 1px solid transparent;
}
.launcher:hover { filter: brightness(1.08); }
.launcher:focus-visible { outline: revert; outline-offset: 3px; }
.unloaded {
  all: initial; position: fixed; box-sizing: border-box; max-inline-size: min(22rem, 100vw - 2.5rem);
  inset-block-end: calc(var(--tool-agent-offset-block, 1.25rem) + 4.25rem);
  inset-inline-end: var(--tool-agent-offset-inline, 1.25rem); padding: .75rem 1rem; border: 1px solid;
  border-radius: 10px; font: 400 .9375rem/1.5 system-ui, sans-serif; color-scheme: light dark; background: Canvas;
  color: CanvasText;
}
:host(:not([layout=floating], [layout=sidebar])) .unloaded { position: static; display: block; max-inline-size: none; }
.launcher svg {
  inline-size: 1.2em; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round;
  stroke-linejoin: round;
}
`
