// What an element affords beside a click, as far as markup and cursor say it: it can be dragged, resized or drawn on,
// and the page describes keys for it.
import { isTag, parentOf, viewOf, ancestor, byIds } from '../dom/dom.js'
import { normalizeText } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'

const handles =
  '[data-rfd-drag-handle-draggable-id],[data-rbd-drag-handle-draggable-id],.ui-sortable-handle,.ui-draggable-handle,' +
  '[aria-roledescription~=draggable i],[aria-roledescription~=sortable i]'

type StyleOf = (element: Element) => CSSStyleDeclaration
const computed: StyleOf = (element) => viewOf(element).getComputedStyle(element)

/** The cursor that an element has and what is around it has not; '' if it is inherited. */
function ownCursor(element: Element, styleOf: StyleOf): string {
  const { cursor } = styleOf(element)
  if (!/move|grab|scroll|resize|crosshair/.test(cursor)) return ''
  const up = parentOf(element)
  return up && styleOf(up).cursor === cursor ? '' : cursor
}

/** Whether the markup says that it can be dragged. */
export const isMarkedDraggable = (element: Element): boolean =>
  element.getAttribute('draggable')?.toLowerCase() === 'true' || Element.prototype.matches.call(element, handles)

/**
 * Whether it can be dragged: by `draggable=true`, its description, the mark of a library, or a cursor of its own that
 * says so. `styleOf`: the computed styles of a snapshot.
 */
export const isDraggable = (element: Element, styleOf = computed): boolean =>
  isMarkedDraggable(element) || /\b(move|grab|all-scroll)$/.test(ownCursor(element, styleOf))

/** The edges that a handle moves, such as `bottom` or `top left`; undefined if it has no cursor of one. */
export function resizedEdges(element: Element, styleOf = computed): string | undefined {
  const [, ways] = /\b([a-z]+)-resize$/.exec(ownCursor(element, styleOf)) ?? []
  const up = parentOf(element)
  if (ways === undefined || !up) return undefined
  const [own, around] = [element.getBoundingClientRect(), up.getBoundingClientRect()]
  const isTop = own.top + own.bottom < around.top + around.bottom
  const isLeft = own.left + own.right < around.left + around.right
  const edges = [
    ...(/^(col|e|w|ew)$/.test(ways) ? [] : [isTop ? 'top' : 'bottom']),
    ...(/^(row|n|s|ns)$/.test(ways) ? [] : [isLeft ? 'left' : 'right']),
  ]
  return edges.join(' ')
}

/** Pixels. A smaller canvas is an icon. */
const leastCanvas = 100

/** Whether one draws on it: a canvas, or what has a cross as its cursor. */
export function isDrawingArea(element: Element, styleOf = computed): boolean {
  if (!isTag(element, 'canvas')) return ownCursor(element, styleOf).endsWith('crosshair')
  const { width, height } = element.getBoundingClientRect()
  return Math.min(width, height) >= leastCanvas
}

/** Names of keys in the languages of the SDK. */
const keys = new RegExp(
  '\\b(space ?bar|space|arrows?|keys?|keyboard|press (enter|return|escape)|leertaste|pfeiltasten?|eingabetaste|' +
    'flechas?|espaciadora|flèches?|espace)\\b|スペース|矢印|空格|方向键|المسافة|الأسهم',
  'i',
)

/** The description that tells how keys operate an element, often for screen readers only; undefined without one. */
export function keyHintOf(
  element: Element,
  visibility: Visibility,
): { readonly by: Element; readonly text: string } | undefined {
  for (const by of byIds(element, 'aria-describedby')) {
    const text = normalizeText(by.textContent ?? '')
    if (
      keys.test(text) &&
      !visibility.isOffLimits(by) &&
      ancestor(by, (above) => above.matches('input,textarea')) === null
    )
      return { by, text }
  }
  return undefined
}
