// Which addresses of a model's text may become links: http, https and mailto, as the browser itself reads them, and
// never one with a user name, which exists to look like another host.
import { pristine } from '../core/pristine.js'

const entities = new Map(Object.entries({
  amp: '&', lt: '<', gt: '>', quot: '"', apos: '\'', nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', deg: '°', middot: '·',
  bull: '•', hellip: '…', ndash: '–', mdash: '—', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»',
  times: '×', divide: '÷', plusmn: '±', frac12: '½', euro: '€', pound: '£', yen: '¥', cent: '¢', sect: '§', para: '¶',
  larr: '←', uarr: '↑', rarr: '→', darr: '↓', harr: '↔', le: '≤', ge: '≥', ne: '≠', infin: '∞', check: '✓',
  colon: ':', sol: '/', lpar: '(', rpar: ')', Tab: '\t', NewLine: '\n',
}))

/** Character references decoded once: the numeric ones and the named ones that texts use; others stay as written. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities.get(name) ?? whole
    const code = typeof decimal === 'string' ? Number.parseInt(decimal, 10) : Number.parseInt(String(hex), 16)
    const usable = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return usable ? String.fromCodePoint(code) : '\ufffd'
  })
}

export interface SafeLink {
  readonly href: string
  /** Shown behind the text where the link leads elsewhere; undefined for this site and for mail. */
  readonly host?: string
}

/** The address as it may be linked, or undefined. A relative one belongs to the page. */
export function safeLink(written: string): SafeLink | undefined {
  const text = decodeEntities(written)
  if (!URL.canParse(text, pristine(document).baseURI)) return undefined
  const url = new URL(text, pristine(document).baseURI)
  if (url.protocol === 'mailto:') return { href: url.href }
  if ((url.protocol !== 'http:' && url.protocol !== 'https:') || url.username !== '' || url.password !== '') return undefined
  return url.host === location.host ? { href: url.href } : { href: url.href, host: url.host }
}
