// How the offline model words results: plain sentences, without names of tools, references and logs. Text of a tool is
// escaped, so that it cannot become a heading, a link or a table.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { dayInWords, parseDay } from './dates.js'
import { wordsOf } from './words.js'
import type { Result } from './transcript.js'

const most = 8

export function escape(text: string): string {
  return text.replace(/[\\`*_[\]<>|#~@]/g, '\\$&').replace(/\s*\n\s*/g, ' ')
}

/** `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** `workingDays` → `working days`. */
export function readable(name: string): string {
  return wordsOf(name).join(' ')
}

/** A value in words: days written out, lists joined. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return listed(value.map(shown))
  if (isObject(value)) return recordInWords(value as JsonObject)
  const text = String(value)
  return /^\d{4}-\d\d-\d\d$/.test(text) && parseDay(text) ? dayInWords(text) : escape(text)
}

export type Money = (amount: JsonValue | undefined) => string

/** Amounts in the currency that a tool's description names. */
export function moneyOf(descriptions: string): Money {
  const sign = /\beuros?\b/i.test(descriptions) ? '€' : ''
  return (amount) =>
    typeof amount === 'number' ? `${sign}${Number.isInteger(amount) ? amount : amount.toFixed(2)}` : ''
}

export function nameOf(record: JsonObject): string {
  const name = ['name', 'title', 'label', 'product', 'id']
    .map((key) => record[key])
    .find((one) => typeof one === 'string')
  return typeof name === 'string' ? escape(name) : ''
}

/** One record, such as a product or a line of the cart. */
export function recordInWords(record: JsonObject, money: Money = moneyOf('')): string {
  const name = nameOf(record)
  const quantity = record['quantity'] ?? record['count']
  const price = record['price'] ?? record['sum'] ?? record['cost']
  if (name !== '' && (price !== undefined || quantity !== undefined)) {
    const head = typeof quantity === 'number' ? `${quantity} × ${name}` : name
    return price === undefined ? head : `${head} (${money(price) || shown(price)})`
  }
  return Object.entries(record)
    .filter(([key, value]) => !isId(key) && value !== null)
    .map(([key, value]) =>
      shown(value) === name && name !== '' ? name : `${readable(key)} ${amount(key, value, money)}`,
    )
    .join(', ')
}

function amount(key: string, value: JsonValue | undefined, money: Money): string {
  return /^(?:price|total|subtotal|sum|before|after|cost|amount)$/i.test(key)
    ? money(value) || shown(value)
    : shown(value)
}

const isId = (key: string): boolean => /(?:^id|Id|_id)$/.test(key)

/** What a tool returned, in sentences. */
export function resultInWords({ text, value }: Result, money: Money): string {
  if (Array.isArray(value)) return recordsInWords(value, money)
  if (!isObject(value)) return sentence(escape(text.length > 400 ? `${text.slice(0, 400)}…` : text))
  const { message, ...rest } = value as JsonObject & { message?: JsonValue }
  if (typeof message === 'string') return sentence(escape(message))
  const lists = Object.entries(rest).filter(([, one]) => Array.isArray(one) && one.every(isObject))
  const others = Object.fromEntries(Object.entries(rest).filter(([key]) => !lists.some(([name]) => name === key)))
  const parts = lists.map(([key, list]) =>
    (list as JsonValue[]).length === 0
      ? `There are no ${readable(key)}.`
      : `${capital(readable(key))}: ${recordsInWords(list as JsonValue[], money)}`,
  )
  const facts = Object.keys(others).length === 0 ? '' : sentence(capital(recordInWords(others as JsonObject, money)))
  return [...parts, facts].filter(Boolean).join(' ')
}

function recordsInWords(list: readonly JsonValue[], money: Money): string {
  if (list.length === 0) return 'There is nothing.'
  const words = list.slice(0, most).map((one) => (isObject(one) ? recordInWords(one as JsonObject, money) : shown(one)))
  return sentence(list.length > most ? `${words.join(', ')} and ${list.length - most} more` : listed(words))
}

export function sentence(text: string): string {
  const trimmed = text.trim()
  return trimmed === '' || /[.!?…:]$/.test(trimmed) ? trimmed : `${trimmed}.`
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const errorHead = /^Error(?: \(([a-z-]+)\))?:\s*([\s\S]*)$/m

/** The code of a failed result. */
export function failureCode({ text }: Result): string {
  return errorHead.exec(text)?.[1] ?? ''
}

/** Why a call did not work, for the user. */
export function failureInWords(result: Result | undefined): string {
  if (result === undefined) return 'There was no answer.'
  const why = (errorHead.exec(result.text)?.[2] ?? result.text)
    .replace(/\s*It may still have happened[^.\n]*\.?/i, '')
    .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, 'another tool')
  const unsure = /may still have happened/i.test(result.text)
    ? ' It may have happened all the same, so please check.'
    : ''
  switch (failureCode(result)) {
    case 'denied':
      return 'You did not allow it, so I left it.'
    case 'superseded':
      return 'You went on without answering, so I left it.'
    case 'cancelled':
      return `It was stopped.${unsure}`
    case 'interrupted':
      return `The page was left before there was an answer.${unsure}`
    default:
      return `That did not work: ${sentence(escape((why.split('\n')[0] ?? '').slice(0, 300)))}${unsure}`
  }
}
