// What the SDK tells the model about the page: address, title, language, time zone, forms. In Node, where there is no
// page, the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { internals } from '../../core/data/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { AnyTool, PageReading } from '../tools/tool.js'
import { pageAddress } from './page-info.js'

/** The part of `Temporal` that is used, because TypeScript's library for browsers does not have it yet. */
interface TemporalNow {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/** The first format of a page takes 15 ms in Chromium, so it is created only in browsers without Temporal. */
const localTimeZone = (): string =>
  (globalThis as TemporalNow).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long a message waits until code of the page tools is loaded, in milliseconds. */
const patience = 300

/**
 * Resolves with the function that reads the page: that of the first tool that has one, undefined if none has. If it
 * cannot be loaded within 300 ms, no text of the page is told.
 */
export async function pageReader(tools: readonly (AnyTool | undefined)[]): Promise<(() => PageReading) | undefined> {
  const load = tools.map((tool) => tool?.[internals]?.readsPage).find((one) => one !== undefined)
  return load && ((await loadedSoon(load())) ?? (() => ({ redact: () => '' })))
}

async function loadedSoon<T>(code: Promise<T> | undefined): Promise<T | undefined> {
  const loading = code?.catch(() => undefined)
  if (loading === undefined) return undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

/**
 * What is sent with each turn, so that the model knows where the user is. `read`: see `pageReader`. `context`: what the
 * page says itself.
 */
export function readPageFacts(read?: () => PageReading, context?: string): PageFacts {
  const { url, locale } = pageAddress()
  const hasPage = typeof document === 'object'
  const reading = read?.()
  const redact = reading ? reading.redact : String
  return {
    url: redactPath(url, redact),
    title: hasPage ? redact(unclobbered(document).title) : '',
    lang: locale,
    timeZone: localTimeZone(),
    utcOffset: 0 - new Date().getTimezoneOffset(),
    forms: reading?.forms?.(),
    context,
  }
}

/** The address with a redacted path. The model never gets the rest of it. */
function redactPath(address: string, redact: (text: string) => string): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  const path = redact(url.pathname)
  return path === url.pathname ? address : url.origin + path
}
