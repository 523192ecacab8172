// The title of a tool call. Apart from the cards, because questions have it too.
import type { ToolCallPart } from '../../core/data/message.js'
import type { CallLike } from './call/call-state.js'
import type { RenderState } from '../panel/render-context.js'

/** The title of a call: a built-in one, the tool's own, or one made from its name. */
export function callTitleOf(item: CallLike, renderState: RenderState): string {
  return item.type === 'tool-call'
    ? toolTitle(item.call.name, renderState, item.title ?? item.approval?.title)
    : toolTitle(item.name, renderState)
}

/** The title of a tool. `stored`: its own title at the time of a call. */
export function toolTitle(name: string, { words, titleOf }: RenderState, stored?: string): string {
  return words.tools[name] ?? stored ?? titleOf(name)
}

/** The titles of the agents around a call, outermost first, on one line. */
export function agentsLine(agents: readonly ToolCallPart[], renderState: RenderState): string {
  return agents.map((agent) => callTitleOf(agent, renderState)).join(' › ')
}
