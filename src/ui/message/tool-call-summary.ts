// What is said of a call in one line: its title, its arguments, and what an agent inside it is doing now.
import { isObject } from '../../core/data/json.js'
import { toolCallsOf, type ToolCallPart } from '../../core/data/message.js'
import { pendingApprovals, type CallLike } from './call-state.js'
import { argumentsLine, toJsonLine } from './json-view.js'
import { partialJson } from './partial-json.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/** As much of a text as can matter to a line. */
const enough = 600

export function callTitleOf(item: CallLike, { words, titleOf: humanised }: RenderState): string {
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
export function agentsLine(agents: readonly ToolCallPart[], look: RenderState): string {
  return agents.map((agent) => callTitleOf(agent, look)).join(' › ')
}

/** What an agent inside a call does now: what it asks, runs or writes. */
export function activityLine({ messages, draft }: NonNullable<ToolCallPart['child']>, view: RenderContext): string {
  const { words } = view.look
  const question = pendingApprovals(messages)[0]?.part
  if (question !== undefined) return words.approvalAsked(callTitleOf(question, view.look))
  const last = draft?.parts.at(-1)
  if (last?.type === 'reasoning') return words.thinking
  if (last?.type === 'text')
    return toJsonLine(last.text.slice(last.text.trimEnd().lastIndexOf('\n') + 1).slice(0, enough)) || words.working
  const items: readonly CallLike[] =
    last === undefined ? toolCallsOf(messages.at(-1)).filter((part) => part.result === undefined) : [last]
  return (
    items
      .map((item) => [callTitleOf(item, view.look), detail(item, view)].filter((part) => part !== '').join(': '))
      .join(' · ') || words.working
  )
}

function detail(item: CallLike, view: RenderContext): string {
  if (item.type === 'tool-call') {
    if (item.child !== undefined) return activityLine(item.child, view)
    const progress = view.progress.get(item.call.id)
    const message = isObject(progress) ? progress['message'] : progress
    if (typeof message === 'string') return toJsonLine(message)
  }
  return inputLine(item)
}
