// Decodes what stands for a character in Markdown: backslash escapes and the character references of HTML.

// Entity names of consecutive code points: Latin-1 and the Greek letters.
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute ' +
  'micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig ' +
  'Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times ' +
  'Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave ' +
  'eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon ' +
  'phi chi psi omega'
// Entity names, each followed by its character.
const others =
  'amp& lt< gt> quot" apos\' trade™ bull• hellip… ndash– mdash— lsquo‘ rsquo’ sbquo‚ ldquo“ rdquo” ' +
  'bdquo„ lsaquo‹ rsaquo› euro€ permil‰ OEligŒ oeligœ ScaronŠ scaronš minus− radic√ asymp≈ sum∑ larr← ' +
  'uarr↑ rarr→ darr↓ harr↔ rArr⇒ le≤ ge≥ ne≠ infin∞ check✓ ensp\u2002 emsp\u2003 thinsp\u2009 ' +
  'zwnj\u200c zwj\u200d colon: sol/ lpar( rpar) Tab\t NewLine\n'
const entityRow = (names: string, from: number): [string, string][] =>
  names.split(' ').map((name, index) => [name, String.fromCodePoint(from + index)])

/** The entities that texts use, of the 2,231 in HTML. Parsing HTML to decode the others would not be safe. */
const entities = new Map([
  ...entityRow(latin, 0xa0),
  ...entityRow(greek, 0x3b1),
  ...entityRow(
    greek.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    0x391,
  ),
  ...others.split(' ').map((pair): [string, string] => [pair.slice(0, -1), pair.slice(-1)]),
])

/** Matches a character reference at `lastIndex`. */
export const reference = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y
const escapeOrReference = new RegExp(`\\\\([!-/:-@[-\`{-~])|${reference.source}`, 'g')

/** Decodes backslash escapes, numeric references and the named ones above, once. Others stay as written. */
export function decodeText(text: string): string {
  return text.replaceAll(escapeOrReference, (whole: string, escaped: string | undefined) => {
    if (escaped !== undefined) return escaped
    const name = whole.slice(1, -1)
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = Number(name.slice(1).replace(/^x/i, '0x'))
    const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : '\ufffd'
  })
}
