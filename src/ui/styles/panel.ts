// Styles of the frame of the panel in its three layouts (inline, floating, sidebar), of its header and composer, and of
// the list of messages while it is empty.
import { css, type CSSResult } from 'lit'
import { themeStyles } from './theme.js'

/**
 * Uses `--tool-agent-width` and `--tool-agent-height`; see `ToolAgentElement`. `all` keeps the inherited styles of the
 * page out, such as `pointer-events: none` of a page with a modal dialog.
 */
const frame = css`
tool-agent-panel, .root { display: contents; }
.panel {
  all: initial; color-scheme: inherit; position: relative; box-sizing: border-box; display: flex;
  flex-direction: column; block-size: 100%; inline-size: 100%; overflow: hidden auto; scrollbar-width: thin;
  background: var(--_bg); color: var(--_text); border: 1px solid var(--_line); border-radius: var(--_radius);
  font: 400 var(--tool-agent-font-size, calc(.9375 * var(--_rem)))/1.55
    var(--tool-agent-font, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif);
}
/* A part of the page that is hidden, such as a closed drawer, hides the panel in it. */
.panel:not([popover]) { visibility: inherit; }
.panel[popover] { position: fixed; inset-inline-end: var(--_edge); }
.panel[popover]:not(:popover-open) { display: none; }
.panel[data-layout=floating] {
  --_edge: var(--tool-agent-offset-inline, calc(1.25 * var(--_rem)));
  --_bottom: var(--tool-agent-offset-block, calc(1.25 * var(--_rem)));
  /* Its box begins where it stands and is lifted: what grows upwards would be a layout shift of the page. */
  inset-block-start: calc(100% - var(--_bottom)); transform: translateY(-100%);
  box-shadow: var(--tool-agent-shadow, 0 12px 40px rgb(0 0 0 / .22));
  inline-size: min(var(--_wide, var(--tool-agent-width, calc(26 * var(--_rem)))), 100vw - 2 * var(--_edge));
  /* fit-height.ts sets --_fit. Lifted by a part of a pixel, lines would blur, also where a pixel is 1.25 as large. */
  block-size: round(up, min(
    var(--_tall, var(--tool-agent-height, clamp(22 * var(--_rem), var(--_fit, 0px), 44 * var(--_rem)))),
    100dvh - 2 * var(--_bottom)
  ), 4px);
}
.panel[data-layout=sidebar] {
  --_edge: 0px; inset-block: 0; block-size: 100dvh;
  inline-size: min(var(--_wide, var(--tool-agent-width, calc(26 * var(--_rem)))), 100vw);
  border-radius: 0; border-width: 0 1px; box-shadow: 0 0 28px rgb(0 0 0 / .08);
}
.panel:popover-open { animation: enter .16s ease-out; }
@keyframes enter { from { opacity: 0; translate: 0 8px; } }
header {
  flex: none; display: flex; align-items: center; gap: calc(.15 * var(--_rem));
  padding-block: calc(.55 * var(--_rem) * var(--_density));
  padding-inline: calc(1.1 * var(--_rem)) calc(.6 * var(--_rem));
  border-block-end: 1px solid var(--_line);
}
header h2 {
  flex: 1; min-inline-size: 0; font-weight: 600; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
header .quiet { padding: .5em; }
.mark {
  flex: none; display: grid; place-items: center; inline-size: 1.75em; block-size: 1.75em; margin-inline-end: .45em;
  border-radius: 30%; background: var(--_accent); color: var(--_on-accent); font-weight: 700; line-height: 1;
}
.mark:has(img) { background: none; border-radius: 0; }
.mark img { max-inline-size: 100%; max-block-size: 100%; object-fit: contain; }
/* The title and what must be said have the room. */
@media (max-width: 24em) { header:has(.badge) .mark { display: none; } }
.disclaimer {
  flex: none; padding: 0 var(--_rem) calc(.6 * var(--_rem)); margin-block-start: calc(-.35 * var(--_rem));
  font-size: .8em; text-align: center; unicode-bidi: plaintext;
}
/* Text with an icon at both ends, so that it wraps as text does. */
button.trust {
  display: block; position: relative; flex: none; align-self: center; font-size: .8em; line-height: 1.4;
  margin-block: calc(-.5 * var(--_rem)) calc(.3 * var(--_rem)); padding-block: .3em; padding-inline: .3em 1.7em;
}
.trust > .icon { vertical-align: -.25em; margin-inline-end: .35em; }
/* It takes no width, so that it never begins a line. */
.trust > .icon:last-child { margin-inline: .3em -1.5em; rotate: -90deg; }
.trust[aria-expanded=true] > .icon:last-child { rotate: 90deg; }
::slotted([slot=header]) { flex: 1; }
.badge {
  font-size: .8em; background: none; color: var(--_warn);
  border: 1px solid currentColor; border-radius: 99px; padding: 0 .6em; margin-inline-end: calc(.35 * var(--_rem));
  white-space: nowrap;
}

details > summary > .icon:last-of-type { transition: rotate .15s; color: var(--_muted); }
details > summary:dir(rtl) > .icon:last-of-type { rotate: 180deg; }
details[open] > summary > .icon:last-of-type { rotate: 90deg !important; }

tool-agent-composer {
  flex: none; display: block; padding: calc(.75 * var(--_rem) * var(--_density)); inline-size: 100%;
  max-inline-size: calc(53.5 * var(--_rem));
  margin-inline: auto;
  position: sticky; inset-block-end: 0; background: var(--_bg);
}
tool-agent-composer[hidden] { display: none; }
.field {
  display: flex; align-items: flex-end; gap: calc(.35 * var(--_rem)); padding: calc(.3 * var(--_rem));
  border: 1px solid var(--_control);
  border-radius: var(--tool-agent-radius-control, 16px); background: var(--_bg);
}
/* The caret shows the focus; the ring may be quiet, because the focus is here most of the time. */
.field:focus-within {
  border-color: var(--_accent); box-shadow: 0 0 0 3px color-mix(in srgb, var(--_accent) 16%, transparent);
}
.grow { display: grid; flex: 1; min-inline-size: 0; }
.grow textarea, .grow::after {
  grid-area: 1 / 1; max-block-size: calc(12 * var(--_rem)); overflow: hidden auto; font: inherit;
  padding: calc(.45 * var(--_rem)) calc(.6 * var(--_rem)); border: 0;
  white-space: pre-wrap; overflow-wrap: anywhere; inline-size: 100%; box-sizing: border-box;
}
/* From two lines on, the text is above the buttons. */
.field[data-wide] { flex-wrap: wrap; row-gap: 0; }
.field[data-wide] .grow { flex: 1 0 100%; order: -1; }
.field[data-wide] .grow + .round { margin-inline-start: auto; }
.grow::after { content: attr(data-text) ' '; visibility: hidden; }
/* Each paragraph has the direction of its own text. */
.grow textarea { resize: none; background: none; outline: none; min-block-size: 0; unicode-bidi: plaintext; }
.grow textarea::placeholder {
  color: var(--_muted); opacity: 1; white-space: nowrap; overflow: hidden; text-overflow: ellipsis;
}
button.round {
  flex: none; inline-size: calc(2.35 * var(--_rem)); block-size: calc(2.35 * var(--_rem)); border-radius: 50%;
  padding: 0; display: grid;
  place-items: center;
}
button.send, button.stop { background: var(--_accent); color: var(--_on-accent); border-color: transparent; }
button.send[aria-disabled=true] {
  background: color-mix(in srgb, var(--_text) 12%, var(--_bg)); color: var(--_muted); opacity: 1;
}
button.stop .icon { fill: currentColor; }

.plain-errors {
  display: grid; gap: calc(.5 * var(--_rem)); justify-items: start;
  padding: calc(.75 * var(--_rem)) calc(1.1 * var(--_rem)) 0;
}
.plain-errors > p { display: flex; gap: calc(.65 * var(--_rem)); align-items: flex-start; }
.plain-errors .icon { color: var(--_bad); margin-block-start: .2em; }

/* The whole window on a phone, and at a zoom that leaves little height. panel-layout.ts sets --_top and --_height. */
@media (max-width: 40em), (max-height: 32em) {
  .panel[popover] {
    --_edge: 0px; inset-block: var(--_top, 0) auto; inline-size: 100%; block-size: var(--_height, 100dvh); border: 0;
    border-radius: 0; transform: none;
  }
}
`

/** The scrolling list while it is empty, and the greeting. The styles of the messages load with the first one. */
const log = css`
.log { flex: 1 1 calc(9 * var(--_rem)); min-inline-size: 0; min-block-size: calc(5 * var(--_rem)); overflow-y: auto;
  overscroll-behavior: contain; scrollbar-width: thin; }
/*
 * At the end the list follows by itself, and the browser must not scroll up when something above shrinks: that would
 * look like the user's scrolling. The place is kept for a reader who has scrolled away.
 */
.log:not([data-away]) { overflow-anchor: none; }
.log:focus-visible { outline-offset: -2px; }
.messages {
  display: flex; flex-direction: column; gap: calc(var(--_rem) * var(--_density)); min-block-size: 100%;
  padding: calc(1.1 * var(--_rem) * var(--_density)); max-inline-size: calc(52 * var(--_rem)); margin-inline: auto;
}
/* While a conversation is loading: where its end will be. Appears late, because that rarely takes long. The dots are
   for forced colours, which draw no background. */
.messages:empty::before, .messages:empty::after {
  content: '…'; color: transparent; animation: enter .2s .2s backwards;
}
.messages:empty::before {
  margin-block-start: auto; align-self: end; inline-size: 45%; block-size: 2.6em; border-radius: 16px;
  background: var(--_surface);
}
.messages:empty::after {
  margin-inline-end: 15%; block-size: 4.4em;
  background: repeating-linear-gradient(var(--_surface) 0 .9em, transparent 0 1.75em);
}
/* The greeting and what one can ask stand together, near the thumb and the field. */
.empty {
  flex: 1; display: flex; flex-direction: column; align-items: flex-start; justify-content: flex-end; gap: var(--_rem);
}
/* The texts of the page may have another direction than the panel. */
.empty * { unicode-bidi: plaintext; }
.greeting { font-size: 1.5em; font-weight: 650; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance; }
.suggestions { display: grid; gap: calc(.5 * var(--_rem)); justify-items: start; }
.suggestion { border-radius: var(--tool-agent-radius-control, 14px); padding: .55em 1.1em; text-align: start; }
`

/** The styles that load together with the panel. What the panel loads later has its own styles. */
export const panelStyles: readonly CSSResult[] = [themeStyles, frame, log]
