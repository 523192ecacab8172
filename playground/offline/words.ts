// Words of texts, tool names and labels, compared as a person would: without case, endings and filler words, and with
// the verbs that everybody uses for one another.

const fillers = new Set(
  (
    'a an the to of for me my mine our your in on at by with from into onto and or then also please some any this that these ' +
    'those it its is are am be was do does did can could would will you i we us want need like just now what which how ' +
    'much many there have has had let lets than as so about'
  ).split(' '),
)

/** Verbs that mean much the same to a tool; a word may stand in several groups. */
const groups = [
  ['find', 'search', 'look', 'lookup', 'browse', 'query', 'list', 'show'],
  ['get', 'read', 'show', 'see', 'look', 'view', 'list', 'open', 'tell', 'display', 'fetch'],
  ['read', 'summarise', 'summarize', 'describe', 'explain'],
  ['add', 'put', 'place', 'insert', 'append', 'buy', 'take', 'purchase', 'want', 'get'],
  ['apply', 'use', 'redeem', 'enter'],
  ['check', 'verify', 'test', 'validate'],
  ['estimate', 'calculate', 'compute', 'long', 'when', 'quote'],
  ['remove', 'delete', 'drop', 'clear', 'discard', 'empty'],
  ['set', 'change', 'update', 'edit', 'modify', 'adjust', 'switch'],
  ['remember', 'save', 'store', 'note', 'keep', 'prefer'],
  ['send', 'submit', 'post'],
  ['create', 'make', 'new', 'start'],
  ['book', 'reserve'],
  ['cancel', 'stop', 'undo', 'revert'],
  ['go', 'navigate', 'visit', 'open'],
  ['click', 'press', 'push', 'tap'],
  ['order', 'checkout'],
  ['deliver', 'ship', 'delivery', 'shipping', 'arrive'],
]
/** Things and states that people name by one another. */
const nounGroups = [
  ['cart', 'basket', 'bag', 'trolley'],
  ['coupon', 'code', 'voucher', 'discount'],
  ['table', 'room', 'place', 'seat'],
  ['open', 'closed', 'close', 'opening'],
  ['stock', 'available', 'availability'],
  ['bike', 'bicycle'],
  ['mail', 'post', 'email'],
]
const verbs = new Set(groups.flat().map((word) => stem(word)))
const related = new Map<string, Set<string>>()
for (const group of [...groups, ...nounGroups]) {
  for (const word of group) {
    const others = related.get(stem(word)) ?? new Set()
    for (const other of group) others.add(stem(other))
    related.set(stem(word), others)
  }
}
/** What a question may be asking a tool to do. */
const asked = new Set(
  ['read', 'get', 'check', 'find', 'list', 'show', 'estimate', 'view', 'search', 'lookup', 'fetch'].map(stem),
)

/** Lower-case words of a text or identifier: `addToCart`, `add_to_cart` and `Add to cart` have the same. */
export function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([\p{Ll}\d])([\p{Lu}])/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\d]+/gu) ?? []
  )
}

/** The words that carry meaning, reduced to their stems. */
export function stemsOf(text: string): string[] {
  return wordsOf(text)
    .filter((word) => !fillers.has(word))
    .map(stem)
}

export function stem(word: string): string {
  if (word.length > 5 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (word.length > 5 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 4 && /(ss|sh|ch|x)es$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1)
  return word
}

/** True for equal stems, and for long ones of which one begins with the other, such as `deliver` and `delivery`. */
export function isSame(a: string, b: string): boolean {
  if (a === b) return true
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 5 && long.startsWith(short)
}

/** True where the first verb may stand for the second. */
export function isRelated(a: string, b: string): boolean {
  return isSame(a, b) || related.get(a)?.has(b) === true
}

/** A word and the nouns that mean the same. */
export function synonymsOf(word: string): string[] {
  return [word, ...nounGroups.filter((group) => group.includes(word)).flat()]
}

/** True for a verb that tools are named by. */
export function isVerb(word: string): boolean {
  return verbs.has(word)
}

export function isQuestion(text: string): boolean {
  return /^\W*(?:(?:hi|hello|hey|please|and|so|ok|also|well)\b\W*)*(?:what|whats|which|how|who|whose|where|when|why|is|are|do|does|did|has|have|any|anything)\b/i.test(
    text,
  )
}

/** True where a tool whose name holds this word may answer a question. */
export function answersQuestion(word: string): boolean {
  return asked.has(word)
}

/** True where all meaningful words of `label` occur in `text`, next to anything. */
export function mentions(text: string, label: string): boolean {
  const said = stemsOf(text)
  const wanted = stemsOf(label)
  return wanted.length > 0 && wanted.every((word) => said.some((other) => isSame(word, other)))
}

export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
