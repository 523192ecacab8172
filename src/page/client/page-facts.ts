// What the SDK tells the model about the page: address, title, language, time zone, forms. In Node, where there is no
// page, the texts are empty.
import type { PageFacts } from '../../core/data/session.js'
import { namesForms, redactsPage } from '../../core/data/tool.js'
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

/** How long a message waits until code of the page tools is loaded, in milliseconds. */
const patience = 300

/**
 * Resolves with the function that names the forms of the page; undefined if `tool` has none, or if it cannot be loaded
 * within 300 ms.
 */
export function formNamer(tool: AnyTool | undefined): Promise<(() => string) | undefined> {
  return loadedSoon(tool?.[namesForms]?.())
}

/** Removes private values from a text about the page. */
type Redact = (text: string) => string

/**
 * Resolves with a function that returns the redaction of the page as it is then; undefined if no tool has one. If it
 * cannot be loaded within 300 ms, no text of the page is told.
 */
export async function pageRedactor(tool: AnyTool | undefined): Promise<(() => Redact) | undefined> {
  const load = tool?.[redactsPage]
  return load && ((await loadedSoon(load())) ?? (() => () => ''))
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

/** What the facts of a turn are made with. */
export interface PageFactsOptions {
  /** See `formNamer`. */
  readonly nameForms?: (() => string) | undefined
  /** See `pageRedactor`. */
  readonly redaction?: (() => Redact) | undefined
  /** What the page says itself. */
  readonly context?: string | undefined
}

/** What is sent with each turn, so that the model knows where the user is. */
export function readPageFacts({ nameForms, redaction, context }: PageFactsOptions): PageFacts {
  const { url, locale } = pageAddress()
  const hasPage = typeof document === 'object'
  const redact = (hasPage && redaction?.()) || String
  return {
    url: redactPath(url, redact),
    title: hasPage ? redact(unclobbered(document).title) : '',
    lang: locale,
    timeZone: localTimeZone(),
    utcOffset: 0 - new Date().getTimezoneOffset(),
    forms: nameForms?.(),
    context,
  }
}

/** The address with a redacted path. The model never gets the rest of it. */
function redactPath(address: string, redact: Redact): string {
  if (!URL.canParse(address)) return address
  const url = new URL(address)
  const path = redact(url.pathname)
  return path === url.pathname ? address : url.origin + path
}
