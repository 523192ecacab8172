// What an act on the page will do, as its question shows it: the target, where it goes, and what is sent. It may have
// come out of a store or from another tab, so nothing of its shape is taken for granted.
import { html, nothing, type TemplateResult } from 'lit'
import type { Preview } from '../../core/turn/action-preview.js'
import { isObject } from '../../core/data/json.js'
import { toVisibleText } from '../message/json-view.js'
import type { Words } from '../i18n/en.js'

export function previewView(preview: Preview | undefined, words: Words): TemplateResult | typeof nothing {
  if (!isObject(preview)) return nothing
  const { acts, empty } = words
  const { does, claim, target, url, method, site, opens, values, more } = preview as unknown as Preview
  const way = [method, url, opens && acts[opens]]
    .flatMap((part) => (typeof part === 'string' ? [toVisibleText(part)] : []))
    .join(' ')
  const valueOf = (value: unknown, isPrivate: unknown): unknown =>
    typeof value === 'boolean'
      ? value
        ? acts.yes
        : acts.no
      : value === '' || (isPrivate && value !== 'filled')
        ? html`<em>${empty}</em>`
        : isPrivate
          ? html`<em>${acts.filled}</em>`
          : toVisibleText(String(value))
  return html`<div class="preview">
    ${typeof site === 'string' ? html`<p class="problem">${acts.site(toVisibleText(site))}</p>` : nothing}
    <dl>
      ${typeof claim === 'string' ? html`<dt>${acts.claim}</dt><dd>${toVisibleText(claim)}</dd>` : nothing}
      ${typeof target === 'string' ? html`<dt>${does === 'submit' ? acts.submit : acts.click}</dt><dd>${toVisibleText(target)}</dd>` : nothing}
      ${way === '' ? nothing : html`<dt>${method === undefined ? (does === 'go' ? acts.go : acts.to) : acts.sentTo}</dt><dd>${way}</dd>`}
      ${
        Array.isArray(values)
          ? values
              .filter(isObject)
              .map(
                ({ field, value, private: isPrivate }) =>
                  html`<dt>${toVisibleText(String(field))}</dt><dd>${valueOf(value, isPrivate)}</dd>`,
              )
          : nothing
      }
      ${typeof more === 'number' ? html`<dt>${acts.more}</dt><dd>${acts.moreFields(more)}</dd>` : nothing}
    </dl>
  </div>`
}
