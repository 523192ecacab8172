// The task list: progress and current task in one line, which opens to the tasks, scrolled to the current one.
import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, type Message } from '../../core/data/message.js'
import type { Todo, TodoStatus } from '../../core/data/todo.js'
import { icon, type IconName } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'

/** Finished tasks from this number on are folded into one line. */
const foldedFrom = 3

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
  const done = todos.filter(isDone).length
  const current = todos.find((todo) => todo.status === 'in_progress')
  // A list of finished tasks alone must not look empty.
  const folded = done >= foldedFrom && done < todos.length ? todos.filter(isDone) : []
  return html`<details class="todos" part="todos" @toggle=${showCurrent}>
    <summary>
      <span class="title">${words.tasks}</span>
      <span class="line">${current?.text ?? ''}</span>
      <span class="count">${words.tasksDone(done, todos.length)}</span>
      ${icon('chevron')}
      <progress part="progress" max=${todos.length} .value=${done} aria-hidden="true"></progress>
    </summary>
    <div class="list" tabindex="0" role="group" aria-label=${words.allTasks}>
      ${
        folded.length === 0
          ? nothing
          : html`<details class="done"><summary>${icon('chevron')}${words.tasksFolded(done)}</summary>
              ${taskList(folded, words)}</details>`
      }
      ${taskList(folded.length === 0 ? todos : todos.filter((todo) => !isDone(todo)), words)}
    </div>
  </details>`
}

const isDone = (todo: Todo): boolean => todo.status === 'completed'

function taskList(todos: readonly Todo[], words: Words): TemplateResult {
  return html`<ol>${repeat(
    todos,
    (todo) => todo.id,
    ({ status, text }) => {
      const mark = icons[status]
      return html`<li data-status=${status}>
        <span class="box" role="img" aria-label=${words.task[status]}>${mark && icon(mark)}</span>
        <span>${text}</span>
      </li>`
    },
  )}</ol>`
}

/** Scrolls the opened list to the current task. */
function showCurrent(event: Event): void {
  const details = event.currentTarget as HTMLDetailsElement
  const list = details.querySelector('.list')
  const current = details.querySelector('[data-status=in_progress]')
  if (!details.open || event.target !== details || list === null || current === null) return
  const { top, height } = list.getBoundingClientRect()
  const item = current.getBoundingClientRect()
  list.scrollTop += item.top - top - (height - item.height) / 2
}
