// Predicts the effect of a key that neither clicks an element nor submits a form.
import type { Effect } from '../../core/data/effect.js'
import { byIds, isTag } from '../dom/dom.js'
import { roleOf } from '../dom/accessible-name.js'
import { isTypedInto } from '../dom/field-state.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { controlEffect } from './control-effect.js'

/** Keys that move a focus, a selection or the view, or close something. */
const moving = /^(Tab|Escape|Arrow(Up|Down|Left|Right)|Home|End|PageUp|PageDown|Shift|Control|Alt|Meta)$/
/** Roles of controls whose value the arrows change. */
const stepped = /^(slider|spinbutton|radio|combobox|listbox|switch)$/
const textRoles = /^(textbox|searchbox|combobox)$/

/** What decides about a key. */
export interface PressedKey {
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
export function keyEffect(on: HTMLElement, { key, isChord, isFormat }: PressedKey, snapshot: PageSnapshot): Effect {
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
