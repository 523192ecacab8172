// The plan of one request in plain words: which of the ways to answer it fits.
import type { JsonValue } from '../../src/core/data/json.js'
import { fillArguments, readPairs } from './arguments.js'
import { idProperty, isAboutThings, listing, searchTool, thingsIn, withThings } from './catalogue.js'
import type { Tool } from './chat.js'
import { failed, has, look, ownTools, said, tried, type Context, type Outcome } from './context.js'
import { deskWork } from './desk.js'
import { findDetails } from './details.js'
import { findTime } from './dates.js'
import { readFilled, readForms } from './form.js'
import {
  filling,
  filledInWords,
  formMatch,
  privateField,
  recalled,
  removal,
  shortLabel,
  submission,
  type Seen,
} from './form-plan.js'
import { findNumbers } from './numbers.js'
import { namedControl, parseOutline } from './outline.js'
import { cannot, pageAnswer } from './page-answers.js'
import { call, type Plan } from './replay.js'
import { escape, failureInWords, listed, nameOf, resultInWords } from './speak.js'
import { propertiesOf } from './schema.js'
import { corrected, vocabularyOf } from './spelling.js'
import { matchTools, namedTool } from './tool-match.js'
import { isQuestion, stemsOf } from './words.js'

/** Does one request. */
export function* work(context: Context, original: string): Plan<Outcome> {
  const named = namedTool(original, context.tools)
  if (named) return yield* explicit(context, named.tool, named.rest)
  const unknown = /\b(?:call|use|run|invoke)\s+(?:the\s+)?(?:tool\s+)?[`"']?([a-z]\w*_\w+)/i.exec(original)?.[1]
  if (unknown !== undefined)
    return failed(`I cannot do that: there is no tool “${unknown.replaceAll('_', ' ')}” on this page.`)
  const text = corrected(original, vocabularyOf(context.tools.map(({ description }) => description).join(' ')))
  if (
    /\bwhat (?:did|have) you\b|\bwhat have i\b|\bso far\b/i.test(text) &&
    isQuestion(text) &&
    has(context, 'form_read')
  )
    return yield* recalled(context)
  const isGoing = /^\W*(?:please )?(?:take me|bring me|go|navigate|jump|get me) to\b/i.test(text)
  const { found } = findDetails(text, context.today)
  const isForForm = !isQuestion(text) && found.length >= 2 && has(context, 'form_fill')
  if (!isGoing && !isForForm) {
    const again = yield* otherNumber(context, text)
    if (again) return again
    const own = yield* withOwnTools(context, text)
    if (own) return own
  }
  return yield* onPage(context, original)
}

/** A tool that was called by its name. */
function* explicit(context: Context, tool: Tool, rest: string): Plan<Outcome> {
  const pairs = readPairs(rest, tool)
  const input =
    Object.keys(pairs).length > 0
      ? pairs
      : fillArguments(tool, rest, [...context.earlier, ...context.log], context.today).input
  return yield* plainly(context, tool, input)
}

function* plainly(
  context: Context,
  tool: Tool,
  input: { readonly [name: string]: JsonValue | undefined },
  text = '',
): Plan<Outcome> {
  const made = yield* tried(context, tool.name, input)
  if (made.result === undefined || made.result.failed)
    return failed(`${made.isRetried ? 'I tried twice. ' : ''}${failureInWords(made.result)}`)
  if (tool.name === 'form_fill') return said(filledInWords(made))
  if (tool.name === 'form_read') {
    const labels = readForms(made.result.value)
      .flat()
      .map(({ label }) => shortLabel(label))
    return said(`The form has these fields: ${listed(labels)}.`)
  }
  if (tool.name === 'page_read') return said(`I read the page “${escape(parseOutline(made.result.text).title)}”.`)
  const again = made.isRetried ? 'The first try failed, the second worked. ' : ''
  return said(`${again}${resultInWords(made.result, context.money)}${timeAmong(made.result.value, text)}`)
}

/** Whether the time of a question is among the times of an answer. */
function timeAmong(value: JsonValue | undefined, text: string): string {
  const asked = findTime(text)?.value
  const lists = typeof value === 'object' && value !== null ? Object.values(value).filter(Array.isArray) : []
  const times = lists.flat().filter((one): one is string => /^\d\d:\d\d$/.test(String(one)))
  if (asked === undefined || times.length === 0) return ''
  const later = `${String(Number(asked.slice(0, 2)) + 12).padStart(2, '0')}${asked.slice(2)}`
  const meant = times.includes(asked) || !times.includes(later) ? asked : later
  return times.includes(meant) ? ` ${meant} is free.` : ` ${meant} is not among them.`
}

/** "Make it four" after something was done with a number: sets the field of the page that has that number now. */
function* otherNumber(context: Context, text: string): Plan<Outcome | undefined> {
  if (!/\b(?:make (?:it|that|them)|change (?:it|that|them)|instead|rather|i meant)\b/i.test(text)) return undefined
  const [number] = findNumbers(text)
  const last = context.earlier.findLast(({ name }) => {
    const tool = context.tools.find((one) => one.name === name)
    return tool && idProperty(tool) && propertiesOf(tool.schema).some(({ kind }) => kind === 'number')
  })
  if (number === undefined || last?.result === undefined || !has(context, 'form_fill')) return undefined
  const things = context.earlier.flatMap(({ result }) => thingsIn(result?.value))
  const thing = things.find(({ id }) => Object.values(last.input).includes(id))
  const name = thing ? nameOf(thing.record) : ''
  const { form } = yield* look(context)
  const field = readForms(form?.result?.value)
    .flat()
    .find(({ label, type, locked }) => !locked && /number|spin/.test(type) && (name === '' || label.includes(name)))
  if (!field) return failed('I cannot change the number on this page.')
  const made = yield* call('form_fill', { fields: [{ field: field.key, value: String(number.value) }] })
  const [line] = readFilled(made.result?.value)
  return line?.ok ? said(`${shortLabel(line.field)} is ${line.now} now.`) : failed(failureInWords(made.result))
}

function* withOwnTools(context: Context, text: string): Plan<Outcome | undefined> {
  const search = searchTool(context)
  let missing: { readonly tool: Tool; readonly names: readonly string[] } | undefined
  for (const tool of matchTools(text, ownTools(context))) {
    if (tool.name === search?.name) return yield* listing(context, tool, text)
    if (idProperty(tool)) return yield* withThings(context, tool, text)
    const history = [...context.earlier, ...context.log]
    const { input, missing: names } = fillArguments(tool, text, history, context.today)
    const country =
      propertiesOf(tool.schema).some(({ name }) => /city|town|place|location/i.test(name)) && countryIn(text)
    if (country)
      return failed(
        `Nothing here says whether ${escape(country)} is served. Name a city, and I can estimate the delivery to it.`,
      )
    if (names.length === 0) return yield* plainly(context, tool, input, text)
    missing ??= { tool, names }
  }
  if (search && isAboutThings(text)) return yield* listing(context, search, text)
  if (missing && !isQuestion(text) && !has(context, 'form_fill'))
    return failed(`For that I need to know: ${listed(missing.names.map((name) => stemsOf(name).join(' ')))}.`)
  return undefined
}

let countries: Set<string> | undefined
/** The English name of a country in a text. */
function countryIn(text: string): string | undefined {
  if (countries === undefined) {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    countries = new Set(letters.flatMap((a) => letters.flatMap((b) => names.of(a + b)?.toLowerCase() ?? [])))
  }
  const words = text.match(/\p{L}+/gu) ?? []
  const names = [...words, ...words.map((word, index) => `${word} ${words[index + 1] ?? ''}`)]
  const known = countries
  const name = names.find((one) => known.has(one.toLowerCase()))
  return name && name.charAt(0).toUpperCase() + name.slice(1)
}

/** What the page itself allows: its form, its controls, its table, its texts. */
function* onPage(context: Context, original: string): Plan<Outcome> {
  if (!has(context, 'form_read') && !has(context, 'page_read')) return failed(cannot(original, abilities(context)))
  const seen: Seen = yield* look(context)
  const text = corrected(original, [...vocabularyOf(seen.page), ...vocabularyOf(seen.form?.result?.text ?? '')])
  const kept = privateField(text, seen.form)
  if (kept) return failed(`${shortLabel(kept.label)} is private, so I cannot fill it in. Please type it yourself.`)
  if (/(?:\d[ -]?){13,19}/.test(text))
    return failed('I cannot pay or take card numbers. Please enter them yourself, on a page that asks for them.')
  const outline = parseOutline(seen.page)
  if (/^\W*(?:please )?(?:take me|bring me|go|navigate|jump|get me) to\b/i.test(text))
    return yield* going(context, text, seen)
  if (outline.header.length > 0) {
    const done = yield* deskWork(context, text, seen)
    return done ?? failed(pageAnswer(text, seen) ?? cannot(text, abilities(context)))
  }
  const removed = yield* removal(context, text, seen)
  if (removed) return removed
  if (has(context, 'form_fill') && (!isQuestion(text) || findDetails(text, context.today).found.length >= 2)) {
    const filled = yield* filling(context, text, seen)
    if (filled) return filled
  }
  const isSending =
    /\b(?:send|submit|confirm|finish|place|book it|order it|complete)\b/i.test(text) && !isQuestion(text)
  if (isSending && seen.form) return yield* submission(context, seen)
  if (/\b(?:fill|complete)\b.*\b(?:everything|all|form|it)\b/i.test(text)) return failed(needed(context, seen))
  const control = has(context, 'page_click') ? namedControl(outline, text, true) : undefined
  if (control && !isQuestion(text)) {
    const made = yield* call('page_click', { target: control.ref })
    return made.result?.failed === false
      ? said(`I clicked “${escape(control.name)}”.`)
      : failed(failureInWords(made.result))
  }
  const answer = pageAnswer(text, seen)
  return answer === undefined ? failed(cannot(text, abilities(context))) : said(answer)
}

/** "Take me to the cart": follows the link, or says where it is. */
function* going(context: Context, text: string, { page }: Seen): Plan<Outcome> {
  const link = namedControl(parseOutline(page), text.replace(/^.*?\bto\b/i, ''), true)
  if (!link) return failed(cannot(text, abilities(context)))
  if (!has(context, 'page_click'))
    return failed(`I cannot open other pages here. Use the ${link.role} “${escape(link.name)}” on this page.`)
  const made = yield* call('page_click', { target: link.ref })
  return made.result?.failed === false
    ? said(`I followed “${escape(link.name)}”.`)
    : failed(failureInWords(made.result))
}

function needed(context: Context, { form }: Seen): string {
  const { fields } = formMatch('', form, context.today)
  const all = fields.length > 0 ? fields : (readForms(form?.result?.value)[0] ?? [])
  const empty = all.filter(({ required, locked, value }) => required && !locked && (value === '' || value === false))
  return `I do not know your details, so tell me what to fill in. The form needs: ${listed(empty.map(({ label }) => shortLabel(label)))}.`
}

/** What the model can do here, in words. */
export function abilities(context: Context): string {
  const own = ownTools(context).map(({ description }) =>
    escape(
      (/^[\s\S]*?[.!?](?=\s|$)/.exec(description)?.[0] ?? description)
        .replace(/[.!?]$/, '')
        .replace(/\b[a-z]+_[a-z_]+\b/g, 'another tool'),
    ),
  )
  const page = [
    ...(has(context, 'form_fill') ? ['fill in the form from one sentence and correct it'] : []),
    ...(has(context, 'page_read') ? ['answer from what the page says'] : []),
    ...(has(context, 'page_click') ? ['click, sort and open things after you agreed'] : []),
  ]
  const all = [...own.map((one) => one.charAt(0).toLowerCase() + one.slice(1)), ...page]
  return all.length === 0 ? 'I see no tools here.' : `I can ${all.join('; ')}.`
}
