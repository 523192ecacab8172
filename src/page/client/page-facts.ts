// What the SDK tells the model about the page: address, title, language, time zone, forms. In Node, where there is no
// page, the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { namesForms } from '../../core/data/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { AnyTool } from '../tools/tool.js'
import { pageAddress } from './page-info.js'

/** The part of `Temporal` that is used, because TypeScript's library for browsers does not have it yet. */
interface TemporalNow {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/** The first format of a page takes 15 ms in Chromium, so it is created only in browsers without Temporal. */
const localTimeZone = (): string =>
  (globalThis as TemporalNow).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long a message waits until the code that names the forms is loaded, in milliseconds. */
const formsPatience = 300

/**
 * Resolves with the function that names the forms of the page; undefined if `tool` has none, or if it cannot be loaded
 * within 300 ms.
 */
export async function formNamer(tool: AnyTool | undefined): Promise<(() => string) | undefined> {
  const loading = tool?.[namesForms]?.().catch(() => undefined)
  if (loading === undefined) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), formsPatience)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

/**
 * What is sent with each turn, so that the model knows where the user is. `nameForms`: see `formNamer`; `context`: what
 * the page says itself.
 */
export function readPageFacts(nameForms?: () => string, context?: string): PageFacts {
  const { url, locale } = pageAddress()
  return {
    url,
    title: typeof document === 'object' ? unclobbered(document).title : '',
    lang: locale,
    timeZone: localTimeZone(),
    utcOffset: 0 - new Date().getTimezoneOffset(),
    forms: nameForms?.(),
    context,
  }
}
