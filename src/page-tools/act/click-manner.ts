// How a click is made: with which button, how often, how long, and which keys are held meanwhile.
import { ToolAgentError } from '../../core/data/errors.js'
import { textArgument } from '../dom/page-snapshot.js'
import { parseModifiers, type Modifiers } from '../hands/keys.js'

/** The kinds of clicks. `hover` only moves the mouse, and `hold` is a long press. */
export const clickKinds = ['click', 'double', 'right', 'middle', 'hold', 'hover'] as const

/** How a click is made. */
export interface ClickManner {
  readonly kind: (typeof clickKinds)[number]
  readonly held: Modifiers
  /** What was done, as the answer begins: `Double-clicked with Control`. */
  readonly words: string
}

const verbs: Readonly<Record<ClickManner['kind'], string>> = {
  click: 'Clicked',
  double: 'Double-clicked',
  right: 'Right-clicked',
  middle: 'Middle-clicked',
  hold: 'Held down',
  hover: 'Moved the mouse over',
}

/** One click with the main button and no key. */
export const plainClick: ClickManner = { kind: 'click', held: parseModifiers(''), words: verbs.click }

/** The manner that a call asks for. @throws `invalid-input` if it names another one, or no modifiers */
export function mannerOf(input: Record<string, unknown>): ClickManner {
  const asked = textArgument(input['how'])?.toLowerCase() ?? 'click'
  const kind = clickKinds.find((one) => one === asked)
  if (kind === undefined)
    throw new ToolAgentError('invalid-input', `"how" must be one of ${clickKinds.join(', ')}, received ${asked}.`)
  const { words, ...held } = parseModifiers(textArgument(input['with']) ?? '')
  return { kind, held, words: words === '' ? verbs[kind] : `${verbs[kind]} with ${words}` }
}

/** Whether the browser activates what is clicked: follows a link, submits a form, checks a box. */
export const activates = ({ kind }: ClickManner): boolean => kind === 'click' || kind === 'double'

/** What a link opens that is clicked so, instead of leading away: a tab or window, or a download. */
export function linkOpens({ kind, held }: ClickManner): 'tab' | 'download' | undefined {
  if (kind === 'middle' || held.ctrlKey || held.metaKey || held.shiftKey) return 'tab'
  return held.altKey ? 'download' : undefined
}
