// How far a box can be scrolled, and whether a person can: by wheel, touch or keys. Scripts can also scroll
// `overflow: hidden`; a person cannot.

/** Between which values `scrollLeft` and `scrollTop` are. */
export interface ScrollLimits {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** The styles that decide where scrolling begins. */
export type FlowStyle = Pick<
  CSSStyleDeclaration,
  'display' | 'direction' | 'writingMode' | 'flexDirection' | 'flexWrap'
>

/** Whether this computed `overflow-x` or `overflow-y` lets a person scroll. */
export const isScrolled = (overflow: string): boolean => /auto|scroll|overlay/.test(overflow)

/**
 * Whether scrolling begins at the right, or at the bottom, so that positions are negative: in languages that are
 * written from the right, in vertical text, and in reversed columns, such as a chat.
 */
function beginsAtEnd(style: FlowStyle): readonly [x: boolean, y: boolean] {
  const { display, direction, writingMode, flexDirection, flexWrap } = style
  const isVertical = !writingMode.startsWith('horizontal')
  const isInlineReversed = direction === 'rtl'
  const [x, y] = isVertical ? [writingMode.endsWith('-rl'), isInlineReversed] : [isInlineReversed, false]
  if (!display.includes('flex')) return [x, y]
  const isMainHorizontal = flexDirection.startsWith('row') !== isVertical
  const isMainReversed = flexDirection.endsWith('reverse')
  const isCrossReversed = flexWrap === 'wrap-reverse'
  return isMainHorizontal
    ? [x !== isMainReversed, y !== isCrossReversed]
    : [x !== isCrossReversed, y !== isMainReversed]
}

/** The limits of one axis. A position other than 0 tells the sign, whatever the styles are. */
function limitsOf(position: number, range: number, isFromEnd: boolean): readonly [least: number, most: number] {
  return position < 0 || (position === 0 && isFromEnd) ? [-range, 0] : [0, range]
}

/** The limits of a box, whether a person or only a script can scroll it. `height`: that of its visible part. */
export function scrollLimits(box: Element, style: FlowStyle, height = box.clientHeight): ScrollLimits {
  const [isFromRight, isFromBottom] = beginsAtEnd(style)
  const [left, right] = limitsOf(box.scrollLeft, Math.max(0, box.scrollWidth - box.clientWidth), isFromRight)
  const [top, bottom] = limitsOf(box.scrollTop, Math.max(0, box.scrollHeight - height), isFromBottom)
  return { left, right, top, bottom }
}
