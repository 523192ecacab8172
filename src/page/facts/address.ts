// The address of the page. In Node, where there is no page, it is empty.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The address of the page, and its language as a BCP 47 tag: that of the document, else that of the browser. */
export function pageAddress(): { url: string; locale: string } {
  if (typeof document !== 'object') return { url: '', locale: 'en' }
  return { url: location.href, locale: unclobbered(document).documentElement.lang || navigator.language }
}
