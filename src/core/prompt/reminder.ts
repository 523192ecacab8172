// The reminder to update the todo list. Whether it is due is computed from the messages, so a reload changes nothing.
// It is stored with the answer to its request, and later requests contain it at the same place.
import { toolCallsOf, type Message } from '../data/message.js'
import { renderTodos, type ReminderRule, type Todo } from '../data/todo.js'

/** Rounds (steps with tool calls) since the last successful `todo_write`. */
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

/** The reminder. The whole list follows it, unless a result or a reminder that the model still reads has it. */
export function reminderText(rule: ReminderRule, { messages, todos, clearedTo }: RemindedSession): string {
  const list = renderTodos(todos)
  const isSent = messages.some((message, index) => {
    if (message.role !== 'assistant') return false
    const { reminder = '', text = '' } = message.added ?? {}
    const results = index < clearedTo ? [] : toolCallsOf(message).map((part) => part.result?.modelOutput)
    return [reminder, text, ...results].some((sent) => typeof sent === 'string' && sent.endsWith(list))
  })
  return isSent ? rule.text : `${rule.text}\n${list}`
}

/** What a reminder is made of. */
export interface RemindedSession {
  /** The messages of the request. */
  readonly messages: readonly Message[]
  readonly todos: readonly Todo[]
  /** Index in `messages` before which old results are left out. */
  readonly clearedTo: number
}

/**
 * True if the next request contains the reminder: after every `afterRounds` rounds without a successful write, while an
 * item is open and the newest message has calls. Not in every round, because models learn to ignore that.
 */
export function isReminderDue(rule: ReminderRule, messages: readonly Message[], todos: readonly Todo[]): boolean {
  if (rule.afterRounds < 1 || todos.every((todo) => todo.status === 'completed')) return false
  if (toolCallsOf(messages.at(-1)).length === 0) return false
  const rounds = roundsSinceWrite(messages)
  return rounds >= rule.afterRounds && rounds % rule.afterRounds === 0
}
