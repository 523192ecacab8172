// From what came of a call to the result that is stored: text for the model, cap, fence and notes, composed once,
// so that every later request has the same bytes.
import type { Failure } from '../data/errors.js'
import { failureText } from './failure-text.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import type { Approval, ModelContent, Started, ToolResult } from '../data/message.js'
import type { ExecutionResult } from '../data/protocol.js'
import { composeResultText, fenceUntrusted, toOneLine } from './result-text.js'

export interface FailedResultOptions {
  /** What the model reads; by default the failure's code and message. */
  readonly text?: string | undefined
  /** The call had started, so it may have happened. */
  readonly started?: Started | undefined
  readonly untrusted?: boolean | undefined
}

/** The result of a call that did not run, or whose end is unknown. */
export function failedResult(
  failure: Failure,
  at: number,
  { text = failureText(failure), started, untrusted }: FailedResultOptions = {},
): ToolResult {
  return {
    error: failure,
    modelOutput: text,
    endedAt: at,
    ...(started ? { attempts: 1, startedAt: started.at } : { attempts: 0 }),
    ...(untrusted ? { untrusted } : {}),
  }
}

export interface ToolResultParts {
  readonly callId: string
  readonly resultChars: number
  readonly boundary: string
  readonly direct: boolean | 'if-last'
  /** Lines of ours that stand before the text: the loop guard, what the user changed or said. */
  readonly notes: readonly string[]
}

/** The result of an executed call, and its whole text where that was cut. */
export function composeResult(outcome: ExecutionResult, how: ToolResultParts): { result: ToolResult; whole?: string } {
  const { attempts, startedAt, endedAt, input } = outcome
  const { callId, resultChars: limit, boundary, notes } = how
  const direct = outcome.error === undefined && how.direct ? how.direct : undefined
  // An error that a handler of the page words is the page author's text.
  const isUntrusted = outcome.untrusted === true && (outcome.error === undefined || outcome.text === undefined)
  const marks = isUntrusted ? dropUndefined({ untrusted: true, foreign: outcome.foreign } as const) : {}
  const common = { ...dropUndefined({ direct, attempts, startedAt, endedAt, input }), ...marks }
  const warning = notes.join('\n') || undefined
  if (outcome.error !== undefined) {
    const { text = failureText(outcome.error), error } = outcome
    return {
      result: {
        error,
        modelOutput: composeResultText({ text, callId, limit, untrusted: isUntrusted, boundary, warning }).text,
        ...common,
      },
    }
  }
  const { output, untrusted } = outcome
  if (outcome.content !== undefined) {
    const content = contentParts(outcome.content).map((part) => {
      if (part.type === 'file') return untrusted ? labelled(part, boundary) : part
      return { ...part, text: composeResultText({ text: part.text, callId, limit, untrusted, boundary }).text }
    })
    const value = warning ? [{ type: 'text' as const, text: warning }, ...content] : content
    return { result: { output, modelOutput: { type: 'content', value }, ...common } }
  }
  const { text: modelOutput, whole } = composeResultText({
    text: outcome.text,
    callId,
    limit,
    untrusted,
    boundary,
    warning,
  })
  if (whole === undefined) return { result: { output, modelOutput, ...common } }
  // The whole is kept once, apart; an output that was shown as something else is kept as it is.
  const isShown = whole === (typeof output === 'string' ? output : JSON.stringify(output))
  return {
    result: { output: isShown ? whole.slice(0, limit) : output, modelOutput, cut: { chars: whole.length }, ...common },
    whole,
  }
}

/** Content as a tool gave it; what is neither text nor a file is shown as JSON. */
function contentParts(content: JsonValue): ModelContent {
  const parts = Array.isArray(content) ? (content as readonly JsonValue[]) : [content]
  return parts.map((part) => {
    if (isObject(part) && part['type'] === 'text' && typeof part['text'] === 'string')
      return { type: 'text', text: part['text'] }
    if (
      isObject(part) &&
      part['type'] === 'file' &&
      typeof part['mediaType'] === 'string' &&
      typeof part['data'] === 'string'
    ) {
      const { mediaType, data, name } = part
      return dropUndefined({ type: 'file', mediaType, data, name: typeof name === 'string' ? name : undefined })
    }
    return { type: 'text', text: typeof part === 'string' ? part : JSON.stringify(part) }
  })
}

/** Models get a file outside of its result, so a fenced line says where the file is from. Its name is outside text, too. */
function labelled(file: Extract<ModelContent[number], { type: 'file' }>, boundary: string): ModelContent[number] {
  const name = toOneLine(file.name ?? '', 100)
  const label = fenceUntrusted(`A file from outside follows${name && `: ${JSON.stringify(name)}`}.`, boundary)
  return dropUndefined({ ...file, name: name || undefined, label })
}

/** The notes on an approved call: what the user changed and said. */
export function approvalNotes(approval: Approval, edited: JsonValue | undefined, reason: string | undefined): string[] {
  const notes: string[] = []
  if (edited !== undefined)
    notes.push(`The user changed the arguments from ${JSON.stringify(approval.input)} to ${JSON.stringify(edited)}.`)
  if (reason) notes.push(`The user approved with the words: ${JSON.stringify(reason)}`)
  return notes
}
