// The title of a tool call. Apart from the cards, because questions have it too.
import type { ToolCallPart } from '../../core/data/message.js'
import type { CallLike } from './call/call-state.js'
import type { RenderState } from '../panel/render-context.js'

/** The title of a call: a built-in one, the tool's own, or one made from its name. */
export function callTitleOf(item: CallLike, { words, titleOf }: RenderState): string {
  const name = item.type === 'tool-call' ? item.call.name : item.name
  return (
    words.tools[name] ?? (item.type === 'tool-call' ? (item.title ?? item.approval?.title) : undefined) ?? titleOf(name)
  )
}

/** The titles of the agents around a call, outermost first, on one line. */
export function agentsLine(agents: readonly ToolCallPart[], renderState: RenderState): string {
  return agents.map((agent) => callTitleOf(agent, renderState)).join(' › ')
}
