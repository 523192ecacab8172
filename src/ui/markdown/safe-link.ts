// Decides which addresses in a model's text may become links: http, https and mailto, parsed by the browser. An address
// with a user name may not, because it imitates another host.
import { unclobbered } from '../../core/data/unclobbered.js'

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

/** Decodes numeric character references and the named ones above, once. Others stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return entities.get(name) ?? whole
      const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
      const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return isCharacter ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}

/** An address that may become a link. */
export interface SafeLink {
  /** The absolute address. */
  readonly href: string
  /** The link leads to another site. */
  readonly isElsewhere: boolean
  /** Where the link leads, a host or a mail address. Shown after the text if the text does not say it. */
  readonly target?: string
}

/** The link for an address and its text; undefined if it may not become one. Relative addresses are the page's. */
export function safeLink(written: string, text: string): SafeLink | undefined {
  const address = decodeEntities(written)
  if (!URL.canParse(address, unclobbered(document).baseURI)) return undefined
  const url = new URL(address, unclobbered(document).baseURI)
  const { href, host, pathname, protocol } = url
  const looksLikeAddress = /\/\/|www\.|@|\.(com|net|org)\b/i.test(text)
  if (protocol === 'mailto:')
    return { href, isElsewhere: false, ...(looksLikeAddress && text.trim() !== pathname ? { target: pathname } : {}) }
  if ((protocol !== 'http:' && protocol !== 'https:') || url.username !== '' || url.password !== '') return undefined
  const isElsewhere = host !== location.host
  return { href, isElsewhere, ...((isElsewhere || looksLikeAddress) && !namesHost(text, host) ? { target: host } : {}) }
}

/** True if the text is an address of this host and nothing else. */
function namesHost(text: string, host: string): boolean {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  return bare.startsWith(host) && /^([/?#]\S*)?$/.test(bare.slice(host.length))
}
