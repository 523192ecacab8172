// Waits for the suggestions that a page offers while text is typed, and chooses the one that equals the text. The field
// keeps its focus until then, because pages stop the search and close the list on blur.
import { checkOption } from '../../effects/option-guard.js'
import { isOffLimits, isTag } from '../../dom/dom.js'
import { isDisabled } from '../../dom/field-state.js'
import { normalizeText, toComparable } from '../../dom/text.js'
import { Visibility } from '../../dom/visibility.js'
import {
  dispatchChange,
  dispatchInput,
  dispatchMouseClick,
  keepingFocus,
  leaveField,
  pressKey,
  waitForPageUpdates,
} from '../input-events.js'
import { asToolInput } from '../watch-user.js'
import { listSigns, setNative, type WriteResult } from '../set-value.js'

/**
 * Milliseconds. `typical`, `certain`: without a change of the page after typing, for fields that may or do offer a
 * list. `still`: without a change after the list has appeared. `most`: at all. `wasted`: of one call, for fields that
 * may offer a list but do not.
 */
const limits = { typical: 700, certain: 1200, still: 200, most: 4000, wasted: 10_000 }
/** A list that appears this many milliseconds after typing is the answer to the text, not a former list. */
const answerAfter = 250

const certain =
  ':is([aria-autocomplete=list],[aria-autocomplete=both],[class*=autocomplete i],[class*=typeahead i]),[role=combobox]'
const lists =
  ':is([role=listbox],[class*=autocomplete i],[class*=suggest i],[class*=typeahead i],[class*=dropdown i],' +
  '[class*=results i],.pac-container,.ui-menu)'
const items = `[role=option],li,${lists}>*`
const busy = /(^|[-_\s])(loading|searching|busy)([-_\s]|$)/

/** A suggestion that the page shows. */
interface Suggestion {
  readonly element: Element
  readonly label: string
  /** Whether a click on it would load another page or submit a form. */
  readonly navigates: boolean
}

/** A button in a form submits it, unless its type says otherwise. */
const links =
  'a[href]:not([href=""],[href^="#"],[href^="javascript:" i]),[type=submit],[type=image],' +
  'button:is(form *,[form]):not([type=button],[type=reset])'

/** Pixels between a field and the first of its suggestions. */
const nearField = 60

/**
 * The boxes among these that say by a pointer cursor only that they are suggestions: each starts below the field or a
 * former one, and has the typed text.
 */
function plainSuggestions(areas: Iterable<Element>, field: Element, visibility: Visibility): Element[] {
  const typed = toComparable((field as HTMLInputElement).value)
  if (typed === '') return []
  const place = field.getBoundingClientRect()
  let { bottom } = place
  const found: Element[] = []
  for (const area of areas)
    for (const one of [area, ...area.querySelectorAll('*')]) {
      const { left, right, top, bottom: end } = one.getBoundingClientRect()
      if (
        visibility.style(one).cursor === 'pointer' &&
        left < place.right &&
        right > place.left &&
        top >= place.bottom - 2 &&
        top - bottom < nearField &&
        isUsable(one, field, visibility) &&
        toComparable(visibility.visibleText(one)).includes(typed)
      ) {
        found.push(one)
        bottom = Math.max(bottom, end)
      }
    }
  // The outermost box with a pointer cursor is the suggestion, but a box around several of them is not.
  const outer = found.filter((one) => !found.some((other) => other !== one && other.contains(one)))
  return outer.flatMap((one) => {
    const inner = found.filter((other) => other.parentElement === one && visibility.isBlock(other))
    return inner.length > 1 ? inner : [one]
  })
}

/** The items that have appeared since typing and are in a list or menu. */
function shownSuggestions(field: Element, changes: readonly MutationRecord[]): Suggestion[] {
  const visibility = new Visibility()
  const areas = new Set<Element>()
  for (const { type, target, addedNodes } of changes) {
    const added = [...addedNodes]
    for (const node of added) if (node.nodeType === 1) areas.add(node as Element)
    if (type === 'attributes' || added.some((node) => node.nodeType === 3)) areas.add(target as Element)
  }
  const shown = [...areas].filter((area) => area.isConnected && !isTag(area, 'html', 'body', 'form'))
  const found = new Set<Element>()
  for (const area of shown) {
    for (const one of [area, ...area.querySelectorAll(items)])
      if (one.matches(items) && isSuggestion(one, field, visibility)) found.add(one)
  }
  if (found.size === 0) for (const one of plainSuggestions(shown, field, visibility)) found.add(one)
  const all = [...found].filter((one) => ![...found].some((other) => other !== one && one.contains(other)))
  const options = all.filter((one) => one.matches('[role=option]'))
  return (options.length > 0 ? options : all).map((element) => ({
    element,
    label: visibility.visibleText(element),
    navigates: element.closest(links) !== null || element.querySelector(links) !== null,
  }))
}

/** Whether a click on it can choose it. */
const isUsable = (item: Element, field: Element, visibility: Visibility): boolean =>
  !item.contains(field) &&
  !item.querySelector('input:not([type=hidden]),select,textarea') &&
  !isDisabled(item) &&
  !isOffLimits(item) &&
  visibility.isShown(item)

function isSuggestion(item: Element, field: Element, visibility: Visibility): boolean {
  if (!isUsable(item, field, visibility)) return false
  if (!item.matches('[role=option],li') && !visibility.isBlock(item)) return false
  // Pages end the text of a running search with dots.
  const text = visibility.visibleText(item)
  if (text === '' || /(…|\.\.\.)$/.test(text)) return false
  if (item.matches('[role=option]') || item.closest(lists)) return true
  // Any other list counts only if it floats over the page: the page may list errors or results below the field.
  for (let up: Element | null = item; up && !isTag(up, 'body') && !up.contains(field); up = up.parentElement)
    if (/absolute|fixed/.test(visibility.style(up).position)) return true
  return false
}

/** The milliseconds that the fields of a call have waited for nothing. */
const wasted = new WeakMap<AbortSignal, number>()

/** Waits until the page is still after typing, and returns what it offers. */
async function waitForSuggestions(
  field: Element,
  changes: readonly MutationRecord[],
  signal: AbortSignal,
): Promise<Suggestion[]> {
  const since = performance.now()
  const isCertain = field.matches(certain)
  const spent = wasted.get(signal) ?? 0
  const patience = field.matches(listSigns) ? Math.min(limits.typical, Math.max(0, limits.wasted - spent)) : 0
  const quiet = isCertain ? limits.certain : patience
  let seen = changes.length
  let changed = since
  let appeared: number | undefined
  for (;;) {
    const found = shownSuggestions(field, changes)
    const now = performance.now()
    if (changes.length !== seen) [seen, changed] = [changes.length, now]
    appeared ??= found.length > 0 ? now - since : undefined
    const isAnswer = appeared !== undefined && (appeared > answerAfter || !isCertain)
    const isBusy = busy.test(field.getAttribute('class') ?? '') || field.getAttribute('aria-busy') === 'true'
    if (signal.aborted || now - since > limits.most || (!isBusy && now - changed > (isAnswer ? limits.still : quiet))) {
      if (!isCertain && found.length === 0) wasted.set(signal, spent + now - since)
      return found
    }
    await waitForPageUpdates()
  }
}

/** Chooses a suggestion by click. Returns the result, also if the page ignores the click. */
async function choose(field: HTMLInputElement, { element, label }: Suggestion, typed: string): Promise<WriteResult> {
  checkOption(element, field)
  asToolInput(() => dispatchMouseClick(element))
  const isOpen = (): boolean => element.isConnected && new Visibility().isShown(element)
  for (const since = performance.now(); isOpen() && performance.now() - since < 600;) await waitForPageUpdates()
  if (isOpen() && field.value === typed)
    return { problem: `The page ignored the click on the suggestion ${JSON.stringify(label)}` }
  if (field.value === '')
    return {
      problem:
        `Chose the suggestion ${JSON.stringify(label)}, but the field is empty now. ` +
        'Read the page to check whether it was added',
    }
  return { plan: { kind: 'text', text: field.value, labels: [label] } }
}

function offered(labels: readonly string[]): WriteResult {
  const suggestions = [...new Set(labels.map(normalizeText))].slice(0, 10)
  return {
    offer: {
      suggestions,
      note:
        'The field offers these suggestions; none was chosen, because none equals the value. ' +
        'If one is meant, fill the field again with exactly this suggestion',
    },
  }
}

/** The same for the options of a `<datalist>`, which scripts cannot click: an option is chosen by its value. */
function chooseFromDatalist(field: HTMLInputElement, list: HTMLDataListElement, text: string): WriteResult {
  const options = [...list.options].filter((option) => !option.disabled && !isOffLimits(option))
  if (options.length === 0 || options.some(({ value }) => value === text)) return {}
  const equal = options.filter(({ value, label }) =>
    [value, label].some((name) => toComparable(name) === toComparable(text)),
  )
  const [first] = equal
  if (!first || equal.length > 1) return offered(options.map(({ label, value }) => label || value))
  asToolInput(() => {
    setNative(field, 'value', first.value)
    dispatchInput(field, first.value)
  })
  return { plan: { kind: 'text', text: first.value } }
}

/**
 * Chooses the suggestion that equals the typed text, or reports what the page offers. Then leaves the field and closes
 * the list. `changes` grows by the changes of the page since the field was entered.
 */
export function chooseSuggestion(
  field: HTMLInputElement,
  text: string,
  changes: readonly MutationRecord[],
  signal: AbortSignal,
): Promise<WriteResult> {
  const step = async (): Promise<WriteResult> => {
    const { list } = field
    const found =
      list && list.options.length > 0 && !field.matches(certain) ? [] : await waitForSuggestions(field, changes, signal)
    const equal = found.filter(({ label }) => toComparable(label) === toComparable(text))
    const exact = equal.length > 1 ? equal.filter(({ label }) => label === text) : equal
    const [chosen] = exact
    let result: WriteResult = {}
    if (chosen && exact.length === 1 && !chosen.navigates) result = await choose(field, chosen, field.value)
    else if (found.length > 0) result = offered(found.map(({ label }) => label))
    else if (list && !isOffLimits(list)) result = chooseFromDatalist(field, list, text)
    asToolInput(() => {
      dispatchChange(field)
      leaveField(field)
    })
    await waitForPageUpdates()
    // A dialog around the field might close, too.
    if (!field.closest('dialog,[role=dialog],[aria-modal]') && shownSuggestions(field, changes).length > 0)
      asToolInput(() => pressKey(field, 'Escape'))
    return result
  }
  // A field that took the focus when it was entered returns it by itself.
  return field.matches(':focus') ? step() : keepingFocus(field.ownerDocument, step)
}
