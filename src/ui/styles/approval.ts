// Styles of the approval cards. Loaded with the first card.
import { css } from 'lit'

/** The styles of the approval cards. */
export const approvalStyles = css`
tool-agent-approval { display: block; }
.approvals {
  inline-size: 100%; max-inline-size: 53.5rem; margin-inline: auto; max-block-size: 60%; overflow-y: auto;
  padding: .35rem .75rem 0; display: grid; gap: .6rem; flex: 0 1 auto; min-block-size: 8rem; scrollbar-width: thin;
  border: 0; background: none; color: inherit; outline: 0;
}
.approvals:not(:modal) { position: static; }
.approvals:modal {
  inline-size: min(34rem, calc(100vw - 2rem)); max-block-size: calc(100dvh - 2rem); margin: auto; padding: .75rem;
  border-radius: 16px; background: var(--_bg); color: var(--_text);
}
.approval {
  display: grid; gap: .5rem; padding: .8rem .95rem 0; border: 1.5px solid var(--_warn); border-radius: var(--_box);
  background: var(--_bg);
}
.approval h3 { display: flex; align-items: center; gap: .5rem; font-weight: 650; }
.approval h3 span { flex: 1; min-inline-size: 0; }
.approval h3 .icon { color: var(--_warn); }
.approval h3 code { color: var(--_muted); font-weight: 400; font-size: .8em; }
:is(.arguments, .preview) { padding: .6rem .75rem; background: var(--_surface); border-radius: 9px; }
.arguments pre { background: none; padding: 0; }
.approval .aside > :is(label, input) { margin-block-start: .5rem; }
.approval .aside label:has(textarea) { display: block; color: var(--_muted); font-size: .9em; }
.approval :is(.reason, .edit) {
  inline-size: 100%; border: 1px solid var(--_line); border-radius: var(--_control);
  background: var(--_bg); padding: .45em .7em;
}
.approval .edit {
  color: var(--_text); font-family: var(--_mono); font-size: .875em; resize: vertical; margin-block-start: .4rem;
}
.approval :is(input, textarea)::placeholder { color: var(--_muted); opacity: 1; }
.remember { display: flex; gap: .5rem; align-items: center; }
.remember input { accent-color: var(--_accent); margin: 0; inline-size: 1.05em; block-size: 1.05em; }
.decision {
  position: sticky; inset-block-end: 0; display: flex; flex-wrap: wrap; gap: .6rem; justify-content: flex-end;
  padding-block: .5rem .8rem; background: var(--_bg); border-radius: 0 0 11px 11px;
}
.decision button { padding: .5em 1.2em; }
.approve {
  background: var(--_accent); color: var(--_on-accent); border-color: transparent; opacity: .5;
  transition: opacity .2s;
}
.approve:hover { background: var(--_accent); filter: brightness(1.08); }
.decision[data-ready] .approve:enabled { opacity: 1; }
`
