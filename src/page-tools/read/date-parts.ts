// A date that a page draws as boxes of its own for day, month and year, each a spin button: for people it is one field.
const partOf = (element: Element): 'year' | 'month' | 'day' | undefined => {
  const [min, max] = ['min', 'max'].map((name) => Number(element.getAttribute(`aria-value${name}`)))
  return max === undefined || max >= 1000
    ? 'year'
    : max === 12 && min === 1
      ? 'month'
      : max >= 28 && max <= 31
        ? 'day'
        : undefined
}

/** Year, month and day of a group that has just these; else undefined. */
export function datePartsOf(group: Element): HTMLElement[] | undefined {
  const boxes = [...group.querySelectorAll<HTMLElement>('[role=spinbutton][contenteditable=true]')]
  if (boxes.length !== 3) return undefined
  const parts = ['year', 'month', 'day'].flatMap((part) => boxes.filter((box) => partOf(box) === part))
  return new Set(boxes.map(partOf)).size === 3 && parts.length === 3 ? parts : undefined
}

/** As in an input of type date: empty where a part is. */
export function dateIn(parts: readonly Element[]): string {
  const numbers = parts.map((part) => part.getAttribute('aria-valuenow') ?? '')
  return numbers.every((number) => /^\d+$/.test(number))
    ? numbers.map((number, index) => number.padStart(index === 0 ? 4 : 2, '0')).join('-')
    : ''
}
