// Answers to questions from what the page shows: its texts, the hints, limits and options of its fields.
import { readForms, type Field } from './form.js'
import { shortLabel, type Seen } from './form-plan.js'
import { parseOutline } from './outline.js'
import { capital, escape, listed } from './speak.js'
import { isRelated, isSame, stem, stemsOf, wordsOf } from './words.js'

const empty = new Set(
  (
    'time option good go well get come know tell say possible there anything something else really still your you can could ' +
    'would should may might like think bring have has whats please today page here find show give take make offer kind ' +
    'when where who why long ' +
    'work many much any all for with page site thing'
  )
    .split(' ')
    .filter((word) => word !== 'bring')
    .map(stem),
)

/** The words that a question is about. */
export function topicWords(text: string): string[] {
  return stemsOf(text.replace(/['’](?:s|ll|d|re|ve|m)\b/g, '')).filter(
    (word) => word.length > 2 && !empty.has(word) && !/^\d+$/.test(word),
  )
}

/** What the page says about it; undefined if it says nothing. */
export function pageAnswer(text: string, { page, form }: Seen): string | undefined {
  const fields = readForms(form?.result?.value).flat()
  const limit = limitOf(text, fields)
  if (limit !== undefined) return limit
  const words = topicWords(text)
  if (words.length === 0) return undefined
  const option = optionOf(words, fields)
  if (option !== undefined) return option
  const texts = [
    ...parseOutline(page)
      .items.filter(({ role }) => role === 'text')
      .map(({ name }) => name),
    ...fields.map(({ hint }) => hint),
  ].flatMap((one) => one.split(/(?<=[.!?])\s+/))
  const scored = [...new Set(texts)]
    .map((one) => ({ one, score: share(words, stemsOf(one)) }))
    .filter(({ score }) => score > 0.5)
    .sort((a, b) => b.score - a.score)
  const top = scored.filter(({ score }) => score === scored[0]?.score).slice(0, 2)
  return top.length === 0 ? undefined : `The page says: ${quoted(top.map(({ one }) => one))}`
}

/** Texts of the page in quotation marks, with one full stop at the end. */
function quoted(texts: readonly string[]): string {
  const all = texts.map((one) => `“${escape(one)}”`).join(' and ')
  return /[.!?…]”$/.test(all) ? all : `${all}.`
}

function share(words: readonly string[], text: readonly string[]): number {
  const hits = words.map((word) => {
    if (text.some((one) => isSame(one, word))) return 1
    return text.some((one) => isRelated(one, word)) ? 0.8 : 0
  })
  return hits.reduce((sum: number, hit) => sum + hit, 0) / words.length
}

const limiting = /\b(?:at most|most|maximum|max|minimum|min|at least|how many|how much|earliest|latest|limit|up to)\b/i

/** "How many guests can I bring at most?" */
function limitOf(text: string, fields: readonly Field[]): string | undefined {
  if (!limiting.test(text)) return undefined
  const said = stemsOf(text)
  const field = fields.find(
    ({ label, min, max }) =>
      min + max !== '' && stemsOf(label).some((word) => word.length > 3 && said.some((one) => isSame(one, word))),
  )
  if (field === undefined) return undefined
  const { label, min, max, hint } = field
  const bounds = [min && `at least ${min}`, max && `at most ${max}`].filter(Boolean)
  return `${shortLabel(label)} can be ${bounds.join(' and ')}.${hint ? ` The page says: ${quoted([hint])}` : ''}`
}

/** "Do you have vegan options?" */
function optionOf(words: readonly string[], fields: readonly Field[]): string | undefined {
  const hits = fields.flatMap((field) =>
    field.options
      .filter((option) => words.every((word) => wordsOf(option).some((one) => isSame(stem(one), word))))
      .map((option) => `“${escape(option)}” under ${shortLabel(field.label)}`),
  )
  const ticks = fields.filter(
    ({ type, label }) => type === 'checkbox' && words.every((word) => stemsOf(label).some((one) => isSame(one, word))),
  )
  const all = [...hits, ...ticks.map(({ label }) => `“${escape(label)}”`)]
  return all.length === 0 ? undefined : `Yes, the form offers ${listed(all)}. I can choose it for you.`
}

/** What the model says if it can do nothing. */
export function cannot(text: string, abilities: string): string {
  const words = topicWords(text).filter((word) => !/^\d/.test(word))
  const about = words.length > 0 ? `: nothing here is about “${escape(words.slice(0, 3).join(' '))}”` : ''
  return `I cannot help with that on this page${about}. Another page may have a tool for it. ${capital(abilities)}`
}
