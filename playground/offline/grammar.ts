// What the grammars of the demos share. A request is matched by all kinds of its tokens, and a kind that a rule does not
// name is a reason to do nothing. Answers are made from results, in the visitor's language.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import type { Tool } from '../server/chat.js'
import { languages, type Language, type Section } from './languages/languages.js'
import { isContent, readTable, type Token } from './lexer.js'
import type { Plan } from './replay.js'
import type { Call, Result } from './transcript.js'
import type { Day } from './values.js'

/** What one request of the host says about the conversation. */
export interface Context {
  readonly language: Language
  readonly section: Section
  readonly tools: readonly Tool[]
  readonly today: Day | undefined
  /** Calls of earlier turns, and those of this turn that the plan has passed. */
  readonly calls: () => readonly Call[]
  /** Continued after an interruption, so a cancelled call may be repeated. */
  readonly isContinued: boolean
  /** Tools that were called in this turn: another page may not offer them. */
  readonly called: ReadonlySet<string>
  /** The texts of the assistant's answers so far. */
  readonly answers: readonly string[]
  /** The page shows offers as buttons. */
  readonly hasButtons: boolean
  /** The page is not one of the playground, which has a place to choose another model. */
  readonly isServer: boolean
}

/** What a plan says, and whether it did what was asked. `offers` are messages that the visitor may want to send next. */
export interface Outcome {
  readonly text: string
  readonly isDone: boolean
  readonly offers: readonly string[]
}

/** Ends a plan that did not do what was asked. The message is for the visitor. */
export class Refused extends Error {
  readonly offers: readonly string[]
  constructor(message: string, offers: readonly string[] = []) {
    super(message)
    this.offers = offers
  }
}

type PlanOf = (message: Message) => Plan<string> | string
/**
 * A rule of a grammar. `needs` are groups of kinds, of which one each must be there (`a|b c` are two groups); `allows` are
 * kinds that may be there as well; `when` is a condition that no kind says.
 */
export type Rule = readonly [needs: string, allows: string, plan: PlanOf, when?: (message: Message) => boolean]

/** A message as a grammar reads it, with all that its answer is made of. */
export class Message {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly context: Context
  /** What was read in another way than it was written, for the end of the answer. */
  readonly notes: string[] = []
  /** What was done so far, should the rest be refused. */
  soFar = ''
  readonly #kinds: ReadonlySet<string>

  constructor(text: string, tokens: readonly Token[], context: Context) {
    this.text = text
    this.tokens = tokens
    this.context = context
    this.#kinds = new Set(tokens.map(({ kind }) => kind))
  }

  has(...kinds: readonly string[]): boolean {
    return kinds.some((kind) => this.#kinds.has(kind))
  }

  all(kind: string): string[] {
    return this.tokens.filter((token) => token.kind === kind).map(({ value }) => String(value))
  }

  one(kind: string): string | undefined {
    return this.all(kind)[0]
  }

  /** One of the kinds is there with two values. */
  isTwice(...kinds: readonly string[]): boolean {
    return kinds.some((kind) => new Set(this.all(kind)).size > 1)
  }

  fits(needs: string, allows: string): boolean {
    const groups = needs.split(' ').map((group) => group.split('|'))
    const known = new Set([...groups.flat(), ...allows.split(' ')])
    return (
      groups.every((group) => this.has(...group)) &&
      this.tokens.every((token) => !isContent(token) || known.has(token.kind))
    )
  }

  /** A text of the visitor's language with its values. */
  say(key: string, ...values: readonly (string | number)[]): string {
    return (textsIn(this.context.language).get(key) ?? key).replaceAll(/\{(\d)\}/g, (_all, index: string) =>
      String(values[Number(index)] ?? ''),
    )
  }

  list(parts: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
    return new Intl.ListFormat(this.context.language, { type }).format(parts)
  }

  quote(parts: readonly string[]): string {
    return this.list(parts.map((part) => `“${escape(part)}”`))
  }

  money(amount: JsonValue | undefined): string {
    const locale = this.context.language === 'ar' ? 'ar-u-nu-latn' : this.context.language
    return new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' }).format(Number(amount))
  }

  day(day: Day): string {
    const locale = { en: 'en-GB', ar: 'ar-u-nu-latn' }[this.context.language as string] ?? this.context.language
    const text = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(day))
    return locale === 'en-GB' ? text.replace(/^(\w+) /, '$1, ') : text
  }

  canCall(name: string): boolean {
    return this.context.called.has(name) || this.context.tools.some((tool) => tool.name === name)
  }
}

const texts = new Map<Language, Map<string, string>>()

function textsIn(language: Language): Map<string, string> {
  const known = texts.get(language) ?? new Map<string, string>()
  for (const code of texts.has(language) ? [] : (['en', language] as const))
    readTable(languages[code].answers, (head, text) => void known.set(head, text), '\n')
  texts.set(language, known)
  return known
}

/** Text of a page or a tool, which must not become a heading, a link or a table. */
export const escape = (text: string): string =>
  text.replaceAll(/[\\`*_[\]<>|#~@]/g, '\\$&').replaceAll(/\s*\n\s*/g, ' ')

/** The plan of the first rule that fits all of a message. */
export function planFor(rules: readonly Rule[], message: Message): PlanOf | undefined {
  return rules.find(([needs, allows, , when]) => message.fits(needs, allows) && (when?.(message) ?? true))?.[2]
}

/** A plan that does nothing and says why. */
export const refuse =
  (key: string, ...values: readonly string[]): PlanOf =>
  (message) => {
    throw new Refused(message.say(key, ...values))
  }

/** Runs a plan to its outcome. */
export function* run(plan: PlanOf, message: Message): Plan<Outcome> {
  try {
    const planned = plan(message)
    const text = typeof planned === 'string' ? planned : yield* planned
    return { text: [text, ...message.notes].join(' '), isDone: true, offers: [] }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { text: `${message.soFar} ${error.message}`.trim(), isDone: false, offers: error.offers }
  }
}

/** Pages of the shop that have a tool which others lack. */
const pages: Record<string, string> = { add_to_cart: 'Shop', apply_coupon: 'Cart', form_fill: 'Checkout' }
const worthwhile = /\b(try|retry)\b[^.]*\b(again|once more|later)\b|temporar|at times|\bbusy\b|did not answer/i
const final =
  /may still have happened|\b(?:not|never|don['’]t) (?:try|retry|repeat)\b|^Error \((?:denied|refused|invalid-input|unknown-tool)\)/im

/** A result whose fields can be read; without any for a text. */
type Made = Omit<Result, 'value'> & { readonly value: JsonObject }

/** Calls a tool, and once more if its error says that this helps. Its failure ends the plan with the reason. */
export function* use(message: Message, name: string, input: JsonObject = {}): Plan<Made> {
  if (!message.canCall(name)) throw new Refused(message.say('elsewhere', pages[name] ?? ''))
  let { result } = yield { name, input }
  const text = result?.text ?? ''
  const isCut = message.context.isContinued && /^Error \((cancelled|limit|superseded)\)/m.test(text)
  if (result?.failed && !final.test(text) && (isCut || worthwhile.test(text))) {
    ;({ result } = yield { name, input })
    message.notes.push(message.say('retried'))
  }
  if (result?.failed !== false) throw new Refused(reasonIn(message, result))
  return { ...result, value: isObject(result.value) ? (result.value as JsonObject) : {} }
}

/** The outline of the page, whole: only a reading with arguments of its own is not sent as the changes since another. */
export function* readPage(message: Message): Plan<string> {
  const before = message.context.calls().filter(({ name }) => name === 'page_read').length
  return (yield* use(message, 'page_read', { maxChars: 12_000 + before })).text
}

const reasons: Record<string, string> = {
  denied: 'denied',
  superseded: 'moved',
  cancelled: 'stopped',
  interrupted: 'left',
}

/** Why a call did not work, in the visitor's words. */
export function reasonIn(message: Message, result: Result | undefined): string {
  const [, code = '', said = result?.text ?? ''] =
    /^Error(?: \(([a-z-]+)\))?:\s*([\s\S]*)$/m.exec(result?.text ?? '') ?? []
  const key = reasons[code]
  const why = said.replace(/\s*It may still have happened[^.\n]*\.?/i, '').split('\n')[0] ?? ''
  const plain = escape(why.replaceAll(/\b[a-z]+(?:_[a-z]+)+\b/g, '…').slice(0, 300))
  const reason = key === undefined ? message.say('failed', plain) : message.say(key)
  return /may still have happened/i.test(said) ? `${reason} ${message.say('unsure')}` : reason
}
