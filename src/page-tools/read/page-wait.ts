// Implements page_wait. It polls the conditions, because styles change without a mutation.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactedUrl, withoutPrivateParameters } from '../sensitive/redact.js'
import { ancestor, elementsUnder, currentPage, isPageChange, parentOf } from '../dom/dom.js'
import { containsWords } from '../dom/text.js'
import type { Field } from './form-fields.js'
import { fieldsUnder } from './form-fields.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { numberArgument, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import { isPrivateAmong } from './named-parts.js'
import { Visibility } from '../dom/visibility.js'
import { patience, stopwatch, until } from '../waiting/until.js'

/** Replaces the mark `[private]` by a rare letter, so that a search for `priv` does not match the mark. */
const maskMark = (text: string): string => text.replaceAll('[private]', 'ꙮ')

/**
 * Waits until all conditions hold or the time is over. The result says which.
 * @throws `invalid-input` if there is no condition; the reason of the signal if the call is stopped
 */
export async function runPageWait(input: Record<string, unknown>, run: ToolRun): Promise<JsonValue> {
  const [text, gone, role, name, url] = ['text', 'gone', 'role', 'name', 'url'].map((key) => textArgument(input[key]))
  const still = input['still'] === true
  if (!still && [text, gone, role, name, url].every((condition) => condition === undefined))
    throw new ToolAgentError('invalid-input', 'Pass at least one of: text, gone, role, name, url, still.')
  const atMost =
    typeof input['seconds'] === 'number' ? numberArgument(input['seconds'] * 1000, 100, 60_000, 10_000) : 10_000
  const passed = stopwatch()
  let sinceChange = passed

  const holds = (): boolean => {
    if (still && sinceChange() < patience.pageWait.still) return false
    const visibility = new Visibility()
    // Waiting must not reveal private values to a series of guesses, so the redacted text decides. Reading the fields
    // is slow and only necessary if the full text matches.
    let all: readonly Field[] | undefined
    const fields = (): readonly Field[] => (all ??= fieldsUnder(currentPage().documentElement, visibility))
    const contains = (text: string, wanted: string, holds = containsWords): boolean =>
      holds(text, wanted) && holds(maskMark(redactSecrets(text, fields())), wanted)
    const isInsidePrivate = (element: Element): boolean =>
      ancestor(parentOf(element), isPrivateAmong(fields())) !== null
    if (
      url !== undefined &&
      !contains(maskMark(withoutPrivateParameters(location.href)), url, (one, part) => one.includes(part))
    )
      return false
    const shown = text === undefined && gone === undefined ? '' : visibility.visibleText(currentPage().body)
    if (text !== undefined && !contains(shown, text)) return false
    if (gone !== undefined && contains(shown, gone)) return false
    if (role === undefined && name === undefined) return true
    for (const element of elementsUnder(currentPage().body)) {
      if (role !== undefined ? roleOf(element) !== role.toLowerCase() : roleOf(element) === null) continue
      if (!visibility.hasBox(element)) continue
      const isNamed =
        name === undefined ||
        contains(
          accessibleNameOf(element, visibility) ||
            (roleOf(element) === 'heading' ? visibility.visibleText(element) : ''),
          name,
        )
      if (isNamed && !isInsidePrivate(element)) return true
    }
    return false
  }

  run.signal.throwIfAborted()
  const observer = new MutationObserver((records) => {
    if (records.some(isPageChange)) sinceChange = stopwatch()
  })
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  let met: boolean
  try {
    met = await until({ done: holds, atMost, ...patience.pageWait, signal: run.signal })
  } finally {
    observer.disconnect()
  }
  const fields = fieldsUnder(currentPage().documentElement, new Visibility())
  return {
    met,
    seconds: Math.round(passed()) / 1000,
    url: redactSecrets(redactedUrl(location.href), fields),
  }
}
