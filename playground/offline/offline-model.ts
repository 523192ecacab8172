// The offline model: a grammar over word lists, not a language model, so that the playground works without a key. It acts
// only where it has understood every word, says what it did not understand otherwise, and reports what results say. A pure
// function from one request to its answer; it keeps nothing, and knows only what is in the request.
import type { JsonObject, JsonValue } from '../../src/core/data/json.js'
import { fingerprint } from '../../src/core/state/fingerprint.js'
import type { ChatRequest, OfflinePart } from '../server/chat.js'
import { examplesFor, labelled, phrase } from './any-page.js'
import { bookingRules } from './booking.js'
import {
  escape,
  Message,
  planFor,
  reasonIn,
  Refused,
  run,
  use,
  type Context,
  type Outcome,
  type Rule,
} from './grammar.js'
import type { Section } from './languages/languages.js'
import { fold, isContent, read, readIn } from './lexer.js'
import { orderRules } from './orders.js'
import { replay, type Plan } from './replay.js'
import { shopRules, undoCart } from './shop.js'
import { readTranscript, type Call, type Transcript } from './transcript.js'
import { reduceValues } from './values.js'

export interface Answer {
  readonly parts: readonly OfflinePart[]
  /** Messages that the visitor may want to send next. */
  readonly offers: readonly string[]
}

/** Where the model runs: in a page of the playground, which can show the offers as buttons, or on a server. */
export type Host = { readonly hasButtons: boolean } | 'server'

/**
 * The answer to one request. Equal requests have equal answers, ids of calls included. The text does not list the offers
 * where the page shows them.
 */
export function offlineAnswer(request: ChatRequest, host: Host): Answer {
  const transcript = readTranscript(request)
  const log: Call[] = []
  const context = contextOf(request, transcript, { log, host })
  const plan = transcript.isReminded ? updateTodos(transcript.calls) : turn(transcript.text, context)
  const next = replay(plan, transcript.isReminded ? [] : transcript.calls, log)
  if ('ask' in next) {
    const mark = fingerprint(JSON.stringify(request.messages)).slice(0, 12)
    return { offers: [], parts: [{ type: 'tool-call', id: `call_${mark}`, ...next.ask }] }
  }
  const { text, offers } = 'value' in next ? next.value : left(next.others, context)
  return { offers, parts: text === '' ? [] : [{ type: 'text', text }] }
}

export const offlineModel = (request: ChatRequest): readonly OfflinePart[] => offlineAnswer(request, 'server').parts

function contextOf(
  { tools: offered, toolChoice }: ChatRequest,
  transcript: Transcript,
  { log, host }: { log: readonly Call[]; host: Host },
): Context {
  const { calls, earlier, before, text, today, isContinued, answers } = transcript
  const tools = toolChoice === 'none' ? [] : offered
  const called = new Set(calls.map(({ name }) => name))
  const section = sectionOf(transcript.title, new Set([...tools.map(({ name }) => name), ...called]))
  const previous = before === '' ? undefined : read(before, section).language
  const { language } = read(text, section, previous)
  return {
    language,
    section,
    tools,
    today,
    called,
    answers,
    isContinued,
    isServer: host === 'server',
    hasButtons: host !== 'server' && host.hasButtons,
    calls: () => [...earlier, ...log],
  }
}

function sectionOf(title: string, tools: ReadonlySet<string>): Section {
  if (tools.has('check_tables')) return 'booking'
  if (tools.has('find_products') && tools.has('cart_read')) return 'shop'
  return title.endsWith('Fernhill Nursery') ? 'orders' : 'page'
}

/** The transcript has calls that this plan does not make: another page took over. */
function left(others: readonly Call[], context: Context): Outcome {
  const message = new Message('', [], context)
  const last = others.findLast(({ result }) => result !== undefined)?.result
  return { text: last?.failed ? reasonIn(message, last) : message.say('left'), isDone: false, offers: [] }
}

/** Words between two steps, and the ends of sentences. */
const between =
  /\s*[,;.]?\s+(?:and then|then|after that|finally|und dann|danach|dann|anschließend|et puis|puis|ensuite|y luego|luego|después|ثم|وبعد ذلك)\s*,?\s+|[，,。]?\s*(?:然后|接着|それから|その後)[，、,]?\s*|;\s*|\n+|(?<=[.!?。！？؟])\s+(?=\S)/giu

interface Step {
  readonly message: Message
  readonly plan: Rule[2]
}

function* turn(text: string, context: Context): Plan<Outcome> {
  const whole = stepOf(text, context)
  if (whole) return yield* run(whole.plan, whole.message)
  const parts = text
    .split(between)
    .map((part) => part.replace(/^\s*\d+[.)]\s*/, '').replace(/[\s,.]+$/, ''))
    .filter((part) => part !== '')
  const steps = parts.flatMap((part) => stepOf(part, context) ?? [])
  // Nothing is done unless all steps are understood.
  return steps.length > 1 && steps.length === parts.length
    ? yield* several(steps, context)
    : notUnderstood(text, context)
}

const grammars: Record<Section, readonly Rule[]> = {
  booking: bookingRules,
  shop: shopRules,
  orders: orderRules,
  page: [],
}

function stepOf(text: string, context: Context): Step | undefined {
  const { tokens } = readIn(text, context.section, context.language, true)
  const message = new Message(text, reduceValues(tokens, context.today), context)
  for (const { text: said, took } of tokens)
    // A missing space or apostrophe is not worth a word.
    if (took !== undefined && took.replaceAll(' ', '') !== fold(said))
      message.notes.push(message.say('took', escape(said), took))
  const plan =
    planFor(talk, message) ??
    // "Add a note: buy milk" may be for a function as well as for a field with this label.
    (context.section === 'page' ? phrase(message) : undefined) ??
    labelled(message) ??
    planFor(grammars[context.section], message)
  return plan && { message, plan }
}

const isOnlyTalk = ({ tokens }: Message): boolean => !tokens.some(isContent)
const talk: readonly Rule[] = [
  ['help', 'q', hello],
  ['undo', 'it q', undo],
  ['thanks', '', (message) => message.say('thanks'), isOnlyTalk],
  ['hello', '', hello, isOnlyTalk],
]

function hello(message: Message): string {
  const { section } = message.context
  const can = section === 'page' ? [] : [message.say(`can_${section}`)]
  const { text, offers } = withOffers([message.say('hello'), ...can].join(' '), message)
  throw new Refused(text, offers)
}

function* undo(message: Message): Plan<string> {
  const last = message.context
    .calls()
    .findLast(
      ({ name, result }) =>
        /^(?:form_fill|form_undo|page_click|add_to_cart|set_quantity|empty_cart)$/.test(name) && !result?.failed,
    )
  if (last && /_cart$|^set_quantity$/.test(last.name)) return yield* undoCart(message, last)
  if (last?.name !== 'form_fill' || !message.canCall('form_undo')) throw new Refused(message.say('noundo'))
  const { text } = yield* use(message, 'form_undo')
  if (/"fields":\[\]/.test(text)) throw new Refused(message.say('noundo'))
  return message.say('undone')
}

/** What can be said here, as buttons or as a list. */
function withOffers(text: string, message: Message): Outcome {
  const { section, hasButtons, isServer } = message.context
  const offers = section === 'page' ? examplesFor(message) : message.say(`offers_${section}`).split(' / ')
  const list = offers.map((example) => `\n- ${escape(example)}`).join('')
  const lead = hasButtons || offers.length === 0 ? '' : `\n\n${message.say('try')}${list}`
  const shown = `${text}\n\n${message.say(isServer ? 'server' : 'real')}${lead}`
  return { text: shown, isDone: false, offers: section === 'page' ? [] : offers }
}

/** Says what was understood and what was not, and offers what can be done. */
function notUnderstood(text: string, context: Context): Outcome {
  const { tokens } = readIn(text, context.section, context.language, true)
  const message = new Message(text, tokens, context)
  const unknown = [...new Set(tokens.flatMap((token) => (token.kind === 'unknown' ? [token.text] : [])))]
  const values = reduceValues(tokens, context.today).filter((token) => !/^(?:unknown|q)$/.test(token.kind))
  const known = [...new Set(values.filter(isContent).map((token) => token.text))].slice(0, 6)
  const isForeign = unknown.join('').length > text.length * 0.6 && /\p{L}/u.test(text)
  const lines =
    unknown.length === 0
      ? [message.say('together', message.quote(known))]
      : [
          message.say('unknown', message.quote(unknown.slice(0, 5))),
          ...(known.length > 0 ? [message.say('known', message.quote(known))] : []),
        ]
  return withOffers([...lines, ...(isForeign ? [message.say('languages')] : [])].join(' '), message)
}

/** One step after the other, with a todo list if there is a tool for it. */
function* several(steps: readonly Step[], context: Context): Plan<Outcome> {
  const outcomes: Outcome[] = []
  const message = new Message('', [], context)
  function* list(): Plan<void> {
    const items = steps.map((step, index): JsonValue => {
      const ended = outcomes[index]?.isDone === true ? 'completed' : 'pending'
      const status = index === outcomes.length ? 'in_progress' : ended
      return { id: String(index + 1), text: step.message.text.replaceAll(/\s+/g, ' '), status }
    })
    if (message.canCall('todo_write')) yield { name: 'todo_write', input: { items } }
  }
  for (const { message: step, plan } of steps) {
    yield* list()
    const answers = [...context.answers, ...outcomes.map(({ text }) => text)]
    outcomes.push(yield* run(plan, new Message(step.text, step.tokens, { ...context, answers })))
  }
  yield* list()
  const count = outcomes.filter(({ isDone }) => isDone).length
  const isDone = count === steps.length
  const lines = outcomes.map(({ text, isDone: isStepDone }, index) => {
    const open = isStepDone ? '' : ` (${message.say('open')})`
    return `${index + 1}. **${escape(steps[index]?.message.text ?? '')}**${open}: ${text.replaceAll('\n', ' ')}`
  })
  const head = isDone ? message.say('steps', count) : message.say('some', count, steps.length)
  return { text: `${head}\n\n${lines.join('\n')}`, isDone, offers: outcomes.flatMap(({ offers }) => offers) }
}

/** The reminder asks for the list alone: what was begun is completed, if its call has a result, or waits again. */
function* updateTodos(calls: readonly Call[]): Plan<Outcome> {
  const isDone = calls.at(-1)?.name !== 'todo_write' && calls.at(-1)?.result?.failed === false
  const given = calls.findLast(({ name }) => name === 'todo_write')?.input['items']
  const items = ((given ?? []) as JsonObject[]).map((item): JsonValue => {
    return item['status'] === 'in_progress' ? { ...item, status: isDone ? 'completed' : 'pending' } : item
  })
  if (given) yield { name: 'todo_write', input: { items } }
  return { text: '', isDone, offers: [] }
}
