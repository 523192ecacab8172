// Reads a message with a closed vocabulary: each word is one that a demo knows, a number, a date, an address, or unknown.
// Whatever follows acts only where nothing is unknown, so this file decides what "understood" means.
import { languages, shared, type Language, type Section } from './languages/languages.js'

/** A word or value of the message. `kind` is its meaning; `text` is how it was written. */
export interface Token {
  readonly kind: string
  readonly value: string | number
  readonly text: string
  readonly start: number
  /** The half of the day was not said. */
  readonly unsure?: boolean
  /** Written with a mistake; this is the word that was read. */
  readonly meant?: string
}

export interface Reading {
  readonly language: Language
  readonly tokens: readonly Token[]
}

interface Entry {
  readonly phrase: string
  readonly kinds: readonly (readonly [kind: string, value: string])[]
}

/** Kinds that carry no meaning of their own, where no rule has used them. */
const soft = new Set(['_', 'hello', 'thanks', 'and', 'in', 'for', 'attime'])
export const isContent = ({ kind }: Token): boolean => !soft.has(kind)

/** Lower case, without accents, apostrophes and hyphens; each character stays at its place. */
export function fold(text: string): string {
  return [...text].map(foldCharacter).join('')
}

function foldCharacter(one: string): string {
  if (/[\s'’ʼ\-‐–]/.test(one)) return ' '
  if (one === 'ة') return 'ه'
  if (one === 'ى') return 'ي'
  if (/[\u0660-\u0669]/.test(one)) return String(one.charCodeAt(0) - 0x660)
  const plain = /[\p{sc=Latin}\p{sc=Arabic}\uFF00-\uFF5E]/u.test(one) ? (one.normalize('NFKD')[0] ?? one) : one
  const lower = plain.toLowerCase()
  return lower.length === one.length ? lower : one
}

const isIdeographic = (text: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u.test(text)
const lexica = new Map<string, Map<string, Entry[]>>()

/** The entries of a language for a section, by first character, longest first. */
function lexiconOf(language: Language, section: Section): Map<string, Entry[]> {
  const key = `${language} ${section}`
  const known = lexica.get(key)
  if (known) return known
  const entries = new Map<string, Entry>()
  const add = (head: string, phrase: string): void => {
    const folded = fold(phrase.trim()).trim()
    if (folded === '') return
    const kinds = head.split('+').map((one) => one.split('=') as [string, string?])
    entries.set(folded, { phrase: folded, kinds: kinds.map(([kind, value = '']) => [kind, value] as const) })
  }
  const { words } = languages[language]
  for (const [head, phrase] of calendarOf(language)) add(head, phrase)
  for (const table of [shared, words.common, words[section]]) readTable(table, add)
  const byFirst = new Map<string, Entry[]>()
  for (const entry of entries.values()) {
    const first = entry.phrase[0] ?? ''
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry])
  }
  lexica.set(key, byFirst)
  return byFirst
}

/** Entries `head: one, two`, each on a line of its own or behind `; ` or ` ¦ `. */
export function readTable(
  table: string,
  add: (head: string, item: string) => void,
  separator: RegExp | string = /,\s/,
): void {
  for (const entry of table.replaceAll(/\n +/g, ' ').split(/\n|; | ¦ /)) {
    const [, head, items = ''] = /^(.+?):\s+(.*)$/.exec(entry) ?? []
    if (head !== undefined) for (const item of items.split(separator)) add(head, item)
  }
}

/** Names of weekdays and months, as the browser knows them. */
function calendarOf(language: Language): [string, string][] {
  const names: [string, string][] = []
  for (const style of ['long', 'short'] as const) {
    const weekday = new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' })
    for (let day = 0; day < 7; day++) names.push([`wd=${day}`, weekday.format(Date.UTC(2026, 1, 1 + day))])
    const month = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' })
    for (let index = 0; index < 12; index++) names.push([`mon=${index}`, month.format(Date.UTC(2026, index, 1))])
  }
  // A weekday of one letter, or a month such as `May`, is found as a whole word only.
  return names.map(([head, name]) => [head, name.replace(/\.$/, '')])
}

type Literal = readonly [kind: string, pattern: RegExp, value?: (match: RegExpExecArray) => string]

const literals: readonly Literal[] = [
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y],
  ['url', /https?:\/\/[^\s,]+/y],
  ['quote', /["“”«»„「『][^"“”«»「」『』]+["“”«»」』]/y, ([all]) => all.slice(1, -1).trim()],
  ['date', /\d{4}-\d\d-\d\d/y],
  ['phone', /\+\d[\d ()/.-]{6,}\d|0\d[\d ()/-]{6,}\d/y],
  ['dotted', /\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?/y],
  ['slashed', /\d{1,2}\/\d{1,2}(?:\/\d{4})?/y],
  ['clock', /(\d{1,2})(?::|h|：)(\d\d)(?!\d)/iy, ([, hour, minute]) => `${hour}:${minute}`],
  ['clock', /(\d{1,2})\.(\d\d)(?=\s?(?:uhr|h\b|am\b|pm\b|a\.m|p\.m))/iy, ([, hour, minute]) => `${hour}:${minute}`],
  ['clock', /(\d{1,2})\s?h(?![\p{L}\d])/iuy, ([, hour]) => `${hour}:00`],
]
const numbers: readonly Literal[] = [
  ['num', /(\d{1,2})(?:st|nd|rd|th|er|º|ª)(?!\p{L})/uy, ([, digits]) => digits ?? ''],
  ['num', /\d+(?:[.,]\d{1,2})?(?!\d)/y, ([all]) => all.replace(',', '.')],
]

/** Reads a message in the language that leaves least of it unknown; `before` wins where several do. */
export function read(text: string, section: Section, before?: Language): Reading {
  const latin: readonly Language[] = ['en', 'de', 'fr', 'es']
  const ideographic: readonly Language[] = /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? ['ja'] : ['zh', 'ja']
  const others = isIdeographic(text) ? ideographic : latin
  const candidates = /\p{sc=Arabic}/u.test(text) ? ['ar' as const] : others
  const ordered = before && candidates.includes(before) ? [before, ...candidates] : candidates
  const readings = ordered.map((language) => readIn(text, section, language))
  // A mistake that one language reads must not outweigh a word that another one does not know.
  const cost = ({ kind, text: said, meant }: Token): number => {
    if (kind === 'unknown') return said.length
    return meant === undefined ? 0 : said.length - 1
  }
  const unknown = ({ tokens }: Reading): number => tokens.reduce((sum, token) => sum + cost(token), 0)
  return readings.reduce((best, one) => (unknown(one) < unknown(best) ? one : best))
}

/** Reads a message in one language. */
export function readIn(text: string, section: Section, language: Language): Reading {
  return {
    language,
    tokens: tokensOf(text.normalize('NFC').replaceAll(/[\u064B-\u0652\u0640]/g, ''), language, section),
  }
}

function tokensOf(text: string, language: Language, section: Section): Token[] {
  const folded = fold(text)
  const lexicon = lexiconOf(language, section)
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const found =
      nameAt(text, tokens.at(-1), at) ??
      literalAt(text, folded, at, literals) ??
      phraseAt(folded, at, lexicon, language) ??
      literalAt(text, folded, at, numbers)
    if (found) {
      const said = text.slice(at, at + found.length)
      tokens.push(...found.tokens.map(([kind, value]) => ({ kind, value, text: said.trim(), start: at })))
      at += found.length
      continue
    }
    if (/[\p{L}\p{N}\p{S}]/u.test(text[at] ?? '')) at = unknownAt(text, at, tokens, lexicon)
    else at += 1
  }
  return tokens
}

interface Found {
  readonly length: number
  readonly tokens: readonly (readonly [string, string | number])[]
}

/** Behind "my name is": one to three words with a capital letter. A name may be any word. */
function nameAt(text: string, before: Token | undefined, at: number): Found | undefined {
  if (before === undefined || !/^(?:nameis|lastis|for|titled)$/.test(before.kind)) return undefined
  const rest = text.slice(at)
  const pattern = /^\s*[:：]?\s*((?:\p{Lu}[\p{L}'’-]+)(?: (?:\p{Lu}[\p{L}'’-]+)){0,2})(?![\p{L}])/u
  const other = /^\s*[:：]?\s*((?:\p{sc=Arabic}{2,}) \p{sc=Arabic}{2,}|\p{sc=Han}{2,4}(?=\P{L}|$))/u
  const match = pattern.exec(rest) ?? (before.kind === 'for' ? null : other.exec(rest))
  if (!match || (before.kind === 'for' && !/^\S+ \S+$/.test(match[1] ?? ''))) return undefined
  return { length: match[0].length, tokens: [[before.kind === 'for' ? 'forname' : 'name', match[1] ?? '']] }
}

function literalAt(text: string, folded: string, at: number, kinds: readonly Literal[]): Found | undefined {
  for (const [kind, pattern, value] of kinds) {
    pattern.lastIndex = at
    const match = pattern.exec(kind === 'clock' || kind === 'num' ? folded : text)
    if (match) return { length: match[0].length, tokens: [[kind, value ? value(match) : match[0].trim()]] }
  }
  return undefined
}

const arabicPrefix = /^(?:و|ف)?(?:بال|لل|ال|ب|ل|ك)?/

function phraseAt(folded: string, at: number, lexicon: Map<string, Entry[]>, language: Language): Found | undefined {
  if (isLetter(folded[at - 1]) && isLetter(folded[at]) && !isIdeographic(folded.slice(at - 1, at + 1))) return undefined
  const direct = entryAt(folded, at, lexicon)
  if (direct || language !== 'ar') return direct
  // Article and prepositions are written together with the word.
  const whole = arabicPrefix.exec(folded.slice(at))?.[0] ?? ''
  for (let length = whole.length; length > 0; length--) {
    const found = entryAt(folded, at + length, lexicon)
    if (found) return { length: length + found.length, tokens: found.tokens }
  }
  return undefined
}

function entryAt(folded: string, at: number, lexicon: Map<string, Entry[]>): Found | undefined {
  let best: Found | undefined
  for (const { phrase, kinds } of lexicon.get(folded[at] ?? '') ?? []) {
    const length = matchAt(folded, at, phrase) - at
    if (length > (best?.length ?? 0)) best = { length, tokens: kinds }
  }
  return best
}

const letter = /[\p{L}\p{M}]/u
const isLetter = (one: string | undefined): boolean => one !== undefined && letter.test(one)

/** Where a phrase ends that begins at `at`: a space may be several, `*` is an ending of up to three letters. */
function matchAt(folded: string, at: number, phrase: string): number {
  let end = at
  for (const part of phrase) {
    if (part === '*') for (let count = 0; count < 3 && isLetter(folded[end]); count++) end++
    else if (folded[end] !== part) return -1
    else
      do end++
      while (part === ' ' && folded[end] === ' ')
  }
  const [last = '', next = ''] = [folded[end - 1], folded[end]]
  const isCut = isLetter(last) && /[\p{L}\p{N}]/u.test(next) && !isIdeographic(last) && !isIdeographic(next)
  return isCut ? -1 : end
}

/** A word that is not known, or one with a single mistake in a long word that is. Returns where it ends. */
function unknownAt(text: string, at: number, tokens: Token[], lexicon: Map<string, Entry[]>): number {
  const run = isIdeographic(text[at] ?? '') ? text[at] : /^[\p{L}\p{N}\p{M}\p{S}'’]+/u.exec(text.slice(at))?.[0]
  const word = run ?? text[at] ?? ''
  const last = tokens.at(-1)
  if (last?.kind === 'unknown' && isIdeographic(word) && last.start + last.text.length === at)
    tokens.splice(-1, 1, { ...last, text: last.text + word })
  else {
    const entry = closest(fold(word), lexicon)
    const kinds = entry?.kinds ?? [['unknown', ''] as const]
    const meant = entry ? { meant: entry.phrase.replace('*', '') } : {}
    for (const [kind, value] of kinds) tokens.push({ kind, value, text: word, start: at, ...meant })
  }
  return at + word.length
}

/** Words that look like a mistake in another word, and are none. */
const notMistakes = new Set(
  'older border folder plate plates later house could would might fever lasted fired tried'.split(' '),
)

/** The one entry that differs by a letter that is missing, too much, wrong or swapped. */
function closest(word: string, lexicon: Map<string, Entry[]>): Entry | undefined {
  if (!/^[a-z]{5,}$/.test(word) || notMistakes.has(word)) return undefined
  const near = (lexicon.get(word[0] ?? '') ?? []).filter(({ phrase, kinds }) => {
    const meant = phrase.replace('*', '')
    return meant.length >= 5 && !soft.has(kinds[0]?.[0] ?? '') && /^[a-z]+$/.test(meant) && isNear(word, meant)
  })
  return new Set(near.map(({ kinds }) => kinds.join())).size === 1 ? near[0] : undefined
}

function isNear(word: string, meant: string): boolean {
  const [short, long] = word.length < meant.length ? [word, meant] : [meant, word]
  const from = [...short].findIndex((letter, index) => letter !== long[index])
  const first = from === -1 ? short.length : from
  if (long.length - short.length === 1) return short.slice(first) === long.slice(first + 1)
  if (long.length !== short.length) return false
  const swapped = `${long[first + 1]}${long[first]}`
  return (
    short.slice(first + 1) === long.slice(first + 1) ||
    (short.slice(first, first + 2) === swapped && short.slice(first + 2) === long.slice(first + 2))
  )
}
