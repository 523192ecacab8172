// How far a turn has come, read off its calls: which call belongs to which task, what was tried and left. With a todo
// list the list says so; without one the calls are dealt to the tasks in order.
import { parseTodos, type Todo } from '../../src/core/data/todo.js'
import type { TaskStep } from './task-step.js'
import type { Call } from './transcript.js'

export interface ListedWork {
  /** As last written in this turn. */
  readonly todos: readonly Todo[]
  /** Calls by the id of the todo that was in progress when they were made. */
  readonly calls: ReadonlyMap<string, readonly Call[]>
  /** Ids that have been in progress. */
  readonly begun: ReadonlySet<string>
}

/** The work of a turn that wrote a todo list; undefined for one that has not. */
export function listedWork(calls: readonly Call[]): ListedWork | undefined {
  const byTodo = new Map<string, Call[]>()
  const begun = new Set<string>()
  let todos: readonly Todo[] | undefined
  let active: Todo | undefined
  for (const call of calls) {
    if (call.name === 'todo_write') {
      const written = call.result?.failed === false ? parseTodos(call.input).todos : undefined
      if (written === undefined) continue
      todos = written
      active = written.find(({ status }) => status === 'in_progress')
      if (active) begun.add(active.id)
    } else if (call.name !== 'todo_read' && active) {
      byTodo.set(active.id, [...(byTodo.get(active.id) ?? []), call])
    }
  }
  return todos && { todos, calls: byTodo, begun }
}

/** The calls of each task, for a turn without a todo list. `stepOf` gives the step after some calls of a task. */
export function dealCalls(
  tasks: readonly string[],
  calls: readonly Call[],
  stepOf: (task: string, calls: readonly Call[]) => TaskStep,
): Call[][] {
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
