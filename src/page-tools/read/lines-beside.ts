// Reads the lines of text around fields, such as hints and errors, and says by their place which field each is about.
// A line that may be about several fields names them all: it must never be told of the wrong one.
import { byIds, elementsUnder, currentPage, isElement, isTag, parentOf, propertyOf, ancestor } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import { normalizeText } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import type { Field } from './field.js'

/** A line of text that a person sees, or that a screen reader is told at once. */
export interface LineBeside {
  readonly text: string
  /** The fields that it may be about: one if its place decides it; none for an alert elsewhere on the page. */
  readonly about: readonly Field[]
}

/** Elements of a form, or of a part of a page, that is read as a whole; and of the part around one field otherwise. */
const most = { whole: 1500, part: 100 }
/** How far a box may be from its only field, and how many texts may be between a field and a line about it. */
const near = { levels: 6, texts: 3 }

const alerts = '[role=alert],[aria-live=assertive]'
/** Boxes that hold a whole subject, so that a text in one of them is not about its only field. */
const wide = 'body,main,section,article,[role=main]'
const ends = `form,dialog,[role=dialog],${wide}`
/** What has a text of its own, or shows what may be chosen. */
const apart =
  'button,select,datalist,iframe,:is([role=button],[role=option],[role=listbox],[role=combobox],[role=tree],' +
  '[role=menu],[role=slider],[role=spinbutton]),[aria-hidden=true]'
/** What has a text of its own, unless there are fields in it. */
const apartWithoutFields = 'table,dialog,:is([role=dialog],[role=alertdialog],[role=grid])'

/** What describes a control by its markup, which may be anywhere on the page. */
const tiedTo = (element: Element): Element[] => [
  ...byIds(element, 'aria-describedby'),
  ...byIds(element, 'aria-errormessage'),
]

interface Line {
  readonly text: string
  /** The element with its first text. */
  readonly at: Element
}

function hasMore(root: Element, count: number, visibility: Visibility): boolean {
  let seen = 0
  for (const _ of elementsUnder(root, visibility.children)) if (++seen > count) return true
  return false
}

/** The part of the page whose text may be about the field. `large`: what is known of whole parts. */
function scopeOf(field: Field, large: Map<Element, boolean>, visibility: Visibility): Element {
  const whole = field.form ?? ancestor(field.element, (above) => above.matches(ends)) ?? currentPage().body
  if (!large.has(whole)) large.set(whole, hasMore(whole, most.whole, visibility))
  if (large.get(whole) === false) return whole
  let part = field.element
  for (let up = parentOf(part); up && !hasMore(up, most.part, visibility); up = parentOf(part)) part = up
  return part
}

/** `places` says which elements have fields: the texts beside a field are lines of their own. */
function linesIn(scope: Element, places: Places, visibility: Visibility): Line[] {
  const lines: Line[] = []
  let pieces: string[] = []
  let at: Element | null = null
  const end = (): void => {
    const text = normalizeText(pieces.join(''))
    if (text !== '' && at) lines.push({ text, at })
    pieces = []
    at = null
  }
  const isSaid = (node: Text, parent: Element): boolean =>
    visibility.isTextVisible(node) ||
    (visibility.level(parent) === 'screen-reader' &&
      ancestor(parent, (above) => above.matches('[role=alert]')) !== null)
  const visit = (node: Element | Text): void => {
    if (!isElement(node)) {
      const parent = parentOf(node)
      if (node.data.trim() === '') pieces.push(' ')
      else if (parent && isSaid(node, parent)) {
        at ??= parent
        pieces.push(node.data)
      }
      return
    }
    // Some libraries draw the options beside a list that only assistive technology has.
    const isApart =
      holdsTyping(node) ||
      node.matches(apart) ||
      (!places.hasField(node) && (node.matches(apartWithoutFields) || node.querySelector('[role=listbox]') !== null))
    const parent = parentOf(node)
    const breaks = isApart || visibility.isBlock(node) || (parent !== null && places.hasField(parent))
    if (breaks) end()
    if (!isApart) for (const child of visibility.children(node)) visit(child)
    if (breaks) end()
  }
  visit(scope)
  end()
  return lines
}

/** Which fields are inside which elements, and which elements are tied to a field by an attribute. */
class Places {
  readonly #inside = new Map<Element, Field[]>()
  readonly #tied = new Map<Element, Field[]>()
  readonly #labels = new Map<Element, Field>()
  readonly #visibility: Visibility

  constructor(fields: readonly Field[], visibility: Visibility) {
    this.#visibility = visibility
    for (const field of fields) {
      for (const member of field.members)
        for (let up: Element | null = member; up; up = parentOf(up)) this.#note(this.#inside, up, field)
      for (const element of tiedTo(field.element)) this.#note(this.#tied, element, field)
      for (const label of [...(propertyOf(field.element, 'labels') ?? []), ...byIds(field.element, 'aria-labelledby')])
        this.#labels.set(label, field)
    }
  }

  #note(map: Map<Element, Field[]>, element: Element, field: Field): void {
    const known = map.get(element)
    if (!known) map.set(element, [field])
    else if (!known.includes(field)) known.push(field)
  }

  hasField(around: Element): boolean {
    return this.#inside.has(around)
  }

  /** The fields that a text in this element may be about. */
  aboutOf(at: Element): readonly Field[] {
    let below = at
    for (let around: Element | null = at; around; below = around, around = parentOf(around)) {
      const tied = this.#tied.get(around)
      if (tied) return tied
      const inside = this.#inside.get(around)
      const labelled = inside ? undefined : this.#labels.get(around)
      if (labelled) return [labelled]
      if (inside) return this.#isOnly(inside, around) ? inside : this.#aboutIn(around, below, inside)
    }
    return []
  }

  /** Whether a box with one field is about it, wherever its text stands. */
  #isOnly([field, ...others]: readonly Field[], around: Element): boolean {
    if (!field || others.length > 0 || around.matches(wide)) return false
    let levels = 0
    for (let up: Element | null = field.element; up && up !== around; up = parentOf(up)) levels++
    return levels <= near.levels || isTag(around, 'form')
  }

  /** The fields that a text between the children of a box with several fields is about. A text follows its field. */
  #aboutIn(around: Element, below: Element, inside: readonly Field[]): readonly Field[] {
    const children = this.#visibility.children(around).filter(isElement)
    const place = children.indexOf(below)
    const following = children.slice(place + 1).find((child) => this.#inside.has(child))
    const next = following && this.#inside.get(following)?.[0]
    let texts = 0
    for (const child of children.slice(0, Math.max(0, place)).reverse()) {
      const fields = this.#inside.get(child)
      if (fields) {
        // A text behind the last field may be about all of them, unless there is nothing else in the box.
        return fields.length === 1 && !next && inside.length > 1 ? inside : fields
      }
      if (next && this.#labels.get(child) === next) return [next]
      if (roleOf(child) === 'heading' || child.querySelector(apart) || child.matches(apart)) break
      if (this.#visibility.visibleText(child, undefined, 1) !== '' && ++texts >= near.texts) break
    }
    return around.matches(wide) ? [] : inside
  }
}

/**
 * The lines around these fields, in rendered order. `all` are the fields of the page: a line may be about another one
 * of them. Alerts are read wherever they are.
 */
export function linesBeside(fields: readonly Field[], all: readonly Field[], visibility: Visibility): LineBeside[] {
  const places = new Places(all, visibility)
  const large = new Map<Element, boolean>()
  const scopes = new Set(fields.map((field) => scopeOf(field, large, visibility)))
  for (const { element } of fields) for (const tied of tiedTo(element)) scopes.add(tied)
  for (const alert of currentPage().querySelectorAll(alerts)) scopes.add(alert)
  // A part inside another one is read with it.
  const parts = [...scopes].filter((one) => ancestor(parentOf(one), (above) => scopes.has(above)) === null)
  return parts.flatMap((part) =>
    linesIn(part, places, visibility).flatMap(({ text, at }) => {
      const about = places.aboutOf(at)
      const isTold = about.length > 0 || ancestor(at, (above) => above.matches(alerts)) !== null
      return isTold ? [{ text, about }] : []
    }),
  )
}
