// Styles of the buttons below a message.
import { css } from 'lit'

/** The styles of the buttons below a message. */
export const actionStyles = css`
.actions { display: flex; }
.copy .icon + .icon, .copy[data-copied] .icon { display: none; }
.copy[data-copied] .icon + .icon { display: block; color: var(--_good); }
.actions [aria-pressed=true] { color: var(--_accent); background: var(--_surface); }
.actions [aria-pressed=true] .icon { fill: color-mix(in srgb, currentColor 30%, transparent); }
.actions { opacity: 0; transition: opacity .1s; }
.message:hover .actions, .actions:is(:hover, :focus-within), .assistant > [data-newest] .actions { opacity: 1; }
@media (hover: none) {
  .actions { position: absolute; pointer-events: none; }
  [data-tapped] .actions, .actions:focus-within, .assistant > [data-newest] .actions {
    position: static; pointer-events: auto; opacity: 1;
  }
}
@media (pointer: coarse) { .actions button { padding: .65em; } }
.actions + p { padding: 0 calc(.4 * var(--_rem)); }
`
