// The offline model: a grammar over word lists, not a language model, so that the playground works without a key. It acts
// only where it has understood every word, says what it did not understand otherwise, and reports what results say. A pure
// function from one request to its answer; it keeps nothing, and knows only what is in the request.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import type { Todo } from '../../src/core/data/todo.js'
import { fingerprint } from '../../src/core/state/fingerprint.js'
import { explicitIntent, phraseIntent } from './any-page.js'
import { bookingIntent } from './booking.js'
import type { ChatRequest, OfflinePart } from './chat.js'
import {
  done,
  escape,
  failed,
  failureIn,
  fits,
  has,
  quoted,
  say,
  type Context,
  type Intent,
  type Outcome,
} from './grammar.js'
import type { Section } from './languages/languages.js'
import { isContent, read, readIn, type Token } from './lexer.js'
import { ordersIntent } from './orders.js'
import { call, replay, together, type Ask, type Plan } from './replay.js'
import { shopIntent, undoCart } from './shop.js'
import { readTranscript, type Transcript } from './transcript.js'
import { reduceValues } from './values.js'

export interface Answer {
  readonly parts: readonly OfflinePart[]
  /** Messages that the visitor may want to send next. */
  readonly offers: readonly string[]
}

/**
 * The answer to one request. Equal requests have equal answers, ids of calls included. With `hasButtons` the text does not
 * list the offers, because the page shows them.
 */
export function offlineAnswer(request: ChatRequest, hasButtons = false): Answer {
  const { text, calls, offers } = draftOf(request, hasButtons)
  const mark = fingerprint(JSON.stringify(request.messages)).slice(0, 12)
  return {
    offers,
    parts: [
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...calls.map(
        ({ name, input }, index) => ({ type: 'tool-call', id: `call_${mark}_${index}`, name, input }) as const,
      ),
    ],
  }
}

export const offlineModel = (request: ChatRequest): readonly OfflinePart[] => offlineAnswer(request).parts

interface Draft {
  readonly text: string
  readonly calls: readonly Ask[]
  readonly offers: readonly string[]
}

function draftOf(request: ChatRequest, hasButtons: boolean): Draft {
  const transcript = readTranscript(request)
  const tools = request.toolChoice === 'none' ? [] : request.tools
  const section = sectionOf(transcript, new Set([...tools, ...transcript.calls].map(({ name }) => name)))
  const before = transcript.before === '' ? undefined : read(transcript.before, section).language
  const log: Transcript['calls'][number][] = []
  const context: Context = {
    language: read(transcript.text, section, before).language,
    section,
    tools,
    today: transcript.today,
    calls: () => [...transcript.earlier, ...log],
    log,
    isContinued: transcript.isContinued,
    called: new Set(transcript.calls.map(({ name }) => name)),
    answers: transcript.answers,
    hasButtons,
  }
  if (transcript.reminded) return { text: '', calls: updateTodos(transcript.reminded, transcript, context), offers: [] }
  const next = replay(turn(transcript.text, context), transcript.calls, log)
  if ('asks' in next) return { text: '', calls: next.asks, offers: [] }
  // The transcript has calls that this plan does not make: another page took over.
  const last = 'others' in next ? next.others.findLast(({ result }) => result !== undefined) : undefined
  const { text, offers = [] } =
    'value' in next ? next.value : failed(last?.result?.failed ? failureIn(context, last.result) : say(context, 'left'))
  return { text, calls: [], offers }
}

function sectionOf({ page }: Transcript, names: ReadonlySet<string>): Section {
  if (names.has('check_tables')) return 'booking'
  if (names.has('find_products') && names.has('cart_read')) return 'shop'
  return page?.title.endsWith('Fernhill Nursery') ? 'orders' : 'page'
}

/** Words between two steps, and the ends of sentences. */
const between =
  /\s*[,;.]?\s+(?:and then|then|after that|finally|und dann|danach|dann|anschließend|et puis|puis|ensuite|y luego|luego|después|ثم|وبعد ذلك)\s*,?\s+|[，,。]?\s*(?:然后|接着|それから|その後)[，、,]?\s*|;\s*|\n+|(?<=[.!?。！？؟])\s+(?=\S)/giu

function* turn(text: string, context: Context): Plan<Outcome> {
  const whole = intentOf(text, context)
  if (whole) return withNotes(yield* run(whole.intent, context), whole.tokens, context)
  const steps = text
    .split(between)
    .map((part) => part.replace(/^\s*\d+[.)]\s*/, '').replace(/[\s,.]+$/, ''))
    .filter((part) => part !== '')
  const parsed = steps.map((step) => ({ step, ...intentOf(step, context) }))
  // Nothing is done unless all steps are understood.
  const isClear = steps.length > 1 && parsed.every(({ intent }) => intent)
  return isClear ? yield* several(parsed as Step[], context) : notUnderstood(text, context)
}

interface Parsed {
  readonly intent: Intent
  readonly tokens: readonly Token[]
}
interface Step extends Parsed {
  readonly step: string
}

function intentOf(text: string, context: Context): Parsed | undefined {
  const { tokens: words } = readIn(text, context.section, context.language)
  // Orders were placed in the past, and are sent in the future.
  const isPast = context.section === 'orders' && !words.some(({ kind }) => kind === 'ship')
  const tokens = reduceValues(words, context.today, isPast)
  const intent = talk(words) ?? explicitIntent(text, words, context.tools) ?? demoIntent(tokens, text, context)
  return intent && { intent, tokens }
}

function demoIntent(tokens: readonly Token[], text: string, { section, tools }: Context): Intent | undefined {
  if (section === 'booking') return bookingIntent(tokens)
  if (section === 'shop') return shopIntent(tokens, text)
  return section === 'orders' ? ordersIntent(tokens, text) : phraseIntent(text, tools)
}

function talk(tokens: readonly Token[]): Intent | undefined {
  if (fits(tokens, 'help', 'q')) return (context) => offer(done(say(context, 'hello')), context)
  if (fits(tokens, 'undo', 'it q')) return undo
  if (tokens.some(isContent)) return undefined
  if (tokens.some(({ kind }) => kind === 'thanks')) return (context) => done(say(context, 'thanks'))
  return tokens.some(({ kind }) => kind === 'hello')
    ? (context) => offer(done(say(context, 'hello')), context)
    : undefined
}

function* run(intent: Intent, context: Context): Plan<Outcome> {
  const planned = intent(context)
  return 'isDone' in planned ? planned : yield* planned
}

function* undo(context: Context): Plan<Outcome> {
  const last = context
    .calls()
    .findLast(
      ({ name, result }) =>
        /^(?:form_fill|form_undo|page_click|add_to_cart|set_quantity|empty_cart)$/.test(name) &&
        result?.failed === false,
    )
  if (last && /_cart$|^set_quantity$/.test(last.name)) return yield* undoCart(context, last)
  if (last?.name !== 'form_fill' || !has(context, 'form_undo')) return failed(say(context, 'noundo'))
  const { result } = yield* call('form_undo')
  if (result?.failed !== false) return failed(failureIn(context, result))
  return /"fields":\[\]/.test(result.text) ? failed(say(context, 'noundo')) : done(say(context, 'undone'))
}

/** What was read in another way than it was written. */
function withNotes(outcome: Outcome, tokens: readonly Token[], context: Context): Outcome {
  const notes = tokens.flatMap(({ text, meant }) =>
    meant === undefined ? [] : [say(context, 'typo', escape(text), escape(meant))],
  )
  return notes.length === 0 ? outcome : { ...outcome, text: [outcome.text, ...new Set(notes)].join(' ') }
}

const examplesOf = (context: Context): string[] => say(context, `offers_${context.section}`).split(' / ')

function offer(outcome: Outcome, context: Context): Outcome {
  const offers =
    context.section === 'page' ? context.tools.map(({ description }) => description).slice(0, 3) : examplesOf(context)
  const list = context.hasButtons ? '' : offers.map((example) => `\n- ${escape(example)}`).join('')
  const lead = offers.length === 0 ? '' : `\n\n${say(context, 'try')}${list}`
  const text = `${outcome.text}\n\n${say(context, 'real')}${lead}`
  return { ...outcome, text, offers: context.section === 'page' ? [] : offers }
}

/** Says what was understood and what was not, and offers what can be done. */
function notUnderstood(text: string, context: Context): Outcome {
  const { tokens } = readIn(text, context.section, context.language)
  const unknown = [...new Set(tokens.filter(({ kind }) => kind === 'unknown').map((token) => token.text))]
  const known = [
    ...new Set(
      reduceValues(tokens, context.today)
        .filter((token) => token.kind !== 'unknown' && token.kind !== 'q' && isContent(token))
        .map((token) => token.text),
    ),
  ]
  const isForeign = context.language === 'en' && unknown.join('').length > text.length * 0.6 && /\p{L}/u.test(text)
  const lines =
    unknown.length > 0
      ? [
          say(context, 'unknown', quoted(context, unknown.slice(0, 5))),
          known.length > 0 ? say(context, 'known', quoted(context, known.slice(0, 5))) : '',
        ]
      : [say(context, 'together', quoted(context, known.slice(0, 6)))]
  return offer(failed(...lines, isForeign ? say(context, 'languages') : ''), context)
}

/** One step after the other, with a todo list if there is a tool for it. */
function* several(steps: readonly Step[], context: Context): Plan<Outcome> {
  const canList = has(context, 'todo_write')
  const outcomes: Outcome[] = []
  const list = (active: number): Ask => ({
    name: 'todo_write',
    input: {
      items: steps.map(({ step }, index): JsonValue => {
        const later = index === active ? 'in_progress' : 'pending'
        const ended = outcomes[index]?.isDone === true ? 'completed' : 'pending'
        return {
          id: String(index + 1),
          text: step.replaceAll(/\s+/g, ' '),
          status: index < outcomes.length ? ended : later,
        }
      }),
    },
  })
  for (const [index, { intent, tokens }] of steps.entries()) {
    const plan = run(intent, { ...context, answers: [...context.answers, ...outcomes.map(({ text }) => text)] })
    outcomes.push(withNotes(yield* canList ? together(list(index), plan) : plan, tokens, context))
  }
  if (canList) yield* call('todo_write', list(steps.length).input)
  const count = outcomes.filter(({ isDone }) => isDone).length
  const head = count === steps.length ? say(context, 'steps', count) : say(context, 'some', count, steps.length)
  const lines = outcomes.map(
    ({ text, isDone }, index) =>
      `${index + 1}. **${escape(steps[index]?.step ?? '')}**${isDone ? '' : ` (${say(context, 'open')})`}: ${text.replaceAll('\n', ' ')}`,
  )
  return {
    text: `${head}\n\n${lines.join('\n')}`,
    isDone: count === steps.length,
    offers: outcomes.flatMap(({ offers = [] }) => offers),
  }
}

/** The reminder asks for the list alone: what has a result becomes completed, what has none waits. */
function updateTodos(reminded: readonly Todo[], { calls }: Transcript, context: Context): Ask[] {
  if (!has(context, 'todo_write')) return []
  const last = calls.findLast(({ name }) => !name.startsWith('todo_'))
  const after = last?.result?.failed === false ? 'completed' : 'pending'
  const items = reminded.map(({ id, text, status }): JsonValue => ({
    id,
    text,
    status: status === 'in_progress' ? after : status,
  }))
  return [{ name: 'todo_write', input: { items } as JsonObject }]
}
