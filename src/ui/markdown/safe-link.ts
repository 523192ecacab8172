// Which addresses of a model's text may become links: http, https and mailto, as the browser itself reads them, and
// never one with a user name, which exists to look like another host.
import { unclobbered } from '../../core/data/unclobbered.js'

// Names of characters in a row, from a code point on: Latin-1 and the Greek letters.
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute ' +
  'Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute ' +
  'THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ' +
  'ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'
const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'
const row = (names: string, from: number): [string, string][] =>
  names.split(' ').map((name, place) => [name, String.fromCodePoint(from + place)])

/** The references that texts use, of the 2,231 that HTML names; a page has no table of them that is safe to ask. */
const entities = new Map([
  ...row(latin, 0xa0),
  ...row(greek, 0x3b1),
  ...row(
    greek.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    0x391,
  ),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    trade: '™',
    bull: '•',
    hellip: '…',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    sbquo: '‚',
    ldquo: '“',
    rdquo: '”',
    bdquo: '„',
    lsaquo: '‹',
    rsaquo: '›',
    euro: '€',
    permil: '‰',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
    minus: '−',
    radic: '√',
    asymp: '≈',
    sum: '∑',
    larr: '←',
    uarr: '↑',
    rarr: '→',
    darr: '↓',
    harr: '↔',
    rArr: '⇒',
    le: '≤',
    ge: '≥',
    ne: '≠',
    infin: '∞',
    check: '✓',
    ensp: '\u2002',
    emsp: '\u2003',
    thinsp: '\u2009',
    zwnj: '\u200c',
    zwj: '\u200d',
    colon: ':',
    sol: '/',
    lpar: '(',
    rpar: ')',
    Tab: '\t',
    NewLine: '\n',
  }),
])

/** Character references decoded once: the numeric ones and the named ones that texts use; others stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g,
    (whole, decimal, hex, name) => {
      if (typeof name === 'string') return entities.get(name) ?? whole
      const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
      const usable = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      return usable ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}

export interface SafeLink {
  readonly href: string
  /** The link leads to another site. */
  readonly isElsewhere: boolean
  /** Shown behind the text, which does not say or hides where the link leads: a host, or the address of a mailbox. */
  readonly target?: string
}

/** The address as it may be linked under this text, or undefined. A relative one belongs to the page. */
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

/** True for a text that is an address of this host, and nothing else. */
function namesHost(text: string, host: string): boolean {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
  return bare.startsWith(host) && /^([/?#]\S*)?$/.test(bare.slice(host.length))
}
