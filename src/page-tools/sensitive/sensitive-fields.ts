// Which fields are private, and the memory of those that were: "show password" turns the type into text, and the
// field stays private. A private field's value is not read at all; only whether it holds one is told.
import { unclobbered } from '../../core/data/unclobbered.js'
import { ancestor, frameDocument, isElement, isTag } from '../dom/dom.js'
import { sensitiveKindIn } from './sensitive-terms.js'
import type { SensitiveKind } from './sensitive-terms.js'
import { toComparable } from '../dom/text.js'

export type { SensitiveKind }

const oncePassword = new WeakSet<Element>()
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

/** Remembers every password field under the root, now and later, whatever its type becomes. */
export function watchPasswords(root: Document | ShadowRoot): void {
  if (watched.has(root)) return
  watched.add(root)
  for (const input of unclobbered(root).querySelectorAll('input[type=password]')) remember(input)
  // Shadow roots and frames tell no observer outside of theirs: they are met before a hand can be at their "show password".
  const frames = (found: Iterable<unknown>): void => {
    for (const frame of found) {
      const inside = frameDocument(frame as Element)
      if (inside) watchPasswords(inside)
    }
  }
  const roots = (event: Event): void => {
    for (const node of event.composedPath()) if ((node as Node).nodeType === 11) watchPasswords(node as ShadowRoot)
  }
  frames(unclobbered(root).querySelectorAll('iframe'))
  unclobbered(root).addEventListener(
    'load',
    ({ target }) => {
      if (isTag(target as Node, 'iframe')) frames([target])
    },
    true,
  )
  for (const type of ['pointerdown', 'focusin', 'input', 'click'])
    unclobbered(root).addEventListener(type, roots, { capture: true, passive: true })
  const view = unclobbered(root.ownerDocument ?? (root as Document)).defaultView ?? window
  new view.MutationObserver((records) => {
    type Moved = { readonly input: HTMLInputElement; readonly target: Node }
    const inputsIn = (target: Node, nodes: NodeList): Moved[] =>
      [...nodes]
        .flatMap((node) =>
          isTag(node, 'input')
            ? [node]
            : isElement(node)
              ? ([...Element.prototype.querySelectorAll.call(node, 'input')] as HTMLInputElement[])
              : [],
        )
        .map((input) => ({ input, target }))
    for (const { target, oldValue } of records) if (oldValue?.toLowerCase() === 'password') remember(target as Element)
    const gone = records
      .flatMap(({ target, removedNodes }) => inputsIn(target, removedNodes))
      .filter(({ input }) => input.type === 'password' || oncePassword.has(input))
    const come = records.flatMap(({ target, addedNodes }) => inputsIn(target, addedNodes))
    // A "show password" may draw another box: one with the same value, or one called the same in place of the old.
    const isShown = ({ input, target }: Moved, old: Moved): boolean =>
      old.input !== input &&
      /^(text|tel|number|search)$/.test(input.type) &&
      (old.input.value !== '' && input.value !== ''
        ? old.input.value === input.value
        : old.target === target &&
          input.parentNode === target &&
          old.input.parentNode === null &&
          wordAttributes.every((name) => old.input.getAttribute(name) === input.getAttribute(name)) &&
          !come.some((other) => other.target === target && other.input.type === 'password'))
    for (const one of come)
      if (one.input.type === 'password' || gone.some((old) => isShown(one, old))) remember(one.input)
  }).observe(root, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['type'],
    attributeOldValue: true,
  })
}

const tokens: readonly (readonly [RegExp, SensitiveKind])[] = [
  [/(^|\s)(current|new)-password(\s|$)/, 'password'],
  [/(^|\s)one-time-code(\s|$)/, 'one-time-code'],
  [/(^|\s)cc-csc(\s|$)/, 'security-code'],
  // The name on a card and its kind are none.
  [/(^|\s)cc-(?!(given-|additional-|family-)?name(\s|$)|type(\s|$))/, 'card'],
]
const never = new Set([
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
 * Some write `new-password` to keep the browser's own list away. Nobody chooses a password from a pop-up, or types it as
 * an e-mail address.
 */
const isNoPassword = (element: Element): boolean =>
  element.getAttribute('role') === 'combobox' || (isTag(element, 'input') && never.has(element.type))

/** What the markup itself declares, without a look at words. */
export function declaredSensitive(element: Element): SensitiveKind | undefined {
  if (isTag(element, 'input')) {
    if (element.type === 'hidden') return 'hidden'
    if (element.type === 'password') remember(element)
  }
  if (oncePassword.has(element) || onceNames.get(element.ownerDocument)?.has(nameKey(element))) return 'password'
  const declared = element.getAttribute('autocomplete')?.toLowerCase()
  const kind = declared === undefined ? undefined : tokens.find(([pattern]) => pattern.test(declared))?.[1]
  return kind === 'password' && isNoPassword(element) ? undefined : kind
}

/** Many one-character boxes side by side take a code. */
function isCodeBox(element: Element): boolean {
  if (!isTag(element, 'input') || element.maxLength !== 1) return false
  let around: Element | null = element.parentElement
  for (let level = 0; around && level < 2; level++, around = around.parentElement) {
    if (around.querySelectorAll('input[maxlength="1"]').length >= 4) return true
  }
  return false
}

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

// What a box is called whose group says the rest: a number, a part of it.
const ordinal =
  /^(?:(?:\p{N}+|\p{L}|st|nd|rd|th|digits?|part|box|block|group|field|segment|first|second|third|fourth|last|next|four|of|to|the|number|num|no|nr|code|nummer|numero|ziffern?|stellen?|teil|feld|von|bis|chiffres?|cifras?|cifre|digitos?|cijfers?)(?: |$))+$/u

const isIdentifier = /^(name|id|formcontrolname)$/
/** The last word of an identifier says what it is: `cardNumber.billingCity` is a city. */
const aboutCard =
  / (name|holder|address|street|city|zip|postal code|postcode|state|country|phone|email|type|brand)( \d+)?$/

/** Whether the text around the control makes the words harmless: a code to copy from an image, a postal code of India. */
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

/** A code that the visitor gets by another way, or has on a card. */
const isSent = /one.?time|otp|sms|短信|手机|邮|phone|mobile|mail|factor|2fa|auth|cvv|cvc|card/i

/** The programmer calls it so, or it shares a box with such an image and no other text box. */
function isCaptcha(element: Element): boolean {
  const isCalled = (one: Element): boolean =>
    ['name', 'id', 'class', 'src', 'alt'].some((name) =>
      /captcha|vcode|图形|图片|圖形/i.test(one.getAttribute(name) ?? ''),
    )
  if (['name', 'id'].some((name) => /captcha/i.test(element.getAttribute(name) ?? ''))) return true
  let around = element.parentElement
  for (let level = 0; around && level < 3; level++, around = around.parentElement) {
    if (around.querySelectorAll('input:not([type=hidden]),textarea').length !== 1) return false
    if ([...around.querySelectorAll('img,canvas')].some(isCalled)) return true
  }
  return false
}

/** The kind of secret a control holds; the texts that label it are found by others. `group` counts where the label says nothing. */
export function sensitiveKindOf(element: Element, label: string, tied = '', group = ''): SensitiveKind | undefined {
  const declared = declaredSensitive(element)
  if (declared) return declared
  if (isTag(element, 'input') ? never.has(element.type) : isTag(element, 'select', 'button', 'output')) return undefined
  if (isCodeBox(element)) return 'one-time-code'
  const masked = unclobbered(element.ownerDocument)
    .defaultView?.getComputedStyle(element)
    .getPropertyValue('-webkit-text-security')
  if (masked && masked !== 'none') return 'password'
  const judge = (text: string): SensitiveKind | undefined => {
    const kind = sensitiveKindIn(text)
    return kind && isHarmlessHere(element, kind, text) ? undefined : kind
  }
  for (const attribute of wordAttributes) {
    if (attribute === 'autocomplete' && isNoPassword(element)) continue
    const text = element.getAttribute(attribute) ?? ''
    // A long title explains; its first sentence says what the box is for.
    const kind = judge(attribute === 'title' && text.length > 80 ? (text.split(/[.!?]/)[0] ?? '') : text)
    if (kind && !(kind === 'card' && isIdentifier.test(attribute) && aboutCard.test(toComparable(text)))) return kind
  }
  // The name of a group such as "Credit card" is for the name on the card, too: it has to say the number.
  return (
    judge(label) ??
    judge(tied) ??
    (label === '' || ordinal.test(toComparable(label)) ? sensitiveKindIn(`${group} ${label || 1}`) : undefined)
  )
}

/** Whether a text inside this element may be what somebody types: never part of a name or of page text. */
export const holdsTyping = (element: Element): boolean =>
  isTag(element, 'input', 'textarea') || element.getAttribute('role') === 'textbox' || isEditable(element)

const isEditable = (element: Element): boolean => {
  const editable = element.getAttribute('contenteditable')
  return editable !== null && editable.toLowerCase() !== 'false'
}
export const inEditable = (node: Node): Element | null => ancestor(node, isEditable)
