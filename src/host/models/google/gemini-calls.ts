// Collects the function calls of one answer. A call usually arrives complete. Vertex AI can also stream its arguments:
// first the name, then values with `willContinue`, at last a piece without it, which may be missing.
import { dropUndefined, isObject, type JsonObject } from '../../../core/data/json.js'
import type { ModelPart } from '../../../core/data/model.js'
import { createStreamedArguments, type StreamedArguments } from './gemini-arguments.js'
import { textOf, toMetadata, toolOf, type PartMetadata } from './gemini-names.js'

/** Characters of streamed arguments that are displayed while they arrive. */
const maxShown = 20_000

interface Call {
  /** The id in parts, unique in the answer. */
  readonly id: string
  /** The server's id, if it sent one. */
  readonly given: string | undefined
  readonly name: string
  /** Complete arguments, if they arrived as a whole. */
  whole: string | undefined
  readonly streamed: StreamedArguments
  /** The arguments that were shown. */
  shown: string
  signature: string | undefined
}

/** The calls of one answer. */
export interface GeminiCalls {
  /** The number of calls that began. */
  readonly count: number
  /** Adds one `functionCall` with the signature of its part. The returned parts are for display only. */
  add(piece: Record<string, unknown>, signature: string | undefined): ModelPart[]
  /** Returns the complete calls. Call it only after the finish reason. */
  end(): ModelPart[]
}

/** @param newId creates ids for calls without one. */
export function createGeminiCalls(newId: () => string): GeminiCalls {
  const calls: Call[] = []
  const ids = new Set<string>()
  /** The call whose arguments are not complete. */
  let open: Call | undefined

  const begin = (name: string, given: string | undefined): Call => {
    const id = given === undefined || ids.has(given) ? newId() : given
    ids.add(id)
    const call = {
      id,
      given,
      name,
      whole: undefined,
      streamed: createStreamedArguments(),
      shown: '',
      signature: undefined,
    }
    calls.push(call)
    return call
  }
  /** Parts for what `text` adds to the displayed arguments. Only the last value of a text can grow. */
  const show = (call: Call, text: string): ModelPart[] => {
    if (text.length <= call.shown.length || !text.startsWith(call.shown)) return []
    const delta = text.slice(call.shown.length)
    call.shown = text
    return [{ type: 'tool-input-delta', id: call.id, delta }]
  }

  return {
    get count() {
      return calls.length
    },
    add(piece, signature) {
      const { args, partialArgs, willContinue } = piece
      const name = toolOf(textOf(piece['name']) ?? '')
      const given = textOf(piece['id'])
      const hasArgs = isObject(args) || typeof args === 'string' || Array.isArray(partialArgs)
      const isMore = name === '' || (open?.name === name && open.given !== undefined && open.given === given)
      let call = isMore ? open : undefined
      const parts: ModelPart[] = []
      if (call === undefined) {
        if (name === '' && !hasArgs) return []
        // A missing name is answered like an unknown tool, so that the model can correct it.
        call = begin(name || 'missing_name', given)
        parts.push({ type: 'tool-input-start', id: call.id, toolName: call.name })
      }
      call.signature ??= signature
      if (Array.isArray(partialArgs)) {
        call.streamed.add(partialArgs)
        // Each time all arguments are written, so the display of long ones waits for their end.
        if (call.shown.length < maxShown) parts.push(...show(call, call.streamed.begun()))
      }
      if (isObject(args) || typeof args === 'string') {
        call.whole = typeof args === 'string' ? args : JSON.stringify(args)
        parts.push(...show(call, call.whole))
      }
      open = willContinue === true || call.streamed.isOpen ? call : undefined
      return parts
    },
    end() {
      return calls.flatMap((call): ModelPart[] => {
        const { id, given, name, signature } = call
        const input = call.whole ?? call.streamed.end()
        const own: PartMetadata & JsonObject = dropUndefined({ signature, id: given })
        return [
          ...show(call, input),
          { type: 'tool-input-end', id },
          dropUndefined({
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input,
            providerMetadata: toMetadata(own),
          }),
        ]
      })
    },
  }
}
