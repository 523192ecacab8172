// Styles of the notices.
import { css } from 'lit'

/** The styles of the notices. */
export const noticeStyles = css`
.notice {
  display: flex; gap: .65rem; align-items: flex-start; padding: .7rem .9rem; background: var(--_surface);
  border: 1px solid transparent; border-radius: var(--_box); overflow-wrap: anywhere;
}
.notice[data-kind=error] {
  background: color-mix(in srgb, var(--_bad) 7%, var(--_bg));
  border-color: color-mix(in srgb, var(--_bad) 45%, var(--_bg));
}
.notices {
  flex: 0 1 auto; max-block-size: 45%; overflow-y: auto; display: grid; gap: .5rem; padding: .75rem .75rem 0;
  inline-size: 100%; max-inline-size: 53.5rem; margin-inline: auto;
}
.notices:not(:has(.notice)) { display: none; }
.notice > .icon { margin-block-start: .2em; color: var(--_accent); }
.notice[data-kind=error] > .icon { color: var(--_bad); }
.notice > .spinner { margin-block-start: .3em; }
.notice > div { flex: 1; min-inline-size: 0; display: grid; gap: .5rem; }
.notice > button { flex: none; margin: -.3rem -.35rem; }
.follow-ups { display: flex; flex-wrap: wrap; gap: .4rem; }
.acts { display: flex; flex-wrap: wrap; gap: .4rem .9rem; align-items: flex-start; }
.acts > button { background: var(--_bg); }
.detail { flex: 1 1 6rem; min-inline-size: 0; color: var(--_muted); font-size: .9em; }
.detail > summary {
  display: inline-flex; flex-direction: row-reverse; gap: .25rem; align-items: center; padding-block: .4em;
}
.detail > pre { max-block-size: 8rem; margin-block-start: .2rem; }
`
