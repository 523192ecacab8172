// The style sheet of the layer above the page. A constructed one, which a strict content security policy allows.

/** A colour of the panel, which sets its own on the host: dark enough for white text. */
const dark = (name: string): string => `oklch(from var(${name}, #2f5bd0) min(l, .5) min(c, .17) h)`

/** The styles. */
export const layerStyles = `
:host {
  all: initial !important; display: block !important; color-scheme: inherit !important; position: fixed !important;
  inset: 0 auto auto 0 !important; inline-size: 0 !important; block-size: 0 !important;
  margin: 0 !important; padding: 0 !important; border: 0 !important;
  background: none !important; overflow: visible !important; pointer-events: none !important;
  z-index: 2147483647 !important;
}
div { position: absolute; inset: 0 auto auto 0; }
/* The shadow of the lit part: a clip path would be drawn anew, as large as the window, in each frame. */
.dim { border-radius: 12px; box-shadow: 0 0 0 200vmax rgb(12 16 24 / .38); }
.ring, .mark, .label { box-sizing: border-box; --colour: ${dark('--_accent')}; }
.ring { border: 2px solid var(--colour); border-radius: var(--corner); box-shadow: 0 0 0 2px rgb(255 255 255 / .85); }
.ring[data-level=fill] {
  box-shadow: 0 0 0 1px rgb(255 255 255 / .85), 0 0 0 4px color-mix(in srgb, var(--colour) 22%, transparent);
}
.label {
  inline-size: max-content; max-inline-size: min(320px, calc(100vw - 16px)); padding: 3px 10px; border-radius: 99px;
  font: 600 13px/1.4 var(--tool-agent-font, system-ui, sans-serif); text-align: center;
  background: var(--colour); color: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / .3);
}
[data-level=consequences] { --colour: ${dark('--_warn')}; }
[data-level=final] { --colour: ${dark('--_bad')}; }
/* Dark and light: one of the two is seen on any page. */
.mark { inline-size: 3px; border-radius: 2px; background: var(--colour); box-shadow: 0 0 0 1.5px #fff; }
.veil {
  box-sizing: border-box; display: flex; align-items: center; overflow: hidden; white-space: nowrap;
  border: 1px dashed ${dark('--_accent')}; background: Canvas; color: CanvasText;
  text-decoration: line-through;
}
/* Its size is read before it is shown, so it must have one. */
[hidden] { display: block; visibility: hidden; }
@media (forced-colors: active) {
  .dim { display: none; }
  .ring { border-color: Highlight; box-shadow: none; }
  /* Nothing is dimmed and all levels have one colour: what is asked about has a second line. */
  .ring:not([data-level=fill]) { outline: 2px solid Highlight; outline-offset: 2px; }
  .label { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .mark { forced-color-adjust: none; background: Highlight; box-shadow: none; }
}
`
