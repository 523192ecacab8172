// The plans of a key and of a text. What Enter and Space lead to by markup is planned as a click and a submission are.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import type { Effect } from '../../../core/data/effect.js'
import { currentPage, isTag, isTickBox } from '../../dom/dom.js'
import { isDisabled, isTypedInto, takesWholeText } from '../../dom/field-state.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { declaredEffect } from '../../effects/declared-effects.js'
import { keyEffect } from '../../effects/key-effect.js'
import { predicted } from '../../effects/predict-effect.js'
import { isFormat } from '../../hands/key-defaults.js'
import { isChord, type Key } from '../../hands/keys.js'
import { namedControl } from '../../read/control-names.js'
import type { Action } from '../action-tool.js'
import { planClick, planSubmit, type Submission } from '../activation.js'
import { consequenceOf, defaultButton, type ActionSender } from '../consequence.js'
import { alsoBy, planAction, type ActionPlan, type PlanRun } from '../planned-action.js'
import { receiverNamed } from './key-receiver.js'

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
