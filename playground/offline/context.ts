// What a plan knows: the sentence, the tools, the calls of the session.
import type { Tool } from './chat.js'
import type { Day } from './dates.js'
import { call, type Plan } from './replay.js'
import type { Call } from './transcript.js'
import { moneyOf, type Money } from './speak.js'

export interface Context {
  /** Tools of the request. */
  readonly tools: readonly Tool[]
  readonly today: Day | undefined
  /** Calls of earlier turns, in order. */
  readonly earlier: readonly Call[]
  /** All calls of this turn, which say only what was on offer: a plan decides by `log`. */
  readonly made: readonly Call[]
  /** The calls of this turn that the plan has passed. */
  readonly log: Call[]
  /** Continued after an interruption, so a cancelled call may be repeated. */
  readonly isContinued: boolean
  readonly money: Money
}

/** What a plan says, and whether it did what was asked. */
export interface Outcome {
  readonly text: string
  readonly isDone: boolean
}

export const said = (text: string): Outcome => ({ text, isDone: true })
export const failed = (text: string): Outcome => ({ text, isDone: false })

/** Tools that the SDK brings; all others are the page's own. */
const builtIn = /^(?:page|form|dom|todo)_|^read_result$|^final_result$/

export function ownTools({ tools }: Context): Tool[] {
  return tools.filter(({ name }) => !builtIn.test(name))
}

/** Whether a tool is on offer. One that was called in this turn counts, because another page may not offer it. */
export function has({ tools, made }: Context, name: string): boolean {
  return tools.some((tool) => tool.name === name) || made.some((one) => one.name === name)
}

export function toolNamed({ tools }: Context, name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name)
}

export function contextMoney(tools: readonly Tool[]): Money {
  return moneyOf(tools.map(({ description }) => description).join(' '))
}

const worthwhile =
  /\b(try|retry)\b[^.]*\b(again|once more|later)\b|\bretry\b|temporar|at times|\bbusy\b|did not answer|unavailable at the moment|overloaded/i
/** What may have happened already, and what the user refused. */
const final =
  /may still have happened|\b(?:not|never|don['’]t) (?:try|retry|repeat)\b|^Error \((?:denied|refused|invalid-input|unknown-tool)\)/im

/** Calls a tool, and once more if its error says that this helps. */
export function* tried(
  context: Context,
  name: string,
  input: Call['input'],
): Plan<Call & { readonly isRetried: boolean }> {
  const first = yield* call(name, input)
  const text = first.result?.text ?? ''
  const isWorthwhile =
    worthwhile.test(text) || (context.isContinued && /^Error \((cancelled|limit|superseded)\)/m.test(text))
  if (!first.result?.failed || !isWorthwhile || final.test(text)) return { ...first, isRetried: false }
  return { ...(yield* call(name, input)), isRetried: true }
}

/** Reads the page and its forms in one step, as far as there are tools for it. */
export function* look(context: Context): Plan<{ page: string; form: Call | undefined }> {
  const names = ['form_read', 'page_read'].filter((name) => has(context, name))
  const calls = names.length === 0 ? [] : yield names.map((name) => ({ name, input: {} }))
  return {
    page: calls.find(({ name }) => name === 'page_read')?.result?.text ?? '',
    form: calls.find(({ name }) => name === 'form_read'),
  }
}
