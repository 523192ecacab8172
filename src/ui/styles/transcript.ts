// Styles of the messages. Markdown loads its own.
import { css } from 'lit'

/** The styles of the transcript. */
export const transcriptStyles = css`
tool-agent-transcript { position: relative; display: flex; flex: 1 1 9rem; min-block-size: 5rem; }
.log { flex: 1; min-inline-size: 0; overflow-y: auto; overscroll-behavior: contain; scrollbar-width: thin; }
.log:focus-visible { outline-offset: -2px; }
.messages {
  display: flex; flex-direction: column; gap: calc(.75rem * var(--_density));
  padding: calc(1.1rem * var(--_density)); min-block-size: 100%; max-inline-size: 52rem;
  margin-inline: auto;
}
.message { display: flow-root; position: relative; min-inline-size: 0; overflow-wrap: anywhere; }
/* Not the newest messages: their height must be known to scroll to the end. */
.message:not(:nth-last-child(-n+6)) { content-visibility: auto; contain-intrinsic-size: auto 5rem; }
/* Containment clips, so leave room for focus rings. */
.assistant { margin-inline: -.35rem; padding-inline: .35rem; }
.user {
  align-self: flex-end; max-inline-size: 85%; padding: .55rem .9rem;
  background: var(--tool-agent-user-background, var(--_surface)); color: var(--tool-agent-user-text, inherit);
  border-radius: 16px 16px 4px 16px; margin-block-start: .4rem;
}
.plain { white-space: pre-wrap; }
/* Each block has the direction of its own text. */
.plain, dd, .text :is(p, li, h3, h4, h5, h6, th, td) { unicode-bidi: plaintext; }
.message > * + * { margin-block-start: .55rem; }
.file { display: flex; gap: .4rem; align-items: center; color: var(--_muted); }
.ending { color: var(--_muted); font-size: .875em; }
.older { align-self: center; font-size: .9em; }
.latest {
  position: absolute; inset-block-end: .5rem; inset-inline-end: .9rem; box-shadow: 0 2px 10px rgb(0 0 0 / .18);
  background: var(--_bg);
}
.empty {
  margin: auto; display: flex; flex-direction: column; gap: .6rem; align-items: center; max-inline-size: 26rem;
  text-align: center; padding-block: 1rem;
}
.greeting { font-size: 1.35em; font-weight: 600; letter-spacing: -.01em; margin-block-end: .6rem; }
.suggestion { border-radius: var(--tool-agent-radius-control, 14px); padding: .55em 1.1em; }
.working { color: var(--_muted); }
.pulse { animation: pulse 1.4s ease-in-out infinite; }
.pulse::after { content: '…'; }
@keyframes pulse { 50% { opacity: .45; } }
.copy {
  position: absolute; inset-block-start: 0; inset-inline-end: 0; margin: 0 !important; background: var(--_bg);
  opacity: 0;
}
.message:hover > .copy, .copy:focus-visible { opacity: 1; }
.copy .icon + .icon, .copy[data-copied] .icon { display: none; }
.copy[data-copied] .icon + .icon { display: block; color: var(--_good); }
.aside > summary {
  display: inline-flex; flex-direction: row-reverse; gap: .3rem; align-items: center; color: var(--_muted);
  font-size: .9em; padding-block: .15rem;
}
.aside .plain {
  color: var(--_muted); font-size: .9em; padding-inline-start: .85rem; border-inline-start: 2px solid var(--_line);
  margin-block: .3rem;
}

tool-agent-text { display: block; }
tool-agent-text > * + *, .text > * + * { margin-block-start: .65em; }
.text > :first-child { margin-block-start: 0; }
`
