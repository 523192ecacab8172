// The layer above the page: one closed shadow root, which takes no events. It follows what the drawings are about, and
// reads the layout at most once in a frame. While nothing moves it reads nothing.
//
// It is above everything of the page, and below the top layer: there are the dialogs of the page, and the panel, whose
// questions nothing may cover. Only for a target that is itself in the top layer it is there, too.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Box, Release } from '../../page/tools/page-stage.js'
import { ancestor, currentPage, isOwnElement, isWithin, viewOf } from '../dom/dom.js'
import { boxOf, clipsAround, commonPart, shownPart, windowBox } from './rects.js'
import { layerStyles } from './layer-styles.js'

/** The id of the animations of this layer, which are none of the page. */
export const stageAnimation = 'tool-agent-stage'

/** One thing that is drawn. */
export interface Drawing {
  /** What it follows, or its label if a person does not see the control itself. */
  readonly target: Element
  /** Nodes of the layer. They are shown while any part of the target is visible. */
  readonly nodes: readonly HTMLElement[]
  /**
   * Reads what it needs of the layout, and returns what writes: when the box has changed, and when nothing has changed
   * for a while. `box`: the visible part of the target. `isLast`: nothing is read after this, so what costs too much
   * for each frame is read now. `shown`: what it follows.
   */
  place(box: Box, isLast: boolean, shown: Element): () => void
}

/** As it was when this was loaded: a page that replaces it would do something for each frame of the layer. */
const nextFrame = globalThis.requestAnimationFrame?.bind(globalThis)

/** Frames without a change after which nothing is read any more, until something changes. */
const stillFrames = 10
/** Milliseconds after which the layout is read although nothing is known to have changed. */
const backstop = 500
const triggers = ['scroll', 'resize', 'load', 'transitionrun', 'animationstart', 'toggle', 'input', 'click']

/** Whether one of these modal dialogs hides an element, because it is not in it. */
const isHidden = (target: Element, modals: readonly Element[]): boolean =>
  modals.some(
    (modal) =>
      (modal.ownerDocument === document || modal.ownerDocument === target.ownerDocument) && !isWithin(target, modal),
  )

interface Entry extends Drawing {
  /** What is followed and `clipsAround` it, from the first frame on: a drawing that is added reads nothing. */
  followed?: { readonly shown: Element; readonly clips: readonly Element[] }
  /** Where it was placed, as text. */
  placed?: string
}

function followedOf(target: Element): NonNullable<Entry['followed']> {
  const shown = shownPart(target)
  return { shown, clips: clipsAround(shown) }
}

/** Whether a browser has what the layer needs. The DOM of unit tests (jsdom) has not. */
export const canDraw = (): boolean => 'ResizeObserver' in globalThis && 'adoptedStyleSheets' in Document.prototype

/** The layer. It stays in the document, closed, when nothing is drawn any more: its removal would be a change of it. */
export class Layer {
  readonly #host = currentPage().createElement('tool-agent-stage')
  readonly #root = this.#host.attachShadow({ mode: 'closed' })
  readonly #sheets: CSSStyleSheet[] = []
  readonly #entries = new Set<Entry>()
  /** While something is drawn. */
  #watching: AbortController | undefined
  #sizes: ResizeObserver | undefined
  #changes: MutationObserver | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #pages = new Set<Document>()
  #isFrameRequested = false
  #still = 0
  #last = ''

  constructor() {
    this.adopt(layerStyles)
    this.#host.ariaHidden = 'true'
    if ('popover' in this.#host) this.#host.popover = 'manual'
  }

  /** Adds styles. */
  adopt(styles: string): void {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    this.#sheets.push(sheet)
    this.#dress()
  }

  /** A root that was in another document has lost its sheets, which belong to this one. */
  #dress(): void {
    if (this.#host.ownerDocument === document) this.#root.adoptedStyleSheets = this.#sheets
  }

  /** Sets a custom property, or removes it. */
  set(name: string, value: string): void {
    this.#host.style.setProperty(name, value)
  }

  /** Draws something, above what its target is in. */
  add(drawing: Drawing): Release {
    const entry: Entry = { ...drawing }
    for (const node of entry.nodes) node.hidden = true
    for (const node of entry.nodes) this.#root.appendChild(node)
    this.#entries.add(entry)
    this.#last = ''
    this.#raise(drawing.target)
    this.#watch(drawing.target)
    this.follow()
    return () => {
      if (!this.#entries.delete(entry)) return
      for (const node of entry.nodes) this.#root.removeChild(node)
      if (this.#entries.size === 0) this.#stop()
      else this.#sizes?.unobserve(entry.target)
    }
  }

  /** Draws again in the next frames, until nothing changes. */
  readonly follow = (): void => {
    this.#still = 0
    this.#request()
  }

  /** What happens in the panel, such as the sign at the end of a streamed text, moves nothing of the page. */
  readonly #onEvent = ({ target }: Event): void => {
    if (!(target instanceof Element && isOwnElement(target))) this.follow()
  }

  #request(): void {
    if (this.#isFrameRequested || this.#entries.size === 0) return
    this.#isFrameRequested = true
    nextFrame(this.#draw)
  }

  /** Puts the layer above its target; above a dialog of the page, too, if the target is in it. */
  #raise(target: Element): void {
    if (!this.#host.isConnected || this.#host.ownerDocument !== document) {
      currentPage().documentElement.appendChild(this.#host)
      this.#dress()
    }
    if (!('popover' in this.#host)) return
    const isInTopLayer = ancestor(target, (above) => above.matches(':modal, :popover-open, :fullscreen')) !== null
    if (!isInTopLayer) return
    if (this.#host.matches(':popover-open')) this.#host.hidePopover()
    this.#host.showPopover()
  }

  /** Watches the page of a target for what may move it. */
  #watch(target: Element): void {
    const { signal } = (this.#watching ??= new AbortController())
    this.#sizes ??= new ResizeObserver(this.follow)
    this.#changes ??= new MutationObserver(this.follow)
    this.#timer ??= setInterval(() => {
      this.#still = Math.max(this.#still, stillFrames - 1)
      this.#request()
    }, backstop)
    this.#sizes.observe(target)
    for (const page of [document, target.ownerDocument]) {
      if (this.#pages.has(page)) continue
      this.#pages.add(page)
      const { documentElement } = unclobbered(page)
      const view = viewOf(documentElement)
      for (const type of triggers) view.addEventListener(type, this.#onEvent, { capture: true, passive: true, signal })
      this.#changes.observe(page, { subtree: true, childList: true, attributes: true, characterData: true })
      this.#sizes.observe(documentElement)
    }
  }

  #stop(): void {
    this.#watching?.abort()
    this.#sizes?.disconnect()
    this.#changes?.disconnect()
    clearInterval(this.#timer)
    this.#watching = this.#sizes = this.#changes = this.#timer = undefined
    this.#pages.clear()
    if ('popover' in this.#host && this.#host.matches(':popover-open')) this.#host.hidePopover()
  }

  /** Reads everything, then writes everything. */
  readonly #draw = (): void => {
    this.#isFrameRequested = false
    if (this.#entries.size === 0) return
    const isLast = this.#still >= stillFrames - 1
    const modals = [...this.#pages].flatMap((page) => [...unclobbered(page).querySelectorAll('dialog:modal')])
    const placed = [...this.#entries].map((entry) => {
      const { target, nodes } = entry
      const isShown = target.isConnected && !isHidden(target, modals)
      if (!isShown) return { nodes }
      const { shown, clips } = (entry.followed ??= followedOf(target))
      const all = boxOf(shown, clips)
      const isVisible = all !== undefined && commonPart(all, windowBox()) !== undefined
      if (!isVisible) return { nodes }
      const at = JSON.stringify(all)
      // At the end also if the box is the same: directions and corners may have changed.
      const isDue = isLast || at !== entry.placed
      entry.placed = at
      return { nodes, box: at, write: isDue ? entry.place(all, isLast, shown) : undefined }
    })
    const now = placed.map(({ box }) => box).join()
    this.#still = now === this.#last ? this.#still + 1 : 0
    this.#last = now
    for (const { nodes, box, write } of placed) {
      for (const node of nodes) node.hidden = box === undefined
      write?.()
    }
    if (this.#still >= stillFrames) return
    this.#isFrameRequested = true
    nextFrame(this.#draw)
  }
}
