// The page as one tree: open shadow roots, slots and same-origin frames included, the agent's own elements and
// whatever the author marked `data-tool-agent-ignore` left out. No instanceof: nodes of frames have other classes.
import { unclobbered } from '../../core/data/unclobbered.js'

/** The document, past elements whose names cover its properties. */
export const currentPage = (): Document => unclobbered(document)

// A form's fields stand in the place of what the form itself has (`<input name=parentNode>`): the prototypes tell.
const getters = new Map<string, (this: unknown) => unknown>()
export function nativeProperty<N extends Node, K extends keyof N & string>(
  kind: 'Node' | 'Element' | 'Document',
  node: N,
  name: K,
): N[K] {
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

// A window may be asked, too; it is no node.
const typeOf = (node: Node | null | undefined): number | undefined =>
  typeof node?.nodeType === 'object' ? nativeProperty('Node', node, 'nodeType') : node?.nodeType
export const isElement = (node: Node | null | undefined): node is Element => typeOf(node) === 1
const isText = (node: Node): node is Text => typeOf(node) === 3

const html = 'http://www.w3.org/1999/xhtml'
/** Whether the element is the HTML element of that name, in whatever realm. */
export function isTag<K extends keyof HTMLElementTagNameMap>(
  node: Node | null | undefined,
  ...names: K[]
): node is HTMLElementTagNameMap[K] {
  return (
    isElement(node) &&
    nativeProperty('Element', node, 'namespaceURI') === html &&
    (names as string[]).includes(nativeProperty('Element', node, 'localName'))
  )
}

/** Frames deeper than this are opaque. */
const frameDepth = 3

/** The document of a frame, where the page may read it. */
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
      if (++depth > frameDepth || view.parent === view) return null
    }
    return inside
  } catch {
    return null // Another origin: what cannot be read is opaque, which is the answer.
  }
}

const asked = [
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
/** The name that a field took from its form, so that the form can be asked nothing: what is in it is read, it itself is passed through. */
export const detachedFrom = (node: Node): string | undefined =>
  isTag(node, 'form')
    ? asked.find((name) => typeof node[name] === 'object' && (node[name] as Partial<Node>).nodeType !== 9)
    : undefined
const isMute = (element: Element): boolean => detachedFrom(element) !== undefined && !isBarred(element)

/** The parent in the tree a person sees: slot, shadow host and frame element count as parents. */
export function parentOf(node: Node): Element | null {
  const slot = isElement(node) ? nativeProperty('Element', node, 'assignedSlot') : (node as Partial<Text>).assignedSlot
  if (slot) return slot
  const parent = nativeProperty('Node', node, 'parentNode')
  if (isElement(parent)) return isMute(parent) ? parentOf(parent) : parent
  if (typeOf(parent) === 11) return (parent as Partial<ShadowRoot>).host ?? null
  if (typeOf(parent) === 9 && parent !== document) {
    try {
      return nativeProperty('Document', parent as Document, 'defaultView')?.frameElement ?? null
    } catch {
      return null // The frame navigated to another origin between two steps: it has no parent for us.
    }
  }
  return null
}

/** The first of the element and its ancestors, through shadow roots and frames, for which the test holds. */
export function ancestor(start: Node | null, test: (element: Element) => boolean): Element | null {
  let node = isElement(start) && !isMute(start) ? start : start && parentOf(start)
  for (; node; node = parentOf(node)) if (test(node)) return node
  return null
}

const ownTag = /^tool-agent(-|$)/
/** The agent's own element, or one the author marked to be left alone: not even its existence is told. */
export const isBarred = (element: Element): boolean =>
  ownTag.test(nativeProperty('Element', element, 'localName')) ||
  Element.prototype.hasAttribute.call(element, 'data-tool-agent-ignore')
export const isOffLimits = (node: Node): boolean => ancestor(node, isBarred) !== null

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
const isUnread = (element: Element): boolean => unread.has(nativeProperty('Element', element, 'localName'))

/** Children in the tree a person sees; text and elements only. */
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
  return [...nodes].flatMap((node) =>
    isText(node)
      ? node
      : !isElement(node) || isBarred(node) || isUnread(node)
        ? []
        : isMute(node)
          ? childrenOf(node)
          : node,
  )
}
export { isText }

/** No page makes a reading run on for ever; what lies behind is reached with a scope. */
const most = 200_000

/** All elements under and including the root, in the order a person meets them. */
export function* elementsUnder(root: Element): Generator<Element> {
  if (isOffLimits(root)) return
  const stack: Element[] = [root]
  for (let seen = 0; seen < most; seen++) {
    const element = stack.pop()
    if (!element) return
    yield element
    const children = childrenOf(element)
    for (let index = children.length - 1; index >= 0; index--) {
      const child = children[index]
      if (isElement(child)) stack.push(child)
    }
  }
}

/** The document or shadow root that the element is in. For reading its properties: it equals no node. */
export const rootOf = (element: Element): Document | ShadowRoot =>
  unclobbered(element.getRootNode() as Document | ShadowRoot)

/** Elements by id within the element's own tree, as `for` and `aria-labelledby` mean it. */
export function byIds(element: Element, attribute: string): Element[] {
  const root = rootOf(element)
  return (element.getAttribute(attribute) ?? '').split(/\s+/).flatMap((id) => {
    const found = id === '' ? null : root.getElementById?.(id)
    return found ? [found] : []
  })
}

export const viewOf = (element: Element): Window & typeof globalThis =>
  (nativeProperty('Document', nativeProperty('Node', element, 'ownerDocument') ?? document, 'defaultView') as
    | (Window & typeof globalThis)
    | null) ?? window
