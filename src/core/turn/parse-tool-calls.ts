// From the calls a model streamed to call parts: arguments parsed once, names matched against the offer, ids unique.
import { dropUndefined, isObject, isRounded, type JsonValue } from '../data/json.js'
import type { Metadata, ToolCallPart } from '../data/message.js'
import type { ToolSpec } from '../data/tool.js'

export interface StreamedCall {
  readonly id: string
  readonly name: string
  /** The argument text, all fragments joined. */
  readonly text: string
  readonly metadata?: Metadata
}

/** Text that every format error carries to the model. */
const formatRules =
  'Rules: strict RFC 8259 JSON, no trailing commas, no comments, no unescaped control characters in strings (newline as \\n, tab as \\t), all keys double-quoted.'

/** The result text of a call whose arguments are not one JSON object. */
export function formatErrorText(raw: string): string {
  const parsed = parseArguments(raw)
  return `Tool call JSON parse failed. Fix and retry. ${formatRules} Error: ${parsed.error ?? 'not one JSON object'}`
}

/** Empty or missing arguments are `{}`; anything but one object is an error. */
export function parseArguments(text: string): { input: JsonValue; error?: never } | { error: string; input?: never } {
  if (text.trim() === '' || text.trim() === 'null') return { input: {} }
  if (isTooDeep(text)) return { error: `nested more than ${maxDepth} levels deep` }
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value))
      return { error: `expected an object, got ${Array.isArray(value) ? 'an array' : typeof value}` }
    return { input: (/\d{16}/.test(text) ? JSON.parse(withExactIntegers(text)) : value) as JsonValue }
  } catch (thrown) {
    return { error: thrown instanceof Error ? thrown.message : 'not JSON' }
  }
}

/** An integer that a number would round (an order id) becomes the text of its digits: which of both fits, the schema says. */
function withExactIntegers(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (isRounded(token) ? `"${token}"` : token))
}

const maxDepth = 200

/** Read off the text: what is too deep to walk should not be parsed and stored first. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    if (depth > maxDepth) return true
  }
  return false
}

/** `functions.x` and other spellings of an offered name; a name that matches none stays as it is. */
export function offeredName(name: string, offered: ReadonlyMap<string, ToolSpec>): string {
  if (offered.has(name)) return name
  const bare = name.replace(/^functions[.:/]/, '')
  if (offered.has(bare)) return bare
  const matches = [...offered.keys()].filter((one) => one.toLowerCase() === bare.toLowerCase())
  return matches.length === 1 && matches[0] !== undefined ? matches[0] : name
}

/** The three offered names nearest to one that is not. */
export function nearestNames(name: string, offered: ReadonlyMap<string, ToolSpec>): string[] {
  const wanted = name.toLowerCase()
  return [...offered.keys()]
    .map((one) => ({ one, distance: editDistance(wanted, one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one)
}

/** Ids used before. Where older messages are not at hand, `isAll` is false. */
export interface TakenIds {
  readonly ids: Set<string>
  readonly isAll: boolean
}
/** Shorter ids, such as `call_0`, are counted, not random. */
const countedLength = 12

/**
 * Call parts in call order. An id that is missing or taken, in this step or the session, gets a new one: servers that
 * count `call_0` in every answer would otherwise join two calls.
 */
export function readCalls(
  calls: readonly StreamedCall[],
  offered: ReadonlyMap<string, ToolSpec>,
  taken: TakenIds,
  newId: () => string,
): ToolCallPart[] {
  return calls.flatMap(unwrapParallel).map(({ id: given, name: rawName, text, metadata }) => {
    const name = offeredName(rawName, offered)
    const isUsed = taken.ids.has(given) || (!taken.isAll && given.length < countedLength)
    const id = given === '' || isUsed ? newId() : given
    taken.ids.add(id)
    const parsed = parseArguments(text)
    const call = parsed.error === undefined ? { id, name, input: parsed.input } : { id, name, input: {}, raw: text }
    return dropUndefined({ type: 'tool-call', call, title: offered.get(name)?.title, metadata })
  })
}

/** Some models wrap parallel calls in one call of a tool that no one offered. */
function unwrapParallel(call: StreamedCall): StreamedCall[] {
  if (call.name !== 'multi_tool_use.parallel' && call.name !== 'parallel') return [call]
  const parsed = parseArguments(call.text)
  const uses = isObject(parsed.input) ? parsed.input['tool_uses'] : undefined
  if (!Array.isArray(uses) || uses.length === 0) return [call]
  return uses.map((use, index) => {
    const inner = isObject(use) ? use : {}
    return {
      id: index === 0 ? call.id : '',
      name: String(inner['recipient_name'] ?? ''),
      text: JSON.stringify(inner['parameters'] ?? {}),
    }
  })
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
