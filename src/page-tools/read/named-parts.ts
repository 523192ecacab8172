// What only calls need that name a part of the page, or search it: elements by ref with the error of a stale one, and
// which elements are inside private fields.
import { ToolAgentError } from '../../core/data/errors.js'
import { memoize } from '../../core/state/memoize.js'
import { ancestor, currentPage, isTag, parentOf } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import { declaredSensitive, holdsTyping, sensitiveKindOf } from '../sensitive/sensitive-fields.js'
import type { Field } from './field.js'
import { itemText } from './outline-item.js'
import { outline } from './outline.js'
import { placeOf } from './places.js'

/** The ref that an argument names, with or without the brackets of the outline; undefined for any other text. */
export const refNamed = (asked: string): string | undefined => /^\[?(?:ref=)?(e\d{1,8})\]?$/.exec(asked.trim())?.[1]

/** Lines of the page in an error. */
const mostItems = 25

/**
 * The first 25 controls and headings of the page, and rows of tables as far as there are fewer. Redacted, for errors:
 * these are not redacted later.
 */
export function currentItems({ visibility, refs, fields, redact }: PageSnapshot): string {
  const { items } = outline({ root: currentPage().body, visibility, refs, fields: fields(), redact })
  const named = items.filter(({ kind }) => kind === 'control' || kind === 'heading').slice(0, mostItems)
  const rows = items.filter(({ kind }) => kind === 'table').slice(0, mostItems - named.length)
  const told = new Set([...named, ...rows])
  return redact(
    items
      .filter((item) => told.has(item))
      .map((item) => truncate(itemText(item), 200))
      .join('\n'),
  )
}

/**
 * The element of a ref.
 * @throws `stale-ref` with the controls that are on the page now
 */
export function elementOf(ref: string, snapshot: PageSnapshot): Element {
  const { refs, visibility, redact } = snapshot
  const element = refs.find(ref, visibility)
  if (element) return element
  const place = refs.placeOf(ref)
  const wordsOf = (known: string): string => {
    const { role = '', name = '' } = refs.describe(known) ?? {}
    return role && `${role} "${name}"`
  }
  const description = [wordsOf(ref), place && `in ${JSON.stringify(place)}`].filter(Boolean).join(' ')
  const same = refs
    .namesakes(ref, visibility)
    .filter((one) => visibility.isShown(one))
    .slice(0, 8)
    .map((one) => {
      const around = placeOf(one, snapshot)
      const own = refs.refFor(one, visibility)
      return redact(`- ${wordsOf(own)} [ref=${own}]${around ? ` in ${JSON.stringify(around)}` : ''}\n`)
    })
  throw new ToolAgentError(
    'stale-ref',
    `${ref} ${description ? `(${redact(description)}) is no longer on the page` : 'is not a ref of this page'}. ` +
      `${same.length > 0 ? `So named now:\n${same.join('')}` : ''}The page has:\n${currentItems(snapshot)}`,
  )
}

/** A test for private fields. It also recognizes fields that are not visible and so not among `fields`. */
export function isPrivateAmong(fields: readonly Field[]): (element: Element) => boolean {
  const known = new Map<Element, boolean>()
  for (const { element, members, secret } of fields)
    for (const one of [element, ...members]) known.set(one, secret !== undefined)
  return (element) =>
    known.get(element) ??
    (holdsTyping(element)
      ? sensitiveKindOf(element, '') !== undefined
      : isTag(element, 'select') && declaredSensitive(element) !== undefined)
}

const privateIn = memoize((snapshot: PageSnapshot) => isPrivateAmong(snapshot.fields()))

/** Whether the element is inside a private field: an option, a node of an editor. */
export function isInsidePrivate(element: Element, snapshot: PageSnapshot): boolean {
  return ancestor(parentOf(element), privateIn(snapshot)) !== null
}
