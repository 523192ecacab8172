// The outline of a page: one indented line per item, dialogs first. The walk can pause, so that a large page stays
// responsive, and what it has found so far can be told before its end.
import { withIndex } from '../../core/data/lists.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { redactedUrl } from '../sensitive/redact.js'
import { kindOf, isGroup } from '../controls/kinds.js'
import { isClosedHost } from './unread-parts.js'
import { ancestor, elementsUnder, frameDocument, isElement, isTag, isWithin, maxFrames, parentOf } from '../dom/dom.js'
import { foldName, inOneLine, normalizeText, readSpaces, saysNothing, truncate } from '../dom/text.js'
import { fieldsUnder, type Field } from './form-fields.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { isAction } from '../dom/roles.js'
import type { Refs } from '../dom/element-refs.js'
import type { Visibility } from '../dom/visibility.js'
import { toggleButtonsOf, barRoles, barValueOf, isDisabled, isReadOnly, isRequired } from '../dom/field-state.js'
import { elementsPerStep, finish, forEach, type Steps } from '../dom/steps.js'
import {
  shortTargets,
  isDay,
  isKeyed,
  isSpace,
  statesOf,
  type ControlLine,
  type OutlineContext,
  type OutlineItem,
} from './outline-item.js'
import { describeBox, isResizer, joinDays, looksClickable, pieces, whyOpaque, writtenPieces } from './clickables.js'
import { columnsIn } from './columns.js'
import { addTable, isDataTable } from './data-tables.js'
import { isDraggable, isDrawingArea, keyHintOf } from './affordances.js'
import { fieldErrorOf, fieldValueOf, optionsOf } from './field-values.js'
import { controlNameOf } from './icons.js'
import { looksSelected } from './looks.js'
import { has, type Line, named, piece, startOf, textOf, withAfterStart } from './line.js'
import { largestCard } from './box-lines.js'
import { deepestCard, placesApart, surroundings } from './places.js'

/** Landmarks that are listed even without a name. */
const unnamed = /^(main|navigation|(alert)?dialog|alert|form|search|banner|contentinfo)$/
const landmarks = new RegExp(
  `${unnamed.source}|^(complementary|region|status|(radio)?group|tablist|menu(bar)?|toolbar|tree|listbox|article)$`,
)
const mostItems = 6000
/** This many addresses of links are listed in full. Later ones are shortened. */
const fewTargets = 10
const deepest = 300
/** A list of more rows is long, and how many of its rows are listed. */
const [mostRows, firstRows] = [30, 20]
/** Lists whose rows are not choices of a control. */
const longLists = /^(list|feed|tree)$/
/** Roles of parts that are listed if they take keys, also if they are empty: an editor that draws itself. */
const keyedRoles = /^(application|document|figure|graphics-\w+)$/
/** Items that may hold controls without a role. */
const holders = /^(option|treeitem)$/
/** Characters. A longer text is a part of the item and not a control in it. */
const longestPart = 40
/** Characters of instructions for keys. */
const longestHint = 160
/** A row or card has at most so many items. */
const mostBeside = 12
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
  /** Removes private values, of which a shortened text could keep a part. */
  redact(text: string): string
  /**
   * Whether the target of several links is listed with the first of them only, targets are shortened if there are more
   * than a few, and of long tables and lists, except the root, only the first rows are listed.
   * @default false
   */
  readonly isShort?: boolean
  /** Rows whose items are told apart (`OutlineItem.row`). */
  readonly rows?: ReadonlySet<Element>
  /** Lines about lists, which are the first ones of their contents. */
  readonly notes?: ReadonlyMap<Element, Line>
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
export function fieldLine(
  field: Field,
  { refs, visibility, redact }: Pick<OutlineOptions, 'refs' | 'visibility' | 'redact'>,
): Line {
  const { element, members } = field
  const kind = kindOf(field)
  const value = fieldValueOf(field, visibility)
  const role = kind.role ?? roleOf(element) ?? 'textbox'
  const flags = kind.flags?.(field, value) ?? []
  if (field.secret) flags.push('private', String(value))
  if (members.some(isRequired)) flags.push('required')
  if (members.every(isDisabled)) flags.push('disabled')
  if (isReadOnly(element)) flags.push('readonly')
  const error = fieldErrorOf(field, visibility)
  const options = field.secret
    ? []
    : optionsOf(field, visibility)
        .filter((option) => !option.disabled)
        .map((option) => option.label)
  const isChoice = options.length > 0 && (options.length > 1 || options[0] !== field.label)
  const more = options.length > 30 ? ` | and ${options.length - 30} more` : ''

  const shownValue =
    field.secret || typeof value === 'boolean' || kind.isState
      ? ''
      : inOneLine(truncate(Array.isArray(value) ? value.join(', ') : String(value), 500).trimEnd(), redact)
  return [
    ...named(role, field.label),
    piece('ref', refs.refFor(element, visibility)),
    ...flags.map((flag) => piece('state', flag)),
    ...(error ? [piece('invalid', error === 'invalid' ? '' : error)] : []),
    ...(isChoice ? [piece('state', `options: ${options.slice(0, 30).join(' | ')}${more}`)] : []),
    ...(shownValue ? [`: ${shownValue}`] : []),
  ]
}

const nestedControls = 'a,button,input,select,textarea,[role],[contenteditable]'

/** A control that is listed. */
interface Listed {
  readonly element: Element
  readonly name: string
  /** Its own line; undefined in a row of a table. */
  readonly item: OutlineItem | undefined
}

interface Outline {
  readonly items: OutlineItem[]
  /** False if there are more items than the limit. */
  readonly whole: boolean
  /** Whether targets of links were shortened. */
  readonly isShortened: boolean
}

/** The outline of a part of the page. */
export function outline(options: OutlineOptions): Outline {
  const walk = new OutlineWalk(options)
  finish(walk.steps())
  return walk.take(true)
}

/**
 * One walk over a part of the page. Text is collected until an item or a block begins (`#flush`), so that the pieces of
 * a sentence become one item whatever elements it is made of.
 */
export class OutlineWalk {
  readonly #root: Element
  /** Another one after each change of the page. */
  #visibility: Visibility
  readonly #refs: Refs
  readonly #redact: (text: string) => string
  readonly #items: OutlineItem[] = []
  /** How many of them were taken. */
  #taken = 0
  #visited = 0
  #frames = 0
  /** The controls that are listed, by role and name. */
  readonly #listed = new Map<string, Listed[]>()
  readonly #fieldOf: ReadonlyMap<Element, Field>
  readonly #members: ReadonlySet<Element>
  /** All that is around a field. */
  readonly #fieldParents = new Set<Element>()
  /** The instructions for keys that were listed. */
  readonly #hints = new Set<Element>()
  /** The pieces of text since the last item, and where the first one stands. */
  #text: string[] = []
  #textIn: Element | undefined
  /** Where the controls and texts of items stand. */
  readonly #sources = new Map<OutlineItem, Element>()
  // Inside a heading or the label of a field, whose text is already part of an item.
  #isTextSuppressed = false
  // Inside a control of this name. Only other controls are listed there.
  #controlName: string | undefined
  // The item around, if it is one that may hold other controls.
  #item: Element | undefined
  // The name of a box, which is also its first text.
  #boxName = ''
  /** Items that may be the days of a calendar. */
  readonly #days = new Map<OutlineItem, Element>()
  // What the lines of links show, because a link may be described twice.
  readonly #shownTargets = new Map<Element, string>()
  /** The targets that were listed. */
  readonly #targets = new Set<string>()
  readonly #shorten: ReturnType<typeof shortTargets> | undefined
  #isShortened = false
  /** Frames that cannot be read: their items stay, although nothing is listed in them. */
  readonly #opaque = new Set<OutlineItem | undefined>()
  // Dialogs come first. The walk over the page skips them.
  readonly #dialogs = new Set<Element>()
  readonly #rows: ReadonlySet<Element>
  readonly #notes: ReadonlyMap<Element, Line>
  /** The row around the walk. */
  #row: Element | undefined
  /** What tables and boxes need of this walk. */
  readonly #context: OutlineContext

  constructor({ root, visibility, refs, fields = fieldsUnder(root, visibility), ...options }: OutlineOptions) {
    this.#rows = options.rows ?? new Set()
    this.#notes = options.notes ?? new Map()
    this.#root = root
    this.#visibility = visibility
    this.#refs = refs
    this.#redact = (text) => options.redact(text)
    this.#fieldOf = new Map(fields.map((field) => [field.element as Element, field]))
    this.#members = new Set<Element>(fields.flatMap((field) => field.members))
    for (const { element } of fields)
      for (let up: Element | null = element; up && !this.#fieldParents.has(up); up = parentOf(up))
        this.#fieldParents.add(up)
    this.#shorten = options.isShort ? shortTargets(fewTargets) : undefined
    const now = (): Visibility => this.#visibility
    this.#context = {
      get visibility() {
        return now()
      },
      refOf: (element) => refs.refFor(element, now()),
      redact: this.#redact,
      pause: () => this.#pause(),
      add: (...item) => void this.#add(...item),
      inRow: (row, step) => {
        const before = this.#row
        this.#row = this.#rowAround(row)
        step()
        this.#row = before
      },
      noteOn: (element) => this.#notes.get(element),
      shortList: (list, rows) => this.#shortList(list, rows),
      isField: (element) => this.#members.has(element) || this.#fieldOf.has(element),
      controlIn: (element) => this.#controlIn(element),
    }
  }

  /** The whole walk. */
  *steps(): Steps<void> {
    yield* this.#findDialogs()
    const dialogs = [...this.#dialogs]
    for (const dialog of dialogs) {
      this.#dialogs.delete(dialog)
      yield* this.#visit(dialog, 0, 0)
      this.#flush(0)
      this.#dialogs.add(dialog)
    }
    yield* this.#visit(this.#root, 0, 0)
    this.#flush(0)
    yield* this.#seePlaces()
  }

  /** What was found since it was last taken. `isEnd`: whether the walk is over. */
  take(isEnd: boolean): Outline {
    this.#addPlaces()
    const found = this.#items.slice(this.#taken)
    this.#taken = this.#items.length
    const items = withoutEmpty(found, this.#opaque, isEnd)
    return {
      items: this.#days.size < fewestDays ? items : joinDays(items, this.#days, this.#context),
      whole: this.#items.length < mostItems,
      isShortened: this.#isShortened,
    }
  }

  *#pause(): Steps<void> {
    this.#visibility = (yield) ?? this.#visibility
  }

  #findDialogs(): Steps<void> {
    return forEach(elementsUnder(this.#root, this.#visibility.children), (element) => {
      if (
        element.matches('dialog[open],[role=dialog],[role=alertdialog]') &&
        element !== this.#root &&
        this.#visibility.isShown(element) &&
        !ancestor(parentOf(element), (above) => this.#dialogs.has(above))
      )
        this.#dialogs.add(element)
    })
  }

  /** The line of a control in a row of a table, where the row says which one it is. */
  #controlIn(element: Element): ControlLine | undefined {
    const field = this.#fieldOf.get(element)
    if (field) return { line: this.#fieldLine(field) }
    const role = roleOf(element)
    const isControl = isAction(role) && !this.#members.has(element)
    if (isControl && !this.#visibility.isInReach(element)) return { line: [] }
    const bar = role !== null && barRoles.test(role) ? this.#barLine(element, role) : undefined
    if (bar !== undefined) return { line: bar }
    const found = isControl ? this.#actionLine(element, role) : this.#boxLine(element)
    if (found) this.#list(element, found)
    return found
  }

  #add(depth: number, line: Line, kind: OutlineItem['kind'], element?: Element): OutlineItem {
    this.#flush(depth)
    const item: OutlineItem = { depth, line, kind, ...(this.#row ? { row: this.#row } : {}) }
    this.#items.push(item)
    if (element) this.#sources.set(item, element)
    if (element && isDay(element)) this.#days.set(item, element)
    return item
  }

  /** Remembers a control with its name. `item`: its own line. */
  #list(element: Element, { line, name = '', hasContents = false }: ControlLine, item?: OutlineItem): void {
    // The contents of a box without a name tell enough.
    if (name === '' && hasContents) return
    const key = foldName(this.#redact(textOf(startOf(line))))
    const same = this.#listed.get(key)
    if (same) same.push({ element, name, item })
    else this.#listed.set(key, [{ element, name, item }])
  }

  /** The controls that are listed with one role and name, if they are several things, or have no name. */
  *#equalControls(): Generator<readonly [Listed, ...Listed[]], void> {
    for (const equal of this.#listed.values()) {
      const [first, ...others] = equal
      if (!first || equal.every(({ item }) => item === undefined || has(item.line, 'place'))) continue
      // Links to one place are one thing.
      const things = new Set(equal.map(({ element }) => (isTag(element, 'a') && element.href) || element))
      if (first.name === '' || things.size > 1) yield [first, ...others]
    }
  }

  /** Looks what is around equal controls, which is remembered. */
  *#seePlaces(): Steps<void> {
    for (const equal of this.#equalControls())
      yield* forEach(equal, ({ element }) => void surroundings(element, this.#visibility))
  }

  /** Tells equal controls apart: adds to the names of those with a line of their own what is around them. */
  #addPlaces(): void {
    for (const equal of this.#equalControls()) {
      const [{ name }] = equal
      const elements = equal.map(({ element }) => element)
      const places = placesApart(elements, name, { visibility: this.#visibility, redact: this.#redact })
      for (const [at, { item }] of withIndex(equal)) {
        const place = places[at]
        if (!item || has(item.line, 'place') || place === undefined) continue
        item.line = withAfterStart(item.line, piece('place', place))
      }
    }
  }

  #rowAround(inner: Element): Element | undefined {
    return this.#rows.size === 0 ? undefined : (ancestor(inner, (above) => this.#rows.has(above)) ?? undefined)
  }

  #flush(depth: number): void {
    if (this.#text.length === 0) return
    const text = readSpaces(this.#text.join(''))
    const line = normalizeText(text)
    this.#text = []
    if (!/[\p{L}\p{N}]/u.test(line) || line === this.#boxName) return
    const isPlain = inOneLine(text, this.#redact) === line
    for (const part of isPlain ? pieces(line) : writtenPieces(text)) {
      const item = this.#add(depth, ['text: ', isPlain ? part : JSON.stringify(part)], 'text')
      if (this.#textIn) this.#sources.set(item, this.#textIn)
    }
  }

  #addText(node: Text): void {
    if (this.#text.length === 0) this.#textIn = parentOf(node) ?? undefined
    this.#text.push(this.#visibility.writtenText(node))
  }

  /** The items in the smallest box around an item that has a control, by their places. None if they are many. */
  beside(items: readonly OutlineItem[], at: number): readonly number[] {
    const [first, last] = [Math.max(0, at - mostBeside), at + mostBeside]
    const near = items.slice(first, last + 1).map((item) => this.#sources.get(item))
    let up = near[at - first] ?? null
    for (let level = 0; up && level < deepestCard && !isTag(up, 'body', 'main'); level++, up = parentOf(up)) {
      if (this.#visibility.visibleText(up, undefined, largestCard).length > largestCard) break
      const card = up
      const inside = near.flatMap((source, index) => (source && isWithin(source, card) ? [first + index] : []))
      if (inside.some((index) => items[index]?.kind === 'control')) return inside.length <= mostBeside ? inside : []
    }
    return []
  }

  #isPicked(element: Element): boolean {
    return (
      (looksClickable(element, this.#visibility) ||
        isDraggable(element, this.#visibility.style) ||
        isResizer(element, this.#visibility) ||
        (roleOf(element) === null && isDrawingArea(element, this.#visibility.style))) &&
      !this.#isFieldLabel(element) &&
      this.#visibility.isInReach(element)
    )
  }

  #shownTargetOf(link: Element, name: string): string {
    const known = this.#shownTargets.get(link)
    if (known !== undefined) return known
    const target = controlTargetOf(link)
    let shown = target
    if (this.#shorten) {
      const isRepeated = this.#targets.has(target)
      this.#targets.add(target)
      shown = isRepeated ? '' : this.#shorten(this.#redact(target), name)
      this.#isShortened ||= !isRepeated && shown !== target
    }
    this.#shownTargets.set(link, shown)
    return shown
  }

  #actionLine(element: Element, role: string): ControlLine {
    const name = controlNameOf(element, this.#visibility)
    const target = isTag(element, 'a', 'area') && element.hasAttribute('href') ? this.#shownTargetOf(element, name) : ''
    const line = [
      ...named(role, name),
      piece('ref', this.#refs.refFor(element, this.#visibility)),
      ...statesOf(element),
      ...this.#looks(element),
      ...(this.#visibility.isOnHover(element) ? [piece('state', 'on hover')] : []),
      ...(target ? [piece('target', target)] : []),
    ]
    return { line, name }
  }

  /** What is known of a control beside its states: whether it looks chosen, and how keys operate it. */
  #looks(element: Element): Line {
    const hint = keyHintOf(element, this.#visibility)
    // One text often describes all items of a list.
    const keys = hint && !this.#hints.has(hint.by) ? truncate(this.#redact(hint.text), longestHint) : undefined
    if (hint) this.#hints.add(hint.by)
    return [
      ...(looksSelected(element, this.#visibility) ? [piece('look', 'looks selected')] : []),
      ...(keys === undefined ? [] : [piece('state', `keys: ${keys}`)]),
    ]
  }

  /** A box in an item that is a control of its own: the arrow of a tree, a cross in an option. */
  #partOf(item: Element, element: Element): ControlLine | undefined {
    const text = this.#visibility.visibleText(element, undefined, longestPart)
    if (text.length > longestPart || (text !== '' && text === this.#visibility.visibleText(item))) return undefined
    const box = this.#boxLine(element)
    return box && !box.hasContents && box.name !== this.#controlName ? box : undefined
  }

  /** Adds a bar, meter or splitter with its value. Returns false for a line between two texts. */
  #visitBar(bar: Element, role: string, depth: number): boolean {
    const line = this.#barLine(bar, role)
    if (line === undefined) return false
    this.#add(depth, line, 'control')
    return true
  }

  #barLine(bar: Element, role: string): Line | undefined {
    const value = barValueOf(bar)
    if (!this.#visibility.isShown(bar) || (value === '' && !/^(progressbar|meter)$/.test(role))) return undefined
    const name = accessibleNameOf(bar, this.#visibility)
    const ref = this.#refs.refFor(bar, this.#visibility)
    return [...named(role, name), piece('ref', ref), ...(value ? [`: ${truncate(value, 120)}`] : [])]
  }

  *#visitAction(element: Element, role: string, depth: number, level: number): Steps<void> {
    const name = controlNameOf(element, this.#visibility)
    const around = this.#controlName
    // A link inside a menu item that has no other text is the same control.
    if (name !== around) {
      const found = this.#actionLine(element, role)
      this.#list(element, found, this.#add(depth, found.line, 'control', element))
    }
    const outer = this.#item
    this.#controlName = name
    this.#item = holders.test(role) ? element : undefined
    if (element.shadowRoot || element.querySelector(this.#item ? '*' : nestedControls))
      yield* this.#visitWithoutText(element, depth + 1, level)
    this.#controlName = around
    this.#item = outer
  }

  #boxLine(element: Element): ControlLine | undefined {
    const box = this.#isPicked(element) ? describeBox(element, this.#context) : undefined
    return box && { ...box, line: [...box.line, ...this.#looks(element)] }
  }

  /** A link with invisible text only. Unlike a button, it has no frame that is visible. */
  #isBlank(link: Element): boolean {
    return (
      link.childElementCount === 0 &&
      this.#visibility.level(link) !== 'visible' &&
      this.#visibility.style(link).backgroundImage === 'none'
    )
  }

  #fieldLine(field: Field): Line {
    return fieldLine(field, { refs: this.#refs, visibility: this.#visibility, redact: this.#redact })
  }

  /** Adds a field. Returns whether its contents need no visit: only the buttons of an ARIA group do. */
  #visitField(field: Field, node: Element, depth: number): boolean {
    this.#sources.set(this.#add(depth, this.#fieldLine(field), 'control'), node)
    const { inside } = kindOf(field)
    if (inside !== undefined)
      for (const one of node.querySelectorAll(inside)) {
        const role = roleOf(one)
        if (!isAction(role) || !this.#visibility.isShown(one)) continue
        const found = this.#actionLine(one, role)
        this.#list(one, found, this.#add(depth + 1, found.line, 'control', one))
      }
    return (!isGroup(field) && toggleButtonsOf(node).length === 0) || isTag(node, 'input')
  }

  *#visitFrame(frame: HTMLIFrameElement, depth: number, level: number): Steps<void> {
    this.#flush(depth)
    if (this.#visibility.isShown(frame)) {
      const start = named('iframe', accessibleNameOf(frame, this.#visibility))
      if (frameDocument(frame) && ++this.#frames <= maxFrames) {
        this.#add(depth, [...start, piece('ref', this.#refs.refFor(frame, this.#visibility))], 'container')
        yield* this.#visitChildren(frame, depth + 1, level)
      } else {
        this.#add(depth, [...start, piece('state', `not readable: ${whyOpaque(frame)}`)], 'container')
        this.#opaque.add(this.#items.at(-1))
      }
    }
    this.#flush(depth + 1)
  }

  *#visitHeading(heading: Element, depth: number, level: number): Steps<void> {
    this.#flush(depth)
    const title =
      this.#visibility.visibleText(heading) ||
      (this.#visibility.level(heading) === 'visible' ? accessibleNameOf(heading, this.#visibility) : '')
    const rank = heading.getAttribute('aria-level') ?? /^h([1-6])$/.exec(heading.localName)?.[1]
    if (title !== '')
      this.#add(
        depth,
        [...named('heading', truncate(title, 300)), ...(rank ? [piece('level', normalizeText(rank))] : [])],
        'heading',
      )
    // Controls in a heading have items of their own; its text does not.
    yield* this.#visitWithoutText(heading, depth + 1, level)
  }

  #visitImage(image: Element, depth: number): void {
    if (this.#isTextSuppressed || !this.#visibility.isShown(image)) return
    const name = accessibleNameOf(image, this.#visibility)
    if (saysNothing(name)) return
    if (isKeyed(image)) {
      const ref = this.#refs.refFor(image, this.#visibility)
      this.#add(depth, [...named('img', name), piece('ref', ref)], 'control', image)
    } else this.#add(depth, named('img', name), 'text')
  }

  /** Adds a landmark or group if it has a name, or needs none. Returns the depth of its contents. */
  #visitContainer(node: Element, role: string | null, depth: number): number {
    if (role === null || !(landmarks.test(role) || (isKeyed(node) && keyedRoles.test(role)))) return depth
    const name = accessibleNameOf(node, this.#visibility)
    const isWhole = isKeyed(node) && keyedRoles.test(role)
    if ((name === '' && !unnamed.test(role) && !isWhole) || !this.#visibility.hasBox(node))
      return role === 'menu' && ancestor(parentOf(node), (up) => roleOf(up)?.startsWith('menu') === true)
        ? depth + 1
        : depth
    const start = name ? named(role, name) : [piece('role', role)]
    const ref = /^(alert|status)$/.test(role) ? [] : [piece('ref', this.#refs.refFor(node, this.#visibility))]
    this.#add(depth, [...start, ...ref], isWhole ? 'control' : 'container')
    return depth + 1
  }

  /** Whether its text is part of the label of a field, which has an item of its own. */
  #isFieldLabel(node: Element): boolean {
    return (
      isTag(node, 'legend') ||
      (isTag(node, 'label') &&
        node.control !== null &&
        (this.#members.has(node.control) || this.#fieldOf.has(node.control)))
    )
  }

  #isPartOfField(node: Element): boolean {
    return (
      (this.#members.has(node) || isTag(node, 'input', 'select', 'textarea', 'datalist')) &&
      !(isTag(node, 'input') && /^(submit|button|reset|image)$/.test(node.type))
    )
  }

  *#visitWithoutText(node: Element, depth: number, level: number): Steps<void> {
    const before = this.#isTextSuppressed
    this.#isTextSuppressed = true
    yield* this.#visitChildren(node, depth, level)
    this.#isTextSuppressed = before
  }

  *#visitChildren(node: Element, depth: number, level: number): Steps<void> {
    const children = this.#visibility.children(node)
    const isShown = (child: Element | Text): boolean => isElement(child) && this.#visibility.isShown(child)
    const short = longLists.test(roleOf(node) ?? '') ? this.#shortList(node, children.filter(isShown)) : undefined
    const columns = columnsIn(node, this.#visibility)
    let column = ''
    for (const child of short?.rows ?? children) {
      const name = (isElement(child) && columns.get(child)) || ''
      const isUnder = name !== '' && this.#controlName === undefined
      if (isUnder && name !== column) this.#add(depth, named('column', name), 'container')
      if (isElement(child)) column = isUnder ? name : ''
      yield* this.#visit(child, isUnder ? depth + 1 : depth, level + 1)
      if (isUnder) this.#flush(depth + 1)
    }
    if (short) this.#add(depth, short.note, 'text')
  }

  #shortList<Row>(list: Element, rows: readonly Row[]): { rows: readonly Row[]; note: Line } | undefined {
    const isWhole = this.#shorten === undefined || list === this.#root || this.#notes.has(list)
    if (isWhole || rows.length <= mostRows) return undefined
    const ref = this.#refs.refFor(list, this.#visibility)
    const others = 'page_read with it as scope, or a filter of words, reads the others'
    const note = `text: (list ${ref}: these are the first ${firstRows} of ${rows.length} rows: ${others})`
    return { rows: rows.slice(0, firstRows), note: [note] }
  }

  /** `depth` is the indentation of the items, `level` the depth in the tree. */
  *#visit(node: Element | Text, depth: number, level: number): Steps<void> {
    if (this.#items.length >= mostItems || level > deepest) return
    if (++this.#visited % elementsPerStep === 0) yield* this.#pause()
    if (!isElement(node)) {
      if (!this.#isTextSuppressed && (isSpace(node) ? this.#text.length > 0 : this.#visibility.isTextVisible(node)))
        this.#addText(node)
      return
    }
    if (this.#dialogs.has(node)) return
    if (this.#rows.has(node) && this.#row !== node) {
      this.#flush(depth)
      const before = this.#row
      this.#row = this.#rowAround(node)
      yield* this.#visit(node, depth, level)
      this.#flush(depth)
      this.#row = before
      return
    }
    const field = this.#fieldOf.get(node)
    if ((field && this.#visitField(field, node, depth)) || this.#isPartOfField(node)) return
    if (
      node.getAttribute('aria-hidden') === 'true' &&
      !this.#fieldParents.has(node) &&
      (normalizeText(node.textContent ?? '') !== '' || !this.#isPicked(node))
    )
      return
    if (isTag(node, 'iframe')) return yield* this.#visitFrame(node, depth, level)
    const role = roleOf(node)
    if (isAction(role) && this.#visibility.isInReach(node)) {
      if (role !== 'link' || !this.#isBlank(node)) yield* this.#visitAction(node, role, depth, level)
      return
    }
    if (this.#controlName !== undefined) {
      const inside = this.#item && this.#partOf(this.#item, node)
      if (inside) this.#list(node, inside, this.#add(depth, inside.line, 'control', node))
      return yield* this.#visitChildren(node, depth, level)
    }
    if (role !== null && barRoles.test(role) && this.#visitBar(node, role, depth)) return
    const box = this.#boxLine(node)
    if (box) {
      this.#list(node, box, this.#add(depth++, box.line, role === 'heading' ? 'heading' : 'control', node))
      if (!box.hasContents) return
      if (box.hasText) return yield* this.#visitWithoutText(node, depth, level)
      this.#boxName = box.name ?? ''
    }
    if (!box && isClosedHost(node, this.#visibility)) {
      const start = named(node.localName, accessibleNameOf(node, this.#visibility))
      const line = [...start, piece('state', 'not readable: closed shadow root')]
      this.#opaque.add(this.#add(depth, line, 'container'))
      return
    }
    // Of what appears on hover only the controls are read.
    const part = this.#visibility.isOnHover(node) ? null : role
    if (part === 'heading') return yield* this.#visitHeading(node, depth, level)
    if (part === 'img') return this.#visitImage(node, depth)
    if (part !== null && /^(table|(tree)?grid)$/.test(part) && isDataTable(node)) {
      return yield* addTable(node, depth, this.#context)
    }
    const inner = this.#visitContainer(node, part, depth)
    const note = this.#notes.get(node)
    if (note !== undefined) this.#add(inner, note, 'text')
    const isBlock = this.#visibility.isBlock(node)
    const separate = (): void => {
      if (isBlock) this.#flush(inner)
      else if (this.#text.length > 0 && this.#visibility.isApart(node)) this.#text.push(' ')
    }
    separate()
    if (this.#isFieldLabel(node)) yield* this.#visitWithoutText(node, inner, level)
    else yield* this.#visitChildren(node, inner, level)
    separate()
    if (box) this.#boxName = ''
  }
}

/**
 * Removes containers without contents, except those of frames that cannot be read. `isEnd`: nothing more follows in the
 * last ones.
 */
function withoutEmpty(
  items: readonly OutlineItem[],
  opaque: ReadonlySet<OutlineItem | undefined>,
  isEnd: boolean,
): OutlineItem[] {
  const kept: OutlineItem[] = []
  for (let index = items.length - 1, below = isEnd ? 0 : Infinity; index >= 0; index--) {
    const item = items[index]
    if (!item || (item.kind === 'container' && below <= item.depth && !opaque.has(item))) continue
    kept.push(item)
    below = item.depth
  }

  return kept.reverse()
}
