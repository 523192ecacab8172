// What the SDK reads from the page: address, title, language, time zone. In Node, where there is no page, the texts are
// empty.
import type { PageFacts } from '../../core/data/session.js'
import { unclobbered } from '../../core/data/unclobbered.js'

/** The address of the page, and its language as a BCP 47 tag: that of the document, else that of the browser. */
export function pageAddress(): { url: string; locale: string } {
  if (typeof document !== 'object') return { url: '', locale: 'en' }
  return { url: location.href, locale: unclobbered(document).documentElement.lang || navigator.language }
}

/** What is sent with each turn, so that the model knows where the user is. */
export function readPageFacts(): PageFacts {
  const { url, locale } = pageAddress()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { url, title: typeof document === 'object' ? unclobbered(document).title : '', lang: locale, timeZone }
}
