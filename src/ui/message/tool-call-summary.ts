// A tool call in one line: its title, its arguments, and what an agent inside it is doing.
import { isObject } from '../../core/data/json.js'
import { toolCallsOf, type ToolCallPart } from '../../core/data/message.js'
import { pendingApprovals, type CallLike } from './call-state.js'
import { argumentsLine, toSingleLine } from './json-view.js'
import { partialJson } from './partial-json.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/** Characters of a text that one line can need. */
const lineSource = 600

/** The title of a call: a built-in one, the tool's own, or one made from its name. */
export function callTitleOf(item: CallLike, { words, titleOf }: RenderState): string {
  const name = item.type === 'tool-call' ? item.call.name : item.name
  return (
    words.tools[name] ?? (item.type === 'tool-call' ? (item.title ?? item.approval?.title) : undefined) ?? titleOf(name)
  )
}

/** The arguments on one line: those that ran, those of the model, or those that have streamed so far. */
export function inputLine(item: CallLike): string {
  return argumentsLine(
    item.type === 'tool-call'
      ? (item.result?.input ?? item.started?.input ?? item.call.input)
      : partialJson(item.text.slice(0, lineSource)),
  )
}

/** The titles of the agents around a call, outermost first, on one line. */
export function agentsLine(agents: readonly ToolCallPart[], renderState: RenderState): string {
  return agents.map((agent) => callTitleOf(agent, renderState)).join(' › ')
}

/** What an agent inside a call is doing now: its question, its running calls, or its newest line of text. */
export function activityLine({ messages, draft }: NonNullable<ToolCallPart['child']>, view: RenderContext): string {
  const { words } = view.renderState
  const question = pendingApprovals(messages)[0]?.part
  if (question !== undefined) return words.approvalAsked(callTitleOf(question, view.renderState))
  const last = draft?.parts.at(-1)
  if (last?.type === 'reasoning') return words.thinking
  if (last?.type === 'text')
    return (
      toSingleLine(last.text.slice(last.text.trimEnd().lastIndexOf('\n') + 1).slice(0, lineSource)) || words.working
    )
  const items: readonly CallLike[] =
    last === undefined ? toolCallsOf(messages.at(-1)).filter((part) => part.result === undefined) : [last]
  return (
    items
      .map((item) => [callTitleOf(item, view.renderState), detail(item, view)].filter((part) => part !== '').join(': '))
      .join(' · ') || words.working
  )
}

function detail(item: CallLike, view: RenderContext): string {
  if (item.type === 'tool-call') {
    if (item.child !== undefined) return activityLine(item.child, view)
    const progress = view.progress.get(item.call.id)
    const message = isObject(progress) ? progress['message'] : progress
    if (typeof message === 'string') return toSingleLine(message)
  }
  return inputLine(item)
}
