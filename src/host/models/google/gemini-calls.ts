// Collects the function calls of one answer. A call usually arrives complete. Vertex AI can also stream its arguments:
// first the name, then values with `willContinue`, at last a piece without it, which may be missing.
import { dropUndefined, isObject } from '../../../core/data/json.js'
import type { AnswerBuilder, Call, Fields } from '../answer/answer-builder.js'
import { createStreamedArguments, type StreamedArguments } from './gemini-arguments.js'
import { textOf, toolOf } from './gemini-names.js'

/** Characters of streamed arguments that are displayed while they arrive. */
const maxShown = 20_000

interface GeminiCall {
  readonly call: Call
  /** The server's id, if it sent one. */
  readonly given: string | undefined
  /** Complete arguments, if they arrived as a whole. */
  whole: string | undefined
  readonly streamed: StreamedArguments
  signature: string | undefined
}

/** The calls of one answer. */
export class GeminiCalls {
  readonly #answer: AnswerBuilder
  readonly #calls: GeminiCall[] = []
  /** The call whose arguments are not complete. */
  #open: GeminiCall | undefined

  constructor(answer: AnswerBuilder) {
    this.#answer = answer
  }

  /** Adds one `functionCall` with the signature of its part. */
  add(piece: Fields, signature: string | undefined): void {
    const { args, partialArgs, willContinue } = piece
    const name = toolOf(textOf(piece['name']) ?? '')
    const given = textOf(piece['id'])
    const hasArgs = isObject(args) || typeof args === 'string' || Array.isArray(partialArgs)
    const open = this.#open
    const isMore = name === '' || (open?.call.name === name && open.given !== undefined && open.given === given)
    if (name === '' && !hasArgs && open === undefined) return
    const one = isMore && open ? open : this.#begin(name, given)
    one.signature ??= signature
    if (Array.isArray(partialArgs)) {
      one.streamed.add(partialArgs)
      // Each time all arguments are written, so the display of long ones waits for their end.
      if (one.call.input.length < maxShown) this.#show(one, one.streamed.begun())
    }
    if (isObject(args) || typeof args === 'string') {
      one.whole = typeof args === 'string' ? args : JSON.stringify(args)
      this.#show(one, one.whole)
    }
    this.#open = willContinue === true || one.streamed.isOpen ? one : undefined
  }

  /** The complete calls. */
  *complete(): Generator<Call, void, undefined> {
    for (const one of this.#calls) {
      const input = one.whole ?? one.streamed.end()
      this.#show(one, input)
      yield Object.assign(one.call, { input, own: dropUndefined({ signature: one.signature, id: one.given }) })
    }
  }

  #begin(name: string, given: string | undefined): GeminiCall {
    const call = this.#answer.callStart(given ?? '', name)
    const one = { call, given, whole: undefined, streamed: createStreamedArguments(), signature: undefined }
    this.#calls.push(one)
    return one
  }

  /** Shows what `text` adds to the arguments. Only the last value of a text can grow. */
  #show({ call }: GeminiCall, text: string): void {
    if (text.startsWith(call.input)) this.#answer.callInput(call, text.slice(call.input.length))
  }
}
