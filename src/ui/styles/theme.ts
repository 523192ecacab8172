// Colours, fonts and controls that the panel and the inspector share. A page sets the `--tool-agent-…` properties;
// names with an underscore are private.
import { css } from 'lit'

/**
 * Maps the public custom properties, which `ToolAgentElement` documents, to private ones with defaults for light and
 * dark. `color-scheme` of the page chooses between the two. `--_control` is the boundary of fields, buttons and cards,
 * `--_line` divides. A boundary needs a contrast of 3:1 with both backgrounds.
 */
export const themeStyles = css`
:host {
  color-scheme: light dark;
  --_on-accent: var(--tool-agent-on-accent, light-dark(#fff, #0e1526));
  --_bg: var(--tool-agent-background, light-dark(#fff, #18191c));
  --_surface: var(--tool-agent-surface, light-dark(#f4f5f7, #232529));
  --_text: var(--tool-agent-text, light-dark(#1c2027, #e6e8ed));
  --_muted: var(--tool-agent-muted, light-dark(#5b6270, #a0a7b4));
  --_line: var(--tool-agent-border, light-dark(#dfe2e8, #363940));
  --_control: var(--tool-agent-border, light-dark(#848b98, #6b7280));
  --_good: var(--tool-agent-good, light-dark(#1b7f4b, #6fcf97));
  --_warn: var(--tool-agent-warn, light-dark(#94600a, #e9b85c));
  --_bad: var(--tool-agent-bad, light-dark(#b3261e, #ff9a90));
  /* The button that deletes or pays: dark in both schemes, with white text. The light red of texts looks friendly. */
  --_danger: oklch(from var(--_bad) min(l, .5) min(c, .2) h);
  --_radius: var(--tool-agent-radius, 14px);
  --_box: var(--tool-agent-radius-box, 10px);
  --_corner: var(--tool-agent-radius-control, 9px);
  --_density: var(--tool-agent-density, 1);
  --_mono: var(--tool-agent-font-mono, ui-monospace, 'SF Mono', Menlo, Consolas, 'Liberation Mono', monospace);
}
* { box-sizing: border-box; }
h2, h3, h4, h5, h6, p, ul, ol, dl, dd, pre, blockquote, table { margin: 0; padding: 0; font-size: 1em; }
button, input, textarea, select { font: inherit; color: inherit; }
button {
  cursor: pointer; border: 1px solid var(--_control); background: var(--_bg); border-radius: var(--_corner);
  padding: calc(.4em * var(--_density)) .85em;
  line-height: 1.35; min-block-size: 24px; min-inline-size: 24px;
}
button:hover { background: var(--_surface); }
button:disabled, button[aria-disabled=true] { opacity: .45; cursor: default; }
button.quiet {
  border-color: transparent; background: none; padding: .4em; color: var(--_muted); display: inline-flex;
  align-items: center; justify-content: center; gap: .4em;
}
button.quiet:hover { background: var(--_surface); color: var(--_text); }
:focus-visible { outline: 2px solid var(--tool-agent-focus-ring, var(--_accent)); outline-offset: 1px; }
.icon {
  inline-size: 1.2em; block-size: 1.2em; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75;
  stroke-linecap: round; stroke-linejoin: round;
}
.muted { color: var(--_muted); }
pre, code { font-family: var(--_mono); font-size: .875em; }
pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; direction: ltr; text-align: left; }
summary { cursor: pointer; list-style: none; min-block-size: 24px; }
summary::-webkit-details-marker { display: none; }
/* For screen readers. Not absolute, because a live region is outside of the panel. */
.unseen {
  all: initial; position: fixed; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap;
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { animation: none !important; transition: none !important; scroll-behavior: auto !important; }
}
`
