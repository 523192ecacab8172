// What a running call does: the agent inside it in one line, arguments that take long to write, and its progress.
import { toolCallsOf, type ToolCallPart, pendingApprovals } from '../../../core/data/message.js'
import { isShown, type CallLike } from './call-state.js'
import { toSingleLine } from '../values/shown-text.js'
import { questionTitle } from '../action-words.js'
import { callTitleOf } from '../call-title.js'
import { partialJson } from '../values/partial-json.js'
import { textsOf } from '../message-texts.js'
import { inputLine } from './tool-call-summary.js'
import type { RenderContext, RenderState } from '../../panel/render-context.js'
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../../core/data/json.js'

/** Characters of a text that one line can need. */
const lineSource = 600

/** What an agent inside a call is doing now: its question, its running calls, or its newest line of text. */
export function activityLine({ messages, draft }: NonNullable<ToolCallPart['child']>, view: RenderContext): string {
  const words = textsOf(view.renderState.words)
  const question = pendingApprovals(messages)[0]?.part
  if (question !== undefined) return words.approvalAsked(questionTitle(question, view.renderState), '')
  const last = draft?.parts.at(-1)
  if (last?.type === 'reasoning') return words.thinking
  if (last?.type === 'text')
    return (
      toSingleLine(last.text.slice(last.text.trimEnd().lastIndexOf('\n') + 1).slice(0, lineSource)) || words.working
    )
  const items: readonly CallLike[] =
    last === undefined ? toolCallsOf(messages.at(-1)).filter((part) => part.result === undefined) : [last]
  return (
    items
      .filter(isShown)
      .map((item) => [callTitleOf(item, view.renderState), detail(item, view)].filter((part) => part !== '').join(': '))
      .join(' · ') || words.working
  )
}

function detail(item: CallLike, view: RenderContext): string {
  if (item.type === 'tool-call') {
    if (item.child !== undefined) return activityLine(item.child, view)
    const message = progressText(view.progress.get(item.call.id))
    if (message !== undefined) return message
  }
  return item.type === 'tool-input' ? writtenLine(item, view.renderState) : inputLine(item, view.renderState)
}

/** The arguments on one line that have streamed so far. */
export function writtenLine(item: Extract<CallLike, { type: 'tool-input' }>, renderState: RenderState): string {
  return inputLine(item, renderState, partialJson(item.text.slice(0, lineSource)))
}

/** The message of the newest progress, which is a message or `{ message, fraction }`; undefined without one. */
export function progressText(value: JsonValue | undefined): string | undefined {
  const message = isObject(value) ? value['message'] : value
  return typeof message === 'string' && message !== '' ? toSingleLine(message) : undefined
}

/** Draws the fraction of the newest progress, from 0 to 1. */
export function progressView(value: JsonValue | undefined): TemplateResult | typeof nothing {
  const fraction = isObject(value) ? value['fraction'] : undefined
  if (typeof fraction !== 'number') return nothing
  const share = Math.min(1, Math.max(0, fraction))
  return html`<div class="progress"><progress part="progress" max="1" .value=${share}></progress></div>`
}
