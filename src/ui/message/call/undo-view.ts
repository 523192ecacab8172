// The button that undoes what the assistant has changed in a task, or puts it back, and what its press did in words.
import { html, nothing, type TemplateResult } from 'lit'
import type { ToolCallPart } from '../../../core/data/message.js'
import type { StayingEffect, UndoOutcome } from '../../../page/client/task-undo.js'
import { actionListener } from '../../panel/actions.js'
import type { RenderState, ShownUndo } from '../../panel/render-context.js'
import { icon } from '../../styles/icons.js'
import { callTitleOf } from '../call-title.js'
import { textsOf } from '../message-texts.js'
import { toSingleLine } from '../values/json-view.js'
import { sentenceOf } from './tool-call-summary.js'

const shapes = {
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'm15 14 5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
} as const

/** The words of what cannot be undone. */
const staying: Record<StayingEffect, 'sent' | 'destroyed' | 'outside' | 'stays'> = {
  send: 'sent',
  destroy: 'destroyed',
  outside: 'outside',
  other: 'stays',
}

/** Draws the button at the end of the line of a card, and below the card what its last press did. */
export function undoView(undo: ShownUndo, renderState: RenderState): TemplateResult {
  const { undo: words } = textsOf(renderState.words)
  const { can, calls, outcome } = undo
  const note = outcome === undefined ? '' : undoNote(outcome, renderState)
  const label = can === 'undo' && calls > 1 ? words.all(calls) : words.undo
  return html`<div class="undo">
      ${can === 'undo' ? nothing : html`<span>${words.undone}</span>`}
      ${can === 'redo' ? html`<span aria-hidden="true">·</span>` : nothing}
      ${
        can === undefined
          ? nothing
          : html`<button type="button" part="undo" @click=${actionListener({ do: can })}>${icon(
              shapes[can],
            )}${can === 'redo' ? words.redo : label}</button>`
      }
    </div>${note === '' ? nothing : html`<p class="undo-note">${note}</p>`}`
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
function undoNote({ kept, lost, saved, failed, late, stays }: UndoOutcome, renderState: RenderState): string {
  const { undo: words } = textsOf(renderState.words)
  const list = (names: readonly string[]): string => [...new Set(names.map(toSingleLine))].join(', ')
  const calls = (parts: readonly ToolCallPart[]): string =>
    list(parts.map((part) => (sentenceOf(part) || callTitleOf(part, renderState)).replace(/[.。]$/, '')))
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
