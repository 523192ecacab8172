// Shows the visitor what the assistant reads of the page: parts that are read are outlined, private fields are hatched,
// and what is closed to it is dashed. Loaded when the visitor asks. page-parts.ts finds what is drawn; another kind of
// part is an entry there, a drawing here and a style in glass-styles.ts.
import type { GlassLook, GlassShown, PageGlass } from '../../page/tools/page-glass.js'
import type { Box, Release } from '../../page/tools/page-stage.js'
import { isPageChange, viewOf } from '../dom/dom.js'
import type { Drawing } from '../stage/layer.js'
import { grown, shownPart, windowBox } from '../stage/rects.js'
import { adopt, cornerOf, drawAsked, node, put, setProperties } from '../stage/stage.js'
import { glassStyles } from './glass-styles.js'
import { pageParts, type PageParts } from './page-parts.js'

/** Of each kind at most so many are drawn: they follow what scrolls. */
const most = 60
/** CSS pixels between an outline and what it is about, around a text, and from a field to one that is beside it. */
const gaps = { read: 6, closed: 3, text: 10, beside: 80 }
/** Milliseconds from a change of the page until it is looked at again. Each time doubles it: some pages never rest. */
const pauses = { least: 300, most: 5_000 }

/** Whether the layer has the styles. */
let isStyled = false

const lookOf = ({ read, never, closed }: PageParts): GlassLook => ({
  read: read.length,
  hidden: never.map(({ label }) => label),
  closed: closed.length,
})

/** A box around an element, with a text at the edge where lines begin. */
function around(element: Element, kind: 'read' | 'closed', text: string): Drawing {
  const frame = node(kind)
  const tag = tagOf(kind, text)
  return {
    target: element,
    nodes: [frame, tag],
    place(box) {
      const outer = grown(box, gaps[kind])
      const corner = cornerOf(element) + gaps[kind]
      const { x, y } = tagPlace(outer, tag, isRightToLeft(element))
      return () => {
        put(frame, outer)
        frame.style.setProperty('--corner', `${corner}px`)
        tag.style.translate = `${x}px ${y}px`
      }
    },
  }
}

/** Hatches a private field. The text is at its end, and at the lower edge of a field that has no room for it. */
function hatched(element: Element, text: string): Drawing {
  const target = shownPart(element)
  const cover = node('never')
  const tag = tagOf('never', text)
  return {
    target,
    nodes: [cover, tag],
    place(box) {
      const corner = cornerOf(target)
      const { offsetWidth: width, offsetHeight: height } = tag
      const hasRoom = box.right - box.left > width * 1.5
      const isEndRight = !isRightToLeft(target)
      const end = isEndRight ? box.right - width - gaps.text / 2 : box.left + gaps.text / 2
      const middle = (box.left + box.right - width) / 2
      const place = hasRoom
        ? { x: end, y: (box.top + box.bottom - height) / 2 }
        : { x: inWindow(middle, width), y: box.bottom - gaps.text / 2 }
      return () => {
        put(cover, box)
        cover.style.setProperty('--corner', `${corner}px`)
        tag.style.translate = `${place.x}px ${place.y}px`
      }
    },
  }
}

function tagOf(kind: string, text: string): HTMLElement {
  const tag = node('tag', { kind })
  tag.textContent = text
  return tag
}

const isRightToLeft = (element: Element): boolean => viewOf(element).getComputedStyle(element).direction === 'rtl'
const inWindow = (x: number, width: number): number => Math.max(0, Math.min(x, windowBox().right - width))

/** On the upper edge, as far as that is in the window. */
function tagPlace(box: Box, tag: HTMLElement, isAtRight: boolean): { readonly x: number; readonly y: number } {
  const { offsetWidth: width, offsetHeight: height } = tag
  const x = isAtRight ? box.right - width - gaps.text : box.left + gaps.text
  return { x: inWindow(x, width), y: Math.max(0, box.top - height / 2) }
}

/** Whether a box follows another one so closely that it has no room for a text of its own, as those of a code do. */
function isBeside(before: Element | undefined, element: Element): boolean {
  if (before === undefined || before.ownerDocument !== element.ownerDocument) return false
  const [one, other] = [before, element].map((box) => shownPart(box).getBoundingClientRect())
  if (!one || !other) return false
  return Math.abs(one.top - other.top) < gaps.text && Math.abs(one.left - other.left) < gaps.beside
}

function drawAll({ read, filled, never, closed }: PageParts, texts: GlassShown['texts']): readonly Release[] {
  const hidden = never.slice(0, most).flatMap(({ members }) => members)
  return [
    ...read
      .slice(0, most)
      .map((element) => drawAsked(() => around(element, 'read', filled.has(element) ? texts.filled : texts.read))),
    ...closed.slice(0, most).map((element) => drawAsked(() => around(element, 'closed', texts.closed))),
    ...hidden.map((one, index) => drawAsked(() => hatched(one, isBeside(hidden[index - 1], one) ? '' : texts.never))),
  ]
}

function show({ texts, properties, onChange }: GlassShown): Release {
  if (!isStyled) adopt(glassStyles)
  isStyled = true
  setProperties(properties)
  let drawn: readonly Release[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = pauses.least
  const observer = new MutationObserver((records) => {
    if (timer !== undefined || !records.some(isPageChange)) return
    timer = setTimeout(() => {
      timer = undefined
      onChange(again())
    }, pause)
    pause = Math.min(pause * 2, pauses.most)
  })
  const end = (): void => {
    for (const release of drawn) release()
    observer.disconnect()
  }
  const again = (): GlassLook => {
    end()
    const parts = pageParts()
    drawn = drawAll(parts, texts)
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    for (const root of parts.roots) observer.observe(root, all)
    return lookOf(parts)
  }
  again()
  return () => {
    clearTimeout(timer)
    end()
  }
}

/** What the panel reaches, by the internals of a page tool. */
export const pageGlass: PageGlass = { look: () => lookOf(pageParts()), show }
