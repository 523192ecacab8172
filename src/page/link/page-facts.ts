// What the SDK tells the model about the page: address, title, language, time zone, forms. In Node, where there is no
// page, the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { pageForms } from '../../core/prompt/page-forms.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import { pageAddress } from './page-info.js'

/** What is sent with each turn, so that the model knows where the user is. `canFill`: names the forms of the page. */
export function readPageFacts(canFill: boolean): PageFacts {
  const { url, locale } = pageAddress()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return {
    url,
    title: typeof document === 'object' ? unclobbered(document).title : '',
    lang: locale,
    timeZone,
    forms: canFill ? pageForms.describe?.() : undefined,
  }
}
