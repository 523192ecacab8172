// From what came of a call to the result that is stored: text for the model, cap, fence and notes, composed once,
// so that every later request has the same bytes.
import type { ErrorCode, Failure } from './errors.js'
import { isObject, type JsonValue } from './json.js'
import type { Approval, ModelContent, ToolResult } from './message.js'
import type { Outcome } from './protocol.js'
import { composeResultText } from './result-text.js'

/** What the model is told about a failed call. */
export function failureText(failure: Failure): string {
  return `Error (${failure.code}): ${failure.message}`
}

/** A call that did not run, or whose end is not known. */
export function failedResult(failure: Failure, at: number, text = failureText(failure), attempts = 0): ToolResult {
  return { error: failure, modelOutput: text, endedAt: at, attempts }
}

export interface Composition {
  readonly callId: string
  readonly resultChars: number
  readonly boundary: string
  readonly direct?: boolean | 'if-last'
  /** Lines of ours that stand before the text: the loop guard, what the user changed or said. */
  readonly notes: readonly string[]
}

/** The result of an executed call, and its whole text where that was cut. */
export function composeResult(outcome: Outcome, how: Composition): { result: ToolResult; whole?: string } {
  const { attempts, startedAt, endedAt, input } = outcome
  const common = { attempts, startedAt, endedAt, ...(input === undefined ? {} : { input }) }
  const warning = how.notes.join('\n')
  if (outcome.error !== undefined) {
    const { text } = composeResultText({
      text: outcome.text ?? failureText(outcome.error), callId: how.callId, limit: how.resultChars,
      untrusted: outcome.untrusted === true && outcome.text === undefined,
      boundary: how.boundary, ...(warning ? { warning } : {}),
    })
    return { result: { error: outcome.error, modelOutput: text, ...common } }
  }
  const direct = how.direct ? { direct: how.direct } : {}
  if (outcome.content !== undefined) {
    const content = contentParts(outcome.content).map((part) => (part.type === 'file' ? part : { ...part, text: composeResultText({
      text: part.text, callId: how.callId, limit: how.resultChars, untrusted: outcome.untrusted, boundary: how.boundary,
    }).text }))
    const value = warning ? [{ type: 'text' as const, text: warning }, ...content] : content
    return { result: { output: outcome.output, modelOutput: { type: 'content', value }, ...direct, ...common } }
  }
  const { text, whole } = composeResultText({
    text: outcome.text, callId: how.callId, limit: how.resultChars, untrusted: outcome.untrusted,
    boundary: how.boundary, ...(warning ? { warning } : {}),
  })
  if (whole === undefined) return { result: { output: outcome.output, modelOutput: text, ...direct, ...common } }
  // The whole is kept once, apart; an output that was shown as something else is kept as it is.
  const isShown = whole === (typeof outcome.output === 'string' ? outcome.output : JSON.stringify(outcome.output))
  const output: JsonValue = isShown ? whole.slice(0, how.resultChars) : outcome.output
  return { result: { output, modelOutput: text, cut: { chars: whole.length }, ...direct, ...common }, whole }
}

/** Content as a tool gave it; what is neither text nor a file is shown as JSON. */
function contentParts(content: JsonValue): ModelContent {
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
  return parts.map((part) => {
    if (isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
    if (isObject(part) && part['type'] === 'file' && typeof part['mediaType'] === 'string' && typeof part['data'] === 'string') {
      return { type: 'file', mediaType: part['mediaType'], data: part['data'], ...(typeof part['name'] === 'string' ? { name: part['name'] } : {}) }
    }
    return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) }
  })
}

/** The notes on an approved call: what the user changed and said. */
export function approvalNotes(approval: Approval, edited: JsonValue | undefined, reason: string | undefined): string[] {
  const notes: string[] = []
  if (edited !== undefined) notes.push(`The user changed the arguments from ${JSON.stringify(approval.input)} to ${JSON.stringify(edited)}.`)
  if (reason) notes.push(`The user approved with the words: ${JSON.stringify(reason)}`)
  return notes
}

/** What is known of a started call that no one will hear of again. */
export function mayHaveHappened(code: Extract<ErrorCode, 'cancelled' | 'interrupted' | 'timeout'>, why: string, repeatable: boolean): Failure {
  const advice = repeatable ? '' : ' It may still have happened: check before you repeat it.'
  return { code, message: `${why}${advice}` }
}
