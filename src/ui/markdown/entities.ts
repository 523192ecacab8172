// Decodes the escapes of Markdown: backslash escapes and the character references of HTML.

// Entity names of consecutive code points: the signs of Latin-1, and the Greek letters.
const signs =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest'
const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon ' +
  'phi chi psi omega'
// Entity names, each followed by its character.
const others =
  'amp& lt< gt> quot" apos\' trade™ bull• hellip… ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” ' +
  'bdquo„ lsaquo‹ rsaquo› euro€ permil‰ OEligŒ oeligœ AEligÆ aeligæ ETHÐ ethð OslashØ oslashø THORNÞ thornþ szligß ' +
  'times× divide÷ minus− radic√ asymp≈ sum∑ larr← ' +
  'uarr↑ rarr→ darr↓ harr↔ rArr⇒ le≤ ge≥ ne≠ infin∞ check✓ ensp\u2002 emsp\u2003 thinsp\u2009 ' +
  'zwnj\u200c zwj\u200d colon: sol/ lpar( rpar) Tab\t NewLine\n'
const entityRow = (names: string, from: number): [string, string][] =>
  names.split(' ').map((name, index) => [name, String.fromCodePoint(from + index)])

/** The entities that texts use, of the 2,231 in HTML. Parsing HTML to decode the others would not be safe. */
export const entityNames: ReadonlyMap<string, string> = new Map([
  ...entityRow(signs, 0xa0),
  ...entityRow(greek, 0x3b1),
  ...entityRow(
    greek.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    0x391,
  ),
  ...others.split(' ').map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
])

/** The combining marks of letters with accents, by the end of the entity's name. */
const marks = new Map(
  'grave\u0300 acute\u0301 circ\u0302 tilde\u0303 uml\u0308 ring\u030a caron\u030c cedil\u0327'
    .split(' ')
    .map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
)

/** A letter with an accent, such as `eacute`; undefined if Unicode has no such letter. */
export function accented(name: string): string | undefined {
  const mark = marks.get(name.slice(1))
  const letter = mark && (name.charAt(0) + mark).normalize()
  return letter?.length === 1 ? letter : undefined
}

const common: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['nbsp', '\u00a0'],
])

const characterOf = (name: string): string | undefined => common.get(name) ?? entityNames.get(name) ?? accented(name)

/** Matches a character reference at `lastIndex`. */
export const reference = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y
const escapeOrReference = new RegExp(`\\\\([!-/:-@[-\`{-~])|${reference.source}`, 'g')

/** Decodes backslash escapes, numeric references and known names, once. Others stay as written. */
export function decodeText(text: string): string {
  return text.replaceAll(escapeOrReference, (whole: string, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped
    const name = whole.slice(1, -1)
    if (!name.startsWith('#')) return characterOf(name) ?? whole
    const code = Number(name.slice(1).replace(/^x/i, '0x'))
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
