// How the styles of an element and of everything around it make it visible or not: hidden, moved away, clipped. Each
// element is computed once per snapshot, from the result of its parent.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { colorOf } from './colors.js'
import type { Color } from './colors.js'
import { ancestor, isTag, parentOf, viewOf } from './dom.js'
import { containingBlock, isContainingBlock, nowhere, pageReach, reachInside } from './reach.js'
import type { Box, Reach } from './reach.js'
import { appearsOnHover } from './hover-rules.js'

/** `screen-reader`: clipped or moved away, so that only assistive technology reads it. */
export type VisibilityResult = 'visible' | 'screen-reader' | 'hidden'

/** What is painted behind the text of an element. */
export interface Backdrop {
  /** The opaque color; null if unknown. */
  readonly color: Color | null
  /** The newest element that has an opaque color; null for the default background of the browser. */
  readonly element: Element | null
}

/** What an element inherits from its ancestors and passes on to its descendants. */
export interface Appearance {
  /** Whether the box can be seen. Says nothing about the color of the text. */
  readonly level: VisibilityResult
  /** The product of its own opacity and that of its ancestors. */
  readonly opacity: number
  /** Where its contents must lie so that a person can see them, or scroll them into view. */
  readonly reach: Reach
  /** The same for its own box. */
  readonly around: Reach
  /** Whether `text-indent` moves its inline contents away. */
  readonly isIndented: boolean
  /** What is behind its text. */
  readonly backdrop: Backdrop
  /** It is transparent, until the mouse is over something around it. */
  readonly isOnHover: boolean
}

/** The default background of a page. */
const whitePage: Backdrop = { color: [255, 255, 255, 1], element: null }
/** Shared by all hidden elements. What is inside them is hidden, too, so the other values are never used. */
const hidden: Appearance = {
  level: 'hidden',
  opacity: 0,
  around: nowhere,
  reach: nowhere,
  isIndented: false,
  backdrop: { color: null, element: null },
  isOnHover: false,
}

/** The colors in the value of a property; null for one that cannot be parsed. */
export const colorsIn = (text: string): (Color | null)[] =>
  [...text.matchAll(/[a-z-]+\([^()]*\)/g)].map(([color]) => colorOf(color))

/** Whether a filter makes text unreadable: an opacity under 10 %, or a blur of more than half the font size. */
const isBlurred = ({ filter, fontSize }: CSSStyleDeclaration): boolean =>
  /opacity\(0?(\.0\d*)?\)/.test(filter) ||
  parseFloat(/blur\(([\d.]+)px/.exec(filter)?.[1] ?? '0') > parseFloat(fontSize) / 2

/** Whether `text-indent` moves the text away. */
export const isIndented = ({ textIndent }: CSSStyleDeclaration): boolean => parseFloat(textIndent) <= -500

/** Whether a mask has no size, or only transparent colors. */
function isMaskedAway({ maskImage, maskSize }: CSSStyleDeclaration): boolean {
  if (!maskImage || maskImage === 'none') return false
  if (/^0(px|%)/.test(maskSize)) return true
  return (
    /^[a-z-]*gradient\((?!.*gradient\()/.test(maskImage) &&
    colorsIn(maskImage).every((color) => color !== null && color[3] < 0.05)
  )
}

/** Whether a clip path leaves less than three pixels of the element visible. */
function isClippedAway(path: string, element: Element): boolean {
  const [, shape, radii = ''] = /^(inset|circle|ellipse|polygon)\(([^)]*)/.exec(path) ?? []
  if (shape === 'polygon') return !/[1-9]/.test(radii)
  const isTiny = (radius: string): boolean => parseFloat(radius) <= (radius.endsWith('%') ? 0 : 2)
  if (shape !== 'inset') return shape !== undefined && radii.split(' at ')[0]?.split(' ').some(isTiny) === true
  const { offsetWidth, offsetHeight } = element as Partial<HTMLElement>
  const { width, height } = element.getBoundingClientRect()
  const [top = '', right = top, bottom = top, left = right] = radii.split(' round ')[0]?.split(' ') ?? []
  const pixels = (side: string, size: number): number =>
    side.endsWith('%') ? (parseFloat(side) / 100) * size : parseFloat(side)
  const cut = (one: string, other: string, size: number): boolean => pixels(one, size) + pixels(other, size) > size - 3
  return cut(top, bottom, offsetHeight ?? height) || cut(left, right, offsetWidth ?? width)
}

/** The appearances of all elements of one snapshot. */
export class Appearances {
  readonly #styles = new Map<Element, CSSStyleDeclaration>()
  readonly #appearances = new Map<Element, Appearance>()
  /** The elements that have a box only while the mouse is over something, and how they are displayed then. */
  readonly hovered = new Map<Element, { readonly display: string }>()

  /** Keeps the style that an element has while the mouse is over something. */
  keepStyle(element: Element): void {
    const live = viewOf(element).getComputedStyle(element)
    const { display, visibility, opacity } = live
    const kept: Record<string | symbol, string> = { display, visibility, opacity }
    const style = new Proxy(live, {
      get(_, name) {
        const value: unknown = kept[name] ?? Reflect.get(live, name, live)
        return typeof value === 'function' ? value.bind(live) : value
      },
    })
    this.#styles.set(element, style)
  }

  /** The computed style, cached. A function of its own, because `reach.ts` receives it. */
  readonly style = (element: Element): CSSStyleDeclaration => {
    let found = this.#styles.get(element)
    if (!found) this.#styles.set(element, (found = viewOf(element).getComputedStyle(element)))
    return found
  }

  /** The appearance of an element, cached. */
  of(element: Element): Appearance {
    // A loop instead of a recursion, because a tree can be deeper than the stack.
    const chain: Element[] = []
    let node: Element | null = element
    while (node && !this.#appearances.has(node)) {
      chain.push(node)
      node = parentOf(node)
    }
    let found = node ? this.#appearances.get(node) : undefined
    for (let index = chain.length - 1; index >= 0; index--) {
      const next = chain[index]
      if (next) this.#appearances.set(next, (found = this.#compute(next, found)))
    }
    return found ?? this.#compute(element, undefined)
  }

  #compute(element: Element, above: Appearance | undefined): Appearance {
    if (above?.level === 'hidden') return above
    const css = this.style(element)
    const isBoxless = css.display === 'contents'
    if (css.display === 'none' || (!isBoxless && !element.checkVisibility())) return hidden
    const opacityAround = above?.opacity ?? 1
    const own = Number(css.opacity)
    const isOnHover = this.hovered.has(element) || (own < 0.1 && opacityAround >= 0.1 && appearsOnHover(element))
    const opacity = (isOnHover ? 1 : own) * opacityAround
    if (opacity < 0.1 || (css.filter !== 'none' && isBlurred(css)) || isMaskedAway(css)) return hidden
    const around = this.#reachAround(element, above)
    const isMovedAway =
      !isBoxless && !isTag(element, 'body', 'html') && this.#isMovedAway(element, around, above?.isIndented === true)
    return {
      around,
      level: isMovedAway ? 'screen-reader' : (above?.level ?? 'visible'),
      opacity,
      reach: reachInside(around, element, this.style),
      isIndented: isIndented(css),
      backdrop: this.#backdrop(element, above?.backdrop ?? whitePage),
      isOnHover: isOnHover || (above?.isOnHover ?? false),
    }
  }

  /** Whether its box is clipped, covered, tiny, or outside of `around`, the reach of its container. */
  #isMovedAway(element: Element, around: Reach, isInIndented: boolean): boolean {
    const css = this.style(element)
    const { position } = css
    if (position === 'absolute' || position === 'fixed' || isInIndented) {
      if (/rect\((0|1px)?[^1-9]*\)|rect\(1px,? 1px,? 1px,? 1px\)/.test(css.clip)) return true
      const box = element.getBoundingClientRect()
      if (box.right + around.toRight <= 0 || box.bottom + around.toBottom <= 0) return true
      if (this.#isBeyond(element, box, around)) return true
    }
    if (css.clipPath !== 'none' && isClippedAway(css.clipPath, element)) return true
    if (Number(css.zIndex) < 0 && position !== 'static' && this.#isBehind(element)) return true
    // A tracking pixel.
    if (isTag(element, 'img')) {
      const { width, height } = element.getBoundingClientRect()
      if (width > 0 && width <= 1 && height <= 1) return true
    }
    if (css.overflowX === 'visible' && css.overflowY === 'visible') return false
    const { width, height } = element.getBoundingClientRect()
    return css.display !== 'inline' && (width <= 2 || height <= 2)
  }

  /** Whether it is right of or below everything that can be scrolled to. `around`: the reach of its container. */
  #isBeyond(element: Element, box: Box, around: Reach): boolean {
    const { innerWidth, innerHeight, scrollX } = viewOf(element)
    const isFar =
      this.style(element).position === 'fixed'
        ? box.left >= innerWidth || box.top >= innerHeight
        : box.left + scrollX >= innerWidth + 9000 && (around.right === Infinity || box.left >= around.right)
    // An ancestor that is transformed may bring it into view.
    return (
      isFar &&
      !ancestor(parentOf(element), (up) => !isTag(up, 'html', 'body') && isContainingBlock(this.style(up), 'fixed'))
    )
  }

  /** Whether a negative z-index puts it behind an opaque ancestor. */
  #isBehind(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    for (let up = parentOf(element); up && !isTag(up, 'html', 'body'); up = parentOf(up)) {
      const css = this.style(up)
      // An ancestor with its own stacking context paints its background first, below the element.
      if (
        css.zIndex !== 'auto' ||
        css.position === 'fixed' ||
        css.isolation === 'isolate' ||
        css.willChange !== 'auto' ||
        Number(css.opacity) < 1 ||
        [css.transform, css.filter, css.contain].some((value) => value !== 'none')
      )
        return false
      const box = up.getBoundingClientRect()
      const holds = box.left <= left && box.top <= top && box.right >= right && box.bottom >= bottom
      if (holds && (colorOf(css.backgroundColor)?.[3] ?? 0) > 0.95) return true
    }
    return false
  }

  /** Where the box of an element must lie so that a person can see it, or scroll it into view. */
  #reachAround(element: Element, above: Appearance | undefined): Reach {
    if (!above || isTag(element, 'html')) return pageReach(element, this.style, above?.reach)
    const { position } = this.style(element)
    if (position !== 'absolute' && position !== 'fixed') return above.reach
    const block = containingBlock(element, position, this.style)
    return block ? this.of(block).reach : above.reach
  }

  /** What is behind the text of an element. The same object as for its parent, unless the element changes it. */
  #backdrop(element: Element, above: Backdrop): Backdrop {
    const css = this.style(element)
    const hasImage = css.backgroundImage !== 'none'
    const own = colorOf(css.backgroundColor)
    if (!hasImage && own && own[3] > 0.95) return { color: own, element }
    const isUnknown =
      hasImage ||
      !own ||
      own[3] > 0.05 ||
      this.#mayLieOnAnything(element) ||
      (isTag(element, 'html') && [element, parentOf(element)].some((one) => this.#mayBeDark(one)))
    return isUnknown && above.color ? { color: null, element: above.element } : above
  }

  /** Positioned elements and grid items may lie on anything, so styles do not tell their background. */
  #mayLieOnAnything(element: Element): boolean {
    const { position, transform, display } = this.style(element)
    if (transform !== 'none' || display.includes('grid')) return true
    if (position === 'static') return false
    const before = element.previousElementSibling
    return position !== 'relative' || (before !== null && /absolute|fixed/.test(this.style(before).position))
  }

  /** Whether the default background of the element's document may not be white. */
  #mayBeDark(element: Element | null): boolean {
    if (!element) return false
    const own = this.style(element).colorScheme
    const scheme =
      own === 'normal'
        ? (unclobbered(element.ownerDocument).querySelector<HTMLMetaElement>('meta[name=color-scheme i]')?.content ??
          '')
        : own
    const view = viewOf(element)
    return (
      view.matchMedia('(forced-colors: active)').matches ||
      (scheme.includes('dark') &&
        (!scheme.includes('light') || view.matchMedia('(prefers-color-scheme: dark)').matches))
    )
  }
}
