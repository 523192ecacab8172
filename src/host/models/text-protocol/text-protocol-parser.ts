// Reads tool calls out of the text of a model without tool calling, as a transform of model parts. Markup that is not a
// valid call still becomes a call: its raw text goes to the turn loop, which parses it and answers with the error.
import { isObject, parseJson, type JsonValue } from '../../../core/data/json.js'
import type { ModelPart } from '../../../core/data/model.js'

/** Marks the last call of an answer whose further calls were dropped, in `providerMetadata.textProtocol`. */
export const dropped = 'dropped'

/** The markers around one call, without surrounding space. */
export interface CallMarkers {
  /** Starts a call. Must differ from `close`. */
  readonly open: string
  /** Ends a call. The start of another call or the end of the answer ends it, too. */
  readonly close: string
}

const argsKey = /"(?:args|arguments|parameters|input)"\s*:\s*$/
const nameFirst = /^\s*\{\s*"name"\s*:\s*"([^"\\]+)"/

/**
 * Replaces calls in text by tool call parts. Text passes through, except what may be the start of a marker. After a
 * call only further calls count: a model that writes on after a call invents the result. Calls after such text are
 * dropped, and the last call before it gets the `dropped` mark.
 *
 * However the text is cut into parts, the calls must be the same. So a decision waits until no further text can change
 * it: a marker is one only if it is complete, and only outside of a string, whose end may still come.
 */
export class CallParser {
  readonly #open: string
  readonly #close: string
  // A call, then `after-call`, then either the next call or `done`: nothing after `done` is shown.
  #state: 'text' | 'call' | 'after-call' | 'done' = 'text'
  /** Unprocessed text: a possible marker, or the unfinished call. */
  #buffer = ''
  #textPart: Extract<ModelPart, { type: 'text-delta' }> = { type: 'text-delta', id: '', delta: '' }
  #textEnd: ModelPart | undefined
  /** How many calls have begun. */
  #count = 0
  // Released at the end, because only then it is known whether further calls are dropped and whether the text changes.
  #calls: Extract<ModelPart, { type: 'tool-call' }>[] = []
  /** The texts of the model, by their ids. */
  readonly #texts = new Map<string, string>()
  /** A text was replaced. */
  #isReplaced = false

  // The call being read. Its body is everything between the markers.
  #scanned = 0 // How far the body has been scanned.
  #depth = 0
  #inString = false
  #markerInString = -1 // Index of the first marker inside a string: the end of the body if the string never ends.
  #argsFrom = -1
  #argsTo = -1
  #shownUpTo = -1 // How much of the arguments has been emitted; -1 before the name is known.

  constructor({ open, close }: CallMarkers) {
    this.#open = open
    this.#close = close
  }

  /** Reads the replaced texts, from the beginning. What was shown of calls stays until the answer ends. */
  #readAgain(isEnd: boolean): ModelPart[] {
    const again = new CallParser({ open: this.#open, close: this.#close })
    const parts = [...this.#texts].flatMap(([id, delta]) => again.add({ type: 'text-delta', id, delta }))
    if (isEnd) parts.push(...again.#advance(true))
    this.#calls = again.#calls
    this.#count = again.#count
    return [...this.#texts.keys()].map((id) => {
      const shown = parts.map((part) => (part.type === 'text-delta' && part.id === id ? part.delta : ''))
      return { type: 'text-end', id, text: shown.join('') }
    })
  }

  /** Adds a part of the model. Returns the parts that are certain by now. */
  add(part: ModelPart): ModelPart[] {
    if (part.type === 'alive') return [part]
    if (part.type === 'text-delta') {
      this.#buffer += part.delta
      this.#textPart = part
      this.#texts.set(part.id, (this.#texts.get(part.id) ?? '') + part.delta)
      const parts = this.#advance(false)
      // An empty delta, because the time limit between two parts starts again with each part.
      return parts.length > 0 ? parts : [{ ...part, delta: '' }]
    }
    if (part.type === 'text-end') {
      const { text, ...end } = part
      this.#textEnd = end
      if (text !== undefined) {
        this.#texts.set(part.id, text)
        this.#isReplaced = true
      }
      return []
    }
    // After an incomplete answer (such as `length`) a possible start of a call is dropped.
    const isComplete =
      part.type !== 'finish' || part.finishReason.unified === 'stop' || part.finishReason.unified === 'tool-calls'
    const parts: ModelPart[] =
      isComplete && (part.type === 'finish' || (this.#textEnd && this.#state === 'text')) ? this.#advance(true) : []
    if (part.type === 'finish') {
      if (this.#isReplaced) parts.push(...this.#readAgain(isComplete))
      parts.push(...this.#calls)
    }
    if (this.#textEnd) parts.push(this.#textEnd)
    this.#textEnd = undefined
    if (part.type !== 'finish' || this.#count === 0 || part.finishReason.unified !== 'stop') return [...parts, part]
    return [...parts, { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } }]
  }

  #id(): string {
    return `call_${this.#count}`
  }
  #beginCall(): void {
    this.#state = 'call'
    this.#buffer = this.#buffer.slice(this.#open.length)
    this.#count++
    this.#scanned = this.#depth = 0
    this.#inString = false
    this.#markerInString = this.#argsFrom = this.#argsTo = this.#shownUpTo = -1
  }

  /** Scans on. Returns true when the body ends at `#scanned`, by a marker or by the end of the answer. */
  #scanBody(isEnd: boolean): boolean {
    for (; this.#scanned < this.#buffer.length; this.#scanned++) {
      const char = this.#buffer[this.#scanned]
      const marks = [this.#close, this.#open].filter((marker) => char === marker[0])
      if (marks.some((marker) => this.#buffer.startsWith(marker, this.#scanned))) {
        if (!this.#inString) return true
        if (this.#markerInString < 0) this.#markerInString = this.#scanned
      } else if (
        !isEnd &&
        marks.some((marker) => marker.startsWith(this.#buffer.slice(this.#scanned, this.#scanned + marker.length)))
      ) {
        return false
      }
      if (this.#inString) {
        if (char === '\\') this.#scanned++
        else if (char === '"') this.#inString = false
      } else if (char === '"') {
        this.#inString = true
      } else if (char === '{' || char === '[') {
        if (
          this.#depth++ === 1 &&
          this.#argsFrom < 0 &&
          argsKey.test(this.#buffer.slice(Math.max(0, this.#scanned - 40), this.#scanned))
        )
          this.#argsFrom = this.#scanned
      } else if (char === '}' || char === ']') {
        if (--this.#depth === 1 && this.#argsFrom >= 0 && this.#argsTo < 0) this.#argsTo = this.#scanned + 1
      }
    }
    return isEnd
  }

  /** Deltas of the arguments, once the name is known. */
  #showArguments(): ModelPart[] {
    const parts: ModelPart[] = []
    const toolName = nameFirst.exec(this.#buffer)?.[1]
    if (this.#argsFrom < 0 || toolName === undefined) return parts
    if (this.#shownUpTo < 0) {
      parts.push({ type: 'tool-input-start', id: this.#id(), toolName })
      this.#shownUpTo = this.#argsFrom
    }
    const to = this.#argsTo < 0 ? Math.min(this.#scanned, this.#buffer.length) : this.#argsTo
    if (to > this.#shownUpTo)
      parts.push({ type: 'tool-input-delta', id: this.#id(), delta: this.#buffer.slice(this.#shownUpTo, to) })
    this.#shownUpTo = Math.max(this.#shownUpTo, to)
    return parts
  }

  #endCall(): ModelPart[] {
    const parts = this.#showArguments()
    if (this.#markerInString >= 0 && parseJson(this.#buffer.slice(0, this.#scanned)) === undefined)
      this.#scanned = this.#markerInString
    const body = this.#buffer.slice(0, this.#scanned).trim()
    const { name, input } = callOf(
      body,
      this.#argsTo < 0 ? undefined : this.#buffer.slice(this.#argsFrom, this.#argsTo),
    )
    if (this.#shownUpTo < 0)
      parts.push(
        { type: 'tool-input-start', id: this.#id(), toolName: name },
        { type: 'tool-input-delta', id: this.#id(), delta: input },
      )
    this.#state = 'after-call'
    this.#buffer = this.#buffer.slice(
      this.#buffer.startsWith(this.#close, this.#scanned) ? this.#scanned + this.#close.length : this.#scanned,
    )
    parts.push({ type: 'tool-input-end', id: this.#id() })
    this.#calls.push({ type: 'tool-call', toolCallId: this.#id(), toolName: name, input })
    return parts
  }

  /** The parts that are certain so far. `isEnd`: no text follows. */
  #advance(isEnd: boolean): ModelPart[] {
    const parts: ModelPart[] = []
    for (;;) {
      if (this.#state === 'text') {
        const place = this.#buffer.indexOf(this.#open)
        // Space before a call is dropped.
        const delta =
          place < 0 && isEnd
            ? this.#buffer
            : this.#buffer
                .slice(0, place < 0 ? this.#buffer.length - partial(this.#buffer, this.#open) : place)
                .trimEnd()
        if (delta !== '') parts.push({ ...this.#textPart, delta })
        this.#buffer = this.#buffer.slice(place < 0 ? delta.length : place)
        if (place < 0) return parts
        this.#beginCall()
      } else if (this.#state === 'call') {
        if (!this.#scanBody(isEnd)) return [...parts, ...this.#showArguments()]
        parts.push(...this.#endCall())
      } else if (this.#state === 'after-call') {
        this.#buffer = this.#buffer.trimStart()
        if (this.#buffer.startsWith(this.#open)) {
          this.#beginCall()
        } else if (!isEnd && this.#open.startsWith(this.#buffer)) {
          return parts
        } else {
          this.#state = 'done'
        }
      } else {
        const last = this.#calls.pop()
        if (last) {
          const isDropped = this.#buffer.includes(this.#open)
          this.#calls.push(isDropped ? { ...last, providerMetadata: { textProtocol: dropped } } : last)
        }
        this.#buffer = this.#buffer.slice(-this.#open.length + 1)
        return parts
      }
    }
  }
}

/** How many of the last characters may be the start of the marker. */
function partial(text: string, marker: string): number {
  for (let length = Math.min(marker.length - 1, text.length); length > 0; length--)
    if (marker.startsWith(text.slice(-length))) return length
  return 0
}

/** Name and argument text of a body. `args`: the argument text where it is one object or array. */
function callOf(body: string, args: string | undefined): { name: string; input: string } {
  const value = parseJson(body)
  if (!isObject(value)) {
    // The whole body becomes the arguments. They are not an object, so the loop answers with the reason.
    const [, named, called] = /\bname["']?\s*[:=]\s*["']?([\w.-]+)|^([\w.-]+)\s*[({]/.exec(body) ?? []
    return { name: named ?? called ?? noName, input: body }
  }
  const { name } = value
  if (typeof name !== 'string' || name === '') return { name: noName, input: body }
  const given = (value['args'] ?? value['arguments'] ?? value['parameters'] ?? value['input'] ?? '') as JsonValue
  return { name, input: args ?? (typeof given === 'string' ? given : JSON.stringify(given)) }
}

/** The name of a call without a name. The loop answers that no such tool exists and lists the tools. */
const noName = 'missing_name'
