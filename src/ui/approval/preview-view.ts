// The preview of a page action in its approval card: the target, where it leads, and the values that are sent. A
// preview may come from storage or another tab, so its shape is checked again.
import { html, nothing, type TemplateResult } from 'lit'
import type { Preview } from '../../core/loop/action-preview.js'
import { isObject } from '../../core/data/json.js'
import { toVisibleText } from '../message/values/json-view.js'
import type { ApprovalWords } from '../i18n/en.js'
import type { Words } from '../i18n/en.js'
import { icon } from '../styles/icons.js'

/** Draws the preview; nothing if there is none. */
export function previewView(
  preview: Preview | undefined,
  words: Words & ApprovalWords,
): TemplateResult | typeof nothing {
  if (!isObject(preview)) return nothing
  const { acts, tools } = words
  const { does, claim, target, url, method, site, opens, values, more } = preview as unknown as Preview
  const address = [method, url, opens && acts[opens]]
    .flatMap((part) => (typeof part === 'string' ? [toVisibleText(part)] : []))
    .join(' ')
  let addressLabel = acts.sentTo
  if (method === undefined) addressLabel = does === 'go' ? acts.go : acts.to
  let targetLabel = does === 'submit' ? acts.submit : acts.click
  // The English label is here and not in `en.ts`, because every visit loads that file.
  if (does === 'press') targetLabel = tools['page_press'] ?? 'Press a key'
  const row = (label: string, value: unknown): TemplateResult => html`<dt>${label}</dt><dd>${value}</dd>`
  return html`<div class="preview">
    ${typeof site === 'string' ? siteWarning(site, acts) : nothing}
    <dl>
      ${typeof claim === 'string' ? row(acts.claim, toVisibleText(claim)) : nothing}
      ${typeof target === 'string' ? row(targetLabel, toVisibleText(target)) : nothing}
      ${address === '' ? nothing : row(addressLabel, address)}
      ${
        Array.isArray(values)
          ? values
              .filter(isObject)
              .map(({ field, value, private: isPrivate }) =>
                row(toVisibleText(String(field)), fieldValue(value, isPrivate === true, words)),
              )
          : nothing
      }
      ${typeof more === 'number' ? row(acts.more, acts.moreFields(more)) : nothing}
    </dl>
  </div>`
}

/** A warning with the host alone, because it is what the user has to check. An address without a host as it is. */
function siteWarning(site: string, { site: label }: ApprovalWords['acts']): TemplateResult {
  const host = URL.canParse(site) ? new URL(site).host : ''
  return html`<div class="site" role="note">${icon('alert')}<p>${label} <strong><bdi dir="ltr">${
    host === '' ? toVisibleText(site) : host
  }</bdi></strong></p></div>`
}

/** The value of one field. Of a private field it says only whether it is filled. */
function fieldValue(value: unknown, isPrivate: boolean, { acts, empty }: Words & ApprovalWords): unknown {
  if (typeof value === 'boolean') return value ? acts.yes : acts.no
  if (value === '' || (isPrivate && value !== 'filled')) return html`<em>${empty}</em>`
  return isPrivate ? html`<em>${acts.filled}</em>` : toVisibleText(String(value))
}
