// Spelling: a word that is neither common nor on the page is replaced by the one that it was probably meant to be.
import Fuse from 'fuse.js'
import { stem, wordsOf } from './words.js'

/** Words that requests consist of. A longer one may be misspelt; a shorter one must not be "corrected" to another. */
const common = (
  'about actually add after again also always another answer anything apply around arrive available back bags basket because ' +
  'been before below best between bike book booking both bring broken budget button cancel cancelled cart change cheap ' +
  'cheaper cheapest check checkout city clear click close closed code come cost costs could coupon courier customer date ' +
  'dates delete deliver delivered delivery does dollars dont down each earliest email empty enter euros evening every ' +
  'everything expensive fewer field fields fill filter filters find first form free friday from gift give going good great ' +
  'group guest guests half have hello help here highest house how instead just kind know largest last late latest least ' +
  'leave less like list long longer look lowest made mail make many mark maximum mean might minutes monday money month ' +
  'months more morning most much name need never newest next night nobody none noon note notes number oldest once only open ' +
  'order ordered orders other others packed page pages party people person phone place please point present price print quarter ' +
  'question quite rather read ready real really recommend remember remove return right room rows same saturday search second ' +
  'see send seven shall ship shipped show sister size small smallest some someone something soon sorry sort start status ' +
  'still stock street submit sunday sure table tables take taken tell than thank thanks that their them then there these ' +
  'they thing things think third this those three thursday till time times today together tomorrow tonight total touch ' +
  'tuesday twelve twenty under until update very visit wait want wants water wednesday week weeks well were what whats when ' +
  'where which while white whole whose will window wish with without wont words would write wrong year years your'
).split(' ')
const known = new Set(common.map(stem))

/** The text with misspelt words corrected; `others` are words of the page. Names and codes stay as they are. */
export function corrected(text: string, others: readonly string[] = []): string {
  // What follows a colon or is in quotes is content, not a request.
  const [request = '', content = ''] = /^([^:"“]*)([:"“][\s\S]*)?$/.exec(text)?.slice(1) ?? [text]
  return correctedWords(request, others) + content
}

function correctedWords(text: string, others: readonly string[]): string {
  const vocabulary = [...new Set([...common, ...others].filter((word) => word.length >= 5))]
  const isKnown = new Set([...known, ...others.map(stem)])
  const fuse = new Fuse(vocabulary, { threshold: 0.41, distance: 4 })
  return text.replace(/(?<![\p{L}\d@.+_:/-])\p{Ll}{4,}(?![\p{L}\d@_:/-]|\.\p{L})/gu, (word) => {
    if (isKnown.has(stem(word))) return word
    const best = fuse.search(word).find(({ item }) => item[0] === word[0] && isClose(item, word))
    return best?.item ?? word
  })
}

/** One letter is missing, too much, wrong (in long words) or swapped with another. */
function isClose(meant: string, word: string): boolean {
  const [short, long] = meant.length < word.length ? [meant, word] : [word, meant]
  if (long.length - short.length === 1)
    return [...long].some((_, at) => long.slice(0, at) + long.slice(at + 1) === short)
  if (long.length !== short.length || word.length < 5) return false
  const letters = (one: string): string => [...one].sort().join('')
  return letters(meant) === letters(word) || [...meant].filter((letter, at) => letter !== word[at]).length === 1
}

/** The words of a text that may be meant by a misspelt one. */
export function vocabularyOf(text: string): string[] {
  return wordsOf(text).filter((word) => /^\p{L}{4,}$/u.test(word))
}
