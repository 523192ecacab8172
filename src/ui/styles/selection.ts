// Styles of the button that asks about selected text, and of its quotes. Loaded with the first selection.
import { css } from 'lit'

/** The styles of selected text in the composer. */
export const selectionStyles = css`
.selection:empty { display: none; }
.selection {
  display: grid; gap: calc(.4 * var(--_rem)); padding-block-end: calc(.5 * var(--_rem)); justify-items: start;
}
.selection ul {
  list-style: none; display: grid; gap: calc(.4 * var(--_rem)); max-block-size: calc(9.5 * var(--_rem));
  overflow-y: auto; inline-size: 100%;
}
.selection li {
  display: flex; align-items: center; gap: calc(.5 * var(--_rem)); min-inline-size: 0;
  padding: calc(.25 * var(--_rem)) calc(.25 * var(--_rem)) calc(.25 * var(--_rem)) calc(.75 * var(--_rem));
  border-inline-start: 3px solid var(--_accent); border-radius: 6px; background: var(--_surface); font-size: .875em;
}
.selection q {
  flex: 1; min-inline-size: 0; quotes: none; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
  overflow: hidden; overflow-wrap: anywhere;
}
.selection li button { flex: none; }
.ask-selection {
  display: inline-flex; align-items: center; gap: .45em; max-inline-size: 100%; border-radius: 99px; font-size: .875em;
}
.ask-selection .icon { color: var(--_accent); }
`
