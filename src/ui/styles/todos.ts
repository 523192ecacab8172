// Styles of the task list.
import { css } from 'lit'

/** The styles of the task list. */
export const todoStyles = css`
.todos { flex: none; border-block-end: 1px solid var(--_line); }
.todos > summary {
  display: grid; grid-template-columns: auto 1fr auto auto; gap: calc(.1 * var(--_rem)) calc(.6 * var(--_rem));
  align-items: center;
  padding: calc(.55 * var(--_rem)) calc(1.1 * var(--_rem));
}
.todos .title { font-weight: 600; }
.todos .line, .todos .count { color: var(--_muted); font-size: .9em; }
.todos .line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.todos[open] .line { visibility: hidden; }
.todos progress { grid-column: 1 / -1; }
.todos .list {
  padding: calc(.1 * var(--_rem)) calc(1.1 * var(--_rem)) calc(.8 * var(--_rem));
  max-block-size: calc(14 * var(--_rem)); overflow: auto; scrollbar-width: thin;
}
.todos .list:focus-visible { outline-offset: -2px; }
.todos ol { list-style: none; display: grid; gap: calc(.4 * var(--_rem)); }
.todos .done { margin-block-end: calc(.4 * var(--_rem)); color: var(--_muted); }
.todos .done > summary {
  display: inline-flex; flex-direction: row-reverse; gap: calc(.45 * var(--_rem)); align-items: center;
  padding: calc(.1 * var(--_rem)) 0;
}
.todos .done[open] > summary { margin-block-end: calc(.4 * var(--_rem)); }
.todos li { display: flex; gap: calc(.6 * var(--_rem)); align-items: flex-start; }
.todos li[data-status=completed] { color: var(--_muted); text-decoration: line-through; }
.todos li[data-status=in_progress] { font-weight: 600; }
[data-status=completed] .box { border-color: var(--_good); color: var(--_good); }
[data-status=in_progress] .icon:dir(rtl) { scale: -1 1; }
[data-status=in_progress] .box { border-color: var(--_accent); color: var(--_accent); }
`
