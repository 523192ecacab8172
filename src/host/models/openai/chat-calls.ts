// Tool call deltas to calls. Servers disagree about index, id and name, so a delta is matched by what it says, with
// one rule under all of them: text that parses is not yet a call. Nothing is complete before the stream's own finish
// (vercel/ai #13137: arguments that parsed early were executed).
import { dropUndefined, isObject, parseJson, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { ModelPart } from '../../../core/data/model.js'
import { metadataKey } from './chat-request.js'

interface OpenCall {
  /** The id that this call is known by to us; empty until it is shown. */
  id: string
  /** The id as the server gave it first, which may be another call's too. */
  given: string
  name: string
  text: string
  metadata?: Metadata
}

export interface CallAssembly {
  /** True once any delta opened a call. */
  readonly open: boolean
  /** False while the arguments of any call are not JSON. */
  readonly parse: boolean
  /** The entries of one delta. Parts are for display. */
  add(entries: readonly unknown[]): ModelPart[]
  /** All calls, complete: only after the finish was seen. */
  end(): ModelPart[]
}

export function createCallAssembly(newId: () => string): CallAssembly {
  const calls: OpenCall[] = []
  /** The newest call of an index: some servers give every call the index 0. */
  const byIndex = new Map<number, OpenCall>()
  /** The newest call of an id as the server gave it. Maps, because one answer may hold tens of thousands of calls. */
  const byGiven = new Map<string, OpenCall>()
  const shownIds = new Set<string>()

  /** Which call a delta goes on with; undefined where it begins one. `touched`: calls of earlier entries of the same delta. */
  const match = (delta: Delta, touched: ReadonlySet<OpenCall>): OpenCall | undefined => {
    const { index, id, name } = delta
    const at = index === undefined ? undefined : byIndex.get(index)
    const goesOn = id === '' && name === ''
    if (index !== undefined && !(at === undefined && goesOn && byIndex.size === 0)) {
      if (at === undefined || touched.has(at) || begins(at, delta)) return undefined
      // Another id with a name is another call under the same index; an id without one is noise of the server.
      return id !== '' && at.given !== '' && id !== at.given && name !== '' ? undefined : at
    }
    const known = byGiven.get(id)
    const latest = known ?? calls.at(-1)
    if (latest === undefined || touched.has(latest) || begins(latest, delta)) return undefined
    if (id !== '' && known === undefined && latest.given !== '' && name !== '') return undefined
    return latest
  }

  /** The first time, with all that has come; later only with what is new. */
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
      return calls.some(said)
    },
    get parse() {
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
        // The name may still come in pieces or late: it is shown with the first of the arguments behind it.
        if (call.name !== '') parts.push(...show(call, delta.text))
      }
      return parts
    },
    end() {
      return calls.filter(said).flatMap((call): ModelPart[] => {
        // A name that never came is answered like any unknown tool, so that the model can mend it.
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
  /** The arguments came as an object: all of them. */
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
    text: typeof given === 'string' ? given : given === null || given === undefined ? '' : JSON.stringify(given),
    whole: isObject(given),
    extra: entry['extra_content'] as JsonValue | undefined,
  }
}

/**
 * A delta with a name, for a call whose arguments have begun, begins another call when the name is another or when
 * going on could only give what is not JSON: whole arguments, then an object again. Servers that repeat id and name on
 * every delta do neither.
 */
function begins(call: OpenCall, delta: Delta): boolean {
  if (delta.name === '' || call.name === '' || call.text === '') return false
  if (delta.name !== call.name) return true
  if (repeats(call, delta)) return false
  return (delta.whole || delta.text.trimStart().startsWith('{')) && parses(call.text)
}

/** The whole call once more, as some relays send it. */
function repeats(call: OpenCall, delta: Delta): boolean {
  return (
    delta.id !== '' &&
    delta.id === call.given &&
    delta.name === call.name &&
    delta.text === call.text &&
    parses(call.text)
  )
}

/** An entry with an id alone is no call: servers send `function: null`. */
function said(call: OpenCall): boolean {
  return call.name !== '' || call.text !== ''
}

function parses(text: string): boolean {
  return parseJson(text) !== undefined
}

/** Pieces are joined; a name repeated whole, or grown, is not. */
function joinName(known: string, name: string): string {
  if (name === '' || name === known) return known
  return name.startsWith(known) ? name : known + name
}
