// Styles of the messages, of the buttons below them, of the field for editing one, of those that wait for the running
// turn, and of what a user needs who has scrolled away from the end. Markdown has its own.
import { css } from 'lit'

/** The styles of the transcript. */
export const transcriptStyles = css`
tool-agent-transcript {
  position: relative; display: flex; flex: 1 1 calc(9 * var(--_rem)); min-block-size: calc(5 * var(--_rem));
}
/* The size is remembered before the browser may skip the message, so that nothing moves when it does. */
.message { display: flow-root; overflow-wrap: anywhere; contain-intrinsic-size: auto calc(5 * var(--_rem)); }
/* Drawn before the code that adds older messages is loaded: a later style would move what the user reads. */
.older { align-self: center; font-size: .9em; }
/* Set by the list, not counted here: it would style all messages anew with each one. */
.message[data-far] { content-visibility: auto; }
/* Containment clips, so leave room for focus rings. */
.assistant { margin-inline: calc(-.35 * var(--_rem)); padding-inline: calc(.35 * var(--_rem)); }
/* The buttons are beside the bubble, so that they take no line. */
.own { display: flex; flex-flow: row-reverse wrap; align-items: flex-end; gap: calc(.25 * var(--_rem)); }
/* The buttons of an answer are in the space before the next message. */
.assistant + .own { margin-block-start: calc(-1 * var(--_rem)); }
/* Not "* + *", which would style the whole list anew with each message. */
.own > :where(:not(:first-child)) { margin: 0; }
.user {
  min-inline-size: 0; max-inline-size: min(80%, 34 * var(--_rem));
  padding: calc(.55 * var(--_rem)) calc(.9 * var(--_rem));
  background: var(--tool-agent-user-background, light-dark(
    color-mix(in srgb, var(--_accent) 12%, var(--_bg)), color-mix(in srgb, var(--_accent) 22%, var(--_bg))
  ));
  color: var(--tool-agent-user-text, inherit);
  border-radius: 16px; border-end-end-radius: 4px;
}
/* The space is there before the buttons are loaded. */
tool-agent-message-actions {
  display: block; min-block-size: calc(2em + 2px);
  margin: calc(.15 * var(--_rem)) calc(-.4 * var(--_rem)) calc(-.35 * var(--_rem));
}
.assistant > tool-agent-message-actions { margin-block-start: calc(.15 * var(--_rem)); }
.user + tool-agent-message-actions { flex: none; min-block-size: 0; margin: 0; }
.child tool-agent-message-actions { display: none; }
.plain { white-space: pre-wrap; }
/* Each block has the direction of its own text. */
.plain, dd, .text :is(p, li, h3, h4, h5, h6, th, td) { unicode-bidi: plaintext; }
:is(.assistant, .user) > :where(:not(:first-child)) { margin-block-start: calc(.55 * var(--_rem)); }
.file { display: flex; gap: calc(.4 * var(--_rem)); align-items: center; color: var(--_muted); }
.ending { color: var(--_muted); font-size: .875em; }
.link {
  border: 0; background: none; padding: 0 .2em; color: var(--tool-agent-link, var(--_accent));
  text-decoration: underline;
  text-underline-offset: .15em;
}
/* Only the dots: a text that fades is too pale to read. */
.pulse::after { content: '…'; animation: pulse 1.4s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: .2; } }
/* A dot at the end of a text that is still being written. A border, because forced colours keep it. */
[aria-busy=true] > .text:last-child > :last-child::after {
  content: ''; display: inline-block; border: .3em solid var(--_accent); border-radius: 50%;
  /* It takes no width, so that it never begins a line. */
  margin-inline: .35em -.95em; animation: pulse 1.4s ease-in-out infinite;
}
.aside > summary {
  display: inline-flex; flex-direction: row-reverse; gap: calc(.3 * var(--_rem)); align-items: center;
  color: var(--_muted);
  font-size: .9em; padding-block: calc(.15 * var(--_rem));
}
/* The line is beside the text, whatever the direction of the text is. */
.aside > :not(summary), .text blockquote {
  color: var(--_muted); padding-inline-start: calc(.85 * var(--_rem)); border-inline-start: 2px solid var(--_line);
  text-align: -webkit-match-parent; text-align: match-parent;
}
.aside > :not(summary) { font-size: .9em; margin-block: calc(.3 * var(--_rem)); }

/* The mark of a task in Markdown. Round, because a square looks as if one may tick it. */
.box {
  flex: none; inline-size: 1.15em; block-size: 1.15em; margin-block-start: .2em; border: 1.5px solid var(--_muted);
  border-radius: 50%; display: inline-grid; place-items: center;
}
.box .icon { inline-size: 1em; block-size: 1em; stroke-width: 3; }
.queue {
  list-style: none; max-block-size: calc(7 * var(--_rem)); overflow-y: auto;
  padding: 0 calc(.35 * var(--_rem)) calc(.35 * var(--_rem)) calc(.6 * var(--_rem));
}
.queued { display: flex; align-items: center; gap: calc(.6 * var(--_rem)); }
.queued .line { flex: 1; min-inline-size: 0; }

tool-agent-text { display: block; }
tool-agent-text > :where(:not(:first-child)), .text > :where(:not(:first-child)) { margin-block-start: .65em; }
`

/** The styles of the list that is scrolled back, and of the button that returns to the end. */
export const readingStyles = css`
.log[data-restoring] { overflow-anchor: none; }
.latest {
  position: absolute; inset-block-end: calc(.5 * var(--_rem)); inset-inline: 0; margin-inline: auto;
  inline-size: fit-content;
  display: flex; align-items: center; gap: .4em; min-block-size: 2.2em; border-radius: 99px; font-size: .9em;
  box-shadow: 0 2px 10px rgb(0 0 0 / .18);
}
`

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
