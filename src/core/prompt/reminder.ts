// The todo reminder: when it is due is read off the history, so a reload cannot desync it. It stands in a request
// alone, never in what is stored.
import { toolCallsOf, type Message } from '../data/message.js'
import { renderTodos, type Todo } from '../data/todo.js'

export interface ReminderRule {
  readonly afterRounds: number
  readonly text: string
}

/** Rounds (steps that asked for a tool) since the last `todo_write` that succeeded. */
export function roundsSinceWrite(messages: readonly Message[]): number {
  let rounds = 0
  for (const message of messages.toReversed()) {
    const calls = toolCallsOf(message)
    if (calls.length === 0) continue
    if (calls.some((part) => part.call.name === 'todo_write' && part.result?.error === undefined && part.result)) break
    rounds++
  }
  return rounds
}

/** The reminder with the whole list behind it. */
export function reminderText(rule: ReminderRule, todos: readonly Todo[]): string {
  return `${rule.text}\n${renderTodos(todos)}`
}

/**
 * True when the request that follows the newest step's results carries the reminder: every `afterRounds` rounds
 * without a successful write, while an item is open. A reminder in every round is learnt to be ignored.
 */
export function isReminderDue(rule: ReminderRule, messages: readonly Message[], todos: readonly Todo[]): boolean {
  if (rule.afterRounds < 1 || todos.every((todo) => todo.status === 'completed')) return false
  if (toolCallsOf(messages.at(-1)).length === 0) return false
  const rounds = roundsSinceWrite(messages)
  return rounds >= rule.afterRounds && rounds % rule.afterRounds === 0
}
