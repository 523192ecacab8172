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
import { fieldErrorOf, isDisabled, isReadOnly, isRequired, optionsOf, fieldValueOf } from '../dom/field-state.js'

/** A line of the outline. */
export interface OutlineItem {
  /** Indentation, from 0. */
  readonly depth: number
  /** The whole line without indentation. Items are never truncated or split. */
  readonly line: string
  /** For filters and the diff after an action. A `table` is one row. */
  readonly kind: 'control' | 'heading' | 'text' | 'table' | 'container'
}

/** Quotes a name. */
export const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`
/** Landmarks that are listed even without a name. */
const unnamed = /^(main|navigation|(alert)?dialog|alert|form|search|banner|contentinfo)$/
const landmarks = new RegExp(
  `${unnamed.source}|^(complementary|region|status|(radio)?group|tablist|menu(bar)?|toolbar|tree|listbox|article)$`,
)
const actions = /^(button|link|menuitem(checkbox|radio)?|tab|option|treeitem|radio|checkbox|switch)$/
/** Whether elements of the role are listed as controls. */
export const isAction = (role: string | null): role is string => role !== null && actions.test(role)
const mostItems = 6000
/** This many addresses of links are listed in full. Later ones are shortened. */
const fewTargets = 10
const deepest = 300

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
  /** Whether to stop when `provideClickables` is needed. @default false */
  readonly onlyWhole?: boolean
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

/** A control as a line of text. */
export interface ControlLine {
  /** '' if the control is not visible. */
  readonly line: string
  /** The name of a box, which may also be its first text. */
  readonly name?: string
  /** Whether the contents of a box have lines of their own. @default false */
  readonly hasContents?: boolean
  /** Whether the line has all text of the box, so that only the controls inside have lines. @default false */
  readonly hasText?: boolean
}

/** What `Clickables` needs of a running outline. */
export interface OutlineContext {
  readonly visibility: Visibility
  refOf(element: Element): string
  /** Adds an item. `element`: the control that it describes, if any. */
  add(depth: number, line: string, kind: OutlineItem['kind'], element?: Element): void
  isField(element: Element): boolean
  /** The line of a field, a control or a box that looks clickable; undefined for other elements. */
  controlIn(element: Element): ControlLine | undefined
}

/** Names and lines for elements whose markup does not say what they are. */
export interface Clickables {
  /** A name for an element without text: what its icon says, or its class in words; '' if there is nothing. */
  hint(element: Element, visibility: Visibility): string
  /**
   * Whether an element inside a clickable box, whose pointer cursor it shares, is a control of its own: by
   * its own cursor, a title of an icon, or its class.
   */
  isOwn(element: Element, visibility: Visibility): boolean
  /** A box that looks clickable; undefined if its contents tell enough. */
  describe(element: Element, context: OutlineContext): ControlLine | undefined
  /** Adds the items of a table. Returns false, and adds nothing, if it is used for layout. */
  addTable(table: Element, depth: number, context: OutlineContext): boolean
  /** Splits a text of more than 600 characters after a sentence, or else after a word. */
  pieces(text: string): string[]
  /** Shortens the targets of the links of one outline, after the first `few`. */
  shortTargets(few: number): (target: string, name: string) => string
  /** Why a frame cannot be read: nested too deep, another site, or a sandbox. */
  whyOpaque(frame: HTMLIFrameElement): string
  /** Joins the items of a calendar's days to one line. `numbers`: the items that may be days, and their elements. */
  joinDays(
    items: readonly OutlineItem[],
    numbers: ReadonlyMap<OutlineItem, Element>,
    context: OutlineContext,
  ): OutlineItem[]
}
let clickables: Clickables | undefined
/** Makes all later outlines complete. An outline without it tells by `isPartial` that it needs it. */
export const provideClickables = (loaded: Clickables): void => {
  clickables = loaded
}

const isList = /^(ul|ol|table|tbody)$/
/**
 * Whether a box looks clickable, whatever its role: a pointer cursor that its parent does not have, an inline listener,
 * a link without a target, a tab stop without a role.
 */
export function looksClickable(element: Element, visibility: Visibility): boolean {
  const isPointed = (one: Element): boolean => visibility.style(one).cursor === 'pointer'
  if (
    !(
      isPointed(element) ||
      element.hasAttribute('onclick') ||
      element.localName === 'a' ||
      element.hasAttribute('tabindex')
    ) ||
    isTag(element, 'html', 'body', 'form', 'legend', 'iframe') ||
    isList.test(element.localName)
  )
    return false
  const up = parentOf(element)
  return (
    (isPointed(element) &&
      (!up || isList.test(up.localName) || !isPointed(up) || clickables?.isOwn(element, visibility))) ||
    element.hasAttribute('onclick') ||
    (isTag(element, 'a') && element.textContent !== '' && !element.hasAttribute('name')) ||
    (Number(element.getAttribute('tabindex') ?? -1) >= 0 && roleOf(element) === null)
  )
}

/** The states of a control, each in brackets after a space. */
export function statesOf(element: Element): string {
  const found: string[] = []
  const is = (name: string, value = 'true'): boolean => element.getAttribute(`aria-${name}`) === value
  const expanded =
    element.getAttribute('aria-expanded') ??
    (isTag(element, 'summary') && isTag(element.parentElement, 'details') ? String(element.parentElement.open) : null)
  if (expanded !== null) found.push(expanded === 'true' ? 'expanded' : 'collapsed')
  if (is('selected')) found.push('selected')
  if (is('pressed')) found.push('pressed')
  if (is('checked')) found.push('checked')
  if (is('checked', 'mixed') || is('pressed', 'mixed')) found.push('mixed')
  const current = element.getAttribute('aria-current')
  if (current && current !== 'false') found.push('current')
  if (isDisabled(element)) found.push('disabled')
  const popUp = element.getAttribute('aria-haspopup') ?? ''
  if (/^(true|menu|listbox|tree|grid|dialog)$/.test(popUp)) found.push(`opens ${popUp.replace('true', 'menu')}`)
  return found.map((state) => ` [${state}]`).join('')
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

/** Whether it is white space between two elements, as a node of its own. */
export const isSpace = (node: Text): boolean => node.data.trim() === ''

const nestedControls = 'a,button,input,select,textarea,[role],[contenteditable]'
/** What an item of a menu or tree contains besides its own text. */
export const submenus = 'ul,[role=group],[role=menu]'
/** Whether its text is a day of a month. */
export const isDay = (element: Element): boolean => /^\s*([1-9]|[12]\d|3[01])\s*$/.test(element.textContent ?? '')

/**
 * The outline of a part of the page. `whole` is false if there are more items than the limit. `isPartial` if it needs
 * `provideClickables`. `isShortened` if targets were shortened.
 */
export function outline({
  root,
  visibility,
  refs,
  fields = fieldsUnder(root, visibility),
  redact,
  onlyWhole = false,
}: OutlineOptions): {
  items: OutlineItem[]
  whole: boolean
  isPartial: boolean
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
  let isPartial = false
  const numbers = new Map<OutlineItem, Element>()
  // What the lines of links show, because a link may be described twice.
  const shownTargets = new Map<Element, string>()
  const targets = new Set<string>()
  const shorten = redact ? clickables?.shortTargets(fewTargets) : undefined
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
      for (const piece of piecesOf(line)) add(depth, `text: ${piece}`, 'text')
  }
  const piecesOf = (line: string): string[] => {
    if (line.length <= 600) return [line]
    isPartial = true
    return clickables?.pieces(line) ?? [line]
  }
  const isPicked = (element: Element): boolean =>
    looksClickable(element, visibility) && !isFieldLabel(element) && visibility.isShown(element)

  /** The name of a control. That of a menu item is without its submenu. */
  function actionName(element: Element, role: string): string {
    const own =
      role.endsWith('item') && element.querySelector(submenus)
        ? visibility.visibleText(element, (inner) => inner.matches(submenus))
        : ''
    const name =
      truncate(own, 120) ||
      accessibleNameOf(element, visibility) ||
      truncate(visibility.visibleText(element), 200) ||
      clickables?.hint(element, visibility)
    if (!name) isPartial = true
    return name ?? ''
  }
  function shownTargetOf(link: Element, name: string): string {
    const known = shownTargets.get(link)
    if (known !== undefined) return known
    const target = controlTargetOf(link)
    let shown = target
    if (redact) {
      const isRepeated = targets.has(target)
      targets.add(target)
      if (targets.size > fewTargets) isPartial = true
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
    if (!isPicked(element)) return undefined
    isPartial = true
    return clickables?.describe(element, context)
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
        isPartial = true
        add(depth, `iframe ${name} [not readable: ${clickables?.whyOpaque(frame)}]`, 'container')
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
    if (items.length >= mostItems || level > deepest || (onlyWhole && isPartial && !clickables)) return
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
    if (role !== null && /^(table|(tree)?grid)$/.test(role)) {
      isPartial = true
      if (clickables?.addTable(node, depth, context)) return
    }
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
  if (numbers.size < 28) return { items: all, whole, isPartial: isPartial && !clickables, isShortened }
  return { items: clickables?.joinDays(all, numbers, context) ?? all, whole, isPartial: !clickables, isShortened }
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
