// What a sentence tells about a visit, an order or a person: the kinds of detail that forms everywhere ask for. The
// rest of it, segment by segment, is kept as notes.
import { findDay, findTime, type Day } from './dates.js'
import { numberPattern, parseNumber, type Found } from './numbers.js'

export type DetailKind = 'email' | 'url' | 'date' | 'time' | 'phone' | 'count' | 'name'

export interface Detail {
  readonly kind: DetailKind
  readonly value: string
  /** As the visitor wrote it. */
  readonly said: string
}

export interface Details {
  readonly found: readonly Detail[]
  /** What is left, such as `no shellfish`. */
  readonly notes: readonly string[]
}

const person = `[\\p{Lu}][\\p{L}'’-]*\\.?(?:\\s+(?:(?:de|da|di|del|della|van|von|der|den|la|le|bin|al|el|zu)\\s+){0,3}[\\p{Lu}][\\p{L}'’-]*)*`
const namePatterns = [
  `\\b(?:[Nn]ame is|[Nn]amed|[Cc]alled|[Ii] am|[Ii]['’]m|[Tt]his is|[Uu]nder the name(?: of)?|[Oo]n behalf of|[Uu]nder|[Nn]ame:?)\\s+(${person})`,
  `\\b(?:[Ss]end|[Dd]eliver|[Ss]hip) (?:it|this|them|everything) to\\s+(${person})`,
  `\\b[Ff]or\\s+(${person})`,
  `(?:^|,|;)\\s*(${person})\\s*(?=$|,|;)`,
].map((source) => new RegExp(source, 'u'))
const notNames =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|^(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|^(?:please|thanks?|today|tonight|tomorrow|book|reserve|find|add|the|a|an|no|we|it|my)\b/i
const countPatterns = [
  `\\b(?:table|booking|reservation|dinner|lunch|brunch|breakfast|seats?|room|places?|party|group|tickets?)\\s+(?:for|of)\\s+(${numberPattern})\\b`,
  `\\bwe are\\s+(${numberPattern})\\b`,
  `\\b(?!one of)(${numberPattern})\\s+(?:people|persons?|guests?|adults?|diners?|covers|pax|of us|seats|places)\\b`,
  `\\bfor\\s+(${numberPattern})\\b(?!\\s*(?:days?|weeks?|hours?|nights?|minutes?|o['’]clock|[ap]\\.?m\\b|euros?|dollars?|pounds?)|[:.,/]\\d)`,
].map((source) => new RegExp(source, 'i'))
const emailPattern = /[\w.!#$%&'*+/=?^`{|}~-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/u
const urlPattern = /\bhttps?:\/\/[^\s,;]+[^\s,;.!?)]/i
const phonePattern = /(?<![\w.])(?:\+|00)?\(?\d[\d\s()/.-]{5,}\d/

/** Words that ask for a booking and are no wish of their own. */
const asking = new RegExp(
  `\\b(?:${[
    'a|an|the|my|our|your|table|tables|booking|reservation|book|reserve|fill|form|order|make|need|want|would',
    'like|i|we|please|in|out|at|on|for|with|is|are|of|to|it|me|us|by|can|could|you|and|want|number|phone|call',
    "e-?mail|mail|name|under|tel|mobile|date|time|people|guests?|persons?|am|i['’]m|that|this|there|will|be",
    'hello|hi|thanks|thank',
  ].join('|')})\\b`,
  'gi',
)
const wishes = /\b((?:(?:but|and|plus)\s+)?(?:with|without|no|not)\s+(?:(?!\b(?:for|on|at)\b)[\p{L}-]+\s*)+)$/iu

/** What makes a segment a wish, not a remark. */
const wishing =
  /^(?:please\s+)?(?:no(?! (?:wait|problem|thanks?|idea|more|longer|worries))|not|without|with|near|by|next to|close to|quiet|window|prefer\w*|extra|some)\b|\b(?:allerg\w*|intoleran\w*|avoid|prefer\w*|wish\w*|window|quiet|surprise)\b/i

/** Details and notes of a sentence; days are resolved against today. */
export function findDetails(text: string, today: Day | undefined): Details {
  const found: Detail[] = []
  let rest = text
  const take = (kind: DetailKind, hit: Found<string> | undefined): void => {
    if (hit === undefined) return
    found.push({ kind, value: hit.value, said: rest.slice(hit.start, hit.end).trim() })
    // One placeholder character a taken one keeps positions and marks the segment as answered.
    rest = rest.slice(0, hit.start) + '\u0000'.repeat(hit.end - hit.start) + rest.slice(hit.end)
  }
  const explicit =
    /\b(?:notes?|comments?|remarks?|message|special requests?)\s*:\s*(.+?)\s*(?=,\s*[\p{L} ]{2,30}:\s|$)/isu.exec(rest)
  if (explicit) rest = rest.replace(explicit[0], '')
  take('email', matchOf(emailPattern, rest))
  take('url', matchOf(urlPattern, rest))
  take('date', findDay(rest, today))
  take('time', findTime(rest))
  take('phone', phoneIn(rest))
  take('count', countPatterns.map((pattern) => countIn(pattern, rest)).find(Boolean))
  take('name', namePatterns.map((pattern) => nameIn(pattern, rest)).find(Boolean))
  const notes = rest.split(/[,;\n]|\.\s|\.$|!/).flatMap(noteOf)
  if (explicit?.[1]) notes.push(explicit[1].trim())
  return { found, notes }
}

/** A segment that no detail was taken from is a note as a whole, any other only by its wish at the end. */
function noteOf(segment: string): string[] {
  const isTaken = segment.includes('\u0000')
  const left = segment.split('\u0000').at(-1) ?? ''
  const note = isTaken ? (wishes.exec(left)?.[1] ?? '') : left.replace(/^\s*(?:and|but|plus|also)\s+/i, '')
  if (!isTaken && !wishing.test(note.trim())) return []
  if (
    note
      .replace(asking, '')
      .replace(/\b(no|with|without|but|not)\b/gi, '')
      .trim().length < 3
  )
    return []
  return [
    note
      .replace(/^\s*(?:and|but|plus|please|also|with(?=\s+no\b))\s+/i, '')
      .replace(/\s*\bplease$/i, '')
      .trim(),
  ]
}

function matchOf(pattern: RegExp, text: string): Found<string> | undefined {
  const match = pattern.exec(text)
  return match === null ? undefined : { value: match[0], start: match.index, end: match.index + match[0].length }
}

function phoneIn(text: string): Found<string> | undefined {
  const match = matchOf(phonePattern, text)
  return match !== undefined && match.value.replace(/\D/g, '').length >= 7 ? match : undefined
}

function countIn(pattern: RegExp, text: string): Found<string> | undefined {
  const match = pattern.exec(text)
  const value = parseNumber(match?.[1] ?? '')
  if (match === null || value === undefined || value < 0) return undefined
  return { value: String(value), start: match.index, end: match.index + match[0].length }
}

function nameIn(pattern: RegExp, text: string): Found<string> | undefined {
  const match = pattern.exec(text)
  const name = match?.[1]?.trim()
  if (match === null || name === undefined || notNames.test(name)) return undefined
  const start = match.index + match[0].indexOf(name)
  return { value: name, start: match.index, end: start + name.length }
}
