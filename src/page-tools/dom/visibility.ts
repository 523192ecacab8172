// What a person can see. One `sight` lives for one reading and remembers styles and boxes; nothing changes meanwhile,
// because a reading never yields.
import { unclobbered } from '../../core/data/unclobbered.js'
import { ancestor, childrenOf, elementsUnder, isElement, isOffLimits, isTag, parentOf, viewOf } from './dom.js'
import { normalizeText } from './text.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { areSimilarColors, colorOf } from './colors.js'
import type { Color } from './colors.js'

/** `seen`; `heard`: only a screen reader finds it (clipped, moved away); `gone`: nobody. */
export type VisibilityResult = 'seen' | 'heard' | 'gone'

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}
interface Look {
  readonly boxless: boolean
  readonly seen: VisibilityResult
  /** Its own and that of all around it. */
  readonly opacity: number
  /** What overflow cuts away, in the coordinates of the element's own document. */
  readonly clip: Box | null
  readonly clipPositioned: boolean
  /** The opaque colour behind; null where it cannot be told. */
  readonly back: Color | null
  /** The element that has this colour; the browser has none. */
  readonly ground: Element | null
}

export interface Visibility {
  style(element: Element): CSSStyleDeclaration
  seen(element: Element): VisibilityResult
  seesText(node: Text): boolean
  /** The element itself is there to be seen, whatever the colour of its text. */
  shows(element: Element): boolean
  /** Has a box and is not hidden; opacity 0 counts, because designers hide the real checkbox that way. */
  hasBox(element: Element): boolean
  /** Visible text of a subtree without what people typed; stops soon after `most` characters. */
  text(root: Node, skip?: (element: Element) => boolean, most?: number): string
  isBlock(element: Element): boolean
}

const white: Color = [255, 255, 255, 1]
const meets = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

const colorsIn = (text: string): (Color | null)[] =>
  [...text.matchAll(/[a-z-]+\([^()]*\)/g)].map(([color]) => colorOf(color))

/** A filter that makes text fade or unreadable: `opacity(5%)`, a blur of half its size. */
const blursAway = ({ filter, fontSize }: CSSStyleDeclaration): boolean =>
  /opacity\(0?(\.0\d*)?\)/.test(filter) ||
  parseFloat(/blur\(([\d.]+)px/.exec(filter)?.[1] ?? '0') > parseFloat(fontSize) / 2

/** A mask of clear colours alone, or without a size. */
function showsNoMask({ maskImage, maskSize }: CSSStyleDeclaration): boolean {
  if (!maskImage || maskImage === 'none') return false
  if (/^0(px|%)/.test(maskSize)) return true
  return (
    /^[a-z-]*gradient\((?!.*gradient\()/.test(maskImage) &&
    colorsIn(maskImage).every((color) => color !== null && color[3] < 0.05)
  )
}

/** Whether a clip path leaves less than three pixels of the element. */
function clipsAway(path: string, element: Element): boolean {
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

/** Whether a text-shadow draws a text whose own colour is not to be seen. */
const castsShadow = (shadow: string, back: Color | null): boolean =>
  shadow !== 'none' &&
  colorsIn(shadow).some((color) => color === null || (color[3] >= 0.05 && !(back && areSimilarColors(color, back))))

export function createVisibility(): Visibility {
  const styles = new Map<Element, CSSStyleDeclaration>()
  const looks = new Map<Element, Look>()

  function style(element: Element): CSSStyleDeclaration {
    let found = styles.get(element)
    if (!found) styles.set(element, (found = viewOf(element).getComputedStyle(element)))
    return found
  }

  /** Whether the browser itself may paint something else than white behind this element's document. */
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

  /** Whether it lies to the right of, or below, all that can be scrolled to. */
  function isBeyond(element: Element, fixed: boolean, box: Box): boolean {
    const { innerWidth, innerHeight, scrollX } = viewOf(element)
    if (fixed ? box.left < innerWidth && box.top < innerHeight : box.left + scrollX < innerWidth + 9000) return false
    // A box around it that scrolls or moves may bring it in.
    return !ancestor(parentOf(element), (up) => {
      if (isTag(up, 'html', 'body')) return false
      const { overflowX, overflowY, transform, translate, filter, perspective, contain, willChange } = style(up)
      return (
        /auto|scroll/.test(overflowX + overflowY) ||
        willChange !== 'auto' ||
        [transform, translate, filter, perspective, contain].some((value) => value !== 'none')
      )
    })
  }

  /** Whether a negative z-index puts it behind an opaque part around it. */
  function isBehind(element: Element): boolean {
    const { left, top, right, bottom } = element.getBoundingClientRect()
    for (let up = parentOf(element); up && !isTag(up, 'html', 'body'); up = parentOf(up)) {
      const css = style(up)
      // A part with a stacking context of its own paints its background first.
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

  function lookAt(element: Element, above: Look | undefined): Look {
    if (above?.seen === 'gone') return above
    const css = style(element)
    const boxless = css.display === 'contents'
    const out = (seen: VisibilityResult): Look => ({
      boxless,
      seen,
      opacity: 0,
      clip: null,
      clipPositioned: false,
      back: null,
      ground: null,
    })
    if (css.display === 'none' || (!boxless && !element.checkVisibility())) return out('gone')
    const opacity = Number(css.opacity) * (above?.opacity ?? 1)
    if (opacity < 0.1 || (css.filter !== 'none' && blursAway(css)) || showsNoMask(css)) return out('gone')
    let seen: VisibilityResult = above?.seen ?? 'seen'
    let clip = above?.clip ?? null
    let clipPositioned = above?.clipPositioned ?? false
    const frame = isTag(element, 'body') && element.ownerDocument !== document
    if (frame) clip = null
    const positioned = css.position !== 'static'
    if (css.position === 'fixed' || (css.position === 'absolute' && !clipPositioned)) clip = null
    if (!boxless && !isTag(element, 'body', 'html')) {
      if (css.position === 'absolute' || css.position === 'fixed') {
        if (/rect\((0|1px)?[^1-9]*\)|rect\(1px,? 1px,? 1px,? 1px\)/.test(css.clip)) seen = 'heard'
        const box = element.getBoundingClientRect()
        const { scrollX, scrollY } = viewOf(element)
        if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || isBeyond(element, css.position === 'fixed', box))
          seen = 'heard'
      }
      if (css.clipPath !== 'none' && clipsAway(css.clipPath, element)) seen = 'heard'
      if (Number(css.zIndex) < 0 && positioned && isBehind(element)) seen = 'heard'
      // A picture of one pixel counts visits.
      if (isTag(element, 'img')) {
        const { width, height } = element.getBoundingClientRect()
        if (width > 0 && width <= 1 && height <= 1) seen = 'heard'
      }
      if (parseFloat(css.textIndent) <= -500) seen = 'heard'
      if (css.overflowX !== 'visible' || css.overflowY !== 'visible') {
        const box = element.getBoundingClientRect()
        if (css.display !== 'inline' && (box.width <= 2 || box.height <= 2)) seen = 'heard'
        else if (/hidden|clip/.test(css.overflowX + css.overflowY)) {
          const across = /hidden|clip/.test(css.overflowX)
          const down = /hidden|clip/.test(css.overflowY)
          clip = {
            left: across ? Math.max(box.left, clip?.left ?? -Infinity) : (clip?.left ?? -Infinity),
            right: across ? Math.min(box.right, clip?.right ?? Infinity) : (clip?.right ?? Infinity),
            top: down ? Math.max(box.top, clip?.top ?? -Infinity) : (clip?.top ?? -Infinity),
            bottom: down ? Math.min(box.bottom, clip?.bottom ?? Infinity) : (clip?.bottom ?? Infinity),
          }
          clipPositioned = positioned
        }
      }
    }
    let back = above ? above.back : white
    let ground = above?.ground ?? null
    if (isTag(element, 'html') && [element, parentOf(element)].some(mayBeDark)) back = null
    // What floats above other things, or stands in a grid, has a background that styles alone do not tell.
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
    return { boxless, seen, opacity, clip, clipPositioned, back, ground }
  }

  function look(element: Element): Look {
    const chain: Element[] = []
    let node: Element | null = element
    while (node && !looks.has(node)) {
      chain.push(node)
      node = parentOf(node)
    }
    let found = node ? looks.get(node) : undefined
    for (let index = chain.length - 1; index >= 0; index--) {
      const next = chain[index]
      if (next) looks.set(next, (found = lookAt(next, found)))
    }
    return found ?? lookAt(element, undefined)
  }

  const painting = new Map<Document, [Element, Box][]>()
  /** Everything of a document that paints a surface; only asked for where a text has the colour of its background. */
  function paintingIn(owner: Document): [Element, Box][] {
    let found = painting.get(owner)
    if (!found) {
      painting.set(owner, (found = []))
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

  /** Whether something else lies between the element and its background: a layer, an image, what an ancestor draws before its content. */
  function isLayered(element: Element, ground: Element | null): boolean {
    for (let node: Element | null = element; node; node = node === ground ? null : parentOf(node)) {
      for (const part of ['::before', '::after']) {
        const { content, position } = viewOf(node).getComputedStyle(node, part)
        if (content !== 'none' && /absolute|fixed/.test(position)) return true
      }
    }
    const { left, top, right, bottom } = element.getBoundingClientRect()
    // Boxes of neighbouring lines touch.
    const box = { left: left + 3, top: top + 3, right: right - 3, bottom: bottom - 3 }
    return paintingIn(element.ownerDocument).some(([one, other]) => {
      // 1: in another tree, 2: before, 4: behind; what holds the element or is in it has more bits.
      const where = element.compareDocumentPosition(one)
      return (
        meets(box, other) &&
        ((where & 1) !== 0 || where === 2 || (where === 4 && Number(style(one).zIndex) < 0)) &&
        ancestor(one, (above) => above === ground || above === element) === ground &&
        look(one).seen === 'seen'
      )
    })
  }

  function seen(element: Element): VisibilityResult {
    const { seen, back, ground } = look(element)
    if (seen === 'gone') return 'gone'
    const css = style(element)
    if (css.visibility !== 'visible' || parseFloat(css.fontSize) < 4) return 'gone'
    // Gradient text paints its background through a transparent colour.
    const fill = colorOf(css.getPropertyValue('-webkit-text-fill-color') || css.color)
    const painted =
      css.getPropertyValue('background-clip') === 'text' || css.getPropertyValue('-webkit-background-clip') === 'text'
    if (!painted && fill && (fill[3] < 0.05 || (back && areSimilarColors(fill, back) && !isLayered(element, ground))))
      return castsShadow(css.textShadow, back) ? seen : 'gone'
    return seen
  }

  function seesText(node: Text): boolean {
    const parent = parentOf(node)
    if (!parent || node.data.trim() === '' || seen(parent) !== 'seen') return false
    // The browser hides what is in them, not the elements themselves.
    if ((isTag(parent, 'details') && !parent.open) || style(parent).getPropertyValue('content-visibility') === 'hidden')
      return false
    const range = Document.prototype.createRange.call(node.ownerDocument)
    range.selectNodeContents(node)
    const box = range.getBoundingClientRect()
    if (Math.min(box.width, box.height) < 1) return false
    const { clip } = look(parent)
    if (clip && !meets(box, clip)) return false
    const { scrollX, scrollY } = viewOf(parent)
    return box.right + scrollX > 0 && box.bottom + scrollY > 0
  }

  function hasBox(element: Element): boolean {
    if (isOffLimits(element)) return false
    for (let node: Element | null = element; node; node = parentOf(node)) {
      const css = style(node)
      if (css.display === 'none') return false
      if (css.display !== 'contents' && !node.checkVisibility()) return false
    }
    const box = element.getBoundingClientRect()
    return style(element).visibility === 'visible' && (box.width > 0 || box.height > 0)
  }

  const shows = (element: Element): boolean => hasBox(element) && look(element).seen === 'seen'

  const isBlock = (element: Element): boolean =>
    !/^(inline|contents|ruby)/.test(style(element).display) || element.localName === 'br'

  function text(root: Node, skip?: (element: Element) => boolean, most = Infinity): string {
    const parts: string[] = []
    let length = 0
    const visit = (node: Element | Text, depth: number): void => {
      if (length > most) return
      if (!isElement(node)) {
        if (!seesText(node)) return
        parts.push(node.data)
        length += node.data.length
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
      const gap = isBlock(node)
      if (gap) parts.push(' ')
      if (isTag(node, 'img') && seen(node) === 'seen') parts.push(` ${node.alt} `)
      for (const child of childrenOf(node)) visit(child, depth + 1)
      if (gap) parts.push(' ')
    }
    if (isElement(root)) {
      if (!isOffLimits(root) && !ancestor(root, (above) => above.getAttribute('aria-hidden') === 'true'))
        for (const child of childrenOf(root)) visit(child, 0)
    } else if (root.nodeType === 3) visit(root as Text, 0)
    return normalizeText(parts.join(''))
  }

  return { style, seen, seesText, shows, hasBox, text, isBlock }
}
