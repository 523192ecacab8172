// The progress of a running call: a bar on the edge of its card, and a message in its line.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { toSingleLine } from '../values/json-view.js'

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
