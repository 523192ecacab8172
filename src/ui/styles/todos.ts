// Styles of the task list.
import { css } from 'lit'

/** The styles of the task list. */
export const todoStyles = css`
.todos { flex: none; border-block-end: 1px solid var(--_line); }
.todos > summary {
  display: grid; grid-template-columns: auto 1fr auto auto; gap: .1rem .6rem; align-items: center;
  padding: .55rem 1.1rem;
}
.todos .title { font-weight: 600; }
.todos .line, .todos .count { color: var(--_muted); font-size: .9em; }
.todos .line { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.todos[open] .line { visibility: hidden; }
.todos progress { grid-column: 1 / -1; }
.todos .list { padding: .1rem 1.1rem .8rem; max-block-size: 14rem; overflow: auto; scrollbar-width: thin; }
.todos .list:focus-visible { outline-offset: -2px; }
.todos ol { list-style: none; display: grid; gap: .4rem; }
.todos .done { margin-block-end: .4rem; color: var(--_muted); }
.todos .done > summary {
  display: inline-flex; flex-direction: row-reverse; gap: .45rem; align-items: center; padding: .1rem 0;
}
.todos .done[open] > summary { margin-block-end: .4rem; }
.todos li { display: flex; gap: .6rem; align-items: flex-start; }
.todos li[data-status=completed] { color: var(--_muted); text-decoration: line-through; }
.todos li[data-status=in_progress] { font-weight: 600; }
[data-status=completed] .box { border-color: var(--_good); color: var(--_good); }
[data-status=in_progress] .icon:dir(rtl) { scale: -1 1; }
[data-status=in_progress] .box { border-color: var(--_accent); color: var(--_accent); }
`
