// The layer above the page: one closed shadow root, which takes no events. It follows what the drawings are about, and
// reads the layout at most once in a frame. While nothing moves it reads nothing.
//
// It is above everything of the page, and below the top layer: there are the dialogs of the page, and the panel, whose
// questions nothing may cover. Only for a target that is itself in the top layer it is there, too.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Box, Release } from '../../page/tools/shown-on-page.js'
import { ancestor, currentPage, isOwnElement, isWithin, viewOf } from '../dom/dom.js'
import { boxOf, clipsAround, commonPart, shownPart, windowBox } from './rects.js'

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
  /** The dialogs and popovers of the page that it is above. */
  readonly #below = new Set<Element>()
  readonly #raised: () => void
  /** While something is drawn. */
  #watching: AbortController | undefined
  #sizes: ResizeObserver | undefined
  #changes: MutationObserver | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  readonly #pages = new Set<Document>()
  #isFrameRequested = false
  #still = 0
  #last = ''

  /** @param raised what must be above the layer comes above it again */
  constructor(raised: () => void) {
    this.#raised = raised
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
      this.#below.clear()
      this.#dress()
    }
    if (!('popover' in this.#host)) return
    const top = ancestor(target, (above) => above.matches(':modal, :popover-open, :fullscreen'))
    if (top === null || this.#below.has(top)) return
    this.#lower()
    this.#host.showPopover()
    this.#below.add(top)
    // One that is closed and opened again is above the layer.
    for (const type of ['close', 'toggle']) top.addEventListener(type, () => this.#below.delete(top), { once: true })
    this.#raised()
  }

  #lower(): void {
    if ('popover' in this.#host && this.#host.matches(':popover-open')) this.#host.hidePopover()
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
    this.#below.clear()
    this.#lower()
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

/** A colour of the panel, which sets its own on the host: dark enough for white text. */
const dark = (name: string): string => `oklch(from var(${name}, #2f5bd0) min(l, .5) min(c, .17) h)`

/** Its style sheet: a constructed one, which a strict content security policy allows. */
const layerStyles = `
:host {
  all: initial !important; display: block !important; color-scheme: inherit !important; position: fixed !important;
  inset: 0 auto auto 0 !important; inline-size: 0 !important; block-size: 0 !important;
  margin: 0 !important; padding: 0 !important; border: 0 !important;
  background: none !important; overflow: visible !important; pointer-events: none !important;
  z-index: 2147483647 !important;
}
div { position: absolute; inset: 0 auto auto 0; }
/* The shadow of the lit part: a clip path would be drawn anew, as large as the window, in each frame. */
.dim { border-radius: 12px; box-shadow: 0 0 0 200vmax rgb(12 16 24 / .38); }
.ring, .mark, .label { box-sizing: border-box; --colour: ${dark('--_accent')}; }
.ring { border: 2px solid var(--colour); border-radius: var(--corner); box-shadow: 0 0 0 2px rgb(255 255 255 / .85); }
.ring[data-level=fill] {
  box-shadow: 0 0 0 1px rgb(255 255 255 / .85), 0 0 0 4px color-mix(in srgb, var(--colour) 22%, transparent);
}
.label {
  inline-size: max-content; max-inline-size: min(320px, calc(100vw - 16px)); padding: 3px 10px; border-radius: 99px;
  font: 600 13px/1.4 var(--tool-agent-font, system-ui, sans-serif); text-align: center;
  background: var(--colour); color: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / .3);
}
[data-level=consequences] { --colour: ${dark('--_warn')}; }
[data-level=final] { --colour: ${dark('--_bad')}; }
/* Dark and light: one of the two is seen on any page. */
.mark { inline-size: 3px; border-radius: 2px; background: var(--colour); box-shadow: 0 0 0 1.5px #fff; }
.veil {
  box-sizing: border-box; display: flex; align-items: center; overflow: hidden; white-space: nowrap;
  border: 1px dashed ${dark('--_accent')}; background: Canvas; color: CanvasText;
  text-decoration: line-through;
}
/* Its size is read before it is shown, so it must have one. */
[hidden] { display: block; visibility: hidden; }
@media (forced-colors: active) {
  .dim { display: none; }
  .ring { border-color: Highlight; box-shadow: none; }
  /* Nothing is dimmed and all levels have one colour: what is asked about has a second line. */
  .ring:not([data-level=fill]) { outline: 2px solid Highlight; outline-offset: 2px; }
  .label { forced-color-adjust: none; background: Highlight; color: HighlightText; }
  .mark { forced-color-adjust: none; background: Highlight; box-shadow: none; }
}
`
