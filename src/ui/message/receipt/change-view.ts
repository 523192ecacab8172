// What a call has changed, from what to what, in the second row of its card.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../../core/data/json.js'
import type { ToolCallPart } from '../../../core/data/message.js'
import type { RenderState } from '../../panel/render-context.js'
import { fieldText } from '../call/field-text.js'
import type { CallLike } from '../call/call-state.js'
import { textsOf, type Texts } from '../message-texts.js'
import { cutMiddle } from '../values/folded-text.js'

/** Characters of a value in one row. The open card has the whole one. */
const shownLength = 80

/** Draws the old and the new value, or how many fields were replaced; nothing if that is not known. */
export function changeView(part: CallLike, renderState: RenderState): TemplateResult | string | typeof nothing {
  if (part.type !== 'tool-call' || part.result === undefined) return nothing
  const { change } = part.result
  if (change !== undefined) return valueChange(undefined, change, textsOf(renderState.words))
  return part.call.name === 'form_fill' ? fillChange(part, renderState) : nothing
}

function fillChange(
  { call, result }: ToolCallPart,
  renderState: RenderState,
): TemplateResult | string | typeof nothing {
  const words = textsOf(renderState.words)
  const before = renderState.valuesBefore(call.name, call.id)
  const entries: readonly JsonValue[] = Array.isArray(result?.output) ? result.output : []
  const changed = entries.flatMap((entry) => {
    if (!isObject(entry) || entry['ok'] !== true || !before.has(String(entry['field']))) return []
    const label = String(entry['field'])
    const texts = { before: fieldText(before.get(label), words), after: fieldText(entry['now'] as JsonValue, words) }
    return texts.before === texts.after ? [] : [{ label, ...texts }]
  })
  const [only] = changed
  if (only && entries.length === 1) return valueChange(only.label, only, words)
  const replaced = changed.filter((one) => one.before !== '').length
  const empty = changed.length - replaced
  const { receipt } = words
  return replaced === 0
    ? nothing
    : [receipt.replaced(replaced), ...(empty === 0 ? [] : [receipt.wereEmpty(empty)])].join(', ')
}

/** One value, as it was and as it is. */
function valueChange(
  label: string | undefined,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string },
  words: Texts,
): TemplateResult {
  const [old, now] = [before, after].map((text) => cutMiddle(text, shownLength) || words.empty)
  return html`${label === undefined ? nothing : html`<bdi>${cutMiddle(label, shownLength)}</bdi>: `}<span
    class="unseen">${words.receipt.became(old ?? '', now ?? '')}</span><span aria-hidden="true"><del>${old}</del> <span
    class="to">→</span> <bdi>${now}</bdi></span>`
}
