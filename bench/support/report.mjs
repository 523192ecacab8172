// Turns the figures of a row into tables, and compares them with the aims of the row.
import { median, percent, plain, quartiles, spread } from './numbers.mjs'

/** @typedef {import('./lab.mjs').Figure} Figure */
/** @typedef {import('../rows.mjs').Aim} Aim */

/**
 * An aim and what was reached. `from` and `to` are the quartiles of the rounds.
 * `isMet` is undefined for what is only shown.
 * @typedef {{ text: string, atMost?: number, isRatio: boolean, value: number, from: number, to: number, isMet?: boolean }} Outcome
 */

/**
 * Compares the median with an aim: that of the values, or that of the ratios of the rounds.
 * @param {readonly Figure[]} figures @param {Aim} aim @returns {Outcome | undefined} undefined if a figure is missing
 */
export function outcomeOf(figures, { text, of, over, atMost }) {
  const find = (/** @type {readonly [string, string]} */ [what, product]) =>
    figures.find((one) => one.what === what && one.product === product)
  const own = find(of)
  const other = over && find(over)
  if (!own || (over && !other)) return undefined
  // The rounds are in turns, so the values of a round belong together.
  const each = own.values.map((one, round) => one / (other ? (other.values[round] ?? median(other.values)) : 1))
  const [from, to] = quartiles(each)
  const value = median(each)
  return {
    text,
    isRatio: over !== undefined,
    value,
    from,
    to,
    ...(atMost !== undefined && { atMost, isMet: value <= atMost }),
  }
}

/** The figures as lines: one for each thing that was measured, one column for each product. @param {readonly Figure[]} figures */
export function tableOf(figures) {
  const products = [...new Set(figures.map(({ product }) => product))]
  const whats = [...new Set(figures.map(({ what }) => what))]
  const unit = (/** @type {string} */ what) => figures.find((one) => one.what === what)?.unit ?? ''
  const cell = (/** @type {string} */ what, /** @type {string} */ product) => {
    const figure = figures.find((one) => one.what === what && one.product === product)
    if (!figure) return '-'
    const isConstant = figure.values.every((value) => value === figure.values[0])
    const noise = isConstant ? '' : ` ${percent(spread(figure.values))}`
    const middle = median(figure.values)
    return `${figure.unit === '' ? Math.round(middle).toLocaleString('en-US') : plain(middle)}${noise}`
  }
  return {
    head: ['', ...products],
    lines: whats.map((what) => [
      unit(what).trim() === '' ? what : `${what}, ${unit(what)}`,
      ...products.map((product) => cell(what, product)),
    ]),
  }
}

/** An outcome as cells: the aim, the value with its range, and whether it is met. @param {Outcome} outcome */
export function outcomeCells({ text, isRatio, value, from, to, isMet }) {
  const show = (/** @type {number} */ one) => (isRatio ? one.toFixed(2) : plain(one))
  const range = from === to ? '' : ` (${show(from)} to ${show(to)})`
  return [text, `${show(value)}${range}`, stateOf(isMet)]
}

/** @param {boolean | undefined} isMet */
function stateOf(isMet) {
  if (isMet === undefined) return 'shown'
  return isMet ? 'met' : 'NOT MET'
}

/** @param {readonly (readonly string[])[]} lines aligned in columns, the first one to the left */
export function columns(lines) {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  )
}

/** Around results in docs/performance.md. The first line is the command that writes them. */
export const marks = {
  /** @param {readonly string[]} names of the rows; none are those that run without a name */
  begin: (names) => `<!-- results: npm run bench -- ${[...names, '--docs'].join(' ')} -->`,
  end: '<!-- end of results -->',
}

/**
 * @typedef {object} RowRecord
 * @property {string} name
 * @property {string} about
 * @property {Figure[]} figures
 * @property {{ text: string, outcome: Outcome | undefined }[]} outcomes
 */

/**
 * The results as Markdown: all aims in one table, then the figures of each row.
 * @param {{ about: string, rows: readonly RowRecord[] }} record
 */
export function markdownOf({ about, rows }) {
  const table = (/** @type {readonly (readonly string[])[]} */ [head = [], ...lines], texts = 1) =>
    [head, head.map((_, column) => (column < texts ? '---' : '--:')), ...lines]
      .map((cells) => `| ${cells.join(' | ')} |`)
      .join('\n')
  const aims = rows.flatMap(({ name, outcomes }) =>
    outcomes.map(({ text, outcome }) => {
      const [, value = 'not measured', isMet = ''] = outcome ? outcomeCells(outcome) : []
      return [`\`${name}\``, text, value, isMet === 'NOT MET' ? '**not met**' : isMet]
    }),
  )
  const parts = rows.map(({ name, about: what, figures }) => {
    const { head, lines } = tableOf(figures)
    return `**\`${name}\`**: ${what}\n\n${table([head, ...lines])}`
  })
  return [about, table([['row', 'aim', 'measured', ''], ...aims], 2), ...parts].join('\n\n')
}
