// The outline of a page: one indented line per item, dialogs first. The walk is synchronous, so that a page that keeps
// changing cannot prolong it.
import { unclobbered } from '../../core/data/unclobbered.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { ancestor, elementsUnder, frameDocument, isElement, isTag, parentOf } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { Field } from './form-fields.js'
import { fieldsUnder } from './form-fields.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import type { Refs } from '../dom/element-refs.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled, isReadOnly, isRequired } from '../dom/field-state.js'
import { shortTargets } from '../dom/short-targets.js'
import { describeBox, hint, joinDays, looksClickable, pieces, whyOpaque } from './clickables.js'
import { addTable } from './data-tables.js'
import { fieldErrorOf, fieldValueOf, optionsOf } from './field-values.js'
import { isAction, isDay, isSpace, quote, statesOf } from './outline-item.js'
import type { ControlLine, OutlineContext, OutlineItem } from './outline-item.js'

/** Landmarks that are listed even without a name. */
const unnamed = /^(main|navigation|(alert)?dialog|alert|form|search|banner|contentinfo)$/
const landmarks = new RegExp(
  `${unnamed.source}|^(complementary|region|status|(radio)?group|tablist|menu(bar)?|toolbar|tree|listbox|article)$`,
)
const mostItems = 6000
/** This many addresses of links are listed in full. Later ones are shortened. */
const fewTargets = 10
const deepest = 300
/** Numbers of a calendar's days. */
const fewestDays = 28

/** What to outline. */
export interface OutlineOptions {
  /** Only the visible contents of this element are listed. */
  readonly root: Element
  /** Must be new or of the same snapshot, because it caches the state of the page. */
  readonly visibility: Visibility
  /** Where the elements get the refs that the lines show. */
  readonly refs: Refs
  /** @default the fields under the root */
  readonly fields?: readonly Field[]
  /**
   * If given, the target of several links is listed with the first of them only, and targets are shortened if there are
   * more than a few. Removes private values, of which a shortened target could keep a part.
   */
  readonly redact?: ((text: string) => string) | undefined
}

/** The target of a link: a path on this origin, a full URL elsewhere; only the scheme of scripts and data. Redacted. */
export function controlTargetOf(link: Element): string {
  const written = link.getAttribute('href') ?? ''
  if (written === '' || written.startsWith('#')) return normalizeText(written)
  try {
    const url = new URL(written, unclobbered(link.ownerDocument).baseURI)
    if (!/^(https?|mailto|tel|file):$/.test(url.protocol)) return url.protocol
    return redactedUrl(url.href)
  } catch {
    return normalizeText(truncate(written, 200)) // Not a valid URL: show it as it is written.
  }
}

/** A field as one line: role, unique label, ref, states, options, value. */
export function fieldLine(field: Field, refs: Refs, visibility: Visibility): string {
  const { element, members, type } = field
  const value = fieldValueOf(field, visibility)
  const flags: string[] = []
  const role = type === 'radio' ? 'radiogroup' : (roleOf(element) ?? 'textbox')
  if (['date', 'time', 'datetime-local', 'month', 'week', 'color', 'file', 'password'].includes(type)) flags.push(type)
  if (field.secret) flags.push('private', String(value))
  else if (type === 'file') flags.push(String(value))
  if (type === 'checkbox' || type === 'switch') {
    if (value === true) flags.push('checked')
    else if (value === 'mixed') flags.push('mixed')
  }
  if (members.some(isRequired)) flags.push('required')
  if (members.every(isDisabled)) flags.push('disabled')
  if (isReadOnly(element)) flags.push('readonly')
  const error = fieldErrorOf(field, visibility)
  if (error) flags.push(error === 'invalid' ? error : `invalid: ${error}`)
  const options = field.secret
    ? []
    : optionsOf(field, visibility)
        .filter((option) => !option.disabled)
        .map((option) => option.label)
  if (options.length > 0 && (options.length > 1 || options[0] !== field.label)) {
    flags.push(
      `options: ${options.slice(0, 30).join(' | ')}${options.length > 30 ? ` | and ${options.length - 30} more` : ''}`,
    )
  }
  const shownValue =
    field.secret || typeof value === 'boolean' || type === 'file' || type === 'checkbox'
      ? ''
      : normalizeText(Array.isArray(value) ? value.join(', ') : String(value))
  return (
    `${role} ${quote(field.label)} [ref=${refs.refFor(element, visibility)}]` +
    `${flags.map((flag) => ` [${flag}]`).join('')}${shownValue ? `: ${truncate(shownValue, 500)}` : ''}`
  )
}

const nestedControls = 'a,button,input,select,textarea,[role],[contenteditable]'
/** What an item of a menu or tree contains besides its own text. */
export const submenus = 'ul,[role=group],[role=menu]'
/**
 * The outline of a part of the page. `whole` is false if there are more items than the limit. `isShortened` if targets
 * were shortened.
 */
export function outline({ root, visibility, refs, fields = fieldsUnder(root, visibility), redact }: OutlineOptions): {
  items: OutlineItem[]
  whole: boolean
  isShortened: boolean
} {
  const items: OutlineItem[] = []
  const fieldOf = new Map(fields.map((field) => [field.element as Element, field]))
  const members = new Set<Element>(fields.flatMap((field) => field.members))
  let text: string[] = []
  // Inside a heading or the label of a field, whose text is already part of an item.
  let isTextSuppressed = false
  // Inside a control of this name. Only other controls are listed there.
  let controlName: string | undefined
  // The name of a box, which is also its first text.
  let boxName = ''
  const numbers = new Map<OutlineItem, Element>()
  // What the lines of links show, because a link may be described twice.
  const shownTargets = new Map<Element, string>()
  const targets = new Set<string>()
  const shorten = redact ? shortTargets(fewTargets) : undefined
  let isShortened = false
  const opaque = new Set<OutlineItem | undefined>()

  const add: OutlineContext['add'] = (depth, line, kind, element) => {
    flush(depth)
    const item = { depth, line: `- ${line}`, kind }
    items.push(item)
    if (element && isDay(element)) numbers.set(item, element)
  }
  const flush = (depth: number): void => {
    if (text.length === 0) return
    const line = normalizeText(text.join(''))
    text = []
    if (/[\p{L}\p{N}]/u.test(line) && line !== boxName)
      for (const piece of pieces(line)) add(depth, `text: ${piece}`, 'text')
  }
  const isPicked = (element: Element): boolean =>
    looksClickable(element, visibility) && !isFieldLabel(element) && visibility.isShown(element)

  /** The name of a control. That of a menu item is without its submenu. */
  function actionName(element: Element, role: string): string {
    const own =
      role.endsWith('item') && element.querySelector(submenus)
        ? visibility.visibleText(element, (inner) => inner.matches(submenus))
        : ''
    return (
      truncate(own, 120) ||
      accessibleNameOf(element, visibility) ||
      truncate(visibility.visibleText(element), 200) ||
      hint(element, visibility)
    )
  }
  function shownTargetOf(link: Element, name: string): string {
    const known = shownTargets.get(link)
    if (known !== undefined) return known
    const target = controlTargetOf(link)
    let shown = target
    if (redact) {
      const isRepeated = targets.has(target)
      targets.add(target)
      shown = isRepeated ? '' : (shorten?.(redact(target), name) ?? target)
      isShortened ||= !isRepeated && shown !== target
    }
    shownTargets.set(link, shown)
    return shown
  }
  function actionLine(element: Element, role: string, name = actionName(element, role)): string {
    const target = isTag(element, 'a', 'area') && element.hasAttribute('href') ? shownTargetOf(element, name) : ''
    const leads = target && ` -> ${target}`
    return `${role} ${quote(name)} [ref=${refs.refFor(element, visibility)}]${statesOf(element)}${leads}`
  }
  function visitAction(element: Element, role: string, depth: number, level: number): void {
    const name = actionName(element, role)
    const around = controlName
    // A link inside a menu item that has no other text is the same control.
    if (name !== around) add(depth, actionLine(element, role, name), 'control', element)
    controlName = name
    if (element.shadowRoot || element.querySelector(nestedControls))
      withoutText(() => visitChildren(element, depth + 1, level))
    controlName = around
  }

  function boxLine(element: Element): ControlLine | undefined {
    return isPicked(element) ? describeBox(element, context) : undefined
  }
  const context: OutlineContext = {
    visibility,
    refOf: (element) => refs.refFor(element, visibility),
    add,
    isField: (element) => members.has(element) || fieldOf.has(element),
    controlIn(element) {
      const field = fieldOf.get(element)
      if (field) return { line: fieldLine(field, refs, visibility) }
      const role = roleOf(element)
      return isAction(role) && !members.has(element)
        ? { line: visibility.isShown(element) ? actionLine(element, role) : '' }
        : boxLine(element)
    },
  }
  /** A link with invisible text only. Unlike a button, it has no frame that is visible. */
  const isBlank = (link: Element): boolean =>
    link.childElementCount === 0 &&
    visibility.level(link) !== 'visible' &&
    visibility.style(link).backgroundImage === 'none'

  /** Adds a field. Returns whether its contents need no visit: only the buttons of an ARIA radio group do. */
  function visitField(field: Field, node: Element, depth: number): boolean {
    add(depth, fieldLine(field, refs, visibility), 'control')
    return field.type !== 'radio' || isTag(node, 'input')
  }

  function visitFrame(frame: HTMLIFrameElement, depth: number, level: number): void {
    flush(depth)
    if (visibility.isShown(frame)) {
      const name = quote(accessibleNameOf(frame, visibility))
      if (frameDocument(frame)) {
        add(depth, `iframe ${name} [ref=${refs.refFor(frame, visibility)}]`, 'container')
        visitChildren(frame, depth + 1, level)
      } else {
        add(depth, `iframe ${name} [not readable: ${whyOpaque(frame)}]`, 'container')
        opaque.add(items.at(-1))
      }
    }
    flush(depth + 1)
  }

  function visitHeading(heading: Element, depth: number, level: number): void {
    flush(depth)
    const title =
      visibility.visibleText(heading) ||
      (visibility.level(heading) === 'visible' ? accessibleNameOf(heading, visibility) : '')
    const rank = heading.getAttribute('aria-level') ?? /^h([1-6])$/.exec(heading.localName)?.[1]
    if (title !== '')
      add(depth, `heading ${quote(truncate(title, 300))}${rank ? ` [level=${normalizeText(rank)}]` : ''}`, 'heading')
    // Controls in a heading have items of their own; its text does not.
    withoutText(() => visitChildren(heading, depth + 1, level))
  }

  function visitImage(image: Element, depth: number): void {
    if (isTextSuppressed || !visibility.isShown(image)) return
    const name = accessibleNameOf(image, visibility)
    if (name === '') return
    add(depth, `img ${quote(name)}`, 'text')
  }

  /** Adds a landmark or group if it has a name, or needs none. Returns the depth of its contents. */
  function visitContainer(node: Element, role: string | null, depth: number): number {
    if (role === null || !landmarks.test(role)) return depth
    const name = accessibleNameOf(node, visibility)
    if ((name === '' && !unnamed.test(role)) || !visibility.hasBox(node))
      return role === 'menu' && ancestor(parentOf(node), (up) => roleOf(up)?.startsWith('menu') === true)
        ? depth + 1
        : depth
    const ref = /^(alert|status)$/.test(role) ? '' : ` [ref=${refs.refFor(node, visibility)}]`
    add(depth, `${role}${name ? ` ${quote(name)}` : ''}${ref}`, 'container')
    return depth + 1
  }

  /** Whether its text is part of the label of a field, which has an item of its own. */
  const isFieldLabel = (node: Element): boolean =>
    isTag(node, 'legend') ||
    (isTag(node, 'label') && node.control !== null && (members.has(node.control) || fieldOf.has(node.control)))

  const isPartOfField = (node: Element): boolean =>
    (members.has(node) || isTag(node, 'input', 'select', 'textarea', 'datalist')) &&
    !(isTag(node, 'input') && /^(submit|button|reset|image)$/.test(node.type))

  function withoutText(step: () => void): void {
    const before = isTextSuppressed
    isTextSuppressed = true
    step()
    isTextSuppressed = before
  }

  function visitChildren(node: Element, depth: number, level: number): void {
    for (const child of visibility.children(node)) visit(child, depth, level + 1)
  }

  /** `depth` is the indentation of the items, `level` the depth in the tree. */
  function visit(node: Element | Text, depth: number, level: number): void {
    if (items.length >= mostItems || level > deepest) return
    if (!isElement(node)) {
      if (!isTextSuppressed && (isSpace(node) ? text.length > 0 : visibility.isTextVisible(node))) text.push(node.data)
      return
    }
    if (dialogs.has(node)) return
    const field = fieldOf.get(node)
    if ((field && visitField(field, node, depth)) || isPartOfField(node)) return
    if (
      node.getAttribute('aria-hidden') === 'true' &&
      !fields.some(({ element }) => node.contains(element)) &&
      (normalizeText(node.textContent ?? '') !== '' || !isPicked(node))
    )
      return
    if (isTag(node, 'iframe')) return visitFrame(node, depth, level)
    const role = roleOf(node)
    if (isAction(role) && visibility.isShown(node)) {
      if (role !== 'link' || !isBlank(node)) visitAction(node, role, depth, level)
      return
    }
    if (controlName !== undefined) return visitChildren(node, depth, level)
    const box = boxLine(node)
    if (box) {
      add(depth++, box.line, role === 'heading' ? 'heading' : 'control', node)
      if (!box.hasContents) return
      if (box.hasText) return withoutText(() => visitChildren(node, depth, level))
      boxName = box.name ?? ''
    }
    if (role === 'heading') return visitHeading(node, depth, level)
    if (role === 'img') return visitImage(node, depth)
    if (role !== null && /^(table|(tree)?grid)$/.test(role) && addTable(node, depth, context)) return
    const inner = visitContainer(node, role, depth)
    const isBlock = visibility.isBlock(node)
    const separate = (): void => {
      if (isBlock) flush(inner)
      else if (text.length > 0 && visibility.isApart(node)) text.push(' ')
    }
    separate()
    if (isFieldLabel(node)) withoutText(() => visitChildren(node, inner, level))
    else visitChildren(node, inner, level)
    separate()
    if (box) boxName = ''
  }

  // Dialogs come first. The walk over the page skips them.
  const dialogs = new Set<Element>()
  for (const element of elementsUnder(root, visibility.children)) {
    if (
      element.matches('dialog[open],[role=dialog],[role=alertdialog]') &&
      element !== root &&
      visibility.isShown(element) &&
      !ancestor(parentOf(element), (above) => dialogs.has(above))
    )
      dialogs.add(element)
  }
  for (const dialog of Array.from(dialogs)) {
    dialogs.delete(dialog)
    visit(dialog, 0, 0)
    flush(0)
    dialogs.add(dialog)
  }
  visit(root, 0, 0)
  flush(0)
  const whole = items.length < mostItems
  const all = withoutEmpty(items, opaque)
  return { items: numbers.size < fewestDays ? all : joinDays(all, numbers, context), whole, isShortened }
}

/** Removes containers without contents, except those of frames that cannot be read. */
function withoutEmpty(items: readonly OutlineItem[], opaque: ReadonlySet<OutlineItem | undefined>): OutlineItem[] {
  const kept: OutlineItem[] = []
  for (let index = items.length - 1, below = 0; index >= 0; index--) {
    const item = items[index]
    if (!item || (item.kind === 'container' && below <= item.depth && !opaque.has(item))) continue
    kept.push(item)
    below = item.depth
  }
  return kept.reverse()
}
