// The addresses of links in Markdown: in parentheses after the text, and in definitions that texts refer to. And which
// of them may become links: http, https and mailto, parsed by the browser. An address with a user name may not, because
// it imitates another host.
import { decodeText } from './entities.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The addresses of definitions by their label, as `labelKey` returns it. */
export type Links = Map<string, string>

const space = /[ \t\n]*/y
const title = /"(?:\\[^]|[^\\"])*"|'(?:\\[^]|[^\\'])*'|\((?:\\[^]|[^\\()])*\)/y
const definition = /\[((?:\\[^]|[^\\[\]])+)\]:[ \t\n]*/y
const lineEnd = /[ \t]*(?:\n|$)/y

/** Matches a sticky pattern at an index. */
export function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

/** The index after what a sticky pattern matches at an index; undefined if it does not match. */
const endOf = (pattern: RegExp, source: string, at: number): number | undefined =>
  matchAt(pattern, source, at) === null ? undefined : pattern.lastIndex

const skipSpace = (source: string, at: number): number => endOf(space, source, at) ?? at

/** Labels are equal if only their case and white space differ. Empty if it cannot be a label. */
export function labelKey(label: string): string {
  return label.length > 999 ? '' : label.trim().replaceAll(/\s+/g, ' ').toLowerCase().toUpperCase()
}

/** An address and the index after it. */
export interface LinkTarget {
  readonly href: string
  readonly end: number
}

/** The address at an index, with or without `<>`. */
function readAddress(source: string, at: number): LinkTarget | undefined {
  if (source.charAt(at) === '<') {
    const found = matchAt(/<((?:\\.|[^\\<>\n])*)>/y, source, at)
    return found === null ? undefined : { href: decodeText(found[1] ?? ''), end: at + found[0].length }
  }
  let depth = 0
  let end = at
  for (; end < source.length; end++) {
    const sign = source.charAt(end)
    if (sign <= ' ' || (sign === ')' && depth === 0)) break
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === '\\' && source.charAt(end + 1) > ' ') end++
  }
  return depth === 0 ? { href: decodeText(source.slice(at, end)), end } : undefined
}

/** The index after a title and the space before it; undefined if there is none. */
function skipTitle(source: string, at: number): number | undefined {
  const start = skipSpace(source, at)
  return start === at ? undefined : endOf(title, source, start)
}

/** The address in parentheses at an index. */
export function readTarget(source: string, at: number): LinkTarget | undefined {
  const address = source.charAt(at) === '(' ? readAddress(source, skipSpace(source, at + 1)) : undefined
  if (address === undefined) return undefined
  const end = skipSpace(source, skipTitle(source, address.end) ?? address.end)
  return source.charAt(end) === ')' ? { href: address.href, end: end + 1 } : undefined
}

/** Adds the definitions that a paragraph starts with to `links`, and returns the rest of the paragraph. */
export function withoutDefinitions(text: string, links: Links): string {
  let rest = 0
  for (;;) {
    const found = matchAt(definition, text, rest)
    const key = labelKey(found?.[1] ?? '')
    const start = definition.lastIndex
    const address = key === '' ? undefined : readAddress(text, start)
    if (address === undefined || address.end === start) return text.slice(rest)
    const titleEnd = skipTitle(text, address.end)
    const end = (titleEnd && endOf(lineEnd, text, titleEnd)) ?? endOf(lineEnd, text, address.end)
    if (end === undefined) return text.slice(rest)
    if (!links.has(key)) links.set(key, address.href)
    rest = end
  }
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
export function safeLink(address: string, text: string): SafeLink | undefined {
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
