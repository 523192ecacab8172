// Assembles tool call deltas into calls. Servers disagree about index, id and name, so a delta is matched by all three.
// Arguments that parse are not complete: calls are returned only after the stream's finish reason
// (https://github.com/vercel/ai/issues/13137: arguments that parsed early were executed).
import { isObject, parseJson, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { AnswerBuilder, Call } from '../answer/answer-builder.js'

interface OpenCall {
  /** Undefined until it is shown. */
  call?: Call
  /** The server's first id, which another call may have, too. */
  given: string
  name: string
  text: string
  own?: JsonObject
}

/** The tool calls of one answer. */
export class ChatCalls {
  readonly #answer: AnswerBuilder
  readonly #calls: OpenCall[] = []
  /** The newest call of each index. Some servers give every call the index 0. */
  readonly #byIndex = new Map<number, OpenCall>()
  /** The newest call of each server id. A map, because one answer may contain tens of thousands of calls. */
  readonly #byGiven = new Map<string, OpenCall>()

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  /** Whether any delta opened a call. */
  get open(): boolean {
    return this.#calls.some(hasContent)
  }

  /** Whether the arguments of every call are valid JSON. */
  get allParse(): boolean {
    return this.#calls.every(({ text }) => text === '' || parses(text))
  }

  /** Adds the entries of one delta. */
  add(entries: readonly unknown[]): void {
    const touched = new Set<OpenCall>()
    for (const entry of entries) {
      const delta = parseDelta(entry)
      if (delta === undefined) continue
      let open = this.#match(delta, touched)
      if (open === undefined) {
        if (delta.id === '' && delta.name === '' && delta.text === '') continue
        open = { given: '', name: '', text: '' }
        this.#calls.push(open)
      }
      touched.add(open)
      if (delta.index !== undefined) this.#byIndex.set(delta.index, open)
      if (open.given === '') open.given = delta.id
      if (delta.id !== '' && open.given === delta.id) this.#byGiven.set(delta.id, open)
      if (open.text === '' || open.name === '') open.name = joinName(open.name, delta.name)
      if (delta.extra !== undefined) open.own = { extra_content: delta.extra }
      if (delta.text === '' || repeats(open, delta)) continue
      open.text = delta.whole ? delta.text : open.text + delta.text
      // The name may arrive late or in pieces, so the call is shown with the first arguments after it.
      if (open.name !== '') this.#show(open, delta.text)
    }
  }

  /** The complete calls. */
  *complete(): Generator<Call, void, undefined> {
    for (const open of this.#calls.filter(hasContent))
      yield Object.assign(this.#show(open, ''), { input: open.text, own: open.own })
  }

  /** Shows new arguments. The first time these are all so far. */
  #show(open: OpenCall, delta: string): Call {
    const isNew = open.call === undefined
    const call = (open.call ??= this.#answer.callStart(open.given, open.name))
    this.#answer.callInput(call, isNew ? open.text : delta)
    return call
  }

  /**
   * Which call a delta goes on with; undefined where it begins one. `touched`: calls of earlier entries of the same
   * delta, which are other calls: no server cuts one call into two entries.
   *
   * The index decides if the server sends one, unless it begins to send one in the middle of a call. Without an index
   * the id decides, and without both the delta goes on with the newest call. In each case a name can still begin a new
   * call, because some servers give every call the same index or id (`begins`).
   */
  #match(delta: Delta, touched: ReadonlySet<OpenCall>): OpenCall | undefined {
    const { index, id, name } = delta
    const at = index === undefined ? undefined : this.#byIndex.get(index)
    const continues = id === '' && name === ''
    if (index !== undefined && !(at === undefined && continues && this.#byIndex.size === 0)) {
      if (at === undefined || touched.has(at) || begins(at, delta)) return undefined
      // A new id with a name is a new call under the same index. A new id without a name means nothing.
      return id !== '' && at.given !== '' && id !== at.given && name !== '' ? undefined : at
    }
    const known = this.#byGiven.get(id)
    const latest = known ?? this.#calls.at(-1)
    if (latest === undefined || touched.has(latest) || begins(latest, delta)) return undefined
    if (id !== '' && known === undefined && latest.given !== '' && name !== '') return undefined
    return latest
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
