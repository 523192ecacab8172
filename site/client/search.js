// The search dialog: an index that was made at build time, read on first use. Arrow keys move through the results.
import MiniSearch from 'minisearch'
import { searchOptions } from './search-options.js'

const maxResults = 20

/** @type {{ dialog: HTMLDialogElement, input: HTMLInputElement } | undefined} */
let opened

/** Opens the dialog. @param {string} base The path from this page to the root of the site. */
export function openSearch(base) {
  opened ??= create(base)
  if (!opened.dialog.open) opened.dialog.showModal()
  opened.input.select()
}

/** @param {string} base */
function create(base) {
  const dialog = document.createElement('dialog')
  dialog.className = 'search'
  dialog.setAttribute('aria-label', 'Search')
  const form = document.createElement('form')
  form.setAttribute('role', 'search')
  const input = document.createElement('input')
  input.type = 'search'
  input.autocomplete = 'off'
  input.spellcheck = false
  input.placeholder = 'Search the documentation'
  input.setAttribute('aria-label', 'Search the documentation')
  const close = document.createElement('button')
  close.type = 'button'
  close.textContent = 'Close'
  close.addEventListener('click', () => dialog.close())
  form.append(input, close)
  const status = document.createElement('p')
  status.className = 'search-status'
  status.setAttribute('role', 'status')
  status.textContent = 'Loading the index …'
  const list = document.createElement('ul')
  dialog.append(form, status, list)
  document.body.append(dialog)

  /** @type {MiniSearch | undefined} */
  let index
  const show = () => {
    if (index === undefined) return
    const query = input.value.trim()
    const all = query === '' ? [] : search(index, query)
    list.replaceChildren(...all.slice(0, maxResults).map((one) => item(one, base)))
    status.textContent = query === '' ? 'Arrow keys move, Enter opens, Escape closes.' : countOf(all.length, query)
  }
  void fetch(`${base}search-index.json`)
    .then((response) => {
      if (!response.ok) throw new Error(`The server answered ${response.status}`)
      return response.text()
    })
    .then((text) => {
      index = MiniSearch.loadJSON(text, searchOptions)
      show()
    })
    .catch((error) => {
      status.textContent = `The index did not load: ${String(error)}`
    })

  input.addEventListener('input', show)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  dialog.addEventListener('keydown', (event) => {
    // In a field for searches, Chromium's Escape would only empty the field.
    if (event.key === 'Escape') {
      event.preventDefault()
      dialog.close()
      return
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const stops = [input, ...list.querySelectorAll('a')]
    const at = stops.indexOf(/** @type {HTMLInputElement} */ (document.activeElement))
    stops[(at + step + stops.length) % stops.length]?.focus()
  })
  // A result on the same page only changes the address.
  list.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  return { dialog, input }
}

/** Results with all words, or else with any of them. @param {MiniSearch} index @param {string} query */
function search(index, query) {
  const all = index.search(query)
  return all.length > 0 ? all : index.search(query, { combineWith: 'OR' })
}

/** @param {number} count @param {string} query */
function countOf(count, query) {
  if (count === 0) return `Nothing found for “${query}”.`
  if (count > maxResults) return `The best ${maxResults} of ${count} results`
  return count === 1 ? '1 result' : `${count} results`
}

/** @param {Record<string, any>} found @param {string} base */
function item({ heading, page, url, excerpt }, base) {
  const link = document.createElement('a')
  link.href = base + url
  const title = document.createElement('strong')
  title.textContent = heading
  const place = document.createElement('span')
  place.className = 'place'
  place.textContent = page
  const text = document.createElement('span')
  text.className = 'excerpt'
  text.textContent = excerpt
  link.append(title, place, text)
  const entry = document.createElement('li')
  entry.append(link)
  return entry
}
