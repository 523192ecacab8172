// Which element opened a menu, list, popover or dialog: by markup, or because it appeared when a tool pressed that
// element. Libraries draw such boxes at the end of the document, where nothing around them says what they are about.
import { ancestor, byIds, currentPage, elementsUnder, isTag, isWithin, parentOf } from './dom.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import { roleOf } from './roles.js'
import type { Visibility } from './visibility.js'

/** Roles of pop-ups. */
export const popUpRoles = /^(menu|listbox|tree|grid|dialog)$/
/** Whether nothing but the dialog can be used. */
export const isModal = (element: Element): boolean =>
  element.getAttribute('aria-modal') === 'true' || (isTag(element, 'dialog') && element.matches(':modal'))
const isPopover = (element: Element): boolean => element.hasAttribute('popover')

/** The kind of pop-up that `aria-haspopup` announces; '' for none. */
export function announced(opener: Element): string {
  const kind = opener.getAttribute('aria-haspopup')?.trim().toLowerCase() ?? ''
  return kind === 'true' ? 'menu' : kind.replace('false', '')
}

/** The elements that an opener names: by `aria-controls`, `aria-owns`, `popovertarget` or a command. */
export function namedBy(opener: Element): Element[] {
  const { popoverTargetElement, popoverTargetAction, commandForElement, command } = opener as Partial<
    HTMLButtonElement & { commandForElement: Element | null; command: string }
  >
  const byAria = announced(opener) !== '' || opener.hasAttribute('aria-expanded')
  return [
    ...(byAria ? ['aria-controls', 'aria-owns'].flatMap((attribute) => byIds(opener, attribute)) : []),
    ...(popoverTargetElement && popoverTargetAction !== 'hide' ? [popoverTargetElement] : []),
    ...(commandForElement && /^(show|toggle)-popover$/.test(command ?? '') ? [commandForElement] : []),
  ]
}

/** Whether the opener, or the browser, says that the pop-up is closed. Undefined if neither says anything. */
export function isCollapsed(opener: Element, popUp: Element): boolean | undefined {
  const expanded = opener.getAttribute('aria-expanded')
  if (expanded !== null) return expanded !== 'true'
  return popUp.isConnected && isPopover(popUp) ? !popUp.matches(':popover-open') : undefined
}

/** The element that opened a pop-up, as far as markup says; undefined if none or several may have. */
export function openerOf(popUp: Element, openers: readonly HTMLElement[]): HTMLElement | undefined {
  const outside = openers.filter((one) => ancestor(one, (above) => above === popUp) === null)
  const naming = outside.filter((one) => namedBy(one).includes(popUp))
  const open = naming.filter((one) => isCollapsed(one, popUp) !== true)
  if (naming.length > 0) return naming.length === 1 ? naming[0] : only(open)
  const role = roleOf(popUp)
  if (!popUpRoles.test(role ?? '') && !isPopover(popUp)) return undefined
  const announcing = outside.filter(
    (one) => announced(one) !== '' && (announced(one) === role || role === null) && namedBy(one).length === 0,
  )
  const labels = byIds(popUp, 'aria-labelledby')
  return (
    only(announcing.filter((one) => labels.includes(one))) ??
    only(announcing.filter((one) => isBeside(one, popUp) && one.getAttribute('aria-expanded') !== 'false')) ??
    only(announcing.filter((one) => one.getAttribute('aria-expanded') === 'true'))
  )
}

const only = <T>(all: readonly T[]): T | undefined => (all.length === 1 ? all[0] : undefined)

/** Whether the opener is around the pop-up, or both are in the same box. */
const isBeside = (opener: Element, popUp: Element): boolean =>
  ancestor(popUp, (above) => above === opener) !== null ||
  (!isTag(parentOf(popUp), 'body') && ancestor(opener, (above) => above === parentOf(popUp)) !== null)

/** All elements of the page that say that they open something. */
export const openersIn = (): HTMLElement[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (one): one is HTMLElement =>
      one.matches('[aria-haspopup],[aria-controls],[aria-owns],[popovertarget],[commandfor]') ||
      Boolean((one as Partial<HTMLButtonElement>).popoverTargetElement),
  )

/** An element that was seen to open a box, and what stood around it then, near texts first. */
interface Opened {
  readonly by: WeakRef<Element>
  readonly around: readonly string[]
}

/** The boxes that appeared when a tool pressed something. */
const opened = new Map<WeakRef<Element>, Opened>()

/** What the visitor presses outside of a box may show it again, for something else. */
function forget({ target, isTrusted }: Event): void {
  if (!isTrusted) return
  for (const ref of opened.keys()) {
    const box = ref.deref()
    if (!box?.isConnected || !isWithin(target as Element, box)) opened.delete(ref)
  }
}

/** Whether a box floats over the page, so that its place in the document says nothing. Rows of long lists do not. */
function floats(element: Element, { style }: Visibility): boolean {
  const { position, zIndex } = style(element)
  return position === 'fixed' || (position === 'absolute' && zIndex !== 'auto') || isPopover(element)
}

/** What a press has brought. */
interface Brought {
  /** What is listed since then. */
  readonly listed: Iterable<Element>
  /** The nodes that were added. */
  readonly added: ReadonlySet<Node>
  /** What stood around the opener before, because the page may draw that anew. Near texts come first. */
  readonly around: readonly string[]
}

/** A press opens no more boxes at once. */
const mostBoxes = 3

/** Remembers what a press has opened: boxes that float, or were added at the end of the page. */
export function noteOpened(opener: Element, { listed, added, around }: Brought, visibility: Visibility): void {
  if (opened.size === 0) for (const type of ['pointerdown', 'keydown']) addEventListener(type, forget, true)
  // A press elsewhere may show a box that is kept for something else.
  for (const ref of opened.keys()) {
    const box = ref.deref()
    if (!box?.isConnected || !isWithin(opener, box)) opened.delete(ref)
  }
  const boxes = new Set<Element>()
  for (const element of listed) {
    let box: Element | undefined
    for (let up: Element | null = element; up && !isTag(up, 'body', 'html') && !isWithin(opener, up); up = parentOf(up))
      if (floats(up, visibility) || (added.has(up) && isTag(parentOf(up), 'body'))) box = up
    if (box) boxes.add(box)
  }
  if (boxes.size <= mostBoxes)
    for (const box of boxes) opened.set(new WeakRef(box), { by: new WeakRef(opener), around })
}

/** What the elements of the page name as what they open. */
const namedNow = cachedPerSnapshot((_page: Node, _visibility: Visibility) => {
  const openers = openersIn()
  return { openers, named: new Set(openers.flatMap(namedBy)) }
})
const openerByMarkup = cachedPerSnapshot((box: Element, visibility: Visibility): { readonly by?: Element } => {
  const { openers, named } = namedNow(currentPage().documentElement, visibility)
  const by = popUpRoles.test(roleOf(box) ?? '') || named.has(box) || isPopover(box) ? openerOf(box, openers) : undefined
  return by ? { by } : {}
})

/** Whether the newest press on an element has opened a box. */
export const isOpenedBy = (box: Element, opener: Element): boolean =>
  [...opened].some(([ref, { by }]) => ref.deref() === box && by.deref() === opener)

/** What opened a box: an element, or the texts that stood around one that is gone. Undefined if nothing is known. */
export function openerOfBox(
  box: Element,
  visibility: Visibility,
): { readonly opener?: Element; readonly around: readonly string[] } | undefined {
  for (const [ref, { by, around }] of opened)
    if (ref.deref() === box) {
      const opener = by.deref()
      return opener?.isConnected ? { opener, around } : { around }
    }
  const { by } = openerByMarkup(box, visibility)
  return by && { opener: by, around: [] }
}
