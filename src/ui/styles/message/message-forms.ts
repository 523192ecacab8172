// Styles of the text field for editing a message.
import { css } from 'lit'

/** The styles of a message that is edited. */
export const formStyles = css`
.user:has(+ [data-edited]) { display: none; }
.user + [data-edited] { flex: 1; min-inline-size: 0; }
.edit-form {
  display: grid; gap: calc(.5 * var(--_rem)); padding: calc(.6 * var(--_rem)); background: var(--_surface);
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
}
.edit-form textarea {
  inline-size: 100%; resize: vertical; border: 1px solid var(--_line); border-radius: var(--_corner);
  background: var(--_bg);
  padding: .45em .6em;
}
.edit-form ul { list-style: none; display: flex; flex-wrap: wrap; gap: calc(.4 * var(--_rem)); }
.edit-form li {
  display: flex; align-items: center; gap: calc(.25 * var(--_rem)); min-inline-size: 0; max-inline-size: 100%;
  font-size: .875em;
  padding-inline-start: calc(.5 * var(--_rem)); border: 1px solid var(--_line); border-radius: var(--_corner);
  background: var(--_bg);
}
.edit-form .line { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.edit-form div { display: flex; flex-wrap: wrap; gap: calc(.5 * var(--_rem)); justify-content: end; }
.edit-form .primary { background: var(--_accent); color: var(--_on-accent); border-color: transparent; }
`
