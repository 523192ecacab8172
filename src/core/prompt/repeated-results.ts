// Results that repeat an earlier one of the same request, if their tool says so, as `page_read` does: the model gets
// what changed. Results are stored whole. What a request has of them is derived from the results before them in it, so
// the text keeps its bytes while its base is sent, and is whole again when the base was left out or summarized.
import { times } from '../data/lists.js'
import { toolCallsOf, type AssistantMessage, type CallId, type ToolCallPart } from '../data/message.js'
import { canonicalJson } from '../data/plain-json.js'
import { memoize } from '../state/memoize.js'
import { fenceUntrusted, takeFence, type FencedText } from './cut-and-fence.js'

/** The newest result that a request has in full, by tool and arguments. */
export type FullResults = Map<string, ToolCallPart>

/** Characters. A shorter result is always sent whole. */
const fewChars = 400
/** Pairs of lines that are compared at most. */
const mostPairs = 1_000_000
/** Unchanged lines before a part of what changed. */
const mostAbove = 4

/**
 * The texts for those results of an answer that are sent as changes. `full`: the results before them; those that are
 * sent in full are added.
 */
export function repeatedResults(message: AssistantMessage, full: FullResults): ReadonlyMap<CallId, string> {
  const texts = new Map<CallId, string>()
  for (const part of toolCallsOf(message)) {
    if (!isFullText(part)) continue
    const key = canonicalJson([part.call.name, part.call.input])
    const base = full.get(key)
    const text = base && changesSince(base)(part)
    if (text) texts.set(part.call.id, text)
    else full.set(key, part)
  }
  return texts
}

function isFullText({ call, result }: ToolCallPart): boolean {
  const text = result?.modelOutput
  return (
    typeof text === 'string' &&
    text.length >= fewChars &&
    result?.repeats === true &&
    result.error === undefined &&
    result.cut === undefined &&
    call.raw === undefined
  )
}

// Kept for each pair, because every later request needs it again. '' if the result is sent whole.
const changesSince = memoize((base: ToolCallPart) => memoize((later: ToolCallPart) => changesText(base, later)))

function changesText(base: ToolCallPart, later: ToolCallPart): string {
  const [before, after] = [framed(base), framed(later)]
  const same = `Unchanged since the last full result of ${later.call.name} with these arguments`
  const notes = after.notes === '' ? '' : `${after.notes}\n`
  if (before.text === after.text) return `${notes}${same}.`
  const lines = changedLines(before.text.split('\n'), after.text.split('\n'))
  if (lines === undefined) return ''
  const changed = lines.join('\n')
  const text =
    `${notes}${same}, except for the lines with "-" (gone) and "+" (new). The lines before them show where.\n` +
    (after.boundary === undefined ? changed : fenceUntrusted(changed, after.boundary))
  return text.length <= after.text.length / 2 ? text : ''
}

/** The text of a result, and what stands around it. */
function framed({ result }: ToolCallPart): Omit<FencedText, 'boundary'> & Partial<FencedText> {
  const whole = String(result?.modelOutput)
  return takeFence(whole) ?? { notes: '', text: whole }
}

/**
 * What differs, as in a unified diff: each part has unchanged lines that say where it is, the lines that are gone and
 * the new ones. Undefined if there is too much to compare.
 */
function changedLines(before: readonly string[], after: readonly string[]): string[] | undefined {
  const isSame = (one: number, other: number): boolean => before[one] === after[other]
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && isSame(start, start)) start++
  let tail = 0
  while (tail < most - start && isSame(before.length - 1 - tail, after.length - 1 - tail)) tail++
  const [height, width] = [before.length - tail - start, after.length - tail - start]
  if (height * width > mostPairs) return undefined
  // common[i][j]: how many lines `before` from i and `after` from j have in common, in order.
  const common = times(height + 1, () => new Uint16Array(width + 1))
  for (let i = height - 1; i >= 0; i--)
    for (let j = width - 1; j >= 0; j--)
      common[i]![j] = isSame(start + i, start + j)
        ? common[i + 1]![j + 1]! + 1
        : Math.max(common[i + 1]![j]!, common[i]![j + 1]!)
  const lines: string[] = []
  /** The first line of `before` that may be shown as the place of the next part. */
  let free = 0
  const add = (sign: string, line: string, place: number): void => {
    lines.push(...placeOf(before, free, place).map((above) => ` ${above}`), sign + line)
    free = place
  }
  for (let i = 0, j = 0; i < height || j < width;) {
    if (i < height && j < width && isSame(start + i, start + j)) {
      i++
      j++
    } else if (j === width || (i < height && common[i + 1]![j]! >= common[i]![j + 1]!)) {
      add('-', before[start + i]!, start + i)
      free = start + ++i
    } else add('+', after[start + j++]!, start + i)
  }
  return lines
}

/** The lines before a place, from `free` on: up to one that occurs once, which tells where the place is. */
function placeOf(lines: readonly string[], free: number, place: number): readonly string[] {
  let first = place
  while (first > free && place - first < mostAbove) {
    const line = lines[--first]!
    if (lines.indexOf(line) === lines.lastIndexOf(line)) break
  }
  return lines.slice(first, place)
}
