// What the words of a control say that it does. They only make an effect more serious: a name with such a word never
// opens a menu without a question. The words are data in `vocabulary.ts`.
import { iconWords, pagerWords, signs, symbols, vocabularies, type Vocabulary } from './vocabulary.js'

/** A command that begins with the word under which `Lexicon` keeps it. */
interface Command {
  /** The words after the first; `*` is any word. */
  readonly rest: readonly string[]
  readonly isStem: boolean
  /** Counts whatever is named with it. */
  readonly isAlways: boolean
  /** Counts only where a command begins. */
  readonly isFirst: boolean
  /** Counts only as the whole label. */
  readonly isWhole: boolean
}

/** Words before a command that do not belong to it: "Yes, delete", "Agree and sign", "Permanently erase". */
const beforeCommand = new Set(
  (
    'and yes ok okay please now just really permanently immediately then or confirm also bulk ' +
    'und ja y sí et oui e og'
  ).split(' '),
)
/** Verbs with which "to" leads to a command: "Click to pay", "Do you want to delete". Else it says what for. */
const beforeTo = new Set('want wish like agree sure going click tap press hold swipe slide drag hit use'.split(' '))
const isBefore = (words: readonly string[], at: number): boolean =>
  beforeCommand.has(words[at - 1]!) || (words[at - 1] === 'to' && (at === 1 || beforeTo.has(words[at - 2]!)))
/** Before the word for off, the name is that of a switch: "Enable/disable grid". */
const isSwitch = /^(?:activ|attiva|aktivier|enable|увімк|включ|włącz|zapn|aktiver)/u
/** A title that asks or explains is no command: "How to delete a page". */
const explains = /^(?:how|why|what|when|where|who|which|about|wie|warum|comment|pourquoi|cómo|por qué)(?!\p{L})/iu

/** In lower case, without what writers leave out: the dot of a Turkish i, and the hamza and vowels of Arabic. */
const lower = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\u0307\u0640\u064b-\u0652]/g, '')
    .replace(/[أإآ]/g, 'ا')
/** The words of a text, in lower case. */
const wordsOf = (text: string): string[] => lower(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Looks commands up by their first word, so that a text costs as many look-ups as it has words. */
class Lexicon {
  readonly #byWord = new Map<string, Command[]>()

  constructor(entries: string) {
    for (const entry of entries.match(/\S+/g) ?? []) this.#add(entry)
  }

  #add(entry: string): void {
    const isAlways = entry.startsWith('!')
    const isFirst = /^!?\^/.test(entry)
    const isWhole = entry.startsWith('=')
    const [first = '', ...rest] = lower(entry.replace(/^!?[\^=]?/, '')).split(/[_'’-]/)
    const isStem = first.length > 1 && first.endsWith('*')
    const key = isStem ? first.slice(0, -1) : first
    const commands = this.#byWord.get(key) ?? []
    commands.push({ rest, isStem, isAlways, isFirst, isWhole })
    this.#byWord.set(key, commands)
  }

  /** Whether one of the entries is in the words. */
  isIn(words: readonly string[], isAlways = false): boolean {
    return words.some((_, at) => this.at(words, at, isAlways))
  }

  /** Whether one of the entries begins at this word. */
  at(words: readonly string[], at: number, isAlways = false): boolean {
    const word = words[at] ?? ''
    const fits = (command: Command): boolean => {
      if (isAlways && !command.isAlways) return false
      if (command.isWhole && (at > 0 || words.length > 1 + command.rest.length)) return false
      if (isSwitch.test(words[at - 1] ?? '')) return false
      if (command.isFirst && at > 0 && !isBefore(words, at)) return false
      return command.rest.every((one, index) => isWord(words[at + 1 + index], one))
    }
    if ([...(this.#byWord.get(word) ?? []), ...(this.#byWord.get('*') ?? [])].some(fits)) return true
    for (let length = word.length; length >= 3; length--)
      if (this.#byWord.get(word.slice(0, length))?.some((command) => command.isStem && fits(command))) return true
    return false
  }
}

const isWord = (word: string | undefined, pattern: string): boolean => {
  if (word === undefined) return false
  if (pattern.startsWith('('))
    return pattern
      .slice(1, -1)
      .split('|')
      .some((one) => isWord(word, one))
  return pattern.endsWith('*') ? word.startsWith(pattern.slice(0, -1)) : word === pattern
}

type LexiconField = Exclude<keyof Vocabulary, NameField | 'page' | 'of'>
const lexicon = (field: LexiconField): Lexicon =>
  new Lexicon(vocabularies.flatMap((words) => words[field] ?? []).join(' '))
let built: Record<LexiconField, Lexicon> | undefined
/** Built when the first name is read. */
const lexicons = (): Record<LexiconField, Lexicon> =>
  (built ??= {
    destroy: lexicon('destroy'),
    send: lexicon('send'),
    carry: lexicon('carry'),
    deeds: lexicon('deeds'),
    shown: lexicon('shown'),
    states: lexicon('states'),
    bin: lexicon('bin'),
    nouns: lexicon('nouns'),
    things: lexicon('things'),
    final: lexicon('final'),
  })

const anyOf = (parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'iu')
const unspaced = {
  destroy: anyOf(signs.destroy),
  send: anyOf(signs.send),
  shown: anyOf(signs.shown),
  states: anyOf(signs.states),
  final: anyOf(signs.final),
}

/** Whether a verb and the noun of a deed stand together: "Make payment", "Löschung bestätigen". */
function carriesDeed(words: readonly string[]): boolean {
  const { carry, deeds } = lexicons()
  const verb = words.findIndex((_, at) => carry.at(words, at))
  return verb >= 0 && words.some((_, at) => at !== verb && Math.abs(at - verb) <= 4 && deeds.at(words, at))
}

/** Whether a name begins with a noun that is also a verb, and is that of a thing: "Purchase history". */
function namesThing(words: readonly string[]): boolean {
  const { nouns, things } = lexicons()
  return words.length > 1 && nouns.at(words, 0) && things.at(words, words.length - 1)
}

/** The effect that the words of a name announce; undefined if they announce none. */
export function effectOfWords(name: string): 'send' | 'destroy' | undefined {
  const text = lower(name).trim()
  if (text === '' || explains.test(text)) return undefined
  const words = wordsOf(text)
  const { destroy, shown, states } = lexicons()
  const isState = unspaced.states.test(text) || states.isIn(words) || namesThing(words)
  if (destroy.isIn(words, true) && !isState) return 'destroy'
  if (shown.isIn(words) || unspaced.shown.test(text)) return sends(words, text, isState)
  if (!isState && (destroy.isIn(words) || carriesDeed(words) || unspaced.destroy.test(text))) return 'destroy'
  return sends(words, text, isState)
}

const sends = (words: readonly string[], text: string, isState: boolean): 'send' | undefined =>
  !isState && (lexicons().send.isIn(words) || unspaced.send.test(text)) ? 'send' : undefined

/** The effect of a name in code: of an operation such as `deleteIssue`, or a part of an address such as `log-out`. */
export const effectOfCodeName = (name: string): 'send' | 'destroy' | undefined => effectOfWords(inWords(name).join(' '))

const inWords = (name: string): string[] =>
  wordsOf(name.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/[-_./:]+/g, ' '))

let icons: Readonly<Record<keyof typeof iconWords, Lexicon>> | undefined
const iconLexicons = (): NonNullable<typeof icons> =>
  (icons ??= {
    bin: new Lexicon(iconWords.bin),
    destroy: new Lexicon(iconWords.destroy),
    send: new Lexicon(iconWords.send),
    other: new Lexicon(iconWords.other),
    cross: new Lexicon(iconWords.cross),
  })

/** What the name of an icon or of a control in markup stands for, as in `mdi-trash-can` and `item-delete`. */
export function effectOfIconName(name: string): 'bin' | 'destroy' | 'send' | undefined {
  const words = inWords(name)
  const { bin, destroy, send, other } = iconLexicons()
  if (other.isIn(words)) return undefined
  if (bin.isIn(words)) return 'bin'
  if (destroy.isIn(words)) return 'destroy'
  return send.isIn(words) ? 'send' : undefined
}

const bare = (name: string): string => name.replaceAll(/[\s\uFE0F]/g, '').toLowerCase()

/** What a name that is a symbol, or begins with a bin, stands for. */
export function effectOfSymbol(name: string): 'bin' | 'destroy' | 'send' | undefined {
  const [sign = '', ...rest] = bare(name)
  if (symbols.bin.includes(sign)) return sign === '' ? undefined : 'bin'
  if (rest.length > 0 || sign === '') return undefined
  if (symbols.destroy.includes(sign)) return 'destroy'
  return symbols.send.includes(sign) ? 'send' : undefined
}

/** Whether a name is a cross, as a sign or as that of an icon. What it does depends on where it stands. */
export function isCross(name: string): boolean {
  const [sign = '', ...rest] = bare(name)
  if (sign !== '' && rest.length === 0 && symbols.cross.includes(sign)) return true
  const words = inWords(name)
  return words.length <= 2 && words.length > 0 && iconLexicons().cross.at(words, 0)
}

/** Whether a text says that something cannot be taken back. */
export const saysFinal = (text: string): boolean => {
  const words = wordsOf(text)
  return lexicons().final.isIn(words) || unspaced.final.test(lower(text))
}

type NameField = 'close' | 'agree' | 'next' | 'previous' | 'edge' | 'more' | 'less'
const names = new Map<NameField, (name: string) => boolean>()

/** Whether a name as a whole is one of the entries of a field. `ab_*` is also a longer name that begins so. */
function isNamed(field: NameField, name: string): boolean {
  let isOne = names.get(field)
  if (isOne === undefined) {
    const entries = lower(vocabularies.map((words) => words[field] ?? '').join(' ')).match(/\S+/g) ?? []
    const whole = new Set(entries)
    const begins = entries.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1))
    isOne = (said) => whole.has(said) || begins.some((one) => said.startsWith(one))
    names.set(field, isOne)
  }
  return isOne(wordsOf(name).join('_'))
}

/** Whether a name is made of these signs alone. */
const isSign = (signs: string, name: string): boolean => {
  const said = [...bare(name)]
  return said.length > 0 && said.every((sign) => signs.includes(sign))
}

/** Whether a name in a dialog only closes it. */
export const closesDialog = (name: string): boolean => isNamed('close', name)
/** Whether a name in a dialog agrees to what the dialog says. */
export const agrees = (name: string): boolean => isNamed('agree', name)

/** Whether a name leads to the next page, or to the page before. They count only with what is around the button. */
export const turnsForward = (name: string): boolean => isNamed('next', name) || isSign(symbols.next, name)
export const turnsBackward = (name: string): boolean => isNamed('previous', name) || isSign(symbols.previous, name)
/** Whether a name makes the number beside it greater, or smaller. */
export const stepsUp = (name: string): boolean => isNamed('more', name) || isSign(symbols.more, name)
export const stepsDown = (name: string): boolean => isNamed('less', name) || isSign(symbols.less, name)

const listed = (field: 'page' | 'of'): string =>
  vocabularies.flatMap((words) => words[field]?.split(' ') ?? []).join('|')
let pages: { readonly number: RegExp; readonly turn: RegExp } | undefined
const pagePatterns = (): NonNullable<typeof pages> =>
  (pages ??= {
    number: new RegExp(
      `(?:${listed('page')})\\s*\\d+|\\d+\\s*(?:${listed('of')}|/)\\s*\\d+|第?\\s*\\d+\\s*(?:ページ|页|頁)`,
      'iu',
    ),
    turn: new RegExp(`^(?:go to )?(?:${listed('page')})?\\s*\\d{1,4}$`, 'iu'),
  })

/** Whether a name or a class says that something is a pager. */
export const saysPager = (text: string): boolean => pagerWords.test(text)
/** Whether a text has the number of a page: "Page 2", "1–10 of 50". */
export const saysPage = (text: string): boolean => pagePatterns().number.test(text)
/** Whether a name leads to a page of a list. */
export const turnsPage = (name: string): boolean =>
  turnsForward(name) || turnsBackward(name) || isNamed('edge', name) || pagePatterns().turn.test(name.trim())

/** Whether things that are dropped here are thrown away, by its names or by its id and classes. */
export const namesBin = (said: string, classes: string): boolean =>
  lexicons().bin.isIn(wordsOf(said)) || iconLexicons().bin.isIn(inWords(classes))
