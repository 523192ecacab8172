// Decides which fields are private. A field that once was a password field stays private, because "show password"
// changes its type to text. Tools report of a private field only whether it is filled, never its value.
import { unclobbered } from '../../core/data/unclobbered.js'
import { ancestor, frameDocument, isElement, isTag } from '../dom/dom.js'
import { sensitiveKindIn } from './sensitive-terms.js'
import type { SensitiveKind } from './sensitive-terms.js'
import { toComparable } from '../dom/text.js'

export type { SensitiveKind }

/** Fields that are or were password fields. */
const oncePassword = new WeakSet<Element>()
/** Their names and ids per document: a framework may render the same field as a new element. */
const onceNames = new WeakMap<Document, Set<string>>()
const watched = new WeakSet<Node>()

const nameKey = (element: Element): string => `${element.getAttribute('name') ?? ''}\n${element.id}`

function remember(element: Element): void {
  oncePassword.add(element)
  const key = nameKey(element)
  if (key === '\n') return
  const names = onceNames.get(element.ownerDocument) ?? new Set()
  onceNames.set(element.ownerDocument, names.add(key))
}

/** Remembers every password field under the root from now on, including fields that replace one. Idempotent. */
export function watchPasswords(root: Document | ShadowRoot): void {
  if (watched.has(root)) return
  watched.add(root)
  for (const input of unclobbered(root).querySelectorAll('input[type=password]')) remember(input)
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
  for (const { target, oldValue } of records) if (oldValue?.toLowerCase() === 'password') remember(target as Element)
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
    if (one.input.type === 'password' || removed.some((old) => isReplacement(one, old))) remember(one.input)
}

const autocompleteKinds: readonly (readonly [RegExp, SensitiveKind])[] = [
  [/(^|\s)(current|new)-password(\s|$)/, 'password'],
  [/(^|\s)one-time-code(\s|$)/, 'one-time-code'],
  [/(^|\s)cc-csc(\s|$)/, 'security-code'],
  // All of a card except its holder and its type.
  [/(^|\s)cc-(?!(given-|additional-|family-)?name(\s|$)|type(\s|$))/, 'card'],
]
/** Input types that never hold a password. */
const harmlessTypes = new Set([
  'email',
  'url',
  'date',
  'time',
  'datetime-local',
  'month',
  'week',
  'color',
  'range',
  'checkbox',
  'radio',
  'file',
  'submit',
  'button',
  'reset',
  'image',
])

/**
 * Whether `autocomplete="new-password"` must be ignored: pages use it on comboboxes and e-mail fields to turn off the
 * suggestions of the browser.
 */
const isNoPassword = (element: Element): boolean =>
  element.getAttribute('role') === 'combobox' || (isTag(element, 'input') && harmlessTypes.has(element.type))

/** The kind that the markup declares by type or `autocomplete`, without looking at names and labels. */
export function declaredSensitive(element: Element): SensitiveKind | undefined {
  if (isTag(element, 'input')) {
    if (element.type === 'hidden') return 'hidden'
    if (element.type === 'password') remember(element)
  }
  if (oncePassword.has(element) || onceNames.get(element.ownerDocument)?.has(nameKey(element))) return 'password'
  const declared = element.getAttribute('autocomplete')?.toLowerCase()
  const kind = declared === undefined ? undefined : autocompleteKinds.find(([pattern]) => pattern.test(declared))?.[1]
  return kind === 'password' && isNoPassword(element) ? undefined : kind
}

/** Whether it is one of four or more adjacent one-character inputs, which take a code. */
function isCodeBox(element: Element): boolean {
  if (!isTag(element, 'input') || element.maxLength !== 1) return false
  let around: Element | null = element.parentElement
  for (let level = 0; around && level < 2; level++, around = around.parentElement) {
    if (around.querySelectorAll('input[maxlength="1"]').length >= 4) return true
  }
  return false
}

/** Attributes that name the field. */
const wordAttributes = [
  'name',
  'id',
  'placeholder',
  'aria-label',
  'title',
  'autocomplete',
  'formcontrolname',
  'data-placeholder',
]

/** Labels without meaning of their own, such as `2` or `digit 3 of 6`: then the label of the group counts. */
const ordinal = new RegExp(
  '^(?:(?:\\p{N}+|\\p{L}|st|nd|rd|th|digits?|part|box|block|group|field|segment|first|second|third|fourth|last|next|' +
    'four|of|to|the|number|num|no|nr|code|nummer|numero|ziffern?|stellen?|teil|feld|von|bis|chiffres?|cifras?|' +
    'cifre|digitos?|cijfers?)(?: |$))+$',
  'u',
)

const isIdentifier = /^(name|id|formcontrolname)$/
/** Identifiers whose last word names something else: `cardNumber.billingCity` is a city. */
const aboutCard =
  / (name|holder|address|street|city|zip|postal code|postcode|state|country|phone|email|type|brand)( \d+)?$/

/** Whether the surroundings make the term harmless: a code to copy from an image, or an Indian postal code. */
function isHarmlessHere(element: Element, kind: SensitiveKind, text: string): boolean {
  if (kind === 'one-time-code' || kind === 'security-code') {
    return !isSent.test(`${text} ${element.getAttribute('name') ?? ''} ${element.id}`) && isCaptcha(element)
  }
  if (kind !== 'password' || !/^(enter )?(your )?pin ?code$/.test(toComparable(text))) return false
  return (
    /(^|\s)postal-code(\s|$)/.test(element.getAttribute('autocomplete') ?? '') ||
    element.closest('fieldset,form')?.querySelector(placeField) != null
  )
}
const placeField =
  '[autocomplete*=address-level],[name*=city i],[id*=city i],[name*=district i],[name*=postal i],[name*=zip i]'

/** A code that is sent to the visitor or printed on a card. */
const isSent = /one.?time|otp|sms|短信|手机|邮|phone|mobile|mail|factor|2fa|auth|cvv|cvc|card/i

/** Whether the field is called a captcha, or is the only text field beside a captcha image. */
function isCaptcha(element: Element): boolean {
  const isCaptchaImage = (one: Element): boolean =>
    ['name', 'id', 'class', 'src', 'alt'].some((name) =>
      /captcha|vcode|图形|图片|圖形/i.test(one.getAttribute(name) ?? ''),
    )
  if (['name', 'id'].some((name) => /captcha/i.test(element.getAttribute(name) ?? ''))) return true
  let around = element.parentElement
  for (let level = 0; around && level < 3; level++, around = around.parentElement) {
    if (around.querySelectorAll('input:not([type=hidden]),textarea').length !== 1) return false
    if ([...around.querySelectorAll('img,canvas')].some(isCaptchaImage)) return true
  }
  return false
}

/**
 * The kind of secret that a control holds, if any. The caller provides its texts: `label` is visible, `tied` are labels
 * that may be invisible, `group` only counts if the label has no meaning of its own.
 */
export function sensitiveKindOf(element: Element, label: string, tied = '', group = ''): SensitiveKind | undefined {
  const declared = declaredSensitive(element)
  if (declared) return declared
  if (isTag(element, 'input') ? harmlessTypes.has(element.type) : isTag(element, 'select', 'button', 'output'))
    return undefined
  if (isCodeBox(element)) return 'one-time-code'
  const masked = unclobbered(element.ownerDocument)
    .defaultView?.getComputedStyle(element)
    .getPropertyValue('-webkit-text-security')
  if (masked && masked !== 'none') return 'password'
  const kindOf = (text: string): SensitiveKind | undefined => {
    const kind = sensitiveKindIn(text)
    return kind && isHarmlessHere(element, kind, text) ? undefined : kind
  }
  for (const attribute of wordAttributes) {
    if (attribute === 'autocomplete' && isNoPassword(element)) continue
    const text = element.getAttribute(attribute) ?? ''
    // Only the first sentence of a long title names the field; the rest explains.
    const kind = kindOf(attribute === 'title' && text.length > 80 ? (text.split(/[.!?]/)[0] ?? '') : text)
    if (kind && !(kind === 'card' && isIdentifier.test(attribute) && aboutCard.test(toComparable(text)))) return kind
  }
  // A group such as "Credit card" also has a field for the name. With the label `1` only "Card number" is private.
  return (
    kindOf(label) ??
    kindOf(tied) ??
    (label === '' || ordinal.test(toComparable(label)) ? sensitiveKindIn(`${group} ${label || 1}`) : undefined)
  )
}

/** Whether text inside this element may be user input. It must never become part of a name or of page text. */
export const holdsTyping = (element: Element): boolean =>
  isTag(element, 'input', 'textarea') || element.getAttribute('role') === 'textbox' || isEditable(element)

const isEditable = (element: Element): boolean => {
  const editable = element.getAttribute('contenteditable')
  return editable !== null && editable.toLowerCase() !== 'false'
}
/** The rich text editor that contains the node, if any. */
export const inEditable = (node: Node): Element | null => ancestor(node, isEditable)
