// Styles of the notices. Loaded with the first one.
import { css } from 'lit'

/** The styles of the notices. */
export const noticeStyles = css`
.notice {
  display: flex; flex-wrap: wrap; gap: .4rem .65rem; align-items: flex-start; padding: .7rem .9rem;
  background: var(--_surface); border-radius: var(--_box); overflow-wrap: anywhere;
}
.notices {
  flex: 0 1 auto; max-block-size: 45%; overflow-y: auto; display: grid; gap: .5rem; padding: .75rem .75rem 0;
  inline-size: 100%; max-inline-size: 53.5rem; margin-inline: auto;
}
.notices:not(:has(.notice)) { display: none; }
.notice > .icon { margin-block-start: .2em; color: var(--_accent); }
.notice[data-kind=error] > .icon { color: var(--_bad); }
.notice > div { flex: 1; min-inline-size: min(13rem, 80%); }
.notice .detail { color: var(--_muted); font-size: .85em; max-block-size: 7em; overflow: auto; }
.notice > button { flex: none; margin-block: -.2rem; }
`
