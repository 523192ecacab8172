// What the host needs to know about the call that opened this page: both addresses, and for a form that is a tool the
// answer of this page, JSON-LD in `<script type="application/ld+json">`.
import type { PageChange } from '../../core/data/protocol.js'
import { isObject, parseJson, type JsonValue } from '../../core/data/json.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { PendingAction } from '../tab/notes.js'

/** Maximum characters of all answers together, as JSON. */
const maxChars = 4_000

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
  return shown.length > maxChars ? `${shown.slice(0, maxChars)}…` : (parseJson(shown) as JsonValue)
}
