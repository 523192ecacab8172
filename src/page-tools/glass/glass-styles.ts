// The styles of what is shown of the page's reading. Each kind has a line of its own, so that nobody needs its colour.

/** Dark enough for white text, and visible on white and on black pages with its light edge. */
const grey = '#4b5160'

/** The styles, in the layer above the page. */
export const glassStyles = `
.read, .never, .closed { box-sizing: border-box; border-radius: var(--corner); --colour: ${grey}; }
.read {
  --colour: oklch(from var(--_accent, #2f5bd0) min(l, .5) min(c, .17) h);
  border: 2px solid var(--colour); box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.closed {
  border: 2px dashed var(--colour); background: rgb(120 126 138 / .12);
  box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.never {
  border: 1px solid var(--colour);
  background: repeating-linear-gradient(135deg, rgb(75 81 96 / .34) 0 5px, rgb(255 255 255 / .3) 5px 11px);
}
.tag {
  --colour: ${grey}; inline-size: max-content; max-inline-size: calc(100vw - 16px); padding: 1px 8px;
  border-radius: 99px; font: 600 12px/1.4 var(--tool-agent-font, system-ui, sans-serif);
  background: var(--colour); color: #fff; box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.tag[data-kind=read] { --colour: oklch(from var(--_accent, #2f5bd0) min(l, .5) min(c, .17) h); }
/* The other boxes of a code. */
.tag:empty { display: none; }
@media (forced-colors: active) {
  .read { border-color: Highlight; box-shadow: none; }
  .closed { border-color: CanvasText; background: none; box-shadow: none; }
  .never {
    forced-color-adjust: none; border-color: CanvasText;
    background: repeating-linear-gradient(135deg, CanvasText 0 2px, transparent 2px 9px);
  }
  .tag { forced-color-adjust: none; background: CanvasText; color: Canvas; box-shadow: none; }
  .tag[data-kind=read] { background: Highlight; color: HighlightText; }
}
`
