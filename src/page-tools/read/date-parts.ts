// Dates that a page renders as three spin buttons for day, month and year, which tools treat as one field.

/** The part of a date that a spin button holds, by its limits. */
function partOf(element: Element): 'year' | 'month' | 'day' | undefined {
  const [min = 0, max = 0] = ['min', 'max'].map((name) => Number(element.getAttribute(`aria-value${name}`)))
  if (max >= 1000) return 'year'
  if (max === 12 && min === 1) return 'month'
  return max >= 28 && max <= 31 ? 'day' : undefined
}

/** The spin buttons for year, month and day, in this order; undefined if the group has others, or more. */
export function datePartsOf(group: Element): Element[] | undefined {
  const boxes = [...group.querySelectorAll('[role=spinbutton][contenteditable=true]')]
  if (boxes.length !== 3) return undefined
  const parts = ['year', 'month', 'day'].flatMap((part) => boxes.filter((box) => partOf(box) === part))
  return new Set(boxes.map(partOf)).size === 3 && parts.length === 3 ? parts : undefined
}

/** The date as yyyy-mm-dd; '' if one of the parts is empty. */
export function dateIn(parts: readonly Element[]): string {
  const numbers = parts.map((part) => part.getAttribute('aria-valuenow') ?? '')
  return numbers.every((number) => /^\d+$/.test(number))
    ? numbers.map((number, index) => number.padStart(index === 0 ? 4 : 2, '0')).join('-')
    : ''
}
