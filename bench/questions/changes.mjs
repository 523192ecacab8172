// What changed in the data of a server, in words that a job can name before it runs: `add cards "Ship it"`, `remove cards
// "Old"`, `set cards "Ship it" column = "done"`. Entries of a list are found by their `id` and named by their `name`.

/** @param {any} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param {unknown} before @param {unknown} after @param {string} [path] @returns {string[]} */
export function changesBetween(before, after, path = '') {
  if (Array.isArray(before) && Array.isArray(after)) return changedEntries(before, after, path)
  if (isObject(before) && isObject(after)) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) => changesBetween(before[key], after[key], path === '' ? key : `${path} ${key}`))
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [`set ${path} = ${JSON.stringify(after)}`]
}

/** @param {any[]} before @param {any[]} after @param {string} path */
function changedEntries(before, after, path) {
  const name = (/** @type {any} */ one) => `${path} ${JSON.stringify(one.name)}`
  const same = (/** @type {any[]} */ list, /** @type {any} */ one) => list.find(({ id }) => id === one.id)
  return [
    ...before.filter((one) => !same(after, one)).map((one) => `remove ${name(one)}`),
    ...after.filter((one) => !same(before, one)).map((one) => `add ${name(one)}`),
    ...before.flatMap((one) => {
      const other = same(after, one)
      return other ? changesBetween(one, other, name(one)) : []
    }),
  ]
}
