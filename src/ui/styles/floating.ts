// Styles of floating panels and sidebars: what the closed panel reports on its button, the handle, and the place on the
// other side.
import { css } from 'lit'

/** The styles of floating panels and sidebars, besides their place in styles/panel.ts. */
export const floatingStyles = css`
/* A question, the number of new messages, or that the assistant works. */
.launcher[data-report]::after {
  content: attr(data-report); position: absolute; inset-block-start: calc(-.35 * var(--_rem));
  inset-inline-end: calc(-.35 * var(--_rem));
  box-sizing: border-box; min-inline-size: calc(1.5 * var(--_rem)); block-size: calc(1.5 * var(--_rem));
  padding-inline: calc(.3 * var(--_rem)); border-radius: var(--_rem);
  font: 700 calc(.8125 * var(--_rem))/calc(1.25 * var(--_rem)) system-ui, sans-serif; text-align: center;
  background: var(--_text); color: var(--_bg); border: 2px solid var(--_bg);
}
.launcher[data-working] :is(svg, img) { animation: working 2s ease-in-out infinite; }
@keyframes working { 50% { opacity: .45; } }

/* At the corner that moves. */
.grip, .grip:hover {
  position: absolute; inset-block-start: 0; inset-inline: 0 auto; padding: 0; border: 0; background: none; opacity: 0;
  cursor: nwse-resize; touch-action: none;
}
.grip::before {
  content: ''; position: absolute; inset-block-start: calc(.3 * var(--_rem)); inset-inline: calc(.3 * var(--_rem));
  block-size: calc(.6 * var(--_rem));
  border: 2px solid var(--_muted); border-block-end: 0; border-inline-end: 0;
  border-start-start-radius: calc(.5 * var(--_rem));
}
.grip:dir(rtl) { cursor: nesw-resize; }
[data-layout=sidebar] > .grip { cursor: ew-resize; }
.grip:is(:hover, :active, :focus-visible) { opacity: 1; }
.panel:not([popover]) > .grip { display: none; }
@media (max-width: 40em), (max-height: 32em) { .grip { display: none; } }

/* Away from a field. Words with a direction of their own do not move the panel away from its launcher. */
.panel[data-place=aside], :host(:dir(rtl)) .root[dir=ltr] > .panel[popover] { inset-inline: var(--_edge) auto; }
:host(:dir(rtl)) .root[dir=ltr] > .panel[data-place=aside] { inset-inline: auto var(--_edge); }
.panel[data-place=aside] > .grip { inset-inline: auto 0; scale: -1 1; }
`
