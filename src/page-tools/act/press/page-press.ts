// page_press: presses a key on an element; without a target, where the focus is. What Enter and Space lead to by markup
// is predicted for the approval, as in page_click and form_submit.
import { ToolAgentError } from '../../../core/data/errors.js'
import { internals } from '../../../core/data/tool.js'
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import type { Effect } from '../../../core/data/effect.js'
import type { Tool, ToolRun } from '../../../page/tools/tool.js'
import { ancestor, currentPage, elementsUnder, frameDocument, isTag, parentOf } from '../../dom/dom.js'
import { roleOf } from '../../dom/accessible-name.js'
import { isRef } from '../../dom/element-refs.js'
import { isDisabled } from '../../dom/field-state.js'
import { pageFocus } from '../../dom/page-focus.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { takeSnapshot, textArgument } from '../../dom/page-snapshot.js'
import { isInsidePrivate, isPrivateAmong } from '../../read/named-parts.js'
import { toComparable } from '../../dom/text.js'
import type { InvalidField, SubmitTarget } from '../form-submit.js'
import { observeSubmit, planSubmit } from '../form-submit.js'
import { nextTask, pause, waitForFrame, waitForPageUpdates } from '../../fill/input-events.js'
import { asToolInput } from '../../fill/watch-user.js'
import { focusByUser } from '../dispatch-click.js'
import { dispatchKey } from './dispatch-key.js'
import { isFormat, takesWholeText, typeText } from './key-edits.js'
import { findWords, holderOf, selectWords } from './select-words.js'
import type { FoundWords, KeyEffect, KeyPlan, Typing } from './press.js'
import type { Key } from './keys.js'
import { isChord, parseKey } from './keys.js'
import { planClick, withElsewhere } from '../page-click.js'
import { undoableFields } from '../../definitions/field-changes.js'
import type { ActionEffect } from '../page-diff.js'
import { noteText } from '../../effects/filled-values.js'
import { runAndCompare } from '../page-diff.js'
import { declaredEffect } from '../../effects/declared-effects.js'
import { keyEffect } from '../../effects/key-effect.js'
import { predicted } from '../../effects/predict-effect.js'
import { again, checkPlanUnchanged, permissionOf, planWithPreview, turnedTo } from '../approved-plan.js'
import { consequenceOf, defaultButton } from '../consequence.js'
import { alsoBy, type ActionPlan, type PlanRun, planAction } from '../planned-action.js'
import { highlightTarget, untilQuestionGone } from '../agent-dialogs.js'
import { findPart } from '../../read/find-part.js'
import {
  checkAllowed,
  checkReachable,
  describeApart,
  describeControl,
  resolveActionTarget,
  unavailable,
} from '../resolve-target.js'

const buttonTypes = /^(submit|button|reset|image)$/
/** Fields of which a form without a button may have only one, or Enter does not submit it. */
const typedTypes = /^(text|search|tel|url|email|password|date|month|week|time|datetime-local|number)$/

/** Whether the browser clicks the element on this key. */
function isActivatedBy(on: Element, { key }: Key): boolean {
  const isButton = isTag(on, 'button', 'summary') || (isTag(on, 'input') && buttonTypes.test(on.type))
  if (key === 'Enter') return isButton || (isTag(on, 'a', 'area') && on.hasAttribute('href'))
  return key === ' ' && (isButton || (isTag(on, 'input') && /^(checkbox|radio)$/.test(on.type)))
}

/** The form that Enter in a field submits, and the button that it clicks; undefined if it submits none. */
function submittedByEnter(on: HTMLElement): Pick<SubmitTarget, 'form' | 'button'> | undefined {
  if (!isTag(on, 'input') || !on.form) return undefined
  const { form } = on
  const button = defaultButton(form)
  if (button) return isDisabled(button) ? undefined : { form, button }
  const typed = [...unclobbered(form).elements].filter((one) => isTag(one, 'input') && typedTypes.test(one.type))
  return typed.length > 1 ? undefined : { form, button: null }
}

/**
 * The plan of a key. Its `key` has the ref, so that the focus, or a name, must not mean another element when it runs.
 * @throws `unavailable`, `sensitive-field` if the form that it would submit cannot be submitted
 */
function planKey(on: HTMLElement, key: Key, snapshot: PageSnapshot, run: PlanRun): KeyPlan {
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
    const submit = planSubmit(sender.form, sender.button, snapshot, run)
    return { plan: submit.plan, submit, activates }
  }
  if (activates) return { plan: planClick(on, describeControl(on, snapshot), snapshot, { run }), activates }
  const target = `${key.words} on ${whereOf(on, snapshot)}`
  const pressed = { key: key.key, isChord: isShortcut(key), isFormat: isFormat(key) }
  const byKey = keyEffect(on, pressed, snapshot)
  const effect = declaredEffect(on, undefined, { predicted: byKey, snapshot })
  return { plan: planPress(on, target, effect, snapshot, run), activates }
}

/** The plan of what no markup tells, as far as `effect` says. */
function planPress(on: HTMLElement, target: string, effect: Effect, snapshot: PageSnapshot, run: PlanRun): ActionPlan {
  return planAction({ does: 'press', target, on, predicted: predicted(on, effect, snapshot) }, snapshot, run)
}

/** The plan of typing a text, or of a selection alone. A text that is typed key by key may do anything. */
function planText(on: HTMLElement, text: string | undefined, snapshot: PageSnapshot, run: PlanRun): ActionPlan {
  const where = whereOf(on, snapshot)
  const target = text === undefined ? where : `Text on ${where}`
  let effect: Effect = 'view'
  if (text !== undefined) effect = takesWholeText(on) ? 'value' : 'unknown'
  const declared = declaredEffect(on, undefined, { predicted: effect, snapshot })
  const plan = planPress(on, target, text === undefined ? effect : declared, snapshot, run)
  const ref = isTag(on, 'body') ? 'page' : snapshot.refs.refFor(on, snapshot.visibility)
  return alsoBy(plan, ref, text)
}

/** The receiver in words. */
function whereOf(on: HTMLElement, snapshot: PageSnapshot, describe = describeControl): string {
  if (!isTag(on, 'body')) return describe(on, snapshot)
  const frame = parentOf(unclobbered(on.ownerDocument).documentElement)
  return frame ? `the page in ${describeControl(frame, snapshot)}` : 'the page'
}

/** Whether it can receive keys. Those for a dialog bubble from it, even if only something inside has the focus. */
const isFocusable = (element: Element): boolean =>
  isTag(element, 'body', 'dialog') ||
  /^(alert)?dialog$/.test(roleOf(element) ?? '') ||
  (element as HTMLElement).tabIndex >= 0 ||
  element.hasAttribute('tabindex') ||
  (element as HTMLElement).isContentEditable

/** Roles of parts that may receive keys. */
const keyedParts = new RegExp(
  '^((alert)?dialog|application|document|feed|figure|graphics-\\w+|img|(tree)?grid|(radio)?group|' +
    'listbox|log|menu(bar)?|region|table|tablist|toolbar|tree)$',
)
/** Roles whose keys go to one of the items inside, if they take none themselves. */
const composites =
  /^((tree)?grid|row|gridcell|cell|listbox|menu(bar)?|(radio)?group|table|tablist|toolbar|tree|treeitem)$/

/** The field with this label, or the control or part with this name or ref. @throws as `resolveActionTarget` */
function resolveKeyTarget(asked: string, snapshot: PageSnapshot): Element {
  const field = isRef(asked)
    ? undefined
    : snapshot.fields().find(({ label }) => toComparable(snapshot.redact(label)) === toComparable(asked))
  if (!field) {
    const part = isRef(asked) ? undefined : findPart(asked, snapshot)
    return part && keyedParts.test(roleOf(part) ?? '') ? part : resolveActionTarget(asked, undefined, snapshot)
  }
  return field.members.find((one) => isTag(one, 'input') && one.checked) ?? field.element
}

/** The items of a composite that may take its keys: the one with the focus, else its tab stop, else the first. */
function itemOf(composite: Element, { visibility }: PageSnapshot): Element | undefined {
  const items = [...elementsUnder(composite, visibility.children)].filter(
    (one) => one !== composite && isFocusable(one) && visibility.hasBox(one) && !one.matches(':disabled'),
  )
  const focus = pageFocus()
  return items.find((one) => one === focus) ?? items.find((one) => (one as HTMLElement).tabIndex >= 0) ?? items[0]
}

/** The body of a frame, or the element with the focus in it. */
function insideFrame(frame: Element): HTMLElement | undefined {
  const inside = frameDocument(frame)
  const page = inside && unclobbered(inside)
  return page ? ((page.activeElement ?? page.body) as HTMLElement) : undefined
}

/** The element that gets the keys of a target: itself, or one around or inside of it, from where they bubble. */
function keyReceiverFor(element: Element, snapshot: PageSnapshot): HTMLElement | null {
  const on = ancestor(element, isFocusable) as HTMLElement | null
  const role = roleOf(element) ?? ''
  if (on === element || !composites.test(role)) return on
  // A cell of a grid has the focus itself, or what is in it. A dialog around a grid is not meant.
  const item = itemOf(element, snapshot) as HTMLElement | undefined
  return item ?? on
}

/** The topmost modal dialog in the document of an element, and whether an element is behind all of them. */
function modalAround(element: Element): { modal: Element | undefined; isBehind(one: Element): boolean } {
  const modals = [...unclobbered(element.ownerDocument).querySelectorAll('dialog:modal')]
  const modal = modals.at(-1)
  return { modal, isBehind: (one) => modal !== undefined && !ancestor(one, (above) => modals.includes(above)) }
}

/** Checks what gets keys, or what holds the words to select. @throws `unavailable`, `sensitive-field`, `stale-ref` */
function checkReceiver(on: HTMLElement, isHarmless: boolean, snapshot: PageSnapshot): void {
  const { modal, isBehind } = modalAround(on)
  const words = describeControl(on, snapshot)
  if (modal && isBehind(on))
    throw unavailable(words, `is behind ${describeControl(modal, snapshot)}. Use or close that first.`)
  if (!isHarmless && (isPrivateAmong(snapshot.fields())(on) || isInsidePrivate(on, snapshot)))
    throw new ToolAgentError(
      'sensitive-field',
      `${words} is private: only Tab, Escape and Enter may be pressed there. Ask the user to fill it.`,
    )
}

/** The element of a target; the page of a frame, or what has the focus in it. */
function elementFor(asked: string, snapshot: PageSnapshot): Element {
  const found = resolveKeyTarget(asked, snapshot)
  return insideFrame(found) ?? found
}

/**
 * The element that would receive the key, or a text if there is none.
 * @throws `unavailable`, `sensitive-field`, `stale-ref`, `invalid-input`
 */
function receiverOf(asked: string | undefined, key: Key | undefined, snapshot: PageSnapshot): HTMLElement {
  const element = asked === undefined ? pageFocus() : elementFor(asked, snapshot)
  const { modal, isBehind } = modalAround(element ?? currentPage().body)
  if (asked === undefined && (!element || isBehind(element))) return (modal as HTMLElement) ?? currentPage().body
  if (!element || isTag(element, 'body', 'html'))
    return element ? unclobbered(element.ownerDocument).body : currentPage().body
  const words = describeControl(element, snapshot)
  if (asked === undefined && isTag(element, 'iframe'))
    throw unavailable(
      'The focus is in a frame from another site, and it',
      'takes no keys. Pass the element of this page that should get the key as target.',
    )
  checkAllowed(element, snapshot, true)
  checkReachable(element, snapshot)
  const on = asked === undefined ? (element as HTMLElement) : keyReceiverFor(element, snapshot)
  if (!on || isTag(on, 'body'))
    throw unavailable(
      words,
      'takes no keys. Pass a field, button or link, or omit target to press it where the focus is.',
    )
  if (on !== element) checkAllowed(on, snapshot, true)
  // What has the focus gets keys, also if it has no size, as in code editors and terminals.
  if (asked !== undefined && !snapshot.visibility.hasBox(on))
    throw unavailable(words, 'is hidden. Open what contains it, then use page_read.')
  const isHarmless =
    key !== undefined && (/^(Tab|Escape)$/.test(key.key) || (key.key === 'Enter' && isTag(on, 'input')))
  checkReceiver(on, isHarmless, snapshot)
  return on
}

/** The words to select, and what then gets the key. @throws as `receiverOf` and `findWords` */
function wordsIn(
  asked: string | undefined,
  select: string,
  snapshot: PageSnapshot,
): { readonly on: HTMLElement; readonly words: FoundWords } {
  const focus = asked === undefined ? receiverOf(undefined, undefined, snapshot) : undefined
  const focused = focus && takesWholeText(focus) ? focus : currentPage().body
  const within = asked === undefined ? focused : elementFor(asked, snapshot)
  if (!isTag(within, 'body')) {
    checkAllowed(within, snapshot, true)
    checkReachable(within, snapshot)
  }
  checkReceiver(within as HTMLElement, false, snapshot)
  const words = findWords(select, within, snapshot)
  const on = holderOf(words)
  if (!isTag(on, 'body')) {
    checkAllowed(on, snapshot, true)
    checkReachable(on, snapshot)
  }
  checkReceiver(on, false, snapshot)
  return { on, words }
}

/** Whether it may be a shortcut of the page: with a modifier other than Shift. */
const isShortcut = ({ ctrlKey, altKey, metaKey }: Key): boolean => ctrlKey || altKey || metaKey

/** @throws `invalid-input` if there is nothing to do, or a key and a text */
function resolveTyping(input: Record<string, unknown>, run: PlanRun): Typing {
  const target = textArgument(input['target'])
  // Spaces beside the words count.
  const select = textArgument(input['select']) && String(input['select'])
  const text = typeof input['text'] === 'string' && (input['text'] !== '' || select) ? input['text'] : undefined
  const hasKey = typeof input['key'] === 'string' && input['key'] !== ''
  const key = hasKey || (text === undefined && select === undefined) ? parseKey(String(input['key'] ?? '')) : undefined
  if (key && text)
    throw new ToolAgentError('invalid-input', 'Pass either a key or a text. Press the key in a new call.')
  const snapshot = takeSnapshot(run)
  const { on, words } =
    select === undefined
      ? { on: receiverOf(target, key, snapshot), words: undefined }
      : wordsIn(target, select, snapshot)
  if (!key) return { on, words, text, plan: planText(on, text, snapshot, run), activates: false }
  return { on, words, key, ...planKey(on, key, snapshot, run) }
}

/** Selects, types and presses, with the events of each. `isTurned`: see `KeyRun`. */
async function typeAll(
  { on, words, key, text, ...plan }: Typing,
  { signal }: ToolRun,
  isTurned: () => boolean,
): Promise<KeyEffect> {
  if (words && !isTag(on, 'body')) {
    asToolInput(() => focusByUser(on, true))
    // Editors that draw from a state of their own take no selection until they have drawn that they have the focus.
    await nextTask()
    signal.throwIfAborted()
  }
  const selected = words && asToolInput(() => selectWords(words))
  if (selected === 'kept-focus') return selected
  if (selected) {
    // Editors read the selection of the page later.
    await waitForPageUpdates()
    signal.throwIfAborted()
  }
  if (key) return dispatchKey({ on, key, ...plan }, { isTurned, wait: waitForFrame, signal })
  if (text === undefined) return selected ?? 'none'
  if (takesWholeText(on)) {
    if (!selected) {
      asToolInput(() => focusByUser(on))
      // Masks move the caret to where they want it when they have heard of the focus.
      await pause(0)
      signal.throwIfAborted()
    }
    return asToolInput(() => typeText(on, text))
  }
  let effect: KeyEffect = 'none'
  for (const one of text) {
    // A frame for each would make a long text take too long.
    const keyRun = { isTurned, wait: nextTask, signal }
    effect = await dispatchKey({ on, key: parseKey(one === '\n' ? 'Enter' : one), ...plan }, keyRun)
    if (effect === 'turned') break
  }
  return effect
}

/** `turnedTo`, or why the key is not possible any more. */
function turnedBy(planNow: () => ActionPlan, plan: ActionPlan, run: ToolRun): string | undefined {
  try {
    return turnedTo(run, plan, planNow())
  } catch (error) {
    if (error instanceof ToolAgentError) return `cannot be used: ${error.message}`
    throw error
  }
}

/** The output of page_press. */
export interface Pressed extends ActionEffect {
  /** The key and the element, such as `Enter on textbox "Search"`. */
  readonly pressed: string
  /** What the call did at last; missing if it pressed a key. */
  readonly did?: 'Typed' | 'Selected'
  /** Words were selected first, which is a change of its own. */
  readonly selected?: true
  /** What the browser's default for the key did. */
  readonly default: KeyEffect
  /** What the key has made of its target, such as `leads to /other`, so that its default did not happen. */
  readonly turned?: string
  /** Whether the form dispatched `submit`; missing if the key submits no form by markup. */
  readonly submitted?: boolean
  /** The fields that prevented it. */
  readonly invalid?: readonly InvalidField[]
}

const effectWords = new Map<KeyEffect, string>([
  ['canceled', 'The page canceled the default of the key.'],
  ['none', 'The key has no default here.'],
  ['selected', 'The text is selected.'],
  ['caret', 'The caret moved.'],
  ['kept-focus', 'The focus did not move, because the user is typing to the assistant.'],
])

/** `page_press`. */
export const pagePress: Tool<Record<string, unknown>, Pressed> = {
  name: 'page_press',
  title: 'Press a key',
  description: 'Presses a key, or edits a part of a text. Returns what changed. To fill fields use form_fill.',
  inputSchema: {
    type: 'object',
    properties: {
      target: { type: 'string', description: 'Ref, label or name. Default: the focus.' },
      select: { type: 'string', description: 'Words to select first.' },
      key: { type: 'string', description: 'Such as Escape, Space, ArrowDown, Control+A.' },
      text: { type: 'string', description: 'Typed instead of a key.' },
    },
  },
  annotations: { untrustedContentHint: true },
  timeout: 30_000,
  exclusive: true,
  [internals]: {
    mayAct: true,
    fieldChanges: undoableFields,
    preview(input, run) {
      const { on, plan } = resolveTyping(input, run)
      if (!isTag(on, 'body')) highlightTarget(on, run)
      return planWithPreview(run, plan)
    },
  },
  async execute(input, run) {
    await untilQuestionGone(run)
    run.signal.throwIfAborted()
    const typing = resolveTyping(input, again(run))
    const { key, on, plan, submit } = typing
    checkPlanUnchanged(run, plan)
    const { opens } = plan.preview
    const permission = permissionOf(run, plan)
    // The page may send it at the first event.
    if (typing.text !== undefined) noteText(typing.text)
    const where = whereOf(on, takeSnapshot(run), describeApart)
    let effectOfKey: KeyEffect = 'none'
    let turned: string | undefined
    const action = async (): Promise<void> => {
      effectOfKey = await typeAll(typing, run, () => {
        turned = key && turnedBy(() => planKey(on, key, takeSnapshot(run), again(run)).plan, plan, run)
        return turned !== undefined
      })
    }
    const did = typing.text === undefined ? 'Selected' : 'Typed'
    const done = (effect: ActionEffect): Pressed => ({
      pressed: `${key?.words ?? (did === 'Typed' ? 'the text' : 'the words')} on ${where}`,
      ...(key ? {} : { did }),
      ...(typing.words ? { selected: true } : {}),
      default: effectOfKey,
      ...(turned === undefined ? {} : { turned }),
      ...withElsewhere(effect, effectOfKey === 'done' ? opens : undefined),
    })
    if (!submit) return done(await runAndCompare(run, permission, action))
    const { submitted, invalid, effect } = await observeSubmit(submit.form, run, { permission, action })
    return { ...done(effect), submitted, ...(invalid.length > 0 ? { invalid } : {}) }
  },
  toModelOutput({ output }) {
    const { pressed, did = 'Pressed', default: byDefault, selected, turned, submitted, invalid } = output
    const { changed, changes } = output
    const isRefused = did === 'Typed' && byDefault === 'none'
    const isSeen = !isRefused && (changed || byDefault === 'selected' || byDefault === 'caret')
    // Pages cancel the default of the keys that they handle.
    const isHandled = changed && (byDefault === 'canceled' || (byDefault === 'none' && !selected))
    const words = isHandled ? undefined : effectWords.get(byDefault)
    return [
      isRefused
        ? `Not typed: ${pressed} is too long, changes nothing, or must not be changed.`
        : `${did} ${pressed}${isSeen ? '.' : ', but nothing happened that can be seen.'}`,
      ...(words === undefined || isRefused ? [] : [words]),
      ...(turned === undefined ? [] : [`The press changed it: it now ${turned}. So the key did nothing more.`]),
      ...(submitted === undefined ? [] : [submitted ? 'The form was submitted.' : 'The form was not submitted.']),
      ...(invalid ?? []).map(({ field, problem }) => `${field}: ${problem}`),
      ...(isSeen && !changed ? [] : [changes]),
    ].join('\n')
  },
}
