// The page as one tree with open shadow roots, slots and same-origin frames. It excludes the agent's own elements and
// elements marked `data-tool-agent-ignore`. It never uses instanceof, because nodes of frames have other classes.
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The document, safe from elements whose names hide its properties. */
export const currentPage = (): Document => unclobbered(document)

/** Whether no element can hide properties of the node. The fields of a form and elements of a document can. */
function isPlain(node: Node): boolean {
  const name: unknown = (node as Partial<Element>).localName
  return typeof name === 'string' ? name !== 'form' : node.nodeType === 3
}

const getters = new Map<string, (this: unknown) => unknown>()
/**
 * Reads a property with the getter of the prototype. A form needs that, because its fields hide its own properties:
 * `<input name=parentNode>`.
 */
export function nativeProperty<N extends Node, K extends keyof N & string>(
  kind: 'Node' | 'Element' | 'Document',
  node: N,
  name: K,
): N[K] {
  if (isPlain(node)) return node[name]
  let get = getters.get(name)
  if (!get)
    getters.set(
      name,
      (get =
        Object.getOwnPropertyDescriptor(window[kind].prototype, name)?.get ??
        function (this: unknown) {
          return (this as N)[name]
        }),
    )
  return get.call(node) as N[K]
}

/** Also accepts a Window, which is not a Node. */
function nodeTypeOf(node: Node | null | undefined): number | undefined {
  const type = node?.nodeType
  return node && typeof type === 'object' ? nativeProperty('Node', node, 'nodeType') : type
}
/** Whether a node is an element, in any realm. False for null and undefined. */
export const isElement = (node: Node | null | undefined): node is Element => nodeTypeOf(node) === 1
/** Whether a node is a text node, in any realm. */
export const isText = (node: Node): node is Text => nodeTypeOf(node) === 3

function localNameOf(element: Element): string {
  const name: unknown = element.localName
  return typeof name === 'string' ? name : nativeProperty('Element', element, 'localName')
}

const html = 'http://www.w3.org/1999/xhtml'
/** Whether it is an HTML element. SVG and MathML elements can be controls too, but lack most properties of these. */
export const isHtml = (element: Element): element is HTMLElement =>
  nativeProperty('Element', element, 'namespaceURI') === html
/** Whether the node is an HTML element with one of these names, in any realm. */
export function isTag<K extends keyof HTMLElementTagNameMap>(
  node: Node | null | undefined,
  ...names: K[]
): node is HTMLElementTagNameMap[K] {
  const name: unknown = (node as Partial<Element> | null | undefined)?.localName
  return (
    (typeof name !== 'string' || (names as string[]).includes(name)) &&
    isElement(node) &&
    (names as string[]).includes(localNameOf(node)) &&
    isHtml(node)
  )
}

/** Deeper frames are not read. */
const maxFrameDepth = 20
/** More frames are not read. A script can make frames in frames without an end. */
export const maxFrames = 100

/** The document of a same-origin frame; null for other elements and for frames that cannot be read. */
export function frameDocument(node: Element): Document | null {
  if (!isTag(node, 'iframe')) return null
  try {
    const inside = node.contentDocument
    let depth = 0
    for (
      let view: Window | null = inside ? nativeProperty('Document', inside, 'defaultView') : null;
      view && view !== window;
      view = view.parent
    ) {
      if (++depth > maxFrameDepth || view.parent === view) return null
    }
    return inside
  } catch {
    return null // A frame of another origin.
  }
}

/** The properties and methods of a form that this code uses. */
const usedProperties = [
  'getAttribute',
  'hasAttribute',
  'matches',
  'closest',
  'contains',
  'checkVisibility',
  'getBoundingClientRect',
  'getRootNode',
  'querySelector',
  'querySelectorAll',
  'compareDocumentPosition',
  'localName',
  'tagName',
  'namespaceURI',
  'nodeType',
  'ownerDocument',
] as const
/**
 * The used property that a field of the form hides, if any. Such a form is not read itself, only its contents; no other
 * element is affected.
 */
export const detachedFrom = (node: Node): string | undefined =>
  isTag(node, 'form')
    ? usedProperties.find((name) => typeof node[name] === 'object' && (node[name] as Partial<Node>).nodeType !== 9)
    : undefined
const isSkipped = (element: Element): boolean =>
  !isPlain(element) && detachedFrom(element) !== undefined && !isBarred(element)

/** The parent in the rendered tree: a slot, shadow host or frame element counts as parent. */
export function parentOf(node: Node): Element | null {
  const slot = isElement(node) ? nativeProperty('Element', node, 'assignedSlot') : (node as Partial<Text>).assignedSlot
  if (slot) return slot
  const parent = nativeProperty('Node', node, 'parentNode')
  if (isElement(parent)) return isSkipped(parent) ? parentOf(parent) : parent
  if (nodeTypeOf(parent) === 11) return (parent as Partial<ShadowRoot>).host ?? null
  if (nodeTypeOf(parent) === 9 && parent !== document) {
    try {
      return nativeProperty('Document', parent as Document, 'defaultView')?.frameElement ?? null
    } catch {
      return null // The frame has navigated to another origin.
    }
  }
  return null
}

/** The first of the node and its ancestors, through shadow roots and frames, that passes the test. */
export function ancestor(start: Node | null, test: (element: Element) => boolean): Element | null {
  let node = isElement(start) && !isSkipped(start) ? start : start && parentOf(start)
  for (; node; node = parentOf(node)) if (test(node)) return node
  return null
}

/** Whether a node is an element or inside of it, across shadow roots and frames. */
export const isWithin = (node: Node | null, outer: Element): boolean =>
  ancestor(node, (above) => above === outer) !== null

const ownTag = /^tool-agent(-|$)/
/** Whether it is an element of the agent or marked `data-tool-agent-ignore`. Models must not learn that it exists. */
export function isBarred(element: Element): boolean {
  const name = localNameOf(element)
  return (
    (name.startsWith('tool-agent') && ownTag.test(name)) ||
    Element.prototype.hasAttribute.call(element, 'data-tool-agent-ignore')
  )
}
/** Whether the node or one of its ancestors is barred. */
export const isOffLimits = (node: Node): boolean => ancestor(node, isBarred) !== null

/** Whether it is the panel, or another element of the agent. */
export const isOwnElement = (node: Node): boolean => isElement(node) && ownTag.test(localNameOf(node))

/** Whether the page has changed, and not only what the agent draws above it: the panel, and the stage. */
export function isPageChange({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (ancestor(target, isOwnElement) !== null) return false
  return type !== 'childList' || ![...addedNodes, ...removedNodes].every(isOwnElement)
}

const unread = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'head',
  'meta',
  'link',
  'title',
  'noembed',
  'noframes',
])
const isUnread = (element: Element): boolean => unread.has(localNameOf(element))

/** The elements and texts that are children in the rendered tree. */
export function childrenOf(element: Element): (Element | Text)[] {
  if (isBarred(element) || isUnread(element)) return []
  let nodes: Iterable<Node> = nativeProperty('Node', element, 'childNodes')
  const root = nativeProperty('Element', element, 'shadowRoot')
  if (root) nodes = root.childNodes
  else if (isTag(element, 'slot')) {
    const assigned = element.assignedNodes()
    if (assigned.length > 0) nodes = assigned
  } else if (isTag(element, 'iframe')) {
    const inside = frameDocument(element)
    const body = inside && unclobbered(inside).body
    nodes = body && !isOffLimits(body) ? [body] : []
  }
  const found: (Element | Text)[] = []
  for (const node of nodes) {
    if (isText(node)) found.push(node)
    else if (isElement(node) && !isUnread(node) && !isBarred(node)) {
      if (isSkipped(node)) found.push(...childrenOf(node))
      else found.push(node)
    }
  }
  return found
}
/** Bounds the time on huge pages. A scope reaches the elements after this. */
const maxElements = 200_000

/** All elements under and including the root, in rendered order. `children`: `childrenOf`, with its results cached. */
export function* elementsUnder(root: Element, children = childrenOf): Generator<Element> {
  if (isOffLimits(root)) return
  const stack: Element[] = [root]
  let frames = 0
  for (let seen = 0; seen < maxElements; seen++) {
    const element = stack.pop()
    if (!element) return
    yield element
    if (isTag(element, 'iframe') && ++frames > maxFrames) continue
    const inner = children(element)
    for (let index = inner.length - 1; index >= 0; index--) {
      const child = inner[index]
      if (isElement(child)) stack.push(child)
    }
  }
}

/** All documents and shadow roots of the page that can be read. */
export function pageRoots(): (Document | ShadowRoot)[] {
  return [
    document,
    ...[...elementsUnder(currentPage().documentElement)].flatMap((element) =>
      [element.shadowRoot, frameDocument(element)].filter((root) => root !== null),
    ),
  ]
}

/** The document or shadow root of the element, for reading properties. It is a proxy: do not compare it to a node. */
export const rootOf = (element: Element): Document | ShadowRoot =>
  unclobbered(element.getRootNode() as Document | ShadowRoot)

/** The elements whose ids an attribute lists, such as `for` or `aria-labelledby`, within the element's own tree. */
export function byIds(element: Element, attribute: string): Element[] {
  const ids = element.getAttribute(attribute)
  if (!ids) return []
  const root = rootOf(element)
  return ids.split(/\s+/).flatMap((id) => {
    const found = id === '' ? null : root.getElementById?.(id)
    return found ? [found] : []
  })
}

/** Whether it is an input that no person sees or fills. */
export const isHiddenInput = (element: Element | null): element is HTMLInputElement =>
  isTag(element, 'input') && element.type === 'hidden'

/** Whether it is a native box to tick: a checkbox or a radio button. */
export const isTickBox = (element: Element | null): element is HTMLInputElement =>
  isTag(element, 'input') && /^(checkbox|radio)$/.test(element.type)

/** The window of the element's document. */
export const viewOf = (element: Element): Window & typeof globalThis =>
  (nativeProperty('Document', nativeProperty('Node', element, 'ownerDocument') ?? document, 'defaultView') as
    | (Window & typeof globalThis)
    | null) ?? window

/**
 * A property that a custom element may define itself. Undefined if its getter throws: one broken element must not make
 * the page unreadable.
 */
export function propertyOf<K extends keyof HTMLInputElement>(
  element: Element,
  name: K,
): HTMLInputElement[K] | undefined {
  try {
    return (element as Partial<HTMLInputElement>)[name]
  } catch {
    return undefined
  }
}

/** Focuses an element, if it is of a kind that can have the focus, without scrolling to it. */
export const focusElement = (element: Element | null | undefined): void =>
  (element as Partial<HTMLElement> | null | undefined)?.focus?.({ preventScroll: true })
/** Takes the focus from an element. */
export const blurElement = (element: Element | null | undefined): void =>
  (element as Partial<HTMLElement> | null | undefined)?.blur?.()
