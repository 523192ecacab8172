// What the title of a question does not say about an action on the page: where it leads, the values that are sent, and
// what would be lost. A preview may come from storage or another tab, so its shape is checked again.
import { html, nothing, type TemplateResult } from 'lit'
import type { Preview } from '../../core/data/action.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { partOf, shownAddress, stoppedBy, targetOf } from '../message/action-words.js'
import { targetInOlder } from '../message/older-questions.js'
import { foldedText, toVisibleText } from '../message/values/shown-text.js'
import type { ApprovalWords } from '../i18n/en.js'
import type { Words } from '../i18n/en.js'
import { icon } from '../styles/icons.js'
import { valueText } from '../message/values/value-text.js'

/** Draws the preview; nothing if there is none. `says`: what the title of the question says, which is not repeated. */
export function previewView(
  preview: Preview | undefined,
  says: readonly string[],
  words: Words & ApprovalWords,
): TemplateResult | typeof nothing {
  if (!isObject(preview)) return nothing
  const { acts } = words
  const { question, claim, site, values, filled, changes, more, loses } = preview as unknown as Preview
  const row = ([label, value]: Row): TemplateResult => html`<dt>${label}</dt><dd>${value}</dd>`
  const asked: Row[] = Array.isArray(question)
    ? question.filter(isObject).map(({ label, value }) => [foldedText(String(label)), valueText(String(value), words)])
    : []
  const claimed: Row[] = typeof claim === 'string' ? [[acts.claim, valueText(claim, words)]] : []
  const sent = valueRows(values, words)
  const unseen: Row[] = typeof more === 'number' ? [[acts.more, acts.moreFields(more)]] : []
  const acted = actionRows(preview as unknown as Preview, says, words)
  const rows = [...asked, ...claimed, ...acted, ...sent, ...unseen]
  return html`<div class="preview">
    ${typeof site === 'string' ? siteWarning(site, acts) : nothing}
    ${
      loses === true ? html`<p class="warning loses">${icon('alert')}<span>${words.warnings.loses}</span></p>` : nothing
    }
    ${changesView(changes, words)}
    ${typeof question === 'string' ? html`<p class="question">${valueText(question, words)}</p>` : nothing}
    ${rows.length === 0 ? nothing : html`<dl>${rows.map(row)}</dl>`}
    ${groupsOf(filled).map(
      ([group, own]) => html`<div class="filled">
        <p class="muted">${group === '' ? acts.filledIn : `${acts.filledIn}: ${toVisibleText(group)}`}</p>
        <dl>${valueRows(own, words).map(row)}</dl>
      </div>`,
    )}
  </div>`
}

/** What is another one than in the question before. */
function changesView(changes: unknown, words: Words & ApprovalWords): TemplateResult | typeof nothing {
  if (!isList(changes) || changes.length === 0) return nothing
  const { acts } = words
  const labels: Readonly<Record<string, string>> = {
    target: acts.click,
    address: acts.to,
    around: acts.place,
    hidden: acts.more,
  }
  const said = (text: unknown, what: unknown, part?: unknown): string => {
    if (typeof text !== 'string') return ''
    if (what === 'address') return shownAddress(text)
    return (what === 'target' ? (partOf(part) ?? targetInOlder(text)?.on)?.name : undefined) ?? text
  }
  return html`<div class="changes"><p>${acts.changedSince}</p><dl>${changes.map(
    ({ what, field, before, now, was: partBefore, is: partNow }) => {
      const [was, is] = [said(before, what, partBefore), said(now, what, partNow)]
      return html`<dt>${labels[String(what)] ?? foldedText(String(field ?? ''))}</dt><dd>${
        was === '' && is === ''
          ? acts.otherValue
          : html`<del>${valueText(was, words)}</del> <ins>${valueText(is, words)}</ins>`
      }</dd>`
    },
  )}</dl></div>`
}

const isList = (list: unknown): list is readonly JsonObject[] => Array.isArray(list) && list.every(isObject)

const commas = new Map([
  ['ar', '، '],
  ['ja', '、'],
  ['zh', '、'],
])

/** The values of fields, one a line. Several empty fields are one line. */
function valueRows(values: unknown, words: Words & ApprovalWords): Row[] {
  if (!isList(values)) return []
  const isEmpty = ({ value, private: isPrivate }: JsonObject): boolean =>
    value === '' || (isPrivate === true && value !== 'filled')
  const empty = values.filter(isEmpty)
  const isFolded = empty.length > 1
  const rows = values
    .filter((one) => !isFolded || !isEmpty(one))
    .map(({ field, value, private: isPrivate }): Row => [
      foldedText(String(field)),
      fieldValue(value, isPrivate === true, words),
    ])
  if (!isFolded) return rows
  const names = empty.map(({ field }) => String(field)).join(commas.get(words.language) ?? ', ')
  return [...rows, [words.acts.emptyFields(empty.length), valueText(names, words)]]
}

/** What the assistant has filled in elsewhere, by the heading around the fields. */
function groupsOf(filled: unknown): readonly (readonly [string, readonly JsonObject[]])[] {
  const groups = new Map<string, JsonObject[]>()
  for (const one of isList(filled) ? filled : []) {
    const group = typeof one['group'] === 'string' ? one['group'] : ''
    groups.set(group, [...(groups.get(group) ?? []), one])
  }
  return [...groups]
}

/** The label and the value of one line. */
type Row = readonly [string, unknown]

/** What is pressed, where it is, and where it leads, unless the title says it in full. */
function actionRows(preview: Preview, says: readonly string[], words: Words & ApprovalWords): Row[] {
  const { acts } = words
  const { does, types, selects, url, method, opens } = preview
  const rows: Row[] = []
  const told = new Set(says)
  const add = (label: string, text: unknown, note = ''): void => {
    if (typeof text !== 'string' || text === '' || told.has(text)) return
    told.add(text)
    rows.push([label, note === '' ? valueText(text, words) : html`${valueText(text, words)} ${note}`])
  }
  const { on, by } = targetOf(preview) ?? {}
  // A text that is typed is what a field holds then.
  if (typeof types === 'string') rows.push([foldedText(on?.name || acts.filledIn), fieldValue(types, false, words)])
  else add(on?.role === 'form' ? acts.submit : acts.click, on?.name)
  if (typeof selects === 'string') rows.push([acts.selects, valueText(selects, words)])
  add(acts.click, by?.name)
  add(acts.place, preview.in ?? on?.place?.name)
  add(acts.place, preview.heading)
  add(acts.beside, preview.amount, acts.fromPage)
  let label = acts.sentTo
  if (method === undefined) label = does === 'go' ? acts.go : acts.to
  add(label, addressOf(url), opens === 'tab' || opens === 'download' ? acts[opens] : '')
  for (const stopped of stoppedBy(preview)) {
    const isSent = stopped.does === 'request' || stopped.does === 'submit'
    add(isSent ? acts.sentTo : acts.to, addressOf(stopped.url ?? stopped.site))
    add(acts.operation, stopped.operation)
  }
  return rows
}

const addressOf = (url: unknown): unknown => (typeof url === 'string' ? shownAddress(url) : url)

/** The preview as it was reported, for developers. */
export function previewLines(preview: Preview | undefined): string[] {
  if (!isObject(preview)) return []
  const { target, url, method, stopped } = preview as unknown as Preview
  const acts = Array.isArray(stopped) ? (stopped as readonly StoppedEffect[]).filter(isObject) : []
  return [
    [target],
    [method, url],
    ...acts.map((one) => [one.does, one.method, one.url ?? one.site, one.operation]),
  ].flatMap((parts) => {
    const line = parts.filter((part) => typeof part === 'string').join(' ')
    return line === '' ? [] : [toVisibleText(line)]
  })
}

/** A warning with the host alone, because it is what the user has to check. An address without a host as it is. */
function siteWarning(site: string, { site: label }: ApprovalWords['acts']): TemplateResult {
  const host = URL.canParse(site) ? new URL(site).host : ''
  return html`<div class="site" role="note">${icon('alert')}<p>${label} <strong><bdi dir="ltr">${
    host === '' ? toVisibleText(site) : host
  }</bdi></strong></p></div>`
}

/** The value of one field. Of a private field it says only whether it is filled. */
function fieldValue(value: unknown, isPrivate: boolean, words: Words & ApprovalWords): unknown {
  if (typeof value === 'boolean') return value ? words.acts.yes : words.acts.no
  if (value === '' || (isPrivate && value !== 'filled')) return html`<em>${words.empty}</em>`
  return isPrivate ? html`<em>${words.acts.filled}</em>` : valueText(String(value), words)
}
