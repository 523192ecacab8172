// Reads tool calls out of the text of a model without tool calling, as a transform of model parts. Markup that is not a
// valid call still becomes a call: its raw text goes to the turn loop, which parses it and answers with the error.
import { isObject, parseJson, type JsonValue } from '../../core/data/json.js'
import type { ModelPart } from '../../core/data/model.js'

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
 * Creates a function that replaces calls in text by tool call parts. Text passes through, except what may be the start
 * of a marker. After a call only further calls count: a model that writes on after a call invents the result. Calls
 * after such text are dropped, and the last call before it gets the `dropped` mark.
 */
export function createCallParser({ open, close }: CallMarkers): (part: ModelPart) => ModelPart[] {
  let state: 'text' | 'call' | 'after-call' | 'done' = 'text'
  /** Unprocessed text: a possible marker, or the unfinished call. */
  let buffer = ''
  let text: Extract<ModelPart, { type: 'text-delta' }> = { type: 'text-delta', id: '', delta: '' }
  let ended: ModelPart | undefined
  let calls = 0
  // Released with the next call or at the end, because only then it is known whether calls after it are dropped.
  let last: Extract<ModelPart, { type: 'tool-call' }> | undefined

  // The call being read. Its body is everything between the markers.
  let at = 0 // How far the body has been scanned.
  let depth = 0
  let inString = false
  let inside = -1 // Index of the first marker inside a string: the end of the body if the string never ends.
  let argsFrom = -1
  let argsTo = -1
  let shown = -1 // How much of the arguments has been emitted; -1 before the name is known.

  const id = () => `call_${calls}`
  const beginCall = () => {
    state = 'call'
    buffer = buffer.slice(open.length)
    calls++
    at = depth = 0
    inString = false
    inside = argsFrom = argsTo = shown = -1
  }

  /** Scans on. Returns true when the body ends at `at`, by a marker or by the end of the answer. */
  const scanBody = (isEnd: boolean): boolean => {
    for (; at < buffer.length; at++) {
      const char = buffer[at]
      const marks = [close, open].filter((marker) => char === marker[0])
      if (marks.some((marker) => buffer.startsWith(marker, at))) {
        if (!inString) return true
        if (inside < 0) inside = at
      } else if (!isEnd && marks.some((marker) => marker.startsWith(buffer.slice(at, at + marker.length)))) {
        return false
      }
      if (inString) {
        if (char === '\\') at++
        else if (char === '"') inString = false
      } else if (char === '"') {
        inString = true
      } else if (char === '{' || char === '[') {
        if (depth++ === 1 && argsFrom < 0 && argsKey.test(buffer.slice(Math.max(0, at - 40), at))) argsFrom = at
      } else if (char === '}' || char === ']') {
        if (--depth === 1 && argsFrom >= 0 && argsTo < 0) argsTo = at + 1
      }
    }
    return isEnd
  }

  /** Deltas of the arguments, once the name is known. */
  const showArguments = (): ModelPart[] => {
    const parts: ModelPart[] = []
    const toolName = nameFirst.exec(buffer)?.[1]
    if (argsFrom < 0 || toolName === undefined) return parts
    if (shown < 0) {
      parts.push({ type: 'tool-input-start', id: id(), toolName })
      shown = argsFrom
    }
    const to = argsTo < 0 ? Math.min(at, buffer.length) : argsTo
    if (to > shown) parts.push({ type: 'tool-input-delta', id: id(), delta: buffer.slice(shown, to) })
    shown = Math.max(shown, to)
    return parts
  }

  const releaseLast = (): ModelPart[] => {
    const parts = last ? [last] : []
    last = undefined
    return parts
  }

  const endCall = (): ModelPart[] => {
    const parts = showArguments()
    if (inside >= 0 && parseJson(buffer.slice(0, at)) === undefined) at = inside
    const body = buffer.slice(0, at).trim()
    const { name, input } = callOf(body, argsTo < 0 ? undefined : buffer.slice(argsFrom, argsTo))
    if (shown < 0)
      parts.push(
        { type: 'tool-input-start', id: id(), toolName: name },
        { type: 'tool-input-delta', id: id(), delta: input },
      )
    state = 'after-call'
    buffer = buffer.slice(buffer.startsWith(close, at) ? at + close.length : at)
    parts.push({ type: 'tool-input-end', id: id() })
    last = { type: 'tool-call', toolCallId: id(), toolName: name, input }
    return parts
  }

  /** The parts that are certain so far. `isEnd`: no text follows. */
  const advance = (isEnd: boolean): ModelPart[] => {
    const parts: ModelPart[] = []
    for (;;) {
      if (state === 'text') {
        const place = buffer.indexOf(open)
        // Space before a call is dropped.
        const delta =
          place < 0 && isEnd
            ? buffer
            : buffer.slice(0, place < 0 ? buffer.length - partial(buffer, open) : place).trimEnd()
        if (delta !== '') parts.push({ ...text, delta })
        buffer = buffer.slice(place < 0 ? delta.length : place)
        if (place < 0) return parts
        beginCall()
      } else if (state === 'call') {
        if (!scanBody(isEnd)) return [...parts, ...showArguments()]
        parts.push(...endCall())
      } else if (state === 'after-call') {
        buffer = buffer.trimStart()
        if (buffer.startsWith(open)) {
          parts.push(...releaseLast())
          beginCall()
        } else if (!isEnd && open.startsWith(buffer)) {
          return parts
        } else {
          state = 'done'
        }
      } else {
        if (last && buffer.includes(open)) last = { ...last, providerMetadata: { textProtocol: dropped } }
        buffer = buffer.slice(-open.length + 1)
        return parts
      }
    }
  }

  return (part) => {
    if (part.type === 'text-delta') {
      buffer += part.delta
      text = part
      const parts = advance(false)
      // An empty delta, because the time limit between two parts starts again with each part.
      return parts.length > 0 ? parts : [{ ...part, delta: '' }]
    }
    if (part.type === 'text-end') {
      ended = part
      return []
    }
    // After an incomplete answer (such as `length`) a possible start of a call is dropped.
    const isComplete =
      part.type !== 'finish' || part.finishReason.unified === 'stop' || part.finishReason.unified === 'tool-calls'
    const parts: ModelPart[] =
      isComplete && (part.type === 'finish' || (ended && state === 'text')) ? advance(true) : []
    if (part.type === 'finish') parts.push(...releaseLast())
    if (ended) parts.push(ended)
    ended = undefined
    if (part.type !== 'finish' || calls === 0 || part.finishReason.unified !== 'stop') return [...parts, part]
    return [...parts, { ...part, finishReason: { ...part.finishReason, unified: 'tool-calls' } }]
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
