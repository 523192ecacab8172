// Recognizes calls without any peculiarity. They need neither `parse-tool-calls.ts` nor `call-guards.ts`, which few
// turns load. Every condition here must be at least as strict as there: a plain call has the same outcome.
import { dropUndefined, isObject, parseJson } from '../data/json.js'
import type { ToolCallPart } from '../data/message.js'
import { countTurn } from '../turn/turn-counters.js'
import type { OfferedTools, TurnDeps } from '../turn/turn-deps.js'
import { usedWhenTold } from './limit-notes.js'
import { maxDepth, randomIdLength, type CallIds, type StreamedCall } from './streamed-call.js'

/** What `readCalls` returns, if all calls are plain; undefined otherwise. */
export function readPlainCalls(
  calls: readonly StreamedCall[],
  offered: OfferedTools,
  { taken, isComplete }: CallIds,
): ToolCallPart[] | undefined {
  const ids = new Set<string>()
  const parts: ToolCallPart[] = []
  for (const { id, name, text, metadata } of calls) {
    const input = parseJson(text || '{}')
    const isPlain =
      offered.has(name) &&
      isObject(input) &&
      id !== '' &&
      !taken.has(id) &&
      (isComplete || id.length >= randomIdLength) &&
      // An integer that a number would round.
      !/\d{16}/.test(text) &&
      text.split(/[[{]/).length < maxDepth
    ids.add(id)
    if (!isPlain) return undefined
    parts.push(
      dropUndefined({ type: 'tool-call', call: { id, name, input }, title: offered.get(name)?.title, metadata }),
    )
  }
  if (ids.size < calls.length) return undefined
  for (const id of ids) taken.add(id)
  return parts
}

/** True only for a call that `guardCall` would let pass without a note. */
export function isUnguarded(
  {
    deps,
    offered,
    calls,
  }: { readonly deps: TurnDeps; readonly offered: OfferedTools; readonly calls: readonly ToolCallPart[] },
  { call: { name, input, raw } }: ToolCallPart,
): boolean {
  const session = deps.session()
  const { limits } = deps.config()
  const { options, toolChoice = options?.toolChoice } = session.turn ?? {}
  const { calls: turnCalls, steps } = countTurn(session)
  const lengthOf = (value: unknown) => JSON.stringify(value).length
  const length = lengthOf(input)
  // Equal arguments have texts of equal length, whatever the order of their keys.
  const similar = turnCalls.filter(({ call }) => call.name === name && lengthOf(call.input) === length)
  return (
    toolChoice !== 'none' &&
    offered.has(name) &&
    raw === undefined &&
    // A character has at most 3 bytes in UTF-8.
    3 * length <= limits.argumentBytes &&
    calls.length <= limits.callsPerStep &&
    steps !== usedWhenTold(limits.steps) &&
    turnCalls.length < usedWhenTold(Math.min(limits.toolCalls, limits.callsPerTool)) &&
    similar.length < 3
  )
}
