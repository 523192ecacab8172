// Decides what a person can see. One `Visibility` lives for one snapshot and caches all results; it must not be used
// after the page has changed.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { Appearances, colorsIn, isIndented } from './appearance.js'
import type { VisibilityResult } from './appearance.js'
import {
  ancestor,
  childrenOf,
  elementsUnder,
  frameDocument,
  isBarred,
  isElement,
  isTag,
  nativeProperty,
  parentOf,
  viewOf,
} from './dom.js'
import { applyRules, rulesShowing, withoutBoxUntilHover } from './hover-rules.js'
import { markSpaces, normalizeText, readSpaces, saysNothing } from './text.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { areSimilarColors, colorOf } from './colors.js'
import type { Color } from './colors.js'
import { overlaps } from './reach.js'
import { isAction, roleOf } from './roles.js'
import type { Box } from './reach.js'

/** So many elements appear on hover, and so many are in one of them: a larger part is no row of controls. */
const [mostHovered, largestHovered] = [500, 60]
/** The shadow roots in which something appears on hover: a ref leads into them before anything else is read. */
const hoveredRoots = new Set<WeakRef<ShadowRoot>>()

interface TextOptions {
  readonly skip?: ((element: Element) => boolean) | undefined
  readonly most: number
  dataOf(node: Text): string
}

/** Whether a text shadow makes text visible whose own color is not. */
const hasVisibleShadow = (shadow: string, back: Color | null): boolean =>
  shadow !== 'none' &&
  colorsIn(shadow).some((color) => color === null || (color[3] >= 0.05 && !(back && areSimilarColors(color, back))))

/** Whether it and all elements around it pass the test, cached. */
function cachedThroughAncestors(test: (element: Element) => boolean): (element: Element) => boolean {
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

/**
 * Visibility of elements and texts at one moment. Starts with empty caches: create one per snapshot. Every method is
 * called for most elements of a page, so each caches by element, and none allocates for a result that is cached.
 */
export class Visibility {
  readonly #appearances: Appearances
  readonly #levels = new Map<Element, VisibilityResult>()
  readonly #visibleTexts = new Map<Text, boolean>()
  readonly #boxes = new Map<Element, boolean>()
  readonly #blocks = new Map<Element, boolean>()
  readonly #apart = new Map<Element, boolean>()
  readonly #children = new Map<Element, (Element | Text)[]>()
  readonly #paintedByDocument = new Map<Document, [Element, Box][]>()
  #isHovering = false
  readonly #measuredRoots = new Set<Node>()
  readonly #isReadable = cachedThroughAncestors((element) => !isBarred(element))
  readonly #isRendered = cachedThroughAncestors((element) => {
    const { display } = this.style(element)
    return display !== 'none' && (display === 'contents' || element.checkVisibility())
  })

  /** The computed style, cached. */
  readonly style: (element: Element) => CSSStyleDeclaration

  /** `childrenOf`, cached. A function of its own, because callers pass it to `elementsUnder`. */
  readonly children = (element: Element): (Element | Text)[] => {
    let found = this.#children.get(element)
    if (!found) {
      this.#children.set(element, (found = childrenOf(element)))
      const root = nativeProperty('Element', element, 'shadowRoot') ?? frameDocument(element)
      if (root && this.#isHovering) this.#showHovered(root)
    }
    return found
  }

  /** Whether the element starts a new line. A function of its own, because callers pass it to `ancestor`. */
  readonly isBlock = (element: Element): boolean => {
    let found = this.#blocks.get(element)
    if (found === undefined) {
      found = !/^(inline|contents|ruby)/.test(this.style(element).display) || element.localName === 'br'
      this.#blocks.set(element, found)
    }
    return found
  }

  /** `same`: a visibility of the same snapshot, whose computed styles this one shares. */
  constructor(same?: Visibility) {
    this.#appearances = same ? same.#appearances : new Appearances()
    this.style = this.#appearances.style
  }

  /**
   * Counts what a style sheet shows only while the mouse is over something as shown, with `isOnHover`: no script can
   * hover. Must be called before anything is asked.
   */
  showHovered(): this {
    this.#isHovering = true
    this.#showHovered(document)
    for (const ref of hoveredRoots) {
      const root = ref.deref()
      if (root?.host.isConnected) this.#showHovered(root)
      else hoveredRoots.delete(ref)
    }
    return this
  }

  /** Shows what has a box only while the mouse is over something, with its boxes, until the result is called. */
  holdHover(element: Element): () => void {
    const { hovered } = this.#appearances
    const hosts = [...hovered].filter(([host]) => host.contains(element))
    return applyRules(
      rulesShowing(new Map(hosts)),
      hosts.map(([host]) => host),
    )
  }

  /** Measures what would appear, as if the mouse were over all of it. Nothing else is measured meanwhile. */
  #showHovered(root: Document | ShadowRoot): void {
    if (this.#measuredRoots.has(root)) return
    this.#measuredRoots.add(root)
    const isDocument = nativeProperty('Node', root, 'nodeType') === 9
    const view = isDocument
      ? nativeProperty('Document', root as Document, 'defaultView')
      : viewOf((root as ShadowRoot).host)
    if (!view) return
    const { elements, rules } = withoutBoxUntilHover(unclobbered(root), view as Window & typeof globalThis)
    const hosts = [...elements].filter((host) => this.#isHidden(host)).slice(0, mostHovered)
    if (hosts.length === 0) return
    if (!isDocument && ![...hoveredRoots].some((ref) => ref.deref() === root))
      hoveredRoots.add(new WeakRef(root as ShadowRoot))
    const release = applyRules(rules, hosts)
    try {
      for (const host of hosts) this.#measureHovered(host)
    } finally {
      release()
    }
  }

  /** Whether an element has no box, or is invisible, and what is around it is not. */
  #isHidden(element: Element): boolean {
    const up = parentOf(element)
    if (this.isOffLimits(element) || !up || !this.#isRendered(up)) return false
    if (this.#appearances.of(up).level === 'hidden' || this.style(up).visibility !== 'visible') return false
    const { display, visibility } = viewOf(element).getComputedStyle(element)
    return display === 'none' || visibility !== 'visible'
  }

  #measureHovered(host: Element): void {
    const { display, visibility } = viewOf(host).getComputedStyle(host)
    if (display === 'none' || visibility !== 'visible') return
    const all = [...elementsUnder(host)]
    if (all.length > largestHovered) return
    this.#appearances.hovered.set(host, { display })
    for (const one of all) {
      this.#appearances.keepStyle(one)
      // A field needs the focus, which it can have only while it is shown.
      const isField = holdsTyping(one) || isTag(one, 'select')
      if (isField) this.#boxes.set(one, false)
      if (isField) this.#levels.set(one, 'hidden')
      this.hasBox(one)
      this.level(one)
      this.isApart(one)
      for (const child of this.children(one)) if (!isElement(child)) this.isTextVisible(child)
    }
  }

  /** Whether the element or one of its ancestors must not be read, cached. */
  isOffLimits(element: Element): boolean {
    return !this.#isReadable(element)
  }

  /** Whether text of this element is visible: its color, size, position and ancestors. */
  level(element: Element): VisibilityResult {
    let found = this.#levels.get(element)
    if (!found) this.#levels.set(element, (found = this.#computeLevel(element)))
    return found
  }

  /** A text with marks for the white space that a person sees (`readSpaces`). */
  writtenText(node: Text): string {
    const parent = parentOf(node)
    return markSpaces(node.data, parent ? this.style(parent).whiteSpace : '')
  }

  /** Whether a text node is visible and not clipped. */
  isTextVisible(node: Text): boolean {
    let found = this.#visibleTexts.get(node)
    if (found === undefined) this.#visibleTexts.set(node, (found = this.#computeTextVisible(node)))
    return found
  }

  /** Whether the element itself is visible, whatever the color of its text. */
  isShown(element: Element): boolean {
    return this.hasBox(element) && this.#appearances.of(element).level === 'visible'
  }

  /**
   * Whether it is shown, and a person sees a part of it or can scroll there: a box with `overflow: hidden` around it
   * may cut it off.
   */
  isInReach(element: Element): boolean {
    if (!this.isShown(element)) return false
    const { around, isOnHover } = this.#appearances.of(element)
    if (isOnHover || (around.right === Infinity && around.bottom === Infinity)) return true
    const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
    // Boxes beside each other may overlap by a part of a pixel.
    const [side, margin] = [Math.min(1, width / 4), Math.min(1, height / 4)]
    return overlaps({ left: left + side, top: top + margin, right: right - side, bottom: bottom - margin }, around)
  }

  /** Whether it is shown only while the mouse is over something around it. */
  isOnHover(element: Element): boolean {
    return this.#appearances.of(element).isOnHover
  }

  /**
   * Whether it has a box and is not hidden. Opacity 0 counts as a box: styled checkboxes hide the real one that way.
   */
  hasBox(element: Element): boolean {
    let found = this.#boxes.get(element)
    if (found === undefined) {
      found = this.#isReadable(element) && this.#isRendered(element) && this.style(element).visibility === 'visible'
      if (found) {
        const { width, height } = element.getBoundingClientRect()
        found = width > 0 || height > 0
      }
      this.#boxes.set(element, found)
    }
    return found
  }

  /** Whether a person sees a gap between the element and the text beside it: a block, an inline block, a margin. */
  isApart(element: Element): boolean {
    let found = this.#apart.get(element)
    if (found === undefined) {
      const { display, marginLeft, marginRight, paddingLeft } = this.style(element)
      found =
        this.isBlock(element) ||
        // Animated headings put each letter into an inline block.
        ((display.startsWith('inline-') || Math.max(...[marginLeft, marginRight, paddingLeft].map(parseFloat)) > 2) &&
          (element.textContent ?? '').length > 1)
      this.#apart.set(element, found)
    }
    return found
  }

  /**
   * The visible text inside a node, without the contents of input fields. Stops soon after `most` characters.
   * `skip` excludes elements with their contents.
   */
  visibleText(root: Node, skip?: (element: Element) => boolean, most = Infinity): string {
    return normalizeText(this.#textIn(root, { skip, most, dataOf: ({ data }) => data }))
  }

  /** `visibleText` with the line breaks and spaces that a person sees within paragraphs. */
  visibleLines(root: Node): string {
    return readSpaces(this.#textIn(root, { most: Infinity, dataOf: (node) => this.writtenText(node) }))
  }

  #textIn(root: Node, { skip, most, dataOf }: TextOptions): string {
    const pieces: string[] = []
    let length = 0
    const visit = (node: Element | Text, depth: number): void => {
      if (length > most) return
      if (!isElement(node)) {
        // A space between two elements is a node of its own.
        const isSpace = node.data.trim() === ''
        if (!isSpace && !this.isTextVisible(node)) return
        pieces.push(dataOf(node))
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
      const gap = this.isApart(node)
      if (gap) pieces.push(' ')
      if (isTag(node, 'img') && this.level(node) === 'visible' && !saysNothing(node.alt)) pieces.push(` ${node.alt} `)
      for (const child of this.children(node)) visit(child, depth + 1)
      if (gap) pieces.push(' ')
    }
    if (isElement(root)) {
      if (this.#isReadable(root) && !ancestor(root, (above) => above.getAttribute('aria-hidden') === 'true'))
        for (const child of this.children(root)) visit(child, 0)
    } else if (root.nodeType === 3) visit(root as Text, 0)
    return pieces.join('')
  }

  #computeLevel(element: Element): VisibilityResult {
    const { level, backdrop } = this.#appearances.of(element)
    if (level === 'hidden') return 'hidden'
    const css = this.style(element)
    if (css.visibility !== 'visible' || parseFloat(css.fontSize) < 4) return 'hidden'
    // Gradient text: a transparent color that shows the background.
    const fill = colorOf(css.getPropertyValue('-webkit-text-fill-color') || css.color)
    const isPainted =
      css.getPropertyValue('background-clip') === 'text' || css.getPropertyValue('-webkit-background-clip') === 'text'
    const { color } = backdrop
    if (
      !isPainted &&
      fill &&
      (fill[3] < 0.05 || (color && areSimilarColors(fill, color) && !this.#isLayered(element, backdrop.element)))
    )
      return hasVisibleShadow(css.textShadow, color) ? level : 'hidden'
    // Moves the text away, not the box: an icon button.
    return isIndented(css) ? 'screen-reader' : level
  }

  #computeTextVisible(node: Text): boolean {
    const parent = parentOf(node)
    if (!parent || node.data.trim() === '' || this.level(parent) !== 'visible') return false
    // Of what appears on hover only controls are read, by their names.
    if (this.isOnHover(parent) && !ancestor(parent, (above) => isAction(roleOf(above)))) return false
    // The browser hides the contents of these elements, not the elements themselves.
    if (isTag(parent, 'details') && !parent.open) return false
    if (this.style(parent).getPropertyValue('content-visibility') === 'hidden') return false
    const range = Document.prototype.createRange.call(node.ownerDocument)
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (Math.min(box.width, box.height) < 1) return false
    // The box of a text is higher than its line and its letters, by an amount that the font decides. It may be wider
    // by a part of a pixel.
    const { left, top, right, bottom, width, height } = box
    const [side, margin] = [Math.min(0.5, width / 4), 0.15 * height]
    const letters = { left: left + side, right: right - side, top: top + margin, bottom: bottom - margin }
    return overlaps(letters, this.#appearances.of(parent).reach)
  }

  /** Whether something lies between the element and its background: a layer, an image, a pseudo-element. */
  #isLayered(element: Element, ground: Element | null): boolean {
    for (let node: Element | null = element; node; node = node === ground ? null : parentOf(node)) {
      for (const pseudo of ['::before', '::after']) {
        const { content, position } = viewOf(node).getComputedStyle(node, pseudo)
        if (content !== 'none' && /absolute|fixed/.test(position)) return true
      }
    }
    const { left, top, right, bottom } = element.getBoundingClientRect()
    // Shrunk by 3 px, because boxes of adjacent lines touch.
    const box = { left: left + 3, top: top + 3, right: right - 3, bottom: bottom - 3 }
    return this.#paintedElementsOf(element.ownerDocument).some(([painted, paintedBox]) => {
      // Bits: 1 another tree, 2 before, 4 after. Ancestors and descendants have more bits.
      const where = element.compareDocumentPosition(painted)
      return (
        overlaps(box, paintedBox) &&
        ((where & 1) !== 0 || where === 2 || (where === 4 && Number(this.style(painted).zIndex) < 0)) &&
        ancestor(painted, (above) => above === ground || above === element) === ground &&
        this.#appearances.of(painted).level === 'visible'
      )
    })
  }

  /** All elements of a document that paint a surface. Slow: only needed if a text has the color of its background. */
  #paintedElementsOf(owner: Document): [Element, Box][] {
    let found = this.#paintedByDocument.get(owner)
    if (!found) {
      this.#paintedByDocument.set(owner, (found = []))
      for (const one of elementsUnder(owner.documentElement)) {
        if (one.ownerDocument !== owner || isTag(one, 'html', 'body')) continue
        const css = this.style(one)
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
}
