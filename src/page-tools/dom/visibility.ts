// Decides what a person can see. One `Visibility` lives for one snapshot and caches all results; it must not be used
// after the page has changed.
import { unclobbered } from '../../core/data/unclobbered.js'
import { ancestor, childrenOf, elementsUnder, isBarred, isElement, isTag, parentOf, viewOf } from './dom.js'
import { normalizeText } from './text.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { areSimilarColors, colorOf } from './colors.js'
import type { Color } from './colors.js'
import { containingBlock, isContainingBlock, nowhere, overlaps, pageReach, reachInside } from './reach.js'
import type { Box, Reach } from './reach.js'

/** `screen-reader`: clipped or moved away, so that only assistive technology reads it. */
export type VisibilityResult = 'visible' | 'screen-reader' | 'hidden'

/** What an element inherits from its ancestors and passes on to its descendants. */
interface Appearance {
  /** `display: contents`. */
  readonly boxless: boolean
  readonly level: VisibilityResult
  /** The product of its own opacity and that of its ancestors. */
  readonly opacity: number
  /** Where its contents must lie so that a person can see them, or scroll them into view. */
  readonly reach: Reach
  /** Whether `text-indent` moves its inline contents away. */
  readonly indented: boolean
  /** The opaque color behind the text; null if unknown. */
  readonly back: Color | null
  /** The element that has this color; null if it is the default background of the browser. */
  readonly ground: Element | null
}

/** Visibility of elements and texts at one moment. */
export interface Visibility {
  /** `childrenOf`, cached. */
  children(element: Element): (Element | Text)[]
  /** Whether the element or one of its ancestors must not be read, cached. */
  isOffLimits(element: Element): boolean
  /** The computed style, cached. */
  style(element: Element): CSSStyleDeclaration
  /** Whether text of this element is visible: its color, size, position and ancestors. */
  level(element: Element): VisibilityResult
  /** Whether a text node is visible and not clipped. */
  isTextVisible(node: Text): boolean
  /** Whether the element itself is visible, whatever the color of its text. */
  isShown(element: Element): boolean
  /**
   * Whether it has a box and is not hidden. Opacity 0 counts as a box: styled checkboxes hide the real one that way.
   */
  hasBox(element: Element): boolean
  /**
   * The visible text inside a node, without the contents of input fields. Stops soon after `most` characters.
   * `skip` excludes elements with their contents.
   */
  visibleText(root: Node, skip?: (element: Element) => boolean, most?: number): string
  /** Whether the element starts a new line. */
  isBlock(element: Element): boolean
  /** Whether a person sees a gap between the element and the text beside it: a block, an inline block, a margin. */
  isApart(element: Element): boolean
}

const white: Color = [255, 255, 255, 1]

const colorsIn = (text: string): (Color | null)[] =>
  [...text.matchAll(/[a-z-]+\([^()]*\)/g)].map(([color]) => colorOf(color))

/** Whether a filter makes text unreadable: an opacity under 10 %, or a blur of more than half the font size. */
const isBlurred = ({ filter, fontSize }: CSSStyleDeclaration): boolean =>
  /opacity\(0?(\.0\d*)?\)/.test(filter) ||
  parseFloat(/blur\(([\d.]+)px/.exec(filter)?.[1] ?? '0') > parseFloat(fontSize) / 2

const isIndented = ({ textIndent }: CSSStyleDeclaration): boolean => parseFloat(textIndent) <= -500

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

/** Whether a text shadow makes text visible whose own color is not. */
const hasVisibleShadow = (shadow: string, back: Color | null): boolean =>
  shadow !== 'none' &&
  colorsIn(shadow).some((color) => color === null || (color[3] >= 0.05 && !(back && areSimilarColors(color, back))))

/** Starts with empty caches: create one per snapshot. */
export function createVisibility(): Visibility {
  const styles = new Map<Element, CSSStyleDeclaration>()
  const appearances = new Map<Element, Appearance>()

  function style(element: Element): CSSStyleDeclaration {
    let found = styles.get(element)
    if (!found) styles.set(element, (found = viewOf(element).getComputedStyle(element)))
    return found
  }

  /** Whether the default background of the element's document may not be white. */
  function mayBeDark(element: Element | null): boolean {
    if (!element) return false
    const own = style(element).colorScheme
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

  /** Whether it is right of or below everything that can be scrolled to. `around`: the reach of its container. */
  function isBeyond(element: Element, box: Box, around: Reach): boolean {
    const { innerWidth, innerHeight, scrollX } = viewOf(element)
    const isFar =
      style(element).position === 'fixed'
        ? box.left >= innerWidth || box.top >= innerHeight
        : box.left + scrollX >= innerWidth + 9000 && (around.right === Infinity || box.left >= around.right)
    // An ancestor that is transformed may bring it into view.
    return (
      isFar && !ancestor(parentOf(element), (up) => !isTag(up, 'html', 'body') && isContainingBlock(style(up), 'fixed'))
    )
  }

  /** Whether a negative z-index puts it behind an opaque ancestor. */
  function isBehind(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    for (let up = parentOf(element); up && !isTag(up, 'html', 'body'); up = parentOf(up)) {
      const css = style(up)
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
  function reachAround(element: Element, above: Appearance | undefined): Reach {
    if (!above || isTag(element, 'html')) return pageReach(element, style, above?.reach)
    const { position } = style(element)
    if (position !== 'absolute' && position !== 'fixed') return above.reach
    const block = containingBlock(element, position, style)
    return block ? appearanceOf(block).reach : above.reach
  }

  function computeAppearance(element: Element, above: Appearance | undefined): Appearance {
    if (above?.level === 'hidden') return above
    const css = style(element)
    const boxless = css.display === 'contents'
    const out = (level: VisibilityResult): Appearance => ({
      boxless,
      level,
      opacity: 0,
      reach: nowhere,
      indented: false,
      back: null,
      ground: null,
    })
    if (css.display === 'none' || (!boxless && !element.checkVisibility())) return out('hidden')
    const opacity = Number(css.opacity) * (above?.opacity ?? 1)
    if (opacity < 0.1 || (css.filter !== 'none' && isBlurred(css)) || isMaskedAway(css)) return out('hidden')
    let level: VisibilityResult = above?.level ?? 'visible'
    const positioned = css.position !== 'static'
    const around = reachAround(element, above)
    if (!boxless && !isTag(element, 'body', 'html')) {
      if (css.position === 'absolute' || css.position === 'fixed' || above?.indented) {
        if (/rect\((0|1px)?[^1-9]*\)|rect\(1px,? 1px,? 1px,? 1px\)/.test(css.clip)) level = 'screen-reader'
        const box = element.getBoundingClientRect()
        if (box.right + around.toRight <= 0 || box.bottom + around.toBottom <= 0 || isBeyond(element, box, around))
          level = 'screen-reader'
      }
      if (css.clipPath !== 'none' && isClippedAway(css.clipPath, element)) level = 'screen-reader'
      if (Number(css.zIndex) < 0 && positioned && isBehind(element)) level = 'screen-reader'
      // A tracking pixel.
      if (isTag(element, 'img')) {
        const { width, height } = element.getBoundingClientRect()
        if (width > 0 && width <= 1 && height <= 1) level = 'screen-reader'
      }
      if (css.overflowX !== 'visible' || css.overflowY !== 'visible') {
        const box = element.getBoundingClientRect()
        if (css.display !== 'inline' && (box.width <= 2 || box.height <= 2)) level = 'screen-reader'
      }
    }
    let back = above ? above.back : white
    let ground = above?.ground ?? null
    if (isTag(element, 'html') && [element, parentOf(element)].some(mayBeDark)) back = null
    // Positioned elements and grid items may lie on anything, so styles do not tell their background.
    const behind = element.previousElementSibling
    if (
      css.backgroundImage !== 'none' ||
      (positioned && (css.position !== 'relative' || (behind && /absolute|fixed/.test(style(behind).position)))) ||
      css.transform !== 'none' ||
      css.display.includes('grid')
    )
      back = null
    const own = colorOf(css.backgroundColor)
    if (css.backgroundImage === 'none' && own && own[3] > 0.95) {
      back = own
      ground = element
    } else if (!own || own[3] > 0.05) back = null
    const reach = reachInside(around, element, style)
    return { boxless, level, opacity, reach, indented: isIndented(css), back, ground }
  }

  function appearanceOf(element: Element): Appearance {
    const chain: Element[] = []
    let node: Element | null = element
    while (node && !appearances.has(node)) {
      chain.push(node)
      node = parentOf(node)
    }
    let found = node ? appearances.get(node) : undefined
    for (let index = chain.length - 1; index >= 0; index--) {
      const next = chain[index]
      if (next) appearances.set(next, (found = computeAppearance(next, found)))
    }
    return found ?? computeAppearance(element, undefined)
  }

  const paintedByDocument = new Map<Document, [Element, Box][]>()
  /** All elements of a document that paint a surface. Slow: only needed if a text has the color of its background. */
  function paintedElementsOf(owner: Document): [Element, Box][] {
    let found = paintedByDocument.get(owner)
    if (!found) {
      paintedByDocument.set(owner, (found = []))
      for (const one of elementsUnder(owner.documentElement)) {
        if (one.ownerDocument !== owner || isTag(one, 'html', 'body')) continue
        const css = style(one)
        const color = colorOf(css.backgroundColor)
        if (
          css.backgroundImage !== 'none' ||
          !color ||
          color[3] > 0.05 ||
          isTag(one, 'img', 'video', 'canvas') ||
          one.localName === 'svg'
        )
          found.push([one, one.getBoundingClientRect()])
      }
    }
    return found
  }

  /** Whether something lies between the element and its background: a layer, an image, a pseudo-element. */
  function isLayered(element: Element, ground: Element | null): boolean {
    for (let node: Element | null = element; node; node = node === ground ? null : parentOf(node)) {
      for (const part of ['::before', '::after']) {
        const { content, position } = viewOf(node).getComputedStyle(node, part)
        if (content !== 'none' && /absolute|fixed/.test(position)) return true
      }
    }
    const { left, top, right, bottom } = element.getBoundingClientRect()
    // Shrunk by 3 px, because boxes of adjacent lines touch.
    const box = { left: left + 3, top: top + 3, right: right - 3, bottom: bottom - 3 }
    return paintedElementsOf(element.ownerDocument).some(([one, other]) => {
      // Bits: 1 another tree, 2 before, 4 after. Ancestors and descendants have more bits.
      const where = element.compareDocumentPosition(one)
      return (
        overlaps(box, other) &&
        ((where & 1) !== 0 || where === 2 || (where === 4 && Number(style(one).zIndex) < 0)) &&
        ancestor(one, (above) => above === ground || above === element) === ground &&
        appearanceOf(one).level === 'visible'
      )
    })
  }

  const levels = new Map<Element, VisibilityResult>()
  function level(element: Element): VisibilityResult {
    let found = levels.get(element)
    if (!found) levels.set(element, (found = computeLevel(element)))
    return found
  }
  function computeLevel(element: Element): VisibilityResult {
    const { level, back, ground } = appearanceOf(element)
    if (level === 'hidden') return 'hidden'
    const css = style(element)
    if (css.visibility !== 'visible' || parseFloat(css.fontSize) < 4) return 'hidden'
    // Gradient text: a transparent color that shows the background.
    const fill = colorOf(css.getPropertyValue('-webkit-text-fill-color') || css.color)
    const painted =
      css.getPropertyValue('background-clip') === 'text' || css.getPropertyValue('-webkit-background-clip') === 'text'
    if (!painted && fill && (fill[3] < 0.05 || (back && areSimilarColors(fill, back) && !isLayered(element, ground))))
      return hasVisibleShadow(css.textShadow, back) ? level : 'hidden'
    // Moves the text away, not the box: an icon button.
    return isIndented(css) ? 'screen-reader' : level
  }

  const visibleTexts = new Map<Text, boolean>()
  function isTextVisible(node: Text): boolean {
    let found = visibleTexts.get(node)
    if (found === undefined) visibleTexts.set(node, (found = computeTextVisible(node)))
    return found
  }
  function computeTextVisible(node: Text): boolean {
    const parent = parentOf(node)
    if (!parent || node.data.trim() === '' || level(parent) !== 'visible') return false
    // The browser hides the contents of these elements, not the elements themselves.
    if ((isTag(parent, 'details') && !parent.open) || style(parent).getPropertyValue('content-visibility') === 'hidden')
      return false
    const range = Document.prototype.createRange.call(node.ownerDocument)
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (Math.min(box.width, box.height) < 1) return false
    // The box of a text is higher than its line and its letters, by an amount that the font decides.
    const { left, top, right, bottom, height } = box
    const margin = 0.15 * height
    return overlaps({ left, right, top: top + margin, bottom: bottom - margin }, appearanceOf(parent).reach)
  }

  /** Whether it and all elements around it pass the test, cached. */
  function throughAll(test: (element: Element) => boolean): (element: Element) => boolean {
    const known = new Map<Element, boolean>()
    return (element) => {
      const chain: Element[] = []
      let node: Element | null = element
      for (; node && !known.has(node); node = parentOf(node)) chain.push(node)
      let found = node === null || known.get(node) === true
      for (const next of chain.reverse()) known.set(next, (found &&= test(next)))
      return found
    }
  }
  const isReadable = throughAll((element) => !isBarred(element))
  const isRendered = throughAll((element) => {
    const { display } = style(element)
    return display !== 'none' && (display === 'contents' || element.checkVisibility())
  })

  const boxes = new Map<Element, boolean>()
  function hasBox(element: Element): boolean {
    let found = boxes.get(element)
    if (found === undefined) {
      found = isReadable(element) && isRendered(element) && style(element).visibility === 'visible'
      if (found) {
        const { width, height } = element.getBoundingClientRect()
        found = width > 0 || height > 0
      }
      boxes.set(element, found)
    }
    return found
  }

  const isShown = (element: Element): boolean => hasBox(element) && appearanceOf(element).level === 'visible'

  const blocks = new Map<Element, boolean>()
  function isBlock(element: Element): boolean {
    let found = blocks.get(element)
    if (found === undefined) {
      found = !/^(inline|contents|ruby)/.test(style(element).display) || element.localName === 'br'
      blocks.set(element, found)
    }
    return found
  }

  const apart = new Map<Element, boolean>()
  function isApart(element: Element): boolean {
    let found = apart.get(element)
    if (found === undefined) {
      const { display, marginLeft, marginRight, paddingLeft } = style(element)
      found =
        isBlock(element) ||
        // Animated headings put each letter into an inline block.
        ((display.startsWith('inline-') || Math.max(...[marginLeft, marginRight, paddingLeft].map(parseFloat)) > 2) &&
          (element.textContent ?? '').length > 1)
      apart.set(element, found)
    }
    return found
  }

  const childLists = new Map<Element, (Element | Text)[]>()
  function children(element: Element): (Element | Text)[] {
    let found = childLists.get(element)
    if (!found) childLists.set(element, (found = childrenOf(element)))
    return found
  }

  function visibleText(root: Node, skip?: (element: Element) => boolean, most = Infinity): string {
    const parts: string[] = []
    let length = 0
    const visit = (node: Element | Text, depth: number): void => {
      if (length > most) return
      if (!isElement(node)) {
        // A space between two elements is a node of its own.
        const isSpace = node.data.trim() === ''
        if (!isSpace && !isTextVisible(node)) return
        parts.push(isSpace ? ' ' : node.data)
        if (!isSpace) length += node.data.length
        return
      }
      if (
        depth > 300 ||
        holdsTyping(node) ||
        isTag(node, 'select', 'datalist', 'iframe') ||
        node.getAttribute('aria-hidden') === 'true' ||
        skip?.(node)
      )
        return
      const gap = isApart(node)
      if (gap) parts.push(' ')
      if (isTag(node, 'img') && level(node) === 'visible') parts.push(` ${node.alt} `)
      for (const child of children(node)) visit(child, depth + 1)
      if (gap) parts.push(' ')
    }
    if (isElement(root)) {
      if (isReadable(root) && !ancestor(root, (above) => above.getAttribute('aria-hidden') === 'true'))
        for (const child of children(root)) visit(child, 0)
    } else if (root.nodeType === 3) visit(root as Text, 0)
    return normalizeText(parts.join(''))
  }

  const isOffLimits = (element: Element): boolean => !isReadable(element)

  return { children, isOffLimits, style, level, isTextVisible, isShown, hasBox, visibleText, isBlock, isApart }
}
