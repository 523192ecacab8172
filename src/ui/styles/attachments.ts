// Styles of files in the composer and in messages. Loaded with the first panel that takes files, or the first file.
import { css } from 'lit'

/** The styles of attached files. */
export const attachmentStyles = css`
.attachments:empty { display: none; }
/* Inside the frame of the field, above its text. */
.field:has(> .attachments:not(:empty)) { flex-wrap: wrap; }
.attachments { flex: 1 0 100%; order: -2; min-inline-size: 0; }
.attachments ul {
  list-style: none; display: flex; gap: calc(.4 * var(--_rem)); overflow-x: auto; scrollbar-width: thin;
  padding: calc(.15 * var(--_rem)) calc(.15 * var(--_rem)) calc(.4 * var(--_rem));
}
.attachments li {
  display: flex; align-items: center; gap: calc(.4 * var(--_rem)); flex: none; max-inline-size: 100%;
  padding: calc(.25 * var(--_rem)) calc(.25 * var(--_rem)) calc(.25 * var(--_rem)) calc(.5 * var(--_rem));
  border: 1px solid var(--_line); border-radius: var(--_box); background: var(--_surface); font-size: .875em;
}
.attachments tool-agent-file {
  display: flex; align-items: center; gap: calc(.5 * var(--_rem)); min-inline-size: 0; color: var(--_text); margin: 0;
}
.attachments tool-agent-file:has(canvas) > .icon { display: none; }
.attachments canvas {
  inline-size: calc(2.5 * var(--_rem)); block-size: calc(2.5 * var(--_rem)); object-fit: cover; border-radius: 6px;
}
.attachments .line {
  max-inline-size: calc(7 * var(--_rem)); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
.attachments .muted { white-space: nowrap; font-variant-numeric: tabular-nums; }
.attachments .problem {
  display: flex; gap: calc(.4 * var(--_rem)); align-items: flex-start; font-size: .875em;
  padding: 0 calc(.35 * var(--_rem)) calc(.5 * var(--_rem));
}
.attachments .problem .icon { margin-block-start: .1em; }
button.attach[hidden] { display: none; }
button.attach { border-color: transparent; background: none; color: var(--_muted); }
button.attach:hover { background: var(--_surface); color: var(--_text); }
.panel[data-drop]::after {
  content: attr(data-drop); position: absolute; inset: 0; display: grid; place-items: center; font-weight: 600;
  background: color-mix(in srgb, var(--_bg) 88%, transparent); border: 2px dashed var(--_accent);
  border-radius: inherit;
  pointer-events: none;
}
`

/** The styles of the files in a message. */
export const fileStyles = css`
.message tool-agent-file { flex-wrap: wrap; }
.message tool-agent-file:not(:has(canvas)) > .line {
  flex: 1 1 0; text-align: -webkit-match-parent; text-align: match-parent;
}
.message tool-agent-file canvas {
  display: block; max-inline-size: 100%; max-block-size: calc(12 * var(--_rem)); border-radius: var(--_box);
  flex: 0 1 auto;
  object-fit: contain;
}
.message tool-agent-file:has(canvas) > .icon { display: none; }
.message tool-agent-file:has(canvas) { flex-direction: column; align-items: flex-start; font-size: .8125em; }
`
