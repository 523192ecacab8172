// The carrier's calendar: it drives from Monday to Friday.

/** The ISO day that lies `count` working days after a moment. */
export function workingDaysAfter(from: number, count: number): string {
  const day = new Date(from)
  for (let left = count; left > 0;) {
    day.setUTCDate(day.getUTCDate() + 1)
    if (day.getUTCDay() % 6 !== 0) left -= 1
  }
  return day.toISOString().slice(0, 10)
}
