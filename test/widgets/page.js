// What the pages of this folder share. Each page has a table of widgets: what it is, its visible label, the value that a
// model would pass, and what the application must hold then. The application writes its state into `window.widgets`.

/** The data of the pages. */
export const drinks = ['Tea', 'Coffee', 'Cocoa', 'Juice', 'Water']
export const countries = ['Austria', 'Belgium', 'France', 'Germany', 'Spain']
/** Continents, countries and cities, for trees and cascades. */
export const places = {
  Europe: { Spain: ['Madrid', 'Seville'], France: ['Paris', 'Lyon'] },
  Asia: { Japan: ['Tokyo', 'Kyoto'], India: ['Delhi', 'Mumbai'] },
}

/** The places as nested objects in the words of a library. `node(name, path, children)` makes one. */
export const placesAs = (node) =>
  Object.entries(places).map(([continent, inside]) =>
    node(
      continent,
      [continent],
      Object.entries(inside).map(([country, cities]) =>
        node(
          country,
          [continent, country],
          cities.map((city) => node(city, [continent, country, city])),
        ),
      ),
    ),
  )

/** Asks the server of the test for cities whose names have the text. */
export async function searchCities(text) {
  // A page that is left cancels its requests.
  const response = await fetch(`/cities?q=${encodeURIComponent(text)}`).catch(() => undefined)
  return response ? response.json() : []
}

const two = (number) => String(number).padStart(2, '0')
const isDate = (value) => value instanceof Date || typeof value?.toDate === 'function'
/** A day of a Date or of Day.js. */
export const day = (value) => {
  if (!isDate(value)) return value ?? null
  const date = value instanceof Date ? value : value.toDate()
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
export const time = (value) => {
  if (!isDate(value)) return value ?? null
  const date = value instanceof Date ? value : value.toDate()
  return `${two(date.getHours())}:${two(date.getMinutes())}`
}
export const dayTime = (value) => (isDate(value) ? `${day(value)} ${time(value)}` : (value ?? null))
export const month = (value) => (isDate(value) ? day(value).slice(0, 7) : (value ?? null))
export const each = (as) => (values) => (Array.isArray(values) ? values.map(as) : (values ?? null))

const state = {}
/** The application keeps a value under the label of its widget. */
export function keep(row, value) {
  state[row.label] = (row.as ?? ((one) => one ?? null))(value)
}

/** Publishes the rows of a page, and says that it is drawn. */
export function publish(rows, isDrawn = () => true) {
  for (const row of rows) if (!(row.label in state)) keep(row, row.first)
  window.widgets = {
    rows: rows.map(({ widget, label, value, state: expected, fails }) => ({
      widget,
      label,
      value,
      state: expected,
      fails,
    })),
    state: () => JSON.parse(JSON.stringify(state)),
  }
  const ready = () => {
    if (isDrawn()) document.documentElement.dataset.ready = ''
    else requestAnimationFrame(ready)
  }
  ready()
}
