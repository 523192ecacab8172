// Decides which addresses in a model's text may become links: http, https and mailto, parsed by the browser. An address
// with a user name may not, because it imitates another host.
import { unclobbered } from '../../core/data/dom-clobbering.js'

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
