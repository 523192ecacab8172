// What the page says about itself: where it is and what it speaks. In Node there is no page, and nothing fails.
import type { PageFacts } from '../../core/data/session.js'
import { unclobbered } from '../../core/data/unclobbered.js'

export function pageAddress(): { url: string; locale: string } {
  if (typeof document !== 'object') return { url: '', locale: 'en' }
  return { url: location.href, locale: unclobbered(document).documentElement.lang || navigator.language }
}

export function readPageFacts(): PageFacts {
  const { url, locale } = pageAddress()
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return { url, title: typeof document === 'object' ? unclobbered(document).title : '', lang: locale, timeZone }
}
