// Keeps the events of the panel from the listeners of the page: its menus would close at a press on "Allow", and its
// shortcuts would run while the user types. The first listener of the window stops such an event and hands the panel
// a copy. Default actions, such as typing and following a link, stay.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { PanelEvent } from './panel-event.js'

/** What leaves a shadow tree and may be prevented. */
const cancelable = [
  'pointerdown pointermove pointerup pointercancel pointerover pointerout gotpointercapture lostpointercapture',
  'mousedown mousemove mouseup mouseover mouseout click dblclick auxclick contextmenu DOMActivate',
  'keydown keypress keyup beforeinput textInput input compositionstart compositionupdate compositionend',
  'copy cut paste beforecopy beforecut beforepaste',
  'dragstart drag dragend dragenter dragover dragleave drop',
].flatMap((names) => names.split(' '))
/** Listeners that could prevent scrolling would make the page scroll later. */
const scrolling = ['wheel', 'touchstart', 'touchmove', 'touchend', 'touchcancel']
const focusing = ['focus', 'blur', 'focusin', 'focusout', 'DOMFocusIn', 'DOMFocusOut']

const windows = new WeakSet<EventTarget>()
/** The shadow roots of panels. */
const panels = new WeakSet<Node>()
/** What an event of a panel has as its target outside of all shadow trees. All other events cost one look-up. */
const outermost = new WeakSet<EventTarget>()
/** The page must not notice that the focus moves. */
let hidesFocus = false

/**
 * Installs the listeners of a window, once. Must run as early as possible: a listener that the page has added to the
 * window before, for the capture phase, cannot be stopped.
 */
export function isolateWindow(view: Window): void {
  if (windows.has(view)) return
  windows.add(view)
  listen(view, onWindowEvent)
}

/** Keeps the events of a shadow tree inside it. Called again when its host was moved. */
export function isolate(root: ShadowRoot): void {
  const view = unclobbered(root.ownerDocument).defaultView
  if (view !== null) isolateWindow(view)
  let host = root.host
  for (let above = host.getRootNode(); isShadowRoot(above); above = host.getRootNode()) host = above.host
  outermost.add(host)
  if (panels.has(root)) return
  panels.add(root)
  // A window does not see into closed shadow trees. Their events arrive here, after the page's capture listeners.
  listen(root, onPanelEvent)
}

/**
 * Runs a function that moves the focus between the page and the panel. The page does not notice it, so that its menus
 * stay open.
 */
export function withoutFocusEvents(move: () => void): void {
  hidesFocus = true
  try {
    move()
  } finally {
    hidesFocus = false
  }
}

function listen(target: EventTarget, listener: (event: Event) => void): void {
  for (const type of [...cancelable, ...focusing]) target.addEventListener(type, listener, true)
  for (const type of scrolling) target.addEventListener(type, listener, { capture: true, passive: true })
}

function onWindowEvent(event: Event): void {
  if (event.target !== null && outermost.has(event.target)) keepInside(event)
  if (hidesFocus && focusing.includes(event.type)) event.stopImmediatePropagation()
}

function onPanelEvent(event: Event): void {
  // The copies do not leave, and neither does a move of the focus or of the pointer inside the panel.
  const last = event.composed ? (event.composedPath().at(-1) as Window | Node) : undefined
  if (last && 'window' in last) keepInside(event)
}

function keepInside(event: Event): void {
  const targets = targetsOf(event)
  if (targets === undefined || opensPageOfSite(event)) return
  event.stopImmediatePropagation()
  PanelEvent.dispatch(event, targets)
  // The page guards itself against files that miss its drop zone, which would replace it, and does not see this one.
  if (isFileDrag(event) && !event.defaultPrevented) {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'none'
  }
}

/** Whether it is a click on a link that opens in this window: the router of the page may follow it without a load. */
function opensPageOfSite(event: Event): boolean {
  if (event.type !== 'click') return false
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement && node.href !== '')
  return link instanceof HTMLAnchorElement && /^(_self)?$/.test(link.target) && !link.hasAttribute('download')
}

/** Whether files are dragged over the panel, or dropped there, and not into a field of it. */
function isFileDrag(event: Event): event is DragEvent & { readonly dataTransfer: DataTransfer } {
  if (event.type !== 'dragover' && event.type !== 'drop') return false
  const [target] = event.composedPath()
  return (
    (event as DragEvent).dataTransfer?.types.includes('Files') === true &&
    !(target instanceof HTMLInputElement && target.type === 'file')
  )
}

/** The target in each shadow tree, from the inside out; undefined if the event is not one of a panel. */
function targetsOf(event: Event): Node[] | undefined {
  let [target] = event.composedPath() as [Node]
  // What the page puts into a slot belongs to the page. The inside of a closed shadow tree is not known here, so its
  // events must reach it.
  if (hasClosedTree(target)) return undefined
  const targets: Node[] = []
  for (;;) {
    targets.push(target)
    const root = target.getRootNode()
    if (panels.has(root)) return targets
    if (!isShadowRoot(root)) return undefined
    target = root.host
  }
}

function hasClosedTree(target: Node): boolean {
  if (!isElement(target) || target.shadowRoot !== null) return false
  return target.localName.includes('-') && !target.localName.startsWith('tool-agent')
}

// Not `instanceof`, because an element may have been moved here from another window.
const isElement = (node: Node): node is Element => node.nodeType === 1
const isShadowRoot = (node: Node): node is ShadowRoot => node.nodeType === 11 && 'host' in node
