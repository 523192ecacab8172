// The plans of a key and of a text. What Enter and Space lead to by markup is planned as a click and a submission are;
// of any other key only its effect is predicted.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import type { Effect } from '../../../core/data/effect.js'
import { currentPage, isTag, isTickBox, byIds } from '../../dom/dom.js'
import { isDisabled, isTypedInto, takesWholeText } from '../../dom/field-state.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { declaredEffect } from '../../effects/declared-effects.js'
import { predicted } from '../../effects/predict-effect.js'
import { isFormat } from '../../hands/key-defaults.js'
import { isChord, type Key } from '../../hands/keys.js'
import { namedControl } from '../../read/control-names.js'
import type { Action } from '../action-tool.js'
import { planClick, planSubmit, type Submission } from '../activation.js'
import { consequenceOf, defaultButton, type ActionSender } from '../consequence.js'
import { alsoBy, planAction, type ActionPlan, type PlanRun } from '../planned-action.js'
import { receiverNamed } from './key-receiver.js'
import { roleOf } from '../../dom/accessible-name.js'
import { controlEffect } from '../../effects/control-effect.js'

/** What a key does by markup alone: it submits a form, activates the element, or has no consequence to predict. */
export interface KeyPlan extends Action {
  readonly submit?: Submission
  /** The key clicks the element. */
  readonly activates: boolean
}

const buttonTypes = /^(submit|button|reset|image)$/

/** Whether the browser clicks the element on this key. */
function isActivatedBy(on: Element, { key }: Key): boolean {
  const isButton = isTag(on, 'button', 'summary') || (isTag(on, 'input') && buttonTypes.test(on.type))
  if (key === 'Enter') return isButton || (isTag(on, 'a', 'area') && on.hasAttribute('href'))
  return key === ' ' && (isButton || isTickBox(on))
}

/** The form that Enter in a field submits, and the button that it clicks; undefined if it submits none. */
function submittedByEnter(on: HTMLElement): ActionSender | undefined {
  if (!isTag(on, 'input') || !on.form) return undefined
  const { form } = on
  const button = defaultButton(form)
  if (button) return isDisabled(button) ? undefined : { form, button }
  // Without a button a form may have only one such field, or Enter does not submit it.
  const typed = [...unclobbered(form).elements].filter((one) => isTag(one, 'input') && isTypedInto(one))
  return typed.length > 1 ? undefined : { form, button: null }
}

/**
 * The plan of a key. Its `key` has the ref, so that the focus, or a name, must not mean another element when it runs.
 * @throws `unavailable`, `sensitive-field` if the form that it would submit cannot be submitted
 */
export function planKey(on: HTMLElement, key: Key, snapshot: PageSnapshot, run: PlanRun): KeyPlan {
  const { plan, ...rest } = planOf(on, key, snapshot, run)
  const ref = on === currentPage().body ? 'page' : snapshot.refs.refFor(on, snapshot.visibility)
  return { ...rest, plan: alsoBy(plan, ref) }
}

function planOf(on: HTMLElement, key: Key, snapshot: PageSnapshot, run: PlanRun): KeyPlan {
  const activates = !isChord(key) && isActivatedBy(on, key)
  const consequence = activates ? consequenceOf(on) : undefined
  const byEnter = key.key === 'Enter' && !isChord(key) && !activates ? submittedByEnter(on) : undefined
  const sender = consequence && 'form' in consequence ? consequence : byEnter
  if (sender) {
    const submit = planSubmit(sender, snapshot, run)
    return { plan: submit.plan, submit, activates }
  }
  if (activates) return { plan: planClick(on, namedControl(on, snapshot), snapshot, { run }), activates }
  const pressed = { key: key.key, isChord: isShortcut(key), isFormat: isFormat(key) }
  const byKey = keyEffect(on, pressed, snapshot)
  const effect = declaredEffect(on, undefined, { predicted: byKey, snapshot })
  return { plan: planPress({ element: on, key: key.words, effect }, snapshot, run), activates }
}

interface Pressing {
  readonly element: HTMLElement
  readonly key?: string | undefined
  readonly text?: string | undefined
  readonly effect: Effect
}

/** The plan of what no markup tells, as far as `effect` says. */
function planPress({ element, key, text, effect }: Pressing, snapshot: PageSnapshot, run: PlanRun): ActionPlan {
  const target = { on: receiverNamed(element, snapshot), key }
  const action = { does: 'press', target, text, element, predicted: predicted(element, effect, snapshot) } as const
  return planAction(action, snapshot, run)
}

/** The plan of typing a text, or of a selection alone. A text that is typed key by key may do anything. */
export function planText(on: HTMLElement, text: string | undefined, snapshot: PageSnapshot, run: PlanRun): ActionPlan {
  let effect: Effect = 'view'
  if (text !== undefined) effect = takesWholeText(on) ? 'value' : 'unknown'
  const declared = declaredEffect(on, undefined, { predicted: effect, snapshot })
  const plan = planPress({ element: on, text, effect: text === undefined ? effect : declared }, snapshot, run)
  const ref = isTag(on, 'body') ? 'page' : snapshot.refs.refFor(on, snapshot.visibility)
  return alsoBy(plan, ref, text)
}

/** Whether it may be a shortcut of the page: with a modifier other than Shift. */
const isShortcut = ({ ctrlKey, altKey, metaKey }: Key): boolean => ctrlKey || altKey || metaKey

/** Keys that move a focus, a selection or the view, or close something. */
const moving = /^(Tab|Escape|Arrow(Up|Down|Left|Right)|Home|End|PageUp|PageDown|Shift|Control|Alt|Meta)$/
/** Roles of controls whose value the arrows change. */
const stepped = /^(slider|spinbutton|radio|combobox|listbox|switch)$/
const textRoles = /^(textbox|searchbox|combobox)$/

/** What decides about a key. */
interface PressedKey {
  readonly key: string
  /** A modifier other than Shift is held. */
  readonly isChord: boolean
  /** It formats selected text. */
  readonly isFormat: boolean
}

/** Whether it is a text by its role, which says what keys do there: an input may be a slider of the page. */
function isTextByRole(on: HTMLElement): boolean {
  return on.isContentEditable || isTag(on, 'textarea') || (isTag(on, 'input') && textRoles.test(roleOf(on) ?? ''))
}

/** Whether it takes keys as a number, date or time, whose role says nothing else. */
const isTypedValue = (on: HTMLElement): boolean => isTypedInto(on) && /^(spinbutton)?$/.test(roleOf(on) ?? '')

/** The effect of a key on an element; of a shortcut of the page nobody knows it. */
function keyEffect(on: HTMLElement, { key, isChord, isFormat }: PressedKey, snapshot: PageSnapshot): Effect {
  if (moving.test(key) && (!isChord || /^(Tab|Arrow|Home|End|Page)/.test(key)))
    return /^Arrow|^Home$|^End$|^Page/.test(key) && stepped.test(roleOf(on) ?? '') && !isTextByRole(on)
      ? 'value'
      : 'view'
  if (isFormat && on.isContentEditable) return 'value'
  if (isChord) return /^a$/i.test(key) ? 'view' : 'unknown'
  const text = isTextByRole(on)
  if (key === 'Enter' || key === ' ') {
    // In a list that is open, Enter chooses the active option.
    const [active] = byIds(on, 'aria-activedescendant')
    if (active) return controlEffect(active, snapshot)
    if (text && (key === ' ' || on.isContentEditable || isTag(on, 'textarea'))) return 'value'
    const isControl = roleOf(on) !== null && !text && !isTag(on, 'body', 'dialog')
    return isControl ? controlEffect(on, snapshot) : 'unknown'
  }
  if (text || isTypedValue(on)) return 'value'
  // Delete on a row or a message.
  return /^(Delete|Backspace)$/.test(key) ? 'destroy' : 'unknown'
}
