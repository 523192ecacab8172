// What a reading of the page contains, as parts that a person recognizes: what is read, the private fields, and what is
// closed to the assistant. It asks the same `Visibility` and the same fields as a reading does, so it says neither more
// nor less.
import {
  ancestor,
  currentPage,
  elementsUnder,
  frameDocument,
  isBarred,
  isElement,
  isTag,
  isWithin,
  parentOf,
} from '../dom/dom.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import { roleOf } from '../dom/accessible-name.js'
import { isAction } from '../dom/roles.js'
import type { Visibility } from '../dom/visibility.js'
import type { Field } from '../read/field.js'
import { readableRoots, type Root } from '../read/kept-reading.js'
import { looksClickable } from '../read/clickables.js'
import { isClosedHost } from '../read/unread-parts.js'
import { isDrawn } from '../stage/asked.js'

/** What a reading has, each in the order of the page. */
export interface PageParts {
  /** The outermost parts with something that is read. */
  readonly read: readonly Element[]
  /** Those of them with fields that can be filled. */
  readonly filled: ReadonlySet<Element>
  readonly never: readonly Field[]
  readonly closed: readonly Element[]
  /** What a person presses or types into, with or without markup: nothing may cover it. */
  readonly controls: readonly Element[]
  /** All documents and shadow roots that were looked at. */
  readonly roots: Iterable<Root>
}

/** Parts of a page that have a meaning. */
const named =
  'section,fieldset,article,dialog,form,table,ul,ol,dl,nav,header,footer,aside,:is([role=dialog],[role=alertdialog],' +
  '[role=region],[role=form],[role=table],[role=grid],[role=list],[role=navigation],[role=banner],[role=group])'
/** What is pressed in a part that is not read. */
const pressed = 'a[href],button,input,select,textarea,summary,[role=button],[onclick],[tabindex]'
/** Without a meaning, a part is at most this share of the window's height. */
const largest = 0.5

/** Finds the parts as they are now. */
export function pageParts(): PageParts {
  const snapshot = takeSnapshot({ sessionId: '', messages: [] })
  const { visibility } = snapshot
  const fields = snapshot.fields()
  const never = fields.filter(({ secret }) => secret !== undefined)
  const withheld = new Set(never.flatMap(({ members }) => members))
  const parts = new Set<Element>()
  const closed: Element[] = []
  const controls = fields.flatMap(({ members }) => members)
  for (const element of elementsUnder(currentPage().body, visibility.children)) {
    if (isAction(roleOf(element)) || looksClickable(element, visibility)) controls.push(element)
    if (isUnreadable(element, visibility)) closed.push(element)
    else if (!withheld.has(element) && isRead(element, visibility)) parts.add(partOf(element))
  }
  const read = [...parts].filter((part) => ancestor(parentOf(part), (above) => parts.has(above)) === null)
  const open = fields.filter(({ secret }) => secret === undefined).map(({ element }) => element)
  const filled = new Set(read.filter((part) => open.some((field) => isWithin(field, part))))
  const roots = readableRoots()
  const ignored = [...roots].flatMap(ignoredIn)
  controls.push(...ignored.flatMap((part) => [...part.querySelectorAll(pressed)]))
  return { read, filled, never, closed: [...closed, ...ignored], controls, roots }
}

/** Whether it has a text or a control of its own that a reading tells. */
function isRead(element: Element, visibility: Visibility): boolean {
  const hasText = visibility
    .children(element)
    .some((child) => !isElement(child) && child.data.trim() !== '' && visibility.isTextVisible(child))
  return hasText || ((isTag(element, 'img') || isAction(roleOf(element))) && visibility.isShown(element))
}

/** A frame of another site, or a closed shadow root. */
const isUnreadable = (element: Element, visibility: Visibility): boolean =>
  (isTag(element, 'iframe') && frameDocument(element) === null && visibility.isShown(element)) ||
  isClosedHost(element, visibility)

/** The nearest part around an element that has a meaning or a frame; else the largest that is small in the window. */
function partOf(element: Element): Element {
  const { height } = element.getBoundingClientRect()
  let small = element
  const found = ancestor(element, (above) => {
    if (isTag(above, 'body', 'html', 'main') || above.matches(named)) return true
    const box = above.getBoundingClientRect()
    if (box.height <= innerHeight * largest) small = above
    return above !== element && isDrawn(above) && box.height > height * 1.5
  })
  return found && !isTag(found, 'body', 'html', 'main') ? found : small
}

/** The outermost visible parts that the page has marked. */
const ignoredIn = (root: Root): readonly Element[] =>
  [...unclobbered(root).querySelectorAll('[data-tool-agent-ignore]')].filter((element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility() && ancestor(parentOf(element), isBarred) === null
  })
