// Remembers which fields are or were password fields. It must run from the moment that the page tools are registered,
// before the code that reads the page is loaded: "show password" may change the type of a field at any time.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { frameDocument, isElement, isTag } from '../dom/dom.js'

/** Attributes that name the field. */
export const wordAttributes = [
  'name',
  'id',
  'placeholder',
  'aria-label',
  'title',
  'autocomplete',
  'formcontrolname',
  'data-placeholder',
]

/** Fields that are or were password fields. */
const oncePassword = new WeakSet<Element>()
/** Their names and ids per document: a framework may render the same field as a new element. */
const onceNames = new WeakMap<Document, Set<string>>()
const watched = new WeakSet<Node>()

const nameKey = (element: Element): string => `${element.getAttribute('name') ?? ''}\n${element.id}`

/** Remembers a password field, with its name and id. */
export function rememberPassword(element: Element): void {
  oncePassword.add(element)
  const key = nameKey(element)
  if (key === '\n') return
  const names = onceNames.get(element.ownerDocument) ?? new Set()
  onceNames.set(element.ownerDocument, names.add(key))
}

/** Whether the element is or was a password field, or has the name and id of one. */
export const wasPassword = (element: Element): boolean =>
  oncePassword.has(element) || onceNames.get(element.ownerDocument)?.has(nameKey(element)) === true

/** Remembers every password field under the root from now on, including fields that replace one. Idempotent. */
export function watchPasswords(root: Document | ShadowRoot): void {
  if (watched.has(root)) return
  watched.add(root)
  for (const input of unclobbered(root).querySelectorAll('input[type=password]')) rememberPassword(input)
  watchNested(root)
  const view = unclobbered(root.ownerDocument ?? (root as Document)).defaultView ?? window
  new view.MutationObserver((records) => {
    rememberFormerPasswords(records)
    rememberReplacements(records)
  }).observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['type'],
    attributeOldValue: true,
  })
}

/**
 * Watches the frames and shadow roots under the root, which an observer does not see into. Any event of the user inside
 * comes before a click on "show password" there.
 */
function watchNested(root: Document | ShadowRoot): void {
  const target = unclobbered(root)
  const watchFrame = (node: EventTarget | null): void => {
    const inside = frameDocument(node as Element)
    if (inside) watchPasswords(inside)
  }
  for (const frame of target.querySelectorAll('iframe')) watchFrame(frame)
  target.addEventListener('load', (event) => watchFrame(event.target), true)
  const watchRoots = (event: Event): void => {
    for (const node of event.composedPath()) if ((node as Node).nodeType === 11) watchPasswords(node as ShadowRoot)
  }
  for (const type of ['pointerdown', 'focusin', 'input', 'click'])
    target.addEventListener(type, watchRoots, { capture: true, passive: true })
}

/** Remembers fields whose type changed from `password` to another one. */
function rememberFormerPasswords(records: readonly MutationRecord[]): void {
  for (const { target, oldValue } of records)
    if (oldValue?.toLowerCase() === 'password') rememberPassword(target as Element)
}

/** An input that was added or removed, and the parent of the change. */
interface MovedInput {
  readonly input: HTMLInputElement
  readonly target: Node
}

/**
 * Remembers fields that were inserted in place of a password field: "show password" may replace the element. The new
 * field has the same value, or the same parent and attributes if one of them is empty.
 */
function rememberReplacements(records: readonly MutationRecord[]): void {
  const inputsIn = (target: Node, nodes: NodeList): MovedInput[] =>
    [...nodes]
      .flatMap((node) => {
        if (isTag(node, 'input')) return [node]
        return isElement(node)
          ? ([...Element.prototype.querySelectorAll.call(node, 'input')] as HTMLInputElement[])
          : []
      })
      .map((input) => ({ input, target }))
  const removed = records
    .flatMap(({ target, removedNodes }) => inputsIn(target, removedNodes))
    .filter(({ input }) => input.type === 'password' || oncePassword.has(input))
  const added = records.flatMap(({ target, addedNodes }) => inputsIn(target, addedNodes))
  const isReplacement = ({ input, target }: MovedInput, old: MovedInput): boolean =>
    old.input !== input &&
    /^(text|tel|number|search)$/.test(input.type) &&
    (old.input.value !== '' && input.value !== ''
      ? old.input.value === input.value
      : old.target === target &&
        input.parentNode === target &&
        old.input.parentNode === null &&
        wordAttributes.every((name) => old.input.getAttribute(name) === input.getAttribute(name)) &&
        !added.some((other) => other.target === target && other.input.type === 'password'))
  for (const one of added)
    if (one.input.type === 'password' || removed.some((old) => isReplacement(one, old))) rememberPassword(one.input)
}
