// Numbers that a control says as a word: "eight stars", "first". In the languages of the SDK, as far as ratings and
// days of a month need them. Callers must compare with the value: some of these words also mean something else.
import { toComparable } from '../dom/text.js'

/** Words by their number, from 0. */
const lists = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty',
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
    'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  'صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة',
]
const numbers = new Map<string, number>([
  ...lists.flatMap((list) => list.split(' ').map((word, at) => [toComparable(word), at] as const)),
  ...['ein', 'eine', 'une', 'una'].map((word) => [word, 1] as const),
  ['thirty', 30],
  ['thirtieth', 30],
])
const numerals = '零一二三四五六七八九十'

/** The first number that a text says in words; undefined if it says none. */
export function numberWordIn(text: string): number | undefined {
  const words = toComparable(text).split(' ')
  const at = words.findIndex((word) => numbers.has(word))
  const number = numbers.get(words[at] ?? '')
  if (number === undefined) {
    const numeral = numerals.indexOf(words[0]?.[0] ?? ' ')
    return numeral < 0 ? undefined : numeral
  }
  const next = numbers.get(words[at + 1] ?? '') ?? 0
  return number >= 20 && next > 0 && next < 10 ? number + next : number
}
