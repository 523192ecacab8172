// Styles of the notices, and of the download of a model, which is shown as one.
import { css } from 'lit'

/** The styles of the notices. */
export const noticeStyles = css`
.notice {
  display: flex; gap: calc(.65 * var(--_rem)); align-items: flex-start;
  padding: calc(.7 * var(--_rem)) calc(.9 * var(--_rem)); background: var(--_surface);
  border: 1px solid transparent; border-radius: var(--_box); overflow-wrap: anywhere;
  animation: enter .2s;
}
.notice[data-kind=error] {
  background: color-mix(in srgb, var(--_bad) 7%, var(--_bg));
  border-color: color-mix(in srgb, var(--_bad) 45%, var(--_bg));
}
.notices {
  flex: 0 1 auto; max-block-size: 45%; overflow-y: auto; display: grid; gap: calc(.5 * var(--_rem));
  padding: calc(.75 * var(--_rem)) calc(.75 * var(--_rem)) 0;
  inline-size: 100%; max-inline-size: calc(53.5 * var(--_rem)); margin-inline: auto;
}
.notices:not(:has(.notice)) { display: none; }
.notice > .icon { margin-block-start: .2em; color: var(--_accent); }
.notice[data-kind=error] > .icon { color: var(--_bad); }
.notice > .spinner { margin-block-start: .3em; }
.notice > div { flex: 1; min-inline-size: 0; display: grid; gap: calc(.5 * var(--_rem)); }
.notice > button { flex: none; margin: calc(-.3 * var(--_rem)) calc(-.35 * var(--_rem)); }
.follow-ups { display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)); }
.acts { display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)) calc(.9 * var(--_rem)); align-items: flex-start; }
.acts > button { background: var(--_bg); }
.detail { flex: 1 1 calc(6 * var(--_rem)); min-inline-size: 0; color: var(--_muted); font-size: .9em; }
.detail > summary {
  display: inline-flex; flex-direction: row-reverse; gap: calc(.25 * var(--_rem)); align-items: center;
  padding-block: .4em;
}
.detail > pre { max-block-size: calc(8 * var(--_rem)); margin-block-start: calc(.2 * var(--_rem)); }
`

/** The styles of the download of the browser's model. */
export const downloadStyles = css`
div.download { display: grid; gap: calc(.4 * var(--_rem)); font-size: .9375em; }
div.download .row { display: flex; align-items: center; gap: calc(.6 * var(--_rem)); }
div.download progress { flex: 1; }
div.download .muted { min-inline-size: 3.2em; text-align: end; font-variant-numeric: tabular-nums; }
`
