// Styles of floating panels and sidebars: what the closed panel reports on its button, the handle, and the place on the
// other side. And those of special screens: phones, touch screens, low windows and forced colours.
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

/** The styles of special screens, which only those get. */
export const adaptedStyles = css`
@media (pointer: coarse) {
  /* Safari zooms the page to a field with smaller text. */
  .panel :is(input, textarea, select), .grow::after { font-size: max(16px, 1em); }
  .panel :is(button, summary, label:has(input)) { min-block-size: 44px; min-inline-size: 44px; }
}
@media (max-width: 40em), (max-height: 32em) {
  .panel[popover] {
    padding: env(safe-area-inset-top) env(safe-area-inset-right) env(safe-area-inset-bottom)
      env(safe-area-inset-left);
  }
}
@media (max-height: 32em) {
  /* One scroller: the panel itself. Only the text field stays, and does not stay below a question. */
  .panel { scroll-padding-block-end: calc(5 * var(--_rem)); }
  .panel > header { padding-block: calc(.1 * var(--_rem)); }
  .panel > tool-agent-composer { padding-block: calc(.4 * var(--_rem)); }
  .panel > tool-agent-transcript { flex: 1 0 calc(6 * var(--_rem)); }
  .panel .log { overscroll-behavior: auto; }
  .panel > .notices { flex: none; max-block-size: none; overflow: visible; }
  .panel[data-asking]:has(> tool-agent-questions > .approvals:not([hidden])) > tool-agent-composer { position: static; }
}
@media (forced-colors: active) {
  .panel, .panel :is(.call, .receipt, .approval, .notice, .user, .code, .arguments, .form, .preview dl, pre) {
    border: 1px solid CanvasText;
  }
  .panel :is(.call > .body pre, .code pre, .receipt .call) { border: 0; }
  .panel button.quiet { padding-inline: .4em; }
  .panel :is(button.send, .approve) { forced-color-adjust: none; background: ButtonText; color: ButtonFace; }
  .panel .approve { opacity: 1; }
  .panel :is(button, input, select, textarea):is([aria-disabled=true], :disabled) {
    forced-color-adjust: none; background: Canvas; color: GrayText; border-color: GrayText; opacity: 1;
  }
  .panel .mark:not(:has(img)) { border: 1px solid CanvasText; }
  .panel .spinner { forced-color-adjust: none; border-color: CanvasText; border-block-start-color: transparent; }
  .panel a { color: LinkText; }
  /* Chromium would draw it as a link. More specific than the colours of the states of a call. */
  .panel[part][data-layout] summary, .panel[part][data-layout] summary :is(*, .line) { color: CanvasText; }
  .panel textarea::placeholder { color: GrayText; }
  .panel progress { background: Canvas; border: 1px solid CanvasText; block-size: 6px; }
  .panel progress::-webkit-progress-bar { background: Canvas; }
  .panel progress::-webkit-progress-value { background: Highlight; }
  .panel progress::-moz-progress-bar { background: Highlight; }
}
`
