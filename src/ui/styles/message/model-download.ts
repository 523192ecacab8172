// Styles of the download of the browser's model.
import { css } from 'lit'

/** The styles of the download. */
export const downloadStyles = css`
tool-agent-download { display: grid; gap: calc(.4 * var(--_rem)); font-size: .9375em; }
tool-agent-download .row { display: flex; align-items: center; gap: calc(.6 * var(--_rem)); }
tool-agent-download progress { flex: 1; }
tool-agent-download .muted { min-inline-size: 3.2em; text-align: end; font-variant-numeric: tabular-nums; }
`
