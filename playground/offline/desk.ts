// Work on a page with a table: finding rows by the page's own filters, sorting, opening and editing one row. It has the
// page tools alone, so every change is a click or a filled field that the page shows. It reports what the page shows
// after.
import Fuse from 'fuse.js'
import { isObject, type JsonValue } from '../../src/core/data/json.js'
import { failed, has, look, said, type Context, type Outcome } from './context.js'
import { findDay } from './dates.js'
import { placeChoices } from './field-choices.js'
import { readFilled, readForms, type Field } from './form.js'
import { filledInWords, shortLabel, type Seen } from './form-plan.js'
import { matchFields } from './field-match.js'
import { controls, namedControl, parseOutline, type Item, type Outline, type Row } from './outline.js'
import { call, type Plan } from './replay.js'
import { escape, failureInWords, listed, sentence } from './speak.js'
import { isQuestion, isSame, stem, stemsOf, wordsOf } from './words.js'

const highest = /\b(?:biggest|largest|highest|most expensive|descending|most|newest|latest|down)\b/i
const lowest = /\b(?:smallest|lowest|cheapest|least|ascending|oldest|earliest|up)\b/i

/** Does what the text asks of a table; undefined if it asks for nothing of the kind. */
export function* deskWork(context: Context, text: string, seen: Seen): Plan<Outcome | undefined> {
  const outline = parseOutline(seen.page)
  const number = /(?<![\d€$.,-])\d{3,}(?![\d.,-]\d)/.exec(text)?.[0]
  if (outline.header.length > 0 && number !== undefined) return yield* oneRow(context, text, seen, number)
  const column = sortColumn(outline, text)
  if (column) return yield* sorted(context, text, outline, column)
  const control = namedControl(outline, text, /\b(?:click|press|push|tap|open|go to)\b/i.test(text))
  if (control && !isQuestion(text)) return yield* clicked(context, control)
  return yield* filtered(context, text, seen)
}

function inWords(row: Row, header: readonly Item[]): string {
  const cells = row.cells
    .map(({ role, name }, index) => ({ role, name, head: header[index]?.name ?? '' }))
    .filter(({ name, head }, index) => name !== '' && (head !== '' || index === 0) && name !== 'Edit')
  return cells
    .map(({ name, head }, index) => (index === 0 ? escape(name) : `${escape(head)} ${escape(name)}`))
    .join(', ')
}

function rowOf({ rows }: Outline, number: string): Row | undefined {
  return rows.find(({ cells }) => cells.some(({ name }) => name === number))
}

// One row.

const opening = /\b(?:open|show|details?|look at|see|view)\b/i
const noting = /\b(?:note|comment|remark)\b/i

function* oneRow(context: Context, text: string, seen: Seen, number: string): Plan<Outcome | undefined> {
  const isAsking = isQuestion(text)
  const wanted = changeIn(text, seen)
  const isNote = noting.test(text)
  if (!isAsking && wanted === undefined && !isNote && !opening.test(text)) return undefined
  let outline = parseOutline(seen.page)
  if (rowOf(outline, number) === undefined) {
    const search = searchField(seen)
    if (search) {
      yield* call('form_fill', { fields: [{ field: search.key, value: number }] })
      outline = parseOutline((yield* look(context)).page)
    }
  }
  const row = rowOf(outline, number)
  if (row === undefined) return failed(`I found no row with ${number} on this page.`)
  if (isAsking && wanted === undefined) return yield* askedRow(context, text, outline, row)
  if (isNote) return yield* noted(context, text, row, number)
  if (wanted !== undefined) return yield* changed(context, text, row, number, wanted)
  return yield* opened(context, row, number)
}

/** A value of the page's choices that the text names, such as a status. */
function changeIn(text: string, { form }: Seen): string | undefined {
  if (!/\b(?:mark|change|set|make|move|update|switch|put|cancel|turn|correct)\b/i.test(text)) return undefined
  const said = stemsOf(text)
  const options = readForms(form?.result?.value)
    .flat()
    .flatMap((field) => field.options)
  const exact = options.find((option) => !/^all$/i.test(option) && stemsOf(option).some((word) => said.includes(word)))
  return (
    exact ??
    options.find(
      (option) => option.length > 4 && said.some((word) => word.length > 4 && option.toLowerCase().startsWith(word)),
    )
  )
}

function* opened(context: Context, row: Row, number: string): Plan<Outcome> {
  const control = row.cells.find(({ role, name }) => role !== 'cell' && name === number)
  if (!control || !has(context, 'page_click'))
    return failed(`I cannot open ${number} here: there is nothing to click for it.`)
  const made = yield* call('page_click', { target: control.ref })
  if (made.result?.failed !== false) return failed(failureInWords(made.result))
  return said(`${number} is open.`)
}

/** Answers from the row, or from what opens behind it if the question is about something that the row does not have. */
function* askedRow(context: Context, text: string, outline: Outline, row: Row): Plan<Outcome> {
  const heads = outline.header.flatMap(({ name }) => stemsOf(name))
  const generic = /^(?:cost|much|price|who|buy|late|due|when|total|order|ordered|customer|status|state)$/
  const missing = stemsOf(text).filter(
    (word) => !/^\d+$/.test(word) && !generic.test(word) && !heads.some((head) => isSame(head, word)),
  )
  if (missing.length === 0 || !has(context, 'page_click')) return said(sentence(inWords(row, outline.header)))
  const number = row.cells[0]?.name ?? ''
  const open = yield* opened(context, row, number)
  if (!open.isDone) return open
  const { page } = yield* look(context)
  const inside = parseOutline(page).rows.filter((one) => one.inside.some((name) => name.startsWith('dialog')))
  const lines = inside.map(({ cells }) =>
    cells
      .map(({ name }) => escape(name))
      .filter(Boolean)
      .join(', '),
  )
  if (lines.length === 0) return failed(`${number} is open, but I found no list in it.`)
  return said(`${number} has: ${lines.join('; ')}.`)
}

function* noted(context: Context, text: string, row: Row, number: string): Plan<Outcome> {
  const note = (
    /[:“"]\s*([^”"]+)[”"]?\s*$/.exec(text)?.[1] ??
    /\b(?:that|saying)\s+(.+)$/i.exec(text)?.[1] ??
    ''
  ).trim()
  if (note === '') return failed('Tell me the note as well, after a colon.')
  const open = yield* opened(context, row, number)
  if (!open.isDone) return open
  const { form, page } = yield* look(context)
  const field = readForms(form?.result?.value)
    .flat()
    .find(({ label, type }) => /note|comment|remark/i.test(label) && /text/.test(type))
  if (!field) return failed(`${number} is open, but there is no field for a note.`)
  const made = yield* call('form_fill', { fields: [{ field: field.key, value: note }] })
  const [line] = readFilled(made.result?.value)
  if (made.result?.failed !== false || line?.ok !== true) return failed(failureInWords(made.result))
  const button = controls(parseOutline(page)).find(({ role, name }) => role === 'button' && noting.test(name))
  if (!button) return failed(`The note is in the field, but there is no button to keep it.`)
  return yield* clicked(context, button)
}

/** Edits the row in place, saves it, and reads what it shows then. */
function* changed(context: Context, text: string, row: Row, number: string, wanted: string): Plan<Outcome> {
  const edit = row.cells.find(({ role, name }) => role === 'button' && name !== number && name.includes(number))
  if (!edit || !has(context, 'page_click')) return failed(`I cannot change ${number} here.`)
  const start = yield* call('page_click', { target: edit.ref })
  if (start.result?.failed !== false) return failed(failureInWords(start.result))
  const { form, page } = yield* look(context)
  const field = readForms(form?.result?.value)
    .flat()
    .find(({ label, options }) => label.includes(number) && options.includes(wanted))
  if (!field) return failed(`The row of ${number} has no field for “${escape(wanted)}”.`)
  const filled = yield* call('form_fill', { fields: [{ field: field.key, value: wanted }] })
  if (filled.result?.failed !== false || readFilled(filled.result.value)[0]?.ok !== true)
    return failed(filledInWords(filled))
  const save = controls(parseOutline(page)).find(
    ({ name }) => name.includes(number) && /^(?:save|apply|update|ok|done)\b/i.test(name),
  )
  if (!save) return failed(`${number} is being edited, but there is no button to save it.`)
  const made = yield* call('page_click', { target: save.ref })
  if (made.result?.failed !== false) return failed(failureInWords(made.result))
  const after = parseOutline((yield* look(context)).page)
  const now = rowOf(after, number)
  if (now === undefined) return said(`${number} is saved. The filters hide it now.`)
  const isSet = now.cells.some(({ name }) => name.toLowerCase().startsWith(wanted.toLowerCase()))
  return {
    text: `${isSet ? 'Saved' : 'The page does not show the change'}: ${sentence(inWords(now, after.header))}`,
    isDone: isSet,
  }
}

function* clicked(context: Context, { ref, name }: Item): Plan<Outcome> {
  if (!has(context, 'page_click')) return failed(`I cannot click here. Use “${escape(name)}” on the page yourself.`)
  const made = yield* call('page_click', { target: ref })
  if (made.result?.failed !== false) return failed(failureInWords(made.result))
  const news = newsOf(made.result.value)
  if (news !== '') return said(`I clicked “${escape(name)}”. ${news}`)
  const { items } = parseOutline((yield* look(context)).page)
  const counts = items.filter(
    ({ role, name: text }) => role === 'text' && (/^page \d/i.test(text) || counting.test(text)),
  )
  const shows = counts.length > 0 ? ` The page shows: ${listed(counts.map((one) => escape(one.name)))}.` : ''
  return said(`I clicked “${escape(name)}”.${shows}`)
}

/** The texts that a click made appear. */
function newsOf(value: JsonValue | undefined): string {
  const changes = isObject(value) && typeof value['changes'] === 'string' ? value['changes'] : ''
  const [, added = ''] = /new or changed:\n([\s\S]*?)(?:\ngone:|$)/.exec(changes) ?? []
  const texts = [...added.matchAll(/^\s*- text: (.+)$/gm)]
    .flatMap(([, one = '']) => (one.length > 6 ? [one] : []))
    .slice(-3)
  return texts.length === 0 ? '' : `The page shows now: ${listed(texts.map((one) => `“${escape(one)}”`))}.`
}

// The table.

function sortColumn({ header, rows }: Outline, text: string): Item | undefined {
  const buttons = header.filter(({ role }) => role === 'button')
  const by = /\b(?:sort|order|arrange|rank|sorted)\b.*?\bby\s+(?:the\s+)?([\p{L} ]+)/iu.exec(text)?.[1]
  const words = stemsOf(by ?? '')
  if (by !== undefined)
    return buttons.find(({ name }) => stemsOf(name).some((one) => words.some((word) => isSame(one, word))))
  if (
    !isQuestion(text) ||
    !/\b(?:biggest|largest|highest|most expensive|smallest|lowest|cheapest|newest|oldest|latest|earliest)\b/i.test(text)
  )
    return undefined
  const isAge = /\b(?:newest|oldest|latest|earliest)\b/i.test(text)
  const index = header.findIndex(
    ({ name }, place) =>
      name !== '' &&
      rows.length > 0 &&
      rows.every(({ cells }) => (isAge ? /^\p{L}{3} \d/u : /^[€$£]/).test(cells[place]?.name ?? '')),
  )
  return header[index]?.role === 'button' ? header[index] : undefined
}

function* sorted(context: Context, text: string, outline: Outline, column: Item): Plan<Outcome> {
  if (!has(context, 'page_click')) return failed(`I cannot sort here. Click “${escape(column.name)}” above the table.`)
  const isDown = highest.test(text)
  const isUp = !isDown && lowest.test(text)
  let current = column
  let after = outline
  for (let clicks = 0; clicks < 2; clicks++) {
    const isRight = isDown ? current.rest.includes('[descending]') : current.rest.includes('[ascending]')
    if (isRight || (clicks > 0 && !isDown && !isUp)) break
    const made = yield* call('page_click', { target: current.ref })
    if (made.result?.failed !== false) return failed(failureInWords(made.result))
    after = parseOutline((yield* look(context)).page)
    current = after.header.find(({ name }) => name === column.name) ?? column
  }
  const [first] = after.rows
  const way = current.rest.includes('[descending]') ? 'highest' : 'lowest'
  const top = first ? ` First is ${sentence(inWords(first, after.header))}` : ''
  return said(`The table is sorted by ${escape(column.name)}, ${way} first.${top}`)
}

const noise = new Set(
  (
    'show find list see give everything all every only those these one ones order row now just again from of in at by for with and to ' +
    'which what who where how many much are is have has does do there their be was were came come total sum since before after ' +
    'until between till search look filter display get tell me my us we you i the a an that this it page table late please customer ' +
    'anything any on wich overall altogether'
  )
    .split(' ')
    .map(stem),
)

function searchField({ form }: Seen): Field | undefined {
  return readForms(form?.result?.value)
    .flat()
    .find(({ type, label, locked }) => !locked && (type === 'search' || /^search\b/i.test(label)))
}

/** Sets the filters that the text names, and reads what is left. A question without a filter is answered from the page. */
function* filtered(context: Context, text: string, seen: Seen): Plan<Outcome | undefined> {
  const fields = readForms(seen.form?.result?.value)
    .flat()
    .filter(({ locked }) => !locked)
  const outline = parseOutline(seen.page)
  const values = new Map<Field, JsonValue>()
  const isNamed = /[\p{L}]\s*:\s/u.test(text)
  if (isNamed)
    for (const { field, value } of matchFields(fields, text, context.today).fillings) values.set(field, value)
  const day = isNamed ? undefined : findDay(text, context.today)
  const rest = day ? `${text.slice(0, day.start)} ${text.slice(day.end)}` : text
  const used = isNamed ? [] : placeChoices(fields, rest, values)
  for (const field of fields) {
    const label = stemsOf(field.label)
    const counted = field.options.find((option) => /^\d+$/.test(option) && new RegExp(`\\b${option}\\b`).test(rest))
    if (counted && label.some((word) => stemsOf(rest).includes(word))) values.set(field, counted)
  }
  if (day) for (const field of dayFields(fields, text)) values.set(field, day.value)
  const search = searchField(seen)
  const heads = [...outline.header.map(({ name }) => name), outline.title, ...used].flatMap(wordsOf).map(stem)
  const taken = new Set([...heads, ...[...values.keys()].flatMap(({ label }) => stemsOf(label))])
  const words = wordsOf(rest).filter(
    (word) => !noise.has(stem(word)) && !taken.has(stem(word)) && !/^\d/.test(word) && word.length > 2,
  )
  const known = outline.rows.flatMap(({ cells }) => cells.flatMap(({ name }) => wordsOf(name)))
  const asksFor = /\b(?:from|of|by|for|find|search|does|has|have)\b/i.test(text)
  if (search && !values.has(search) && words.length > 0 && words.length <= 3 && asksFor && !isNamed)
    values.set(search, words.map((word) => spelled(word, known)).join(' '))
  else if (words.length > 0 && !isNamed && values.size === 0) return undefined
  if (values.size === 0) return countOf(outline, text)
  if (!has(context, 'form_fill')) return undefined
  const made = yield* call('form_fill', { fields: [...values].map(([field, value]) => ({ field: field.key, value })) })
  if (made.result?.failed !== false) return failed(failureInWords(made.result))
  const lines = readFilled(made.result.value)
  if (lines.some(({ ok }) => !ok)) return failed(filledInWords(made))
  const after = parseOutline((yield* look(context)).page)
  const set = [...values].map(
    ([{ label }, value]) => `${shortLabel(label)} ${value === true ? 'on' : `“${escape(String(value))}”`}`,
  )
  return said(`I set ${listed(set)}. ${foundIn(after, text)}`)
}

function dayFields(fields: readonly Field[], text: string): Field[] {
  const dates = fields.filter(({ type }) => type === 'date')
  const isEnd = /\b(?:until|till|before|up to|to)\b/i.test(text)
  const isStart = /\b(?:since|from|after)\b/i.test(text)
  const labelled = (pattern: RegExp): Field[] => dates.filter(({ label, name }) => pattern.test(`${label} ${name}`))
  if (isStart && !isEnd) return labelled(/\b(?:from|since|after|start)\b/i).slice(0, 1)
  if (isEnd && !isStart) return labelled(/\b(?:to|until|before|end)\b/i).slice(0, 1)
  return dates.slice(0, 2)
}

/** A name of the table that is meant by a misspelt word. */
function spelled(word: string, known: readonly string[]): string {
  if (known.includes(word)) return word
  const [best] = new Fuse([...new Set(known)], { threshold: 0.25, distance: 2, includeScore: true }).search(word)
  return best && Math.abs(best.item.length - word.length) <= 1 ? best.item : word
}

const counting = /^(?:(\d+)|one|no)\s+\p{L}+$/iu

function countOf({ items }: Outline, text: string): Outcome | undefined {
  if (!/\bhow many\b|\bcount\b/i.test(text)) return undefined
  const line = items.find(({ role, name }) => role === 'text' && counting.test(name))
  return line && said(`The page shows ${escape(line.name)}.`)
}

function foundIn(outline: Outline, text: string): string {
  const rows = outline.rows.filter(({ inside }) => !inside.some((one) => one.startsWith('dialog')))
  const isEmpty = rows.length <= 1 && rows[0]?.cells.length === 1
  const count = outline.items.find(({ role, name }) => role === 'text' && counting.test(name))?.name
  if (isEmpty) return `The page shows no row: “${escape(rows[0]?.cells[0]?.name ?? '')}”.`
  const lines = rows.slice(0, 8).map((row) => {
    const [first, second, ...others] = row.cells.filter(
      ({ role, name }, index) => name !== '' && (role === 'cell' || index === 0),
    )
    return escape([first?.name, second?.name, others.at(-1)?.name].filter(Boolean).join(' · '))
  })
  const more = rows.length > 8 ? ' and more' : ''
  return `The page shows ${count ? escape(count) : `${rows.length} rows`}: ${lines.join('; ')}${more}.${sumOf(outline, rows, count, text)}`
}

/** The sum of a column that the text names, if all rows are on this page. */
function sumOf({ header }: Outline, rows: readonly Row[], count: string | undefined, text: string): string {
  const place = header.findIndex(({ name }) => /^(?:total|sum|amount)$/i.test(name))
  if (
    place < 0 ||
    !/\b(?:total|sum|altogether|together)\b/i.test(text) ||
    Number(/\d+/.exec(count ?? '')?.[0]) !== rows.length
  )
    return ''
  const amounts = rows.map(({ cells }) => Number((cells[place]?.name ?? '').replace(/[^\d.]/g, '')))
  const sign = /^\D/.exec(rows[0]?.cells[place]?.name ?? '')?.[0] ?? ''
  const sum = amounts.reduce((all, one) => all + one, 0)
  return ` Together they are ${sign}${sum.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}.`
}
