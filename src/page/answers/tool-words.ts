// What a tool says to the user in its own words: in the question before a call, and as one line when it has ended. A
// question must be readable and whole: a text that is too long or not plain is refused and not cut, because the user
// would agree to something that they did not read.
import { toFailure } from '../../core/data/errors.js'
import { dropUndefined, isObject } from '../../core/data/json.js'
import type { ToolResult } from '../../core/data/message.js'
import type { QuestionRow } from '../../core/data/action.js'
import { untilAborted } from '../promises.js'
import type { ToolEntry } from '../tools/registered-tool.js'
import type { AnyTool, ApprovalRun, EndedCall, ToolQuestion } from '../tools/tool.js'
import { visibleText } from '../visible-text.js'

/** Characters of a question, and milliseconds until it must be there. */
const [longest, questionTimeout] = [2000, 2000]

/**
 * Calls the tool's `question`; undefined if it has none.
 * @throws whatever it throws, and a TypeError or `TimeoutError` if there is nothing that can be shown
 */
export async function questionOf(
  { question }: AnyTool,
  input: unknown,
  run: ApprovalRun,
): Promise<ToolQuestion | undefined> {
  if (question === undefined) return undefined
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(questionTimeout)])
  const made: unknown = await untilAborted(Promise.resolve(question(input as never, { ...run, signal })), signal)
  const shown = typeof made === 'string' ? plain(made) : rowsOf(made)
  const length = typeof shown === 'string' ? shown.length : shown.reduce((sum, one) => sum + lengthOf(one), 0)
  if (length === 0) throw new TypeError('question: expected a text or rows, received an empty one')
  if (length > longest) throw new TypeError(`question: expected at most ${longest} characters, received ${length}`)
  return shown
}

function rowsOf(made: unknown): QuestionRow[] {
  if (!Array.isArray(made)) throw new TypeError(`question: expected a text or a list of rows, received ${typeof made}`)
  return made.map((row: unknown) => {
    if (!isObject(row) || typeof row['label'] !== 'string' || typeof row['value'] !== 'string')
      throw new TypeError('question: expected rows like { label: "Total", value: "€ 24.00" }, both of them texts')
    return { label: plain(row['label']), value: plain(row['value']) }
  })
}

const lengthOf = ({ label, value }: QuestionRow) => label.length + value.length
const plain = (text: string) => visibleText(text).trim()

/** Characters of a summary that are stored, and of a value in it. */
const longestSummary = 200
/** Milliseconds until a call is settled without the summary. */
const summaryTimeout = 1000

/** What a tool says about an ended call, as it is stored. */
export type Told = Pick<ToolResult, 'summary' | 'change'>

/**
 * Calls the tool's `summary`. Empty without one, or if it returns nothing. An error in it is passed to `report` and
 * affects nothing else, and so is one second without an answer. Never rejects.
 */
export async function summarize(
  { name, tool }: ToolEntry,
  call: EndedCall,
  report: (failure: ReturnType<typeof toFailure>) => void,
): Promise<Told> {
  if (tool.summary === undefined) return {}
  try {
    const made = Promise.resolve(tool.summary(call as never))
    const told: unknown = await untilAborted(made, AbortSignal.timeout(summaryTimeout))
    if (told === undefined) return {}
    if (!isObject(told)) return dropUndefined({ summary: line('', told) })
    const { text, before, after } = told as Record<string, unknown>
    const change = dropUndefined({ before: line('before: ', before), after: line('after: ', after) })
    return dropUndefined({
      summary: line('text: ', text),
      change: Object.keys(change).length > 0 && change.before !== change.after ? change : undefined,
    })
  } catch (thrown) {
    const failure = toFailure(thrown, 'invalid-tool')
    report({ ...failure, message: `Tool "${name}": its summary failed: ${failure.message}` })
    return {}
  }
}

/** One line of plain text; undefined if there is nothing to read. */
function line(place: string, text: unknown): string | undefined {
  if (text === undefined) return undefined
  if (typeof text !== 'string') throw new TypeError(`${place}expected a string, received ${typeof text}`)
  return visibleText(text).replaceAll(/\s+/g, ' ').trim().slice(0, longestSummary) || undefined
}
