// The todo list: parse what the model wrote, all or nothing, and the one text form it is shown in.
import { isObject, type JsonValue } from './json.js'

export type TodoStatus = 'pending' | 'in_progress' | 'completed'
export interface Todo {
  readonly id: string
  readonly text: string
  readonly status: TodoStatus
}

const marks: Record<TodoStatus, string> = { pending: '[ ]', in_progress: '[>]', completed: '[x]' }
const maxTodos = 20

/** The list as the model and the reminder show it: a line per item, then `(1/3 completed)`; `No todos.` when empty. */
export function renderTodos(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'No todos.'
  const done = todos.filter((todo) => todo.status === 'completed').length
  const lines = todos.map((todo) => `${marks[todo.status]} #${todo.id}: ${todo.text}`)
  return [...lines, `(${done}/${todos.length} completed)`].join('\n')
}

/** The new list, or the one message that says why it was refused. */
export function parseTodos(input: JsonValue): { todos: Todo[]; error?: never } | { error: string; todos?: never } {
  const items = isObject(input) ? input['items'] : undefined
  if (items === null || items === undefined) return { todos: [] }
  if (!Array.isArray(items)) return { error: 'items must be an array of todos or null' }
  if (items.length > maxTodos) return { error: `Max ${maxTodos} todos allowed` }
  const todos: Todo[] = []
  const ids = new Set<string>()
  let active = 0
  for (const [index, raw] of items.entries()) {
    const place = index + 1
    const item = isObject(raw) ? raw : {}
    const text = typeof item['text'] === 'string' ? item['text'].trim() : ''
    if (text === '') return { error: `Item ${place}: text required` }
    const status = String(item['status'] ?? 'pending').trim().toLowerCase()
    if (!isStatus(status)) return { error: `Item ${place}: invalid status '${status}'` }
    const id = String(item['id'] ?? '').trim() || String(place)
    if (ids.has(id)) return { error: `Item ${place}: id used twice` }
    ids.add(id)
    if (status === 'in_progress') active++
    todos.push({ id, text, status })
  }
  if (active > 1) return { error: 'Only one task can be in_progress at a time' }
  return { todos }
}

function isStatus(text: string): text is TodoStatus {
  return Object.hasOwn(marks, text)
}
