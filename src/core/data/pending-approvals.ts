// Which calls of a session wait for the user.
import { toolCallsOf, type Message, type ToolCallPart } from './message.js'

/** True for a call that awaits the user's decision: it has not started, or the page holds what it is about to send. */
export function isQuestion({ approval, started, held, result }: ToolCallPart): boolean {
  return approval !== undefined && (started === undefined || held === true) && result === undefined
}

/** A call that waits for the user. */
export interface Question {
  /** The call. */
  readonly part: ToolCallPart
  /** The agent calls around it, outermost first. */
  readonly agents: readonly ToolCallPart[]
}

/** The calls that wait for the user, in call order, including calls of agents inside calls. */
export function pendingApprovals(messages: readonly Message[], agents: readonly ToolCallPart[] = []): Question[] {
  return toolCallsOf(messages.findLast((message) => message.role === 'assistant')).flatMap((part) => {
    if (part.result !== undefined) return []
    const inner = pendingApprovals(part.child?.messages ?? [], [...agents, part])
    return isQuestion(part) ? [{ part, agents }, ...inner] : inner
  })
}
