// What the SDK tells the model about the page: address, title, language, time zone, forms. In Node, where there is no
// page, the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { pageForms } from '../../core/prompt/page-forms.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import { pageAddress } from './page-info.js'

/** The part of `Temporal` that is used, because TypeScript's library for browsers does not have it yet. */
interface TemporalNow {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/** The first format of a page takes 15 ms in Chromium, so it is created only in browsers without Temporal. */
const localTimeZone = (): string =>
  (globalThis as TemporalNow).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long a message waits until page tools that are being loaded can name the forms, in milliseconds. */
const formsPatience = 300

/**
 * Resolves when the forms of the page can be named: immediately unless page tools are being loaded, and after 300 ms
 * even if they are not loaded by then.
 */
export async function untilFormsNamed(): Promise<void> {
  if (pageForms.describe === undefined && pageForms.loading)
    await Promise.race([pageForms.loading, new Promise((resolve) => setTimeout(resolve, formsPatience))])
}

/** What is sent with each turn, so that the model knows where the user is. `canFill`: names the forms of the page. */
export function readPageFacts(canFill: boolean): PageFacts {
  const { url, locale } = pageAddress()
  return {
    url,
    title: typeof document === 'object' ? unclobbered(document).title : '',
    lang: locale,
    timeZone: localTimeZone(),
    utcOffset: 0 - new Date().getTimezoneOffset(),
    forms: canFill ? pageForms.describe?.() : undefined,
  }
}
