// What was typed into fields of the page lately, by the visitor or by a tool: a row that has such a name now may have
// got it that way. Only compared with texts that the page shows. Private fields are not read.
import { isTag, currentPage } from './dom.js'
import { holdsTyping, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import { toComparable } from './text.js'

interface Typed {
  readonly text: string
  /** The field and all that was around it. */
  readonly around: WeakSet<EventTarget>
}

/** So many texts are kept, of so many characters. */
const [mostTyped, longestName] = [20, 200]
const typed: Typed[] = []
const byField = new WeakMap<EventTarget, Typed>()
let isWatching = false

/** Whether the text was typed into a field, one of `around` if given. */
export const isTyped = (text: string, around?: Element): boolean =>
  typed.some((one) => one.text === text && (around === undefined || one.around.has(around)))

function note(event: Event): void {
  if (event.type === 'keydown' && (event as KeyboardEvent).key !== 'Enter') return
  const path = event.composedPath()
  const field = path[0] as Element | undefined
  if (!field || typeof field.getAttribute !== 'function' || !holdsTyping(field)) return
  const isPlain = isTag(field, 'input', 'textarea')
  const text = toComparable(isPlain ? field.value : (field.textContent ?? ''))
  if (text === '' || text.length > longestName || byField.get(field)?.text === text) return
  const labels = isPlain ? [...(field.labels ?? [])].map((one) => one.textContent) : []
  const label = [...labels, field.getAttribute('aria-label'), field.getAttribute('placeholder')].join(' ')
  if (sensitiveKindOf(field, label) !== undefined) return
  const one = { text, around: new WeakSet(path) }
  byField.set(field, one)
  typed.push(one)
  typed.splice(0, typed.length - mostTyped)
}

/** Starts to note what is typed: when it is done, not at each key. Idempotent. */
export function watchTypedTexts(): void {
  if (isWatching) return
  isWatching = true
  for (const type of ['change', 'focusout', 'keydown'])
    currentPage().addEventListener(type, note, { capture: true, passive: true })
}
