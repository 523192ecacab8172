// What page_wait does: until something a person would see has come, gone, or come to rest. It looks whenever the page changes,
// and now and then besides, because styles change without a mutation. Loaded with its first call.
import { ToolAgentError } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { ToolRun } from '../../page/tool.js'
import { addressOf } from '../address.js'
import { elementsUnder } from '../dom.js'
import { plain } from '../text.js'
import { fieldsUnder } from './fields.js'
import { nameOf, roleOf } from './names.js'
import { numberArgument, textArgument, withoutSecrets } from './reading.js'
import { createSight } from './sight.js'

const restful = 500
const between = 200

export async function wait(input: Record<string, unknown>, run: ToolRun): Promise<JsonValue> {
  const [text, gone, role, name, url] = ['text', 'gone', 'role', 'name', 'url'].map((key) => textArgument(input[key]))
  const still = input['still'] === true
  if (!still && [text, gone, role, name, url].every((condition) => condition === undefined)) throw new ToolAgentError('invalid-input', 'Say what to wait for: text, gone, role, name, url or still.')
  const most = (typeof input['seconds'] === 'number' ? numberArgument(input['seconds'] * 1000, 100, 60_000, 10_000) : 10_000)
  const start = performance.now()
  let changed = start

  const holds = (): boolean => {
    if (url !== undefined && !location.href.includes(url)) return false
    if (still && performance.now() - changed < restful) return false
    const sight = createSight()
    const shown = text === undefined && gone === undefined ? '' : sight.text(document.body)
    // Private values are looked for only in what may be one: nobody guesses at them by waiting.
    const says = (told: string, wanted: string): boolean => plain(told).includes(plain(wanted)) && plain(withoutSecrets(told, fieldsUnder(document.documentElement, sight))).includes(plain(wanted))
    if (text !== undefined && !says(shown, text)) return false
    if (gone !== undefined && says(shown, gone)) return false
    if (role === undefined && name === undefined) return true
    for (const element of elementsUnder(document.body)) {
      if (role !== undefined ? roleOf(element) !== role.toLowerCase() : roleOf(element) === null) continue
      if (!sight.hasBox(element)) continue
      if (name === undefined || says(nameOf(element, sight) || (roleOf(element) === 'heading' ? sight.text(element) : ''), name)) return true
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
    const observer = new MutationObserver(() => { changed = performance.now() })
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
    const timer = setInterval(look, between)
    run.signal.addEventListener('abort', () => end(() => reject(run.signal.reason as Error)), { signal: ending.signal })
    if (run.signal.aborted) end(() => reject(run.signal.reason as Error))
    else look()
  })
  return { met, seconds: Math.round(performance.now() - start) / 1000, url: addressOf(location.href) }
}
