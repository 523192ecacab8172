// The outline of a page: one line an item, indented, each item whole. Dialogs stand first, because they are what a
// person has to deal with. The walk is one synchronous pass, so a page that changes all the time cannot prolong it.
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

export interface OutlineItem {
  readonly depth: number
  readonly line: string
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

export interface OutlineOptions {
  readonly root: Element
  readonly visibility: Visibility
  readonly refs: Refs
  readonly fields?: readonly Field[]
}

/** Where a link leads: a path on this origin, a whole address elsewhere; scripts and data only by their scheme. */
export function controlTargetOf(link: Element): string {
  const written = link.getAttribute('href') ?? ''
  if (written === '' || written.startsWith('#')) return normalizeText(written)
  try {
    const url = new URL(written, unclobbered(link.ownerDocument).baseURI)
    if (!/^(https?|mailto|tel|file):$/.test(url.protocol)) return url.protocol
    return redactedUrl(url.href)
  } catch {
    return normalizeText(truncate(written, 200)) // Not an address: shown as it is written.
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

/** A field as one line: role, unique label, ref, states, value, options. */
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
  const told =
    field.secret || typeof value === 'boolean' || type === 'file' || type === 'checkbox'
      ? ''
      : normalizeText(Array.isArray(value) ? value.join(', ') : String(value))
  return `${role} ${quote(field.label)} [ref=${refs.refFor(element, visibility)}]${flags.map((flag) => ` [${flag}]`).join('')}${told ? `: ${truncate(told, 500)}` : ''}`
}

/** Long text in pieces that end where a sentence or a word does. */
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

/** Rows of data, not boxes for layout: it says so, or it has several rows and columns without a form among them. */
function isDataTable(table: Element): boolean {
  // Cells that hold whole texts are read as texts: a row is one item, and items are never cut.
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

export function outline({ root, visibility, refs, fields = fieldsUnder(root, visibility) }: OutlineOptions): {
  items: OutlineItem[]
  whole: boolean
} {
  const items: OutlineItem[] = []
  const fieldOf = new Map(fields.map((field) => [field.element as Element, field]))
  const members = new Set<Element>(fields.flatMap((field) => field.members))
  let text: string[] = []
  let suppress: Element | null = null

  const add = (depth: number, line: string, kind: OutlineItem['kind']): void => {
    items.push({ depth, line: `- ${line}`, kind })
  }
  const flush = (depth: number): void => {
    const said = normalizeText(text.join(''))
    text = []
    if (said !== '' && /[\p{L}\p{N}]/u.test(said))
      for (const piece of pieces(said)) add(depth, `text: ${piece}`, 'text')
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
    return `${role ?? 'button'} ${quote(name)} [ref=${refs.refFor(element, visibility)}]${states(element)}${target ? ` -> ${target}` : ''}`
  }
  /** Nothing but a text in a colour that nobody sees: unlike a button it has no frame to be seen by. */
  const isBlank = (link: Element): boolean =>
    link.childElementCount === 0 &&
    visibility.level(link) !== 'visible' &&
    visibility.style(link).backgroundImage === 'none'
  const nameOfPicture = (element: Element): string => {
    const picture = element.querySelector('img[alt],[aria-label],svg title')
    return picture ? accessibleNameOf(picture, visibility) : ''
  }

  /** A cell as running text with its controls in it. */
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

  function visit(node: Element | Text, depth: number, deep: number): void {
    if (items.length >= mostItems || deep > deepest) return
    if (!isElement(node)) {
      if (!suppress && visibility.isTextVisible(node)) text.push(node.data)
      return
    }
    if (dialogs.has(node)) return
    const field = fieldOf.get(node)
    if (field) {
      flush(depth)
      add(depth, fieldLine(field, refs, visibility), 'control')
      if (field.type !== 'radio' || isTag(node, 'input')) return
    }
    if (members.has(node) || isTag(node, 'input', 'select', 'textarea', 'datalist')) {
      if (!isTag(node, 'input') || !/^(submit|button|reset|image)$/.test(node.type)) return
    }
    if (node.getAttribute('aria-hidden') === 'true' && !fields.some(({ element }) => node.contains(element))) return
    if (isTag(node, 'iframe')) {
      flush(depth)
      const inside = frameDocument(node)
      if (visibility.isShown(node))
        add(
          depth,
          `iframe ${quote(accessibleNameOf(node, visibility))} ${inside ? `[ref=${refs.refFor(node, visibility)}]` : `[not readable: ${whyOpaque(node)}]`}`,
          'container',
        )
      if (inside && visibility.isShown(node)) for (const child of childrenOf(node)) visit(child, depth + 1, deep + 1)
      flush(depth + 1)
      return
    }
    const role = roleOf(node)
    if (isAction(node, role) && visibility.isShown(node)) {
      if (role === 'link' && isBlank(node)) return
      flush(depth)
      add(depth, actionLine(node, role), 'control')
      return
    }
    if (role === 'heading') {
      flush(depth)
      const said =
        visibility.visibleText(node) || (visibility.level(node) === 'visible' ? accessibleNameOf(node, visibility) : '')
      const level = node.getAttribute('aria-level') ?? /^h([1-6])$/.exec(node.localName)?.[1]
      if (said !== '')
        add(depth, `heading ${quote(truncate(said, 300))}${level ? ` [level=${normalizeText(level)}]` : ''}`, 'heading')
      const before = suppress
      suppress = node
      for (const child of childrenOf(node)) visit(child, depth + 1, deep + 1)
      suppress = before
      return
    }
    if (role === 'img') {
      if (visibility.isShown(node) && !suppress) {
        const name = accessibleNameOf(node, visibility)
        if (name !== '') {
          flush(depth)
          add(depth, `img ${quote(name)}`, 'text')
        }
      }
      return
    }
    if (isDataTable(node)) {
      if (visibility.hasBox(node)) table(node, depth)
      return
    }
    let inner = depth
    const named = role !== null && landmarks.has(role) ? accessibleNameOf(node, visibility) : ''
    if (role !== null && landmarks.has(role) && (named !== '' || unnamed.has(role)) && visibility.hasBox(node)) {
      flush(depth)
      const ref = /^(alert|status)$/.test(role) ? '' : ` [ref=${refs.refFor(node, visibility)}]`
      add(depth, `${role}${named ? ` ${quote(named)}` : ''}${ref}`, 'container')
      inner = depth + 1
    }
    // The text of a label or legend is told with its control.
    const before = suppress
    if (
      !suppress &&
      (isTag(node, 'legend') ||
        (isTag(node, 'label') && node.control && (members.has(node.control) || fieldOf.has(node.control))))
    )
      suppress = node
    const block = visibility.isBlock(node)
    if (block) flush(inner)
    for (const child of childrenOf(node)) visit(child, inner, deep + 1)
    if (block) flush(inner)
    suppress = before
  }

  // Collected before the walk, which passes them over.
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
  for (const dialog of [...dialogs]) {
    dialogs.delete(dialog)
    visit(dialog, 0, 0)
    flush(0)
    dialogs.add(dialog)
  }
  visit(root, 0, 0)
  flush(0)
  return { items: withoutEmpty(items), whole: items.length < mostItems }
}

/** Why nothing of a frame is told: another site, a sandbox, or frames in frames in frames. */
function whyOpaque(frame: HTMLIFrameElement): string {
  if (frame.contentDocument) return 'too deep'
  const origin = URL.canParse(frame.src) ? new URL(frame.src).origin : 'null'
  return origin !== 'null' && origin !== location.origin
    ? `another site, ${normalizeText(origin)}`
    : frame.hasAttribute('sandbox')
      ? 'sandboxed'
      : 'another site'
}

/** A container with nothing in it says nothing. */
function withoutEmpty(items: readonly OutlineItem[]): OutlineItem[] {
  const kept: OutlineItem[] = []
  for (let index = items.length - 1, below = 0; index >= 0; index--) {
    const item = items[index]
    if (!item) continue
    const filled = item.kind !== 'container' || below > item.depth || item.line.includes('[not readable')
    if (!filled) continue
    kept.push(item)
    below = item.depth
  }
  return kept.reverse()
}
