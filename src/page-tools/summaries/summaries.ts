// What the user reads about a call of a page tool that succeeded. It names no private value: only counts, and names of
// controls that were redacted for the result.
import { isObject } from '../../core/data/json.js'
import type { EndedCall } from '../../page/tools/tool.js'
import { texts as ar } from './languages/ar.js'
import { texts as de } from './languages/de.js'
import { texts as es } from './languages/es.js'
import { texts as fr } from './languages/fr.js'
import { texts as ja } from './languages/ja.js'
import { texts as zh } from './languages/zh.js'
import type { SummaryTexts } from './summary-texts.js'

const fields = (ok: number, all: number): string =>
  `${ok === all ? '' : `${ok} of `}${all} ${all === 1 ? 'field' : 'fields'}`

const englishTexts: SummaryTexts = {
  page_read: 'Read the page',
  form_read: 'Read the form',
  page_scroll: 'Scrolled the page',
  page_drag: 'Dragged on the page',
  page_press: 'Pressed a key',
  page_navigate: 'Went to another page',
  dom_query: (count) =>
    count === 0 ? 'Found nothing on the page' : `Found ${count} ${count === 1 ? 'place' : 'places'}`,
  page_wait: (met) => (met ? 'Waited for the page' : 'Waited for the page in vain'),
  form_fill: (ok, all) => `Filled ${fields(ok, all)}`,
  form_undo: (ok, all) => `Restored ${fields(ok, all)}`,
  page_click: (name) => (name === '' ? 'Clicked on the page' : `Clicked “${name}”`),
  hovered: (name) => `Moved the mouse over “${name}”`,
  form_submit: (submitted) => (submitted ? 'Sent the form' : 'The page did not accept the form'),
}

/** The texts by language. */
const languages: ReadonlyMap<string, SummaryTexts> = new Map([
  ['ar', ar],
  ['de', de],
  ['es', es],
  ['fr', fr],
  ['ja', ja],
  ['zh', zh],
])

/** The texts for a locale, such as `de-AT`; in English for other languages. */
function textsFor(locale: string): SummaryTexts {
  const tag = locale.toLowerCase()
  // The Chinese texts are simplified, as those of the panel.
  const known = /^zh-(hant|hk|mo|tw)/.test(tag) ? undefined : languages.get(tag.split('-')[0] ?? '')
  return known ?? englishTexts
}

/** The sentence for a successful call of a page tool; undefined for a tool without one, which shows its title. */
export function summaryOf(tool: string, { output, locale }: EndedCall): string | undefined {
  const texts = textsFor(locale)
  const { count, met, name, hovered, submitted } = isObject(output) ? output : ({} as Record<string, unknown>)
  const entries: readonly unknown[] = Array.isArray(output) ? output : []
  const ok = entries.filter((entry) => isObject(entry) && entry['ok'] === true).length
  switch (tool) {
    case 'dom_query':
      return texts.dom_query(Number(count))
    case 'page_wait':
      return texts.page_wait(met === true)
    case 'form_fill':
    case 'form_undo':
      return texts[tool](ok, entries.length)
    case 'page_click':
      return texts[hovered ? 'hovered' : 'page_click'](typeof name === 'string' ? name : '')
    case 'form_submit':
      return texts.form_submit(submitted === true)
    default:
      return texts[tool as 'page_read'] as string | undefined
  }
}
