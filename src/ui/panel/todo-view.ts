// The task list: progress and current task in one line, which opens to all tasks. Loaded with the first list.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, type Message } from '../../core/data/message.js'
import type { Todo, TodoStatus } from '../../core/data/todo.js'
import { icon, type IconName } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'

export { todoStyles } from '../styles/todos.js'

const icons: Partial<Record<TodoStatus, IconName>> = { completed: 'check', in_progress: 'chevron' }

/** True when all tasks are done and the user has sent another message since. */
function isPast(todos: readonly Todo[], messages: readonly Message[]): boolean {
  return (
    todos.every((todo) => todo.status === 'completed') &&
    messages.findLastIndex((message) => message.role === 'user') >
      messages.findLastIndex((message) => toolCallsOf(message).some((part) => part.call.name === 'todo_write'))
  )
}

/** Draws the task list; nothing if it is empty or finished. */
export function todoView(
  todos: readonly Todo[],
  messages: readonly Message[],
  words: Words,
): TemplateResult | typeof nothing {
  if (todos.length === 0 || isPast(todos, messages)) return nothing
  const done = todos.filter((todo) => todo.status === 'completed').length
  const current = todos.find((todo) => todo.status === 'in_progress')
  return html`<details class="todos" part="todos">
    <summary>
      <span class="title">${words.tasks}</span>
      <span class="line">${current?.text ?? ''}</span>
      <span class="count">${words.tasksDone(done, todos.length)}</span>
      ${icon('chevron')}
      <progress part="progress" max=${todos.length} .value=${done} aria-hidden="true"></progress>
    </summary>
    <ol>${repeat(
      todos,
      (todo) => todo.id,
      (todo) => {
        const mark = icons[todo.status]
        return html`<li data-status=${todo.status}>
        <span class="box" role="img" aria-label=${words.task[todo.status]}>${mark && icon(mark)}</span>
        <span>${todo.text}</span>
      </li>`
      },
    )}</ol>
  </details>`
}
