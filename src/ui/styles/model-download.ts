// Styles of the download of the browser's model. Loaded with the first one.
import { css } from 'lit'

/** The styles of the download. */
export const downloadStyles = css`
.download {
  flex: none; display: grid; gap: .4rem; inline-size: 100%; max-inline-size: 53.5rem; margin-inline: auto; padding: .6rem 1.1rem 0;
  font-size: .9375em;
}
.download .row { display: flex; align-items: center; gap: .6rem; }
.download progress { flex: 1; }
.download .muted { min-inline-size: 3.2em; text-align: end; font-variant-numeric: tabular-nums; }
`
