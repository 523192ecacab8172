// How far a turn has come, read off its calls: which call belongs to which task, what was tried and left. With a todo
// list the list says so; without one the calls are dealt to the tasks in order.
import { isObject } from '../../../src/core/json.js'
import { parseTodos, type Todo } from '../../../src/core/todo.js'
import type { TaskStep } from './task-step.js'
import type { Call } from './transcript.js'

export interface ListedWork {
  /** As last written in this turn. */
  readonly todos: readonly Todo[]
  /** Calls by the id of the todo that was in progress when they were made. */
  readonly calls: ReadonlyMap<string, readonly Call[]>
  /** Ids that have been in progress. */
  readonly begun: ReadonlySet<string>
  /** Looks at the list since it was last written. */
  readonly looks: number
}

/** The work of a turn that wrote a todo list; undefined for one that has not. */
export function listedWork(calls: readonly Call[]): ListedWork | undefined {
  const byTodo = new Map<string, Call[]>()
  const begun = new Set<string>()
  let todos: readonly Todo[] | undefined
  let active: Todo | undefined
  let looks = 0
  for (const call of calls) {
    if (call.name === 'todo_write') {
      const written = call.result?.failed === false ? parseTodos(call.input).todos : undefined
      if (written === undefined) continue
      todos = written
      active = written.find(({ status }) => status === 'in_progress')
      if (active) begun.add(active.id)
      looks = 0
    } else if (call.name === 'todo_read') {
      looks++
    } else if (active) {
      byTodo.set(active.id, [...(byTodo.get(active.id) ?? []), call])
    }
  }
  return todos && { todos, calls: byTodo, begun, looks }
}

/** The calls of each task, for a turn without a todo list. `stepOf` gives the step after some calls of a task. */
export function dealCalls(tasks: readonly string[], calls: readonly Call[], stepOf: (task: string, calls: readonly Call[]) => TaskStep): Call[][] {
  const dealt: Call[][] = tasks.map(() => [])
  let place = 0
  for (const call of calls.filter(({ name }) => name !== 'todo_write' && name !== 'todo_read')) {
    const fits = (index: number): boolean => {
      const step = stepOf(tasks[index] ?? '', dealt[index] ?? [])
      return step.type === 'call' && step.name === call.name
    }
    const found = tasks.findIndex((_, index) => index >= place && fits(index))
    if (found !== -1) place = found
    dealt[place]?.push(call)
  }
  return dealt
}

/** True where the newest result says that the page is about to make way for another. */
export function isLeaving(calls: readonly Call[]): boolean {
  const last = calls.findLast(({ name }) => name !== 'todo_write' && name !== 'todo_read')
  const { value, text = '' } = last?.result ?? {}
  if (isObject(value) && Object.keys(value).some((key) => /^(next|next_?page|opens|navigat\w*|redirect\w*|goes_?to)$/i.test(key))) return true
  return /\b(opens|is opening|going to|navigat\w+ to|redirect\w*|taken to|you will be on)\b.*\bpage\b|\bpage\b.*\b(opens|is opening|loads|is loading)\b/i.test(text)
}
