// The progress of a running call.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { toVisibleText } from '../values/json-view.js'

/** Draws the newest progress of a call: a fraction from 0 to 1, a message, or both. */
export function progressView(value: JsonValue): TemplateResult {
  const { message, fraction } = isObject(value) ? value : { message: value, fraction: undefined }
  const clamp = (share: number): number => Math.min(1, Math.max(0, share))
  return html`<div class="progress">
    ${
      typeof fraction === 'number'
        ? html`<progress part="progress" max="1" .value=${clamp(fraction)}></progress>`
        : nothing
    }
    ${typeof message === 'string' ? html`<p>${toVisibleText(message)}</p>` : nothing}
  </div>`
}
