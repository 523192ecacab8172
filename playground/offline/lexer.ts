// Reads a message with a closed vocabulary: each word is one that a demo knows, a number, a date, an address, or unknown.
// Whatever follows acts only where nothing is unknown, so this file decides what "understood" means.
import { languages, shared, type Language, type Section } from './languages/languages.js'

/** A word or value of the message. `kind` is its meaning; `text` is how it was written. */
export interface Token {
  readonly kind: string
  readonly value: string | number
  readonly text: string
  readonly start: number
  /** What a word with a typing error was taken for. */
  readonly took?: string
  /** The half of the day was not said. */
  readonly unsure?: boolean
}

export interface Reading {
  readonly language: Language
  readonly tokens: readonly Token[]
}

interface Entry {
  readonly phrase: string
  readonly kinds: readonly (readonly [kind: string, value: string])[]
}
type Lexicon = ReadonlyMap<string, readonly Entry[]>

/** Kinds that carry no meaning of their own, where no rule has used them. */
const soft = new Set(['_', 'hello', 'thanks', 'and', 'in', 'for', 'attime'])
export const isContent = ({ kind }: Token): boolean => !soft.has(kind)

/** Lower case, without accents, apostrophes and hyphens; each character stays at its place. */
export const fold = (text: string): string => [...text].map(foldCharacter).join('')

function foldCharacter(one: string): string {
  if (/[\s'’ʼ\-‐–]/.test(one)) return ' '
  if (one === 'ة') return 'ه'
  if (one === 'ى') return 'ي'
  if (/[\u0660-\u0669]/.test(one)) return String(one.charCodeAt(0) - 0x660)
  const plain = /[\p{sc=Latin}\p{sc=Arabic}\uFF00-\uFF5E]/u.test(one) ? (one.normalize('NFKD')[0] ?? one) : one
  const lower = plain.toLowerCase()
  return lower.length === one.length ? lower : one
}

const isLetter = (text: string): boolean => /^[\p{L}\p{M}]/u.test(text)
const isIdeographic = (text: string): boolean => /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/u.test(text)
const lexica = new Map<string, Lexicon>()

/** The entries of a language for a section, by first character. */
function lexiconOf(language: Language, section: Section): Lexicon {
  const key = `${language} ${section}`
  const known = lexica.get(key)
  if (known) return known
  const entries = new Map<string, Entry>()
  const add = (head: string, item: string): void => {
    const phrase = fold(item.trim()).trim()
    const kinds = head.split('+').map((one) => one.split('=') as [string, string?])
    if (phrase !== '') entries.set(phrase, { phrase, kinds: kinds.map(([kind, value = '']) => [kind, value] as const) })
  }
  const { words } = languages[language]
  for (const [head, phrase] of calendarOf(language)) add(head, phrase)
  for (const table of [shared, words.common, words[section]]) readTable(table, add)
  const lexicon = new Map<string, Entry[]>()
  for (const entry of entries.values()) {
    const first = entry.phrase[0] ?? ''
    lexicon.set(first, [...(lexicon.get(first) ?? []), entry])
  }
  lexica.set(key, lexicon)
  return lexicon
}

/** Reads entries `head: one, two`, each on a line of its own or behind `; ` or ` ¦ `. */
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
  return names.map(([head, name]) => [head, name.replace(/\.$/, '')])
}

type Literal = readonly [kind: string, pattern: RegExp, value?: (match: RegExpExecArray) => string]

/** What is read before words, and only in the section in the name, if there is one. */
const literals: readonly Literal[] = [
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/y],
  ['date', /\d{4}-\d\d-\d\d/y],
  ['phone', /\+\d[\d ()/.-]{6,}\d|0\d[\d ()/-]{6,}\d/y],
  ['dotted', /\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{4})?/y],
  ['slashed', /\d{1,2}\/\d{1,2}(?:\/\d{4})?/y],
  ['clock', /(\d{1,2})(?::|h|：)(\d\d)(?!\d)/iy, ([, hour, minute]) => `${hour}:${minute}`],
  ['clock', /(\d{1,2})\.(\d\d)(?=\s?(?:uhr|h\b|am\b|pm\b|a\.m|p\.m))/iy, ([, hour, minute]) => `${hour}:${minute}`],
  ['clock', /(\d{1,2})\s?h(?![\p{L}\d])/iuy, ([, hour]) => `${hour}:00`],
  ['shop code', /\p{Lu}{3,}\d+|\p{Lu}{5,}(?!\p{L})/uy],
  ['orders content', /(?<=[:：]\s*)[^\d\s][\s\S]*/y],
  ['orders number', /\d{4}(?!\d)/y],
]
const numbers: readonly Literal[] = [
  ['num', /(\d{1,2})(?:st|nd|rd|th|er|º|ª)(?!\p{L})/uy, ([, digits]) => digits ?? ''],
  ['num', /\d+(?:[.,]\d{1,2})?(?!\d)/y, ([all]) => all.replace(',', '.')],
]

/** Letters that are in one of the languages of a script. They decide where several leave as much unknown. */
const marks: Partial<Record<Language, RegExp>> = { de: /[äöüß]/i, fr: /[çèêàùœîôû]/i, es: /[ñáíóú¿¡]/i }

/** Reads a message in the language that leaves least of it unknown; `before` wins where several do. */
export function read(text: string, section: Section, before?: Language): Reading {
  const ideographic: readonly Language[] = /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text) ? ['ja'] : ['zh', 'ja']
  const others: readonly Language[] = isIdeographic(text) ? ideographic : ['en', 'de', 'fr', 'es']
  const candidates: readonly Language[] = /\p{sc=Arabic}/u.test(text) ? ['ar'] : others
  const readings = candidates.map((language) => readIn(text, section, language))
  const unknown = ({ tokens, language }: Reading): number =>
    tokens.reduce((sum, { kind, text: said }) => sum + (kind === 'unknown' ? said.length : 0), 0) -
    (marks[language]?.test(text) === true ? 3 : 0) -
    (language === before ? 0.5 : 0)
  return readings.reduce((best, one) => (unknown(one) < unknown(best) ? one : best))
}

/** Reads a message in one language; with `isLoose` also words with a typing error or without their apostrophe. */
export function readIn(given: string, section: Section, language: Language, isLoose = false): Reading {
  const text = given.normalize('NFC').replaceAll(/[\u064B-\u0652\u0640]/g, '')
  const folded = fold(text)
  const lexicon = lexiconOf(language, section)
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const found =
      nameAt(text, tokens.at(-1), at) ??
      literalAt(text, folded, at, literals, section) ??
      phraseAt(folded, at, lexicon, language) ??
      literalAt(text, folded, at, numbers, section) ??
      (isLoose ? nearAt(folded, at, lexicon) : undefined)
    if (found) {
      const said = text.slice(at, at + found.length).trim()
      const took = found.took === undefined ? {} : { took: found.took }
      tokens.push(...found.kinds.map(([kind, value]) => ({ kind, value, text: said, start: at, ...took })))
      at += found.length
    } else if (/[\p{L}\p{N}\p{S}]/u.test(text[at] ?? '')) at = unknownAt(text, at, tokens)
    else at += 1
  }
  return { language, tokens }
}

interface Found {
  readonly length: number
  readonly kinds: Entry['kinds']
  readonly took?: string
}

/** Behind "my name is": one to three words with a capital letter. A name may be any word. */
function nameAt(text: string, before: Token | undefined, at: number): Found | undefined {
  const own =
    /(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}),? (?:is my name|(?:ist )?mein Name|est mon nom|es mi nombre)(?!\p{L})/uy
  own.lastIndex = at
  const stated = own.exec(text)
  if (stated) return { length: stated[0].length, kinds: [['name', stated[1] ?? '']] }
  if (before === undefined || !/^(?:nameis|lastis|for)$/.test(before.kind)) return undefined
  const latin = /^\s*[:：]?\s*(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})(?!\p{L})/u
  const other = /^\s*[:：]?\s*(\p{sc=Arabic}{2,} \p{sc=Arabic}{2,}|\p{sc=Han}{2,4}(?=\P{L}|$))/u
  const match = latin.exec(text.slice(at)) ?? (before.kind === 'for' ? null : other.exec(text.slice(at)))
  // "For Ada" may be for a dish; "for Ada Lovelace" is for a person.
  if (!match || (before.kind === 'for' && !/^\S+ \S+$/.test(match[1] ?? ''))) return undefined
  return { length: match[0].length, kinds: [[before.kind === 'for' ? 'forname' : 'name', match[1] ?? '']] }
}

function literalAt(
  text: string,
  folded: string,
  at: number,
  kinds: readonly Literal[],
  section: Section,
): Found | undefined {
  for (const [name, pattern, value] of kinds) {
    const [kind = '', only = section] = name.split(' ').toReversed()
    pattern.lastIndex = at
    const match = only === section ? pattern.exec(/^(?:clock|num|number)$/.test(kind) ? folded : text) : null
    if (match) return { length: match[0].length, kinds: [[kind, value ? value(match) : match[0].trim()]] }
  }
  return undefined
}

function phraseAt(folded: string, at: number, lexicon: Lexicon, language: Language): Found | undefined {
  const around = folded.slice(at - 1, at + 1)
  if (at > 0 && isLetter(around) && isLetter(around.slice(1)) && !isIdeographic(around)) return undefined
  const direct = entryAt(folded, at, lexicon)
  if (direct || language !== 'ar') return direct
  // Article and prepositions are written together with the word.
  const whole = /^(?:و|ف)?(?:بال|لل|ال|ب|ل|ك)?/.exec(folded.slice(at))?.[0] ?? ''
  for (let length = whole.length; length > 0; length--) {
    const found = entryAt(folded, at + length, lexicon)
    if (found) return { length: length + found.length, kinds: found.kinds }
  }
  return undefined
}

function entryAt(folded: string, at: number, lexicon: Lexicon): Found | undefined {
  let best: Found | undefined
  for (const { phrase, kinds } of lexicon.get(folded[at] ?? '') ?? []) {
    const length = matchAt(folded, at, phrase) - at
    if (length > (best?.length ?? 0)) best = { length, kinds }
  }
  return best
}

/** What would change its meaning, or cannot be taken back, must be written without an error. */
const exact = /^(?:not|num|nth|only|all|clear|remove|change|status|cancelorder|submit|undo|private)$/

/** A phrase with one typing error (a letter too much, too few, wrong, or two swapped), if all that fit mean the same. */
function nearAt(folded: string, at: number, lexicon: Lexicon): Found | undefined {
  const rest = folded.slice(at)
  if (!isLetter(rest) || isIdeographic(rest[0] ?? '') || (at > 0 && isLetter(folded[at - 1] ?? ''))) return undefined
  let best: Found | undefined
  const meanings = new Set<string>()
  for (const { phrase, kinds } of lexicon.get(rest[0] ?? '') ?? []) {
    if (phrase.length < 5 || phrase.includes('*') || kinds.some(([kind]) => exact.test(kind))) continue
    // Up to as many words as the phrase has: a space may be missing.
    const [said = ''] =
      new RegExp(`^[\\p{L}\\p{M}]+(?: [\\p{L}\\p{M}]+){0,${phrase.split(' ').length - 1}}`, 'u').exec(rest) ?? []
    const word = [said, said.slice(0, Math.max(0, said.lastIndexOf(' ')))].find((one) => isNear(one, phrase))
    if (word === undefined || word.length < (best?.length ?? 0)) continue
    if (word.length > (best?.length ?? 0)) meanings.clear()
    meanings.add(JSON.stringify(kinds))
    best = { length: word.length, kinds, took: phrase }
  }
  return meanings.size === 1 ? best : undefined
}

/** Whether one edit makes one text the other. The first letter is right. */
function isNear(one: string, other: string): boolean {
  if (one === '' || Math.abs(one.length - other.length) > 1) return false
  let start = 0
  while (start < one.length && one[start] === other[start]) start++
  const [a, b] = [one.slice(start), other.slice(start)]
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || isSwapped
}

/**
 * Where a phrase ends that begins at `at`. A space may be several, and in Arabic it may be followed by the article; `*` is
 * an ending of up to three letters.
 */
function matchAt(folded: string, at: number, phrase: string): number {
  let end = at
  for (const [place, part] of [...phrase].entries()) {
    if (part === '*') for (let count = 0; count < 3 && isLetter(folded[end] ?? ''); count++) end++
    else if (folded[end] !== part) return -1
    else end++
    if (part !== ' ') continue
    while (folded[end] === ' ') end++
    if (folded.startsWith('ال', end) && !phrase.startsWith('ال', place + 1)) end += 2
  }
  const [last = '', next = ''] = [folded[end - 1], folded[end]]
  const isCut = isLetter(last) && /[\p{L}\p{N}]/u.test(next) && !isIdeographic(last) && !isIdeographic(next)
  return isCut ? -1 : end
}

/** Adds a word that is not known. Returns where it ends. */
function unknownAt(text: string, at: number, tokens: Token[]): number {
  const [word = text.slice(at, at + 1)] = isIdeographic(text[at] ?? '')
    ? []
    : (/^[\p{L}\p{N}\p{M}\p{S}'’]+/u.exec(text.slice(at)) ?? [])
  const last = tokens.at(-1)
  const isNext = last?.kind === 'unknown' && isIdeographic(word) && last.start + last.text.length === at
  if (isNext) tokens.splice(-1, 1, { ...last, text: last.text + word })
  else tokens.push({ kind: 'unknown', value: '', text: word, start: at })
  return at + word.length
}
