// Styles of the buttons below a message. Loaded with the first message.
import { css } from 'lit'

/** The styles of the buttons below a message. */
export const actionStyles = css`
.actions { display: flex; }
.copy .icon + .icon, .copy[data-copied] .icon { display: none; }
.copy[data-copied] .icon + .icon { display: block; color: var(--_good); }
.actions [aria-pressed=true] { color: var(--_accent); background: var(--_surface); }
@media (hover: hover) {
  .actions { opacity: 0; transition: opacity .1s; }
  .message:hover .actions, .user:hover + * .actions, .actions:is(:hover, :focus-within),
  .message > [data-newest] .actions { opacity: 1; }
}
@media (pointer: coarse) { .actions button { padding: .65em; } }
.user:has(+ [data-edited]) { display: none; }
.user + [data-edited] { align-self: stretch; margin: 0; }
.actions + .ending { padding-inline: .4rem; }
.edit-form {
  display: grid; gap: .5rem; padding: .6rem; background: var(--_surface); border: 1px solid var(--_line);
  border-radius: 16px;
}
.edit-form textarea {
  inline-size: 100%; resize: vertical; border: 1px solid var(--_line); border-radius: var(--_corner);
  background: var(--_bg);
  padding: .45em .6em;
}
.edit-form div { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: end; }
.edit-form .primary { background: var(--_accent); color: var(--_on-accent); border-color: transparent; }
`
