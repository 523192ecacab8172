// Styles of the buttons below a message, and of the field for editing one.
import { css } from 'lit'

/** The styles of the buttons below a message. */
export const actionStyles = css`
.actions { display: flex; opacity: 0; transition: opacity .1s; }
.copy .icon + .icon, .copy[data-copied] .icon { display: none; }
.copy[data-copied] .icon + .icon { display: block; color: var(--_good); }
.actions [aria-pressed=true] { color: var(--_accent); background: var(--_surface); }
.actions [aria-pressed=true] .icon { fill: color-mix(in srgb, currentColor 30%, transparent); }
.message:hover .actions, .actions:is(:hover, :focus-within), .assistant > [data-newest] .actions { opacity: 1; }
@media (hover: none) {
  .actions { position: absolute; pointer-events: none; }
  [data-tapped] .actions, .actions:focus-within, .assistant > [data-newest] .actions {
    position: static; pointer-events: auto; opacity: 1;
  }
}
.actions + p { padding: 0 calc(.4 * var(--_rem)); }
`

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
