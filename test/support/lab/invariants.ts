// What must hold after every fault: stored data that the page has seen is still there, and each call has exactly one
// result.
import { toolCallsOf, allToolCalls, textOf, type Message } from '../../../src/core/data/message.js'
import type { Session } from '../../../src/core/data/session.js'

/** Runs of each tool. */
export type Runs = Readonly<Record<string, number>>

/** Events that the page received as stored and that the session does not contain. */
export function losses(seen: Session | undefined, now: Session | undefined): string[] {
  if (seen === undefined) return []
  const lost: string[] = []
  const messages = new Map((now?.messages ?? []).map((message): [string, Message] => [message.id, message]))
  const calls = new Map(allToolCalls(now?.messages ?? []).map(({ part }) => [part.call.id, part]))
  for (const message of seen.messages) {
    const kept = messages.get(message.id)
    if (kept === undefined) lost.push(`the message ${message.role} ${textOf(message)}`)
    else if (textOf(kept) !== textOf(message))
      lost.push(`the text of ${message.role} ${textOf(message)}, which is now ${textOf(kept)}`)
  }
  for (const {
    part: { call, started, result },
  } of allToolCalls(seen.messages)) {
    const kept = calls.get(call.id)
    // The start of a call whose step only reads is displayed and not stored.
    const isStored = result !== undefined || seen.turn?.reads !== true
    if (started && isStored && kept?.started === undefined) lost.push(`that ${call.name} ${call.id} was started`)
    if (result && JSON.stringify(kept?.result) !== JSON.stringify(result))
      lost.push(`the result of ${call.name} ${call.id}`)
  }
  for (const key of Object.keys(seen.context))
    if (!(key in (now?.context ?? {}))) lost.push(`what was remembered as ${key}`)
  if (seen.todos.length > 0 && (now?.todos ?? []).length === 0) lost.push('the todos')
  return lost
}

/** Calls of a session whose result and number of runs do not go together; each tool is called once in it. */
export function misruns(now: Session | undefined, runs: Runs, repeatable: ReadonlySet<string>): string[] {
  const wrong: string[] = []
  for (const {
    part: { call, result },
  } of allToolCalls(now?.messages ?? [])) {
    const count = runs[call.name]
    if (count === undefined) continue
    if (count > 1 && !repeatable.has(call.name)) wrong.push(`${call.name} ran ${count} times`)
    if (result && !result.error && count === 0) wrong.push(`${call.name} has an output and never ran`)
    if (
      result?.error &&
      count > 0 &&
      !repeatable.has(call.name) &&
      !/may still have happened/.test(result.error.message)
    )
      wrong.push(`${call.name} ran, and its error does not say so: ${result.error.message}`)
  }
  for (const message of now?.messages ?? [])
    for (const { call, result } of toolCallsOf(message))
      if (result === undefined) wrong.push(`${call.name} has no result`)
  return wrong
}
