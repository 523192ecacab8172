// The outline of a page: one indented line per item, dialogs first. The walk is synchronous, so that a page that keeps
// changing cannot prolong it. Over 300 lines because all kinds of node share the state of one walk.
import { unclobbered } from '../../core/data/unclobbered.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { ancestor, childrenOf, elementsUnder, frameDocument, isElement, isTag, parentOf } from '../dom/dom.js'
import { normalizeText, collapseSpaces, truncate } from '../dom/text.js'
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

const quote = (text: string): string => `"${text.replaceAll('"', "'")}"`
const landmarks = new Set([
  'main',
  'navigation',
  'banner',
  'contentinfo',
  'complementary',
  'search',
  'form',
  'region',
  'dialog',
  'alertdialog',
  'alert',
  'status',
  'group',
  'radiogroup',
  'tablist',
  'menu',
  'menubar',
  'toolbar',
  'tree',
  'listbox',
  'article',
])
/** Landmarks that are listed even without a name. */
const unnamed = new Set([
  'main',
  'navigation',
  'dialog',
  'alertdialog',
  'alert',
  'form',
  'search',
  'banner',
  'contentinfo',
])
const actions = new Set([
  'button',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'option',
  'treeitem',
  'radio',
  'checkbox',
  'switch',
])
const mostItems = 6000
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

function states(element: Element): string {
  const found: string[] = []
  const is = (name: string): boolean => element.getAttribute(`aria-${name}`) === 'true'
  const expanded =
    element.getAttribute('aria-expanded') ??
    (isTag(element, 'summary') && isTag(element.parentElement, 'details') ? String(element.parentElement.open) : null)
  if (expanded !== null) found.push(expanded === 'true' ? 'expanded' : 'collapsed')
  if (is('selected')) found.push('selected')
  if (is('pressed')) found.push('pressed')
  if (is('checked')) found.push('checked')
  const current = element.getAttribute('aria-current')
  if (current && current !== 'false') found.push('current')
  if (isDisabled(element)) found.push('disabled')
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

/** Splits a long text after a sentence, or else after a word. */
function pieces(text: string, most = 600): string[] {
  const found: string[] = []
  while (text.length > most) {
    const part = text.slice(0, most)
    const end = Math.max(part.search(/[.!?。！？]\s[^.!?。！？]*$/) + 1, 0) || part.lastIndexOf(' ') || most
    found.push(text.slice(0, end > 0 ? end : most).trim())
    text = text.slice(end > 0 ? end : most).trim()
  }
  if (text !== '') found.push(text)
  return found
}

/**
 * Whether a table holds data and is not used for layout: its markup says so, or it has several rows and columns and no
 * form.
 */
function isDataTable(table: Element): boolean {
  // Long cells are read as text: a row is one item, and items are never truncated.
  if (
    /^(table|grid|treegrid)$/.test(roleOf(table) ?? '') &&
    [...table.querySelectorAll('td,[role=cell],[role=gridcell]')].some((cell) => (cell.textContent ?? '').length > 1500)
  )
    return false
  const role = table.getAttribute('role')
  if (role) return /^(table|grid|treegrid)$/.test(role)
  if (!isTag(table, 'table')) return false
  if (table.caption || table.tHead || table.querySelector('th')) return table.querySelector('table') === null
  return (
    table.rows.length > 1 &&
    (table.rows[0]?.cells.length ?? 0) > 1 &&
    table.querySelector('table,input,select,textarea,h1,h2,h3,p p') === null
  )
}

/** The outline of a part of the page. `whole` is false if there are more items than the limit. */
export function outline({ root, visibility, refs, fields = fieldsUnder(root, visibility) }: OutlineOptions): {
  items: OutlineItem[]
  whole: boolean
} {
  const items: OutlineItem[] = []
  const fieldOf = new Map(fields.map((field) => [field.element as Element, field]))
  const members = new Set<Element>(fields.flatMap((field) => field.members))
  let text: string[] = []
  // Inside a heading or the label of a field, whose text is already part of an item.
  let isTextSuppressed = false
  const opaque = new Set<OutlineItem | undefined>()

  const add = (depth: number, line: string, kind: OutlineItem['kind']): void => {
    items.push({ depth, line: `- ${line}`, kind })
  }
  const flush = (depth: number): void => {
    const line = normalizeText(text.join(''))
    text = []
    if (/[\p{L}\p{N}]/u.test(line)) for (const piece of pieces(line)) add(depth, `text: ${piece}`, 'text')
  }
  const isAction = (element: Element, role: string | null): boolean =>
    (role !== null && actions.has(role)) ||
    isTag(element, 'summary') ||
    (element.hasAttribute('onclick') &&
      !isTag(element, 'body', 'form', 'label') &&
      visibility.style(element).cursor === 'pointer')

  function actionLine(element: Element, role: string | null): string {
    const name =
      accessibleNameOf(element, visibility) || truncate(visibility.visibleText(element), 200) || nameOfPicture(element)
    const target = isTag(element, 'a', 'area') && element.hasAttribute('href') ? controlTargetOf(element) : ''
    const ref = refs.refFor(element, visibility)
    return `${role ?? 'button'} ${quote(name)} [ref=${ref}]${states(element)}${target ? ` -> ${target}` : ''}`
  }
  /** A link with invisible text only. Unlike a button, it has no frame that is visible. */
  const isBlank = (link: Element): boolean =>
    link.childElementCount === 0 &&
    visibility.level(link) !== 'visible' &&
    visibility.style(link).backgroundImage === 'none'
  const nameOfPicture = (element: Element): string => {
    const picture = element.querySelector('img[alt],[aria-label],svg title')
    return picture ? accessibleNameOf(picture, visibility) : ''
  }

  /** The text of a table cell with its controls inside. */
  function cellText(cell: Element): string {
    const parts: string[] = []
    const visit = (node: Element | Text, depth: number): void => {
      if (!isElement(node)) {
        if (visibility.isTextVisible(node)) parts.push(collapseSpaces(node.data))
        return
      }
      if (depth > deepest || node.getAttribute('aria-hidden') === 'true') return
      const field = fieldOf.get(node)
      if (field) {
        parts.push(` ${fieldLine(field, refs, visibility)} `)
        return
      }
      const role = roleOf(node)
      if (isAction(node, role) && !members.has(node)) {
        if (visibility.isShown(node)) parts.push(` ${actionLine(node, role)} `)
        return
      }
      if (role === 'img' && visibility.isShown(node)) parts.push(` ${accessibleNameOf(node, visibility)} `)
      const gap = visibility.isBlock(node)
      if (gap) parts.push(' ')
      for (const child of childrenOf(node)) visit(child, depth + 1)
      if (gap) parts.push(' ')
    }
    // An editable cell is a field itself.
    if (fieldOf.has(cell)) visit(cell, 0)
    else for (const child of childrenOf(cell)) visit(child, 0)
    return parts.join('').replace(/\s+/g, ' ').trim()
  }
  function table(element: Element, depth: number): void {
    flush(depth)
    add(
      depth,
      `table ${quote(accessibleNameOf(element, visibility))} [ref=${refs.refFor(element, visibility)}]`,
      'container',
    )
    const rows =
      isTag(element, 'table') && !element.hasAttribute('role')
        ? [...element.rows]
        : [...element.querySelectorAll('[role=row],tr')]
    const own = rows.filter(
      (row) => row.closest('table,[role=table],[role=grid],[role=treegrid]') === element && visibility.isShown(row),
    )
    for (const row of own) {
      const cells = isTag(row, 'tr')
        ? [...row.cells]
        : [...row.children].filter((cell) => /^(cell|gridcell|columnheader|rowheader)$/.test(roleOf(cell) ?? ''))
      const head = cells.length > 0 && cells.every((cell) => cell.localName === 'th' || roleOf(cell) === 'columnheader')
      const sorted = (cell: Element): string => {
        const order = cell.getAttribute('aria-sort')
        return order && order !== 'none' ? ` [${normalizeText(order)}]` : ''
      }
      add(
        depth + 1,
        `${head ? 'header' : 'row'}${states(row)}: ${cells
          .filter((cell) => visibility.hasBox(cell))
          .map((cell) => cellText(cell) + sorted(cell))
          .join(' | ')}`,
        'table',
      )
    }
  }

  /** Adds a field. Returns whether its contents need no visit: only the buttons of an ARIA radio group do. */
  function visitField(field: Field, node: Element, depth: number): boolean {
    flush(depth)
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
    flush(depth)
    add(depth, `img ${quote(name)}`, 'text')
  }

  /** Adds a landmark or group if it has a name, or needs none. Returns the depth of its contents. */
  function visitContainer(node: Element, role: string | null, depth: number): number {
    if (role === null || !landmarks.has(role)) return depth
    const name = accessibleNameOf(node, visibility)
    if ((name === '' && !unnamed.has(role)) || !visibility.hasBox(node)) return depth
    flush(depth)
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
    for (const child of childrenOf(node)) visit(child, depth, level + 1)
  }

  /** `depth` is the indentation of the items, `level` the depth in the tree. */
  function visit(node: Element | Text, depth: number, level: number): void {
    if (items.length >= mostItems || level > deepest) return
    if (!isElement(node)) {
      if (!isTextSuppressed && visibility.isTextVisible(node)) text.push(node.data)
      return
    }
    if (dialogs.has(node)) return
    const field = fieldOf.get(node)
    if ((field && visitField(field, node, depth)) || isPartOfField(node)) return
    if (node.getAttribute('aria-hidden') === 'true' && !fields.some(({ element }) => node.contains(element))) return
    if (isTag(node, 'iframe')) return visitFrame(node, depth, level)
    const role = roleOf(node)
    if (isAction(node, role) && visibility.isShown(node)) {
      if (role === 'link' && isBlank(node)) return
      flush(depth)
      add(depth, actionLine(node, role), 'control')
      return
    }
    if (role === 'heading') return visitHeading(node, depth, level)
    if (role === 'img') return visitImage(node, depth)
    if (isDataTable(node)) {
      if (visibility.hasBox(node)) table(node, depth)
      return
    }
    const inner = visitContainer(node, role, depth)
    const isBlock = visibility.isBlock(node)
    if (isBlock) flush(inner)
    if (isFieldLabel(node)) withoutText(() => visitChildren(node, inner, level))
    else visitChildren(node, inner, level)
    if (isBlock) flush(inner)
  }

  // Dialogs come first. The walk over the page skips them.
  const dialogs = new Set<Element>()
  for (const element of elementsUnder(root)) {
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
  return { items: withoutEmpty(items, opaque), whole: items.length < mostItems }
}

/** Why a frame cannot be read: nested too deep, another site, or a sandbox. */
function whyOpaque(frame: HTMLIFrameElement): string {
  if (frame.contentDocument) return 'too deep'
  const origin = URL.canParse(frame.src) ? new URL(frame.src).origin : 'null'
  if (origin !== 'null' && origin !== location.origin) return `another site, ${normalizeText(origin)}`
  return frame.hasAttribute('sandbox') ? 'sandboxed' : 'another site'
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
