// What the grammars of the demos share: a request is matched by all kinds of its tokens, and a kind that it does not name
// is a reason to do nothing. Answers are made from results, in the visitor's language.
import type { JsonValue } from '../../src/core/data/json.js'
import type { Tool } from './chat.js'
import { languages, type Language, type Section } from './languages/languages.js'
import { isContent, readTable, type Token } from './lexer.js'
import { call, type Plan } from './replay.js'
import type { Call, Result } from './transcript.js'
import type { Day } from './values.js'

export interface Context {
  readonly language: Language
  readonly section: Section
  readonly tools: readonly Tool[]
  readonly today: Day | undefined
  /** Calls of earlier turns and those of this turn that the plan has passed, and the latter alone. */
  readonly calls: () => readonly Call[]
  readonly log: readonly Call[]
  /** Continued after an interruption, so a cancelled call may be repeated. */
  readonly isContinued: boolean
  /** Tools that were called in this turn: another page may not offer them. */
  readonly called: ReadonlySet<string>
  /** The texts of the assistant's answers so far. */
  readonly answers: readonly string[]
  /** The page shows offers as buttons. */
  readonly hasButtons: boolean
}

/** What a plan says, and whether it did what was asked. `offers` are messages that the visitor may want to send next. */
export interface Outcome {
  readonly text: string
  readonly isDone: boolean
  readonly offers?: readonly string[]
}
/** What is to be done for a message: a plan with calls, or an answer without any. */
export type Intent = (context: Context) => Plan<Outcome> | Outcome

export const done = (...texts: readonly string[]): Outcome => ({ text: texts.filter(Boolean).join(' '), isDone: true })
export const failed = (...texts: readonly string[]): Outcome => ({ ...done(...texts), isDone: false })

/**
 * Whether the tokens have one kind of each group of `needed` (`a|b c` are two groups), and no kind that is in neither
 * `needed` nor `allowed`. This is the only way into an intent.
 */
export function fits(tokens: readonly Token[], needed: string, allowed = ''): boolean {
  const kinds = new Set(tokens.filter(isContent).map(({ kind }) => kind))
  const groups = needed.split(' ').filter(Boolean)
  const known = new Set([...groups.flatMap((group) => group.split('|')), ...allowed.split(' ')])
  return (
    [...kinds].every((kind) => known.has(kind)) &&
    groups.every((group) => group.split('|').some((kind) => kinds.has(kind)))
  )
}

export const all = (tokens: readonly Token[], kind: string): (string | number)[] =>
  tokens.filter((token) => token.kind === kind).map(({ value }) => value)
/** The value of a kind. `fits` has no count, so two values of one kind make an intent ask or refuse. */
export const one = (tokens: readonly Token[], kind: string): string | number | undefined => all(tokens, kind)[0]
export const isTwice = (tokens: readonly Token[], ...kinds: string[]): boolean =>
  kinds.some((kind) => new Set(all(tokens, kind)).size > 1)

const answers = new Map<Language, Map<string, string>>()

/** A text of the visitor's language with its values. */
export function say(
  { language }: Pick<Context, 'language'>,
  key: string,
  ...values: readonly (string | number)[]
): string {
  let texts = answers.get(language)
  if (!texts) {
    texts = new Map()
    for (const code of ['en', language] as const)
      readTable(languages[code].answers, (head, text) => void texts?.set(head, text), '\n')
    answers.set(language, texts)
  }
  return (texts.get(key) ?? key).replaceAll(/\{(\d)\}/g, (_all, index: string) => String(values[Number(index)] ?? ''))
}

export function listOf(
  { language }: Pick<Context, 'language'>,
  parts: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  return new Intl.ListFormat(language, { type }).format(parts)
}
export const quoted = (context: Context, parts: readonly string[]): string =>
  listOf(
    context,
    parts.map((part) => `“${escape(part)}”`),
  )

export function moneyIn({ language }: Pick<Context, 'language'>, amount: JsonValue | undefined): string {
  return new Intl.NumberFormat(language === 'ar' ? 'ar-u-nu-latn' : language, {
    style: 'currency',
    currency: 'EUR',
  }).format(Number(amount))
}

export function dayIn({ language }: Pick<Context, 'language'>, day: Day): string {
  const locales: Partial<Record<Language, string>> = { en: 'en-GB', ar: 'ar-u-nu-latn' }
  const text = new Intl.DateTimeFormat(locales[language] ?? language, { dateStyle: 'full', timeZone: 'UTC' }).format(
    new Date(day),
  )
  return language === 'en' ? text.replace(/^(\w+) /, '$1, ') : text
}

/** Text of a page or a tool, which must not become a heading, a link or a table. */
export const escape = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|#~@]/g, '\\$&').replaceAll(/\s*\n\s*/g, ' ')

export const has = ({ tools, called }: Context, name: string): boolean =>
  called.has(name) || tools.some((tool) => tool.name === name)

/** A field of a result that is an object. */
export const valueOf = (made: Call | undefined, key: string): JsonValue | undefined => {
  const value = made?.result?.value
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, JsonValue>)[key]
    : undefined
}

const worthwhile = /\b(try|retry)\b[^.]*\b(again|once more|later)\b|temporar|at times|\bbusy\b|did not answer/i
const final =
  /may still have happened|\b(?:not|never|don['’]t) (?:try|retry|repeat)\b|^Error \((?:denied|refused|invalid-input|unknown-tool)\)/im

/** Calls a tool, and once more if its error says that this helps. */
export function* tried(context: Context, name: string, input: Call['input']): Plan<Call & { readonly note: string }> {
  const first = yield* call(name, input)
  const text = first.result?.text ?? ''
  const isWorthwhile =
    worthwhile.test(text) || (context.isContinued && /^Error \((cancelled|limit|superseded)\)/m.test(text))
  if (!first.result?.failed || !isWorthwhile || final.test(text)) return { ...first, note: '' }
  const second = yield* call(name, input)
  return { ...second, note: second.result?.failed ? '' : say(context, 'retried') }
}

/** Why a call did not work, for the visitor. */
export function failureIn(context: Context, result: Result | undefined): string {
  const [, code = '', message = result?.text ?? ''] =
    /^Error(?: \(([a-z-]+)\))?:\s*([\s\S]*)$/m.exec(result?.text ?? '') ?? []
  const unsure = /may still have happened/i.test(message) ? say(context, 'unsure') : ''
  const keys: Record<string, string> = {
    denied: 'denied',
    superseded: 'moved',
    cancelled: 'stopped',
    interrupted: 'left',
  }
  const key = keys[code]
  if (key !== undefined) return done(say(context, key), unsure).text
  const why = message.replace(/\s*It may still have happened[^.\n]*\.?/i, '').split('\n')[0] ?? ''
  return done(say(context, 'failed', escape(why.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '…').slice(0, 300))), unsure).text
}
