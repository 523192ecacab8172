// What only a floating panel or a sidebar has: reports on its button while it is closed, a handle that resizes it, a
// place that the tab remembers, and room beside the page. A controller of the panel.
import { withIndex } from '../../core/data/lists.js'
import type { ReactiveController } from 'lit'
import { textOf, type Message, pendingApprovals } from '../../core/data/message.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { AgentElement } from '../element/agent-element.js'
import type { Words } from '../i18n/en.js'
import type { PanelHost } from '../panel/render-context.js'

/** Events of a field of the page that gets the focus or another value. */
const fieldEvents = ['focusin', 'input']
/** Events of the handle. */
const handleEvents = ['pointerenter', 'focus', 'pointerdown', 'keydown', 'dblclick']
/** The private custom properties that hold the size after the user has changed it, and the height that fits. */
const sizes = ['--_wide', '--_tall', '--_fit']

/** The controller. The panel calls `hostUpdated` after each update. */
export class Floating implements ReactiveController {
  readonly #host: PanelHost
  readonly #words: () => Words
  readonly #section: HTMLElement
  readonly #scope: string
  readonly #handle = unclobbered(document).createElement('button')
  /** The last field that was written into. */
  #field: Element | undefined
  /** The last message that the user could see. */
  #seen: Message | undefined
  /** The id of its conversation. */
  #session: string | undefined

  /** @param words Returns the words of the panel's language. */
  constructor(host: PanelHost, words: () => Words) {
    const { element } = host
    const section = element.shadowRoot?.querySelector<HTMLElement>('.panel')
    if (!section) throw new Error('The panel is not drawn')
    this.#host = host
    this.#words = words
    this.#section = section
    this.#scope = element.scope ?? ''
    const handle = this.#handle
    handle.type = 'button'
    handle.className = 'grip'
    handle.part = 'resize-handle'
    for (const type of handleEvents) handle.addEventListener(type, this.#resize)
    // Last, so that it is after the text field in the order of the keyboard.
    section.appendChild(handle)
    this.#restorePlace()
  }

  /** The panel was put into a document. */
  hostConnected(): void {
    addEventListener('pagehide', this.#savePlace)
    for (const type of fieldEvents) addEventListener(type, this.#onField, true)
    this.#section.addEventListener('fit', this.#onFit)
  }

  /** The panel was removed. */
  hostDisconnected(): void {
    removeEventListener('pagehide', this.#savePlace)
    for (const type of fieldEvents) removeEventListener(type, this.#onField, true)
    this.#section.removeEventListener('fit', this.#onFit)
    this.#savePlace()
    // Now, because the next panel must find the page's own margin.
    if (this.#host.element.sidebar !== undefined) pushPage(this.#host.element, this.#section)
  }

  /** The panel was drawn. */
  hostUpdated(): void {
    const { element } = this.#host
    const words = this.#words()
    this.#handle.title = words.floating.resize
    this.#report(element, words)
    if (element.sidebar !== undefined) pushPage(element, this.#section)
  }

  /** Marks the button of a closed panel with the most important report, and labels it with all of them. */
  #report(element: AgentElement, words: Words): void {
    const { messages, session, heading = words.heading } = element
    // In a conversation that has just been opened there is nothing that the user has missed.
    if (element.layout === 'inline' || element.open || session?.id !== this.#session) this.#seen = messages.at(-1)
    this.#session = session?.id
    const launcher = element.shadowRoot?.querySelector<HTMLElement>('.launcher')
    if (!launcher) return
    const { waiting, newMessages, working } = words.floating
    const isNew = (message: Message): boolean => message.role === 'assistant' && textOf(message) !== ''
    const seen = messages.findIndex(({ id }) => id === this.#seen?.id)
    const unread = messages.slice(seen + 1).filter(isNew).length
    const isWorking = element.status === 'running'
    const isAsking = pendingApprovals(messages).some(({ part }) => !this.#host.isApprovedByPage(part.call.id))
    const reports = [
      { is: isAsking, mark: '!', text: waiting },
      { is: unread > 0, mark: String(unread), text: newMessages(unread) },
      { is: isWorking, mark: '…', text: working },
    ].filter(({ is }) => is)
    const label = `${heading}: ${reports.map(({ text }) => text).join(', ')}`
    // Its title names it otherwise.
    launcher.ariaLabel = reports.length === 0 ? null : label
    launcher.lang = words.language
    launcher.toggleAttribute('data-working', isWorking)
    if (reports[0] === undefined) launcher.removeAttribute('data-report')
    else launcher.setAttribute('data-report', reports[0].mark)
  }

  /** The panel does not cover the field that a tool or the user writes into. */
  readonly #onField = ({ target }: Event): void => {
    if (!(target instanceof Element) || target === this.#host.element) return
    this.#field = target
    this.#avoid(target)
  }

  /** Nor does it when it has become higher. */
  readonly #onFit = async (): Promise<void> => {
    await Promise.allSettled(this.#section.getAnimations().map(({ finished }) => finished))
    if (this.#field) this.#avoid(this.#field)
  }

  #avoid(target: Element): void {
    const { element } = this.#host
    if (element.layout !== 'floating' || !element.open) return
    const { left, right, top, height } = target.getBoundingClientRect()
    if (unclobbered(document).elementFromPoint((left + right) / 2, top + height / 2) !== element) return
    const box = this.#section.getBoundingClientRect()
    // Not if it would cover the field on the other side, too.
    if (right <= innerWidth - box.right || left >= innerWidth - box.left) this.#toggleSide()
  }

  #toggleSide(): void {
    const { dataset } = this.#section
    // At half its height it leaves room for a question, which counts more.
    if (dataset['place'] === 'aside') delete dataset['place']
    else dataset['place'] ??= 'aside'
  }

  readonly #resize = (event: Event): void => {
    resizePanel(event, this.#handle)
  }

  /** The name in the session storage, as for the unsent text. */
  get #place(): string {
    return `tool-agent:panel:${this.#host.element.layout}:${this.#scope}`
  }

  /** Stores for the next page of this tab whether the panel is open, and the size that the user gave it. */
  readonly #savePlace = (): void => {
    try {
      const size = sizes.map((name) => this.#section.style.getPropertyValue(name))
      sessionStorage.setItem(this.#place, [this.#host.element.open, ...size].join(' '))
    } catch {
      // A sandboxed page has no storage, and a full one has no room.
    }
  }

  /** Restores the size. Opens the panel if it was open, but never closes one that the page opens. */
  #restorePlace(): void {
    let stored: string[] = []
    try {
      stored = sessionStorage.getItem(this.#place)?.split(' ') ?? []
    } catch {
      // A sandboxed page has no storage.
    }
    const [state, ...size] = stored
    for (const [index, name] of withIndex(sizes))
      if (/^\d+px$/.test(size[index] ?? '')) this.#section.style.setProperty(name, size[index] ?? '')
    if (state === 'true') this.#host.element.open = true
  }
}

/** Updates the margin of the page for each sidebar. */
const pushing = new WeakMap<HTMLElement, () => void>()

/** Keeps the margin of the page as wide as the sidebar. Restores the page's own while the sidebar does not push. */
function pushPage(element: AgentElement, panel: HTMLElement): void {
  const { style } = unclobbered(document).documentElement
  const known = pushing.get(panel)
  if (known !== undefined) return known()
  const before = style.marginInlineEnd
  const update = (): void => {
    const { width } = panel.getBoundingClientRect()
    // A closed sidebar has no width. One that fills the window has no page beside it.
    const isPushing = element.layout === 'sidebar' && element.sidebar === 'push' && width < innerWidth
    style.marginInlineEnd = isPushing && width > 0 ? `${width}px` : before
  }
  pushing.set(panel, update)
  // Also called when the panel is closed or removed.
  new ResizeObserver(update).observe(panel)
}

/** CSS pixels that an arrow key adds or removes; four times as many with Shift. */
const step = 16
/** The smallest size, in CSS pixels. styles/panel.ts limits the largest one. */
const smallest = { '--_wide': 280, '--_tall': 320 }

type Side = keyof typeof smallest

/**
 * Resizes a panel by its handle: with the pointer, the arrow keys (Shift: larger steps), and back with a double click
 * or Home. Ignores other events.
 */
function resizePanel(event: Event, handle: HTMLElement): void {
  const panel = handle.closest<HTMLElement>('.panel')
  if (panel === null) return
  const { left, width, height } = panel.getBoundingClientRect()
  // The handle is at the corner that moves: on the right for a panel at the left edge of the window.
  const { left: handleLeft } = handle.getBoundingClientRect()
  const outwards = handleLeft < left + width / 2 ? -1 : 1
  const set = (side: Side, value: number): void => {
    panel.style.setProperty(side, `${Math.round(Math.max(value, smallest[side]))}px`)
  }
  const reset = (): void => {
    for (const side of Object.keys(smallest)) panel.style.removeProperty(side)
  }
  if (event.type === 'dblclick') reset()
  if (event instanceof KeyboardEvent) {
    const change = event.shiftKey ? 4 * step : step
    if (event.key === 'Home') reset()
    if (event.key === 'ArrowUp') set('--_tall', height + change)
    if (event.key === 'ArrowDown') set('--_tall', height - change)
    if (event.key === 'ArrowLeft') set('--_wide', width - outwards * change)
    if (event.key === 'ArrowRight') set('--_wide', width + outwards * change)
  }
  if (event.type !== 'pointerdown' || !(event instanceof PointerEvent)) return
  const { pointerId, clientX, clientY } = event
  const end = new AbortController()
  const { signal } = end
  handle.setPointerCapture(pointerId)
  handle.addEventListener(
    'pointermove',
    (move) => {
      // The button may have been released before this code was loaded.
      if (move.buttons === 0) return end.abort()
      set('--_wide', width + outwards * (move.clientX - clientX))
      set('--_tall', height + clientY - move.clientY)
    },
    { signal },
  )
  for (const type of ['pointerup', 'pointercancel'])
    handle.addEventListener(
      type,
      () => {
        end.abort()
      },
      { signal },
    )
}
