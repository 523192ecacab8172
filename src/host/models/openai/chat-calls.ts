// Assembles tool call deltas into calls. Servers disagree about index, id and name, so a delta is matched by all three.
// Arguments that parse are not complete: calls are returned only after the stream's finish reason
// (https://github.com/vercel/ai/issues/13137: arguments that parsed early were executed).
import { dropUndefined, isObject, parseJson, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { ModelPart } from '../../../core/data/model.js'
import { metadataKey } from './chat-request.js'

interface OpenCall {
  /** The id in parts; empty until the first part of the call. */
  id: string
  /** The server's first id, which another call may have, too. */
  given: string
  name: string
  text: string
  metadata?: Metadata
}

/** The tool calls of one answer. */
export interface CallAssembly {
  /** Whether any delta opened a call. */
  readonly open: boolean
  /** Whether the arguments of every call are valid JSON. */
  readonly allParse: boolean
  /** Adds the entries of one delta. The returned parts are for display only. */
  add(entries: readonly unknown[]): ModelPart[]
  /** Returns the complete calls. Call it only after the finish reason. */
  end(): ModelPart[]
}

/** @param newId creates ids for calls without one. */
export function createCallAssembly(newId: () => string): CallAssembly {
  const calls: OpenCall[] = []
  /** The newest call of each index. Some servers give every call the index 0. */
  const byIndex = new Map<number, OpenCall>()
  /** The newest call of each server id. A map, because one answer may contain tens of thousands of calls. */
  const byGiven = new Map<string, OpenCall>()
  const shownIds = new Set<string>()

  /**
   * Which call a delta goes on with; undefined where it begins one. `touched`: calls of earlier entries of the same
   * delta, which are other calls: no server cuts one call into two entries.
   *
   * The index decides if the server sends one, unless it begins to send one in the middle of a call. Without an index
   * the id decides, and without both the delta goes on with the newest call. In each case a name can still begin a new
   * call, because some servers give every call the same index or id (`begins`).
   */
  const match = (delta: Delta, touched: ReadonlySet<OpenCall>): OpenCall | undefined => {
    const { index, id, name } = delta
    const at = index === undefined ? undefined : byIndex.get(index)
    const continues = id === '' && name === ''
    if (index !== undefined && !(at === undefined && continues && byIndex.size === 0)) {
      if (at === undefined || touched.has(at) || begins(at, delta)) return undefined
      // A new id with a name is a new call under the same index. A new id without a name means nothing.
      return id !== '' && at.given !== '' && id !== at.given && name !== '' ? undefined : at
    }
    const known = byGiven.get(id)
    const latest = known ?? calls.at(-1)
    if (latest === undefined || touched.has(latest) || begins(latest, delta)) return undefined
    if (id !== '' && known === undefined && latest.given !== '' && name !== '') return undefined
    return latest
  }

  /** Parts for new arguments. The first time they contain everything so far. */
  const show = (call: OpenCall, delta: string): ModelPart[] => {
    const parts: ModelPart[] = []
    let text = delta
    if (call.id === '') {
      call.id = call.given === '' || shownIds.has(call.given) ? newId() : call.given
      shownIds.add(call.id)
      text = call.text
      parts.push({ type: 'tool-input-start', id: call.id, toolName: call.name })
    }
    if (text !== '') parts.push({ type: 'tool-input-delta', id: call.id, delta: text })
    return parts
  }

  return {
    get open() {
      return calls.some(hasContent)
    },
    get allParse() {
      return calls.every(({ text }) => text === '' || parses(text))
    },
    add(entries) {
      const parts: ModelPart[] = []
      const touched = new Set<OpenCall>()
      for (const entry of entries) {
        const delta = parseDelta(entry)
        if (delta === undefined) continue
        let call = match(delta, touched)
        if (call === undefined) {
          if (delta.id === '' && delta.name === '' && delta.text === '') continue
          call = { id: '', given: '', name: '', text: '' }
          calls.push(call)
        }
        touched.add(call)
        if (delta.index !== undefined) byIndex.set(delta.index, call)
        if (call.given === '') call.given = delta.id
        if (delta.id !== '' && call.given === delta.id) byGiven.set(delta.id, call)
        if (call.text === '' || call.name === '') call.name = joinName(call.name, delta.name)
        if (delta.extra !== undefined) call.metadata = { [metadataKey]: { extra_content: delta.extra } }
        if (delta.text === '' || repeats(call, delta)) continue
        call.text = delta.whole ? delta.text : call.text + delta.text
        // The name may arrive late or in pieces, so the call is shown with the first arguments after it.
        if (call.name !== '') parts.push(...show(call, delta.text))
      }
      return parts
    },
    end() {
      return calls.filter(hasContent).flatMap((call): ModelPart[] => {
        // A missing name is answered like an unknown tool, so that the model can correct it.
        call.name ||= 'missing_name'
        return [
          ...show(call, ''),
          { type: 'tool-input-end', id: call.id },
          dropUndefined({
            type: 'tool-call',
            toolCallId: call.id,
            toolName: call.name,
            input: call.text,
            providerMetadata: call.metadata,
          }),
        ]
      })
    },
  }
}

interface Delta {
  readonly index: number | undefined
  readonly id: string
  readonly name: string
  readonly text: string
  /** The arguments are an object, so they are complete. */
  readonly whole: boolean
  readonly extra: JsonValue | undefined
}

function parseDelta(entry: unknown): Delta | undefined {
  if (!isObject(entry)) return undefined
  const body = isObject(entry['function']) ? entry['function'] : {}
  const given = body['arguments']
  const index = Number(entry['index'] ?? undefined)
  return {
    index: Number.isInteger(index) ? index : undefined,
    id: typeof entry['id'] === 'string' || typeof entry['id'] === 'number' ? String(entry['id']) : '',
    name: typeof body['name'] === 'string' ? body['name'] : '',
    text: argumentText(given),
    whole: isObject(given),
    extra: entry['extra_content'] as JsonValue | undefined,
  }
}

function argumentText(given: unknown): string {
  if (typeof given === 'string') return given
  return given === null || given === undefined ? '' : JSON.stringify(given)
}

/**
 * Whether a delta with a name begins a new call although the known one already has arguments: the name differs, or the
 * arguments are complete and another object begins. Servers that repeat id and name on every delta do neither.
 */
function begins(call: OpenCall, delta: Delta): boolean {
  if (delta.name === '' || call.name === '' || call.text === '') return false
  if (delta.name !== call.name) return true
  if (repeats(call, delta)) return false
  return (delta.whole || delta.text.trimStart().startsWith('{')) && parses(call.text)
}

/** Whether a delta repeats the whole call, as some relays do. */
function repeats(call: OpenCall, delta: Delta): boolean {
  return (
    delta.id !== '' &&
    delta.id === call.given &&
    delta.name === call.name &&
    delta.text === call.text &&
    parses(call.text)
  )
}

/** An entry with nothing but an id is not a call: servers send `function: null`. */
function hasContent(call: OpenCall): boolean {
  return call.name !== '' || call.text !== ''
}

function parses(text: string): boolean {
  return parseJson(text) !== undefined
}

/** Joins the pieces of a name. A name that is repeated, or sent again longer, replaces the known one. */
function joinName(known: string, name: string): string {
  if (name === '' || name === known) return known
  return name.startsWith(known) ? name : known + name
}
