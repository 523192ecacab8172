// A tool call in one line: its title and its arguments.
import type { ToolCallPart } from '../../core/data/message.js'
import type { CallLike } from './call-state.js'
import { argumentsLine } from './json-view.js'
import { partialJson } from './partial-json.js'
import type { RenderState } from '../panel/render-context.js'

/** Characters of a text that one line can need. */
export const lineSource = 600

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
