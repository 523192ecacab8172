// What a question about a press is bound to beside the control: what a person reads around it, and the values there,
// shown or not. A press that was allowed is about just that.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { fingerprint } from '../../core/state/fingerprint.js'
import { ancestor, byIds, elementsUnder, isElement, isTag, isWithin, parentOf, isTickBox } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { rowSelector } from '../dom/roles.js'
import { money } from '../read/amounts.js'
import { dialogAround, headingAround } from '../read/heading-around.js'

/** Characters. A part of the page with more text says nothing about one control in it. */
const mostAround = 400
/** The same of a dialog and of a row, which are about their controls whatever their length. */
const mostInside = 4_000
/** What changes by itself while a visitor reads a question. */
const ticking = 'time,progress,[role=timer],[role=progressbar],[role=status],[role=log],[role=marquee],[aria-live]'
/** More of them are a list of prices. */
const mostAmounts = 12

/** A value that is compared and not shown, as a hash. */
export interface UnseenValue {
  readonly element: Element
  readonly hash: string
}

/** The dialog, row, card or pane around a control. */
export interface Surroundings {
  /** The part whose text counts; undefined if the control stands in a large part of the page. */
  readonly box: Element | undefined
  /** The part whose fields a press may send. */
  readonly group: Element | undefined
  readonly isDialog: boolean
}

/** The parts of the page around a control. */
export function surroundingsOf(control: Element, snapshot: PageSnapshot): Surroundings {
  const { visibility } = snapshot
  const isUpTo = (box: Element, most: number): boolean =>
    visibility.visibleText(box, undefined, most + 1).length <= most
  const dialog = dialogAround(control, snapshot)
  if (dialog) return { box: isUpTo(dialog, mostInside) ? dialog : undefined, group: dialog, isDialog: true }
  let box: Element | undefined
  for (let up = parentOf(control); up && !isTag(up, 'body', 'html'); up = parentOf(up)) {
    const isRow = up.matches(rowSelector)
    if (!isUpTo(up, isRow ? mostInside : mostAround)) break
    box = up
    if (isRow) break
  }
  const form = ancestor(control, (above) => isTag(above, 'form'))
  return { box, group: form ?? box, isDialog: false }
}

/** The amounts in the nearest part of the page around the control that has some. */
function amountsBeside(control: Element, { visibility }: PageSnapshot): readonly string[] {
  for (let up = parentOf(control); up && !isTag(up, 'html'); up = parentOf(up)) {
    const text = visibility.visibleText(up, (one) => one.matches(ticking), mostInside)
    const found = text.match(money) ?? []
    if (found.length > 0) return found.length > mostAmounts ? [] : found.map((one) => one.trim())
    if (text.length >= mostInside) break
  }
  return []
}

/** Characters of a line that is quoted. */
const longestLine = 80
/** The levels of boxes around a control in which a line is looked for. */
const nearLevels = 6

/**
 * The line of text with an amount of money that a person reads last before the control, in the part of the page around
 * it; else the first after it. Redacted; undefined if there is none, or if the control itself names an amount.
 */
export function amountLine(control: Element, { visibility, redact }: PageSnapshot): string | undefined {
  const textOf = (one: Element): string => visibility.visibleText(one, (inner) => inner.matches(ticking), mostInside)
  const has = (text: string): boolean => text.search(money) >= 0
  if (has(textOf(control))) return undefined
  /** The innermost line of a box, from its end or from its beginning. A label and its amount are often two boxes. */
  const lineIn = (box: Element, from: 'start' | 'end'): string | undefined => {
    const text = textOf(box)
    if (!has(text)) return undefined
    if (text.length <= longestLine && (text.match(money)?.length ?? 0) === 1) return text
    const inner = visibility.children(box).filter(isElement)
    const ordered = from === 'end' ? inner.toReversed() : inner
    for (const one of ordered) {
      const found = lineIn(one, from)
      if (found !== undefined) return found
    }
    return undefined
  }
  let from: Element = control
  for (let level = 0, up = parentOf(control); up && level < nearLevels && !isTag(up, 'body', 'html'); level++) {
    const around = visibility.children(up).filter(isElement)
    const at = around.indexOf(from)
    const before = around
      .slice(0, Math.max(0, at))
      .toReversed()
      .map((one) => lineIn(one, 'end'))
    const after = around.slice(at + 1).map((one) => lineIn(one, 'start'))
    const line = [...before, ...after].find((one) => one !== undefined)
    if (line !== undefined) return redact(line)
    if (up.matches(wholeParts)) return undefined
    from = up
    up = parentOf(up)
  }
  return undefined
}

/** Where the part of the page ends that a control is about. */
const wholeParts = 'section,fieldset,article,dialog,form,main,tr,li,[role=dialog],[role=row]'

/** What stands directly beside a control in a large part of the page. */
function textBeside(control: Element, { visibility }: PageSnapshot): string {
  const { previousElementSibling: before, nextElementSibling: after } = control
  return [before, after]
    .filter((one) => one !== null)
    .map((one) => visibility.visibleText(one, (inner) => inner.matches(ticking), mostAround))
    .filter((text) => text.length < mostAround)
    .join(' ')
}

/** What a person reads around a control, redacted, without the values of `fields`, which are compared by themselves. */
export function readAround(
  control: Element,
  { box }: Surroundings,
  snapshot: PageSnapshot,
  fields: readonly { readonly members: readonly Element[] }[],
): string {
  const { visibility, redact } = snapshot
  const values = new Set(fields.flatMap(({ members }) => members))
  const skip = (one: Element): boolean => one.matches(ticking) || values.has(one)
  const text = box ? visibility.visibleText(box, skip) : textBeside(control, snapshot)
  const described = byIds(control, 'aria-describedby').map((one) => visibility.visibleText(one, undefined, mostAround))
  const heading = headingAround(control, snapshot) ?? ''
  const parts = [heading, ...described, ...amountsBeside(control, snapshot)].filter((part) => !text.includes(part))
  return redact([text, ...parts].filter((part) => part !== '').join(' · '))
}

// Makes the hashes useless outside of this page.
const salt = Math.random()
const hashOf = (element: Element, content: unknown): UnseenValue => ({
  element,
  hash: fingerprint(JSON.stringify([salt, content])),
})

/** Hashes of what the controls of a form send in addition to what is shown. `open`: those that the question shows. */
export function unseenInForm(
  form: HTMLFormElement,
  button: HTMLElement | null,
  open: ReadonlySet<Element>,
): readonly UnseenValue[] {
  return [...unclobbered(form).elements].flatMap((element) => {
    const isButton =
      isTag(element, 'button') || (isTag(element, 'input') && /^(submit|button|reset|image)$/.test(element.type))
    if (isButton ? element !== button : !isTag(element, 'input', 'select', 'textarea')) return customValue(element)
    return [hashOfControl(element as HTMLInputElement, open.has(element), isButton)]
  })
}

function hashOfControl(
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement,
  isOpen: boolean,
  isButton: boolean,
): UnseenValue {
  const isToggle = isTickBox(control)
  // The shown part of a visible control is compared separately: its text, or which value is chosen.
  const content = [
    isOpen && !isButton && !isToggle ? '' : control.value,
    isToggle && !isOpen && control.checked,
    isTag(control, 'select') ? [...control.options].map(({ value, selected }) => [value, !isOpen && selected]) : [],
    isTag(control, 'input')
      ? [...(control.files ?? [])].map(({ name, size, lastModified }) => [name, size, lastModified])
      : [],
  ]
  return hashOf(control, [control.name, control.matches(':disabled'), content])
}

/** What a custom element holds, as far as it says so by its property, as form controls do. */
function customValue(element: Element): UnseenValue[] {
  if (!element.localName.includes('-')) return []
  try {
    const { value, checked } = element as { value?: unknown; checked?: unknown }
    const content = [value, checked].filter((one) => /^(string|number|boolean)$/.test(typeof one))
    return content.length > 0 ? [hashOf(element, content)] : []
  } catch {
    return [] // The property is of the page, and fails.
  }
}

/** The same of what is in no form: fields that are hidden or private, and custom elements. */
export function unseenInBox(box: Element, open: ReadonlySet<Element>): readonly UnseenValue[] {
  return [...elementsUnder(box)].flatMap((element) =>
    isTag(element, 'input', 'select', 'textarea')
      ? [
          hashOfControl(
            element,
            open.has(element),
            isTag(element, 'input') && /^(button|submit|reset)$/.test(element.type),
          ),
        ]
      : customValue(element),
  )
}

/** Whether a field is in a part of the page, or belongs to it by its attribute `form`. */
export const belongsTo = (field: Element, group: Element): boolean =>
  isWithin(field, group) || (field as Partial<HTMLInputElement>).form === group
