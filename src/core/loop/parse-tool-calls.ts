// Turns the calls that a model streamed into call parts. Arguments are parsed once, names are matched with the offered
// tools, a call of `use_tool` becomes one of the tool that it names, and every id is unique in its session.
import { times } from '../data/lists.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import { isDeeperThan, parseExact } from '../data/plain-json.js'
import type { ToolCallPart, ToolResult, Metadata } from '../data/message.js'
import { useToolName } from './tool-names.js'
import type { OfferedTools } from './turn-deps.js'

/** A call as the model wrote it. */
export interface StreamedCall {
  /** The model's id. It may be empty, or taken by an earlier call. */
  readonly id: string
  /** The tool name. It may be misspelled. */
  readonly name: string
  /** The complete argument text. */
  readonly text: string
  /** What the provider attached. */
  readonly metadata?: Metadata
  /** The server has run it. */
  readonly result?: ToolResult
}

/** Arguments may be nested this deep. */
const maxArgumentDepth = 200

/** The call ids that a session uses, and new ones. */
export interface CallIds {
  /** The ids in use. New ids are added to this set. */
  readonly taken: Set<string>
  /** False if older messages are not loaded, so more ids may be taken. */
  readonly isComplete: boolean
  /** A new random id. */
  create(): string
}

/** Ids shorter than this, such as `call_0`, are assumed to be numbered instead of random. */
const randomIdLength = 12

/** Every format error ends with these rules for the model. */
const formatRules =
  'Rules: strict RFC 8259 JSON, no trailing commas, no comments, ' +
  'no unescaped control characters in strings (newline as \\n, tab as \\t), all keys double-quoted.'

/** The text that the model reads when the arguments of its call are not one JSON object. */
export function formatErrorText(raw: string): string {
  const parsed = parseArguments(raw)
  return `Tool call JSON parse failed. Fix and retry. ${formatRules} Error: ${parsed.error ?? 'not one JSON object'}`
}

/**
 * Parses the argument text of a call. Empty text and `null` become `{}`. Any other value than one object is an error.
 */
export function parseArguments(text: string): { input: JsonValue; error?: never } | { error: string; input?: never } {
  if (text.trim() === '' || text.trim() === 'null') return { input: {} }
  if (isDeeperThan(text, maxArgumentDepth)) return { error: `nested more than ${maxArgumentDepth} levels deep` }
  try {
    const value = parseExact(text)
    // Some servers encode the arguments twice.
    if (typeof value === 'string' && /^\s*\{/.test(value)) return parseArguments(value)
    if (!isObject(value))
      return { error: `expected an object, received ${Array.isArray(value) ? 'an array' : typeof value}` }
    return { input: value }
  } catch (thrown) {
    const once = saidTwice(text)
    if (once !== undefined) return parseArguments(once)
    return { error: thrown instanceof Error ? thrown.message : 'not JSON' }
  }
}

/** The first half of a text that is one object twice: some servers send the complete arguments again at the end. */
function saidTwice(text: string): string | undefined {
  const all = text.trim()
  const half = Math.floor(all.length / 2)
  const first = all.slice(0, half).trim()
  return first.startsWith('{') && first.endsWith('}') && first === all.slice(all.length - half).trim()
    ? first
    : undefined
}

/** What models write around a name: marks of their templates, and the namespace of the tools. */
const residue = /<[|｜][^<>]*[|｜]>|\s+|\bto=|["'`]/
const namespace = /^(?:functions?|tools?|default_api|api)[.:/]/
/** Kimi counts its calls in the name. */
const count = /:\d+$/

/**
 * The offered name that a model meant: exact, without the residue of a template (`find<|channel|>commentary`), without
 * a prefix such as `functions.`, or written in another way (`Find-orders` for `find_orders`). A name that fits none, or
 * more than one, is returned unchanged.
 */
export function offeredName(name: string, offered: OfferedTools): string {
  if (offered.has(name)) return name
  const bare = name
    .split(residue)
    .map((piece) => piece.replace(namespace, '').replace(count, ''))
    .filter((piece) => piece !== '')
  const exact = new Set(bare.filter((piece) => offered.has(piece)))
  const written = new Set(bare.map(lettersOf))
  const matches = exact.size > 0 ? [...exact] : [...offered.keys()].filter((one) => written.has(lettersOf(one)))
  return matches.length === 1 && matches[0] !== undefined ? matches[0] : name
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[-_.]/g, '')
}

/** At most three offered names with the smallest edit distance to an unknown name, nearest first. */
export function nearestNames(name: string, offered: OfferedTools): string[] {
  const wanted = name.toLowerCase()
  return [...offered.keys()]
    .map((one) => ({ one, distance: editDistance(wanted, one.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ one }) => one)
}

/** What `use_tool` was called with: the tool that is meant, and the text of its arguments. */
interface InnerCall {
  readonly name: string
  readonly text: string
}

/**
 * The call inside a call of `use_tool`. A model that has found a tool may also call it directly. Undefined for any
 * other call, and for arguments that name no tool, which are answered as those of `use_tool`.
 */
function innerCall({ name, text }: InnerCall, offered: OfferedTools): InnerCall | undefined {
  if (!offered.has(useToolName)) return undefined
  if (name !== useToolName) return offered.has(name) ? undefined : { name, text }
  const { input: given } = parseArguments(text)
  const { name: inner, input = {} } = isObject(given) ? given : {}
  if (typeof inner !== 'string' || inner === '' || inner === useToolName) return undefined
  return { name: inner, text: typeof input === 'string' ? input : JSON.stringify(input) }
}

/** Names of the tools that these calls mean and the request did not offer. */
export function hiddenNames(calls: readonly StreamedCall[], offered: OfferedTools): string[] {
  const names = calls.flatMap(unwrapParallel).flatMap(({ name, text }) => {
    const inner = innerCall({ name: offeredName(name, offered), text }, offered)
    return inner && !offered.has(offeredName(inner.name, offered)) ? [inner.name] : []
  })
  return [...new Set(names)]
}

/**
 * Call parts in call order. `hidden`: the tools that `use_tool` may call, besides those on offer. A call whose id is
 * missing or taken, in this step or in the session, gets a new id. Some servers start at `call_0` in every answer, and
 * two calls with one id would be mixed up.
 */
export function readCalls(
  calls: readonly StreamedCall[],
  offered: OfferedTools,
  { taken, isComplete, create }: CallIds,
  hidden: OfferedTools = new Map(),
): ToolCallPart[] {
  const known = new Map([...offered, ...hidden])
  return calls.flatMap(unwrapParallel).map(({ id: given, name: rawName, text: rawText, metadata, result }) => {
    const called = { name: result ? rawName : offeredName(rawName, offered), text: rawText }
    const inner = result ? undefined : innerCall(called, offered)
    const { name, text } = inner ? { ...inner, name: offeredName(inner.name, known) } : called
    const isUsed = taken.has(given) || (!isComplete && given.length < randomIdLength)
    const id = given === '' || isUsed ? create() : given
    taken.add(id)
    const parsed = parseArguments(text)
    const call = parsed.error === undefined ? { id, name, input: parsed.input } : { id, name, input: {}, raw: text }
    const via = inner && { name: useToolName, input: viaInput(called, call.input) }
    return dropUndefined({ type: 'tool-call', call, via, title: known.get(name)?.title, metadata, result })
  })
}

/** The arguments that later requests repeat: those that the model wrote or, for a direct call, would have written. */
function viaInput({ name, text }: InnerCall, input: JsonValue): JsonValue {
  return name === useToolName ? (parseArguments(text).input ?? {}) : { name, input }
}

/** Some models wrap parallel calls in one call of a tool that was not offered. */
function unwrapParallel(call: StreamedCall): StreamedCall[] {
  if ((call.name !== 'multi_tool_use.parallel' && call.name !== 'parallel') || call.result) return [call]
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

/** The Levenshtein distance: how many characters have to be inserted, removed or replaced. */
function editDistance(from: string, to: string): number {
  let row = times(to.length + 1, (index) => index)
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
