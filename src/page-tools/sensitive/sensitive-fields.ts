// Decides which fields are private. A field that once was a password field stays private, because "show password"
// changes its type to text. Tools report of a private field only whether it is filled, never its value.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isTag } from '../dom/dom.js'
import { isAboutCard, isExplanation, isHarmlessHere, isPinHere, sensitiveKindIn } from './sensitive-kind.js'
import type { SensitiveKind } from './sensitive-terms.js'
import { toComparable } from '../dom/text.js'
import { rememberPassword, wasPassword, wordAttributes } from './watch-passwords.js'

export type { SensitiveKind }

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
    if (element.type === 'password') rememberPassword(element)
  }
  if (wasPassword(element)) return 'password'
  const declared = element.getAttribute('autocomplete')?.toLowerCase()
  const kind = declared === undefined ? undefined : autocompleteKinds.find(([pattern]) => pattern.test(declared))?.[1]
  return kind === 'password' && isNoPassword(element) ? undefined : kind
}

/**
 * Whether a value of the field could be private, with any label and style. A field that the visitor cannot change may
 * show a secret, whatever its type.
 */
export function mayHoldSecret(field: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (!isTag(field, 'input') || field.readOnly || field.disabled || field.type === 'file') return true
  return field.type !== 'hidden' && (!harmlessTypes.has(field.type) || declaredSensitive(field) !== undefined)
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

/** Labels without meaning of their own, such as `2` or `digit 3 of 6`: then the label of the group counts. */
const ordinal = new RegExp(
  '^(?:(?:\\p{N}+|\\p{L}|st|nd|rd|th|digits?|part|box|block|group|field|segment|first|second|third|fourth|last|next|' +
    'four|of|to|the|number|num|no|nr|code|nummer|numero|ziffern?|stellen?|teil|feld|von|bis|chiffres?|cifras?|' +
    'cifre|digitos?|cijfers?)(?: |$))+$',
  'u',
)

const isIdentifier = /^(name|id|formcontrolname)$/
/** Attributes that also hold explanations. */
const isAside = /^(title|placeholder|data-placeholder)$/
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
    const kind = sensitiveKindIn(text) ?? (isPinHere(element, text) ? 'password' : undefined)
    return kind && isHarmlessHere(element, kind, text) ? undefined : kind
  }
  const ownName = label !== '' && !ordinal.test(toComparable(label)) ? label : tied
  for (const attribute of wordAttributes) {
    if (attribute === 'autocomplete' && isNoPassword(element)) continue
    const text = element.getAttribute(attribute) ?? ''
    // Only the first sentence of a long title names the field; the rest explains.
    const said = attribute === 'title' && text.length > 80 ? (text.split(/[.!?]/)[0] ?? '') : text
    const kind = isAside.test(attribute) && isExplanation(said, ownName) ? undefined : kindOf(said)
    if (kind && !(kind === 'card' && isIdentifier.test(attribute) && isAboutCard(text))) return kind
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
