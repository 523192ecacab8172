// What is said of a call in one line: its title, its arguments, and what an agent inside it is doing now.
import { isObject } from '../../core/data/json.js'
import { callsOf, type ToolCallPart } from '../../core/data/message.js'
import { pendingApprovals, type CallLike } from './call-state.js'
import { argumentsLine, lineOf } from './json-view.js'
import { partialJson } from './partial-json.js'
import type { Look, View } from '../panel/render-context.js'

/** As much of a text as can matter to a line. */
const enough = 600

export function titleOf(item: CallLike, { words, titleOf: humanised }: Look): string {
  const name = item.type === 'tool-call' ? item.call.name : item.name
  return (
    words.tools[name] ??
    (item.type === 'tool-call' ? (item.title ?? item.approval?.title) : undefined) ??
    humanised(name)
  )
}

/** The arguments: what ran, what was asked, or what there is of them. */
export function inputLine(item: CallLike): string {
  return argumentsLine(
    item.type === 'tool-call'
      ? (item.result?.input ?? item.started?.input ?? item.call.input)
      : partialJson(item.text.slice(0, enough)),
  )
}

/** The agents around a call, outermost first. */
export function agentsLine(agents: readonly ToolCallPart[], look: Look): string {
  return agents.map((agent) => titleOf(agent, look)).join(' › ')
}

/** What an agent inside a call does now: what it asks, runs or writes. */
export function activityLine({ messages, draft }: NonNullable<ToolCallPart['child']>, view: View): string {
  const { words } = view.look
  const question = pendingApprovals(messages)[0]?.part
  if (question !== undefined) return words.approvalAsked(titleOf(question, view.look))
  const last = draft?.parts.at(-1)
  if (last?.type === 'reasoning') return words.thinking
  if (last?.type === 'text')
    return lineOf(last.text.slice(last.text.trimEnd().lastIndexOf('\n') + 1).slice(0, enough)) || words.working
  const items: readonly CallLike[] =
    last === undefined ? callsOf(messages.at(-1)).filter((part) => part.result === undefined) : [last]
  return (
    items
      .map((item) => [titleOf(item, view.look), detail(item, view)].filter((part) => part !== '').join(': '))
      .join(' · ') || words.working
  )
}

function detail(item: CallLike, view: View): string {
  if (item.type === 'tool-call') {
    if (item.child !== undefined) return activityLine(item.child, view)
    const progress = view.progress.get(item.call.id)
    const message = isObject(progress) ? progress['message'] : progress
    if (typeof message === 'string') return lineOf(message)
  }
  return inputLine(item)
}
