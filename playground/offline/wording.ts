// How the offline model words its answers: Markdown, short, made from results alone. Text that came from a tool is
// escaped, so that it cannot become a heading, a link or a second table.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import type { Tool } from './chat.js'
import { weekdayOf } from './dates.js'
import type { Match } from './field-match.js'
import { readFilled, readForms, type Field } from './form.js'
import type { Call, Result } from './transcript.js'

export const signature = '_I am the offline stand-in: rules, not a language model._'

const mostRows = 10
const mostColumns = 6

export function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~]/g, '\\$&').replace(/\s*\n\s*/g, ' ')
}

export function code(text: string): string {
  return `\`${text.replaceAll('`', "'").replace(/\s*\n\s*/g, ' ')}\``
}

/** What a call brought, in full. */
export function describeResult(call: Call): string {
  const { name, result } = call
  if (result === undefined) return `${code(name)} has not answered.`
  if (result.failed) return describeFailure(name, result)
  const forms = name === 'form_read' ? readForms(result.value) : []
  return `${code(name)} answered:\n\n${forms.length > 0 ? forms.map(describeForm).join('\n\n') : renderValue(result)}`
}

function describeForm(fields: readonly Field[]): string {
  return table(
    fields.map(({ label, type, value, required, locked }) => ({
      Field: label,
      Type: type,
      'Holds now': locked && value === undefined ? '(private)' : shown(value) || '(empty)',
      Needed: required ? 'yes' : '',
    })),
    fields.length,
  )
}

/** The same in one line, for a list of steps. */
export function summarise({ name, result }: Call): string {
  if (result === undefined) return `${code(name)} has not answered`
  if (result.failed) return describeFailure(name, result)
  const filled = name === 'form_fill' ? readFilled(result.value) : []
  if (filled.length > 0) return `${filled.length} ${filled.length === 1 ? 'field' : 'fields'} filled`
  return `${code(name)}: ${shortly(result)}`
}

/** A call that did not work. What the result says to the model about it is said to the user in other words. */
export function describeFailure(name: string, result: Result, failures = 1): string {
  const unsure = mayHaveHappened.test(result.text) ? ' It may have happened all the same: please check.' : ''
  switch (failureCode(result)) {
    case 'denied':
      return `You did not allow ${code(name)}, so I left it.`
    case 'superseded':
      return `You went on without answering, so ${code(name)} did not run.`
    case 'cancelled':
      return `${code(name)} was stopped.${unsure}`
    case 'interrupted':
      return `The page was left before ${code(name)} had answered.${unsure}`
    default:
      break
  }
  const times = failures > 1 ? ` ${failures === 2 ? 'twice' : `${failures} times`}` : ''
  return `${code(name)} failed${times}: ${escape(reasonOf(result).replace(mayHaveHappened, '').trim())}${unsure}`
}

const mayHaveHappened = /\s*It may still have happened\b[^.]*\.?/

/** The code that the loop gives a failure. */
export function failureCode({ text, failed }: Result): string | undefined {
  return failed ? /^Error \(([a-z-]+)\):/m.exec(text)?.[1] : undefined
}

/** The message of a failure without its code. */
function reasonOf({ text, value }: Result): string {
  const error = isObject(value) ? value['error'] : undefined
  const inner = isObject(error) ? error['message'] : error
  const message = typeof inner === 'string' ? inner : text
  return cut(message.replace(/^[\s\S]*?^Error(?: \([a-z-]+\))?:\s*/m, '').trim(), 400)
}

function shortly({ text, value }: Result): string {
  const list = listIn(value)
  if (list)
    return list.length === 0
      ? 'nothing'
      : `${list.length} found: ${list.slice(0, 3).map(nameOf).join(', ')}${list.length > 3 ? ' …' : ''}`
  if (isObject(value)) {
    const told = value['message'] ?? value['summary']
    if (typeof told === 'string') return escape(cut(told, 200))
    return (
      escape(
        cut(
          Object.entries(value)
            .flatMap(([key, item]) => (isObject(item) || Array.isArray(item) ? [] : [`${key} ${shown(item)}`]))
            .join(', '),
          200,
        ),
      ) || 'done'
    )
  }
  return escape(cut(text, 200))
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return undefined
  const lists = Object.values(value).filter((item): item is JsonValue[] => Array.isArray(item) && item.every(isObject))
  return lists.length === 1 && Object.keys(value).length <= 3 ? lists[0] : undefined
}

function nameOf(value: JsonValue): string {
  if (!isObject(value)) return escape(shown(value))
  const name = ['name', 'title', 'label', 'id']
    .map((key) => value[key])
    .find((one) => typeof one === 'string' || typeof one === 'number')
  return escape(String(name ?? shown(value as JsonObject)))
}

function renderValue({ text, value }: Result): string {
  const list = listIn(value)
  if (list && list.length > 0 && list.every(isObject)) return table(list as unknown as JsonObject[])
  if (list)
    return list.length === 0
      ? 'Nothing.'
      : list
          .slice(0, mostRows)
          .map((item) => `- ${escape(shown(item))}`)
          .join('\n') + more(list.length)
  if (isObject(value)) {
    return Object.entries(value as JsonObject)
      .map(([key, item]) => {
        const inner = listIn(item)
        if (inner && inner.length > 0 && inner.every(isObject))
          return `\n**${escape(key)}**\n\n${table(inner as unknown as JsonObject[])}\n`
        return `- **${escape(key)}:** ${escape(shown(item))}`
      })
      .join('\n')
  }
  return quote(cut(text, 1500))
}

function quote(text: string): string {
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return text.includes('\n') ? `${fence}text\n${text}\n${fence}` : `> ${escape(text)}`
}

function table(rows: readonly JsonObject[], most = mostRows): string {
  const heads = [...new Set(rows.slice(0, most).flatMap((row) => Object.keys(row)))].slice(0, mostColumns)
  return (
    [
      `| ${heads.map(escape).join(' | ')} |`,
      `| ${heads.map(() => '---').join(' | ')} |`,
      ...rows.slice(0, most).map((row) => `| ${heads.map((head) => escape(cut(shown(row[head]), 80))).join(' | ')} |`),
    ].join('\n') + (rows.length > most ? more(rows.length) : '')
  )
}

function more(count: number): string {
  return count > mostRows ? `\n\n… and ${count - mostRows} more.` : ''
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.map(shown).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text
}

/** What came of a form: each field, what was asked for it and what it holds now. */
export function describeFilling(
  call: Call,
  { unplaced, days, guesses }: Omit<Match, 'fillings'>,
  empty: readonly string[],
): string {
  if (call.result === undefined || call.result.failed) return describeResult(call)
  const lines = readFilled(call.result.value)
  if (lines.length === 0) return `${describeResult(call)}\n\nNothing was submitted.`
  // As code, so that an address does not become a link.
  const held = (text: string): string => (text.trim() === '' ? 'nothing' : code(text))
  // A list and not a table: a docked panel is narrow, and addresses are long.
  const rows = lines.map(
    ({ field, asked, now, ok, problem }) =>
      `- ${ok ? '✓' : '✗'} **${escape(field)}**: asked ${held(asked)}, now holds ${held(now)}${ok ? '' : ` (${escape(problem || 'not as asked')})`}`,
  )
  const wrong = lines.filter(({ ok }) => !ok).length
  const done = lines.length - wrong
  return [
    `I filled **${done}** ${done === 1 ? 'field' : 'fields'} and read each back:`,
    rows.join('\n'),
    ...days
      .filter(({ said, value }) => said !== value)
      .map(({ said, value }) => `I took “${escape(said)}” to be ${weekdayOf(value)}, ${value}.`),
    ...guesses.map(({ said, value }) => `I took “${escape(said)}” to be ${value}.`),
    wrong > 0 ? `**${wrong}** did not take what was asked; please look at ${wrong === 1 ? 'it' : 'them'}.` : '',
    unplaced.length > 0 ? `I found no field for: ${unplaced.map(escape).join('; ')}.` : '',
    empty.length > 0 ? `Still needed: ${empty.map(escape).join(', ')}.` : '',
    '**Nothing was submitted:** look it over and press the button yourself.',
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Who answers, and what there is to work with. */
export function introduce(tools: readonly Tool[], page: { readonly title: string } | undefined): string {
  const where = page && page.title !== '' ? ` on “${escape(page.title)}”` : ''
  const lines = tools.map(({ name, description }) => `- ${code(name)}: ${escape(cut(firstSentence(description), 140))}`)
  return [
    `I am the **offline model** of this playground: a stand-in that works by rules, not a language model. I understand plain requests that match a tool${where}, and little else.`,
    tools.length === 0
      ? 'I see **no tools** here.'
      : `I see **${tools.length}** ${tools.length === 1 ? 'tool' : 'tools'}:\n\n${lines.join('\n')}`,
    [
      'What I understand:',
      '- a tool by its name: `tool_name key: value, other: value`',
      '- a request in plain words, where a tool’s name or description fits it',
      ...(canFill(tools)
        ? ['- the details of a form in one sentence, such as “a table for 4 on Friday at 19:30 for Ada Lovelace”']
        : []),
      ...(tools.some(({ name }) => name === 'todo_write')
        ? ['- several things at once: “do this, then that, then the other”']
        : []),
    ].join('\n'),
  ].join('\n\n')
}

export function canFill(tools: readonly Tool[]): boolean {
  return ['form_read', 'form_fill'].every((needed) => tools.some(({ name }) => name === needed))
}

function firstSentence(text: string): string {
  return /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}
