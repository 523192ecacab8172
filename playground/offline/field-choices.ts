// Choices that a sentence makes by naming them: an option, a box to tick, a colour, a number beside a label.
import type { JsonValue } from '../../src/core/data/json.js'
import type { Field } from './form.js'
import { numberPattern, parseNumber } from './numbers.js'
import { escapePattern, stemsOf, synonymsOf, wordsOf } from './words.js'

const plain = (text: string): string => wordsOf(text).join(' ')

const vague = /^(?:please )?(?:choose|select|pick|any|none|no|yes|other|all|ok|-+)\b/
const avoids = /\b(allerg\w*|avoid|diet\w*|without|intoleran\w*|leave out|not eat)\b/

/** Sets what the text names in `values`; hands back the phrases it used. */
export function placeChoices(fields: readonly Field[], text: string, values: Map<Field, JsonValue>): string[] {
  const used: string[] = []
  for (const field of fields) {
    if (field.type === 'checkbox' || field.type === 'switch') {
      const phrase = saidBox(field, text)
      if (phrase === undefined) continue
      values.set(field, !phrase.negated)
      used.push(phrase.said)
    } else if (field.options.length > 0) {
      const named = field.options.filter((option) => isOptionSaid(option, field, text))
      if (named.length === 0) continue
      values.set(field, field.multiple ? named : longest(named))
      used.push(...named, ...named.map((option) => `no ${option}`))
    } else if (field.type === 'color') {
      const color = stemsOf(field.label).some((word) => word.length > 3 && stemsOf(text).includes(word))
        ? colorIn(text)
        : undefined
      if (color === undefined) continue
      values.set(field, color)
      used.push(field.label, ...colors.keys())
    } else if (['number', 'range', 'slider', 'spinbutton'].includes(field.type)) {
      const number = numberBeside(field, text)
      if (number !== undefined) values.set(field, number)
    }
  }
  return used
}

function longest(options: readonly string[]): string {
  return options.reduce((top, one) => (one.length > top.length ? one : top))
}

function isOptionSaid(option: string, field: Field, text: string): boolean {
  const words = wordsOf(option)
  if (
    words.join('').length < 3 ||
    /^\d/.test(option) ||
    (vague.test(plain(option)) && !/^no \w{3}/.test(plain(option)))
  )
    return false
  const match = new RegExp(`(?<![\\p{L}\\d])${words.map(variants).join('[^\\p{L}\\d]+')}(?![\\p{L}\\d])`, 'iu').exec(
    text,
  )
  if (match === null) return false
  const isNegated = /\b(?:no|not|without|except|never)\s+(?:the\s+|a\s+|any\s+)?$/i.test(text.slice(0, match.index))
  return !isNegated || avoids.test(plain(field.label))
}

/** A pattern for a word of an option and the words that mean the same. */
function variants(word: string): string {
  return `(?:${synonymsOf(word).map(escapePattern).join('|')})`
}

function saidBox(field: Field, text: string): { said: string; negated: boolean } | undefined {
  const content = stemsOf(field.label).filter((word) => word.length > 2 && word !== 'only')
  const said = stemsOf(text)
  if (content.length === 0 || content.length > 5 || !content.every((word) => said.includes(word))) return undefined
  const head = escapePattern(
    wordsOf(field.label).find((word) => content.includes(word) || content.some((stem) => word.startsWith(stem))) ?? '',
  )
  const negated = new RegExp(`\\b(?:no|not|without|don['’]?t)\\s+(?:\\w+\\s+){0,2}${head}`, 'i').test(text)
  return { said: field.label, negated }
}

const labelNoise = new Set(['number', 'person', 'people', 'guest', 'party', 'count', 'many', 'size'])

function numberBeside(field: Field, text: string): number | undefined {
  for (const word of wordsOf(field.label).filter((one) => one.length > 3 && !labelNoise.has(one))) {
    const stem = escapePattern(word.replace(/s$/, ''))
    const match = new RegExp(
      `\\b${stem}\\w{0,3}\\b[^\\d,;]{0,16}?(${numberPattern})\\b|\\b(${numberPattern})\\s+(?:\\w+\\s+)?${stem}`,
      'i',
    ).exec(text)
    const value = parseNumber(match?.[1] ?? match?.[2] ?? '')
    if (value !== undefined) return value
  }
  return undefined
}

const colors = new Map(
  Object.entries({
    red: '#d32f2f',
    green: '#2e7d32',
    blue: '#1565c0',
    white: '#ffffff',
    black: '#000000',
    yellow: '#fbc02d',
    orange: '#ef6c00',
    purple: '#6a1b9a',
    pink: '#ec407a',
    teal: '#00796b',
    gold: '#c9a227',
    silver: '#c0c0c0',
    grey: '#808080',
    gray: '#808080',
    brown: '#6d4c41',
    turquoise: '#26c6da',
    ivory: '#fffff0',
    lavender: '#b39ddb',
  }),
)

/** The colour that a text names, as `#rrggbb`. */
export function colorIn(text: string): string | undefined {
  const hex = /#[\da-f]{6}\b/i.exec(text)?.[0]
  return (
    hex?.toLowerCase() ??
    wordsOf(text)
      .map((word) => colors.get(word))
      .find(Boolean)
  )
}
