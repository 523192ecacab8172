// Arguments and results as names and values. Shows all of them, and invisible characters as escapes.
import { html, type nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { toVisibleText } from './json-view.js'
import type { Words } from '../../i18n/en.js'

/** A value as text: a string unchanged, anything else as indented JSON. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function valueView(value: JsonValue, words: Words): TemplateResult {
  if (value === '') return html`<em>${words.empty}</em>`
  const text = toVisibleText(textOfValue(value))
  return typeof value === 'object' && value !== null ? html`<pre tabindex="0">${text}</pre>` : html`${text}`
}

/** Draws every argument of a call. */
export function argumentsView(input: JsonValue, words: Words): TemplateResult {
  if (!isObject(input)) return html`<pre tabindex="0">${toVisibleText(textOfValue(input))}</pre>`
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return html`<p class="muted">${words.noArguments}</p>`
  const row = ([name, value]: [string, unknown]): TemplateResult =>
    html`<dt>${toVisibleText(name)}</dt><dd>${valueView(value as JsonValue, words)}</dd>`
  return html`<dl>${entries.map(row)}</dl>`
}

/** Draws a result: an object of simple values as a list of names and values, everything else as text. */
export function outputView(output: JsonValue, words: Words): TemplateResult | typeof nothing {
  if (output === null || output === '') return html`<p class="muted">${words.empty}</p>`
  const flat = isObject(output) && Object.values(output).every((value) => typeof value !== 'object' || value === null)
  return flat ? argumentsView(output, words) : html`<pre tabindex="0">${toVisibleText(textOfValue(output))}</pre>`
}
