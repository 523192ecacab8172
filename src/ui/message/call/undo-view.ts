// Undoing what the assistant has changed in a task, or putting it back: its icons, and what a press did in words.
import type { ToolCallPart } from '../../../core/data/message.js'
import type { StayingEffect, UndoOutcome } from '../../../page/client/task-undo.js'
import type { RenderState } from '../../panel/render-context.js'
import type { IconPath } from '../../styles/icons.js'
import { callTitleOf } from '../call-title.js'
import { textsOf } from '../message-texts.js'
import { toSingleLine } from '../values/shown-text.js'
import { sentenceOf } from './tool-call-summary.js'

/** The icons of the buttons, and of what is undone. */
export const undoIcons: Readonly<Record<'undo' | 'redo', IconPath>> = {
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
}

/** The sentence of a call without its full stop, or its title, for a list. */
export function callName(part: ToolCallPart, renderState: RenderState): string {
  return toSingleLine((sentenceOf(part) || callTitleOf(part, renderState)).replace(/[.。]$/, ''))
}

/** The words of what cannot be undone. */
const staying: Record<StayingEffect, 'sent' | 'destroyed' | 'outside' | 'stays'> = {
  send: 'sent',
  destroy: 'destroyed',
  outside: 'outside',
  other: 'stays',
}

/** What an undo did, in sentences, for a screen reader. */
export function undoLine(outcome: UndoOutcome, renderState: RenderState): string {
  const { undo: words } = textsOf(renderState.words)
  const { did, done, kept, lost, failed, late } = outcome
  const problems = [kept, lost, failed, late].flat()
  let begin = ''
  if (done > 0) begin = did === 'redo' ? words.redone : `${words.undone}.`
  else if (problems.length === 0) begin = words.nothing
  return [begin, undoNote(outcome, renderState)].filter((text) => text !== '').join(' ')
}

/** What an undo left as it was, and why. */
export function undoNote({ kept, lost, saved, failed, late, stays }: UndoOutcome, renderState: RenderState): string {
  const { undo: words } = textsOf(renderState.words)
  const list = (names: readonly string[]): string => [...new Set(names.map(toSingleLine))].join(', ')
  const calls = (parts: readonly ToolCallPart[]): string => list(parts.map((part) => callName(part, renderState)))
  const left = Object.entries(staying).flatMap(([effect, name]) => {
    const parts = stays.filter((one) => one.effect === effect).map(({ part }) => part)
    return parts.length > 0 ? [words[name](calls(parts))] : []
  })
  return [
    kept.length > 0 ? words.kept(kept.length, list(kept)) : '',
    lost.length > 0 ? words.lost(list(lost)) : '',
    saved.length > 0 ? words.sent(list(saved)) : '',
    failed.length > 0 ? words.failed(calls(failed)) : '',
    late.length > 0 ? words.late(calls(late)) : '',
    ...left,
  ]
    .filter((text) => text !== '')
    .join(' ')
}
