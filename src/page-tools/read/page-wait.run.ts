// What page_wait does: until something a person would see has come, gone, or come to rest. It looks whenever the page changes,
// and now and then besides, because styles change without a mutation. Loaded with its first call.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactedUrl, withoutPrivateParameters } from '../sensitive/redact-url.js'
import { ancestor, elementsUnder, currentPage, parentOf } from '../dom/dom.js'
import { toComparable } from '../dom/text.js'
import type { Field } from './form-fields.js'
import { fieldsUnder } from './form-fields.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { isPrivateAmong, numberArgument, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import { createVisibility } from '../dom/visibility.js'

const restful = 500
const between = 200

/** A letter in place of the mark: `priv` must not be found where a private value begins with it. */
const blank = (text: string): string => text.replaceAll('[private]', 'ꙮ')

export async function runPageWait(input: Record<string, unknown>, run: ToolRun): Promise<JsonValue> {
  const [text, gone, role, name, url] = ['text', 'gone', 'role', 'name', 'url'].map((key) => textArgument(input[key]))
  const still = input['still'] === true
  if (!still && [text, gone, role, name, url].every((condition) => condition === undefined))
    throw new ToolAgentError('invalid-input', 'Pass at least one of: text, gone, role, name, url, still.')
  const most =
    typeof input['seconds'] === 'number' ? numberArgument(input['seconds'] * 1000, 100, 60_000, 10_000) : 10_000
  const start = performance.now()
  let changed = start

  const holds = (): boolean => {
    if (still && performance.now() - changed < restful) return false
    const visibility = createVisibility()
    // A private value must not be waited for, or one guess after another would find it. The text without private values
    // decides; the fields are read only where the whole text has the words, too.
    let all: readonly Field[] | undefined
    const fields = (): readonly Field[] => (all ??= fieldsUnder(currentPage().documentElement, visibility))
    const says = (told: string, wanted: string, form = toComparable): boolean =>
      form(told).includes(form(wanted)) && form(blank(redactSecrets(told, fields()))).includes(form(wanted))
    const isInsidePrivate = (element: Element): boolean =>
      ancestor(parentOf(element), isPrivateAmong(fields())) !== null
    if (url !== undefined && !says(blank(withoutPrivateParameters(location.href)), url, String)) return false
    const shown = text === undefined && gone === undefined ? '' : visibility.visibleText(currentPage().body)
    if (text !== undefined && !says(shown, text)) return false
    if (gone !== undefined && says(shown, gone)) return false
    if (role === undefined && name === undefined) return true
    for (const element of elementsUnder(currentPage().body)) {
      if (role !== undefined ? roleOf(element) !== role.toLowerCase() : roleOf(element) === null) continue
      if (!visibility.hasBox(element)) continue
      const isNamed =
        name === undefined ||
        says(
          accessibleNameOf(element, visibility) ||
            (roleOf(element) === 'heading' ? visibility.visibleText(element) : ''),
          name,
        )
      if (isNamed && !isInsidePrivate(element)) return true
    }
    return false
  }

  const met = await new Promise<boolean>((resolve, reject) => {
    const ending = new AbortController()
    const end = (settle: () => void): void => {
      ending.abort()
      observer.disconnect()
      clearInterval(timer)
      settle()
    }
    const look = (): void => {
      try {
        if (holds()) end(() => resolve(true))
        else if (performance.now() - start >= most) end(() => resolve(false))
      } catch (error) {
        end(() => reject(error as Error))
      }
    }
    const observer = new MutationObserver(() => {
      changed = performance.now()
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    const timer = setInterval(look, between)
    run.signal.addEventListener('abort', () => end(() => reject(run.signal.reason as Error)), { signal: ending.signal })
    if (run.signal.aborted) end(() => reject(run.signal.reason as Error))
    else look()
  })
  const fields = fieldsUnder(currentPage().documentElement, createVisibility())
  return {
    met,
    seconds: Math.round(performance.now() - start) / 1000,
    url: redactSecrets(redactedUrl(location.href), fields),
  }
}
