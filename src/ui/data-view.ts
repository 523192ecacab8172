// Arguments and results as a person reads them: names and values, nothing left out, nothing invisible.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../core/json.js'
import type { Words } from './languages/en.js'

/** Characters that change what a text looks like without being seen: shown as their escape. */
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

export function visible(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** A value as text: a string as it is, anything else as indented JSON. */
export function textOfValue(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

function valueView(value: JsonValue, words: Words): TemplateResult {
  if (value === '') return html`<em>${words.empty}</em>`
  const text = visible(textOfValue(value))
  return typeof value === 'object' && value !== null ? html`<pre>${text}</pre>` : html`${text}`
}

/** Every argument of a call. */
export function argumentsView(input: JsonValue, words: Words): TemplateResult {
  if (!isObject(input)) return html`<pre>${visible(textOfValue(input))}</pre>`
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return html`<p class="muted">${words.noArguments}</p>`
  return html`<dl>${entries.map(([name, value]) => html`<dt>${visible(name)}</dt><dd>${valueView(value as JsonValue, words)}</dd>`)}</dl>`
}

/** Enough of the arguments for one line; empty for none. */
export function argumentsLine(input: JsonValue | undefined): string {
  if (!isObject(input)) return ''
  const scalars = Object.values(input).filter((value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
  return lineOf(scalars.slice(0, 3).map((value) => String(value).slice(0, 120)).join(', '))
}

/** The beginning of a text, as one line. */
export function lineOf(text: string): string {
  return visible(text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))
}

/** A result: plain rows of plain values as a list of names and values, everything else as text. */
export function outputView(output: JsonValue, words: Words): TemplateResult | typeof nothing {
  if (output === null || output === '') return html`<p class="muted">${words.empty}</p>`
  const flat = isObject(output) && Object.values(output).every((value) => typeof value !== 'object' || value === null)
  return flat ? argumentsView(output, words) : html`<pre>${visible(textOfValue(output))}</pre>`
}
