// What the SDK tells the model about the page: address, title, language, time zone. In Node, where there is no page,
// the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import { pageAddress } from './page-info.js'

/** What is sent with each turn, so that the model knows where the user is. */
export function readPageFacts(): PageFacts {
  const { url, locale } = pageAddress()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { url, title: typeof document === 'object' ? unclobbered(document).title : '', lang: locale, timeZone }
}
