// The todo list: parses what the model wrote, all or nothing, and renders it as text.
import { withIndex } from './lists.js'
import { isObject, type JsonValue } from './json.js'

/** At most one item is `in_progress`. */
export type TodoStatus = 'pending' | 'in_progress' | 'completed'

/** One item of the todo list. */
export interface Todo {
  /** Unique in the list. The model chooses it, by default the position from 1. */
  readonly id: string
  /** What to do, as the user reads it. */
  readonly text: string
  /** `pending` until the model sets another one. */
  readonly status: TodoStatus
}

/** When the model is reminded of its todo list, and with which text. */
export interface ReminderRule {
  /** Rounds without `todo_write` until the reminder, and between two reminders. 0 turns it off. @default 3 */
  readonly afterRounds: number
  /** The first line of the reminder. The list follows it, if the request does not contain it yet. */
  readonly text: string
}

const marks: Record<TodoStatus, string> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' }
const maxTodos = 20

/** A list with items as text for the model: one line per item, then `(1/3 completed)`. */
export function renderTodos(todos: readonly Todo[]): string {
  const done = todos.filter((todo) => todo.status === 'completed').length
  const lines = todos.map((todo) => `${marks[todo.status]} #${todo.id}: ${todo.text}`)
  return [...lines, `(${done}/${todos.length} completed)`].join('\n')
}

/** The new list, or why it is not valid. Only `null` and an empty array clear the list. */
export function parseTodos(input: JsonValue): { todos: Todo[]; error?: never } | { error: string; todos?: never } {
  const items = isObject(input) ? input['items'] : undefined
  if (items === null) return { todos: [] }
  if (!Array.isArray(items)) {
    return { error: 'items: expected the whole list as [{"text":"…"}], or null to clear it. The list is unchanged' }
  }
  if (items.length > maxTodos) return { error: `Max ${maxTodos} todos allowed` }
  const todos: Todo[] = []
  const ids = new Set<string>()
  let active = 0
  for (const [index, raw] of withIndex(items)) {
    const place = index + 1
    const item = isObject(raw) ? raw : {}
    const text = plain(item['text'])
    if (text === '') return { error: `Item ${place}: text required` }
    const status = String(item['status'] ?? 'pending')
      .trim()
      .toLowerCase()
    if (!isStatus(status)) return { error: `Item ${place}: invalid status '${status}'` }
    const id = plain(item['id']) || String(place)
    if (ids.has(id)) return { error: `Item ${place}: id used twice` }
    ids.add(id)
    if (status === 'in_progress') active++
    todos.push({ id, text, status })
  }
  if (active > 1) return { error: 'Only one task can be in_progress at a time' }
  return { todos }
}

/** Also accepts numbers, because models write them for ids. */
function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function isStatus(text: string): text is TodoStatus {
  return Object.hasOwn(marks, text)
}
