// Styles of the panel that makes room for what it asks about, and of the bar that it is on a phone while tools run.
import { css } from 'lit'

/** The places of `ui/stage/panel-place.ts`. */
export const stageStyles = css`
/* As high as the question, and at most half of the window. */
.panel[popover]:is([data-place=half], [data-place=top]) {
  block-size: fit-content; max-block-size: min(50dvh - var(--_bottom, 0px), var(--_room, 100dvh));
}
.panel[popover][data-place=half] { inset-block: auto var(--_bottom, 0px); }
.panel[popover][data-place=top] { inset-block: var(--_bottom, 0px) auto; }
.panel[popover]:is([data-place=side], [data-place=far-side]) { inset-block: 0 auto; inline-size: 50%; }
.panel[popover][data-place]:not([data-place=aside]) { transform: none; }
.panel[popover][data-place=far-side] { inset-inline: 0 auto; }
@media (max-width: 40em), (max-height: 32em) {
  .panel[popover]:is([data-place=half], [data-place=top]) {
    max-block-size: min(var(--_height, 100dvh) / 2, var(--_room, 100dvh)); box-shadow: 0 0 24px rgb(0 0 0 / .25);
    border-radius: var(--_radius) var(--_radius) 0 0;
  }
  /* Above the keyboard of the screen. */
  .panel[popover][data-place=half] {
    inset-block: calc(var(--_top, 0px) + var(--_height, 100dvh)) auto; translate: 0 -100%; animation: none;
  }
  .panel[popover][data-place=top] {
    inset-block: var(--_top, 0) auto; border-radius: 0 0 var(--_radius) var(--_radius);
  }
  .panel[popover]:is([data-place=side], [data-place=far-side]) { box-shadow: 0 0 24px rgb(0 0 0 / .25); }
}
/* The question has the room. */
.panel:is([data-place=half], [data-place=top], [data-place=side], [data-place=far-side]):has(
  > tool-agent-questions > .approvals:not([hidden], :modal)
) > :is(tool-agent-transcript, .notices, .disclaimer, .trust) { display: none; }
.panel:is([data-place=half], [data-place=top], [data-place=side], [data-place=far-side])
  .approvals:not([hidden], :modal) { max-block-size: 100%; flex: 1 1 auto; }
@media (max-width: 40em), (max-height: 32em) {
  .panel:is([data-place=half], [data-place=top]):has(
    > tool-agent-questions > .approvals:not([hidden], :modal)
  ) > tool-agent-composer { display: none; }
}
@media (max-height: 32em) {
  .panel:is([data-place=half], [data-place=top]):has(
    > tool-agent-questions > .approvals:not([hidden], :modal)
  ) > header { display: none; }
}
/*
 * A question above a dialog of the page moves, and the panel does not cover the dialog. In each rule of .panel, an
 * attribute stands before :has(): otherwise the browser would style the panel, and look through it, for each piece of
 * an answer.
 */
.panel[data-asking]:has(> tool-agent-questions > .approvals:modal[data-asks]) { visibility: hidden; }
.approvals:modal[data-asks] { visibility: visible; }
.approvals:modal[data-place=half] { margin-block: auto var(--_rem); }
.approvals:modal[data-place=top] { margin-block: var(--_rem) auto; }
.approvals:modal:is([data-place=half], [data-place=top]) {
  max-block-size: min(50dvh - 2 * var(--_rem), var(--_room, 100dvh));
}
.approvals:modal[data-place=side] { margin-inline: auto var(--_rem); max-inline-size: calc(50vw - 2 * var(--_rem)); }
.approvals:modal[data-place=far-side] {
  margin-inline: var(--_rem) auto; max-inline-size: calc(50vw - 2 * var(--_rem));
}
/* A question of a panel in the page that cannot be seen together with what it is about. */
tool-agent-questions[popover]:popover-open {
  position: fixed; display: flex; inset: auto 0 var(--_rem); margin: 0 auto; padding: 0; border: 0; background: none;
  color: inherit; overflow: visible; max-block-size: min(50dvh - 2 * var(--_rem), var(--_room, 100dvh));
  inline-size: min(34 * var(--_rem), calc(100vw - 2 * var(--_rem)));
}
tool-agent-questions[popover][data-place=top] { inset-block: var(--_rem) auto; }
tool-agent-questions[popover]:is([data-place=side], [data-place=far-side]) {
  inset-block: 0 auto; inset-inline: auto 0; margin: 0; inline-size: 50%; max-block-size: 100dvh;
}
tool-agent-questions[popover][data-place=far-side] { inset-inline: 0 auto; }
@media (max-height: 32em) {
  tool-agent-questions[popover]:is([data-place=half], [data-place=top]) { max-block-size: 50dvh; }
  tool-agent-questions[popover][data-place=half] { inset-block: auto 0; }
  tool-agent-questions[popover][data-place=top] { inset-block: 0 auto; }
}
tool-agent-questions:popover-open > .approvals:not(:modal) {
  block-size: auto; max-block-size: 100%; min-block-size: 0; padding: calc(.5 * var(--_rem));
  border-radius: var(--_radius); background: var(--_bg);
  box-shadow: 0 12px 40px rgb(0 0 0 / .28);
}

.panel > .bar { display: none; }
.panel[popover][data-place=bar] {
  inset-block: auto 0; block-size: auto; min-block-size: 64px; overflow: hidden;
  border-radius: var(--_radius) var(--_radius) 0 0; box-shadow: 0 0 24px rgb(0 0 0 / .25);
}
.panel[data-place=bar] > :not(.bar) { display: none; }
.panel[data-place=bar] > .bar {
  display: flex; align-items: center; gap: calc(.75 * var(--_rem)); min-block-size: 64px;
  padding: calc(.5 * var(--_rem)) calc(.9 * var(--_rem));
}
.bar .mark { font-size: 1.1em; }
.bar > div { flex: 1; min-inline-size: 0; }
.bar p { overflow: hidden; white-space: nowrap; text-overflow: ellipsis; }
.bar .now { font-weight: 600; }
.bar .count { font-size: .85em; color: var(--_muted); }
.bar progress {
  display: block; inline-size: 100%; block-size: 3px; margin-block-start: .3em; accent-color: var(--_accent);
}
.bar progress:not([value]) { visibility: hidden; }
`
