// The statistics of the bench: medians, the spread of a run, and how they are printed.

/** The middle value; 0 for an empty list. @param {readonly number[]} values */
export function median(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const half = sorted.length >> 1
  if (sorted.length === 0) return 0
  return sorted.length % 2 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2
}

/**
 * The quartiles of some values: a quarter of them is below the first, and a quarter above the second.
 * @param {readonly number[]} values @returns {[number, number]}
 */
export function quartiles(values) {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (/** @type {number} */ part) => {
    const place = part * (sorted.length - 1)
    const low = sorted[Math.floor(place)] ?? 0
    return low + ((sorted[Math.ceil(place)] ?? 0) - low) * (place % 1)
  }
  return [at(0.25), at(0.75)]
}

/**
 * The noise of some values of one thing: half of the range between the quartiles, as a part of the median.
 * @param {readonly number[]} values
 */
export function spread(values) {
  const [low, high] = quartiles(values)
  const middle = median(values)
  return middle === 0 ? 0 : (high - low) / 2 / middle
}

/** With about three digits and grouped thousands. @param {number} value */
export function plain(value) {
  const size = Math.abs(value)
  let digits = 2
  if (size >= 100) digits = 0
  else if (size >= 10) digits = 1
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** As plus or minus a percentage. @param {number} part */
export const percent = (part) => `±${Math.round(part * 100)} %`
