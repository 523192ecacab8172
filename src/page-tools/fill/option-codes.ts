// Finds the options that mean the same month or US state as a text in another form: a name, a short name, a number or a
// code. Only for lists that clearly are such lists.
import type { Option } from '../read/field.js'
import { toComparable } from '../dom/text.js'
import { namedMonth } from './dates.js'
import { digitsOf } from './typed-text.js'

/** The month of a text that has nothing else, 1 to 12: `12`, `Dec`, `12 - December`. */
export function monthIn(text: string, languages: readonly string[]): number | undefined {
  const number = /^(?:0?[1-9]|1[0-2])(?=[月월]?$)/.exec(digitsOf(text).trim())?.[0]
  if (number) return Number(number)
  const named = namedMonth(digitsOf(text), languages)
  const rest = named?.rest.replace(/[\s().,:/–-]+/g, '') ?? ''
  return named && (rest === '' || Number(rest) === named.month) ? named.month : undefined
}

const states = new Map(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
    'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
    'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
    'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,' +
    'RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,' +
    'WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'
  )
    .split(',')
    .flatMap((state) => {
      const code = state.slice(0, 2)
      return [code, state.slice(3)].map((name) => [toComparable(name), code] as const)
    }),
)
const stateIn = (text: string): string | undefined => states.get(toComparable(text))

/**
 * The options with the same meaning as the text, also disabled ones. A list counts as months or states if all options
 * but a placeholder are. Long lists of states may have territories, too. Numbers are months only if they are 1 to 12.
 */
export function optionsMeaning(text: string, options: readonly Option[], languages: readonly string[]): Option[] {
  const found: Option[] = []
  const compare = (meaningOf: (text: string) => number | string | undefined, least: number): void => {
    const meant = meaningOf(text)
    const meanings = options.map(({ label }) => meaningOf(label))
    const known = meanings.filter((meaning) => meaning !== undefined)
    if (meant !== undefined && known.length >= Math.max(least, options.length - (options.length > 40 ? 12 : 1)))
      found.push(...options.filter((_, at) => meanings[at] === meant))
  }
  const isNumbers = !options.some(({ label }) => /\p{L}{3}/u.test(label) && monthIn(label, languages) !== undefined)
  compare((one) => monthIn(one, languages), isNumbers ? 12 : 2)
  compare(stateIn, 3)
  return found
}
