// Sliders and spin buttons, moved by the keys that a person would press. Their value may be shown as a text: then what
// was asked is compared with the text, and a number only counts if it is what a person reads there.
import { isTag, parentOf, viewOf } from '../dom/dom.js'
import { valueTextOf } from '../dom/field-state.js'
import { normalizeText, toComparable } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { numberWordIn } from '../fill/numbers.js'
import { monthIn } from '../fill/choices.js'
import { numbersIn, parseNumber } from '../fill/parse-values.js'
import { languagesOf, listFields, refused, valueAsText } from '../fill/plan.js'
import { asTyped } from '../fill/typed-text.js'
import { dispatchChange, dispatchInput } from '../hands/edits.js'
import { enterField, leaveField } from '../hands/focus.js'
import { pressKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import { deadline, nextTask, patience, until, waitForPageUpdates } from '../waiting/until.js'
import type { ControlKind, Plan, Refusal, WriteResult } from './control-kind.js'
import { number, outsideLimits } from './number.js'
import { text, writtenText } from './text.js'

/** What a slider or spin button must have afterwards. */
interface NumberPlan {
  readonly number: number
  /** Its text shows the value in another unit, such as seconds as minutes. */
  readonly isUnit?: true
  /** Its text is a word, and the number stands on the control or beside it. */
  readonly isSeen?: true
}

/** What it must show afterwards, such as a month. */
interface ShownPlan {
  readonly text: string
  /** If a number was requested: the number of the text that must be this one. */
  readonly number?: number
  readonly at?: number
}

type SliderPlan = NumberPlan | ShownPlan

/** Key presses of a search for a text. */
const mostPresses = 400

const numberOf = (element: Element): number => {
  const now = isTag(element, 'input') ? element.value : element.getAttribute('aria-valuenow')
  return now === null || now.trim() === '' ? NaN : Number(now)
}
/** Number and text, to see a change of either. */
const stateOf = (element: Element): string => `${numberOf(element)} ${valueTextOf(element)}`

/** The number that a person reads on the control or beside it, if it is the only one there. */
function numberSeenAt(element: Element): number | undefined {
  const visibility = new Visibility()
  const languages = languagesOf(element)
  for (let around: Element | null = element, level = 0; around && level < 3; around = parentOf(around), level++) {
    if (level > 0 && around.querySelectorAll(controls).length > 1) return undefined
    const numbers = numbersIn(
      visibility.visibleText(around, (one) => one.matches('label,legend')),
      languages,
    )
    if (numbers.length > 0) return numbers.length === 1 ? numbers[0] : undefined
  }
  return undefined
}

const hasDigits = (text: string): boolean => /\p{Nd}/u.test(text)
/** Whether two texts are the same for a person. Signs and separators only count between digits. */
const isSameText = (one: string, other: string): boolean =>
  asTyped(one) === asTyped(other) ||
  (!hasDigits(one + other) && toComparable(one) !== '' && toComparable(one) === toComparable(other))

/** Controls that have a value of their own. */
const controls = 'input:not([type=hidden]),select,textarea,[role=slider],[role=spinbutton]'

/**
 * Plans a value for a slider or spin button. The text that it shows decides what a number means: the value itself if
 * the text has it ("21 °C") or has several others ("1 minute 30 seconds"), or else the number in the text ("3 of 10"
 * for the value 2). Words have the number that they say ("eight") or that is seen beside them, and that of months which
 * are numbered from 1.
 */
function planSlider(element: Element, value: unknown): SliderPlan | Refusal {
  const languages = languagesOf(element)
  const asked = valueAsText(value)
  const shown = valueTextOf(element)
  const number = parseNumber(value, languages)
  const byNumber = (wanted: number, how: Pick<NumberPlan, 'isUnit' | 'isSeen'> = {}): SliderPlan | Refusal => {
    const outside = outsideLimits(element, wanted)
    return outside ? refused(outside) : { number: wanted, ...how }
  }
  if (shown !== '' && asked.trim() !== '' && (number === undefined || isSameText(shown, asked))) return { text: asked }
  if (number === undefined) return refused(`${JSON.stringify(asked)} is not a number`)
  const now = numberOf(element)
  const numbers = numbersIn(shown, languages)
  const [first] = numbers
  if (shown === '' || numbers.includes(now)) return byNumber(number)
  if (first === undefined) {
    if (monthIn(shown, languages) === now || numberWordIn(shown) === now) return byNumber(number)
    if (numberSeenAt(element) === now) return byNumber(number, { isSeen: true })
    return { text: asked, number, at: 0 }
  }
  const min = Number(element.getAttribute(isTag(element, 'input') ? 'min' : 'aria-valuemin') ?? 0)
  const position = numbers.findIndex((one) => one === now + 1 || one === now - min + 1)
  if (numbers.length > 1 && position < 0) return byNumber(number, { isUnit: true })
  // "45 minutes" for 2700: a number that no text can have is the value.
  const scale = position < 0 ? first / now : 0
  const reach = scale * Number(element.getAttribute(isTag(element, 'input') ? 'max' : 'aria-valuemax') ?? 0)
  if (Number.isFinite(scale) && reach > 0 && number > reach && !outsideLimits(element, number))
    return byNumber(number, { isUnit: true })
  return { text: asked, number, at: Math.max(0, position) }
}

/** Whether the text of the field is what was asked. */
function shows(element: Element, { text, number, at = 0 }: ShownPlan): boolean {
  const shown = valueTextOf(element)
  const languages = languagesOf(element)
  if (number !== undefined) {
    const said = numberWordIn(shown)
    return (numbersIn(shown, languages)[at] ?? (said === numberOf(element) ? said : numberSeenAt(element))) === number
  }
  if (isSameText(shown, text)) return true
  const month = hasDigits(text) ? undefined : monthIn(text, languages)
  return month !== undefined && !hasDigits(shown) && monthIn(shown, languages) === month
}

/** Whether the field holds the planned value. A single number that is shown must be the one of the value. */
function holdsSlider(element: Element, plan: SliderPlan): boolean {
  if ('text' in plan) return shows(element, plan)
  if (numberOf(element) !== plan.number) return false
  const languages = languagesOf(element)
  const shown = valueTextOf(element)
  const numbers = numbersIn(shown, languages)
  if (numbers.length === 0 && plan.isSeen) return numberSeenAt(element) === plan.number
  if (numbers.length === 0) return (monthIn(shown, languages) ?? plan.number) === plan.number
  return plan.isUnit === true || numbers.length > 1 || numbers[0] === plan.number
}

const keysOf = (element: Element): [string, string][] => [
  ...(element.getAttribute('role') === 'spinbutton' ? [] : [['ArrowRight', 'ArrowLeft'] as [string, string]]),
  ['ArrowUp', 'ArrowDown'],
]

/** Moves a native slider by its step, which keys of a script cannot. */
function stepNative(element: HTMLInputElement, up: boolean): void {
  const { prototype } = viewOf(element).HTMLInputElement
  const step = element.step === 'any' ? undefined : element.step
  try {
    if (step === undefined) element.step = '1'
    ;(up ? prototype.stepUp : prototype.stepDown).call(element)
  } finally {
    if (step === undefined) element.step = 'any'
  }
  dispatchInput(element)
}

/** Presses a key, or steps a native slider, and waits until the value has changed or the page is still. */
async function step(element: Element, key: string, up: boolean): Promise<boolean> {
  const before = stateOf(element)
  asToolInput(() => {
    if (isTag(element, 'input')) stepNative(element, up)
    else pressKey(element, key)
  })
  await nextTask()
  return until({ done: () => stateOf(element) !== before, ...patience.sliderValue })
}

/**
 * Steps up, and then down, until the test holds; to the ends, or once around. Returns the texts that were shown, if it
 * never holds.
 */
async function search(
  element: Element,
  isWanted: () => boolean,
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (isWanted()) return undefined
  const start = stateOf(element)
  const isLate = deadline(patience.sliderText)
  const texts = [valueTextOf(element)]
  let presses = 0
  for (const up of [true, false]) {
    const ways = keysOf(element)
    let hasMoved = false
    while (presses++ < mostPresses && !isLate() && !signal.aborted) {
      const [more, less] = ways[0] ?? ['', '']
      if (!(await step(element, up ? more : less, up))) {
        // The other keys are only tried while these have not moved it: they may take another step.
        if (hasMoved || ways.length < 2) break
        ways.shift()
        continue
      }
      hasMoved = true
      texts.push(valueTextOf(element))
      if (isWanted()) return undefined
      if (up && stateOf(element) === start) return texts
    }
  }
  return texts
}

/**
 * Moves towards the number by keys, and by PageUp and PageDown while it is far. Stops if it no longer gets closer.
 * Returns the numbers before and after the last key that changed it.
 */
export async function moveSlider(element: Element, number: number, signal: AbortSignal): Promise<readonly number[]> {
  // An empty part of a date counts as 0.
  const now = (): number => numberOf(element) || 0
  const ways = keysOf(element)
  let size = 0
  let hasPages = true
  let isTurned = false
  const isFromRight = viewOf(element).getComputedStyle(element).direction === 'rtl'
  let last: readonly number[] = []
  asToolInput(() => enterField(element))
  for (let presses = 0; presses < 1000 && now() !== number && !signal.aborted; presses++) {
    const before = now()
    const distance = Math.abs(number - before)
    const isFar = hasPages && size > 0 && distance > 12 * size
    const [up = '', down = ''] = isFar ? ['PageUp', 'PageDown'] : (ways[0] ?? [])
    asToolInput(() => pressKey(element, number > before ? up : down))
    await nextTask()
    if (now() === before) await waitForPageUpdates()
    const moved = now() - before
    if (moved !== 0) last = [before, now()]
    if (moved !== 0 && !isFar) size = Math.abs(moved)
    if (Math.abs(number - now()) < distance) continue
    const isWrongWay = moved !== 0 && Math.sign(moved) !== Math.sign(number - before)
    if (isFar) hasPages = false
    // From right to left, the arrows may answer in the other direction. Once: they may also jump to and fro.
    else if (!isTurned && (isWrongWay || (moved === 0 && isFromRight))) [ways[0], isTurned] = [[down, up], true]
    else if (ways.length > 1 && (moved === 0 || isWrongWay)) [, isTurned] = [ways.shift(), false]
    else break
  }
  asToolInput(() => leaveField(element))
  return last
}

/** Brings a former number, or a former text of a field without numbers, back. */
async function returnTo(element: Element, former: string, signal: AbortSignal): Promise<void> {
  const number = former.trim() === '' ? NaN : Number(former)
  if (!Number.isNaN(number) && !isTag(element, 'input')) return void (await moveSlider(element, number, signal))
  await search(
    element,
    () => (Number.isNaN(number) ? valueTextOf(element) === former : numberOf(element) === number),
    signal,
  )
}

/** Moves a slider or spin button to the planned value. If it cannot be reached, the former value is brought back. */
async function setSlider(element: Element, plan: SliderPlan, signal: AbortSignal): Promise<WriteResult> {
  const before = stateOf(element)
  const former = Number.isNaN(numberOf(element)) ? valueTextOf(element) : String(numberOf(element))
  let problem: string
  if (!('text' in plan)) {
    const near = await moveSlider(element, plan.number, signal)
    await until({ done: () => holdsSlider(element, plan), ...patience.sliderValue })
    if (holdsSlider(element, plan) || stateOf(element) === before) return {}
    problem =
      numberOf(element) === plan.number
        ? `The value ${plan.number} is shown as ${JSON.stringify(valueTextOf(element))}. Pass what should be shown`
        : `The value cannot be ${plan.number}${near.length > 0 ? `: it steps from ${near[0]} to ${near[1]}` : ''}`
  } else {
    asToolInput(() => enterField(element))
    const texts = await search(element, () => shows(element, plan), signal)
    asToolInput(() => {
      if (isTag(element, 'input') && stateOf(element) !== before) dispatchChange(element)
      leaveField(element)
    })
    if (!texts) return {}
    const unique = [...new Set(texts)].filter((text) => text !== '')
    problem =
      `It never shows ${JSON.stringify(plan.text)}. It shows: ${listFields(unique, 20)}. ` + 'Pass one of these texts'
  }
  if (stateOf(element) !== before) await returnTo(element, former, signal)
  // No arrow leads back to a control without a value.
  for (const key of ['Delete', 'Backspace'])
    if (stateOf(element) !== before && !isTag(element, 'input')) await step(element, key, false)
  const isBack = stateOf(element) === before
  return {
    problem: `${problem}. ${isBack ? 'The former value is back' : 'The former value could not be brought back'}`,
  }
}

/** A slider or spin button of the page's own. */
export const slider: ControlKind = {
  types: ['slider', 'spinbutton'],
  claims: ({ role, isEditable }) => (role === 'spinbutton' || (role === 'slider' && !isEditable) ? role : undefined),
  value: ({ element }) => valueTextOf(element) || normalizeText(element.getAttribute('aria-valuenow') ?? ''),
  state: ({ element }) => element.getAttribute('aria-valuenow') ?? element.getAttribute('aria-valuetext') ?? '',
  takes: 'number',
  plan: ({ element }, value) => wantedOf(planSlider(element, value)),
  async restore({ element }, { state, run }) {
    await returnTo(element, state, run.signal)
    return undefined
  },
}

const wantedOf = (plan: SliderPlan | Refusal): Plan =>
  'problem' in plan
    ? plan
    : {
        holds: ({ element }) => holdsSlider(element, plan),
        write: ({ element }, { signal }) => setSlider(element, plan, signal),
      }

/** A native slider. Its number is set; only if it shows a text, it may have to be moved until it shows another one. */
export const range: ControlKind = {
  ...text,
  types: ['range'],
  // By the element around it.
  isDrawn: (element, visibility) =>
    visibility.hasBox(element) && element.parentElement !== null && visibility.isShown(element.parentElement),
  value: (field, visibility, clean) => valueTextOf(field.element) || text.value(field, visibility, clean),
  takes: 'number',
  plan(field, value, visibility) {
    if (valueTextOf(field.element) === '') return number.plan(field, value, visibility)
    const plan = planSlider(field.element, value)
    return 'text' in plan || 'problem' in plan ? wantedOf(plan) : writtenText({ text: String(plan.number) }, value)
  },
}
