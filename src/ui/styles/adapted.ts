// Styles of the panel on phones, touch screens and in low windows, and with forced colours. Loaded there.
import { css } from 'lit'

/** The styles of special screens. */
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
