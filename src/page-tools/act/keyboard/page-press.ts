// page_press: presses a key on an element, or edits a part of a text; without a target, where the focus is.
import { ToolAgentError } from '../../../core/data/errors.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import { isTag } from '../../dom/dom.js'
import { takesWholeText } from '../../dom/field-state.js'
import { takeSnapshot, textArgument } from '../../dom/page-snapshot.js'
import { noteText } from '../../effects/filled-values.js'
import { typeText, type KeyOutcome } from '../../hands/key-defaults.js'
import { focusByUser } from '../../hands/focus.js'
import { dispatchKey } from '../../hands/key-press.js'
import { parseKey, type Key } from '../../hands/keys.js'
import { asToolInput } from '../../hands/own-input.js'
import { inWords } from '../../read/control-names.js'
import { nextTask, pause, waitForFrame, waitForPageUpdates } from '../../waiting/until.js'
import { actAndCompare, actionTool, doneLine, type Input } from '../action-tool.js'
import { invalidLines, observeSubmit, type InvalidField } from '../activation.js'
import { again, turnedTo } from '../approved-plan.js'
import type { ObservedChange } from '../page-diff.js'
import { shownText, type ActionPlan, type PlanRun } from '../planned-action.js'
import { describeApart } from '../resolve-target.js'
import { receiverNamed, receiverOf, wordsIn } from './key-receiver.js'
import { planKey, planText, type KeyPlan } from './plan-press.js'
import { selectWords, type FoundWords } from './select-words.js'

/** What a call does: it selects words, and then presses a key or types a text, or leaves it at that. */
interface Typing extends KeyPlan {
  readonly on: HTMLElement
  readonly words?: FoundWords | undefined
  readonly key?: Key | undefined
  readonly text?: string | undefined
}

/** @throws `invalid-input` if there is nothing to do, or a key and a text */
function resolveTyping(input: Input, run: PlanRun): Typing {
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
  const element = isTag(on, 'body') ? undefined : on
  const typing = key
    ? { key, ...planKey(on, key, snapshot, run) }
    : { text, plan: planText(on, text, snapshot, run), activates: false }
  if (select === undefined) return { on, element, ...typing }
  const selects = shownText(snapshot.redact(select))
  return { on, element, words, ...typing, plan: { ...typing.plan, preview: { ...typing.plan.preview, selects } } }
}

/** Selects, types and presses, with the events of each. `isTurned`: see `KeyRun`. */
async function typeAll(
  { on, words, key, text, ...plan }: Typing,
  { signal }: ToolRun,
  isTurned: () => boolean,
): Promise<KeyOutcome> {
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
  let outcome: KeyOutcome = 'none'
  for (const one of text) {
    // A frame for each would make a long text take too long.
    const keyRun = { isTurned, wait: nextTask, signal }
    outcome = await dispatchKey({ on, key: parseKey(one === '\n' ? 'Enter' : one), ...plan }, keyRun)
    if (outcome === 'turned') break
  }
  return outcome
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
export interface Pressed extends ObservedChange {
  /** The key and the element, such as `Enter on textbox "Search"`. */
  readonly pressed: string
  /** What the call did at last; missing if it pressed a key. */
  readonly did?: 'Typed' | 'Selected'
  /** Words were selected first, which is a change of its own. */
  readonly selected?: true
  /** What the browser's default for the key did. */
  readonly default: KeyOutcome
  /** What the key has made of its target, such as `leads to /other`, so that its default did not happen. */
  readonly turned?: string
  /** Whether the form dispatched `submit`; missing if the key submits no form by markup. */
  readonly submitted?: boolean
  /** The fields that prevented it. */
  readonly invalid?: readonly InvalidField[]
}

const outcomeWords = new Map<KeyOutcome, string>([
  ['canceled', 'The page canceled the default of the key.'],
  ['none', 'The key has no default here.'],
  ['selected', 'The text is selected.'],
  ['caret', 'The caret moved.'],
  ['kept-focus', 'The focus did not move, because the user is typing to the assistant.'],
])

async function runTyping(typing: Typing, run: ToolRun): Promise<Pressed> {
  const { key, on, plan, submit } = typing
  // The page may send it at the first event.
  if (typing.text !== undefined) noteText(typing.text)
  const snapshot = takeSnapshot(run)
  const where = isTag(on, 'body') ? inWords(receiverNamed(on, snapshot)) : describeApart(on, snapshot)
  let outcomeOfKey: KeyOutcome = 'none'
  let turned: string | undefined
  const compared = (): Promise<ObservedChange> =>
    actAndCompare(plan, run, {
      async act() {
        outcomeOfKey = await typeAll(typing, run, () => {
          turned = key && turnedBy(() => planKey(on, key, takeSnapshot(run), again(run)).plan, plan, run)
          return turned !== undefined
        })
      },
      hasFollowed: () => outcomeOfKey === 'done',
    })
  const { observed, ...submission } = submit
    ? await observeSubmit(submit.form, run, compared)
    : { observed: await compared() }
  const did = typing.text === undefined ? 'Selected' : 'Typed'
  return {
    pressed: `${key?.words ?? (did === 'Typed' ? 'the text' : 'the words')} on ${where}`,
    ...(key ? {} : { did }),
    ...(typing.words ? { selected: true } : {}),
    default: outcomeOfKey,
    ...(turned === undefined ? {} : { turned }),
    ...observed,
    ...submission,
  }
}

/** `page_press`. */
export const pagePress = actionTool({
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
  plan: resolveTyping,
  run: runTyping,
  words({ pressed, did = 'Pressed', default: byDefault, selected, turned, submitted, invalid, changed, changes }) {
    const isRefused = did === 'Typed' && byDefault === 'none'
    const isSeen = !isRefused && (changed || byDefault === 'selected' || byDefault === 'caret')
    // Pages cancel the default of the keys that they handle.
    const isHandled = changed && (byDefault === 'canceled' || (byDefault === 'none' && !selected))
    return [
      isRefused
        ? `Not typed: ${pressed} is too long, changes nothing, or must not be changed.`
        : doneLine(`${did} ${pressed}`, isSeen),
      isHandled || isRefused ? undefined : outcomeWords.get(byDefault),
      turned === undefined ? undefined : `The press changed it: it now ${turned}. So the key did nothing more.`,
      submitted === undefined ? undefined : `The form was ${submitted ? '' : 'not '}submitted.`,
      ...invalidLines(invalid),
      isSeen && !changed ? undefined : changes,
    ]
  },
})
