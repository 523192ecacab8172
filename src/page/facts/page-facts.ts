// What the model is told about the page with each message: address, title, language, time zone, forms, and what the
// page's author says. In Node, where there is no page, the texts are empty. A new fact is a field of `PageFacts` that
// `readPageFacts` fills in. And what the host needs to know about the call that opened this page: both addresses, and
// for a form that is a tool the answer of this page, JSON-LD in `<script type="application/ld+json">`.
import { errorMessage } from '../../core/data/errors.js'
import type { PageFacts } from '../../core/data/session.js'
import { internals } from '../../core/data/tool.js'
import { logWarning } from '../log.js'
import type { PageContext } from '../options.js'
import { untilAborted } from '../promises.js'
import type { AnyTool, PageReading } from '../tools/tool.js'
import { pageAddress } from './address.js'
import { contextText } from '../option-table.js'
import type { PageChange } from '../../core/data/protocol.js'
import { isObject, parseJson, type JsonValue } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { PendingAction } from '../tab/notes.js'

/** The part of `Temporal` that is used, because TypeScript's library for browsers does not have it yet. */
interface TemporalNow {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } }
}

/** The first format of a page takes 15 ms in Chromium, so it is created only in browsers without Temporal. */
const localTimeZone = (): string =>
  (globalThis as TemporalNow).Temporal?.Now.timeZoneId() ?? new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How long a message waits until code of the page tools is loaded, in milliseconds. */
const loadPatience = 300

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
    timer = setTimeout(() => resolve(undefined), loadPatience)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

/** Milliseconds until a message is sent without what its author says. */
const contextPatience = 1000

/**
 * The text of the option `pageContext`, read once for each message. A message must not fail or wait long because of it,
 * so an error is logged, and the text is undefined then. Never rejects.
 */
export async function readPageContext(option: PageContext | undefined): Promise<string | undefined> {
  try {
    const made = typeof option === 'function' ? Promise.resolve(option()) : option
    return contextText(made instanceof Promise ? await untilAborted(made, AbortSignal.timeout(contextPatience)) : made)
  } catch (thrown) {
    logWarning(`pageContext was left out of a message: ${errorMessage(thrown)}`)
    return undefined
  }
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

/** Characters of all answers of a page together, as JSON. */
const longestAnswer = 4_000

/** Describes the change to this page. `url` is its address as the model may read it. Never rejects. */
export async function pageChange({ callId, from, hides, answers }: PendingAction, url: string): Promise<PageChange> {
  const change = { callId, from, to: hides ? url.replace(/[?#].*/, '') : url }
  const answer = answers === true ? await answerOfPage(hides) : undefined
  return answer === undefined ? change : { ...change, answer }
}

/**
 * The JSON-LD of this page: one block as it is, several as a list, and a longer one as the beginning of its text. With
 * `hides`, the query of the address is removed from it. Undefined if there is none. Waits until the document is parsed.
 */
async function answerOfPage(hides: boolean): Promise<JsonValue | undefined> {
  const page = unclobbered(document)
  if (page.readyState === 'loading')
    await new Promise<void>((resolve) => {
      page.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
    })
  const blocks = [...page.querySelectorAll('script[type="application/ld+json" i]')].flatMap((script): JsonValue[] => {
    const data = script.closest('[data-tool-agent-ignore]') ? undefined : parseJson(script.textContent ?? '')
    return isObject(data) || Array.isArray(data) ? [data as JsonValue] : []
  })
  if (blocks.length === 0) return undefined
  const text = JSON.stringify(blocks.length === 1 ? blocks[0] : blocks)
  const query = JSON.stringify(location.search).slice(1, -1)
  const shown = hides && query !== '' ? text.replaceAll(query, '') : text
  return shown.length > longestAnswer ? `${shown.slice(0, longestAnswer)}…` : (parseJson(shown) as JsonValue)
}
