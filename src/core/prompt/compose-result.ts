// Composes the stored result of a call: its output and the text for the model, cut, fenced and with notes. Composed
// once, so every later request repeats the same bytes.
import { stoppedWords, type StoppedEffect } from '../data/stopped-effect.js'
import type { Failure } from '../data/errors.js'
import { failureText, mayShowIt } from './failure-text.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import type { Approval, ModelContent, Started, ToolResult } from '../data/message.js'
import { maxJsonChars } from '../data/plain-json.js'
import type { ExecutionResult } from '../data/protocol.js'
import { composeResultText, fenceUntrusted, sliceText, toOneLine } from './cut-and-fence.js'

/** Options of `failedResult`. */
interface FailedResultOptions {
  /** What the model reads. @default the failure's code and message */
  readonly text?: string | undefined
  /** Set if the call had started, so it may have happened. */
  readonly started?: Started | undefined
  /** `text` quotes an untrusted source. */
  readonly untrusted?: boolean | undefined
  /** Lines before the text. */
  readonly notes?: readonly string[]
}

/** The result of a call that did not run, or whose outcome is unknown. `at`: milliseconds since the epoch. */
export function failedResult(
  failure: Failure,
  at: number,
  { text = failureText(failure), started, untrusted, notes = [] }: FailedResultOptions = {},
): ToolResult {
  return {
    error: failure,
    modelOutput: [...notes, text].join('\n'),
    endedAt: at,
    ...(started ? { attempts: 1, startedAt: started.at } : { attempts: 0 }),
    ...(untrusted ? { untrusted } : {}),
  }
}

/** What `composeResult` needs besides the execution result. */
interface ToolResultParts {
  /** The call of the result. The marker of a cut text names it, for `read_result`. */
  readonly callId: string
  /** `limits.resultChars`: the longest text for the model. */
  readonly resultChars: number
  /** See `fenceUntrusted`. */
  readonly boundary: string
  /** The tool's `returnDirect`. */
  readonly direct: boolean | 'if-last'
  /** Lines before the text: repetitions, limits that are near, and what the user changed or wrote. */
  readonly notes: readonly string[]
}

/** A result, and what is stored beside it, because it is too long for a message. */
interface ComposedResult {
  readonly result: ToolResult
  /** The full text, set only if the text was cut. */
  readonly whole?: string
  /** The JSON text of the output, set only if it is too long for a message and not `whole`. */
  readonly wholeOutput?: string
}

/** The result of an executed call. A message, and so the state of the session, never holds many megabytes. */
export function composeResult(outcome: ExecutionResult, parts: ToolResultParts): ComposedResult {
  const { attempts, startedAt, endedAt, input, summary, change, effect } = outcome
  const { callId, boundary, notes } = parts
  const limit = Math.min(parts.resultChars, maxJsonChars)
  const direct = outcome.error === undefined && parts.direct ? parts.direct : undefined
  // The error text of a page handler is the page author's own text, so it is trusted.
  const isUntrusted = outcome.untrusted === true && (outcome.error === undefined || outcome.text === undefined)
  const marks = isUntrusted ? dropUndefined({ untrusted: true, foreign: outcome.foreign } as const) : {}
  const { repeats } = outcome
  const common = {
    ...dropUndefined({ repeats, direct, attempts, startedAt, endedAt, input, summary, change, effect }),
    ...marks,
  }
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
  const outputText = typeof output === 'string' ? output : JSON.stringify(output)
  // An output that the model reads in another form is kept, in the message or beside it.
  const isLong = outputText.length > maxJsonChars
  const kept = isLong ? { output: sliceText(outputText, 0, limit), outputChars: outputText.length } : { output }
  const beside = isLong ? { wholeOutput: outputText } : {}
  if (outcome.content !== undefined) {
    const content = contentParts(outcome.content).map((part) => {
      if (part.type === 'file') return untrusted ? labelFile(part, boundary) : part
      return {
        ...part,
        text: composeResultText({ text: leaveOutBase64(part.text), callId, limit, untrusted, boundary }).text,
      }
    })
    const value = warning ? [{ type: 'text' as const, text: warning }, ...content] : content
    return { result: { ...kept, modelOutput: { type: 'content', value }, ...common }, ...beside }
  }
  const { text: modelOutput, whole } = composeResultText({
    text: leaveOutBase64(outcome.text),
    callId,
    limit,
    untrusted,
    boundary,
    warning,
  })
  if (whole !== undefined && whole === outputText)
    return {
      result: { output: whole.slice(0, limit), modelOutput, cut: { chars: whole.length }, ...common },
      whole,
    }
  if (whole === undefined) return { result: { ...kept, modelOutput, ...common }, ...beside }
  return { result: { ...kept, modelOutput, cut: { chars: whole.length }, ...common }, whole, ...beside }
}

/** The content that a tool returned. Parts that are neither text nor a file become JSON text. */
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

/**
 * Models receive a file outside of its result, so a fenced line in front of it marks the file as untrusted. The name of
 * the file is untrusted, too.
 */
export function labelFile(
  file: Extract<ModelContent[number], { type: 'file' }>,
  boundary: string,
): ModelContent[number] {
  const name = toOneLine(file.name ?? '', 100)
  const label = fenceUntrusted(`An untrusted file follows${name && `: ${JSON.stringify(name)}`}.`, boundary)
  return dropUndefined({ ...file, name: name || undefined, label })
}

/** The notes on an approved call: what the user changed and what they wrote. */
export function approvalNotes(approval: Approval, edited: JsonValue | undefined, reason: string | undefined): string[] {
  const notes: string[] = []
  if (edited !== undefined)
    notes.push(`The user changed the arguments from ${JSON.stringify(approval.input)} to ${JSON.stringify(edited)}.`)
  if (reason) notes.push(`The user approved with the words: ${JSON.stringify(reason)}`)
  return notes
}

/**
 * What an action was about to do and did not, such as "would send POST /orders", and what it had done by then. For the
 * model. Addresses, operations and labels come from the page, so the text must be fenced.
 */
export function stoppedText(stopped: readonly StoppedEffect[], isRefused = false): string {
  const words = stopped.map((one) => stoppedWords(one)).join('; ')
  const { sent = [], filled = [], putBack, left = [] } = stopped.find(({ done }) => done)?.done ?? {}
  const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(', ')
  const lists = [
    ['Before that', sent.join(', ')],
    ['Filled', quoted(filled)],
    ['Put back', quoted(putBack === undefined ? [] : [putBack])],
    ['Not filled', quoted(left)],
  ]
  const done = lists.flatMap(([name, list]) => (list ? `${name}: ${toOneLine(list, 500)}.` : []))
  return [`${isRefused ? 'Refused' : 'Stopped'}: ${toOneLine(words, 1_500)}. ${mayShowIt}`, ...done].join(' ')
}

// Files as base64 in the text of a result: a model cannot see them like that, and each of them costs as much as a book.

const letter = '[A-Za-z0-9+/_-]'
/** In a text, or in a text within JSON. */
const lineBreak = String.raw`(?:(?:\\r)?\\n|\r?\n)`
/** MIME wraps after 76 letters, PEM after 64. A word of the next line is no last line. */
const wrapped = (least: number) =>
  `(?:${letter}{60,80}${lineBreak}){${least},}(?:${letter}+={0,2}(?!${letter}|[ .,:;]))?`
const dataUrl = new RegExp(
  String.raw`data:([\w.+-]+/[\w.+-]+)?(?:;[\w=.-]+)*;base64,(${wrapped(3)}|${letter}{200,}={0,2})`,
  'g',
)
const longRun = new RegExp(`(?<!${letter})(?:${letter}{2000,}={0,2}|${wrapped(25)})`, 'g')

/** The text with a note in place of each data URL and each long run of base64. */
function leaveOutBase64(text: string): string {
  return text
    .replace(dataUrl, (_, type: string | undefined, data: string) => note(type ?? 'file', data))
    .replace(longRun, (run) => (isBase64(run) ? note('file', run) : run))
}

/** A run of one letter, or of words without space, is text, and lines of several lengths are a list. */
function isBase64(run: string): boolean {
  const start = run.slice(0, 400)
  const [first = '', ...lines] = run.split(new RegExp(lineBreak))
  return (
    /[A-Z]/.test(start) &&
    /[a-z]/.test(start) &&
    /\d/.test(start) &&
    new Set(start).size > 20 &&
    lines.slice(0, -1).every(({ length }) => length === first.length)
  )
}

function note(type: string, data: string): string {
  const { length } = data.replaceAll(new RegExp(lineBreak, 'g'), '')
  return `[${type}, ${Math.ceil((length * 3) / 4 / 1000)} kB: left out, it is base64]`
}
