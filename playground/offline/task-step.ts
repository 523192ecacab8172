// The next step of one task: a call, or the word that it is done, failed or cannot be done here. Derived from the
// task's text, its calls so far and the tools on offer now, which may not be those of the step before.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import { fillArguments, readPairs } from './arguments.js'
import type { Tool } from './chat.js'
import type { Day } from './dates.js'
import { findDetails } from './details.js'
import { matchFields, type Match } from './field-match.js'
import { readForms, type Field } from './form.js'
import { describingWords } from './references.js'
import { isAskedFor, matchTool, namedTool } from './tool-match.js'
import type { Call } from './transcript.js'
import { canFill, code } from './wording.js'
import { isQuestion, stemsOf } from './words.js'

export type TaskStep =
  | { readonly type: 'call'; readonly name: string; readonly input: JsonObject }
  | { readonly type: 'done' }
  /** The last call of the task says why. */
  | { readonly type: 'failed' }
  | { readonly type: 'stuck'; readonly why: string; readonly isMissingTool: boolean }

export interface Surroundings {
  readonly tools: readonly Tool[]
  readonly today: Day | undefined
  /** All calls of the session up to now, in order. */
  readonly history: readonly Call[]
  readonly isContinued: boolean
}

export const noneFits = 'none of the tools on offer here fits it'

/** `calls` are the task's own, in order. */
export function nextStep(text: string, calls: readonly Call[], around: Surroundings): TaskStep {
  const last = calls.at(-1)
  if (last === undefined) return firstStep(text, around)
  if (last.result === undefined || last.result.failed) return afterFailure(last, calls, around)
  if (last.name === 'form_read' && isFormSentence(text, around)) return fillStep(text, last, around)
  if (isLookup(last, text) && calls.length === 1) {
    const step = firstStep(text, around, false)
    return step.type === 'call' && step.name === last.name ? { type: 'done' } : step
  }
  return { type: 'done' }
}

const worthwhile =
  /\b(try|retry)\b[^.]*\b(again|once more|later)\b|\bretry\b|temporar|at times|\bbusy\b|did not answer|unavailable at the moment|overloaded/i
/** What may have happened already, and what was said no to. */
const final =
  /may still have happened|\b(?:not|never|don['’]t) (?:try|retry|repeat)\b|^Error \((?:denied|refused|invalid-input|unknown-tool)\)/im

/** Once more where the tool says that this helps. */
function afterFailure(last: Call, calls: readonly Call[], { tools, isContinued }: Surroundings): TaskStep {
  const text = last.result?.text ?? ''
  const failures =
    calls.length - 1 - calls.findLastIndex(({ name, result }) => name !== last.name || result?.failed === false)
  const isWorthwhile = worthwhile.test(text) || (isContinued && /^Error \((cancelled|limit|superseded)\)/m.test(text))
  const isOnOffer = tools.some(({ name }) => name === last.name)
  if (isWorthwhile && !final.test(text) && failures < 2 && isOnOffer)
    return { type: 'call', name: last.name, input: last.input }
  return { type: 'failed' }
}

function firstStep(text: string, around: Surroundings, mayLookUp = true): TaskStep {
  const { tools, today, history } = around
  const named = namedTool(text, tools)
  if (named) {
    const pairs = readPairs(named.rest, named.tool)
    const understood = Object.keys(pairs).length > 0 ? {} : fillArguments(named.tool, named.rest, history, today).input
    return { type: 'call', name: named.tool.name, input: { ...understood, ...pairs } }
  }
  const unknown = /\b(?:call|use|run|invoke)\s+(?:the\s+)?(?:tool\s+)?[`"']?([a-z]\w*_\w+)/i.exec(text)?.[1]
  if (unknown !== undefined)
    return { type: 'stuck', why: `there is no tool ${code(unknown)} on offer here`, isMissingTool: true }
  if (isFormSentence(text, around)) return { type: 'call', name: 'form_read', input: {} }
  const tool = matched(text, around)
  if (tool === undefined) return { type: 'stuck', why: noneFits, isMissingTool: true }
  const { input, missing } = fillArguments(tool, text, history, today)
  if (missing.length === 0) return { type: 'call', name: tool.name, input }
  return (
    (mayLookUp ? lookupStep(text, tool, missing, around) : undefined) ?? {
      type: 'stuck',
      why: `${code(tool.name)} needs ${missing.map(code).join(' and ')}`,
      isMissingTool: false,
    }
  )
}

function matched(text: string, { tools, today, history }: Surroundings): Tool | undefined {
  return matchTool(
    text,
    tools.filter(({ name }) => name !== 'form_fill'),
    (tool) => {
      const { input, missing } = fillArguments(tool, text, history, today)
      return missing.length === 0 && Object.keys(input).length > 0
    },
  )
}

const formVerbs =
  /^(?:please\s+)?(?:can you\s+|could you\s+)?(?:fill|book|reserve|enter|set|put|change|type|write|tick|untick|choose|select|pick|make it|complete)\b/i

/** Details that a form on this page could hold, and no tool that the page made for the same thing. */
function isFormSentence(text: string, around: Surroundings): boolean {
  const { tools, today } = around
  if (!canFill(tools) || namedTool(text, tools)) return false
  const { found } = findDetails(text, today)
  const others = (): Tool | undefined =>
    matched(text, { ...around, tools: tools.filter(({ name }) => !name.startsWith('form_')) })
  if (isQuestion(text) && others()) return false
  const pairs = text.match(/(?:^|,|;)\s*[\p{L}][\p{L} -]{1,30}:\s/gu)?.length ?? 0
  const asks = formVerbs.test(text)
  if (found.length + pairs + Number(asks) >= 2) return true
  if (!asks && pairs === 0) return false
  return others() === undefined
}

function fillStep(text: string, read: Call, { tools, today }: Surroundings): TaskStep {
  const { match } = formMatch(text, read, today)
  if (match.fillings.length === 0)
    return { type: 'stuck', why: 'no field of the form here fits it', isMissingTool: false }
  const fields = match.fillings.map(({ field, value }): JsonValue => ({
    field: field.key,
    value: fitted(value, tools),
  }))
  return { type: 'call', name: 'form_fill', input: { fields } }
}

/** A fill tool that takes texts alone is given texts. */
function fitted(value: JsonValue, tools: readonly Tool[]): JsonValue {
  const schema = JSON.stringify(tools.find(({ name }) => name === 'form_fill')?.schema ?? {})
  const takesOnlyText = /"value":\{[^{}]*"type":"string"/.test(schema)
  if (!takesOnlyText || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** What the sentence gives for the form that a `form_read` told of, or for the one of several that it fits best. */
export function formMatch(
  text: string,
  read: Call,
  today: Day | undefined,
): { match: Match; fields: readonly Field[] } {
  const forms = readForms(read.result?.value).map((fields) => ({ fields, match: matchFields(fields, text, today) }))
  return forms.reduce((top, one) => (one.match.fillings.length > top.match.fillings.length ? one : top), {
    fields: [],
    match: { fillings: [], unplaced: [], days: [], guesses: [] },
  })
}

const searching = /^(find|search|look|lookup|list|query|browse)/
const reading = /^(read|get|show|view|current)/

/** A call that only found what the task is about. */
function isLookup(call: Call, text: string): boolean {
  return (
    stemsOf(call.name).some((word) => (searching.test(word) || reading.test(word)) && !isAskedFor(word, text)) &&
    !text.includes(call.name)
  )
}

/**
 * "Add two teapots" needs to know which: a tool that searches is asked first. "Add two" on the page of one thing: a tool
 * that reads that thing is.
 */
function lookupStep(
  text: string,
  wanted: Tool,
  missing: readonly string[],
  { tools, today, history }: Surroundings,
): TaskStep | undefined {
  const [id] = missing.filter((name) => /(id|sku|ref|key|slug)$/i.test(name))
  if (id === undefined) return undefined
  const words = describingWords(text, wanted)
  const others = tools.filter(({ name }) => name !== wanted.name)
  const nouns = stemsOf(id.replace(/(id|sku|ref|key|slug)$/i, ''))
  const helper =
    words.length > 0
      ? others.find(({ name }) => stemsOf(name).some((word) => searching.test(word)))
      : others.find(
          ({ name }) =>
            stemsOf(name).some((word) => reading.test(word)) && nouns.some((noun) => stemsOf(name).includes(noun)),
        )
  const asked = helper && fillArguments(helper, `find ${words.join(' ')}`, history, today)
  return helper && asked && asked.missing.length === 0
    ? { type: 'call', name: helper.name, input: words.length > 0 ? asked.input : {} }
    : undefined
}

/** Whether a text alone asks for a call here. Details of a form belong together, whatever stands between them. */
export function isTask(text: string, around: Surroundings): boolean {
  if (isFormSentence(text, around)) return false
  const step = firstStep(text, around)
  return step.type === 'call' || (step.type === 'stuck' && !step.isMissingTool)
}
