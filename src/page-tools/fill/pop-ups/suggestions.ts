// Waits for the suggestions that a page offers while text is typed, and chooses the one that equals the text. The field
// keeps its focus until then, because pages stop the search and close the list on blur.
import type { WriteResult, WriteRun } from '../../controls/control-kind.js'
import { isOffLimits, isTag } from '../../dom/dom.js'
import { isDisabled } from '../../dom/field-state.js'
import { announcesList, isSearchField, mayOpenList } from '../../dom/pop-ups.js'
import { normalizeText, toComparable, truncate } from '../../dom/text.js'
import { Visibility } from '../../dom/visibility.js'
import { dispatchChange, dispatchInput, setNative, typing } from '../../hands/edits.js'
import { keepingFocus, leaveField } from '../../hands/focus.js'
import { dispatchMouseClick } from '../../hands/mouse.js'
import { asToolInput } from '../../hands/own-input.js'
import { patience, until, waitForPageUpdates } from '../../waiting/until.js'
import { typeInto } from '../write-text.js'
import { pressBeside } from './close-pop-up.js'

const lists =
  ':is([role=listbox],[class*=autocomplete i],[class*=suggest i],[class*=typeahead i],[class*=dropdown i],' +
  '[class*=results i],.pac-container,.ui-menu)'
const items = `[role=option],li,${lists}>*`
const busy = /(^|[-_\s])(loading|searching|busy)([-_\s]|$)/

/** A field and the text that was typed into it. */
interface Entered {
  readonly field: Element
  readonly text: string
  /** Grows by the changes of the page since the field was entered. */
  readonly changes: readonly MutationRecord[]
}

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

/** Boxes that say something of a field and offer nothing. */
const hints = '[role=tooltip],[role=alert],[role=status],[aria-live],table,[role=grid]'
/** A changed part of the page with more elements than this is no list without a sign. */
const mostInside = 1000
/** Pixels between a field and the first of its suggestions. */
const nearField = 60

/** Whether it is in a box that floats over the page and does not hold the field. */
function floats(item: Element, field: Element, visibility: Visibility): boolean {
  for (let up: Element | null = item; up && !isTag(up, 'body') && !up.contains(field); up = up.parentElement)
    if (/absolute|fixed/.test(visibility.style(up).position)) return true
  return false
}

/**
 * The boxes among these that are suggestions without a sign of it: they have a pointer cursor or float over the page,
 * start below the field or a former one, and have the typed text.
 */
function plainSuggestions(areas: Iterable<Element>, { field, text }: Entered, visibility: Visibility): Element[] {
  const typed = toComparable(text)
  if (typed === '') return []
  const place = field.getBoundingClientRect()
  let { bottom } = place
  const found: Element[] = []
  for (const area of areas) {
    const inside = area.querySelectorAll('*')
    for (const one of inside.length > mostInside ? [] : [area, ...inside]) {
      const { left, right, top, bottom: end } = one.getBoundingClientRect()
      const isPlain = visibility.style(one).cursor !== 'pointer'
      if (
        left < place.right &&
        right > place.left &&
        top >= place.bottom - 2 &&
        top - bottom < nearField &&
        (!isPlain || (visibility.isBlock(one) && !one.closest(hints) && floats(one, field, visibility))) &&
        isUsable(one, field, visibility) &&
        toComparable(visibility.visibleText(one)).includes(typed)
      ) {
        found.push(one)
        bottom = Math.max(bottom, end)
      }
    }
  }
  // The outermost box is the suggestion, but a box around several of them is not.
  const outermost = (boxes: readonly Element[]): Element[] =>
    boxes.flatMap((one) => {
      const inner = found.filter((other) => other.parentElement === one && visibility.isBlock(other))
      const isList = inner.length > 1 || (inner.length > 0 && one.childElementCount > 1)
      return isList || (inner.length === 1 && visibility.style(one).cursor !== 'pointer') ? outermost(inner) : [one]
    })
  return outermost(found.filter((one) => !found.some((other) => other !== one && other.contains(one))))
}

/** The items that have appeared since typing and are in a list or menu. */
function shownSuggestions(entered: Entered): Suggestion[] {
  const { field, changes } = entered
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
  if (found.size === 0) for (const one of plainSuggestions(shown, entered, visibility)) found.add(one)
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
  return floats(item, field, visibility)
}

/** The milliseconds that the fields of a call have waited for nothing. */
const wasted = new WeakMap<AbortSignal, number>()

/** Waits until the page is still after typing, and returns what it offers. `isRequired`: it takes nothing else. */
async function waitForSuggestions(entered: Entered, signal: AbortSignal, isRequired: boolean): Promise<Suggestion[]> {
  const { field, changes } = entered
  const { suggestions } = patience
  const isCertain = isRequired || field.matches(announcesList)
  const spent = wasted.get(signal) ?? 0
  // A list that a field without a sign has opened may still be filtered.
  const uncertain = Math.min(suggestions.uncertain, Math.max(0, suggestions.wasted - spent))
  let found: Suggestion[] = []
  let [seen, changed, now] = [changes.length, 0, 0]
  let appeared: number | undefined
  await until({
    done(passed) {
      found = shownSuggestions(entered)
      now = passed()
      if (changes.length !== seen) [seen, changed] = [changes.length, now]
      appeared ??= found.length > 0 ? now : undefined
      const isAnswer = appeared !== undefined && (appeared > suggestions.answerAfter || !isCertain)
      const isBusy = busy.test(field.getAttribute('class') ?? '') || field.getAttribute('aria-busy') === 'true'
      const quiet = isCertain ? suggestions.certain : uncertain
      return signal.aborted || (!isBusy && now - changed > (isAnswer ? suggestions.still : quiet))
    },
    ...suggestions,
  })
  if (!isCertain && found.length === 0) wasted.set(signal, spent + now)
  return found
}

/** Whether the page shows what may be a list since the field was entered, or the field has a sign of one. */
export const hasList = (entered: Entered): boolean =>
  mayOpenList(entered.field) || entered.changes.some(isAboutList) || shownSuggestions(entered).length > 0

const isAboutList = ({ target }: MutationRecord): boolean =>
  (target as Element).querySelector('li,[role=option],[class*=autocomplete i]') !== null

/** Chooses a suggestion by click. Returns the result, also if the page ignores the click. */
async function choose({ field, run }: Wanted, { element, label }: Suggestion): Promise<WriteResult> {
  const typed = field.value
  run.checkOption(element, field)
  asToolInput(() => dispatchMouseClick(element))
  const isOpen = (): boolean => element.isConnected && new Visibility().isShown(element)
  await until({ done: () => !isOpen(), ...patience.chosen })
  if (isOpen() && field.value === typed)
    return { problem: `The page ignored the click on the suggestion ${JSON.stringify(label)}` }
  if (field.value === '')
    return {
      problem:
        `Chose the suggestion ${JSON.stringify(label)}, but the field is empty now. ` +
        'Read the page to check whether it was added',
    }
  return { plan: { text: field.value, labels: [label] } }
}

/** What each field has offered last, and the text that brought it. */
const offers = new WeakMap<Element, { readonly typed: string; readonly labels: readonly string[] }>()

/**
 * What to type so that the field offers the value: the former text, if the value is one of the suggestions that it
 * brought. A suggestion may show more than the page searches in.
 */
export function textToType(field: Element, value: string): string {
  const { typed, labels } = offers.get(field) ?? { typed: value, labels: [] }
  return labels.some((label) => toComparable(label) === toComparable(value)) ? typed : value
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
    dispatchInput(field, typing(first.value))
  })
  return { plan: { text: first.value } }
}

/** The one suggestion that equals the value: as a whole, or else by the name that stands before what else it says. */
function suggestionFor(value: string, found: readonly Suggestion[]): Suggestion | undefined {
  const equal = found.filter(({ label }) => toComparable(label) === toComparable(value))
  const exact = equal.length > 1 ? equal.filter(({ label }) => label === value) : equal
  if (equal.length > 0) return exact.length === 1 ? exact[0] : undefined
  const named = found.filter(({ element }) => isNamed(element, value))
  return named.length === 1 ? named[0] : undefined
}

/**
 * Whether a suggestion begins with an element that has exactly this text, and goes on in other elements apart from it.
 * Without a gap it may be the part of a word that the page marks as typed.
 */
function isNamed(item: Element, value: string): boolean {
  const visibility = new Visibility()
  const wanted = toComparable(value)
  const parts = [...item.querySelectorAll('*')].filter(
    (one) => one.firstElementChild === null && visibility.isShown(one) && visibility.visibleText(one) !== '',
  )
  const [name, next] = parts
  if (!name || !next || wanted === '' || toComparable(visibility.visibleText(name)) !== wanted) return false
  const texts = parts.map((one) => visibility.visibleText(one)).join('')
  // Text beside the elements would belong to the name.
  if (texts.replace(/\s/g, '') !== visibility.visibleText(item).replace(/\s/g, '')) return false
  const [own, other] = [name.getBoundingClientRect(), next.getBoundingClientRect()]
  const gap = Math.max(other.left - own.right, own.left - other.right, other.top - own.bottom, own.top - other.bottom)
  return gap >= 1
}

/** A field with suggestions, in which a text was typed. */
interface Wanted extends Entered {
  readonly field: HTMLInputElement
  /** What the field should hold. */
  readonly value: string
  /** What the field held before. */
  readonly former: string
  readonly run: WriteRun
}

/** Chooses the suggestion that equals the value, or reports what the page offers. Then leaves the field. */
export async function chooseSuggestion(wanted: Wanted): Promise<WriteResult> {
  const { field, value, text: typed, former } = wanted
  const { signal } = wanted.run
  const step = async (isRequired: boolean): Promise<WriteResult> => {
    const { list } = field
    const hasDatalist = list !== null && list.options.length > 0 && !field.matches(announcesList)
    const found = hasDatalist ? [] : await waitForSuggestions(wanted, signal, isRequired)
    const chosen = suggestionFor(value, found)
    const isOffered = found.length > 0
    let result: WriteResult = {}
    if (chosen && !chosen.navigates) result = await choose(wanted, chosen)
    else if (isOffered) {
      const labels = found.map(({ label }) => label)
      offers.set(field, { typed, labels })
      result = offered(labels)
    } else if (list && !isOffLimits(list)) result = chooseFromDatalist(field, list, value)
    if (typed !== value && !result.plan) result = { ...result, problem: noLongerOffered(value) }
    asToolInput(() => {
      dispatchChange(field)
      leaveField(field)
    })
    await waitForPageUpdates()
    if (result.plan) return result
    const [left] = shownSuggestions(wanted)
    // What a search shows is its result, and the next thing to read.
    if (left && !isSearchField(field)) pressBeside(field, left.element.parentElement ?? left.element)
    // Pages that require a choice drop the text when the field is left, many of them a little later.
    const isLeft = (): boolean => field.value !== typed || signal.aborted
    if (isOffered) await until({ done: isLeft, ...patience.dropped })
    return result
  }
  // A field that took the focus when it was entered returns it by itself.
  const run = (isRequired: boolean): Promise<WriteResult> =>
    field.matches(':focus') ? step(isRequired) : keepingFocus(() => step(isRequired))
  const result = await run(false)
  const isDropped = field.value !== typed && (field.value === '' || field.value === former)
  if (result.plan || result.offer || result.problem !== undefined || !isDropped || !field.isConnected) return result
  if (signal.aborted || !typeInto(field, typed, true)) return result
  // It takes only what it offers, so it does offer something, but late.
  return run(true)
}

const noLongerOffered = (value: string): string =>
  `The page no longer offers ${JSON.stringify(truncate(normalizeText(value), 60))}, so nothing was chosen`
